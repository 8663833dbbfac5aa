package bot

import (
	"context"
	"time"

	"threadkeeper/memory"
)

const (
	backfillLimit = 200              // messages of a thread that began before us
	backfillTime  = 20 * time.Second // to fetch them
)

// backfill stores what was said before we were first mentioned in a thread. It
// is tried with each turn until it has succeeded; the turn goes on without it.
func (t *turn) backfill(ctx context.Context) error {
	if !t.request.Joined || t.session.BackfilledAt > 0 {
		return nil
	}
	fetch, cancel := context.WithTimeout(ctx, backfillTime)
	defer cancel()
	events, err := t.platform.History(fetch, t.session.Key, "", backfillLimit)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		t.log.Warn("read what was said before", "error", err)
		return nil
	}
	var past []memory.Incoming
	for _, ev := range events {
		in := incoming(ev)
		in.Message = &memory.Message{PlatformID: ev.Message, Role: memory.User, Author: ev.Author.Name, Text: ev.Text, At: ev.At}
		if ev.Ours {
			in.Person, in.Message.Role, in.Message.Author = memory.Person{}, memory.Assistant, ""
		}
		in.Files = ev.Files
		past = append(past, in)
	}
	n, err := t.bot.Store.Backfill(ctx, t.session, past)
	if err != nil {
		return err
	}
	t.log.Info("joined a thread", "messages", n)
	return t.reload(ctx) // the messages have moved behind the older ones
}
