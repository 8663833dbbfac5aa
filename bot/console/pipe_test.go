package console

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// echo is a bot that answers every event once, with what it was sent.
type echo struct {
	pipe *Pipe
	seen map[string]bool
	sent []platform.Event
	fail error // returned once by receive
}

func (e *echo) receive(ctx context.Context, ev platform.Event) error {
	if err := e.fail; err != nil {
		e.fail = nil
		return err
	}
	if e.seen[ev.ID] {
		return nil
	}
	e.seen[ev.ID] = true
	e.sent = append(e.sent, ev)
	m := platform.Outgoing{Nonce: "n" + ev.ID, Kind: platform.KindReply, Text: "re: " + ev.Text}
	if ev.Kind == platform.EventCommand {
		m.Kind, m.Text = platform.KindCommand, ev.Command+"("+ev.Args+")"
	}
	if ev.Text == "silence" {
		return nil
	}
	s, err := e.pipe.Stream(ctx, ev.Reply, m.Nonce)
	if err != nil {
		return err
	}
	if err := s.Append(ctx, "re: "); err != nil {
		return err
	}
	_, err = s.Close(ctx, m)
	return err
}

func newPipe(t *testing.T, in string) (*Pipe, *echo, *bytes.Buffer) {
	t.Helper()
	store, err := memory.Open(t.Context(), filepath.Join(t.TempDir(), "t.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	out := &bytes.Buffer{}
	s := &Pipe{Seat: Seat{Store: store, Author: platform.Author{ID: "me"}, Dir: t.TempDir()}, ID: "r", JSON: true, In: strings.NewReader(in),
		Out: out, Err: &bytes.Buffer{}, Drain: func(context.Context) error { return nil }}
	return s, &echo{pipe: s, seen: map[string]bool{}}, out
}

var registry = []platform.Command{{Name: "memory search"}, {Name: "help"}}

func (e *echo) run(t *testing.T) error {
	return e.pipe.Run(t.Context(), platform.Handler{Receive: e.receive}, registry)
}

func objects(t *testing.T, out string) (all []Object) {
	t.Helper()
	for _, l := range strings.Split(strings.TrimSpace(out), "\n") {
		var o Object
		if err := json.Unmarshal([]byte(l), &o); err != nil {
			t.Fatalf("%s: %v", l, err)
		}
		all = append(all, o)
	}
	return all
}

func TestPipeAnswersEveryLine(t *testing.T) {
	long := strings.Repeat("x", maxText+1)
	s, e, out := newPipe(t, "one\r\n\n/memory search  a b\n"+long+"\n/nothing\nsilence\n /slash\ncaf\xe9\n/quit\nnever\n")
	s.Attach = []string{"pipe_test.go"}
	if err := e.run(t); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, o := range objects(t, out.String()) {
		code := ""
		if o.Error != nil {
			code = *o.Error
		}
		got = append(got, strings.Join([]string{o.ID, string(o.Kind), code}, " "))
	}
	want := []string{"r:1 reply ", "r:3 command ", "r:4 error too_long", "r:5 error unknown_command", "r:6 error no_answer", "r:7 reply ", "r:8 error not_text"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got %q\nwant %q", got, want)
	}
	if len(e.sent) != 4 || len(e.sent[0].Files) != 1 || e.sent[0].Files[0].PlatformID != "r:attach:1" || len(e.sent[3].Files) != 0 {
		t.Errorf("sent %+v", e.sent)
	}
	if e.sent[1].Command != "memory search" || e.sent[1].Args != "a b" {
		t.Errorf("command %q, args %q", e.sent[1].Command, e.sent[1].Args)
	}
}

// TestPipeTakesTheTerminalsWords for a new thread and the end.
func TestPipeTakesTheTerminalsWords(t *testing.T) {
	_, e, out := newPipe(t, "one\n/new\ntwo\n/clear other\nthree\n/exit\nnever\n")
	if err := e.run(t); err != nil {
		t.Fatal(err)
	}
	var threads []string
	for _, ev := range e.sent {
		threads = append(threads, ev.Key.Thread)
	}
	if len(threads) != 3 || threads[0] == threads[1] || threads[2] != "other" {
		t.Errorf("in threads %q, said %s", threads, out)
	}
}

// TestPipeAnswersWhatWaits: what another run was asked and did not answer is answered first, also where nothing follows.
func TestPipeAnswersWhatWaits(t *testing.T) {
	s, e, out := newPipe(t, "")
	s.Drain = func(ctx context.Context) error {
		return e.receive(ctx, s.message("killed:7", "still there?", nil))
	}
	if err := e.run(t); err != nil {
		t.Fatal(err)
	}
	if got := objects(t, out.String()); len(got) != 1 || got[0].ID != "killed:7" || got[0].Line != 0 || got[0].Text != "re: still there?" {
		t.Errorf("%s", out)
	}
}

func TestPipeObjectHasEveryField(t *testing.T) {
	_, e, out := newPipe(t, "hello\n")
	if err := e.run(t); err != nil {
		t.Fatal(err)
	}
	want := `{"id":"r:1","line":1,"kind":"reply","text":"re: hello","question":null,"citations":[],` +
		`"understanding":{"is_ambiguous":false,"rewritten_query":"","possible_interpretations":[],"clarifying_questions":[],"method":""},` +
		`"ledger":{"model_calls":0,"prompt_tokens":0,"completion_tokens":0,"route":""},` +
		`"checks":{"verified":0,"unchecked":0,"left_out":[]},` +
		`"memory":{"context_tokens":0,"threshold":10000,"compactions":0,"messages":0},"error":null}` + "\n"
	if out.String() != want {
		t.Errorf("got  %swant %s", out, want)
	}
}

func TestPipeContinues(t *testing.T) {
	s, e, out := newPipe(t, "one\ntwo\n")
	s.In = strings.NewReader("one\n/thread new other\ntwo\n")
	// The first process ends after line 3 was answered and before it is printed.
	crash := errors.New("crash")
	drains := 0
	s.Drain = func(context.Context) error {
		if drains++; drains == 3 { // the first is for what waits
			return crash
		}
		return nil
	}
	if err := e.run(t); !errors.Is(err, crash) {
		t.Fatalf("got %v", err)
	}
	if got := objects(t, out.String()); len(got) != 2 {
		t.Fatalf("before the crash: %s", out)
	}
	out.Reset()
	s.Thread = ""
	s.In = strings.NewReader("one\n/thread new other\ntwo\nthree\n")
	if err := e.run(t); err != nil {
		t.Fatal(err)
	}
	got := objects(t, out.String())
	if len(got) != 2 || got[0].ID != "r:3" || got[0].Text != "re: two" || got[1].ID != "r:4" {
		t.Errorf("after the crash: %s", out)
	}
	if len(e.sent) != 3 || e.sent[2].Key.Thread != "other" {
		t.Errorf("sent %+v", e.sent)
	}
}

func TestPipeFindsWhatItDelivered(t *testing.T) {
	s, e, _ := newPipe(t, "one\n")
	if err := e.run(t); err != nil {
		t.Fatal(err)
	}
	for nonce, want := range map[string]bool{"nr:1": true, "other": false, "": false} {
		if _, found, err := s.Find(t.Context(), platform.Address{Event: "r:1"}, nonce); err != nil || found != want {
			t.Errorf("nonce %q: found %v, %v", nonce, found, err)
		}
	}
	kept, err := s.Store.Setting(t.Context(), "run:r", "r:1")
	if err != nil || strings.Contains(kept, "one") {
		t.Errorf("a printed answer stays behind: %s, %v", kept, err)
	}
}

func TestPipePrintsTextWithoutJSON(t *testing.T) {
	s, e, out := newPipe(t, "one\n\x1b[31mtwo\n")
	s.JSON = false
	if err := e.run(t); err != nil {
		t.Fatal(err)
	}
	if out.String() != "re: one\nre: [31mtwo\n" {
		t.Errorf("got %q", out)
	}
}

func TestPipeSavesAnUpload(t *testing.T) {
	s, _, _ := newPipe(t, "")
	if _, err := s.Upload(t.Context(), platform.Address{Event: "r:1"}, platform.Upload{Nonce: "n", Name: "page.png", Data: []byte("x"), Text: "Page 3"}); err != nil {
		t.Fatal(err)
	}
	e, err := s.spool().get(t.Context(), "r:1")
	if err != nil || e.Answer == nil || e.Answer.Text != "Page 3\nSaved "+filepath.Join(s.Dir, "page.png") {
		t.Errorf("got %+v, %v", e.Answer, err)
	}
}

func TestPipeEndsWhenTheStoreFails(t *testing.T) {
	_, e, out := newPipe(t, "one\ntwo\n")
	e.fail = errors.New("disk full")
	if err := e.run(t); !errors.Is(err, e.fail) && (err == nil || !strings.Contains(err.Error(), "disk full")) {
		t.Errorf("got %v", err)
	}
	if out.Len() > 0 {
		t.Errorf("printed %s", out)
	}
}

func TestAsTextNumbersOptions(t *testing.T) {
	q := &platform.Question{Text: "Which one?", Options: []platform.Button{{Label: "A"}, {Label: "Just answer"}}}
	for text, want := range map[string]string{
		"Which one?": "Which one?\n1. A\n2. Just answer\n", "": "Which one?\n1. A\n2. Just answer\n",
	} {
		if got := asText(platform.Outgoing{Text: text, Question: q}); got != want {
			t.Errorf("got %q", got)
		}
	}
}

// TestPipeChecksAFile sends the text of a file to be checked, or asks for a check of the last answer.
func TestPipeChecksAFile(t *testing.T) {
	dir := t.TempDir()
	answer := filepath.Join(dir, "answer.md")
	if err := os.WriteFile(answer, []byte("The rent is high.\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s, bot, out := newPipe(t, "/check\n/check "+answer+"\n/check "+filepath.Join(dir, "none.md")+"\n")
	if err := s.Run(t.Context(), platform.Handler{Receive: bot.receive}, nil); err != nil {
		t.Fatal(err)
	}
	if len(bot.sent) != 2 || bot.sent[0].Text != "check this" || bot.sent[1].Text != "check this:\nThe rent is high.\n" || !strings.Contains(out.String(), "there is no file") {
		t.Errorf("sent %+v, said %s", bot.sent, out)
	}
}

// TestPipeAsksAQuestion sends a question as one message, whatever it looks like, and reads no lines.
func TestPipeAsksAQuestion(t *testing.T) {
	s, e, out := newPipe(t, "never read\n")
	s.Question = "/two\nlines?"
	s.Attach = []string{"pipe_test.go"}
	if err := e.run(t); err != nil {
		t.Fatal(err)
	}
	if len(e.sent) != 1 || e.sent[0].Text != s.Question || e.sent[0].Kind != platform.EventMessage || len(e.sent[0].Files) != 1 {
		t.Errorf("sent %+v", e.sent)
	}
	if got := objects(t, out.String()); len(got) != 1 || got[0].Line != 1 {
		t.Errorf("printed %s", out)
	}
}

// TestPipeOutcome: a question ends as its answer does; of lines only an attachment that could not be read is told.
func TestPipeOutcome(t *testing.T) {
	for _, c := range []struct {
		question string
		answer   platform.Outgoing
		want     error
	}{
		{"How?", platform.Outgoing{Kind: platform.KindReply, Text: "So."}, nil},
		{"How?", platform.Outgoing{Kind: platform.KindReply, Text: "So.", Error: "model_down"}, ErrPartly},
		{"How?", platform.Outgoing{Kind: platform.KindReply, Text: "So.", Error: platform.ErrorUnreadable}, ErrPartly},
		{"How?", platform.Outgoing{Kind: platform.KindError, Text: "Not so.", Error: "model_down"}, ErrUnanswered},
		{"", platform.Outgoing{Kind: platform.KindReply, Text: "So.", Error: "model_down"}, nil},
		{"", platform.Outgoing{Kind: platform.KindReply, Text: "So.", Error: platform.ErrorUnreadable}, ErrPartly},
	} {
		s, _, _ := newPipe(t, "a line\n")
		s.Question = c.question
		err := s.Run(t.Context(), platform.Handler{Receive: func(ctx context.Context, ev platform.Event) error {
			_, err := s.Post(ctx, ev.Reply, c.answer)
			return err
		}}, registry)
		if err != nil || s.Outcome() != c.want {
			t.Errorf("%q answered with %+v: outcome %v, want %v (%v)", c.question, c.answer, s.Outcome(), c.want, err)
		}
	}
}

// TestAQuestionsAnswerIsPrintedOnDelivery, once, however long it takes to record it; an object waits, since it tells of the memory then.
func TestAQuestionsAnswerIsPrintedOnDelivery(t *testing.T) {
	for _, json := range []bool{false, true} {
		s, _, out := newPipe(t, "")
		s.Question, s.JSON = "How?", json
		delivered := ""
		err := s.Run(t.Context(), platform.Handler{Receive: func(ctx context.Context, ev platform.Event) error {
			ref, err := s.Post(ctx, ev.Reply, platform.Outgoing{Kind: platform.KindReply, Text: "So.", Nonce: "n"})
			delivered = out.String()
			if again, found, lost := s.Find(ctx, ev.Reply, "n"); !found || again != ref {
				t.Errorf("not found: %q, %v", again, lost)
			}
			_, repeated := s.Post(ctx, ev.Reply, platform.Outgoing{Kind: platform.KindReply, Text: "So.", Nonce: "n"})
			return errors.Join(err, repeated)
		}}, registry)
		if err != nil || (delivered == "So.\n") == json || strings.Count(out.String(), "So.") != 1 {
			t.Errorf("JSON %v: %q, then %q, %v", json, delivered, out, err)
		}
	}
}

func TestAsTextEndsWithItsSources(t *testing.T) {
	got := asText(platform.Outgoing{Text: "It costs €38,700 [1], and comes in June [B2].\n", Citations: []memory.Citation{
		{N: 2, Letter: "B", Document: "plan.pdf", Page: 3, Quote: "in\nJune"}, {N: 1, Document: "report.pdf", Page: 6, Quote: "for \x1b€38,700"}}})
	want := "It costs €38,700 [1], and comes in June [B2].\n\n[1] report.pdf, page 6: \"for €38,700\"\n[B2] plan.pdf, page 3: \"in June\"\n"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestAPipeSaysWhatACommandMeant(t *testing.T) {
	for text, want := range map[string]string{
		"thread list": "/thread list works at a terminal only.",
		"tour":        "/tour works at a terminal only.",
		"threads":     "There is no command /threads. Did you mean /thread list?",
		"lst":         "There is no command /lst. Did you mean /docs list, /thread list?",
		"memroy show": "There is no command /memroy show. Did you mean /memory show?",
		"frobnicate":  "There is no command /frobnicate. /help lists them; to begin a message with /, put a space before it.",
	} {
		if got := unknownCommand(say.Commands("en"), text).Text; got != want {
			t.Errorf("/%s: %q, want %q", text, got, want)
		}
	}
}
