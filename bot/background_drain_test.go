package bot_test

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"time"

	"threadkeeper/agent"
	"threadkeeper/bot"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

// TestDrainCompacts talks until the policy wants a compaction; Drain returns
// after it, and no answer waited for it.
func TestDrainCompacts(t *testing.T) {
	store := newStore(t)
	store.Policy = memory.DefaultPolicy(1200)
	log := slog.New(slog.DiscardHandler)
	world := platformtest.NewWorld()
	b := &bot.Bot{Store: store, Chain: &platformtest.Chain{Store: store}, Compactor: &agent.Compactor{Store: store, Log: log},
		Platforms: []platform.Platform{world.Platform()}, Log: log, Patience: time.Minute}
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- b.Run(ctx) }()
	at := platformtest.Place{Channel: "ada", DM: true}
	for i := range 6 {
		world.Say(platformtest.Said{Who: "Ada", At: at, Text: fmt.Sprintf("Point %d: %s", i, strings.Repeat("the delivery to hall nine is late again. ", 15))})
		settle(t, b, world)
	}
	session, err := store.SessionByKey(t.Context(), memory.Key{Platform: "fake", Workspace: "w", Channel: "ada"})
	if err != nil {
		t.Fatal(err)
	}
	st, err := store.Views.Status(t.Context(), session.ID)
	if err != nil {
		t.Fatal(err)
	}
	if len(st.Compactions) == 0 || st.Context > 1200 {
		t.Errorf("%d compactions, context %d", len(st.Compactions), st.Context)
	}
	if n, err := store.CountCompactions(t.Context()); n != 0 || err != nil {
		t.Errorf("%d compactions still due, %v", n, err)
	}
	world.Command("Ada", at, "memory show", "")
	settle(t, b, world)
	posts := world.Posts(at, "Ada")
	if shown := posts[len(posts)-1].Text; !strings.Contains(shown, "In the summary:\n\n2. Ada: Point 0") || strings.Contains(shown, "%!") {
		t.Errorf("memory show: %q", shown)
	}
	world.Command("Ada", at, "memory export", "")
	world.Command("Ada", at, "memory forget", "--yes")
	settle(t, b, world)
	posts = world.Posts(at, "Ada")
	if last := posts[len(posts)-2:]; last[0].File == "" || !strings.Contains(last[0].Text, "is a copy") || !strings.Contains(last[1].Text, "6 messages") {
		t.Errorf("export and forget: %+v", last)
	}
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
