package memory

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"
)

// RemoveDocument removes a document and the citations of it. With the last document of the same
// bytes go those bytes, their pages and passages; Scrub makes the file forget them. The row stays, without name, so that its id is
// not used again; removing what is not there is no error.
func (s *Store) RemoveDocument(ctx context.Context, id int64) error {
	err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error { return s.removeDocument(ctx, tx, id) })
	if err != nil {
		return fmt.Errorf("memory: remove document %d: %w", id, err)
	}
	return nil
}

func (s *Store) removeDocument(ctx context.Context, tx bun.IDB, id int64) error {
	var content int64
	err := tx.NewUpdate().Model((*Document)(nil)).
		Set("name = '', name_terms = '', reason = '', shared = FALSE, removed_at = ?", s.Now()).
		Where("id = ? AND removed_at = 0", id).Returning("content_id").Scan(ctx, &content)
	if missing(err) == ErrNotFound {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := tx.NewDelete().Model((*Citation)(nil)).Where("document_id = ?", id).Exec(ctx); err != nil {
		return err
	}
	for _, q := range []string{
		`DELETE FROM blobs WHERE sha256 IN (SELECT sha256 FROM contents WHERE id = ?)
			AND NOT EXISTS (SELECT 1 FROM documents WHERE content_id = ? AND removed_at = 0)`,
		`DELETE FROM contents WHERE id = ?
			AND NOT EXISTS (SELECT 1 FROM documents WHERE content_id = ? AND removed_at = 0)`,
	} {
		if _, err := tx.NewRaw(q, content, content).Exec(ctx); err != nil {
			return err
		}
	}
	return s.owesScrub(ctx, tx)
}

// removeDocumentsOf removes the documents that a message brought.
func (s *Store) removeDocumentsOf(ctx context.Context, tx bun.IDB, message int64) error {
	var ids []int64
	err := tx.NewSelect().Model((*Document)(nil)).Column("id").
		Where("message_id = ? AND removed_at = 0", message).Scan(ctx, &ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := s.removeDocument(ctx, tx, id); err != nil {
			return err
		}
	}
	return nil
}
