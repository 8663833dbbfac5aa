package bot_test

import (
	"testing"

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
