package bot

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"threadkeeper/agent"
	"threadkeeper/agent/model"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// unjudged are the routes of replies that answer nothing: people are not asked whether they
// helped.
var unjudged = []string{"greeting", "social", "question", "files", "card"}

func (t *turn) payloadOf(r *agent.Reply) outboxPayload {
	if strings.TrimSpace(r.Text) == "" && r.Err == nil && r.Question == nil {
		r.Err = &model.Error{Kind: model.Garbage}
	}
	last := t.messages[len(t.messages)-1]
	c := t.newPayload(memory.InteractionClosed, memory.InboxDone)
	c.Out.Text, c.Out.Ledger = r.Text, &r.Ledger
	if r.Understanding.Method != "" {
		c.Out.Understanding = &r.Understanding
	}
	if r.Err != nil {
		a := say.Explain(t.say, r.Err)
		c.Out.Error = a.Code
		if r.Text == "" {
			c.Out.Kind = platform.KindError
		} else {
			c.Out.Text = strings.TrimRight(c.Out.Text, "\n") + "\n\n"
		}
		c.Out.Text += a.Text
		t.log.Warn("the model failed", "code", a.Code, "error", r.Err)
	}
	if r.Unread {
		c.Out.Error = cmp.Or(c.Out.Error, platform.ErrorPartlyRead)
	}
	if r.Partial || r.Err != nil {
		c.Record.State = memory.InteractionFailed
		c.Out.Buttons = append(c.Out.Buttons, retryButton(t.say, t.outbox.Nonce))
	}
	for _, x := range r.Citations {
		c.Out.Citations = append(c.Out.Citations, x)
		c.Record.Cited = append(c.Record.Cited, citedDocument{x.DocumentID})
	}
	if !r.Partial {
		c.Record.Rests = &r.Rests
	}
	if r.Question != nil {
		t.ask(&c, r.Question, last)
	} else {
		c.Out.Feedback = c.Out.Kind == platform.KindReply && r.Err == nil && !r.Partial && !slices.Contains(unjudged, r.Ledger.Route)
	}
	c.Record.Text, c.Record.Whole = c.Out.Text, r.Whole
	return c
}

// ask makes the payload a clarifying question: its request stays open.
func (t *turn) ask(c *outboxPayload, q *memory.Question, last *memory.Message) {
	question := *q
	if question.Token == "" {
		question.Token = rand.Text()[:16]
	}
	question.InteractionID, question.MessageID, question.PersonID = last.InteractionID, last.ID, last.PersonID
	c.Record.Question = &question
	c.Record.Interactions = c.Record.Interactions[:len(c.Record.Interactions)-1]
	c.Out.Question = shownQuestion(&question, t.say)
	if c.Out.Text == "" {
		c.Out.Text = question.Text
	}
}

func (t *turn) newPayload(state memory.InteractionState, settle memory.InboxState) outboxPayload {
	r := &finishRecord{Rows: t.rowIDs(), State: state, Settle: settle}
	for _, m := range slices.Concat(t.mentions, t.messages) {
		if n := len(r.Interactions); n == 0 || r.Interactions[n-1] != m.InteractionID {
			r.Interactions = append(r.Interactions, m.InteractionID)
		}
		r.Interaction, r.ReplyTo = m.InteractionID, m.ID
	}
	return outboxPayload{To: t.request.Reply, Out: platform.Outgoing{Kind: platform.KindReply, Language: t.say.Code}, Record: r}
}

func (t *turn) pack(ctx context.Context, c outboxPayload) (err error) {
	c.Out.Text = t.whom.begin(ctx, &c.To, c.Out.Text)
	t.outbox.Payload, err = c.encode()
	return err
}

// takeUp turns overheard messages into a request, before any of its answer is visible.
func (t *turn) takeUp(ctx context.Context) error {
	err := t.bot.Store.Queue.AnswerOverheard(ctx, t.lease, t.outbox.ID, t.rowIDs())
	if err == nil {
		t.overheard.Store(false)
	}
	return err
}

// stayQuiet reports whether the turn ends in silence: it was overheard and is not for us, or
// produced nothing.
func (t *turn) stayQuiet(r *agent.Reply) bool {
	nothing := r.Silent || r.Err != nil || strings.TrimSpace(r.Text) == "" && r.Question == nil
	if !t.overheard.Load() || !nothing || t.view != nil && !t.view.stayShut() {
		return false
	}
	if r.Err != nil {
		t.log.Warn("the model failed; nothing was posted", "error", r.Err)
	}
	t.silence = &r.Ledger
	return true
}

// keepSilent ends a turn that is not for us and that nobody has seen.
func (t *turn) keepSilent(ctx context.Context, l memory.Ledger) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), recordTime)
	defer cancel()
	s := memory.Silence{Outbox: t.outbox.ID, Inbox: t.rowIDs(), Ledger: l}
	s.Message = t.rows[len(t.rows)-1].MessageID
	s.Ledger.Route = "silent"
	err := t.bot.Store.Queue.FinishInSilence(ctx, t.lease, s)
	if errors.Is(err, memory.ErrInterrupted) {
		return t.interrupted(ctx, "", nil)
	}
	if err != nil {
		return err
	}
	t.recorded = true
	t.log.Info("silent", "model_calls", l.ModelCalls, "prompt_tokens", l.PromptTokens, "completion_tokens", l.CompletionTokens, "millis", l.Millis)
	return nil
}

