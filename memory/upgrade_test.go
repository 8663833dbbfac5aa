package memory_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"threadkeeper/docs"
	"threadkeeper/memory"
)

var update = flag.Bool("update", false, "write testdata/schema/NN.sql for the schema of this program, if there is none, and migrations/sqlite_schema.sql")

// schemas is where the databases of released schemas are kept: one file for each state
// of the migrations that a user may have run, named by the number of migrations. A file
// is SQL text that makes the database, with rows in every table. It is never changed.
const schemas = "testdata/schema"

// What the databases hold.
const (
	said     = "The walrus project ships on Tuesday."
	asked    = "When does the gate open?"
	waiting  = "Which door is the narrow one?"
	document = "The gate opens at nine in the morning, except on holidays."

	missedSince = 1789981200000
)

var key = memory.Key{Platform: "console", Workspace: "local", Channel: "terminal", Thread: "main"}

// TestUpgrade opens a database of every released schema with this program: it is
// whole, nothing is lost, what was pending is done, what was said is found.
func TestUpgrade(t *testing.T) {
	files, err := filepath.Glob(filepath.Join(schemas, "*.sql"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) {
			t.Parallel()
			path := filepath.Join(t.TempDir(), "old.db")
			load(t, file, path)
			before := rows(t, path)
			store, err := memory.Open(t.Context(), path)
			if err != nil {
				t.Fatal(err)
			}
			defer store.Close()
			checkWhole(t, path)
			checkRows(t, before, rows(t, path))
			checkQueue(t, store)
			checkMemory(t, store)
			checkDocuments(t, store)
		})
	}
}

// TestTheSchemaIsKept wants a file of the schema that this program makes.
func TestTheSchemaIsKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new.db")
	fill(t, path)
	file := filepath.Join(schemas, fmt.Sprintf("%02d.sql", schemaOf(t, path)))
	_, err := os.Stat(file)
	switch {
	case err == nil && *update:
		t.Fatalf("%s is there already: databases like it may exist, so it stays as it is", file)
	case err == nil:
	case *update:
		if err := os.WriteFile(file, []byte(dump(t, path)), 0o644); err != nil {
			t.Fatal(err)
		}
	default:
		t.Fatalf("no %s: make it, once the migrations are final, with go test ./memory -run TestTheSchemaIsKept -update", file)
	}
}

