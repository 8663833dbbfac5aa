package bot_test

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"

	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

// TestAnEditWhileTheAnswerAppears edits a message before and after each request that
// shows its answer, and wants one whole answer, to the old text or to the new.
func TestAnEditWhileTheAnswerAppears(t *testing.T) {
	for n := 1; ; n++ {
		store, err := memory.Open(t.Context(), filepath.Join(t.TempDir(), "test.db"))
		if err != nil {
			t.Fatal(err)
		}
		world := platformtest.NewWorld()
		var mu sync.Mutex
		var id string
		var at platformtest.Place
		steps, name, said := 0, "", make(chan struct{})
		world.Step = func(step string) {
			if step == "received" || step == "acknowledged" {
				return
			}
			<-said
			mu.Lock()
			defer mu.Unlock()
			if steps++; steps != n {
				return
			}
			name = step
			world.Edit(at, id, "good bye to all of you")
			until(t, "the edit", func() bool { return world.Pending() == 0 })
		}
		b, stop := run(t, store, &platformtest.Chain{Store: store}, world)
		id, at = world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: "hello to all of you", Mention: true})
		close(said)
		settle(t, b, world)
		settle(t, b, world)
		stop()
		posts := world.Posts(at, "Ada")
		if len(posts) != 1 || posts[0].Text != "You said: hello to all of you" && posts[0].Text != "You said: good bye to all of you" {
			t.Errorf("an edit at step %d, %s: %+v", n, name, posts)
		}
		session, err := store.SessionByKey(t.Context(), memory.Key{Platform: "fake", Workspace: "w", Channel: at.Channel, Thread: at.Thread})
		if err != nil {
			t.Fatal(err)
		}
		all, err := store.Messages(t.Context(), session.ID)
		if err != nil || len(all) != 2 || len(posts) == 1 && all[1].Text != posts[0].Text || name != "" && all[0].Text != "good bye to all of you" {
			t.Errorf("an edit at step %d, %s: stored %+v %v", n, name, all, err)
		}
		store.Close()
		if name == "" {
			if n < 5 {
				t.Errorf("only %d steps", n)
			}
			return
		}
	}
}

// TestAQuickAnswerIsPostedWhole counts the requests that show an answer, where one that
// ends soon is to be posted whole.
func TestAQuickAnswerIsPostedWhole(t *testing.T) {
	for _, c := range []struct {
		text  string
		steps []string
	}{
		{"hello", []string{"before post", "after post"}},
		{"slow words", []string{"before append", "after append", "before close", "after close"}},
	} {
		t.Run(c.text, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) { // where no time passes while somebody works
				var mu sync.Mutex
				var steps []string
				s := begin(t, func(s *scene) {
					s.world.Whole = true
					s.world.Step = func(step string) {
						if strings.HasPrefix(step, "before") || strings.HasPrefix(step, "after") {
							mu.Lock()
							defer mu.Unlock()
							steps = append(steps, step)
						}
					}
				})
				at := s.say(general, c.text)
				if c.text != "hello" {
					s.says(at, "Ada", "Working")
					close(s.chain.Go)
				}
				s.settle()
				mu.Lock()
				defer mu.Unlock()
				if !slices.Equal(steps, c.steps) {
					t.Errorf("requests %q, want %q", steps, c.steps)
				}
			})
		})
	}
}
