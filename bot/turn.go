package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/tmc/langchaingo/chains"

	"threadkeeper/agent"
	"threadkeeper/agent/model"
	"threadkeeper/bot/hearing"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// burst limits which of a session's waiting messages one turn takes.
var burst = memory.Burst{Rows: 8, Gap: 10 * time.Second}

const (
	maxAttempts = 5  // how often a turn is begun before its messages are given up
	maxCrashes  = 20 // how often it may end with the process; being killed is seldom its fault
)

type turn struct {
	bot   *Bot
	lease *memory.Lease
	log   *slog.Logger

	rows     []*memory.Inbox // one at least
	request  request         // of the last row
	platform platform.Platform
	session  *memory.Session
	messages []*memory.Message
	mentions []*memory.Message // bare mentions that ask for an answer to messages
	person   *memory.Person
	model    string     // that answers, one of Bot.Models; "" for the only one
	say      *say.Words // in the language of the last message
	outbox   *memory.Outbox
	whom     *addressee
	resumed  bool // an earlier attempt may have posted
	recorded bool // the answer is stored, or that there is none, and the session is released
	view     *turnView

	overheard atomic.Bool // it is not known yet whether it is for us: nobody may see anything of it
	carried   []memory.Carried
	silence   *memory.Ledger // of a turn that turned out not to be for us
}

func (t *turn) id() int64 { return t.rows[len(t.rows)-1].ID }

func (t *turn) attempts() int { return t.rows[0].Attempts }

func (t *turn) rowIDs() []int64 {
	ids := make([]int64, len(t.rows))
	for i, row := range t.rows {
		ids[i] = row.ID
	}
	return ids
}

// run takes a turn from its rows to its recorded answer. It is resumable: after any interruption, the
// next run over the same rows continues where this one stopped.
func (t *turn) run(ctx context.Context) error {
	b := t.bot
	if err := t.load(ctx); err != nil {
		return err
	}
	b.awaitAudience(ctx, t.session.Key)
	ready := t.outbox.State == memory.OutboxReady
	if why, err := b.Store.Queue.Interruption(ctx, t.rowIDs()); err != nil || why == memory.StopAudience || why != "" && !ready {
		return t.interrupted(ctx, why, err)
	}
	if ready {
		again, err := b.Store.Queue.OutboxTakeBackDoubted(ctx, t.outbox)
		if err != nil {
			return err
		}
		if !again {
			return t.finish(ctx, t.resumed)
		}
	}
	if t.attempts() > maxAttempts || t.rows[0].Crashes >= maxCrashes {
		if t.overheard.Load() {
			return t.keepSilent(ctx, memory.Ledger{})
		}
		return t.giveUp(ctx)
	}
	limit, cancel := context.WithTimeout(ctx, b.TurnTimeout+b.ScanWait)
	defer cancel()
	c, err := t.answer(limit)
	switch {
	case err == nil:
	case context.Cause(ctx) == errInterrupted, errors.Is(err, memory.ErrInterrupted):
		return t.interrupted(ctx, "", nil)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(limit.Err(), context.DeadlineExceeded) && t.stayQuiet(&agent.Reply{Err: context.DeadlineExceeded}):
	case errors.Is(limit.Err(), context.DeadlineExceeded):
		c = t.failure(fmt.Errorf("bot: turn: %w", context.DeadlineExceeded))
	default:
		return err
	}
	if t.silence != nil {
		return t.keepSilent(ctx, *t.silence)
	}
	if t.view != nil {
		if err := t.view.open(ctx); errors.Is(err, memory.ErrInterrupted) {
			return t.interrupted(ctx, "", nil)
		} else if err != nil {
			return err
		}
	}
	if err := t.pack(ctx, c); err != nil {
		return err
	}
	if t.view != nil {
		t.outbox.Ref = t.view.ref(t.outbox.Ref)
	}
	err = b.Store.Queue.OutboxMakeReady(ctx, t.lease, t.outbox, t.rowIDs()...)
	if errors.Is(err, memory.ErrInterrupted) || context.Cause(ctx) == errInterrupted {
		return t.interrupted(ctx, "", nil)
	}
	if err != nil {
		return err
	}
	return t.finish(ctx, t.resumed)
}

