package discord

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// What the gateway has told is not asked for again: a message is received although no
// look-up is answered.
func TestGatewayDataIsNotRequestedAgain(t *testing.T) {
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

// A channel or guild that is being asked for while the gateway tells of it is what the gateway says: the answer may be older.
func TestTheGatewayIsBelievedOverAnAnswer(t *testing.T) {
	var a *Adapter
	private := wireChannel{ID: "7", GuildID: "9", Overwrites: []wireOverwrite{{ID: "9", Deny: "1024"}}}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.Contains(r.URL.Path, "/channels/") {
			a.places.putChannel(private)
			fmt.Fprint(w, `{"id": "7", "guild_id": "9"}`)
			return
		}
		a.places.putGuild(wireGuild{ID: "9", Roles: []wireRole{{ID: "9", Name: "everyone", Permissions: "66560"}}})
		fmt.Fprint(w, `{"id": "9", "roles": [{"id": "9", "name": "everyone", "permissions": "8"}]}`)
	}))
	defer server.Close()
	a = New(Options{Token: "token", APIURL: server.URL})
	c, err := a.channelOf(t.Context(), "7")
	if err != nil {
		t.Fatal(err)
	}
	g, err := a.guildOf(t.Context(), "9")
	if err != nil || c.kind(g) != memory.Private || a.places.kinds("9", "7")["7"] != memory.Private {
		t.Errorf("%s, later %v: %v", c.kind(g), a.places.kinds("9", "7"), err)
	}
}
