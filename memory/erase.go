package memory

import (
	"context"
	"fmt"
	"strings"

	"github.com/uptrace/bun"
)

// searchesNamed looks for the answers that repeat what a message loses when it says text, "" if it is
// erased.
func (s *Store) searchesNamed(ctx context.Context, key Key, platformID, text string) (map[int64]search, error) {
	found, err := s.byPlatformID(ctx, s.reader, key, platformID)
	if err != nil {
		return nil, err
	}
	return s.searches(ctx, found, text, leavingOf(found))
}

// erase removes the text, revisions, quotes and index entries of messages, keeping id, author
// and time, and everything that was made from them or repeats them: facts, narratives,
// snapshots, answers as far as before tells already which these are, files, documents.
func (s *Store) erase(ctx context.Context, tx bun.Tx, messages []*Message, by int64, before map[int64]search, l leaving) error {
	if len(messages) == 0 {
		return nil
	}
	if err := forgetReadingsOf(ctx, tx, messages); err != nil {
		return err
	}
	var erased []*Message
	for _, m := range messages {
		struck, err := s.strikeQuotes(ctx, tx, m, "", l)
		if err != nil {
			return err
		}
		if struck {
			before = nil // what they said is found nowhere else now
		}
		repeats, err := s.repeats(ctx, tx, m, before, l)
		if err != nil {
			return err
		}
		if err := untitle(ctx, tx, m, ""); err != nil {
			return err
		}
		if err := s.Queue.retitle(ctx, tx, m); err != nil {
			return err
		}
		for _, m := range append(repeats, m) {
			if err := s.eraseQuoted(ctx, tx, m, by, l); err != nil {
				return err
			}
			erased = append(erased, m)
		}
	}
	if err := s.rederive(ctx, tx, erased); err != nil {
		return err
	}
	return s.oweSecureErase(ctx, tx)
}

// forgetReadingsOf erases how other messages were read where that holds words of messages that are about to be erased.
func forgetReadingsOf(ctx context.Context, tx bun.Tx, messages []*Message) error {
	bySession := map[int64][]*Message{}
	for _, m := range messages {
		bySession[m.SessionID] = append(bySession[m.SessionID], m)
	}
	for session, said := range bySession {
		var texts []string
		from, to := said[0].ID, said[0].ID
		for _, m := range said {
			texts, from, to = append(texts, m.Text), min(from, m.ID), max(to, m.ID)
		}
		if err := forgetReadings(ctx, tx, session, from, to, wordsLost(strings.Join(texts, "\n"), "")); err != nil {
			return err
		}
	}
	return nil
}

// untitle removes the title of a session if it occurs in m, and not in the text that m will have.
func untitle(ctx context.Context, tx bun.Tx, m *Message, text string) error {
	var title string
	if err := tx.NewSelect().Table("sessions").Column("title").Where("id = ?", m.SessionID).Scan(ctx, &title); err != nil {
		return err
	}
	began := strings.TrimRight(title, "….")
	if title == "" || !strings.Contains(m.Text, began) || strings.Contains(text, began) {
		return nil
	}
	_, err := tx.NewUpdate().Table("sessions").Set("title = ''").Where("id = ?", m.SessionID).Exec(ctx)
	return err
}

// eraseOne erases one message; rederive must follow.
func (s *Store) eraseOne(ctx context.Context, tx bun.Tx, m *Message, by int64) error {
	m.Text, m.Terms, m.Tokens, m.ErasedAt, m.ErasedBy = "", "", 0, s.Now(), by
	if _, err := tx.NewUpdate().Model(m).Column("text", "terms", "tokens", "erased_at", "erased_by").WherePK().Exec(ctx); err != nil {
		return err
	}
	for _, table := range []string{"revisions", "understandings", "ledgers", "citations", "feedback", "wholes"} {
		if err := exec(ctx, tx, "DELETE FROM ? WHERE message_id = ?", bun.Ident(table), m.ID); err != nil {
			return err
		}
	}
	if m.Role == Assistant { // how the request was read may repeat what the answer does
		if err := exec(ctx, tx, `DELETE FROM understandings WHERE message_id IN (SELECT id FROM messages WHERE interaction_id = ?)`, m.InteractionID); err != nil {
			return err
		}
	}
	if err := eraseFindings(ctx, tx, m.SessionID); err != nil {
		return err
	}
	if err := s.Queue.eraseMessage(ctx, tx, m); err != nil {
		return err
	}
	return s.eraseFiles(ctx, tx, m)
}

