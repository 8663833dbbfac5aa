package slack

import (
	"context"
	"time"
)

// setCheckpoint notes that events may be missing since from, or since an earlier time noted
// before, and stores it. m.mu is held.
func (m *missed) setCheckpoint(ctx context.Context, from time.Time) error {
	if m.absence.from.IsZero() || from.Before(m.absence.from) {
		m.absence.from = from
	}
	if m.saved.Equal(m.absence.from) {
		return nil
	}
	return m.saveCheckpoint(ctx, m.absence.from)
}

// saveCheckpoint stores since when events may be missing, for the next process. The zero time
// means that none are. m.mu is held.
func (m *missed) saveCheckpoint(ctx context.Context, since time.Time) error {
	if m.in.handler.SetMissedSince == nil {
		return nil
	}
	err := m.in.handler.SetMissedSince(ctx, m.in.us.Team, since)
	if err == nil {
		m.saved = since
	}
	return err
}

// currentAbsence returns the time that a pass covers.
func (m *missed) currentAbsence() absence {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.absence
}

// clearCheckpoint notes that a pass has read everything, unless the next one is about to start.
func (m *missed) clearCheckpoint(ctx context.Context) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.absence.from.IsZero() || len(m.wake) > 0 {
		return
	}
	if err := m.saveCheckpoint(ctx, time.Time{}); err != nil {
		m.in.a.Log.Error("could not save the catch-up checkpoint", "error", err)
		return
	}
	m.absence = absence{}
}
