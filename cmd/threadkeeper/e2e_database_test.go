package main

import (
	"database/sql"
	"path/filepath"
	"testing"

	"threadkeeper/bot/platformtest"
)

// database reads what the program keeps, beside it.
func database(t *testing.T, dir string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+filepath.Join(dir, "data", "threadkeeper", "threadkeeper.db")+"?mode=ro&_pragma=busy_timeout(600000)")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// rows are the values of a query's only column.
func rows[T any](t *testing.T, db *sql.DB, query string) []T {
	t.Helper()
	found, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	var all []T
	for found.Next() {
		var v T
		if err := found.Scan(&v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// pending is what is not dealt with or delivered.
func pending(t *testing.T, db *sql.DB) []string {
	t.Helper()
	return rows[string](t, db, `SELECT kind || ' ' || event_id || ' is ' || state FROM inbox WHERE state IN ('new', 'quick')
		UNION ALL SELECT 'post ' || nonce || ' is ' || state || ': ' || error FROM outbox WHERE state <> 'done'`)
}

// dealtWith counts the events that are over.
func dealtWith(t *testing.T, db *sql.DB) int {
	t.Helper()
	return rows[int](t, db, `SELECT count(*) FROM inbox WHERE state NOT IN ('new', 'quick')`)[0]
}

// settled waits until everything that was said is dealt with and delivered.
func (s *service) settled() {
	s.t.Helper()
	db := database(s.t, s.dir)
	var left []string
	if !platformtest.Await(func() bool { left = pending(s.t, db); return len(left) == 0 }) {
		s.t.Fatalf("never settled: %q\nlog: %s", left, s.log)
	}
}

// erases waits until a message was erased, and what was to be done for that is done.
func (s *service) erases() {
	s.t.Helper()
	db := database(s.t, s.dir)
	if !platformtest.Await(func() bool { return rows[int](s.t, db, `SELECT count(*) FROM messages WHERE erased_at > 0`)[0] > 0 }) {
		s.t.Fatalf("nothing was erased\nlog: %s", s.log)
	}
	s.settled()
}

// check looks at what the program left behind: every message was answered, none twice unless it was edited,
// what was forgotten is gone, and no request was one that a correct program does not make.
func (k *talk) check() {
	k.t.Helper()
	for _, v := range k.violations() {
		k.t.Error(v)
	}
	db := database(k.t, k.dir)
	for _, problem := range rows[string](k.t, db, `
		SELECT 'message ' || m.id || ' has ' || count(a.id) || ' answers' FROM inbox i JOIN messages m ON m.id = i.message_id
			LEFT JOIN messages a ON a.reply_to = m.id WHERE i.kind = 'message' AND i.answer GROUP BY m.id HAVING count(a.id) NOT BETWEEN 1 AND m.rev
		UNION ALL SELECT 'message ' || id || ' keeps ' || text FROM messages WHERE role = 'user' AND text <> ''
		UNION ALL SELECT 'event ' || event_id || ' is ' || state || ': ' || error FROM inbox WHERE state NOT IN ('done', 'cancelled')
		UNION ALL SELECT 'post ' || nonce || ' failed: ' || error FROM outbox WHERE error <> ''`) {
		k.t.Error(problem)
	}
	if n := rows[int](k.t, db, `SELECT count(*) FROM messages WHERE role = 'user'`); n[0] != said {
		k.t.Errorf("%d messages were kept, %d said", n[0], said)
	}
}
