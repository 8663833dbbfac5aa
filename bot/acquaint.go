package bot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

const (
	introduceTime = 20 * time.Second // to ask who somebody is
	maxUnknown    = 4                // attempts of a turn until it goes on without
)

// acquaint asks who wrote the turn's messages, where that was not told when they came:
// until then they count as guests, whose files are not read.
func (t *turn) acquaint(ctx context.Context) error {
	p, ok := t.platform.(platform.Introducer)
	if !ok {
		return nil
	}
	asked := make(map[string]bool)
	for _, row := range t.rows {
		r, err := decodeRequest(row)
		if err != nil {
			return err
		}
		if id := r.Author.ID; r.Author.Kind == memory.Unknown && !asked[id] {
			asked[id] = true
			if err := t.introduce(ctx, p, id); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *turn) introduce(ctx context.Context, p platform.Introducer, id string) error {
	limit, cancel := context.WithTimeout(ctx, introduceTime)
	defer cancel()
	who, err := p.Person(limit, t.session.Key, id)
	var later *platform.RetryError
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &later) && t.attempts() < maxUnknown:
		return &retryLater{min(later.After, introduceTime), fmt.Errorf("bot: ask who somebody is: %w", err)}
	default:
		t.log.Warn("somebody counts as a guest, who they are is not told", "error", err)
		return nil
	}
	_, known, err := t.bot.Store.Locate(ctx, t.session.Key, memory.Channel{}, person(who))
	if err != nil {
		return err
	}
	if t.person != nil && t.person.ID == known.ID {
		t.person = known
	}
	return nil
}
