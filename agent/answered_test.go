package agent

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"threadkeeper/memory"
)

// record keeps what the last reply answers, as the bot does.
func (k *talk) record() *memory.Message {
	k.t.Helper()
	m := new(memory.Message)
	err := k.store.Write(k.t.Context(), func(ctx context.Context, tx bun.Tx) error {
		if err := tx.NewSelect().Model(m).Where("role = ?", memory.Assistant).OrderExpr("id DESC").Limit(1).Scan(ctx); err != nil {
			return err
		}
		_, err := tx.NewRaw(`INSERT INTO ledgers (message_id, json, answers) VALUES (?, '{}', ?)`, m.ID, k.last.Ledger.Answers).Exec(ctx)
		return err
	})
	if err != nil {
		k.t.Fatal(err)
	}
	return m
}

// TestTheSameQuestionIsAnsweredOnce: who opens another conversation with it gets the answer that stands, with its link; it goes
// with that answer, and nobody gets it who may not see it, who asks of other documents, or for whom it may be another.
func TestTheSameQuestionIsAnsweredOnce(t *testing.T) {
	k := newTalk(t, `when /text:\nHow much (?:does the crane lift|may it lift).*\n/:
say: ANSWER
  It lifts 40 tonnes [d1 p1 "The crane lifts 40 tonnes"].

otherwise:
say: ANSWER
  Something else.`)
	k.link = func(key memory.Key, message string) string { return "https://chat.example/" + key.Thread }
	d := k.document("crane.txt", "The crane lifts 40 tonnes since 2025.")
	share := func(shared bool) {
		t.Helper()
		err := k.store.Write(t.Context(), func(ctx context.Context, tx bun.Tx) error {
			_, err := tx.NewUpdate().Model((*memory.Document)(nil)).Set("shared = ?", shared).Where("id = ?", d.ID).Exec(ctx)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	share(true)
	const question = "How much does the crane lift in 2025?"
	r := k.turn("Ada", question, ChoiceNone)
	if r.Ledger.Answers == "" || len(r.Citations) != 1 {
		t.Fatalf("%+v", r)
	}
	first := k.record()

	k.thread++
	r = k.turn("Bob", "how much does the crane lift in 2025", ChoiceNone)
	if r.Ledger.ModelCalls != 0 || r.Text != "Answered before, on [1 March 2026](https://chat.example/t0):\n\nIt lifts 40 tonnes [1]." || len(r.Citations) != 1 || r.Citations[0].DocumentID != d.ID {
		t.Errorf("%+v", r)
	}
	if len(r.Rests.Messages) != 1 || r.Rests.Messages[0] != first.ID || r.Ledger.Answers != "" {
		t.Errorf("it does not go with the first answer: %+v, %q", r.Rests, r.Ledger.Answers)
	}
	for _, other := range []string{"How much does the crane lift today?", "How much did the crane lift last week?", "How much does the crane lift for me?", "How much does the crane lift?"} {
		k.thread++
		if r := k.turn("Bob", other, ChoiceNone); r.Ledger.ModelCalls != 1 {
			t.Errorf("%q: %+v", other, r)
		}
	}
	if r := k.turn("Bob", question, ChoiceNone); r.Ledger.ModelCalls != 1 {
		t.Errorf("after something was said: %+v", r)
	}
	k.thread++
	k.person("Bob")
	k.document("other.txt", "The press is blue.")
	if r := k.turn("Bob", question, ChoiceNone); r.Ledger.ModelCalls != 1 {
		t.Errorf("beside another document: %+v", r)
	}
	k.channel++
	k.kind = memory.DM
	k.person("Eve")
	copied := &memory.Document{ContentID: d.ContentID, SessionID: k.session.ID, ChannelID: k.session.ChannelID, Name: "crane.txt", State: memory.DocumentReady}
	err := k.store.Write(t.Context(), func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewInsert().Model(copied).ExcludeColumn("id").Returning("id").Exec(ctx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if r := k.turn("Eve", question, ChoiceNone); r.Ledger.ModelCalls != 1 || strings.Contains(r.Text, "before") {
		t.Errorf("where it may not be told: %+v", r)
	}
}

// TestAnAnswerFromPartOfAFileIsNotGivenAgain: more of it may be read by then. That of a scan which was read is, and says once that it
// was.
func TestAnAnswerFromPartOfAFileIsNotGivenAgain(t *testing.T) {
	const question = "How much does the crane lift in 2025?"
	for _, tt := range []struct {
		set, note string
		again     bool
	}{
		{`UPDATE contents SET pages = 72`, "read 1 of 72 pages", false},
		{`UPDATE pages SET scanned = TRUE, boxes = x'00'`, "read from a scan: p. 1", true},
	} {
		k := newTalk(t, "otherwise:\nsay: ANSWER\n  It lifts 40 tonnes [d1 p1 \"The crane lifts 40 tonnes\"].")
		d := k.document("crane.txt", "The crane lifts 40 tonnes since 2025.")
		k.write(func(ctx context.Context, tx bun.Tx) error {
			if _, err := tx.NewUpdate().Model((*memory.Document)(nil)).Set("shared = ?", true).Where("id = ?", d.ID).Exec(ctx); err != nil {
				return err
			}
			_, err := tx.NewRaw(tt.set).Exec(ctx)
			return err
		})
		r := k.turn("Ada", question, ChoiceNone)
		if strings.Count(r.Text, tt.note) != 1 || (r.Ledger.Answers != "") != tt.again {
			t.Errorf("%q: %q, %q", tt.note, r.Text, r.Ledger.Answers)
		}
		k.record()
		k.thread++
		if r = k.turn("Bob", question, ChoiceNone); strings.Count(r.Text, tt.note) != 1 || strings.Contains(r.Text, "Answered before") != tt.again {
			t.Errorf("asked again, %q: %q", tt.note, r.Text)
		}
	}
}

// TestWhatNamesARequest: its words with their signs, the names of the documents, the model and the settings.
func TestWhatNamesARequest(t *testing.T) {
	k := newTalk(t, "otherwise:\nsay: x")
	d := k.document("crane.txt", "The crane lifts 40 tonnes since 2025.")
	names, instructions := map[string]string{}, ""
	key := func(what, text string) {
		t.Helper()
		k.thread++
		r := k.read("Ada", text)
		r.library, r.turn.Instructions = library{d}, instructions
		for _, name := range []string{r.answers(), r.hashOfRequest()} {
			if other := names[name]; other != "" || name == "" {
				t.Errorf("%s is named as %s", what, other)
			}
			names[name] = what
			if instructions != "" || what == "CLARIFY" {
				break
			}
		}
	}
	for _, text := range []string{"Is the crane written in C++?", "Is the crane written in C#?", "Which cranes lift >3 tonnes?", "Which cranes lift <3 tonnes?",
		"Which crane stands at -5 degrees?", "Which crane stands at 5 degrees?", "Is the crane paid in $?", "Is the crane paid in €?"} {
		key(text, text)
	}
	const text = "How much does the crane lift in 2025?"
	key("a request", text)
	k.chain.Name = "another"
	key("another model", text)
	d.Name = "lift.txt"
	key("another name", text)
	k.chain.Clarify = ClarifyAlways
	key("CLARIFY", text)
	instructions = "Be brief."
	key("instructions", text)
	var same []string
	for _, spelling := range []string{text, " how much does the Crane lift in 2025 "} {
		k.thread++
		r := k.read("Bob", spelling)
		r.library = library{d}
		same = append(same, r.answers())
	}
	if same[0] != same[1] || same[0] == "" {
		t.Errorf("the same request is named %q", same)
	}
}

// heard closes its channel once its message is logged.
type heard struct {
	slog.Handler
	message string
	once    *sync.Once
	came    chan struct{}
}

func (h heard) Enabled(context.Context, slog.Level) bool { return true }

func (h heard) Handle(_ context.Context, l slog.Record) error {
	if l.Message == h.message {
		h.once.Do(func() { close(h.came) })
	}
	return nil
}

// TestTheSameQuestionAtOnceWaitsForItsAnswer: asked in nine other threads while the first is still being answered it is answered
// from there, without a call; where the first comes to nothing the others are answered by themselves.
func TestTheSameQuestionAtOnceWaitsForItsAnswer(t *testing.T) {
	for _, recorded := range []bool{true, false} {
		k := newTalk(t, "otherwise:\nsay: ANSWER\n  It lifts 40 tonnes [d1 p1 \"The crane lifts 40 tonnes\"].")
		waits := heard{slog.DiscardHandler, msgSameAsked, new(sync.Once), make(chan struct{})}
		k.chain.Asking, k.chain.Log = new(Asking), slog.New(waits)
		d := k.document("crane.txt", "The crane lifts 40 tonnes since 2025.")
		err := k.store.Write(t.Context(), func(ctx context.Context, tx bun.Tx) error {
			_, err := tx.NewUpdate().Model((*memory.Document)(nil)).Set("shared = ?", true).Where("id = ?", d.ID).Exec(ctx)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		ask := func(ctx context.Context, who string) func() (*Reply, error) {
			m, person := k.say(who, "How much does the crane lift in 2025?"), k.person(who)
			audience, err := k.store.Audience(ctx, k.session.ID, person.ID)
			if err != nil {
				t.Fatal(err)
			}
			turn := Turn{Session: k.session, Audience: audience, Person: person, Messages: []*memory.Message{m}, Choice: ChoiceNone, Now: k.now}
			return func() (*Reply, error) { return k.chain.Respond(ctx, turn, nil) }
		}
		first, end := context.WithCancel(t.Context())
		defer end()
		if k.last, err = ask(first, "Ada")(); err != nil || k.last.Ledger.ModelCalls != 1 {
			t.Fatalf("%+v, %v", k.last, err)
		}
		later := k.now.Add(time.Hour).UnixMilli() // k.now goes on while they read the clock
		k.store.Now = func() int64 { return later }
		replies := make(chan *Reply, 9)
		for range cap(replies) {
			k.thread++
			k.person("Bob")
			turn, done := context.WithCancel(t.Context())
			other := ask(turn, "Bob")
			go func() {
				defer done()
				r, err := other()
				if err != nil {
					t.Error(err)
				}
				replies <- r
			}()
		}
		<-waits.came
		k.thread = 0
		k.person("Ada")
		if recorded {
			k.say("bot", k.last.Text)
			k.record()
		}
		end()
		calls := 1
		if recorded {
			calls = 0
		}
		for range cap(replies) {
			if r := <-replies; r == nil || r.Ledger.ModelCalls != calls || !strings.Contains(r.Text, "It lifts 40 tonnes [1].") {
				t.Errorf("recorded %t: %+v", recorded, r)
			}
		}
	}
}