func (t *turn) load(ctx context.Context) error {
	b, last := t.bot, t.rows[len(t.rows)-1]
	var err error
	if t.session, err = b.Store.Session(ctx, t.lease.SessionID); err != nil {
		return fmt.Errorf("bot: load session: %w", err)
	}
	t.log = t.log.With("platform", t.session.Platform, "turn", last.ID)
	t.platform = b.byName(t.session.Platform)
	t.whom = &addressee{store: b.Store, replies: t.platform.Limits().Replies, log: t.log}
	if t.request, err = decodeRequest(last); err != nil {
		return err
	}
	if t.request.Kind == platform.EventEdit { // which does not say what thread the answer opened
		t.request.Reply.Key = t.session.Key
	}
	if t.model, err = b.modelOf(ctx, t.session.Key); err != nil {
		return err
	}
	if err := t.reload(ctx); err != nil {
		return err
	}
	if len(t.messages) > 0 {
		asked := t.messages[len(t.messages)-1]
		t.whom.since, t.whom.person = asked.ID, asked.PersonID
		if t.person, err = b.Store.Person(ctx, asked.PersonID); err != nil {
			return fmt.Errorf("bot: load person: %w", err)
		}
	}
	return nil
}

// reload reads the messages of the turn's rows that were not erased, and determines their
// language.
func (t *turn) reload(ctx context.Context) error {
	rows, err := t.bot.Store.Queue.InboxRows(ctx, t.rowIDs())
	if err != nil {
		return wrap("load rows", err)
	}
	t.messages, t.mentions = nil, nil
	for _, row := range rows {
		m, err := t.bot.Store.Message(ctx, row.MessageID)
		if err != nil {
			return fmt.Errorf("bot: load message %d: %w", row.MessageID, err)
		}
		if m.ErasedAt == 0 {
			t.messages = append(t.messages, m)
		}
	}
	var person int64
	t.say = nil
	if len(t.messages) > 0 {
		last := t.messages[len(t.messages)-1]
		person, t.say = last.PersonID, say.Spoken(last.Text)
	}
	if t.say == nil {
		t.say = t.bot.wordsIn(ctx, t.session.ID, person, t.request.Author.Locale)
	}
	return nil
}

