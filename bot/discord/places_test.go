package discord

import (
	"net/http"
	"testing"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// What the gateway has told is not asked for again: a message is received although no
// look-up is answered.
func TestWhatTheGatewayToldIsNotAskedFor(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	for _, route := range []string{"GET /users/@me", "GET /applications/@me", "GET /channels/{channel}", "GET /guilds/{guild}"} {
		w.s.Break(fakediscord.Fault{Route: route, Status: http.StatusInternalServerError, Times: -1})
	}
	w.run()
	w.s.Say(fakediscord.Said{User: w.ada, Channel: w.general, Text: "<@" + w.s.Bot().ID + "> in public"})
	w.s.Say(fakediscord.Said{User: w.ada, Channel: w.s.DM(w.ada), Text: "between us"})
	got := w.until(platform.EventMessage, 2)
	for _, ev := range got {
		switch kind := ev.Channel.Kind; {
		case !ev.Mention:
			t.Errorf("%q is not taken as said to us", ev.Text)
		case ev.Text == "between us" && (kind != memory.DM || ev.Key.Workspace != directly):
			t.Errorf("direct message in %+v, %s", ev.Key, kind)
		case ev.Text == "in public" && (kind != memory.Public || ev.Key.Workspace != w.guild):
			t.Errorf("message in %+v, %s", ev.Key, kind)
		}
	}
}
