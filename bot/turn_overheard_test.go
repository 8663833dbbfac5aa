package bot_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

// group is a thread in which Ada has asked us something and Eve has spoken to her, in a world whose
// time passes for what waits alone.
func group(t *testing.T, test func(s *scene, at platformtest.Place)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		s := begin(t)
		at := s.say(general, "hello")
		s.settle()
		s.world.Say(platformtest.Said{Who: "Eve", At: at, Text: "hi Ada", ToOther: true})
		test(s, at)
	})
}

// bob has Bob say something in a thread and returns its id once it was received.
func (s *scene) bob(at platformtest.Place, text string, how platformtest.Said) string {
	s.t.Helper()
	how.Who, how.At, how.Text = "Bob", at, text
	id, _ := s.world.Say(how)
	until(s.t, "what Bob says", func() bool { return s.world.Pending() == 0 })
	return id
}

// sees fails unless all that people have seen so far are these texts, in order.
func (s *scene) sees(texts ...string) {
	s.t.Helper()
	if got := s.world.Traces(); !slices.Equal(got, texts) {
		s.t.Errorf("people see %q, want %q", got, texts)
	}
}

// TestACommandAmongPeopleIsOneOnlyForCertain: with a slash before it, or said to us.
func TestACommandAmongPeopleIsOneOnlyForCertain(t *testing.T) {
	group(t, func(s *scene, at platformtest.Place) {
		s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "and again", Mention: true})
		s.settle()
		seen := s.world.Traces()
		s.bob(at, "help", platformtest.Said{})
		s.settle()
		s.sees(seen...)
		s.bob(at, "/help", platformtest.Said{})
		s.says(at, "Bob", "/memory show")
	})
}

func TestPeopleWhoTalkToEachOtherAreLeftAlone(t *testing.T) {
	group(t, func(s *scene, at platformtest.Place) {
		s.bob(at, "lunch at noon?", platformtest.Said{})
		s.bob(at, "or at one", platformtest.Said{})
		s.settle()
		s.bob(at, "fail, please", platformtest.Said{}) // the model does
		s.settle()
		s.sees("You said: hello")
		if n := s.chain.Started(); n != 3 {
			t.Errorf("%d turns, want 3: one for each burst", n)
		}
		s.world.Command("Bob", at, "retry", "")
		s.says(at, "Bob", "nothing to retry")
	})
}

func TestAModelMaySpeakUpAmongPeople(t *testing.T) {
	group(t, func(s *scene, at platformtest.Place) {
		s.bob(at, "speak later, please", platformtest.Said{})
		until(t, "the turn", func() bool { return s.chain.Started() == 2 })
		time.Sleep(time.Second) // of the bubble: for a sign that it is worked on
		s.sees("You said: hello")
		close(s.chain.Go)
		s.settle()
		s.sees("You said: hello", "You said: speak later, please")
	})
}

func TestAMentionInTheBurstAsksForAllOfIt(t *testing.T) {
	group(t, func(s *scene, at platformtest.Place) {
		s.bob(at, "when does it ship", platformtest.Said{})
		s.bob(at, "can you tell", platformtest.Said{Mention: true})
		s.settle()
		s.sees("You said: hello", "You said: when does it ship / can you tell")
		if n := s.chain.Started(); n != 2 {
			t.Errorf("%d turns, want 2", n)
		}
	})
}

func TestABareMentionAfterSilenceMeansWhatWasSaid(t *testing.T) {
	group(t, func(s *scene, at platformtest.Place) {
		s.bob(at, "when does it ship", platformtest.Said{})
		s.settle()
		s.bob(at, "", platformtest.Said{Mention: true})
		s.settle()
		s.sees("You said: hello", "You said: when does it ship")
	})
}

func TestAnOverheardFileIsReadOnRequest(t *testing.T) {
	group(t, func(s *scene, at platformtest.Place) {
		s.bob(at, "here it is", platformtest.Said{Files: []platformtest.File{note}})
		s.settle()
		s.bob(at, "", platformtest.Said{Files: []platformtest.File{{Name: "other.txt", Data: note.Data}}})
		s.settle()
		s.sees("You said: hello")
		if n := s.chain.Started(); n != 2 {
			t.Errorf("%d turns, want 2: none about a file alone", n)
		}
		session, err := s.store.SessionByKey(s.t.Context(), s.world.Key(at))
		if err != nil {
			t.Fatal(err)
		}
		if files, err := s.store.WaitingFiles(s.t.Context(), session.ID); err != nil || len(files) != 2 {
			t.Errorf("%d files wait, %v", len(files), err)
		}
		s.bob(at, "documents", platformtest.Said{Mention: true})
		s.says(at, "Bob", "note.txt ready")
	})
}

func TestOurQuestionStaysOpenForThePersonAsked(t *testing.T) {
	group(t, func(s *scene, at platformtest.Place) {
		s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "ask me", Mention: true})
		s.says(at, "Ada", "Which colour?")
		s.settle()
		s.bob(at, "green is nice", platformtest.Said{})
		s.settle()
		s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "red"})
		s.says(at, "Ada", "You chose red")
	})
}

