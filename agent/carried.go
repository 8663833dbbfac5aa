package agent

import (
	"context"
	"fmt"
	"time"

	"threadkeeper/memory"
)

// Tokens for lines from other conversations: the unused part of the snapshot's share, within these limits.
const (
	leastCarried = 100
	mostCarried  = 400
)

// carriedRoom is how many tokens of that a prompt shows.
func (r *run) carriedRoom(ctx context.Context) (int, error) {
	left, err := r.Store.SummaryRoom(ctx, r.turn.Session.ID)
	if r.history.Snapshot != nil {
		left -= r.history.Snapshot.Tokens
	}
	return min(max(left, leastCarried), mostCarried, r.promptLimit()/16), err
}

// carry finds what the asker has said about themselves elsewhere, and the channel's memory, as far as there is room.
func (r *run) carry(ctx context.Context) error {
	found, err := r.Store.Carried(ctx, r.turn.Audience)
	if err != nil {
		return fmt.Errorf("load what was said elsewhere: %w", err)
	}
	room, err := r.carriedRoom(ctx)
	if err != nil {
		return fmt.Errorf("load the policy: %w", err)
	}
	for _, k := range found {
		if cost := memory.Count(r.carriedLine(k)) + 2; cost <= room {
			r.carried, room = append(r.carried, k), room-cost
		}
	}
	return nil
}

// carriedLine is a fact of another conversation, with its day. The name of its channel stays out: anybody may give a channel
// a name, and the asker's own words are trusted.
func (r *run) carriedLine(k memory.Carried) string {
	return "- " + oneLine(k.Text) + " (" + time.UnixMilli(k.AssertedAt).In(r.turn.zone()).Format("2 Jan 2006") + ")"
}

func (r *run) carriedLines() []string {
	lines := make([]string, len(r.carried))
	for i, k := range r.carried {
		lines[i] = r.carriedLine(k)
	}
	return lines
}

// ofAsker reports whether in a carried line the asker speaks about themselves.
func (r *run) ofAsker(k memory.Carried) bool {
	return k.PersonID == r.asker() && k.Kind != memory.Decision && !k.ForChannel
}