// eraseMessage blanks the copies of a message in inbox, outbox and questions, and
// ends pending work on it. A request that a turn was begun for ends with a
// turn, which puts right what it may have posted.
func (q *Queue) eraseMessage(ctx context.Context, tx bun.Tx, m *Message) error {
	if _, err := q.interrupt(ctx, tx, m.SessionID, m.ID, StopErased); err != nil {
		return err
	}
	if err := execAll(ctx, tx, []string{
		// Events that name the message, as an edit of it does, contain its text too.
		// The payload of an open request contains none.
		`UPDATE inbox SET payload = '' WHERE state <> 'new' AND (message_id = ?0 OR session_id = ?1 AND message_id = 0 AND ?2)`,
		`UPDATE outbox SET payload = '', state = 'new' WHERE state = 'ready' AND inbox_id IN
			(SELECT ib.id FROM inbox AS ib JOIN inbox AS about ON about.session_id = ib.session_id AND about.seq <= ib.seq
				WHERE ib.state = 'new' AND about.state = 'new' AND about.message_id = ?0)`,
		`UPDATE questions SET answer = '' WHERE interaction_id = ?3`,
		// What a fold was asked to keep may contain its words, and what one that runs makes may too.
		`UPDATE compactions SET instructions = '', lease_owner = '', lease_epoch = lease_epoch + 1, next_at = 0
			WHERE session_id = ?1 AND state = 'due' AND instructions <> ''`,
	}, m.ID, m.SessionID, q.dialect.contains("payload", `"`+m.PlatformID+`"`), m.InteractionID); err != nil {
		return err
	}
	if err := q.erasePosts(ctx, tx, "message_id", m.ID); err != nil {
		return err
	}
	if err := q.eraseShownOf(ctx, tx, m); err != nil {
		return err
	}
	return q.eraseQuestions(ctx, tx, m)
}

// eraseQuestions blanks and closes what we asked back about a message, or in one of ours. The request
// that an open one was about is over.
func (q *Queue) eraseQuestions(ctx context.Context, tx bun.Tx, m *Message) error {
	if err := execAll(ctx, tx, []string{`UPDATE interactions SET state = ?1, closed_at = ?2
		WHERE id IN (SELECT interaction_id FROM questions WHERE (message_id = ?0 OR asked_id = ?0) AND state = ?3) AND state = ?4
		AND NOT EXISTS (SELECT 1 FROM messages AS m JOIN inbox AS ib ON ib.message_id = m.id WHERE m.interaction_id = interactions.id AND ib.state = ?5)`,
		`UPDATE questions SET text = '', options = '[]', answer = '', state = CASE state WHEN 'open' THEN 'cancelled' ELSE state END
			WHERE message_id = ?0 OR asked_id = ?0`,
	}, m.ID, InteractionCancelled, q.Now(), QuestionOpen, InteractionOpen, InboxNew); err != nil {
		return err
	}
	return q.showClosed(ctx, tx, "(q.message_id = ? OR q.interaction_id = ?)", m.ID, m.InteractionID)
}

// erasePosts blanks the posts whose column is id and has those that can be seen changed. Who waits for one is
// told that it does not come.
func (q *Queue) erasePosts(ctx context.Context, tx bun.IDB, column string, id int64) error {
	var waiting []*Outbox
	if err := tx.NewSelect().Model(&waiting).Where("? = ? AND state = ? AND state <> 'done' AND kind = ? AND attempts = 0 AND payload <> ''",
		bun.Ident(column), id, OutboxReady, PostNew).Where("inbox_id NOT IN (SELECT id FROM inbox WHERE state = ?)", InboxNew).Scan(ctx); err != nil {
		return err
	}
	if err := execAll(ctx, tx, []string{
		`UPDATE outbox SET payload = '' WHERE ?0 = ?1`,
		`UPDATE outbox SET kind = ?2, state = 'ready', inbox_id = 0, attempts = 0, next_at = 0
			WHERE ?0 = ?1 AND state = 'done' AND ref <> ''`,
		// A post in progress is corrected once it is posted; see OutboxFinish.
		`UPDATE outbox SET kind = ?2, inbox_id = 0 WHERE ?0 = ?1 AND state = 'ready' AND attempts > 0`,
	}, bun.Ident(column), id, PostErased); err != nil {
		return err
	}
	for _, o := range waiting {
		if err := q.withdraw(ctx, tx, o); err != nil {
			return err
		}
	}
	return nil
}