func TestAnOverheardTurnLeavesNoTrace(t *testing.T) {
	for name, end := range map[string]func(s *scene, at platformtest.Place, id string){
		"by stop":    func(s *scene, at platformtest.Place, _ string) { s.world.Command("Ada", at, "stop", "") },
		"by erasure": func(s *scene, at platformtest.Place, id string) { s.world.Delete(at, id) },
	} {
		for _, running := range []bool{false, true} {
			t.Run(fmt.Sprint(name, ", running: ", running), func(t *testing.T) {
				group(t, func(s *scene, at platformtest.Place) {
					id := s.bob(at, "ponder this, please", platformtest.Said{})
					if running {
						until(t, "the turn", func() bool { return s.chain.Started() == 2 })
					}
					end(s, at, id)
					s.settle()
					want := []string{"You said: hello"}
					if name == "by stop" {
						want = append(want, "Nothing is running here.")
					}
					s.sees(want...)
				})
			})
		}
	}
}

func TestAnOverheardLineIsEdited(t *testing.T) {
	for _, when := range []string{"while it waits", "while a model reads it", "after silence"} {
		t.Run(when, func(t *testing.T) {
			group(t, func(s *scene, at platformtest.Place) {
				text := "ponder this, please"
				if when == "after silence" {
					text = "lunch?"
				}
				id := s.bob(at, text, platformtest.Said{})
				switch when {
				case "after silence":
					s.settle()
				case "while a model reads it":
					until(t, "the turn", func() bool { return s.chain.Started() == 2 })
				}
				s.world.Call(id, "tell me", time.UnixMilli(s.store.Now()))
				s.settle()
				s.sees("You said: hello", "You said: tell me")
			})
		})
	}
}

func TestPeopleWhoTalkToUsAloneNeedNoMention(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := begin(t)
		at := s.say(general, "hello")
		s.settle()
		s.say(at, "and again")
		s.settle()
		s.sees("You said: hello", "You said: and again")
	})
}

// TestCrashAnywhereAmongPeople crashes a conversation of several people before every commit and
// around every request to the platform while a line is overheard: silence stays silent, an answer
// is given once.
func TestCrashAnywhereAmongPeople(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Run("who talk to each other", func(t *testing.T) { crashAmongPeople(t, "lunch?", "You said: hello") })
	t.Run("one of whom means us", func(t *testing.T) {
		crashAmongPeople(t, "speak up, please", "You said: hello", "You said: speak up, please")
	})
}

func crashAmongPeople(t *testing.T, text string, want ...string) {
	db := filepath.Join(t.TempDir(), "run.db")
	store := open(t, db)
	world := platformtest.NewWorld()
	chain := &platformtest.Chain{Store: store}
	b, stop := run(t, store, chain, world)
	_, at := world.Say(platformtest.Said{Who: "Ada", At: general, Text: "hello", Mention: true})
	settle(t, b, world)
	stop()

	r := &recorder{t: t, store: store, db: db, world: world}
	clock := store.Now
	var ahead atomic.Int64
	store.Now = func() int64 { r.take("commit"); return clock() + ahead.Load() }
	world.Step = r.take
	b, stop = run(t, store, chain, world)
	world.Say(platformtest.Said{Who: "Bob", At: at, Text: text})
	until(t, "the line", func() bool { return world.Pending() == 0 })
	ahead.Store((2 * time.Second).Milliseconds())
	settle(t, b, world)
	stop()
	if len(r.moments) < 5 {
		t.Fatalf("only %d moments", len(r.moments))
	}
	t.Logf("%d moments", len(r.moments))
	for _, m := range r.moments {
		t.Run(m.name, func(t *testing.T) { resumeAmongPeople(t, m, at, text, want) })
	}
}

func resumeAmongPeople(t *testing.T, m moment, at platformtest.Place, said string, want []string) {
	store := open(t, filepath.Join(m.dir, "crash.db"))
	clock := store.Now
	var ahead atomic.Int64
	ahead.Store((30 * time.Minute).Milliseconds())
	store.Now = func() int64 { return clock() + ahead.Load() }
	b, stop := run(t, store, &platformtest.Chain{Store: store}, m.world)
	defer stop()
	until(t, "the line", func() bool { return m.world.Pending() == 0 })
	ahead.Add((2 * time.Second).Milliseconds()) // the moment may lie before the line was stored
	settle(t, b, m.world)
	var texts []string
	for _, p := range m.world.Posts(at, "Ada") {
		if !strings.HasPrefix(p.Text, "You said: ") {
			t.Errorf("posted %q", p.Text)
		}
		texts = append(texts, p.Text)
	}
	if !slices.Equal(texts, want) {
		t.Errorf("posts %q", texts)
	}
	session, err := store.SessionByKey(t.Context(), m.world.Key(at))
	if err != nil {
		t.Fatal(err)
	}
	all, err := store.Messages(t.Context(), session.ID)
	if err != nil || len(all) != len(want)+2 || all[2].Text != said {
		t.Errorf("%d messages stored, %v", len(all), err)
	}
	var heard int
	if err := store.Read().NewRaw("SELECT COUNT(*) FROM outbox WHERE state <> ?", memory.OutboxDone).Scan(t.Context(), &heard); err != nil || heard > 0 {
		t.Errorf("%d posts are not done, %v", heard, err)
	}
}
