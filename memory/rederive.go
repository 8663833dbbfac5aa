package memory

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"threadkeeper/memory/rank"
)

// rederive brings everything that was made from messages up to date with them, after
// they were edited or erased: a fact that has lost its last quote is quarantined, the
// narrative of a segment is rewritten from the live messages until it is made again
// properly, and the snapshot follows. A segment is rewritten once, which takes the longer the
// more it holds.
func (s *Store) rederive(ctx context.Context, tx bun.Tx, changed []*Message) error {
	of := make(map[int64][]*Message)
	for _, m := range changed {
		of[m.SessionID] = append(of[m.SessionID], m)
	}
	for _, session := range slices.Sorted(maps.Keys(of)) {
		if err := s.rederiveIn(ctx, tx, session, of[session]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Store) rederiveIn(ctx context.Context, tx bun.Tx, session int64, changed []*Message) error {
	lost := false
	for _, m := range changed {
		dropped, err := s.dropQuotes(ctx, tx, m)
		if err != nil {
			return err
		}
		lost = lost || dropped
	}
	told, err := s.retell(ctx, tx, session, changed)
	if err != nil || !lost && !told {
		return err
	}
	if err := s.decideFacts(ctx, tx, session); err != nil {
		return err
	}
	return s.renderSnapshot(ctx, tx, session)
}

// dropQuotes removes the quotes that a message no longer contains.
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
		if err := dropSource(ctx, tx, src); err != nil {
			return false, err
		}
	}
	return lost, nil
}

// dropSource takes a message from the sources of a fact, which is quarantined and blanked without any.
func dropSource(ctx context.Context, tx bun.Tx, src *FactSource) error {
	if _, err := tx.NewDelete().Model(src).WherePK().Exec(ctx); err != nil {
		return err
	}
	// Its text is erased now: once the last source is gone nothing links the message to it.
	last, err := affects(tx.NewUpdate().Model((*Fact)(nil)).Set("state = ?, text = '', subject = '', slot = '', slot_name = ''", FactQuarantined).
		Where("id = ? AND NOT EXISTS (SELECT 1 FROM fact_sources WHERE fact_id = ?)", src.FactID, src.FactID).Exec(ctx))
	if err != nil || last {
		return err
	}
	// Another message says so too: from now on the fact has its words and time.
	if _, err = tx.NewRaw(`UPDATE facts SET text = (SELECT m.author || ': ' || fs.quote FROM fact_sources AS fs
		JOIN messages AS m ON m.id = fs.message_id WHERE fs.fact_id = facts.id ORDER BY m.id LIMIT 1) WHERE id = ? AND origin <> ?`, src.FactID, FoundIn).Exec(ctx); err != nil {
		return err
	}
	_, err = lastAsserted(ctx, tx, src.FactID)
	return err
}

// lastAsserted dates facts that have lost a source by the last that they have, and returns their slots.
func lastAsserted(ctx context.Context, tx bun.IDB, facts ...int64) (slots []string, err error) {
	err = tx.NewRaw(`UPDATE facts SET asserted_at = (SELECT MAX(m.at) FROM fact_sources AS fs JOIN messages AS m ON m.id = fs.message_id WHERE fs.fact_id = facts.id)
		WHERE id IN (?) RETURNING slot`, bun.List(facts)).Scan(ctx, &slots)
	return slots, err
}

// retell replaces the narratives of the segments that cover messages of a session by
// the extractive ones, marks them stale and makes their rebuilding due.
func (s *Store) retell(ctx context.Context, tx bun.Tx, session int64, changed []*Message) (bool, error) {
	var covering []*Segment
	if err := tx.NewSelect().Model(&covering).Where("session_id = ?", session).
		Where("EXISTS (SELECT 1 FROM messages AS m WHERE m.id IN (?) AND m.id BETWEEN from_id AND to_id)", bun.List(idsOf(changed))).Scan(ctx); err != nil {
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
	return true, s.enlist(ctx, tx, Compaction{SessionID: session, Kind: Rebuild})
}
