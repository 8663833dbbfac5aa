package memory

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"

	"github.com/uptrace/bun"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// ForgetScope is what a person wrote in a session, or in all of the audience's channel if Session
// is 0: up to the message UpTo, unless that is 0, and only the messages Only, unless it is
// empty.
type ForgetScope struct {
	Audience Audience
	Session  int64
	Person   int64
	UpTo     int64
	Only     []int64
}

// Forgettable is what Forget would erase now: the number of messages and files, the time of the first
// message (milliseconds UTC), and the id of the last.
type Forgettable struct {
	Messages, Files int
	Since, Last     int64
}

// CountForgettable counts what Forget would erase now.
func (s *Store) CountForgettable(ctx context.Context, f ForgetScope) (n Forgettable, err error) {
	err = f.narrow(s.reader.NewSelect().Model((*Message)(nil))).Where("m.erased_at = 0").
		ColumnExpr("COUNT(*) AS messages, COALESCE(MIN(m.at), 0) AS since, COALESCE(MAX(m.id), 0) AS last").
		ColumnExpr("COALESCE(SUM((SELECT COUNT(*) FROM files AS f WHERE f.message_id = m.id)), 0) AS files").Scan(ctx, &n)
	return n, wrap("count what would be forgotten", err)
}

// SaidWith returns the messages of f that contain all of the words or, if none does, most of
// them, at most limit, the latest first.
func (s *Store) SaidWith(ctx context.Context, f ForgetScope, words string, limit int) ([]*Message, error) {
	terms := reading.ContentTerms(words)
	if len(terms) == 0 {
		terms = rank.Terms(words)
	}
	terms = terms[:min(len(terms), saidTerms)]
	scope := "c" + strconv.FormatInt(f.Audience.Channel.ID, 10)
	if f.Session != 0 {
		scope = "s" + strconv.FormatInt(f.Session, 10)
	}
	matches := make([]match, len(terms))
	for i, t := range terms {
		matches[i] = match{term: t, scope: []string{scope}}
	}
	rows, err := s.dialect.lookUp(ctx, s.reader, "messages", matches, saidRows, true)
	if err != nil {
		return nil, fmt.Errorf("memory: look for words: %w", err)
	}
	held := map[int64]int{}
	for _, ids := range rows {
		for _, id := range ids {
			held[id]++
		}
	}
	var found []*Message
	err = f.narrow(s.reader.NewSelect().Model(&found)).ExcludeColumn("terms").Where("m.id IN (?) AND m.erased_at = 0", bun.List(slices.Collect(maps.Keys(held)))).
		OrderExpr("m.id DESC").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("memory: look for words: %w", err)
	}
	most := 0
	for _, m := range found {
		most = max(most, held[m.ID])
	}
	found = slices.DeleteFunc(found, func(m *Message) bool { return held[m.ID] < most })
	return found[:min(limit, len(found))], nil
}

const (
	saidTerms = 20   // words that are looked for
	saidRows  = 1000 // of each word: the latest messages that hold it
)

// Forget erases messages, at most forgetMost of them; more means that it must be called
// again for the rest. SecureErase erases the text from the file. Only an administrator may
// name another person; for others the error is ErrNotFound.
func (s *Store) Forget(ctx context.Context, f ForgetScope) (more bool, err error) {
	if f.Person != f.Audience.Person {
		who, err := s.Person(ctx, f.Audience.Person)
		if err != nil || !who.Admin {
			return false, ErrNotFound
		}
	}
	for range forgetMost / forgetBatch {
		n, err := s.forgetSome(ctx, f)
		if err != nil {
			return false, fmt.Errorf("memory: forget: %w", err)
		}
		if n < forgetBatch {
			return false, nil
		}
	}
	return true, nil
}

// CountForgotten returns how many messages Forget has erased since a time (milliseconds UTC).
func (s *Store) CountForgotten(ctx context.Context, f ForgetScope, since int64) (int, error) {
	n, err := f.narrow(s.reader.NewSelect().Model((*Message)(nil))).
		Where("m.erased_by = ? AND m.erased_at >= ?", f.Audience.Person, since).Count(ctx)
	return int(n), wrap("count what was forgotten", err)
}

const (
	forgetBatch = 50              // messages that one transaction erases
	forgetMost  = 4 * forgetBatch // messages that one call of Forget erases: some seconds in a large database
)

func (f ForgetScope) narrow(q *bun.SelectQuery) *bun.SelectQuery {
	q = q.Where("m.person_id = ? AND m.role = ?", f.Person, User)
	if f.Session != 0 {
		q = q.Where("m.session_id = ?", f.Session)
	} else {
		q = q.Where("m.channel_id = ?", f.Audience.Channel.ID)
	}
	if f.UpTo != 0 {
		q = q.Where("m.id <= ?", f.UpTo)
	}
	if len(f.Only) > 0 {
		q = q.Where("m.id IN (?)", bun.List(f.Only))
	}
	return f.Audience.Visible(q, "m.channel_id")
}

func (s *Store) forgetSome(ctx context.Context, f ForgetScope) (n int, err error) {
	return s.eraseBatch(ctx, f.Audience.Person, f.leaving(), func(ctx context.Context, db bun.IDB) (rows []*Message, err error) {
		err = f.narrow(db.NewSelect().Model(&rows)).
			Where("m.erased_at = 0").Order("m.id").Limit(forgetBatch).Scan(ctx)
		if err != nil {
			return nil, err
		}
		if len(rows) > 0 { // the same messages, from before their thread was ours; see KeepRead
			var copies []*Message
			ids := bun.List(idsOf(rows))
			err = db.NewSelect().Model(&copies).Where("m.channel_id = ? AND m.erased_at = 0 AND m.id NOT IN (?)", f.Audience.Channel.ID, ids).
				Where("m.platform_id IN (SELECT platform_id FROM messages WHERE id IN (?))", ids).Scan(ctx)
			if rows = append(rows, copies...); err != nil {
				return nil, err
			}
		}
		if len(f.Only) > 0 || len(rows) >= forgetBatch {
			return rows, nil
		}
		var others []*Message // of the thread, from then
		err = db.NewSelect().Model(&others).Where("m.person_id = ? AND m.role = ? AND m.erased_at = 0", f.Person, User).Where("?0 = 0 OR m.id <= ?0", f.UpTo).
			Where("m.id NOT IN (?)", bun.List(append(idsOf(rows), 0))).
			Where(`m.session_id IN (SELECT r.id FROM sessions AS r JOIN sessions AS s ON s.channel_id = r.channel_id AND r.thread = ? || s.thread WHERE s.id = ?)`,
				readReplies, f.Session).Order("m.id").Limit(forgetBatch).Scan(ctx)
		return append(rows, others...), err
	})
}

func (f ForgetScope) leaving() leaving {
	if len(f.Only) > 0 {
		return leaving{ids: f.Only}
	}
	return leaving{person: f.Person, channel: f.Audience.Channel.ID, session: f.Session}
}