// TestANewDatabaseIsAsTheMigrationsLeaveIt compares the tables that a new database is made with, all at once, with
// those that the migrations make one by one.
func TestANewDatabaseIsAsTheMigrationsLeaveIt(t *testing.T) {
	made := func(options ...memory.OpenOption) (tables, notes string) {
		path := filepath.Join(t.TempDir(), "new.db")
		store, err := memory.Open(t.Context(), path, options...)
		if err != nil {
			t.Fatal(err)
		}
		if err := store.Close(); err != nil {
			t.Fatal(err)
		}
		db := open(t, path)
		defer db.Close()
		return objects(t, db, "tbl_name NOT LIKE 'bun%'"), strings.Join(column(t, db, "SELECT name FROM bun_migrations ORDER BY id"), "\n")
	}
	want, wantNotes := made(memory.ByMigrations)
	if *update {
		if err := os.WriteFile("migrations/sqlite_schema.sql", []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, gotNotes := made()
	if got != want {
		t.Errorf("a new database has other tables than the migrations make; write migrations/sqlite_schema.sql with go test ./memory -run %s -update", t.Name())
	}
	if gotNotes != wantNotes {
		t.Errorf("noted as run:\n%s\nnot\n%s", gotNotes, wantNotes)
	}
}

func checkWhole(t *testing.T, path string) {
	t.Helper()
	db := open(t, path)
	if found := column(t, db, "PRAGMA integrity_check"); !slices.Equal(found, []string{"ok"}) {
		t.Errorf("integrity: %q", found)
	}
	if found := column(t, db, `SELECT "table" || ' ' || rowid FROM pragma_foreign_key_check`); len(found) > 0 {
		t.Errorf("foreign keys: %q", found)
	}
}

// checkRows fails for every row of before that is not in after with the values it had.
func checkRows(t *testing.T, before, after map[string][]map[string]string) {
	t.Helper()
	for _, table := range slices.Sorted(maps.Keys(before)) {
		if len(before[table]) == 0 {
			t.Errorf("%s has no rows", table)
		}
		for _, old := range before[table] {
			table, old := moved(table, old)
			if !slices.ContainsFunc(after[table], func(row map[string]string) bool {
				for name, value := range old {
					if row[name] != value {
						return false
					}
				}
				return true
			}) {
				t.Errorf("%s has lost or changed %v", table, old)
			}
		}
	}
}

// moved is the row that a migration has made of one, in which table.
func moved(table string, row map[string]string) (string, map[string]string) {
	row = maps.Clone(row)
	switch {
	case table == "outbox" && slices.Contains([]string{"'erased'", "'closed'", "'retried'", "'title'"}, row["payload"]):
		row["kind"], row["payload"] = row["payload"], "''"
	case table == "facts" && row["superseded_by"] != "0":
		row["valid_to"] = "0"
	case table == "revisions":
		row["text"] = "''"
	case table == "ledgers" && row["json"] != "''": // a column each
		var kept map[string]any
		if json.Unmarshal([]byte(strings.Trim(row["json"], "'")), &kept) != nil {
			return table, row
		}
		row["json"] = "''"
		for name, value := range kept {
			if text, ok := value.(string); ok {
				value = "'" + text + "'"
			}
			row[name] = fmt.Sprint(value)
		}
	case table == "settings" && row["name"] == "'missed since'":
		platform, part, _ := strings.Cut(strings.TrimPrefix(row["scope"], "'platform:"), "/")
		return "cursors", map[string]string{"platform": "'" + platform + "'", "part": "'" + part, "at": strings.Trim(row["value"], "'")}
	}
	return table, row
}

// checkQueue fails unless the posts that are due are the ones that were, a turn that had
// begun can be ended, and a message that had waited can be answered.
func checkQueue(t *testing.T, s *memory.Store) {
	t.Helper()
	ctx := t.Context()
	due, err := s.Queue.OutboxDue(ctx, 20)
	if err != nil {
		t.Fatal(err)
	}
	changes := map[string]bool{}
	for _, o := range due {
		changes[o.Nonce] = o.Changes()
	}
	if want := map[string]bool{"page": false, "erased": true, "closed": true, "retried": true, "title/1": true}; !maps.Equal(changes, want) {
		t.Errorf("posts that are due: %v, want %v", changes, want)
	}
	for _, o := range due {
		if err := s.Queue.OutboxFinish(ctx, o, "ref of "+o.Nonce, ""); err != nil {
			t.Error(err)
		}
	}
	if due, err = s.Queue.OutboxDue(ctx, 20); err != nil || len(due) > 0 {
		t.Errorf("delivered posts are due again: %v %v", due, err)
	}
	if quick, err := s.Queue.InboxCommands(ctx, 20); err != nil || len(quick) != 1 || quick[0].EventID != "command" {
		t.Errorf("commands: %v %v", quick, err)
	}

	if err := errors.Join(s.Queue.ResetLeases(ctx), s.Queue.ResetDelays(ctx)); err != nil {
		t.Fatal(err)
	}
	texts := map[string]bool{}
	for range 2 {
		turn := claim(t, s)
		m, err := s.Message(ctx, turn.Rows[0].MessageID)
		if err != nil {
			t.Fatal(err)
		}
		texts[m.Text] = turn.Resumed
		if m.Text == asked && turn.Post.Payload != answerOf(turn.Rows[0], m) {
			t.Errorf("the answer that was to be posted is %q", turn.Post.Payload)
		}
		_, err = s.Queue.FinishTurn(ctx, &turn.Lease, memory.Answer{Outbox: turn.Post.ID, Ref: "ref", Inbox: []int64{turn.Rows[0].ID},
			Interactions: []int64{m.InteractionID}, State: memory.InteractionClosed,
			Message: memory.Message{SessionID: m.SessionID, ChannelID: m.ChannelID, InteractionID: m.InteractionID, Text: "Done."}})
		if err != nil {
			t.Error(err)
		}
	}
	if want := map[string]bool{asked: true, waiting: false}; !maps.Equal(texts, want) {
		t.Errorf("turns over %v, want %v", texts, want)
	}
	if _, more, err := s.Queue.NextTurnAt(ctx); err != nil || more {
		t.Errorf("a message still waits (%v)", err)
	}
}

// checkMemory fails unless what was said is found and what was made of it is there.
func checkMemory(t *testing.T, s *memory.Store) {
	t.Helper()
	ctx := t.Context()
	session, err := s.SessionByKey(ctx, key)
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.Audience(ctx, session.ID, 1)
	if err != nil {
		t.Fatal(err)
	}
	found, err := s.Search(ctx, a, "walrus project", 1)
	if err != nil || len(found) != 1 || found[0].Message.Text != said {
		t.Errorf("search: %v %v", found, err)
	}
	snapshot, err := s.Snapshot(ctx, session.ID)
	if err != nil || session.Watermark == 0 || snapshot.Watermark != session.Watermark || !strings.Contains(snapshot.Rendered, "CSV") {
		t.Errorf("snapshot: %+v %v", snapshot, err)
	}
	if history, err := s.History(ctx, session.ID, 1<<40); err != nil || history.Snapshot == nil || len(history.Messages) == 0 {
		t.Errorf("history: %+v %v", history, err)
	}
	if _, err := s.Erase(ctx, key, "filler 4", 0); err != nil {
		t.Fatal(err)
	}
	facts, err := s.Views.Facts(ctx, session.ID)
	if err != nil || !slices.ContainsFunc(facts, func(f memory.Known) bool { return strings.Contains(f.Text, "Item 3") }) {
		t.Errorf("what the last item of the inventory had replaced: %+v %v", facts, err)
	}
	if q, err := s.Queue.OpenQuestion(ctx, session.ID); err != nil || len(q.Options) != 2 || q.Options[1].Query != "the second report" {
		t.Errorf("question: %+v %v", q, err)
	}
	if given, err := s.Views.CountFeedback(ctx); err != nil || given["helpful"] != 1 {
		t.Errorf("feedback: %v %v", given, err)
	}
	if value, err := s.Setting(ctx, "channel:1", "follow"); err != nil || value != "thread" {
		t.Errorf("setting: %q %v", value, err)
	}
	if at, err := s.Cursor(ctx, "discord", "shard 0"); err != nil || at != missedSince {
		t.Errorf("cursor: %d %v", at, err)
	}
	if _, err := s.Queue.Receive(ctx, incoming("new", "Is the walrus well?", false)); err != nil {
		t.Errorf("a new message: %v", err)
	}
}

// checkDocuments fails unless the document is found, quoted and erased as a new one would be.
func checkDocuments(t *testing.T, s *memory.Store) {
	t.Helper()
	ctx := t.Context()
	a, err := s.Audience(ctx, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	x := &docs.Index{Store: s}
	found, err := x.Search(ctx, docs.Scope{Audience: a}, "When does the gate open?", 1)
	if err != nil || len(found) != 1 || found[0].Text != document {
		t.Fatalf("passages: %+v %v", found, err)
	}
	c, err := x.Verify(ctx, docs.Citation{DocumentID: found[0].DocumentID, Page: 1, Quote: "opens at nine"})
	if err != nil || c.Document != "gate.txt" {
		t.Errorf("citation: %+v %v", c, err)
	}
	if err := x.Remove(ctx, a, found[0].DocumentID); err != nil {
		t.Errorf("remove: %v", err)
	}
}

// The payloads of rows, as package bot stores them.
const (
	consoleKey     = `{"platform":"console","workspace":"local","channel":"terminal","thread":"main"}`
	consoleChannel = `{"ID":0,"Platform":"console","Workspace":"local","Channel":"terminal","Name":"terminal","Kind":"dm","External":false,"UpdatedAt":0}`
	consoleAuthor  = `{"id":"me","name":"Ada","kind":"human","admin":true,"time_zone":"UTC"}`

	requestPayload = `{"id":"asked","kind":"message","key":` + consoleKey + `,"channel":` + consoleChannel + `,"author":` + consoleAuthor +
		`,"message":"asked","at":1790000000000,"mention":true,"reply":{"key":` + consoleKey + `,"reply_to":"asked","event":"asked","asker":"me"}}`
	commandPayload = `{"id":"command","kind":"command","key":` + consoleKey + `,"channel":` + consoleChannel + `,"author":` + consoleAuthor +
		`,"message":"command","at":1790000000000,"mention":true,"command":"memory status","reply":{"key":` + consoleKey + `,"reply_to":"command","event":"command","asker":"me"}}`
	pagePayload = `{"to":{"key":` + consoleKey + `},"out":{"nonce":"page","kind":"reply","text":"Page 1",` +
		`"file":{"nonce":"page","name":"page.png","media":"image/png","data":"cG5n","text":"Page 1","document":1}}}`
	understood    = `{"is_ambiguous":false,"rewritten_query":"When does the gate open?","possible_interpretations":["the gate"],"clarifying_questions":["Which gate?"],"method":"rule","reason":"There is one."}`
	ledger        = `{"model_calls":1,"prompt_tokens":900,"completion_tokens":40,"cached_tokens":100,"system_tokens":500,"document_tokens":300,"route":"documents","model":"test-model","millis":1200}`
	answerPayload = `{"to":{"key":` + consoleKey + `,"reply_to":"asked","event":"asked","asker":"me"},` +
		`"out":{"nonce":"%[4]s","kind":"reply","text":"It opens at nine [1].","language":"en","question":{"text":"Which gate?","options":[{"label":"North","action":"choice/token/0"}]},` +
		`"citations":[{"n":1,"document":"gate.txt","link":"https://example.org/gate","page":1,"quote":"opens at nine"}],"buttons":[{"label":"Retry","action":"retry/x"}],"feedback":true,` +
		`"understanding":` + understood + `,"ledger":` + ledger + `},` +
		`"record":{"rows":[%[1]d],"interactions":[%[2]d],"state":"closed","text":"It opens at nine [1].","reply_to":%[3]d,"interaction":%[2]d,"understanding":{"%[3]d":` + understood + `},"ledger":` + ledger + `,` +
		`"citations":[{"n":1,"document":1,"page":1,"quote":"opens at nine"}]}}`
)

// fill makes a database at path with rows in every table.
func fill(t *testing.T, path string) {
	t.Helper()
	ctx := t.Context()
	s, err := memory.Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2026, 9, 21, 9, 0, 0, 0, time.UTC).UnixMilli()
	s.Now = func() int64 { now += 1000; return now }
	s.Policy = memory.Policy{Threshold: 800, Window: 4, WindowShare: 45, SummaryShare: 50}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	must(s.SetGuest(ctx, memory.Key{Platform: "test", Workspace: "w", Channel: "lounge"}, "gus", true))
	say := func(id, text string, answer bool) *memory.Received {
		t.Helper()
		r, err := s.Queue.Receive(ctx, incoming(id, text, answer))
		must(err)
		return r
	}
	// What is folded.
	for i, text := range []string{said, "I prefer CSV for all exports.", "We decided to use Postgres for the queue.", "The badge code is 7Q-114.", "I need to call the landlord tomorrow."} {
		say(fmt.Sprintf("early %d", i), text, false)
	}
	for i := range 8 {
		say(fmt.Sprintf("filler %d", i), fmt.Sprintf("Item %d of the inventory was counted twice and found in its place on shelf %d.", i, i*7), false)
	}
	_, err = s.ScheduleCompaction(ctx, say("last of them", "That was the inventory.", false).Session.ID, "")
	must(err)
	compact(t, s)
	// A document that came with a message, and an answer that cites it and asks back.
	in := incoming("with file", "Here is the notice at the gate.", true)
	in.Files = []memory.File{{PlatformID: "f1", Name: "gate.txt", Media: "text/plain", Size: int64(len(document)), Locator: "/gate.txt", Link: "https://example.org/gate"}}
	brought, err := s.Queue.Receive(ctx, in)
	must(err)
	x := &docs.Index{Store: s}
	d, err := x.Add(ctx, docs.Upload{Session: brought.Session, MessageID: brought.Message.ID, PersonID: brought.Person.ID, Name: "gate.txt", Data: strings.NewReader(document)}, nil)
	must(err)
	files, err := s.WaitingFiles(ctx, brought.Session.ID)
	must(err)
	must(s.SetFileResult(ctx, files[0].ID, d.ID, memory.FileRead, ""))
	turn := claim(t, s)
	m, err := s.Queue.FinishTurn(ctx, &turn.Lease, memory.Answer{Outbox: turn.Post.ID, Ref: "ref of the answer", Posts: []string{"p1", "p2"}, Inbox: []int64{turn.Rows[0].ID},
		State: memory.InteractionClosed,
		Message: memory.Message{SessionID: turn.SessionID, ChannelID: brought.Session.ChannelID, InteractionID: brought.Message.InteractionID,
			Text: "The gate opens at nine [1]. Which report do you mean?", ReplyTo: brought.Message.ID},
		Whole:         "The gate opens at nine [1]. Which report do you mean?",
		Understanding: map[int64]memory.Understanding{brought.Message.ID: {RewrittenQuery: "gate", Method: "rule"}},
		Ledger:        memory.Ledger{ModelCalls: 1, Route: "documents", Model: "test-model"},
		Citations:     []memory.Citation{{N: 1, DocumentID: d.ID, Page: 1, Quote: "opens at nine"}},
		Question: &memory.Question{InteractionID: brought.Message.InteractionID, MessageID: brought.Message.ID, PersonID: brought.Person.ID, Token: "token",
			Text: "Which report do you mean?", Options: []memory.Option{{Label: "First", Query: "the first report"}, {Label: "Second", Query: "the second report"}}}})
	must(err)
	must(s.SetFeedback(ctx, memory.Feedback{Channel: m.ChannelID, Nonce: turn.Post.Nonce, Person: brought.Person.ID, Value: "helpful", At: now}))
	must(s.SetCursor(ctx, "discord", "shard 0", missedSince))
	must(s.Spend(ctx, memory.Spending{Day: memory.Day(now), PersonID: brought.Person.ID, ChannelID: m.ChannelID, Model: "small", Purpose: "answer", Calls: 1, PromptTokens: 900, CompletionTokens: 80}))
	_, err = s.Suspect(ctx, []memory.Suspicion{{Key: key, PlatformID: "early 1", Needs: 2, CreatedAt: now}})
	must(err)
	must(s.SetSetting(ctx, "channel:1", "follow", "thread"))
	_, err = s.Edit(ctx, key, "filler 7", "Item 7 was counted once.")
	must(err)
	_, err = s.Erase(ctx, key, "deleted before it came", 0)
	must(err)
	must(s.KeepFindings(ctx, &memory.Findings{ContentID: d.ContentID, Hash: "f00d", Page: 1}, []memory.Finding{{Page: 1, Claim: "It has a page.", Quote: "a page of it"}}))
	// A post that shows a message.
	look := incoming("look", "", false)
	look.Message, look.Kind, look.Command = nil, "command", true
	given, err := s.Queue.Receive(ctx, look)
	must(err)
	_, err = s.Queue.InboxCloseCommand(ctx, given.Inbox.ID, &memory.Outbox{SessionID: turn.SessionID, Nonce: "look", Payload: "{}", Shows: memory.Shown{Messages: []int64{m.ID}}})
	must(err)
	looked, err := s.Queue.OutboxByNonce(ctx, "look")
	must(err)
	must(s.Queue.OutboxFinish(ctx, looked, "ref of look", ""))
	// Posts that are due.
	for _, o := range []memory.Outbox{
		{Nonce: "erased", Kind: memory.PostErased, MessageID: m.ID, Ref: "ref of the answer"},
		{Nonce: "closed", Kind: memory.PostQuestionClosed, MessageID: m.ID, Ref: "ref of the answer"},
		{Nonce: "retried", Kind: memory.PostRetried, MessageID: m.ID, Ref: "ref of the answer"},
		{Nonce: "title/1", Kind: memory.PostTitle},
		{Nonce: "page", Payload: pagePayload, DocumentID: d.ID},
	} {
		o.SessionID = turn.SessionID
		_, err = s.Queue.OutboxAdd(ctx, o)
		must(err)
	}
	// A command, a message that waits, and a turn whose answer was about to be posted.
	command := incoming("command", "", false)
	command.Message, command.Kind, command.Command, command.Payload = nil, "command", true, commandPayload
	_, err = s.Queue.Receive(ctx, command)
	must(err)
	in = incoming("asked", asked, true)
	in.Payload = requestPayload
	r, err := s.Queue.Receive(ctx, in)
	must(err)
	turn = claim(t, s)
	turn.Post.Payload = answerOf(turn.Rows[0], r.Message)
	must(s.Queue.OutboxMakeReady(ctx, &turn.Lease, turn.Post))
	in = incoming("waiting", waiting, true)
	in.Key.Thread, in.Payload = "side", strings.NewReplacer("asked", "waiting", `"main"`, `"side"`).Replace(requestPayload)
	_, err = s.Queue.Receive(ctx, in)
	must(err)
	must(s.SecureErase(ctx))
	must(s.Close())
	for table, found := range rows(t, path) {
		if len(found) == 0 {
			t.Fatalf("no row in %s: let fill store one", table)
		}
	}
}

// answerOf is what was to be posted for a row that asks m.
func answerOf(row *memory.Inbox, m *memory.Message) string {
	return fmt.Sprintf(answerPayload, row.ID, m.InteractionID, m.ID, nonceOf(row))
}

func incoming(id, text string, answer bool) memory.Incoming {
	return memory.Incoming{Platform: key.Platform, EventID: id, Kind: "message", Key: key,
		Channel: memory.Channel{Name: "terminal", Kind: memory.DM}, Person: memory.Person{PlatformID: "me", Name: "Ada", Admin: true, TimeZone: "UTC"},
		Message: &memory.Message{PlatformID: id, Role: memory.User, Author: "Ada", Text: text}, Answer: answer}
}

func claim(t *testing.T, s *memory.Store) *memory.Turn {
	t.Helper()
	turn, err := s.Queue.ClaimTurn(t.Context(), memory.TurnClaim{Owner: "worker", TTL: time.Minute, Burst: memory.Burst{Rows: 8}, Nonce: nonceOf})
	if err != nil || turn == nil {
		t.Fatal(turn, err)
	}
	return turn
}

// nonceOf names the post that answers a row as package bot does.
func nonceOf(row *memory.Inbox) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d/%s/%s", row.ID, row.Platform, row.EventID))
	return "tk" + hex.EncodeToString(sum[:10])
}

func compact(t *testing.T, s *memory.Store) {
	t.Helper()
	for {
		j, err := s.ClaimCompaction(t.Context(), "worker", time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if j == nil {
			return
		}
		made := memory.Extract(j.Slice)
		if _, err := s.CommitCompaction(t.Context(), j, made); err != nil {
			t.Fatal(err)
		}
	}
}

// open is the database at path, beside the program.
func open(t *testing.T, path string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", "file:"+path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	return db
}

// column is the only column of what a query finds.
func column(t *testing.T, db *sql.DB, query string, args ...any) []string {
	t.Helper()
	found, err := db.QueryContext(context.Background(), query, args...)
	if err != nil {
		t.Fatalf("%s: %v", query, err)
	}
	defer found.Close()
	var all []string
	for found.Next() {
		var v string
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

func load(t *testing.T, file, path string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := open(t, path).Exec(string(text)); err != nil {
		t.Fatalf("%s: %v", file, err)
	}
}

func schemaOf(t *testing.T, path string) int {
	t.Helper()
	return len(column(t, open(t, path), "SELECT name FROM bun_migrations"))
}

// ownTables are the tables that hold rows of their own: not those of an index.
const ownTables = `type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE '%\_fts\_%' ESCAPE '\'`

// tables are those of a database, but for the locks of migrations, which are held while one runs.
func tables(t *testing.T, db *sql.DB) []string {
	return column(t, db, `SELECT name FROM sqlite_master WHERE name <> 'bun_migration_locks' AND `+ownTables+` ORDER BY rowid`)
}

// columns are those of a table, in order.
func columns(t *testing.T, db *sql.DB, table string) []string {
	return column(t, db, `SELECT name FROM pragma_table_info(?) ORDER BY cid`, table)
}

// rows are all rows of every table, by column, as SQL writes the values.
func rows(t *testing.T, path string) map[string][]map[string]string {
	t.Helper()
	db := open(t, path)
	defer db.Close()
	all := map[string][]map[string]string{}
	for _, table := range tables(t, db) {
		all[table] = nil
		names := columns(t, db, table)
		for _, row := range column(t, db, fmt.Sprintf(`SELECT quote("%s") FROM %s ORDER BY rowid`, strings.Join(names, `") || char(31) || quote("`), table)) {
			values := map[string]string{}
			for i, value := range strings.Split(row, "\x1f") {
				values[names[i]] = value
			}
			all[table] = append(all[table], values)
		}
	}
	return all
}

// dump is SQL text that makes the database at path.
func dump(t *testing.T, path string) string {
	t.Helper()
	db := open(t, path)
	defer db.Close()
	var b strings.Builder
	b.WriteString(objects(t, db, "TRUE"))
	for _, table := range tables(t, db) {
		names := columns(t, db, table)
		for _, row := range column(t, db, fmt.Sprintf(`SELECT quote("%s") FROM %s ORDER BY rowid`, strings.Join(names, `") || ', ' || quote("`), table)) {
			fmt.Fprintf(&b, "INSERT INTO %s VALUES (%s);\n", table, row)
		}
	}
	return b.String()
}

// objects are the statements that make the tables, indexes and triggers of which a condition is true, and what the
// full-text indexes are set to.
func objects(t *testing.T, db *sql.DB, condition string) string {
	t.Helper()
	var b strings.Builder
	for _, object := range column(t, db, `SELECT sql FROM sqlite_master WHERE sql <> '' AND NOT (type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%' AND NOT (`+ownTables+`)) AND `+condition+`
		ORDER BY type <> 'table', type <> 'index', rowid`) {
		fmt.Fprintf(&b, "%s;\n", object)
	}
	for _, index := range column(t, db, `SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE % USING fts5 %' ORDER BY rowid`) {
		for _, set := range column(t, db, `SELECT k || ''', ' || quote(v) FROM `+index+`_config WHERE k <> 'version' ORDER BY k`) {
			fmt.Fprintf(&b, "INSERT INTO %s (%[1]s, rank) VALUES ('%s);\n", index, set)
		}
	}
	return b.String()
}
