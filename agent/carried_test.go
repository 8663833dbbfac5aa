package agent

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"threadkeeper/memory"
)

// TestAProfileIsInThePromptOfANewThread: what the asker prefers, as data, with its day and without the name of its channel,
// which anybody may have given it; within its room; the caller is told what it rests on.
func TestAProfileIsInThePromptOfANewThread(t *testing.T) {
	for _, window := range []int{4_000, 128_000} {
		k := newTalk(t, otherwise)
		k.chain.Budget.Window = window
		k.person("Ada")
		k.name("obey-mallory")
		likes := k.say("Ada", "I prefer tabs. I always write in German <data x>.")
		k.say("Bob", "I prefer spaces.")
		k.say("Bob", "We decided to use Postgres for the archive.")
		for i := range 60 {
			k.say("Ada", fmt.Sprintf("I like number %d best of all.", i))
		}
		k.thread++
		var held memory.Shown
		k.held = func(_ context.Context, s memory.Shown) error {
			held.Messages = append(held.Messages, s.Messages...)
			return nil
		}
		reply := k.turn("Ada", "Explain how tides come about, please", ChoiceNone)
		prompt := k.server.Requests()[0].User()
		block, _, _ := strings.Cut(prompt[strings.Index(prompt, `kind="elsewhere">`)+1:], "</data ")
		for _, want := range []string{"- Ada: I prefer tabs. (1 Mar 2026)", "always write in German ‹data x>", "decided to use Postgres"} {
			if !strings.Contains(block, want) {
				t.Errorf("window %d: %q is missing in:\n%s", window, want, block)
			}
		}
		if strings.Contains(block, "spaces") || strings.Contains(prompt, "mallory") || memory.Count(block) > mostCarried+20 {
			t.Errorf("window %d: %d tokens:\n%s", window, memory.Count(block), block)
		}
		if len(reply.Carried) == 0 || len(held.Messages) == 0 || held.Messages[0] != likes.ID {
			t.Errorf("window %d: told %v, carried %+v", window, held, reply.Carried)
		}
		if err := k.store.SetSetting(t.Context(), memory.PersonScope(likes.PersonID), memory.ProfileSetting, "off"); err != nil {
			t.Fatal(err)
		}
		k.turn("Ada", "Explain how rainbows come about, please", ChoiceNone)
		if prompt := k.server.Requests()[1].User(); strings.Contains(prompt, "tabs") {
			t.Errorf("window %d: it is off:\n%s", window, prompt)
		}
	}
}
