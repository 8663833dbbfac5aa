package memory

import (
	"context"
	"strings"

	"github.com/uptrace/bun"

	"threadkeeper/memory/rank"
)

// rederive brings everything that was made from a message up to date with it,
// after it was edited or erased: a fact that has lost its last quote is quarantined, the
// narrative of its segment is told again from the live messages until it is made again
// properly, and the snapshot follows.
func (s *Store) rederive(ctx context.Context, tx bun.Tx, m *Message) error {
	lost, err := s.dropQuotes(ctx, tx, m)
	if err != nil {
		return err
	}
	told, err := s.retell(ctx, tx, m)
	if err != nil || !lost && !told {
		return err
	}
	if err := s.settleFacts(ctx, tx, m.SessionID); err != nil {
		return err
	}
	if err := s.renderSnapshot(ctx, tx, m.SessionID); err != nil || m.ErasedAt == 0 {
		return err
	}
	_, err = tx.NewRaw(`DELETE FROM snapshots WHERE session_id = ?
		AND version < (SELECT MAX(version) FROM snapshots WHERE session_id = ?)`, m.SessionID, m.SessionID).Exec(ctx)
	return err
}

// dropQuotes removes the quotes that a message no longer holds, and quarantines
// and blanks facts left without one.
func (s *Store) dropQuotes(ctx context.Context, tx bun.Tx, m *Message) (lost bool, err error) {
	var sources []*FactSource
	if err := tx.NewSelect().Model(&sources).Where("message_id = ?", m.ID).Scan(ctx); err != nil {
		return false, err
	}
	text := rank.Fold(m.Text)
	for _, src := range sources {
		if m.ErasedAt == 0 && strings.Contains(text, rank.Fold(src.Quote)) {
			continue
		}
		lost = true
		if _, err := tx.NewDelete().Model(src).WherePK().Exec(ctx); err != nil {
			return false, err
		}
		// Its text goes now: once the last source is gone nothing leads from the message to it.
		res, err := tx.NewUpdate().Model((*Fact)(nil)).Set("state = ?, text = '', subject = '', slot = ''", FactQuarantined).
			Where("id = ? AND NOT EXISTS (SELECT 1 FROM fact_sources WHERE fact_id = ?)", src.FactID, src.FactID).Exec(ctx)
		if err != nil {
			return false, err
		}
		if n, _ := res.RowsAffected(); n > 0 {
			continue
		}
		// Another message says so too: its words stand for the fact from now on.
		if _, err := tx.NewRaw(`UPDATE facts SET text = (SELECT m.author || ': ' || fs.quote FROM fact_sources AS fs
			JOIN messages AS m ON m.id = fs.message_id WHERE fs.fact_id = facts.id ORDER BY m.id LIMIT 1) WHERE id = ?`, src.FactID).Exec(ctx); err != nil {
			return false, err
		}
	}
	return lost, nil
}

// retell replaces the narrative of the segment that covers a message by the
// extractive one, marks it stale and makes its rebuilding due.
func (s *Store) retell(ctx context.Context, tx bun.Tx, m *Message) (bool, error) {
	var covering []*Segment
	if err := tx.NewSelect().Model(&covering).
		Where("session_id = ? AND from_id <= ? AND to_id >= ?", m.SessionID, m.ID, m.ID).Scan(ctx); err != nil {
		return false, err
	}
	for _, sg := range covering {
		sl, err := slice(ctx, tx, sg.SessionID, sg.FromID, sg.ToID)
		if err != nil {
			return false, err
		}
		sg.Narrative, sg.SourceHash, sg.Method, sg.Stale = narrate(sl), sl.Hash, Extractive, true
		sg.Tokens, sg.Model, sg.PromptVersion = Count(sg.Narrative), "", ""
		if _, err := tx.NewUpdate().Model(sg).WherePK().Exec(ctx); err != nil {
			return false, err
		}
	}
	if len(covering) == 0 {
		return false, nil
	}
	return true, s.enlist(ctx, tx, m.SessionID, Rebuild, 0, 0)
}