// withdraw makes a waiting post say that it was taken back, or ends it.
func (q *Queue) withdraw(ctx context.Context, tx bun.IDB, o *Outbox) error {
	text, state := "", OutboxDone
	if q.Withdrawn != nil {
		if text = q.Withdrawn(o.Payload); text != "" {
			state = OutboxReady
		}
	}
	if err := exec(ctx, tx, `DELETE FROM shown WHERE outbox_id = ?`, o.ID); err != nil {
		return err
	}
	// The nonce becomes free: the same thing may be requested again.
	return exec(ctx, tx, `UPDATE outbox SET payload = ?, state = ?, nonce = ?, document_id = 0, message_id = 0 WHERE id = ? AND state = ? AND kind = ?`,
		text, state, fmt.Sprint("withdrawn/", o.ID), o.ID, OutboxReady, PostNew)
}

// eraseFiles removes the attachments of a message and the documents made from
// them, whose bytes go with their last reference.
func (s *Store) eraseFiles(ctx context.Context, tx bun.Tx, m *Message) error {
	if _, err := tx.NewDelete().Model((*File)(nil)).Where("message_id = ?", m.ID).Exec(ctx); err != nil {
		return err
	}
	return s.removeDocumentsOf(ctx, tx, "message_id = ?", m.ID)
}

// EraseConversation erases everything said in a thread, or in a channel with all its threads
// if the key names none, and returns the sessions it was said in. SecureErase erases the text from
// the file.
func (s *Store) EraseConversation(ctx context.Context, key Key) (sessions []int64, err error) {
	q := s.reader.NewSelect().Model((*Session)(nil)).Column("id").
		Where("platform = ? AND workspace = ? AND channel = ?", key.Platform, key.Workspace, key.Channel)
	if key.Thread != "" {
		q = q.Where("thread IN (?, ?)", key.Thread, readReplies+key.Thread)
	}
	if err := q.Order("id").Scan(ctx, &sessions); err != nil {
		return nil, fmt.Errorf("memory: find sessions: %w", err)
	}
	if key.Thread == "" { // and the instructions that somebody gave for it
		err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
			some, err := affects(tx.NewRaw("DELETE FROM settings WHERE scope = ?", ChannelScope(key)).Exec(ctx))
			if err != nil || !some {
				return err
			}
			return s.oweSecureErase(ctx, tx)
		})
		if err != nil {
			return nil, fmt.Errorf("memory: erase settings: %w", err)
		}
	}
	for _, id := range sessions {
		err := s.exec(ctx, `UPDATE sessions SET title = '' WHERE id = ?`, id)
		for _, ours := range []bool{false, true} {
			if err == nil {
				err = s.eraseSaid(ctx, id, ours)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("memory: erase session %d: %w", id, err)
		}
	}
	return sessions, nil
}

// eraseSaid erases people's messages in a session, or ours too, with the answers anywhere that repeat them.
func (s *Store) eraseSaid(ctx context.Context, session int64, ours bool) (err error) {
	for n := forgetBatch; n == forgetBatch && err == nil; {
		n, err = s.eraseBatch(ctx, 0, leaving{}, func(ctx context.Context, db bun.IDB) (rows []*Message, err error) {
			err = db.NewSelect().Model(&rows).Where("m.session_id = ? AND (m.role = ? OR ?) AND m.erased_at = 0", session, User, ours).
				Order("m.id").Limit(forgetBatch).Scan(ctx)
			return rows, err
		})
	}
	return err
}

// eraseBatch erases the messages that find finds, for whom by says, with the answers that repeat them, and
// returns how many it found. with is what else is about to be erased.
func (s *Store) eraseBatch(ctx context.Context, by int64, with leaving, find func(context.Context, bun.IDB) ([]*Message, error)) (n int, err error) {
	rows, err := find(ctx, s.reader)
	if err != nil || len(rows) == 0 {
		return 0, err
	}
	with.ids = append(leavingOf(rows).ids, with.ids...)
	before, err := s.searches(ctx, rows, "", with)
	if err != nil {
		return 0, err
	}
	err = s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		rows, err := find(ctx, tx)
		if err != nil {
			return err
		}
		n = len(rows)
		return s.erase(ctx, tx, rows, by, before, with)
	})
	return n, err
}
