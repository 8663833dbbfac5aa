package discord

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// hostilePackets are events as no Discord sends them.
func hostilePackets(w *town) map[string][]any {
	type object = map[string]any
	ada := object{"id": w.ada, "username": "Ada"}
	return map[string][]any{
		"MESSAGE_CREATE": {nil, 1, "x", []any{}, object{}, object{"id": 7, "author": nil}, object{"id": nil, "channel_id": nil, "author": ada},
			object{"id": "1", "channel_id": "../../users/@me", "author": ada, "content": "x"},
			object{"id": "1/../2", "channel_id": w.general, "author": ada, "content": "x"},
			object{"id": "12", "channel_id": w.general, "author": object{"id": "../@me"}, "content": "x"},
			object{"id": "13", "channel_id": w.general, "author": ada, "content": object{"a": 1}, "mentions": "all", "attachments": []any{nil, object{"id": "../1", "url": "file:///etc/passwd"}}},
			object{"id": "14", "channel_id": w.general, "author": ada, "content": "deep", "referenced_message": nested(3000)}},
		"MESSAGE_UPDATE":      {nil, object{}, object{"id": "..", "channel_id": ".."}, object{"id": "1", "channel_id": w.general + "/../1"}},
		"MESSAGE_DELETE":      {nil, object{"id": "?", "channel_id": "#"}, object{"id": "1", "channel_id": ""}},
		"MESSAGE_DELETE_BULK": {nil, object{"channel_id": w.general, "ids": "all"}, object{"channel_id": "x", "ids": []any{1, nil, "?"}}},
		"CHANNEL_CREATE":      {nil, object{"id": "../..", "guild_id": "../.."}, object{"type": "thread"}},
		"THREAD_CREATE":       {object{"id": "../1", "parent_id": "../2", "type": 11, "guild_id": w.guild}},
		"CHANNEL_DELETE":      {nil, object{"id": ""}, object{"id": "../1"}},
		"GUILD_ROLE_UPDATE":   {nil, object{"guild_id": w.guild, "role": 1}},
		"THREAD_LIST_SYNC":    {nil, object{"guild_id": "x", "threads": []any{nil, 1, object{"id": "x"}}}},
		"INTERACTION_CREATE": {nil, object{}, object{"id": "1", "token": "a/../b"}, object{"id": "1", "token": ".."}, object{"id": "1/2", "token": "t"},
			object{"id": "99", "token": "t", "type": 3, "data": object{"custom_id": strings.Repeat("q:", 5000)}},
			object{"id": "98", "token": "t", "type": 2, "channel_id": "../1", "data": nil}, object{"id": "97", "token": "t", "type": 77}},
		"NO_SUCH_EVENT": {nil, object{"id": 1}},
	}
}

// nested is a message that answers a message that answers …
func nested(depth int) any {
	var m any
	for range depth {
		m = map[string]any{"id": "1", "referenced_message": m}
	}
	return m
}

func TestHostilePacketsCostNothingElse(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.run()
	w.say("before")
	for name, all := range hostilePackets(w) {
		for _, data := range all {
			w.s.Dispatch(w.guild, name, data)
		}
	}
	w.say("after")
	got := w.until(platform.EventMessage, 4)
	var texts []string
	for _, ev := range got {
		texts = append(texts, ev.Text)
		if len(ev.Files) > 0 {
			t.Errorf("a file that is none: %+v", ev.Files)
		}
	}
	if s := strings.Join(texts, "|"); s != "before||deep|after" && s != "before|deep||after" {
		t.Errorf("received %q", texts)
	}
	if w.log.has("panic") {
		t.Error("a handler panicked")
	}
}

func TestAPanicInTheProgramEndsOneEvent(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.refuse = func(ev platform.Event) error {
		if strings.HasPrefix(ev.Text, "bad") || ev.Command == "memory status" {
			panic("injected")
		}
		return nil
	}
	w.run()
	w.say("bad")
	w.eventually(func() bool { return len(w.s.Commands()) > 0 }, "commands")
	if _, err := w.s.Command(fakediscord.Use{User: w.ada, Channel: w.general, Command: "memory status"}); err != nil {
		t.Fatal(err)
	}
	w.say("good")
	if got := w.until(platform.EventMessage, 1); got[len(got)-1].Text != "good" {
		t.Errorf("received %+v", got)
	}
	if !w.log.has("panic") {
		t.Error("nothing is logged of the panic")
	}
}

