package memory

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"
)

// TestImportIsWhatWasExported: messages, erased ones, files, citations, ledgers, segments, facts, the snapshot and the
// folds, under the ids they had; and again beside other conversations, under others.
func TestImportIsWhatWasExported(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	post(t, s, "another", "first", User, "Bo", "Something else.") // so that no id begins at 1
	var r *Received
	for i := range 14 {
		r = post(t, s, "s", fmt.Sprint("u", i), User, "Ada", fmt.Sprintf("The code of door %d is K-%d.", i, i))
		post(t, s, "s", fmt.Sprint("a", i), Assistant, "", "Noted.")
	}
	answer := post(t, s, "s", "cited", Assistant, "", "It opens at nine [1].").Message
	if err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		d := Document{SessionID: r.Session.ID, ChannelID: r.Message.ChannelID, MessageID: r.Message.ID, Name: "gate.txt", State: DocumentReady}
		if _, err := tx.NewInsert().Model(&d).ExcludeColumn("id").Returning("id").Exec(ctx); err != nil {
			return err
		}
		f := File{SessionID: r.Session.ID, MessageID: r.Message.ID, PlatformID: "f1", Name: "gate.txt", Media: "text/plain", Size: 58, DocumentID: d.ID, Link: "https://example.org/gate", State: FileRead}
		c := Citation{MessageID: answer.ID, N: 1, DocumentID: d.ID, Page: 1, Quote: "opens at nine"}
		for _, row := range []any{&f, &c} {
			if _, err := tx.NewInsert().Model(row).ExcludeColumn("id").Exec(ctx); err != nil {
				return err
			}
		}
		return errors.Join(s.setUnderstanding(ctx, tx, r.Message.ID, Understanding{Method: "rule"}), setLedger(ctx, tx, answer.ID, Ledger{ModelCalls: 1, Route: "lookup"}))
	}); err != nil {
		t.Fatal(err)
	}
	fold(t, s, r.Session.ID)
	if _, err := s.Erase(ctx, r.Session.Key, "u1", 0); err != nil {
		t.Fatal(err)
	}
	compact(t, s) // what the erasure has made again
	exported := exportOf(t, s, r.Session.ID)
	for _, want := range []string{`"erased":true`, `"name":"gate.txt"`, `"quote":"opens at nine"`, `"route":"lookup"`, `"type":"snapshot"`, `"type":"fact"`, `"type":"compaction"`} {
		if !strings.Contains(exported, want) {
			t.Fatalf("no %s in\n%s", want, exported)
		}
	}

	who := func(name string) Person { return Person{PlatformID: name, Name: name} }
	empty := openTest(t)
	session, err := empty.Import(ctx, r.Session.Key, Channel{Kind: DM}, who, strings.NewReader(exported))
	if err != nil {
		t.Fatal(err)
	}
	if again := exportOf(t, empty, session.ID); again != exported {
		t.Errorf("%s", firstDifference(exported, again))
	}
	if _, err := empty.Import(ctx, r.Session.Key, Channel{Kind: DM}, who, strings.NewReader(exported)); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("twice into one thread: %v", err)
	}
	beside := r.Session.Key
	beside.Thread = "beside"
	second, err := empty.Import(ctx, beside, Channel{Kind: DM}, who, strings.NewReader(exported))
	if err != nil {
		t.Fatal(err)
	}
	if got := exportOf(t, empty, second.ID); strings.Count(got, "\n") != strings.Count(exported, "\n") || second.ID == session.ID {
		t.Errorf("beside itself:\n%s", got)
	}
}

// TestAnExportOfAnOlderProgram says of what was replaced since when it is: it comes back with what replaced it gone.
func TestAnExportOfAnOlderProgram(t *testing.T) {
	s, empty := openTest(t), openTest(t)
	r := folded(t, s, "The badge code is 7Q-114.", "The badge code is 8R-225.")
	if _, err := s.writer.Exec("UPDATE facts SET valid_to = (SELECT asserted_at FROM facts AS later WHERE later.id = facts.superseded_by) WHERE superseded_by > 0"); err != nil {
		t.Fatal(err)
	}
	exported := exportOf(t, s, r.Session.ID)
	session, err := empty.Import(t.Context(), r.Session.Key, Channel{Kind: DM}, func(name string) Person { return Person{PlatformID: name, Name: name} }, strings.NewReader(exported))
	if err != nil || !strings.Contains(exported, "valid_to") {
		t.Fatal(exported, err)
	}
	if _, err := empty.Erase(t.Context(), r.Session.Key, importedID(r.Session.Key, r.Message.ID), 0); err != nil {
		t.Fatal(err)
	}
	if got := textsOf(listed(t, empty, session.ID)); !slices.Equal(got, []string{"Ada: The badge code is 7Q-114."}) {
		t.Errorf("%q", got)
	}
}

