package bot

import (
	"context"
	"time"

	"threadkeeper/agent"
	"threadkeeper/memory"
)

const (
	backfillLimit = 1000             // messages of a thread that began before us
	backfillTime  = 20 * time.Second // that one turn waits for them
)

// backfill stores what was said before we were first mentioned in a thread. It
// is tried with each turn until it has succeeded; the turn goes on with what could be had.
func (t *turn) backfill(ctx context.Context) error {
	missed := t.session.BackfilledAt == memory.BackfillMissed
	if !missed {
		if !t.request.Joined || t.session.BackfilledAt > 0 {
			return nil
		}
		// A thread on a message that was said to us began with us.
		if began, err := t.bot.Store.SessionHasMessage(ctx, t.session.ID, t.session.Thread); err != nil || began {
			return wrap("look for the thread's first message", err)
		}
	}
	t.live.emit(agent.Progress{Status: t.say.ReadingThread})
	fetch, cancel := context.WithTimeout(ctx, backfillTime)
	defer cancel()
	events, err := t.platform.History(fetch, t.session.Key, "", backfillLimit)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		t.log.Warn("read what was said before", "messages", len(events), "error", err)
	}
	var past []memory.Incoming
	for _, ev := range events {
		tidy(&ev, t.bot.Store.Now())
		in := incoming(ev)
		in.Message = &memory.Message{PlatformID: ev.Message, Role: memory.User, Author: ev.Author.Name, Text: ev.Text, At: ev.At}
		if ev.Ours && (missed || ev.At >= t.messages[0].At) {
			continue // said since we are here, and stored with the answer it was
		}
		if ev.Ours {
			in.Person, in.Message.Role, in.Message.Author = memory.Person{}, memory.Assistant, ""
		}
		in.Files = ev.Files
		past = append(past, in)
	}
	n, failed := t.bot.Store.Backfill(ctx, t.session, past)
	if failed == nil && err != nil {
		failed = t.bot.Store.MarkBackfillMissed(ctx, t.session)
	}
	if failed != nil {
		return failed
	}
	t.log.Info("joined a thread", "messages", n)
	return t.reload(ctx) // the messages have moved behind the older ones
}
