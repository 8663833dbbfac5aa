package memory

import (
	"context"
	"errors"
)

// History is what the model is shown of a session: the newest snapshot and
// every message above the watermark, in order. Snapshot is nil before the first
// compaction.
type History struct {
	Session  *Session
	Snapshot *Snapshot
	Messages []*Message
}

// Tokens is what the history costs in a prompt.
func (h *History) Tokens() int {
	n := 0
	if h.Snapshot != nil {
		n = h.Snapshot.Tokens
	}
	for _, m := range h.Messages {
		n += m.Tokens
	}
	return n
}

// History loads the history of a session up to and including message last; 0
// means all. Erased messages are left out.
func (s *Store) History(ctx context.Context, session, last int64) (*History, error) {
	h := &History{}
	var err error
	if h.Session, err = s.Session(ctx, session); err != nil {
		return nil, err
	}
	q := s.reader.NewSelect().Model(&h.Messages).ExcludeColumn("terms").
		Where("session_id = ? AND id > ? AND erased_at = 0", session, h.Session.Watermark).Order("id")
	if last > 0 {
		q = q.Where("id <= ?", last)
	}
	if err := q.Scan(ctx); err != nil {
		return nil, err
	}
	h.Snapshot, err = s.Snapshot(ctx, session)
	if errors.Is(err, ErrNotFound) {
		return h, nil
	}
	return h, err
}

// OthersSpoke reports whether anybody but a person and us has spoken in a session.
func (s *Store) OthersSpoke(ctx context.Context, session, person int64) (bool, error) {
	return s.reader.NewSelect().Model((*Message)(nil)).
		Where("session_id = ? AND role <> ? AND person_id <> ?", session, Assistant, person).Exists(ctx)
}

// IsOnlySpeaker reports whether nobody but the person with a platform id has spoken in a session, besides us
// and other programs.
func (s *Store) IsOnlySpeaker(ctx context.Context, session int64, platformID string) (bool, error) {
	others, err := s.reader.NewSelect().Model((*Message)(nil)).Join("LEFT JOIN people AS p ON p.id = m.person_id").
		Where("m.session_id = ? AND m.role = ? AND COALESCE(p.platform_id, '') <> ? AND COALESCE(p.kind, '') <> ?", session, User, platformID, Bot).Exists(ctx)
	return !others && err == nil, err
}

// Snapshot is the newest snapshot of a session, or ErrNotFound.
func (s *Store) Snapshot(ctx context.Context, session int64) (*Snapshot, error) {
	sn := new(Snapshot)
	err := s.reader.NewSelect().Model(sn).Where("session_id = ?", session).
		Order("version DESC").Limit(1).Scan(ctx)
	return sn, missing(err)
}

// Segments are those of a session in order.
func (s *Store) Segments(ctx context.Context, session int64) ([]*Segment, error) {
	var segments []*Segment
	err := s.reader.NewSelect().Model(&segments).Where("session_id = ?", session).Order("from_id").Scan(ctx)
	return segments, err
}
