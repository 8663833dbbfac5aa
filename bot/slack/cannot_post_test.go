package slack_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/memory"
)

// TestWithoutPermissionToPostTheAskerIsToldDirectly: in the channel not even they see anything.
func TestWithoutPermissionToPostTheAskerIsToldDirectly(t *testing.T) {
	store, err := memory.Open(t.Context(), filepath.Join(t.TempDir(), "muted.db"))
	if err != nil {
		t.Fatal(err)
	}
	h := fakeslack.NewHarness(t, fakeslack.Options{Scopes: granted(t)}, open(t))
	chain := &platformtest.Chain{Store: store}
	b := &bot.Bot{Store: store, Chain: chain, Platforms: []platform.Platform{h.Platform()}, Log: platformtest.Discreet(t), Workers: 1, Patience: time.Minute}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- b.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	until := func(what string, done func() bool) {
		t.Helper()
		for end := time.Now().Add(10 * time.Minute); !done(); time.Sleep(10 * time.Millisecond) {
			if time.Now().After(end) {
				t.Fatal("never came: " + what)
			}
		}
	}
	general := platformtest.Place{Channel: "general"}
	room := h.Room(general, "Ada")
	h.Server.Break(fakeslack.Fault{Kind: fakeslack.Refuse, Code: "restricted_action", Times: 1000,
		Methods: []string{"chat.postMessage", "chat.startStream", "chat.postEphemeral"},
		When:    func(a fakeslack.Args) bool { return a["channel"] == room }})
	asked, _ := h.Say(platformtest.Said{Who: "Ada", At: general, Text: "hello", Mention: true})
	var told string
	until("what Ada is told", func() bool {
		for _, r := range h.Requests("chat.postMessage") {
			if r.Args["channel"] == h.DM(h.Person("Ada")) {
				told, _ = r.Args["text"].(string)
			}
		}
		return told != ""
	})
	if !strings.Contains(told, "I cannot answer ") || !strings.Contains(told, "/archives/"+room+"/p"+strings.ReplaceAll(asked, ".", "")) {
		t.Errorf("told %q", told)
	}
}
