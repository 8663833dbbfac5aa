package bot

import (
	"context"
	"time"

	"threadkeeper/memory"
)

const (
	seenFor      = 24 * time.Hour
	seenSessions = 200
	seenMessages = 50
)

// last is what was stored of a platform's conversations lately.
func (b *Bot) last(ctx context.Context, p Platform) ([]Seen, error) {
	since := b.Store.Now() - seenFor.Milliseconds()
	said, err := b.Store.LastSaid(ctx, p.Name(), since, seenSessions, seenMessages)
	if err != nil {
		return nil, wrap("look up what was said last", err)
	}
	seen := make([]Seen, len(said))
	for i, s := range said {
		seen[i] = Seen{Key: s.Key, Messages: s.Messages, Posts: s.Posts}
	}
	return seen, nil
}

// closed erases what was said in a thread or a channel that is there no more.
func (b *Bot) closed(ctx context.Context, key memory.Key) error {
	sessions, err := b.Store.EraseAll(ctx, key)
	if err != nil {
		return wrap("erase a conversation", err)
	}
	for _, id := range sessions {
		b.running.nudge(id)
	}
	b.erasures.ring()
	b.turns.ring()
	b.posts.ring()
	b.compactions.ring()
	return nil
}