func (t *turn) answer(ctx context.Context) (outboxPayload, error) {
	if len(t.messages) == 0 {
		return outboxPayload{}, fmt.Errorf("bot: %w: every message of the turn is erased", memory.ErrInterrupted)
	}
	t.show(ctx)
	if err := t.lookUpAuthors(ctx); err != nil {
		return outboxPayload{}, err
	}
	if err := t.backfill(ctx); err != nil {
		return outboxPayload{}, err
	}
	if err := t.resolveBareMention(ctx); err != nil {
		return outboxPayload{}, err
	}
	if t.overheard.Load() && t.wordless() { // a file, which is read when somebody asks
		t.silence = new(memory.Ledger)
		return outboxPayload{}, nil
	}
	read, err := t.attachments(ctx)
	if err != nil {
		return outboxPayload{}, err
	}
	if err := t.held(ctx, memory.Shown{Sessions: []int64{t.session.ID}}); err != nil {
		return outboxPayload{}, err
	}
	if bare, err := t.isBareMention(ctx); err != nil {
		return outboxPayload{}, err
	} else if bare && len(read.documents)+len(read.failed) == 0 {
		text, err := t.greeting(ctx)
		if err != nil {
			return outboxPayload{}, err
		}
		t.view.emit(agent.Progress{Text: text})
		return t.payloadOf(&agent.Reply{Text: text, Ledger: memory.Ledger{Route: "greeting"}}), nil
	}
	if read.sentence != "" {
		t.view.emit(agent.Progress{Text: read.sentence})
		if t.wordless() && !slices.ContainsFunc(read.documents, func(d *memory.Document) bool { return d.State == memory.DocumentReady }) {
			p := t.payloadOf(&agent.Reply{Text: read.sentence, Ledger: memory.Ledger{Route: "files"}})
			p.Out.Error = platform.ErrorUnreadable
			return p, nil
		}
		t.view.emit(agent.Progress{Text: "\n\n"})
	}
	in, err := t.input(ctx, read)
	if err != nil {
		return outboxPayload{}, err
	}
	if in.Choice == hearing.ChoiceElse { // the question stays open for the next message
		return t.payloadOf(&agent.Reply{Text: t.say.TypeIt, Ledger: memory.Ledger{Route: "question"}}), nil
	}
	waiting := model.WithWaiting(ctx, func(why *model.Error, wait time.Duration) {
		t.view.emit(agent.Progress{Status: say.Waiting(t.say, why, wait)})
	})
	out, err := chains.Call(waiting, t.bot.Chain, map[string]any{
		agent.InputTurn: in, agent.InputEmit: func(p agent.Progress) { t.view.emit(p) }})
	if err != nil {
		if ctx.Err() != nil || errors.Is(err, memory.ErrInterrupted) {
			return outboxPayload{}, err
		}
		t.log.Error("chain failed", "error", err)
		if t.stayQuiet(&agent.Reply{Err: err}) {
			return outboxPayload{}, nil
		}
		return t.failure(err), nil
	}
	reply, ok := out[agent.OutputReply].(*agent.Reply)
	if !ok {
		return outboxPayload{}, fmt.Errorf("bot: the chain returned %T", out[agent.OutputReply])
	}
	if ctx.Err() != nil && reply.Text == "" {
		return outboxPayload{}, ctx.Err()
	}
	if t.stayQuiet(reply) {
		return outboxPayload{}, nil
	}
	t.carried = reply.Carried
	if read.sentence != "" {
		reply.Text, reply.Ledger.Answers = read.sentence+"\n\n"+reply.Text, ""
	}
	p := t.payloadOf(reply)
	if read.sentence != "" && p.Out.Error == "" {
		p.Out.Error = platform.ErrorUnreadable
	}
	err = t.offerSilence(ctx, &p)
	return p, err
}

// held records what the turn's prompts contain: the turn begins again as soon as any of it is erased. The error is
// ErrInterrupted if the turn is to end: what it has read may no longer be shown, and it may not have been nudged yet.
func (t *turn) held(ctx context.Context, s memory.Shown) error {
	if len(s.Messages)+len(s.Sessions)+len(s.Documents) > 0 {
		if err := t.bot.Store.Queue.NoteShown(ctx, t.outbox.Nonce, s); err != nil {
			return err
		}
	}
	why, err := t.bot.Store.Queue.Interruption(ctx, t.rowIDs())
	if err == nil && why != "" {
		err = memory.ErrInterrupted
	}
	return err
}

func (t *turn) input(ctx context.Context, read attached) (agent.Turn, error) {
	b := t.bot
	in := agent.Turn{Session: t.session, Person: t.person, Messages: t.messages, Choice: agent.ChoiceNone, New: read.documents, Unseen: read.unseen, Held: t.held, Chat: t.platform.Limits().Clicks, Once: t.platform.Limits().Once, Refused: read.sentence != "", Overheard: t.overheard.Load()}
	if p, ok := t.platform.(platform.Permalinker); ok {
		in.Link = p.Permalink
	}
	in.ReadBack = t.readBack
	zone := time.UTC
	if z, err := time.LoadLocation(t.person.TimeZone); err == nil {
		zone = z
	}
	in.Now = time.UnixMilli(b.Store.Now()).In(zone)
	in.Model = t.model
	var err error
	if in.Audience, err = b.audience(ctx, t.session.ID, t.person.ID); err != nil {
		return in, err
	}
	if !in.Overheard { // people we asked are not overheard when they answer
		if in.Question, in.Choice, err = t.question(ctx); err != nil {
			return in, err
		}
	}
	if in.Instructions, err = b.Store.Setting(ctx, memory.ChannelScope(t.session.Key), InstructionsSetting); err != nil {
		return in, wrap("read setting", err)
	}
	if in.Use, err = b.used(ctx, t.session.ID); err != nil {
		return in, err
	}
	return in, nil
}

