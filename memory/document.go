package memory

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// PostedLast is an SQL expression: d is the last posted of the documents of the same bytes in a
// session. People know them as one document; an unshared one does not stand for a shared one.
const PostedLast = `NOT EXISTS (SELECT 1 FROM documents AS x WHERE x.content_id = d.content_id AND x.content_id > 0
	AND x.session_id = d.session_id AND x.removed_at = 0 AND x.id > d.id AND x.shared >= d.shared)`

// DocumentCopies returns the documents of the same bytes in a document's session, including itself, oldest
// first; none if it was removed.
func (s *Store) DocumentCopies(ctx context.Context, document int64) (all []*Document, err error) {
	err = s.reader.NewSelect().Model(&all).
		Join("JOIN documents AS one ON one.id = ? AND one.removed_at = 0", document).
		Where("d.removed_at = 0 AND (d.id = one.id OR d.session_id = one.session_id AND d.content_id = one.content_id AND d.content_id > 0)").
		OrderExpr("d.id").Scan(ctx)
	return all, err
}

// CurrentDocuments returns the documents that people now know these as: of the same bytes in the same
// session the last posted one, and none for a removed one.
func (s *Store) CurrentDocuments(ctx context.Context, documents []int64) (ids []int64, err error) {
	err = s.reader.NewSelect().Model((*Document)(nil)).ColumnExpr("DISTINCT d.id").
		Join("JOIN documents AS one ON one.id IN (?)", bun.List(documents)).
		Where("d.removed_at = 0 AND (d.id = one.id OR d.session_id = one.session_id AND d.content_id = one.content_id AND d.content_id > 0)").
		Where(PostedLast).OrderExpr("d.id").Scan(ctx, &ids)
	return ids, err
}

