package memory

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"
)

// LastFailed is the last user message of a session whose request failed or was
// answered in part, or ErrNotFound.
func (s *Store) LastFailed(ctx context.Context, session int64) (*Message, error) {
	m := new(Message)
	err := s.reader.NewSelect().Model(m).
		Join("JOIN interactions AS i ON i.id = m.interaction_id AND i.state = ?", InteractionFailed).
		Where("m.session_id = ? AND m.role = ? AND m.erased_at = 0", session, User).
		OrderExpr("m.id DESC").Limit(1).Scan(ctx)
	return m, missing(err)
}

// LastCited are the citations of the last answer of a session that has any,
// with their documents' names; none is no error.
func (s *Store) LastCited(ctx context.Context, session int64) ([]Citation, error) {
	var rows []struct {
		N          int
		DocumentID int64
		Name       string
		Page       int
		Quote      string
	}
	err := s.reader.NewRaw(`SELECT c.n, c.document_id, d.name, c.page, c.quote FROM citations AS c
		JOIN documents AS d ON d.id = c.document_id AND d.removed_at = 0
		WHERE c.message_id = (SELECT MAX(m.id) FROM messages AS m JOIN citations AS x ON x.message_id = m.id WHERE m.session_id = ?)
		ORDER BY c.n`, session).Scan(ctx, &rows)
	if err != nil {
		return nil, err
	}
	cited := make([]Citation, len(rows))
	for i, r := range rows {
		cited[i] = Citation{N: r.N, DocumentID: r.DocumentID, Document: r.Name, Page: r.Page, Quote: r.Quote}
	}
	return cited, nil
}

// LastUnderstood is the last user message of a session that a turn has read,
// and how, or ErrNotFound.
func (s *Store) LastUnderstood(ctx context.Context, session int64) (*Message, Understanding, error) {
	m := new(Message)
	err := s.reader.NewSelect().Model(m).
		Join("JOIN understandings AS u ON u.message_id = m.id").
		Where("m.session_id = ?", session).OrderExpr("m.id DESC").Limit(1).Scan(ctx)
	if err != nil {
		return nil, Understanding{}, missing(err)
	}
	u, err := s.UnderstandingOf(ctx, m.ID)
	return m, u, err
}

// LastLedger is the bookkeeping of the last answer of a session, or ErrNotFound.
func (s *Store) LastLedger(ctx context.Context, session int64) (Ledger, error) {
	var id int64
	err := s.reader.NewRaw(`SELECT m.id FROM messages AS m JOIN ledgers AS l ON l.message_id = m.id
		WHERE m.session_id = ? ORDER BY m.id DESC LIMIT 1`, session).Scan(ctx, &id)
	if err != nil {
		return Ledger{}, missing(err)
	}
	return s.LedgerOf(ctx, id)
}

// Feedback stores what a person thinks of the answer that was posted under a
// nonce, replacing what they thought before. ErrNotFound if there is no such answer.
func (s *Store) Feedback(ctx context.Context, nonce string, person int64, value string) error {
	err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		var message int64
		if err := tx.NewSelect().Model((*Outbox)(nil)).Column("message_id").
			Where("nonce = ? AND message_id > 0", nonce).Scan(ctx, &message); err != nil {
			return missing(err)
		}
		_, err := tx.NewRaw(`INSERT INTO feedback (message_id, person_id, value, at) VALUES (?, ?, ?, ?)
			ON CONFLICT (message_id, person_id) DO UPDATE SET value = EXCLUDED.value, at = EXCLUDED.at`,
			message, person, value, s.Now()).Exec(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("memory: store feedback: %w", err)
	}
	return nil
}
