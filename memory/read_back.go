package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/uptrace/bun"
)

// readThread is the stored thread for messages read at the top of a channel because somebody asked for a digest. Its session takes
// no replies.
const readThread = pastThread + "read"

// readReplies begins that of a session for the replies of one thread that were read there.
const readReplies = readThread + "/"

// readBatch is how many messages one transaction stores: the writer must not be held long.
const readBatch = 100

// KeepRead stores messages that were read at the top of a channel, or in a thread that is not ours, with Person and Message of each, and returns how many
// are new. Those that the channel holds already stay as they are, and those deleted meanwhile stay deleted.
func (s *Store) KeepRead(ctx context.Context, channel Key, read []Incoming) (n int, err error) {
	if channel.Thread == "" {
		channel.Thread = readThread
	} else {
		channel.Thread = readReplies + channel.Thread
	}
	for batch := range slices.Chunk(read, readBatch) {
		fresh := 0
		err := s.write(ctx, func(ctx context.Context, tx bun.Tx) error {
			fresh = 0
			for _, in := range batch {
				held, err := s.byPlatformID(ctx, tx, channel, in.Message.PlatformID)
				if err != nil || len(held) > 0 {
					if err != nil {
						return err
					}
					continue
				}
				at, err := s.locate(ctx, tx, channel, Channel{}, in.Person)
				if err != nil {
					return err
				}
				m := *in.Message
				m.SessionID, m.ChannelID = at.session.ID, at.session.ChannelID
				if at.person != nil {
					m.PersonID = at.person.ID
				}
				if _, err := s.append(ctx, tx, &m, false); err != nil {
					return err
				}
				fresh++
			}
			return exec(ctx, tx, "UPDATE sessions SET updated_at = ? WHERE platform = ? AND workspace = ? AND channel = ? AND thread = ?",
				s.Now(), channel.Platform, channel.Workspace, channel.Channel, channel.Thread)
		})
		if err != nil {
			return n, fmt.Errorf("memory: keep what was read: %w", err)
		}
		n += fresh
	}
	return n, nil
}

// OnlyRead reports whether a message of a channel is stored because it was read there, and in no conversation of ours.
func (s *Store) OnlyRead(ctx context.Context, key Key, platformID string) (bool, error) {
	held, err := s.byPlatformID(ctx, s.reader, key, platformID)
	if err != nil || len(held) == 0 {
		return false, err
	}
	session := new(Session)
	read, err := s.reader.NewSelect().Model(session).Where("thread LIKE ?", readThread+"%").
		Where("id IN (?)", bun.List(sessionsOf(held))).Count(ctx)
	return int(read) == len(held), err
}

func sessionsOf(messages []*Message) (ids []int64) {
	for _, m := range messages {
		ids = append(ids, m.SessionID)
	}
	return ids
}