// TestAnImportedForkContinuesItsParent, whichever of the two is imported first; another thread of the parent's name is not its past.
func TestAnImportedForkContinuesItsParent(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	first := post(t, s, "one", "m1", User, "Ada", "The fair opens on 14 May.")
	key := first.Session.Key
	key.Thread = "two"
	if err := s.Fork(ctx, first.Session.ID, first.Message.ID, key); err != nil {
		t.Fatal(err)
	}
	post(t, s, "one", "m2", User, "Ada", "Stand 12 is ours.")
	fork := post(t, s, "two", "m3", User, "Ada", "What do we know?")
	parts := map[string]string{"one": exportOf(t, s, first.Session.ID), "two": exportOf(t, s, fork.Session.ID)}

	who := func(name string) Person { return Person{PlatformID: name, Name: name} }
	take := func(t *testing.T, into *Store, thread string) *Session {
		t.Helper()
		key := first.Session.Key
		key.Thread = thread
		session, err := into.Import(ctx, key, Channel{Kind: DM}, who, strings.NewReader(parts[thread]))
		if err != nil {
			t.Fatal(err)
		}
		return session
	}
	want := []string{"The fair opens on 14 May.", "What do we know?"}
	for _, order := range [][]string{{"one", "two"}, {"two", "one"}} {
		into := openTest(t)
		sessions := map[string]*Session{}
		for n, thread := range order {
			sessions[thread] = take(t, into, thread)
			if again := exportOf(t, into, sessions[thread].ID); n == 0 && again != parts[thread] {
				t.Errorf("%s", firstDifference(parts[thread], again))
			}
		}
		if got := historyTexts(t, into, sessions["two"].ID); !slices.Equal(got, want) {
			t.Errorf("%v: the fork holds %q", order, got)
		}
	}
	other := openTest(t)
	post(t, other, "one", "x", User, "Bo", "Something else.")
	if got := historyTexts(t, other, take(t, other, "two").ID); !slices.Equal(got, want[1:]) {
		t.Errorf("beside another thread of that name: %q", got)
	}
}

// TestImportOfAWrongFileChangesNothing, and says which line it is.
func TestImportOfAWrongFileChangesNothing(t *testing.T) {
	s := openTest(t)
	key := Key{Platform: "test", Workspace: "w", Channel: "c", Thread: "t"}
	who := func(name string) Person { return Person{PlatformID: name, Name: name} }
	head, first := `{"type":"session","id":7}`, `{"type":"message","id":3,"interaction":1,"role":"user","author":"Ada","at":"2026-03-01T10:00:00Z","text":"one"}`
	for file, want := range map[string]string{
		first:                                   "line 1",
		head + "\n{":                            "line 2",
		head + "\n" + `{"type":"poem"}`:         `line 2: a "poem"`,
		head + "\n" + first + "\n" + first:      "line 3: the messages are not in their order at id 3",
		head + "\n" + `{"type":"message"}`:      "line 2: at",
		head + "\n" + first + "\n" + head:       "line 3",
		head + "\n" + `{"type":"segment"}`:      "line 2",
		head + "\n" + `{"type":"fact","at":""}`: "line 2: at",
	} {
		if _, err := s.Import(t.Context(), key, Channel{Kind: DM}, who, strings.NewReader(file)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", file, err)
		}
	}
	if _, err := s.SessionByKey(t.Context(), key); !errors.Is(err, ErrNotFound) {
		t.Errorf("a session stays: %v", err)
	}
}