// None of an id's characters may change what a request is about.
func TestNoIDLeadsToAnotherPath(t *testing.T) {
	t.Parallel()
	var asked atomic.Int32
	a := New(Options{Token: "t", APIURL: "http://discord.invalid", HTTP: &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		if strings.HasSuffix(r.URL.String(), "/api/v9/users/@me") || strings.HasSuffix(r.URL.String(), "/api/v9/applications/@me") {
			return &http.Response{StatusCode: 200, Body: io.NopCloser(strings.NewReader(`{"id":"1"}`)), Request: r}, nil
		}
		asked.Add(1)
		t.Errorf("asked for %s", r.URL)
		return nil, errors.New("no")
	})}})
	for _, id := range []string{"../1", "..", "1/../2", "1?x=1", "1#x", "1%2f..", `1\2`, "", " 1", "1\n", "１", strings.Repeat("1", 21), "1\x00"} {
		to := platform.Address{Key: memory.Key{Platform: platformName, Workspace: "1", Channel: id}, ReplyTo: id}
		out := platform.Outgoing{Nonce: "n", Kind: platform.KindReply, Text: "x"}
		if _, err := a.Post(t.Context(), to, out); err == nil {
			t.Errorf("posted to %q", id)
		}
		if id != "" {
			to.Key.Channel, to.Key.Thread = "1", id
			if _, err := a.Post(t.Context(), to, out); err == nil {
				t.Errorf("posted in thread %q", id)
			}
		}
		to = platform.Address{Key: memory.Key{Workspace: "1", Channel: "1"}, EphemeralTo: id + "x", Interaction: "1/1/" + id}
		if _, err := a.Post(t.Context(), to, out); err == nil {
			t.Errorf("answered %q", to.Interaction)
		}
		if _, err := a.History(t.Context(), memory.Key{Channel: id}, 0, 1); err == nil {
			t.Errorf("read %q", id)
		}
		l := locator{id, id, id, "https://cdn.discordapp.com/x?ex=1"}
		if _, err := a.Open(t.Context(), memory.File{Locator: l.String()}); err == nil {
			t.Errorf("opened %q", id)
		}
		if _, err := a.Edit(t.Context(), ref{Channel: "1", Messages: []string{id + "x"}}.String(), out); err == nil {
			t.Errorf("edited %q", id)
		}
		if err := a.call(t.Context(), "GET", "/channels/"+id+"/messages/"+id+"/../x", nil, nil); err == nil {
			t.Errorf("a path with %q", id)
		}
	}
	if asked.Load() > 0 {
		t.Errorf("%d requests", asked.Load())
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

// Files are fetched from Discord's hosts only, no redirect is followed, no token goes
// along, and no address comes back in an error.
func TestFilesComeFromDiscordOnly(t *testing.T) {
	t.Parallel()
	var hosts []string
	a := New(Options{Token: "secret-token", HTTP: &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		hosts = append(hosts, r.URL.Host)
		if strings.Contains(r.Header.Get("Authorization")+r.Header.Get("Cookie"), "secret") {
			t.Error("a token goes with a download")
		}
		if strings.Contains(r.URL.Path, "away") {
			return &http.Response{StatusCode: 302, Header: http.Header{"Location": {"http://169.254.169.254/latest"}}, Body: io.NopCloser(strings.NewReader("")), Request: r}, nil
		}
		return nil, errors.New("cut")
	})}})
	for _, address := range []string{"file:///etc/passwd", "http://cdn.discordapp.com/x", "https://cdn.discordapp.com.evil.example/x", "https://evil.example/cdn.discordapp.com",
		"https://169.254.169.254/latest/meta-data", "https://user@cdn.discordapp.com/x", "https://cdn.discordapp.com:8443/x", "https://[::1]/x", "//cdn.discordapp.com/x", "gopher://cdn.discordapp.com/x", ""} {
		if _, err := a.Open(t.Context(), memory.File{Locator: locator{"", "", "3", address}.String()}); !errors.Is(err, platform.ErrFileGone) {
			t.Errorf("%q: %v", address, err)
		}
	}
	if len(hosts) > 0 {
		t.Fatalf("asked %q", hosts)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	_, err := a.download(ctx, "https://cdn.discordapp.com/x?hm=signature")
	if err == nil || strings.Contains(err.Error(), "signature") {
		t.Errorf("error %v", err)
	}
	if _, err = a.download(ctx, "https://cdn.discordapp.com/away"); err == nil || len(hosts) != 2 {
		t.Errorf("a redirect was followed: %q %v", hosts, err)
	}
}