// RemoveDocument removes documents, their citations and posted page pictures, and erases
// the answers that cite them, rest on them or name them. by names the person who asked for it, 0 for nobody. With the
// last document of the same bytes it removes those bytes, their pages and passages; SecureErase erases them from the
// file. The row stays, without a name, so that its id is not used again; removing a missing document is
// no error.
func (s *Store) RemoveDocument(ctx context.Context, by int64, ids ...int64) error {
	for more := true; more; {
		err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) (err error) {
			if more, err = s.eraseCiting(ctx, tx, by, ids); err != nil || more {
				return err
			}
			var brought []*Message
			if err := tx.NewSelect().Model(&brought).Where("id IN (SELECT message_id FROM documents WHERE id IN (?) AND removed_at = 0)", bun.List(ids)).Scan(ctx); err != nil {
				return err
			}
			for _, id := range ids {
				if err := s.removeDocument(ctx, tx, id); err != nil {
					return err
				}
			}
			for _, m := range brought {
				if err := s.Queue.retakeWithout(ctx, tx, m); err != nil {
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
	names, err := documentNames(ctx, tx, documents)
	if err != nil {
		return false, err
	}
	naming, err := s.naming(ctx, tx, names, leaving{documents: documents})
	if err != nil {
		return false, err
	}
	return s.eraseAnswers(ctx, tx, by, merged(citing, naming))
}

// eraseAnswers erases the first forgetBatch of answers; more reports that there may be others.
func (s *Store) eraseAnswers(ctx context.Context, tx bun.Tx, by int64, rows []*Message) (more bool, err error) {
	if rows = rows[:min(len(rows), forgetBatch)]; len(rows) == 0 {
		return false, nil
	}
	for _, m := range rows {
		if err := s.eraseQuoted(ctx, tx, m, by, leaving{}); err != nil {
			return false, err
		}
	}
	if err := s.rederive(ctx, tx, rows); err != nil {
		return false, err
	}
	return len(rows) == forgetBatch, s.oweSecureErase(ctx, tx)
}

// named is a file or document that is about to go: the message that brought it, its channel, its name.
type named struct {
	ChannelID, MessageID int64
	Name                 string
}

func documentNames(ctx context.Context, db bun.IDB, documents []int64) (names []named, err error) {
	err = db.NewSelect().Model((*Document)(nil)).Column("channel_id", "message_id", "name").
		Where("d.id IN (?) AND d.removed_at = 0", bun.List(documents)).Scan(ctx, &names)
	return names, err
}

// fileNames are the names of what a message brought, read or not.
func fileNames(ctx context.Context, db bun.IDB, m *Message) (names []named, err error) {
	for _, table := range []string{"documents", "files"} {
		var some []string
		if err := db.NewSelect().Table(table).Column("name").Where("message_id = ? AND name <> ''", m.ID).Scan(ctx, &some); err != nil {
			return nil, err
		}
		for _, name := range some {
			if n := (named{m.ChannelID, m.ID, name}); !slices.Contains(names, n) {
				names = append(names, n)
			}
		}
	}
	return names, nil
}

// naming returns the answers that name a document about to be removed: by its whole name, unless another document that can be seen
// there has the same, or by what in it nobody repeats by chance, unless that stands elsewhere.
func (s *Store) naming(ctx context.Context, db bun.IDB, names []named, l leaving) (found []*Message, err error) {
	for _, n := range names {
		whole, telling := namePhrases(n.Name)
		e, err := s.elsewhere(ctx, db, &Message{ChannelID: n.ChannelID}, l)
		if err != nil {
			return nil, err
		}
		phrases := []string{whole}
		if e.names[whole] || !strings.Contains(whole, " ") { // one word may mean anything
			phrases = nil
		}
		for _, p := range telling {
			stands, err := e.stands(ctx, p, true)
			if err != nil {
				return nil, err
			}
			if !stands {
				phrases = append(phrases, p)
			}
		}
		for _, p := range phrases {
			answers, err := answersWhere(ctx, db, "? AND m.channel_id IN (?)", s.dialect.holdsPhrase([]string{strings.Join(rank.Terms(p), " ")}, n.MessageID), bun.List(e.channels))
			if err != nil {
				return nil, err
			}
			for _, m := range answers {
				if strings.Contains(" "+strings.Join(rank.Words(m.Text), " ")+" ", " "+p+" ") {
					found = append(found, m)
				}
			}
		}
	}
	return merged(found), nil
}

// namePhrases are a file's name in folded words, and what of it tells by itself: its codes, and all before the ending
// if that is several words with a number.
func namePhrases(name string) (whole string, telling []string) {
	words := rank.Words(name)
	for _, w := range words {
		if reading.CodeLike(w) {
			telling = append(telling, w)
		}
	}
	stem := strings.Join(rank.Words(strings.TrimSuffix(name, path.Ext(name))), " ")
	if whole = strings.Join(words, " "); stem != whole && strings.Contains(stem, " ") && strings.ContainsAny(stem, "0123456789") {
		telling = append(telling, stem)
	}
	return whole, telling
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
	if err != nil {
		return orNone(err)
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
	if err := s.Queue.unnameFiles(ctx, tx, "document_id", id); err != nil {
		return err
	}
	if err := execAll(ctx, tx, []string{
		`DELETE FROM findings WHERE content_id = ?0 AND session_id IN (SELECT session_id FROM documents WHERE id = ?1)`,
		`DELETE FROM blobs WHERE sha256 IN (SELECT sha256 FROM contents WHERE id = ?0)
			AND NOT EXISTS (SELECT 1 FROM documents WHERE content_id = ?0 AND removed_at = 0)`,
		`DELETE FROM contents WHERE id = ?0 AND NOT EXISTS (SELECT 1 FROM documents WHERE content_id = ?0 AND removed_at = 0)`,
	}, content, id); err != nil {
		return err
	}
	return s.oweSecureErase(ctx, tx)
}

// removeDocumentsOf removes the documents of a message or session, as a condition says.
func (s *Store) removeDocumentsOf(ctx context.Context, tx bun.IDB, condition string, of int64) error {
	var ids []int64
	err := tx.NewSelect().Model((*Document)(nil)).Column("id").
		Where(condition, of).Where("removed_at = 0").Scan(ctx, &ids)
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