func exportOf(t *testing.T, s *Store, session int64) string {
	t.Helper()
	a, err := s.Audience(t.Context(), session, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := s.Views.Export(t.Context(), a, session, &out); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// TestAnExportIsWrittenAsItIsRead, not gathered first: a conversation may be very long.
func TestAnExportIsWrittenAsItIsRead(t *testing.T) {
	s := openTest(t)
	r := said(t, s, "t", "m1", "hello", false)
	said(t, s, "t", "m2", "hello again", false)
	a, err := s.Audience(t.Context(), r.Session.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	written := stopping{stop: stop}
	if err := s.Views.Export(ctx, a, r.Session.ID, &written); !errors.Is(err, context.Canceled) || written.lines == 0 {
		t.Errorf("%d lines, then %v", written.lines, err)
	}
}

// stopping calls stop when it is first written to.
type stopping struct {
	lines int
	stop  func()
}

func (w *stopping) Write(p []byte) (int, error) {
	w.lines += bytes.Count(p, []byte("\n"))
	w.stop()
	return len(p), nil
}

func firstDifference(one, other string) string {
	a, b := strings.Split(one, "\n"), strings.Split(other, "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d was\n%s\nand is\n%s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines became %d", len(a), len(b))
}

// TestExportImportExportIsOneFile for each shape that a conversation has.
func TestExportImportExportIsOneFile(t *testing.T) {
	ada := Person{PlatformID: "U1", Name: "Ada"}
	say := func(t *testing.T, s *Store, key Key, id string, by Person, m Message) *Received {
		t.Helper()
		m.PlatformID, m.Author = id, by.Name
		r, err := s.Queue.Receive(t.Context(), Incoming{Platform: key.Platform, EventID: key.Channel + id, Kind: "message", Key: key, Channel: Channel{Kind: Private, Name: "ops"}, Person: by, Message: &m})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	slack := Key{Platform: "slack", Workspace: "T1", Channel: "C1", Thread: "1764000000.000100"}
	discord := Key{Platform: "discord", Workspace: "900", Channel: "901"}
	for name, test := range map[string]struct {
		key  Key
		talk func(t *testing.T, s *Store, key Key) *Session
	}{
		"facts, pins and corrections": {Key{"console", "local", "terminal", "main"}, func(t *testing.T, s *Store, key Key) *Session {
			r := say(t, s, key, "1", ada, Message{Role: User, Text: "We decided to launch on Friday."})
			for i, text := range []string{"The server is called Heron.", "My budget is 500 euros."} {
				if err := s.Remember(t.Context(), Note{Session: r.Session, Person: r.Person, ID: fmt.Sprint("n", i), Text: text, Corrects: int64(i)}); err != nil {
					t.Fatal(err)
				}
			}
			if _, err := s.PinFact(t.Context(), r.Session.ID, 2); err != nil {
				t.Fatal(err)
			}
			return r.Session
		}},
		"edits and deletions": {slack, func(t *testing.T, s *Store, key Key) *Session {
			var r *Received
			for i := range 14 {
				r = say(t, s, key, fmt.Sprint("u", i), ada, Message{Role: User, Text: fmt.Sprintf("The code of door %d is K-%d.", i, i)})
				say(t, s, key, fmt.Sprint("a", i), Person{}, Message{Role: Assistant, Text: "Noted."})
			}
			fold(t, s, r.Session.ID)
			if _, err := s.Edit(t.Context(), key, "u2", "The code of door 2 is K-99."); err != nil {
				t.Fatal(err)
			}
			if _, err := s.Erase(t.Context(), key, "u3", 0); err != nil {
				t.Fatal(err)
			}
			compact(t, s)
			if _, err := s.Edit(t.Context(), key, "u13", "The last door has no code."); err != nil {
				t.Fatal(err)
			}
			return r.Session
		}},
		"a channel of several people and programs": {discord, func(t *testing.T, s *Store, key Key) *Session {
			say(t, s, key, "1001", ada, Message{Role: User, Text: "Who can deploy “Ærø” today? <@U2>\n\n```go\nx := 1\n```"})
			say(t, s, key, "1002", Person{PlatformID: "U2", Name: "Bo 🚲"}, Message{Role: User, Text: "I can, at 14:30 \u202e."})
			say(t, s, key, "1003", Person{PlatformID: "B1", Name: "Deploys", Kind: Bot}, Message{Role: User, Text: "build 7 is green"})
			return say(t, s, key, "1004", Person{}, Message{Role: Assistant, Text: "Bo can, at 14:30."}).Session
		}},
	} {
		t.Run(name, func(t *testing.T) {
			s, empty := openTest(t), openTest(t)
			post(t, s, "another", "first", User, "Bo", "Something else.") // so that no id begins at 1
			exported := exportOf(t, s, test.talk(t, s, test.key).ID)
			session, err := empty.Import(t.Context(), test.key, Channel{Kind: Private, Name: "ops"}, func(name string) Person { return Person{PlatformID: name, Name: name} }, strings.NewReader(exported))
			if err != nil {
				t.Fatal(err)
			}
			if again := exportOf(t, empty, session.ID); again != exported {
				t.Errorf("%s", firstDifference(exported, again))
			}
		})
	}
}
