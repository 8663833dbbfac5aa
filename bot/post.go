package bot

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// outboxPayload is the payload of an outbox row: what to post where, and for the
// answer of a turn what to record afterwards.
type outboxPayload struct {
	To     platform.Address  `json:"to"`
	Out    platform.Outgoing `json:"out"`
	Record *finishRecord     `json:"record,omitempty"`
	Fork   *forkPoint        `json:"fork,omitempty"`
}

// forkPoint makes the thread on a post go on from the post's session, up to a message of it, 0 for the last.
type forkPoint struct {
	Upto int64 `json:"upto"`
}

// finishRecord is what FinishTurn needs besides the post itself: which rows the answer ends
// and in which states.
type finishRecord struct {
	Rows         []int64                 `json:"rows"`
	Interactions []int64                 `json:"interactions,omitempty"`
	State        memory.InteractionState `json:"state,omitempty"`
	Settle       memory.InboxState       `json:"settle,omitempty"`
	Text         string                  `json:"text"` // of the message stored; without one none is
	ReplyTo      int64                   `json:"reply_to"`
	Interaction  int64                   `json:"interaction"`
	Cited        []citedDocument         `json:"citations,omitempty"` // of the post's citations, in their order
	Rests        *memory.Shown           `json:"rests,omitempty"`     // what the answer rests on beside; nil for all that its prompts held
	Question     *memory.Question        `json:"question,omitempty"`
	Whole        string                  `json:"whole,omitempty"` // of an answer that is too long to be shown: posted as a file after it
}

// citedDocument is the id of a cited document, which platforms do not get.
type citedDocument struct {
	Document int64 `json:"document"`
}

func (p outboxPayload) encode() (string, error) {
	b, err := json.Marshal(p)
	if err != nil {
		return "", fmt.Errorf("bot: pack post: %w", err)
	}
	return string(b), nil
}

func decodePayload(o *memory.Outbox) (outboxPayload, error) {
	var p outboxPayload
	if err := json.Unmarshal([]byte(o.Payload), &p); err != nil {
		return p, fmt.Errorf("bot: unpack post %d: %w", o.ID, err)
	}
	return p, nil
}

// Withdrawn returns the text posted instead of a command's answer that was taken back before it was posted: it says
// so to the person who asked. For any other post it is "". It is for memory.Queue.
func Withdrawn(payload string) string {
	p, err := decodePayload(&memory.Outbox{Payload: payload})
	if err != nil || p.Record != nil || p.Out.Kind == platform.KindNotice {
		return ""
	}
	w := say.In(p.Out.Language)
	text, err := outboxPayload{To: p.To, Out: platform.Outgoing{Kind: platform.KindCommand, Text: w.Withdrawn, Language: w.Code}}.encode()
	if err != nil {
		return ""
	}
	return text
}

// giveUp makes r the record of an answer that nobody will see: it has failed and can be
// retried. A cancelled turn has no waiting reader.
func (r *finishRecord) giveUp() {
	if r.Settle == memory.InboxCancelled {
		return
	}
	r.Settle, r.State, r.Whole = memory.InboxDead, memory.InteractionFailed, ""
	if r.Question != nil {
		r.Interactions, r.Question = append(r.Interactions, r.Question.InteractionID), nil
	}
}

func (p outboxPayload) answer(outbox int64, session *memory.Session, ref platform.Ref) memory.Answer {
	r := p.Record
	a := memory.Answer{Outbox: outbox, Ref: string(ref), Inbox: r.Rows, Interactions: r.Interactions, State: r.State, InboxState: r.Settle,
		Message: memory.Message{SessionID: session.ID, ChannelID: session.ChannelID, InteractionID: r.Interaction,
			Text: r.Text, ReplyTo: r.ReplyTo}, Whole: r.Whole,
		Citations: slices.Clone(p.Out.Citations), Rests: r.Rests, Question: r.Question}
	if p.Out.Ledger != nil {
		a.Ledger = *p.Out.Ledger
	}
	if p.Out.Understanding != nil {
		a.Understanding = map[int64]memory.Understanding{r.ReplyTo: *p.Out.Understanding}
	}
	for i := range min(len(a.Citations), len(r.Cited)) {
		a.Citations[i].DocumentID = r.Cited[i].Document
	}
	return a
}

// follow returns the file that follows an answer too long to show; nil if there is none.
func (p outboxPayload) follow(answer *memory.Outbox) (*memory.Outbox, error) {
	if p.Record.Whole == "" {
		return nil, nil
	}
	to := p.To
	to.Event = "" // the event has its answer already
	if to.EphemeralTo == "" {
		to.Interaction = ""
	}
	text := strings.TrimSuffix(p.Out.Text, p.Record.Text) + say.In(p.Out.Language).WholeAnswer // with the name the answer begins with, if any
	file := outboxPayload{To: to, Out: platform.Outgoing{Kind: platform.KindReply, Language: p.Out.Language, Text: text,
		File: &platform.Upload{Name: "answer.md", Media: "text/markdown", Data: []byte(p.Record.Whole)}}}
	payload, err := file.encode()
	return &memory.Outbox{Nonce: nonce("whole/%s", answer.Nonce), Payload: payload}, err
}

// nonceOf names the post that answers an event: the same after a restart, short
// enough for every platform, and impossible to guess from outside.
func nonceOf(row *memory.Inbox) string { return nonce("%d/%s/%s", row.ID, row.Platform, row.EventID) }

func nonce(format string, args ...any) string {
	sum := sha256.Sum256(fmt.Appendf(nil, format, args...))
	return "tk" + hex.EncodeToString(sum[:10])
}

// addressee says whom a post is for, where other people have spoken since. That is
// decided once, when the post begins: it may show its text long before it is complete.
type addressee struct {
	store   *memory.Store
	since   int64 // the message it follows
	person  int64 // who asked for it
	replies bool  // the platform shows it
	log     *slog.Logger

	mu      sync.Mutex
	decided bool
	between bool
	lead    string // what the post begins with
}

// whom is for the post that somebody asked for by a click on a message.
func (c *call) whom(message int64) *addressee {
	return &addressee{store: c.Bot.Store, since: message, person: c.Audience.Person, replies: c.Bot.byName(c.Event.Key.Platform).Limits().Replies, log: c.Bot.Log}
}

// others reports whether somebody else has spoken since, and the name of who asked. If that
// cannot be read nobody has.
func (a *addressee) others(ctx context.Context) (asker string, between bool) {
	asker, between, err := a.store.AskedBeforeOthers(ctx, a.since, a.person)
	if err != nil {
		a.log.Warn("could not look who has spoken since", "error", err)
	}
	return asker, between
}

// begin completes the address of a post, and returns its text with what it begins with.
func (a *addressee) begin(ctx context.Context, to *platform.Address, text string) string {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.decided {
		a.decided = true
		var name string
		if name, a.between = a.others(ctx); a.between && !a.replies {
			a.lead = lead(name, text)
		}
	}
	to.Between = a.between
	return a.lead + text
}

// styles are what would change how a name looks.
var styles = strings.NewReplacer("*", "", "_", " ", "~", "", "|", "")

// lead names somebody before a text: on its line, or above what needs its own.
func lead(name, text string) string {
	if name = strings.TrimSpace(styles.Replace(say.Plain(name))); name == "" {
		return ""
	}
	if first, _ := utf8.DecodeRuneInString(strings.TrimSpace(text)); unicode.IsLetter(first) || first == '[' {
		return "**" + name + ":** "
	}
	return "**" + name + ":**\n\n"
}
