package bot

import (
	"context"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

const (
	seenFor      = 24 * time.Hour
	seenSessions = 200
)

// lastSeen returns the recently stored conversations of a platform.
func (b *Bot) lastSeen(ctx context.Context, p platform.Platform) ([]platform.Seen, error) {
	said, err := b.Store.RecentConversations(ctx, memory.RecentQuery{Platform: p.Name(), Within: seenFor, Sessions: seenSessions, Messages: platform.SeenMessages})
	if err != nil {
		return nil, wrap("look up what was said last", err)
	}
	return seenIn(said), nil
}

func seenIn(said []memory.Conversation) []platform.Seen {
	seen := make([]platform.Seen, len(said))
	for i, s := range said {
		seen[i] = platform.Seen{Key: s.Key, Messages: s.Messages, Posts: s.Posts}
	}
	return seen
}

// stored returns everything stored from a channel.
func (b *Bot) stored(ctx context.Context, channel memory.Key) ([]platform.Seen, error) {
	said, err := b.Store.Conversations(ctx, channel)
	if err != nil {
		return nil, wrap("look up what is stored of a channel", err)
	}
	return seenIn(said), nil
}

// setFresh opens a channel restored from a backup: its waiting work is done.
func (b *Bot) setFresh(ctx context.Context, channel memory.StaleChannel) error {
	if err := b.Store.SetFresh(ctx, channel); err != nil {
		return wrap("note a checked channel", err)
	}
	b.turns.ring()
	b.commands.ring()
	b.compactions.ring()
	return nil
}

// missedSince returns since when events may have been missed, and not read yet, in a part of a
// platform.
func (b *Bot) missedSince(ctx context.Context, p platform.Platform, part string) (time.Time, error) {
	at, err := b.Store.Cursor(ctx, p.Name(), part)
	if err != nil || at == 0 {
		return time.Time{}, wrap("look up what was missed", err)
	}
	return time.UnixMilli(at), nil
}

// setMissedSince stores since when events may have been missed.
func (b *Bot) setMissedSince(ctx context.Context, p platform.Platform, part string, since time.Time) error {
	at := int64(0)
	if !since.IsZero() {
		at = since.UnixMilli()
	}
	return wrap("keep what was missed", b.Store.SetCursor(ctx, p.Name(), part, at))
}