// show starts showing the turn. Text grows on the platform only in the first
// attempt: a post of an earlier attempt is changed once, into its final form.
func (t *turn) show(ctx context.Context) {
	to := t.request.Reply
	to.Language = t.say.Code
	t.view = &turnView{platform: t.platform, to: to, nonce: t.outbox.Nonce, log: t.log,
		text: !t.resumed && t.platform.Limits().Streams, whom: t.whom,
		named: func(ref platform.Ref) { t.bot.saveRef(ctx, t.outbox.ID, ref) }}
	if t.overheard.Load() {
		t.view.hold = t.takeUp
	}
	t.view.start(ctx)
}

func (t *turn) close() {
	if t.view != nil {
		t.view.end()
		t.view = nil
	}
}

// finish delivers the answer that the outbox row holds and records it.
func (t *turn) finish(ctx context.Context, resumed bool) error {
	b := t.bot
	c, err := decodePayload(t.outbox)
	if err != nil {
		return err
	}
	limit, cancel := context.WithTimeout(ctx, b.TurnTimeout)
	defer cancel()
	ref, err := t.deliver(limit, c, resumed)
	// A delivered answer is recorded, even if somebody ends the turn now.
	settle, done := context.WithTimeout(context.WithoutCancel(ctx), recordTime)
	defer done()
	if err != nil {
		if context.Cause(ctx) == errInterrupted {
			return t.deliverAnyway(ctx)
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		pause := deliveryPause(t.outbox.Attempts+1, err)
		if pause > 0 {
			return errors.Join(&retryLater{pause, err}, b.Store.Queue.OutboxDeferAnswer(settle, t.outbox.ID, b.Store.Now()+pause.Milliseconds(), err.Error()))
		}
		t.log.Error("answer given up", "error", err)
		b.noteCannotPost(settle, t.session.ID, c, err)
		c.Record.giveUp()
	}
	a := c.answer(t.outbox.ID, t.session, ref)
	if p, ok := t.platform.(platform.Poster); ok && ref != "" {
		a.Posts = p.Messages(ref)
	}
	if a.Follow, err = c.follow(t.outbox); err != nil {
		return err
	}
	if _, err := b.Store.Queue.FinishTurn(settle, t.lease, a); errors.Is(err, memory.ErrInterrupted) {
		t.outbox.Ref = string(ref)
		return t.interrupted(ctx, "", nil)
	} else if err != nil {
		return err
	}
	t.recorded = true
	if a.Follow != nil {
		b.posts.ring()
	}
	b.warnOfBudgets(settle, t)
	b.tellCarried(settle, t)
	l := a.Ledger
	t.log.Info("answered", "route", l.Route, "model_calls", l.ModelCalls, "prompt_tokens", l.PromptTokens,
		"completion_tokens", l.CompletionTokens, "verified", l.Verified, "unchecked", l.Unchecked, "left_out", l.LeftOut, "millis", l.Millis)
	return nil
}

// deliverAnyway delivers an answer that was complete when the turn was told to end,
// unless its message was erased, or it may no longer be shown.
func (t *turn) deliverAnyway(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	t.resumed = true
	why, err := t.bot.Store.Queue.Interruption(ctx, t.rowIDs())
	if err != nil || why == memory.StopErased || why == memory.StopAudience {
		return t.interrupted(ctx, why, err)
	}
	return t.finish(ctx, true)
}

// deliver closes the stream of this attempt, or else edits the post into its final
// form.
func (t *turn) deliver(ctx context.Context, c outboxPayload, resumed bool) (platform.Ref, error) {
	if t.view == nil {
		return t.bot.deliver(ctx, t.platform, t.outbox, c, resumed)
	}
	stream, whole := t.view.end()
	t.view = nil
	if whole {
		c.Out.Nonce, c.Out.Withdraw = t.outbox.Nonce, t.bot.withdraws(t.session.ID)
		ref, err := stream.Close(ctx, c.Out)
		if err == nil {
			return ref, nil
		}
		t.log.Warn("stream cut short", "error", err)
		if ref := stream.Ref(); ref != "" {
			t.outbox.Ref = string(ref)
		}
	}
	return t.bot.deliver(ctx, t.platform, t.outbox, c, resumed || stream != nil)
}
