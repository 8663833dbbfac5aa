package slack

import (
	"context"
	"testing"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/memory"
)

// agentStage is a stage whose app has the agent view.
func agentStage(t *testing.T) *stage {
	s := newStage(t, fakeslack.Options{AgentView: true})
	s.a.AgentView = true
	return s
}

func (s *stage) wantSession(status string) {
	s.t.Helper()
	if got := s.Session(s.channel, s.root); got != status {
		s.t.Errorf("Slack shows %q, want %q", got, status)
	}
}

func (s *stage) working() {
	s.t.Helper()
	if err := s.a.Status(s.t.Context(), s.to, ""); err != nil {
		s.t.Fatal(err)
	}
	s.wantSession("processing")
}

// TestSlackShowsThatWeAreAtWork: whatever a turn ends with, Slack takes its own sign that
// we are at work away, which it would show for an hour.
func TestSlackShowsThatWeAreAtWork(t *testing.T) {
	t.Parallel()
	for name, turn := range map[string]func(*stage){
		"a post": func(s *stage) { s.working(); s.working(); s.post(s.to, reply("done")) },
		"a sorry": func(s *stage) {
			s.working()
			s.post(s.to, platform.Outgoing{Nonce: "tk1", Kind: platform.KindError, Text: "sorry"})
		},
		"an edit": func(s *stage) {
			ref := s.post(s.to, reply("before"))
			s.working()
			if _, err := s.a.Edit(t.Context(), ref, reply("done")); err != nil {
				t.Fatal(err)
			}
		},
		"a stream":               func(s *stage) { s.done(s.stream(s.to, "one two "), reply("one two three")) },
		"a stream after a while": func(s *stage) { s.working(); s.done(s.stream(s.to, "one two "), reply("one two three")) },
		"a stream that expired": func(s *stage) {
			live := s.stream(s.to, "one two ")
			s.ExpireStreams()
			s.done(live, reply("one two three"))
		},
		"a stream that a person stopped": func(s *stage) {
			live := s.stream(s.to, "one two ")
			s.StopStreams(s.ada, s.channel, s.root)
			s.wantSession("processing") // Slack leaves that to us
			s.done(live, reply("one two\n\nStopped."))
		},
		"an end that Slack answers later": func(s *stage) {
			s.working()
			s.Break(fakeslack.Fault{Kind: fakeslack.Limit, After: time.Second, Methods: []string{setSessionStatus}})
			s.post(s.to, reply("done"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := agentStage(t)
			turn(s)
			s.wantSession("active")
			if s.a.limits.reserved.count(setSessionStatus, time.Now()) != 0 {
				t.Error("a request is still reserved")
			}
		})
	}
}

// TestASessionIsSuspendedWhileAQuestionWaits, posted at once or behind a stream, until its answer is worked on.
func TestASessionIsSuspendedWhileAQuestionWaits(t *testing.T) {
	t.Parallel()
	ask := reply("Which one?")
	ask.Question = &platform.Question{Text: "Which one?", Options: []platform.Button{{Label: "Red", Action: "q:x:0"}, {Label: "Green", Action: "q:x:1"}}}
	for name, turn := range map[string]func(*stage){
		"a post":   func(s *stage) { s.working(); s.post(s.to, ask) },
		"a stream": func(s *stage) { s.working(); s.done(s.stream(s.to, "Which "), ask) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := agentStage(t)
			turn(s)
			s.wantSession("suspended")
			s.working()
			s.post(s.to, reply("red"))
			s.wantSession("active")
		})
	}
}

// TestAsidesDoNotEndATurn: the answer of a command may come while a turn
// goes on in its thread.
func TestAsidesDoNotEndATurn(t *testing.T) {
	t.Parallel()
	s := agentStage(t)
	s.working()
	s.post(s.to, platform.Outgoing{Nonce: "tk1", Kind: platform.KindNotice, Text: "beside"})
	s.wantSession("processing")
}

// TestSlacksStopButton: Slack tells that it was pressed, and leaves the rest to us.
func TestSlacksStopButton(t *testing.T) {
	t.Parallel()
	for name, ev := range map[string]platform.Event{
		"stop":       {Kind: platform.EventClick, Action: platform.StopAction},
		"a deletion": {Kind: platform.EventDelete, Message: "1700000000.000100"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := agentStage(t)
			s.working()
			in := &intake{a: s.a, handler: platform.Handler{Receive: func(context.Context, platform.Event) error { return nil }}}
			ev.Key = s.to.Key
			if err := in.receive(t.Context(), &ev); err != nil {
				t.Fatal(err)
			}
			in.a.tasks.all.Wait()
			s.wantSession("active")
		})
	}
}

// TestTitles: a session has its own title; without one Slack keeps the title of an assistant thread.
func TestTitles(t *testing.T) {
	t.Parallel()
	for name, agent := range map[string]bool{"an agent": true, "no agent": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, fakeslack.Options{AgentView: agent})
			s.a.AgentView = true
			dm := s.DM(s.ada)
			key := memory.Key{Channel: dm, Thread: s.Say(fakeslack.Said{User: s.ada, Channel: dm, Text: "plans"})}
			for i, text := range []string{"the *plans*\nfor May", ""} {
				if i == 1 {
					if err := s.a.Status(t.Context(), platform.Address{Key: key}, ""); err != nil {
						t.Fatal(err)
					}
				}
				if err := s.a.Retitle(t.Context(), key, text, "Unterhaltung"); err != nil {
					t.Fatal(err)
				}
				if got, want := s.Title(dm, key.Thread), []string{"the *plans*", "Unterhaltung"}[i]; got != want {
					t.Errorf("%d: titled %q, want %q", i, got, want)
				}
			}
			renames, older := len(s.Requests("agents.sessions.rename")), len(s.Requests("assistant.threads.setTitle"))
			if renames != 2 || older != map[bool]int{true: 1, false: 2}[agent] {
				t.Errorf("%d and %d requests", renames, older)
			}
		})
	}
}

func TestAnAppWithoutSessions(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	s.post(s.to, reply("x"))
	s.done(s.stream(s.to, "one two "), reply("one two three"))
	if n := len(s.Requests(setSessionStatus)); n != 0 {
		t.Errorf("asked %d times without a reason", n)
	}
	s.a.AgentView = true // by setting only
	for range 3 {
		if err := s.a.Status(t.Context(), s.to, "x"); err != nil {
			t.Fatal(err)
		}
	}
	live := s.stream(s.to, "one two ")
	s.ExpireStreams()
	s.done(live, reply("one two three"))
	if n := len(s.Requests(setSessionStatus)); n != 1 {
		t.Errorf("asked %d times for what the app does not have", n)
	}
	if n := len(s.Requests("assistant.threads.setStatus")); n != 3 {
		t.Errorf("%d status lines, want 3", n)
	}
}
