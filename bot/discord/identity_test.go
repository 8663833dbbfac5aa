package discord

import (
	"slices"
	"testing"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/memory"
)

// People call us by the name we have in their server, or by our own.
func TestOwnNames(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.run()
	w.say("hello")
	w.until("message", 1)
	us := w.s.Bot()
	own := us.Username
	if us.GlobalName != nil {
		own = *us.GlobalName
	}
	key := memory.Key{Workspace: w.guild}
	if got := w.a.OwnNames(t.Context(), key); !slices.Equal(got, []string{own}) || own == "" {
		t.Errorf("%q, want %q", got, own)
	}
	w.a.people.put(w.guild, us.ID, wireMember{Nick: "Otto"})
	if got := w.a.OwnNames(t.Context(), key); !slices.Equal(got, []string{own, "Otto"}) {
		t.Errorf("%q, want %q and Otto", got, own)
	}
}
