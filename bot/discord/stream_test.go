package discord

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"time"

	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
)

// paced lets time pass by itself, so that no test waits for the pace of edits.
func (s *stage) paced() *fakeClock {
	c := &fakeClock{at: time.Now()}
	s.a.limits.clock = c.now
	s.a.limits.sleep = func(ctx context.Context, d time.Duration) error {
		if d < editInterval/2 { // a limit of the server, which keeps its own time
			if err := kit.Pause(ctx, d); err != nil {
				return err
			}
		}
		return c.sleep(ctx, d)
	}
	return c
}

func TestAStreamGrowsByEdits(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	clock := s.paced()
	to := s.ask("Stream?")
	m := reply("")
	st, err := s.a.Stream(t.Context(), to, m.Nonce)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 6 {
		if err := st.Append(t.Context(), fmt.Sprintf("Sentence %d. ", i)); err != nil {
			t.Fatal(err)
		}
		clock.pass(editInterval / 2)
		m.Text += fmt.Sprintf("Sentence %d. ", i)
	}
	got := s.ours(to.Key.Thread)
	if len(got) != 1 || !strings.Contains(got[0].Content, "Sentence 4.") || st.Ref() == "" {
		t.Fatalf("growing: %+v", got)
	}
	if action, _ := readCustomID(got[0].Components[0].Components[0].CustomID); action != platform.StopAction {
		t.Errorf("button %q under what grows", action)
	}
	if n := s.Calls("PATCH /channels/{channel}/messages/{message}"); n != 2 {
		t.Errorf("%d edits for six pieces in half the pace, want 2", n)
	}
	m.Text += "The end."
	ref, err := st.Close(t.Context(), m)
	if err != nil || ref != st.Ref() {
		t.Fatal(ref, err)
	}
	s.same(to.Key.Thread, strings.TrimSpace(m.Text))
	if n := len(s.ours(to.Key.Thread)[0].Components); n != 0 {
		t.Errorf("%d rows are left", n)
	}
}

func TestAStreamGrowsIntoFurtherMessages(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	clock := s.paced()
	to := s.ask("Stream?")
	m := reply("")
	st, _ := s.a.Stream(t.Context(), to, m.Nonce)
	var first string
	for i := range 30 {
		piece := fmt.Sprintf("Line %02d: %s\n", i, strings.Repeat("word ", 40))
		m.Text += piece
		if err := st.Append(t.Context(), piece); err != nil {
			t.Fatal(err)
		}
		clock.pass(editInterval)
		if texts := s.texts(to.Key.Thread); len(texts) == 2 && first == "" {
			first = texts[0]
		} else if len(texts) > 2 && texts[0] != first {
			t.Fatal("a message that is full changed")
		}
	}
	m.Feedback = true
	if _, err := st.Close(t.Context(), m); err != nil {
		t.Fatal(err)
	}
	texts := s.texts(to.Key.Thread)
	if len(texts) < 4 || strings.Count(strings.Join(texts, "\n"), "Line ") != 30 {
		t.Errorf("%d messages: %q", len(texts), texts)
	}
	for i, g := range s.ours(to.Key.Thread) {
		if (len(g.Components) > 0) != (i == len(texts)-1) {
			t.Errorf("message %d: %d rows", i, len(g.Components))
		}
	}
}

func TestTheFinalEditIsDeliveredAfterA429(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	clock := s.paced()
	to := s.ask("Stream?")
	st, _ := s.a.Stream(t.Context(), to, "tkstream")
	if err := st.Append(t.Context(), "One. "); err != nil {
		t.Fatal(err)
	}
	clock.pass(2 * editInterval)
	s.Break(fakediscord.Fault{Route: "PATCH /channels/{channel}/messages/{message}", Status: 429, RetryAfter: 8 * time.Second})
	if err := st.Append(t.Context(), "Two. "); err != nil {
		t.Errorf("an edit that is put off ends the stream: %v", err)
	}
	if _, err := st.Close(t.Context(), platform.Outgoing{Nonce: "tkstream", Text: "One. Two. Three."}); err != nil {
		t.Fatal(err)
	}
	s.same(to.Key.Thread, "One. Two. Three.")
}

func TestAStreamCutShortIsMadeWhole(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	clock := s.paced()
	to := s.ask("Stream?")
	m := reply("One. Two.")
	st, _ := s.a.Stream(t.Context(), to, m.Nonce)
	if err := st.Append(t.Context(), "One. "); err != nil {
		t.Fatal(err)
	}
	clock.pass(2 * editInterval)
	s.Break(fakediscord.Fault{Route: "PATCH /channels/{channel}/messages/{message}", Times: -1})
	if err := st.Append(t.Context(), "Two."); err == nil {
		t.Fatal("the connection was cut, but no error")
	}
	s.Mend()
	later := forgetful(s)
	ref, ok, err := later.Find(t.Context(), to, m.Nonce)
	if err != nil || !ok || ref != st.Ref() {
		t.Fatal(ref, ok, err)
	}
	if _, err := later.Edit(t.Context(), ref, m); err != nil {
		t.Fatal(err)
	}
	s.same(to.Key.Thread, "One. Two.")
}

