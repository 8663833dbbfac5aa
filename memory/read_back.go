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
		err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
			fresh = 0
			for _, in := range batch {
				held, err := s.byPlatformID(ctx, tx, channel, in.Message.PlatformID)
				if err != nil {
					return err
				}
				if len(held) > 0 {
					continue
				}
				at, err := s.locate(ctx, tx, channel, Channel{}, in.Person)
				if err != nil {
					return err
				}
				m := *in.Message
				at.place(&m)
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
	said, err := s.reader.NewSelect().Model((*Message)(nil)).Join("JOIN sessions AS s ON s.id = m.session_id AND s.thread NOT LIKE ?", readThread+"%").
		Where("m.id IN (?)", bun.List(idsOf(held))).Exists(ctx)
	return !said && err == nil, err
}
