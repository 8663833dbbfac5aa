package discord

import (
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot"
	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

// TestMissedMessagesInRestartedDirectMessages: the past and the present conversation are read as the one place they are.
func TestMissedMessagesInRestartedDirectMessages(t *testing.T) {
	t.Parallel()
	store, err := memory.Open(t.Context(), filepath.Join(t.TempDir(), "past.db"))
	if err != nil {
		t.Fatal(err)
	}
	h := fakediscord.NewHarness(t, func(s *fakediscord.Server) platform.Platform {
		a := New(Options{Token: s.Token(), APIURL: s.URL(), Log: platformtest.Discreet(t)})
		a.timing.respond, a.timing.store = time.Minute, time.Minute
		return a
	})
	var stop func()
	var b *bot.Bot
	begin := func() {
		b = &bot.Bot{Store: store, Chain: &platformtest.Chain{Store: store}, Platforms: []platform.Platform{h.Platform()}, Log: platformtest.Discreet(t), Workers: 2, Patience: time.Minute}
		ctx, cancel := context.WithCancel(context.Background())
		ended := make(chan error, 1)
		go func() { ended <- b.Run(ctx) }()
		stop = func() {
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}
		}
	}
	begin()
	t.Cleanup(func() {
		stop()
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	at := platformtest.Place{Channel: "ada", DM: true}
	until := func(what string, done func() bool) {
		t.Helper()
		for end := time.Now().Add(patiently); !done(); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatalf("never came: %s; posts %+v", what, h.Posts(at, "Ada"))
			}
		}
	}
	posted := func(text string) {
		t.Helper()
		until(text, func() bool {
			return slices.ContainsFunc(h.Posts(at, "Ada"), func(p platformtest.Post) bool { return strings.Contains(p.Text, text) })
		})
	}
	say := func(text string) string {
		t.Helper()
		id, _ := h.Say(platformtest.Said{Who: "Ada", At: at, Text: text})
		posted("You said: " + text)
		return id
	}
	code, colour := say("the code is swordfish"), say("the colour is mauve")
	if err := b.Drain(t.Context()); err != nil { // a posted answer is not recorded yet, and until then it is being written
		t.Fatal(err)
	}
	h.Command("Ada", at, "new", "")
	posted("A new conversation begins here")
	say("the train leaves at nine")
	stop()
	room, ada := h.RoomID(at, "Ada"), h.PersonID("Ada")
	h.Server.Edit(room, code, "the code is walrus")
	h.Server.Delete(room, colour)
	h.Server.Say(fakediscord.Said{User: ada, Channel: room, Text: "recite"})
	begin()
	posted("You said: the code is walrus")
	until("the missed message's answer", func() bool {
		return slices.ContainsFunc(h.Posts(at, "Ada"), func(p platformtest.Post) bool { return strings.HasPrefix(p.Text, "Ada: the train leaves at nine\n") })
	})
	key := memory.Key{Platform: "discord", Workspace: directly, Channel: room}
	until("that a message is missing", func() bool {
		missing, err := store.SuspicionsOf(t.Context(), key)
		return err == nil && len(missing) == 1 && missing[0].PlatformID == colour && missing[0].Needs == 2
	})
}