func TestNothingIsPostedWithoutText(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to := s.ask("Stream?")
	st, _ := s.a.Stream(t.Context(), to, "tkstream")
	if err := st.Append(t.Context(), " \n"); err != nil || st.Ref() != "" || len(s.Threads(s.general)) > 0 {
		t.Errorf("white space: %v %q", err, st.Ref())
	}
	if _, err := st.Close(t.Context(), reply("Now.")); err != nil {
		t.Fatal(err)
	}
	s.same(to.Key.Thread, "Now.")
}

func TestAStatusBecomesTheAnswer(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to := s.ask("Read this")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if err := s.a.Status(ctx, to, "Reading <@1> report.pdf, page 34 of 150"); err != nil {
		t.Fatal(err)
	}
	until(t, "typing", func() bool { return s.Typing(s.general) > 0 })
	until(t, "the status", func() bool {
		texts := s.texts(to.Key.Thread)
		return len(texts) == 1 && texts[0] == "-# Reading \\<\u200b@1\\> report.pdf, page 34 of 150"
	})
	// A crash here leaves it to be found.
	if ref, ok, err := forgetful(s).Find(t.Context(), to, reply("").Nonce); err != nil || !ok || ref == "" {
		t.Errorf("the status is not found: %v %v", ok, err)
	}
	st, _ := s.a.Stream(ctx, to, reply("").Nonce)
	if err := st.Append(ctx, "It says"); err != nil {
		t.Fatal(err)
	}
	s.same(to.Key.Thread, "It says")
	if _, err := st.Close(ctx, reply("It says yes.")); err != nil {
		t.Fatal(err)
	}
	cancel()
	s.a.tasks.join()
	s.same(to.Key.Thread, "It says yes.")
}

func TestAStatusVanishesWithItsTurn(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to := s.ask("Read this")
	ctx, cancel := context.WithCancel(t.Context())
	if err := s.a.Status(ctx, to, "Reading"); err != nil {
		t.Fatal(err)
	}
	until(t, "the status", func() bool { return len(s.texts(to.Key.Thread)) == 1 })
	cancel()
	until(t, "the end of the status", func() bool { return len(s.texts(to.Key.Thread)) == 0 })
	s.a.tasks.join()
	typing := func() int { return s.Typing(s.general) + s.Typing(to.Key.Thread) }
	before := typing()                                             // it is shown again every eight seconds
	if err := s.a.Status(t.Context(), to, "Reading"); err != nil { // after Run has returned
		t.Fatal(err)
	}
	if n := typing(); before == 0 || n != before+1 {
		t.Errorf("typing shown %d times, before the end %d", n, before)
	}
}

// TestAStatusThatIsFoundBecomesTheAnswer: a turn that is taken again after a crash looks for its post, and finds the
// message that shows how far it is now. It is not taken back with the end of the turn.
func TestAStatusThatIsFoundBecomesTheAnswer(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to := s.ask("Read this")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	if err := s.a.Status(ctx, to, "Reading"); err != nil {
		t.Fatal(err)
	}
	until(t, "the status", func() bool { return len(s.texts(to.Key.Thread)) == 1 })
	ref, ok, err := s.a.Find(ctx, to, reply("").Nonce)
	if err != nil || !ok {
		t.Fatal(ok, err)
	}
	if _, err := s.a.Edit(ctx, ref, reply("It says yes.")); err != nil {
		t.Fatal(err)
	}
	cancel()
	s.a.tasks.join()
	s.same(to.Key.Thread, "It says yes.")
}

func TestARetriedTurnShowsItsStatusAgain(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to := s.ask("Read this")
	for range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		if err := s.a.Status(ctx, to, "Reading"); err != nil {
			t.Fatal(err)
		}
		until(t, "the status", func() bool { return len(s.texts(to.Key.Thread)) == 1 })
		cancel()
		until(t, "the end of the status", func() bool { return len(s.texts(to.Key.Thread)) == 0 })
	}
}

func TestAnAnswerOutlivesItsStatusMessage(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to := s.ask("Read this")
	if err := s.a.Status(t.Context(), to, "Reading"); err != nil {
		t.Fatal(err)
	}
	until(t, "the status", func() bool { return len(s.texts(to.Key.Thread)) == 1 })
	s.Delete(to.Key.Thread, s.ours(to.Key.Thread)[0].ID)
	s.post(to, reply("Read."))
	s.same(to.Key.Thread, "Read.")
}

// What grows says how to stop it in the language of what is answered.
func TestTheStopButtonSpeaksTheLanguage(t *testing.T) {
	for language, want := range map[string]string{"": "Stop", "de": "Anhalten", "fr": "Arrêter", "es": "Detener"} {
		row := growing(mark{nonce: "tk"}, language)[0].(discordgo.ActionsRow)
		if got := row.Components[0].(discordgo.Button).Label; got != want {
			t.Errorf("%q: %q, want %q", language, got, want)
		}
	}
}