// failure makes the payload of a turn that ends with an error, after the text released
// until then.
func (t *turn) failure(err error) outboxPayload {
	r := &agent.Reply{Err: err, Partial: true, Ledger: memory.Ledger{Route: "failed"}}
	if t.view != nil {
		r.Text = t.view.said()
	}
	return t.payloadOf(r)
}

func (t *turn) giveUp(ctx context.Context) error {
	t.log.Error("turn given up", "attempts", t.attempts()-1)
	c := t.newPayload(memory.InteractionFailed, memory.InboxDead)
	a := say.Explain(t.say, say.ErrGivenUp)
	c.Out.Kind, c.Out.Text, c.Out.Error = platform.KindError, a.Text, a.Code
	c.Out.Buttons = []platform.Button{retryButton(t.say, t.outbox.Nonce)}
	c.Record.Text = a.Text
	return t.storeAndFinish(ctx, c)
}

// storeAndFinish stores and delivers the turn's last post, even if somebody ends the turn meanwhile.
func (t *turn) storeAndFinish(ctx context.Context, c outboxPayload) error {
	if err := t.pack(ctx, c); err != nil {
		return err
	}
	if err := t.bot.Store.Queue.OutboxMakeReady(ctx, t.lease, t.outbox); err != nil {
		return err
	}
	return t.finish(ctx, t.resumed)
}

// stopTime limits the delivery of a stopped turn's last post.
const stopTime = 30 * time.Second

// interrupted ends a turn as the store asks: restarted with the new text,
// dropped, or left with the text shown so far.
func (t *turn) interrupted(ctx context.Context, why memory.Stop, err error) error {
	if err != nil {
		return fmt.Errorf("bot: look for an interruption: %w", err)
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	if why == "" {
		if why, err = t.bot.Store.Queue.Interruption(ctx, t.rowIDs()); err != nil {
			return fmt.Errorf("bot: look for an interruption: %w", err)
		}
	}
	t.log.Info("turn interrupted", "why", string(why))
	var stream platform.Stream
	said := ""
	if t.view != nil {
		said = t.view.said()
		stream, _ = t.view.end()
		t.outbox.Ref = t.view.ref(t.outbox.Ref)
		t.view = nil
	}
	begun := t.resumed || stream != nil || t.outbox.Ref != ""
	t.resumed = begun
	if why != memory.StopAsked && why != memory.StopErased {
		if t.outbox.Ref != "" { // the next turn changes the visible post
			if why == memory.StopAudience {
				t.hide(ctx)
			}
			t.bot.saveRef(ctx, t.outbox.ID, platform.Ref(t.outbox.Ref))
		}
		if err := t.bot.Store.Queue.UnclaimTurn(ctx, t.lease, t.rowIDs()); err != nil {
			return err
		}
		return nil
	}
	if why == memory.StopErased || t.overheard.Load() {
		if begun, err = t.posted(ctx, begun); err != nil {
			return &retryLater{backoff(t.attempts()), err}
		}
		if !begun {
			return t.bot.Store.Queue.AbandonTurn(ctx, t.lease, t.outbox.ID, t.rowIDs(), why)
		}
	}
	c := t.newPayload(memory.InteractionCancelled, memory.InboxCancelled)
	c.Out.Text = t.say.Stopped
	if why == memory.StopErased {
		c.Out.Text = t.say.Erased
		return t.storeAndFinish(ctx, c)
	}
	if said != "" {
		c.Out.Text = said + "\n\n" + c.Out.Text
	}
	c.Record.Text = c.Out.Text
	return t.storeAndFinish(ctx, c)
}

// hide removes at once what the turn has shown. If that fails the next turn does it.
func (t *turn) hide(ctx context.Context) {
	out := platform.Outgoing{Nonce: t.outbox.Nonce, Kind: platform.KindNotice, Text: t.say.StartingAgain, Language: t.say.Code, Withdraw: t.bot.withdraws(t.session.ID)}
	ref, err := t.platform.Edit(ctx, platform.Ref(t.outbox.Ref), out)
	if err != nil {
		t.log.Warn("could not remove text that may no longer be shown", "error", err)
		return
	}
	t.outbox.Ref = string(ref)
}

// posted reports whether the turn's post is visible; begun says that it may be.
func (t *turn) posted(ctx context.Context, begun bool) (bool, error) {
	if t.outbox.Ref != "" || !begun {
		return begun, nil
	}
	ref, found, err := t.platform.Find(ctx, t.request.Reply, t.outbox.Nonce)
	if err != nil {
		return false, wrap("look for post", err)
	}
	t.outbox.Ref = string(ref)
	return found, nil
}
