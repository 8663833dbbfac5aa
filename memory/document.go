package memory

import (
	"context"
	"fmt"
	"strings"

	"github.com/uptrace/bun"

	"threadkeeper/memory/rank"
)

// PostedLast is an SQL expression: among the documents of the same bytes in a session, d is the
// one that was posted last. People know them as one; an unshared one does not stand for a shared.
const PostedLast = `NOT EXISTS (SELECT 1 FROM documents AS x WHERE x.content_id = d.content_id AND x.content_id > 0
	AND x.session_id = d.session_id AND x.removed_at = 0 AND x.id > d.id AND x.shared >= d.shared)`

// DocumentCopies are the documents of the same bytes in the session of one, itself among them, oldest
// first; none if it was removed.
func (s *Store) DocumentCopies(ctx context.Context, document int64) ([]*Document, error) {
	var all []*Document
	err := s.reader.NewSelect().Model(&all).
		Join("JOIN documents AS one ON one.id = ? AND one.removed_at = 0", document).
		Where("d.removed_at = 0 AND (d.id = one.id OR d.session_id = one.session_id AND d.content_id = one.content_id AND d.content_id > 0)").
		OrderExpr("d.id").Scan(ctx)
	return all, err
}

// CurrentDocuments are the documents that people know these as now: of the same bytes in the same
// session the one that was posted last, and none for what is removed.
func (s *Store) CurrentDocuments(ctx context.Context, documents []int64) ([]int64, error) {
	var ids []int64
	err := s.reader.NewSelect().Model((*Document)(nil)).ColumnExpr("DISTINCT d.id").
		Join("JOIN documents AS one ON one.id IN (?)", bun.List(documents)).
		Where("d.removed_at = 0 AND (d.id = one.id OR d.session_id = one.session_id AND d.content_id = one.content_id AND d.content_id > 0)").
		Where(PostedLast).OrderExpr("d.id").Scan(ctx, &ids)
	return ids, err
}

// RemoveDocument removes documents, the citations and the posted page pictures of them, and erases
// the answers that cite them, rest on them or name them: by names the person who wanted it so, 0 for nobody. With the last
// document of the same bytes go those bytes, their pages and passages; SecureErase makes the file forget
// them. The row stays, without name, so that its id is not used again; removing what is not there is
// no error.
func (s *Store) RemoveDocument(ctx context.Context, by int64, ids ...int64) error {
	for more := true; more; {
		err := s.write(ctx, func(ctx context.Context, tx bun.Tx) (err error) {
			if more, err = s.eraseCiting(ctx, tx, by, ids); err != nil || more {
				return err
			}
			for _, id := range ids {
				if err := s.removeDocument(ctx, tx, id); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("memory: remove documents %d: %w", ids, err)
		}
	}
	return nil
}

// eraseCiting erases answers that cite documents, rest on them or name them, at most forgetBatch of them; more
// reports that there may be others.
func (s *Store) eraseCiting(ctx context.Context, tx bun.Tx, by int64, documents []int64) (more bool, err error) {
	citing, err := restingOn(ctx, tx, Shown{Documents: documents})
	if err != nil {
		return false, err
	}
	naming, err := s.naming(ctx, tx, "d.id IN (?)", bun.List(documents))
	if err != nil {
		return false, err
	}
	rows := merged(citing, naming)
	if rows = rows[:min(len(rows), forgetBatch)]; len(rows) == 0 {
		return false, nil
	}
	for _, m := range rows {
		if err := s.eraseOne(ctx, tx, m, by); err != nil {
			return false, err
		}
	}
	if err := s.rederive(ctx, tx, rows); err != nil {
		return false, err
	}
	return len(rows) == forgetBatch, s.oweSecureErase(ctx, tx)
}

// naming are the answers that name documents, of which a condition on d tells, unless another document
// that can be seen there has the same name.
func (s *Store) naming(ctx context.Context, db bun.IDB, condition string, args ...any) (found []*Message, err error) {
	var documents []*Document
	if err := db.NewSelect().Model(&documents).Where("d.removed_at = 0").Where(condition, args...).Scan(ctx); err != nil {
		return nil, err
	}
	for _, d := range documents {
		name := strings.Join(rank.Words(d.Name), " ")
		if !strings.Contains(name, " ") { // one word may mean anything
			continue
		}
		e, err := s.elsewhere(ctx, db, &Message{ChannelID: d.ChannelID}, leavingDocuments(documents))
		if err != nil {
			return nil, err
		}
		if e.names[name] {
			continue
		}
		phrase := strings.Join(rank.Terms(d.Name), " ")
		answers, err := answersWhere(ctx, db, "? AND m.channel_id IN (?)", s.dialect.holdsPhrase([]string{phrase}, d.MessageID), bun.List(e.channels))
		if err != nil {
			return nil, err
		}
		for _, m := range answers {
			if strings.Contains(" "+strings.Join(rank.Words(m.Text), " ")+" ", " "+name+" ") {
				found = append(found, m)
			}
		}
	}
	return found, nil
}

// eraseIfRestsOnErased erases an answer that was worked out before something that it cites or rests on
// was erased.
func (s *Store) eraseIfRestsOnErased(ctx context.Context, tx bun.Tx, m *Message) error {
	var erased bool
	err := tx.NewRaw(`SELECT EXISTS (SELECT 1 FROM citations AS ci JOIN documents AS d ON d.id = ci.document_id WHERE ci.message_id = ?0 AND d.removed_at > 0)
		OR EXISTS (SELECT 1 FROM outbox AS o JOIN shown AS sh ON sh.outbox_id = o.id
			LEFT JOIN documents AS d ON d.id = sh.document_id LEFT JOIN messages AS m ON m.id = sh.message_id
			WHERE o.message_id = ?0 AND (d.removed_at > 0 OR m.erased_at > 0))`, m.ID).Scan(ctx, &erased)
	if err != nil || !erased {
		return err
	}
	if err := s.eraseOne(ctx, tx, m, 0); err != nil {
		return err
	}
	return s.oweSecureErase(ctx, tx)
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
	if err := s.Queue.erasePosts(ctx, tx, "document_id", id); err != nil {
		return err
	}
	if err := s.Queue.eraseShown(ctx, tx, "document_id", id); err != nil {
		return err
	}
	if _, err := tx.NewRaw(`UPDATE files SET name = '', locator = '', link = '' WHERE document_id = ?`, id).Exec(ctx); err != nil {
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
	return s.oweSecureErase(ctx, tx)
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
