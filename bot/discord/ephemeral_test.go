package discord

import (
	"strings"
	"testing"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
)

func TestAFollowUpWhoseReceiptIsLostIsNotPostedTwice(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.registered()
	if _, err := w.s.Command(fakediscord.Use{User: w.ada, Channel: w.general, Command: "help"}); err != nil {
		t.Fatal(err)
	}
	ev := w.until(platform.EventCommand, 1)[0]
	to := ev.Reply
	to.Key, to.EphemeralTo = ev.Key, w.ada
	long := platform.Outgoing{Nonce: "tklong", Kind: platform.KindCommand, Text: strings.Repeat("- the same line, again and again\n", 170)}
	lost := fakediscord.Fault{Route: "POST /webhooks/{application}/{token}", After: true}
	w.s.Break(lost)
	ref, err := w.a.Post(t.Context(), to, long)
	if err != nil {
		t.Fatal(err)
	}
	if got := w.s.Messages(w.general, w.ada); len(got) != 3 || len(w.a.Messages(ref)) != 3 {
		t.Errorf("%d messages, named %s", len(got), ref)
	}

	// An aside comes as often as it is said, and not more often.
	if _, err := w.s.Command(fakediscord.Use{User: w.ada, Channel: w.general, Command: "help"}); err != nil {
		t.Fatal(err)
	}
	to.Interaction = w.until(platform.EventCommand, 2)[1].Reply.Interaction
	if _, err := w.a.Post(t.Context(), to, platform.Outgoing{Nonce: "tkfirst", Kind: platform.KindCommand, Text: "First."}); err != nil {
		t.Fatal(err)
	}
	i, _ := readInteraction(to.Interaction)
	i.Deferral = deferredClick
	to.Interaction = i.String()
	w.s.Break(lost)
	for _, nonce := range []string{"tk1", "tk2", "tk3"} {
		if _, err := w.a.Post(t.Context(), to, platform.Outgoing{Nonce: nonce, Kind: platform.KindNotice, Text: "Closed."}); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for _, m := range w.s.Messages(w.general, w.ada) {
		n += strings.Count(m.Content, "Closed.")
	}
	if n != 3 || w.s.Unmet() != 0 {
		t.Errorf("%d asides for 3", n)
	}
}
