package memory

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/uptrace/bun"
)

// erasedMessage is a message as the database has it in which it was erased.
type erasedMessage struct {
	Key
	PlatformID string
	Role       Role
	At         int64
}

// eraseAgain erases what was erased in the database at path, and remembers what it holds
// tombstones of, and what erased answers were posted as: they may be shown still, and are not read back. It returns how much that was; unknown is why that database does not tell all.
func (s *Store) eraseAgain(ctx context.Context, path string) (erased int, unknown, err error) {
	if _, err := os.Stat(path); err != nil {
		return 0, err, nil
	}
	old, err := s.dialect.openReader(path)
	if err != nil {
		return 0, err, nil
	}
	defer func() { err = errors.Join(err, old.Close()) }()
	unknown = s.dialect.check(ctx, old)
	var messages []erasedMessage
	if err := old.NewRaw(`SELECT c.platform, c.workspace, c.channel, m.platform_id, m.role, m.at
		FROM messages AS m JOIN channels AS c ON c.id = m.channel_id WHERE m.erased_at > 0 AND m.platform_id <> ''
		UNION ALL SELECT c.platform, c.workspace, c.channel, p.platform_id, ?0, 0 FROM posts AS p JOIN channels AS c ON c.id = p.channel_id
			JOIN messages AS m ON m.id = p.message_id AND m.erased_at > 0
		UNION ALL SELECT platform, workspace, channel, platform_id, ?0, 0 FROM tombstones`, User).Scan(ctx, &messages); err != nil {
		unknown = errors.Join(unknown, err)
	}
	var documents []Document
	if err := old.NewRaw("SELECT id, created_at FROM documents WHERE removed_at > 0").Scan(ctx, &documents); err != nil {
		unknown = errors.Join(unknown, err)
	}
	var places []struct{ Name, Value string }
	if err := old.NewRaw("SELECT name, value FROM settings WHERE scope = ?", erasedPlaces).Scan(ctx, &places); err != nil {
		unknown = errors.Join(unknown, err)
	}
	for _, p := range places {
		n, err := s.erasePlaceAgain(ctx, p.Name, p.Value)
		if err != nil {
			return erased, unknown, fmt.Errorf("erase a place again: %w", err)
		}
		erased += n
	}
	for _, m := range messages {
		n, err := s.eraseMessageAgain(ctx, m)
		if err != nil {
			return erased, unknown, fmt.Errorf("erase a message again: %w", err)
		}
		erased += n
	}
	for _, d := range documents {
		there, err := s.reader.NewSelect().Model((*Document)(nil)).
			Where("id = ? AND created_at = ? AND removed_at = 0", d.ID, d.CreatedAt).Exists(ctx)
		if err == nil && there {
			erased++
			err = s.RemoveDocument(ctx, 0, d.ID)
		}
		if err != nil {
			return erased, unknown, fmt.Errorf("remove a document again: %w", err)
		}
	}
	return erased, unknown, nil
}

// erasePlaceAgain erases a place, unless the backup was made after that was done.
func (s *Store) erasePlaceAgain(ctx context.Context, name, at string) (erased int, err error) {
	known, err := s.Setting(ctx, erasedPlaces, name)
	ids := strings.Split(name, " ")
	if err != nil || known == at || len(ids) != 3 {
		return 0, err
	}
	p := Key{Platform: ids[0], Workspace: ids[1], Channel: ids[2]}
	held, err := s.CountPlace(ctx, p)
	if err == nil {
		_, err = s.ErasePlace(ctx, p)
	}
	return held.Messages + held.Documents, err
}

// eraseMessageAgain erases a message, or leaves a tombstone if it may still arrive. Ours has a name
// that is given again: it is the one that was erased only if its time is the same.
func (s *Store) eraseMessageAgain(ctx context.Context, gone erasedMessage) (erased int, err error) {
	before, err := s.searchesNamed(ctx, gone.Key, gone.PlatformID, "")
	if err != nil {
		return 0, err
	}
	err = s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		found, err := s.byPlatformID(ctx, tx, gone.Key, gone.PlatformID)
		if err != nil {
			return err
		}
		if len(found) == 0 && gone.Role == User {
			return s.entomb(ctx, tx, gone.Key, gone.PlatformID)
		}
		for _, m := range found {
			if m.ErasedAt > 0 || gone.Role == Assistant && m.At != gone.At {
				continue
			}
			if err := s.erase(ctx, tx, []*Message{m}, 0, before, leavingOf(found)); err != nil {
				return err
			}
			erased++
		}
		return nil
	})
	return erased, err
}
