package memory

import (
	"context"
	"fmt"
	"slices"
)

// A channel is stale from when a backup was put in place until its platform was asked for what
// the backup knows of it: messages deleted or edited since are in it unchanged. Until then
// nobody sees its messages, and requests in it wait.

// freshChannel is an SQL condition on rows that have a channel_id.
const freshChannel = "channel_id NOT IN (SELECT id FROM channels WHERE stale = TRUE)"

// freshSession is one on rows that have a session_id.
const freshSession = "session_id NOT IN (SELECT s.id FROM sessions AS s JOIN channels AS c ON c.id = s.channel_id WHERE c.stale = TRUE)"

// A channel is unheard from when we come back to it until the same was done: messages edited or deleted while we were
// out are stored unchanged. Until then it serves itself only.

// StaleChannel is a channel to compare with its platform. The key has no thread. Epoch is the channel's.
type StaleChannel struct {
	Key   `bun:",extend"`
	Epoch int64
}

// Stale returns the channels of a platform that are stale, or unheard and not unchecked: those where somebody waits first,
// then by the time of the last message.
func (s *Store) Stale(ctx context.Context, platform string) (channels []StaleChannel, err error) {
	err = s.reader.NewRaw(`SELECT c.platform, c.workspace, c.channel, c.epoch FROM channels AS c LEFT JOIN sessions AS s ON s.channel_id = c.id
		WHERE (c.stale OR c.unheard AND NOT c.unchecked) AND c.platform = ? GROUP BY c.id ORDER BY COALESCE(MAX(s.pending), 0) > 0 DESC, MAX(s.updated_at) DESC, c.id`,
		platform).Scan(ctx, &channels)
	return channels, wrap("stale channels", err)
}

// Conversations returns the conversations of a channel in which something is stored, with all messages of people and of
// ours that were not erased, newest first.
func (s *Store) Conversations(ctx context.Context, channel Key) ([]Conversation, error) {
	var sessions []*Session
	err := s.reader.NewSelect().Model(&sessions).
		Where("platform = ? AND workspace = ? AND channel = ?", channel.Platform, channel.Workspace, channel.Channel).
		OrderExpr("updated_at DESC, id DESC").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("memory: look up conversations: %w", err)
	}
	all, err := s.conversations(ctx, sessions, -1)
	return slices.DeleteFunc(all, func(c Conversation) bool { return len(c.Messages)+len(c.Posts) == 0 }), err
}

// SetFresh records that the platform was asked about everything stored from a channel. Messages it did not find are suspected
// to be gone; until that is certain the channel serves itself only. A channel that was doubted since Stale returned it (its
// Epoch has changed) stays unheard: we may have been out of it again.
func (s *Store) SetFresh(ctx context.Context, channel StaleChannel) error {
	return wrap("note a checked channel", s.exec(ctx, "UPDATE channels SET stale = FALSE, unheard = unheard AND epoch <> ? WHERE platform = ? AND workspace = ? AND channel = ?",
		channel.Epoch, channel.Platform, channel.Workspace, channel.Channel))
}
