package bot_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot/platformtest"
)

// TestAHomeShowsOnlyOpenItems asks for the overview of somebody in a private channel,
// when that cannot be looked up, and when they have left it.
func TestAHomeShowsOnlyOpenItems(t *testing.T) {
	store := newStore(t)
	world := platformtest.NewWorld()
	world.Private = map[string]bool{"board": true}
	b, stop := run(t, store, &platformtest.Chain{Store: store}, world)
	defer stop()
	for _, channel := range []string{"board", "general"} {
		world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: channel}, Text: "hello from " + channel, Mention: true})
	}
	world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "ada", DM: true}, Text: "hello"})
	world.Say(platformtest.Said{Who: platformtest.Guest, At: platformtest.Place{Channel: "general"}, Text: "hello", Mention: true})
	settle(t, b, world)
	shows := func(who string, want int) {
		t.Helper()
		h, err := world.Home(t.Context(), who)
		if err != nil || len(h.Threads) != want {
			t.Errorf("%d threads %v, want %d: %+v", len(h.Threads), err, want, h.Threads)
		}
	}
	shows("Ada", 3)
	world.Break(platformtest.FailMember)
	shows("Ada", 2)
	world.Leave("Ada", "board")
	shows("Ada", 2)
	shows(platformtest.Guest, 1)
	world.Leave(platformtest.Guest, "general")
	shows(platformtest.Guest, 0)
}

// TestAShownHomeFollows: a page that was opened once is published again when what it shows is erased, removed or
// closed, with nobody opening it.
func TestAShownHomeFollows(t *testing.T) {
	general, board := platformtest.Place{Channel: "general"}, platformtest.Place{Channel: "board"}
	for name, change := range map[string]func(s *scene, id string, at platformtest.Place){
		"a deletion":     func(s *scene, id string, at platformtest.Place) { s.world.Delete(at, id) },
		"an edit":        func(s *scene, id string, at platformtest.Place) { s.world.Edit(at, id, "never mind") },
		"a forgetting":   func(s *scene, _ string, at platformtest.Place) { s.world.Command("Ada", at, "memory forget", "--yes") },
		"a deleted file": func(s *scene, id string, at platformtest.Place) { s.world.DeleteFile(at, id, "walrus.txt") },
		"a removed file": func(s *scene, _ string, at platformtest.Place) {
			s.world.Command("Ada", at, "docs remove", "walrus.txt")
		},
		"somebody leaves": func(s *scene, _ string, at platformtest.Place) {
			s.world.Restrict(at, true, false)
			s.settle()
			s.world.Leave("Ada", at.Channel)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := begin(t, func(s *scene) { s.bot.HomesEvery = time.Millisecond })
			text, file := "the walrus", []platformtest.File(nil)
			if strings.HasSuffix(name, "file") {
				text, file = "documents", []platformtest.File{{Name: "walrus.txt", Data: []byte("It swims.")}}
			}
			s.say(board, "something else")
			id, at := s.world.Say(platformtest.Said{Who: "Ada", At: general, Text: text, Mention: true, Files: file})
			s.settle()
			if h, err := s.world.Home(t.Context(), "Ada"); err != nil || !strings.Contains(fmt.Sprint(h), "walrus") {
				t.Fatalf("%+v %v", h, err)
			}
			change(s, id, at)
			s.settle()
			if h := s.world.Shown("Ada"); strings.Contains(fmt.Sprint(h), "walrus") || !strings.Contains(fmt.Sprint(h), "something else") {
				t.Errorf("still shown: %+v", h)
			}
		})
	}
}

// TestAShownHomeSurvivesACrash: what was erased while nobody listened, or just before the program ended, is not shown after the
// next start; what could not be published is tried again.
func TestAShownHomeSurvivesACrash(t *testing.T) {
	s := begin(t, func(s *scene) { s.bot.HomesEvery = time.Millisecond })
	shows := func() bool { return strings.Contains(fmt.Sprint(s.world.Shown("Ada")), "walrus") }
	tell := func() string {
		id, _ := s.world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: "the walrus", Mention: true})
		s.settle()
		if _, err := s.world.Home(t.Context(), "Ada"); err != nil || !shows() {
			t.Fatalf("%v %+v", err, s.world.Shown("Ada"))
		}
		return id
	}
	erase := func() {
		if _, err := s.store.ErasePlace(t.Context(), s.world.Key(platformtest.Place{Channel: "general"})); err != nil {
			t.Fatal(err)
		}
	}
	tell()
	s.stop()
	erase()
	s.run()
	until(t, "the page of the next start", func() bool { return !shows() })
	id := tell()
	s.world.Break(platformtest.FailHome)
	s.world.Delete(platformtest.Place{Channel: "general"}, id)
	until(t, "the second try", func() bool { return !shows() })
	s.settle()

	tell()
	s.world.Break(platformtest.FailHome)
	if _, err := s.world.Home(t.Context(), "Ada"); err == nil {
		t.Error("a page that could not be published is published")
	}
	homes, err := s.store.Homes(t.Context(), "fake")
	if err != nil || len(homes) != 1 || homes[0].Print != "" {
		t.Errorf("what is not known to be shown counts as shown: %+v %v", homes, err)
	}
}
