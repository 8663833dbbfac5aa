package memory

import (
	"context"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun/migrate"
)

func openTest(t *testing.T) *Store {
	t.Helper()
	s, err := Open(context.Background(), filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func incoming(event, platformID, text string, answer bool) Incoming {
	return Incoming{Platform: "test", EventID: event, Kind: "message",
		Key:     Key{Platform: "test", Workspace: "w", Channel: "c", Thread: "t"},
		Channel: Channel{Kind: Public}, Person: Person{PlatformID: "u1", Name: "Ada"},
		Message: &Message{PlatformID: platformID, Role: User, Author: "Ada", Text: text}, Answer: answer}
}

// said stores a message in a thread of the channel.
func said(t *testing.T, s *Store, thread, id, text string, answer bool) *Received {
	t.Helper()
	in := incoming(thread+"/"+id, id, text, answer)
	in.Key.Thread = thread
	r, err := s.Queue.Receive(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// about is an event about a message of the channel, whose thread it does not say.
func about(id string) Incoming {
	return Incoming{Platform: "test", EventID: id, Kind: "change", Key: Key{Platform: "test", Workspace: "w", Channel: "c"}}
}

// answered takes the turn over what waits and posts its answer as these messages.
func answered(t *testing.T, s *Store, text string, posts ...string) (*Message, *Outbox) {
	t.Helper()
	turn, err := claim(s, "w", time.Minute)
	if err != nil || turn == nil {
		t.Fatal(turn, err)
	}
	m, err := s.Queue.FinishTurn(context.Background(), &turn.Lease, Answer{Outbox: turn.Post.ID, Ref: "ref", Posts: posts,
		Inbox: []int64{turn.Rows[0].ID}, Message: Message{SessionID: turn.SessionID, ChannelID: 1, Text: text, ReplyTo: turn.Rows[0].MessageID}})
	if err != nil {
		t.Fatal(err)
	}
	return m, turn.Post
}

var march4 = time.Date(2026, 3, 4, 14, 5, 0, 0, time.UTC).UnixMilli()

func userLine(id int64, text string) Line {
	return Line{ID: id, InteractionID: id, PersonID: 1, Role: User, Author: "Ada", At: march4, Said: text}
}

func sliceOf(lines ...Line) *Slice {
	return &Slice{FromID: lines[0].ID, ToID: lines[len(lines)-1].ID, Messages: len(lines), Lines: lines}
}

// openOlder opens a database that was made by the migrations before one, and holds what
// statements put there.
func openOlder(t *testing.T, before string, statements ...string) *Store {
	t.Helper()
	path := filepath.Join(t.TempDir(), "older.db")
	db, err := connect(path, 1, "_pragma=journal_mode(WAL)")
	if err != nil {
		t.Fatal(err)
	}
	exec := func(statement string, args ...any) {
		if _, err := db.ExecContext(t.Context(), statement, args...); err != nil {
			t.Fatal(statement, err)
		}
	}
	if err := migrate.NewMigrator(db, migrate.NewMigrations()).Init(t.Context()); err != nil {
		t.Fatal(err)
	}
	files, err := fs.Glob(sqliteMigrations, "migrations/sqlite/*.sql")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		name, _, _ := strings.Cut(filepath.Base(file), "_")
		if name >= before {
			continue
		}
		text, err := sqliteMigrations.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for statement := range strings.SplitSeq(string(text), "--bun:split") {
			exec(statement)
		}
		exec("INSERT INTO bun_migrations (name, group_id) VALUES (?, 1)", name)
	}
	for _, statement := range statements {
		exec(statement)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	s, err := Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// pending is how many messages of all sessions still wait for their answer.
func pending(t *testing.T, s *Store) (n int) {
	t.Helper()
	if err := s.reader.NewSelect().Table("sessions").ColumnExpr("COALESCE(SUM(pending), 0)").Scan(t.Context(), &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// inboxPending returns the inbox rows of a session still to be answered, in order.
func inboxPending(t *testing.T, s *Store, session int64) (rows []*Inbox, err error) {
	t.Helper()
	err = s.reader.NewSelect().Model(&rows).Where("session_id = ? AND state = ?", session, InboxNew).Order("seq").Scan(t.Context())
	return rows, err
}
