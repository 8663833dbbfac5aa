package console

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// TestThreadList lists the threads from one of them, and from one in which nothing was said yet; not those of one run.
func TestThreadList(t *testing.T) {
	store, err := memory.Open(t.Context(), filepath.Join(t.TempDir(), "t.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	s := Seat{Store: store}
	if list, err := s.threads(t.Context()); err != nil || list != noThreads {
		t.Errorf("before anything was said: %q, %v", list, err)
	}
	for _, name := range []string{"", "roaster", NewRunID()} {
		if _, _, err := store.Locate(t.Context(), Key(name), Channel(), memory.Person{}); err != nil {
			t.Fatal(err)
		}
	}
	elsewhere := memory.Key{Platform: "slack", Workspace: "T1", Channel: "C1", Thread: "1.2"}
	if _, _, err := store.Locate(t.Context(), elsewhere, memory.Channel{Kind: memory.Public}, memory.Person{}); err != nil {
		t.Fatal(err)
	}
	for at, want := range map[string][]string{
		"":        {"- main (this one), last used", "- roaster, last used"},
		"roaster": {"- main, last used", "- roaster (this one), last used"},
		"new":     {"- main, last used", "- roaster, last used"},
	} {
		s.Thread = at
		list, err := s.threads(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range want {
			if !strings.Contains(list, line) {
				t.Errorf("from thread %q: no %q in\n%s", at, line, list)
			}
		}
		if n := strings.Count(list, "\n"); n != len(want) {
			t.Errorf("from thread %q: %d threads, want %d:\n%s", at, n, len(want), list)
		}
	}
}

// TestStoppedAnswerIsShownOnce: a post after a cut stream continues where the screen stopped.
func TestStoppedAnswerIsShownOnce(t *testing.T) {
	var out strings.Builder
	c := &Chat{waiting: runPrefix + "x:1", run: runPrefix + "x", screen: &screen{out: &out, width: func() int { return 80 }}}
	to := platform.Address{Event: c.waiting}
	s, err := c.Stream(t.Context(), to, "n")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Append(t.Context(), "One paragraph.\n\nAnother that"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Edit(t.Context(), s.Ref(), platform.Outgoing{Text: "One paragraph.\n\nAnother that\n\nStopped."}); err != nil {
		t.Fatal(err)
	}
	stays := strings.Replace(out.String(), "Another that…\r\x1b[J", "", 1) // shown while it grew
	for _, part := range []string{"One paragraph.", "Another that", "Stopped."} {
		if n := strings.Count(stays, part); n != 1 {
			t.Errorf("%q is shown %d times in %q", part, n, out.String())
		}
	}
	// Another text than the one that grew is shown whole.
	out.Reset()
	if _, err := c.Edit(t.Context(), s.Ref(), platform.Outgoing{Text: "Something else."}); err != nil || !strings.Contains(out.String(), "Something else.") {
		t.Errorf("got %q, %v", out.String(), err)
	}
}

// TestTheTerminalAsksBeforeItForgets types y, and all that is not y.
func TestTheTerminalAsksBeforeItForgets(t *testing.T) {
	store, err := memory.Open(t.Context(), filepath.Join(t.TempDir(), "t.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	for typed, want := range map[string]string{"y": "forget:1:x:yes", "Oui ": "forget:1:x:yes", "": "forget:1:x:no", "/quit": "forget:1:x:no"} {
		var out strings.Builder
		var sent []platform.Event
		c := &Chat{Seat: Seat{Store: store}, run: runPrefix + "x", screen: &screen{out: &out, width: func() int { return 80 }},
			interrupts: make(chan os.Signal, 2), Drain: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
			read: func(bool) (string, error) { return typed, nil }}
		c.handler.Receive = func(ctx context.Context, ev platform.Event) error {
			sent = append(sent, ev)
			m := platform.Outgoing{Kind: platform.KindCommand, Text: "Done."}
			if ev.Kind == platform.EventCommand {
				m.Text, m.Confirm = "This erases 3 messages.", "/memory forget --yes"
				m.Buttons = []platform.Button{{Label: "Erase", Action: "forget:1:x:yes"}, {Label: "Keep", Action: "forget:1:x:no"}}
			}
			_, err := c.Post(ctx, ev.Reply, m)
			return err
		}
		c.commands = []platform.Command{{Name: "memory forget"}}
		if err := c.say(t.Context(), "/memory forget"); err != nil {
			t.Fatal(err)
		}
		if len(sent) != 2 || sent[1].Kind != platform.EventClick || sent[1].Action != want {
			t.Errorf("after %q: %+v, want %s", typed, sent, want)
		}
		if shown := out.String(); !strings.Contains(shown, "erases 3") || !strings.Contains(shown, "Erase? [y/N]") || !strings.Contains(shown, "Done.") {
			t.Errorf("shown: %q", shown)
		}
	}
}

// touring is a chat about to begin the tour, shown in out.
func touring(t *testing.T, out io.Writer) *Chat {
	store, err := memory.Open(t.Context(), filepath.Join(t.TempDir(), "t.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	sample := filepath.Join(t.TempDir(), "sample.pdf")
	if err := os.WriteFile(sample, []byte("%PDF-"), 0o600); err != nil {
		t.Fatal(err)
	}
	return &Chat{Seat: Seat{Store: store}, run: runPrefix + "x", screen: &screen{out: out, width: func() int { return 80 }}, interrupts: make(chan os.Signal, 2),
		Samples: func() (string, string, error) { return sample, sample, nil }}
}

// TestTheTourEndsWithoutItsDocument when Ctrl-C stops the reading of it.
func TestTheTourEndsWithoutItsDocument(t *testing.T) {
	var out strings.Builder
	stopped := make(chan struct{})
	c := touring(t, &out)
	c.Drain = func(context.Context) error { <-stopped; return nil }
	c.read = func(bool) (string, error) {
		t.Error("it asks for the next step")
		return "/quit", nil
	}
	c.handler.Receive = func(_ context.Context, e platform.Event) error {
		if e.Command == "stop" {
			close(stopped)
		}
		return nil
	}
	c.interrupts <- os.Interrupt
	if err := c.tour(t.Context()); err != nil || !strings.Contains(out.String(), "The tour is over") {
		t.Errorf("%v %s", err, out.String())
	}
}

// TestTheTourShowsNoPageOfNothing: what refers to a citation or a question comes only after one.
func TestTheTourShowsNoPageOfNothing(t *testing.T) {
	for _, m := range []platform.Outgoing{{Text: "Nobody says."}, {Text: "It does [1].", Citations: []memory.Citation{{N: 1, Document: "sample.pdf"}}, Question: &platform.Question{Text: "Which?"}}} {
		var out strings.Builder
		c := touring(t, &out)
		c.Drain = func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() }
		c.read = func(bool) (string, error) { return "", nil }
		c.handler.Receive = func(ctx context.Context, e platform.Event) error {
			_, err := c.Post(ctx, e.Reply, m)
			return err
		}
		if err := c.tour(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, step := range []string{"/page [1]", "Answer by number"} {
			if shown := strings.Contains(out.String(), step); shown != (m.Question != nil) {
				t.Errorf("after %q the tour shows %q: %v\n%s", m.Text, step, shown, out.String())
			}
		}
	}
}
