package discord

import (
	"cmp"
	"encoding/json"
	"os"
	"reflect"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// scenes are the places of testdata/messages.json.
var scenes = func() map[string]scene {
	g := guild{Owner: "901", Roles: map[string]wireRole{
		"100": {ID: "100", Name: "@everyone", Permissions: "1115136"},
		"300": {ID: "300", Name: "Admins", Permissions: "8"},
		"302": {ID: "302", Name: "Managers", Permissions: "32"},
	}}
	ours := wireRole{ID: "301", Name: "Threadkeeper", Permissions: "0"}
	ours.Tags.BotID = "900"
	g.Roles["301"] = ours
	text := wireChannel{ID: "200", GuildID: "100", Name: "general"}
	forum := wireChannel{ID: "203", GuildID: "100", Name: "forum", Type: channelForum}
	secret := wireChannel{ID: "202", GuildID: "100", Name: "secret", Overwrites: []wireOverwrite{{ID: "100", Deny: "1024"}, {ID: "300", Allow: "1024"}}}
	in := func(at, parent wireChannel) scene {
		return scene{me: identity{User: "900", Application: "950"}, at: at, parent: parent, guild: g, name: func(id string) string {
			return map[string]string{"201": "help"}[id]
		}}
	}
	thread := func(id, parent string, kind int) wireChannel {
		return wireChannel{ID: id, GuildID: "100", ParentID: parent, Type: kind}
	}
	dm := in(wireChannel{ID: "800", Type: channelDM}, wireChannel{})
	dm.guild = guild{}
	return map[string]scene{
		"text":           in(text, wireChannel{}),
		"thread":         in(thread("1170000000000000000", "200", threadPublic), text),
		"post":           in(thread("1170000000000000001", "203", threadPublic), forum),
		"private thread": in(thread("1170000000000000002", "200", threadPrivate), text),
		"private":        in(secret, wireChannel{}),
		"voice":          in(wireChannel{ID: "204", GuildID: "100", Type: 2}, wireChannel{}),
		"dm":             dm,
	}
}()

// read is what testdata/messages.json says of an event.
type read struct {
	ID        string  `json:"id"`
	Text      string  `json:"text"`
	Workspace string  `json:"workspace"`
	Channel   string  `json:"channel"`
	Thread    string  `json:"thread"`
	Kind      string  `json:"kind"`
	Name      string  `json:"name"`
	Admin     *bool   `json:"admin"`
	Mention   bool    `json:"mention"`
	ToOther   bool    `json:"to_other"`
	Opens     string  `json:"opens"`
	Joined    bool    `json:"joined"`
	Files     [][]any `json:"files"`
}

func TestMessagesOfTheWire(t *testing.T) {
	b, err := os.ReadFile("testdata/messages.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name, Where, Kind, Ignored string
		Data                       wireMessage
		Want                       read
	}
	if err := json.Unmarshal(b, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			s := scenes[c.Where]
			reads := map[string]func(wireMessage, scene) (platform.Event, string){"message": readMessage, "edit": readEdit}
			ev, why := reads[c.Kind](c.Data, s)
			if why != c.Ignored {
				t.Fatalf("ignored for %q, want %q", why, c.Ignored)
			}
			if why != "" {
				return
			}
			admin := ev.Author.Admin
			got := read{ev.ID, ev.Text, ev.Key.Workspace, ev.Key.Channel, ev.Key.Thread, string(ev.Channel.Kind), ev.Author.Name, &admin,
				ev.Mention, ev.ToOther, ev.Opens, ev.Joined, nil}
			for _, f := range ev.Files {
				got.Files = append(got.Files, []any{f.PlatformID, f.Name, f.Media, float64(f.Size), f.Locator, f.Link})
			}
			want := c.Want
			want.ID, want.Workspace, want.Channel = cmp.Or(want.ID, "message:"+c.Data.ID), cmp.Or(want.Workspace, "100"), cmp.Or(want.Channel, "200")
			want.Kind, want.Name = cmp.Or(want.Kind, "public"), cmp.Or(want.Name, "Countess")
			if want.Admin == nil {
				admin := want.Name == "Countess"
				want.Admin = &admin
			}
			if !reflect.DeepEqual(got, want) {
				g, _ := json.Marshal(got)
				w, _ := json.Marshal(want)
				t.Errorf("read\n%s, want\n%s", g, w)
			}
			if program := ev.Author.Kind == memory.Bot; program != c.Data.byProgram() {
				t.Errorf("said by %+v", ev.Author)
			}
			if string(ev.Kind) != c.Kind || ev.Key.Platform != "discord" || ev.Message != c.Data.ID {
				t.Errorf("event %+v", ev)
			}
		})
	}
}

func TestALongQuoteIsCut(t *testing.T) {
	long := make([]rune, 2*maxQuoted)
	for i := range long {
		long[i] = 'ä'
	}
	if got := []rune(quote(string(long))); len(got) != maxQuoted+2 || got[len(got)-1] != '…' {
		t.Errorf("%d runes", len(got))
	}
}
