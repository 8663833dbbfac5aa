package bot_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
)

// TestNothingElsewhereReachesAConversation presses every button of a private channel's
// conversation, and gives commands, under the name of another channel and wants it
// neither changed nor told of.
func TestNothingElsewhereReachesAConversation(t *testing.T) {
	store := newStore(t)
	world := platformtest.NewWorld()
	world.Private = map[string]bool{"board": true}
	chain := &platformtest.Chain{Store: store, Go: make(chan struct{})}
	b, stop := run(t, store, chain, world)
	defer stop()
	elsewhere := platformtest.Place{Channel: "general"}
	said := func(text string) platformtest.Place {
		_, at := world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "board"}, Text: text, Mention: true})
		return at
	}
	press := func(at platformtest.Place, labels ...string) {
		t.Helper()
		before := world.Posts(at, "Ada")
		for _, from := range []platformtest.Place{elsewhere, {Channel: "general", Thread: at.Thread}} {
			for _, label := range labels {
				world.Click("Ada", from, before[0], label)
				world.Click("Bob", from, before[0], label)
			}
			world.Command("Ada", from, "retry", "")
			world.Command("Ada", from, "stop", "")
			world.Command("Bob", from, "memory show", "")
			world.Command("Bob", from, "memory search", "swordfish")
			world.Command("Ada", from, "memory forget", "--yes")
		}
		settle(t, b, world)
		if after := world.Posts(at, "Ada"); !reflect.DeepEqual(after, before) {
			t.Errorf("changed from elsewhere: %+v, before %+v", after, before)
		}
	}
	answer, question, failed := said("hello swordfish"), said("ask me"), said("fail swordfish")
	settle(t, b, world)
	press(answer, string(platform.Helpful), string(platform.Unhelpful), platformtest.Page(1))
	press(question, "Red", "Something else", "Just answer")
	chain.Mend()
	press(failed, "Retry")
	if given, err := store.Views.CountFeedback(t.Context()); err != nil || len(given) > 0 {
		t.Errorf("feedback %v %v", given, err)
	}

	slow := said("slow swordfish")
	until(t, "the turn", func() bool { return chain.Started() == 4 })
	world.Command("Ada", elsewhere, "stop", "")
	world.Command("Ada", platformtest.Place{Channel: "general", Thread: slow.Thread}, "stop", "")
	until(t, "both answers", func() bool { return world.Pending() == 0 })
	close(chain.Go)
	settle(t, b, world)
	posts := world.Posts(slow, "Ada")
	if len(posts) == 0 || slices.ContainsFunc(posts, func(p platformtest.Post) bool { return strings.Contains(p.Text, "Stopped") }) {
		t.Errorf("stopped from elsewhere: %+v", posts)
	}
	for _, at := range []platformtest.Place{elsewhere, {Channel: "general", Thread: answer.Thread}, {Channel: "general", Thread: slow.Thread}} {
		for _, p := range append(world.Posts(at, "Bob"), world.Posts(at, "Ada")...) {
			if strings.Contains(p.Text, "hello swordfish") || strings.Contains(p.Text, "Working") || p.File != "" {
				t.Errorf("told elsewhere: %+v", p)
			}
		}
	}
}
