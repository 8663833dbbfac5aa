package slack

import (
	"context"
	"time"
)

// owe notes that something is missed since from, or since an earlier time that is noted
// already, and stores it. m.mu is held.
func (m *missed) owe(ctx context.Context, from time.Time) error {
	if m.owed.from.IsZero() || from.Before(m.owed.from) {
		m.owed.from = from
	}
	if m.stored.Equal(m.owed.from) {
		return nil
	}
	return m.store(ctx, m.owed.from)
}

// store keeps since when something is missed for the next process. m.mu is held.
func (m *missed) store(ctx context.Context, since time.Time) error {
	if m.in.handler.SetMissedSince == nil {
		return nil
	}
	err := m.in.handler.SetMissedSince(ctx, m.in.us.Team, since)
	if err == nil {
		m.stored = since
	}
	return err
}

// absent is what a pass is over.
func (m *missed) absent() absence {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.owed
}

// settle notes that a pass has read all, unless the next one is about to begin.
func (m *missed) settle(ctx context.Context) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.owed.from.IsZero() || len(m.wake) > 0 {
		return
	}
	if err := m.store(ctx, time.Time{}); err != nil {
		m.in.a.Log.Error("keep that all was read", "error", err)
		return
	}
	m.owed = absence{}
}
