package access

import (
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

func TestWhoMayUseItWhere(t *testing.T) {
	general := memory.Key{Platform: "slack", Workspace: "T1", Channel: "C1", Thread: "7"}
	direct := memory.Key{Platform: "slack", Workspace: "T1", Channel: "D1"}
	ada := platform.Author{ID: "U1", Roles: []string{"77"}}
	root := platform.Author{ID: "U2", Admin: true}
	for _, c := range []struct {
		allow, deny                              string
		adaHere, rootHere, adaDirect, rootDirect Access
	}{
		{"", "", Open, Open, Open, Open},
		{"workspace:T1", "", Open, Open, Open, Open},
		{"workspace:T2", "", Closed, Closed, Closed, Closed},
		{"channel:C1", "", Open, Open, Closed, Closed},
		{"channel:C2 dm:U1", "", Closed, Closed, Open, Closed},
		{"channel:C1, dm:*", "", Open, Open, Open, Open},
		{"person:U1", "", Open, Context, Open, Closed},
		{"role:77", "", Open, Context, Open, Closed},
		{"role:admin", "", Context, Open, Closed, Open},
		{"slack/person:U1", "", Open, Context, Open, Closed},
		{"discord/person:U1", "", Context, Context, Closed, Closed},
		{"", "person:U1", Closed, Open, Closed, Open},
		{"", "dm:*", Open, Open, Closed, Closed},
		{"", "channel:C1", Closed, Closed, Open, Open},
		{"workspace:T1", "person:U2", Open, Closed, Open, Closed},
		{"person:U1", "channel:C1", Closed, Closed, Open, Closed},
	} {
		var l Lists
		var err error
		if l.Allow, err = ParseList(c.allow); err != nil {
			t.Fatal(err)
		}
		if l.Deny, err = ParseList(c.deny); err != nil {
			t.Fatal(err)
		}
		got := [4]Access{l.Of(general, memory.Public, ada), l.Of(general, memory.Public, root), l.Of(direct, memory.DM, ada), l.Of(direct, memory.DM, root)}
		if want := [4]Access{c.adaHere, c.rootHere, c.adaDirect, c.rootDirect}; got != want {
			t.Errorf("allow %q, deny %q: %v, want %v", c.allow, c.deny, got, want)
		}
	}
}

func TestWrongLists(t *testing.T) {
	for _, text := range []string{"T1", "team:T1", "person:", "/person:U1", "person"} {
		if l, err := ParseList(text); err == nil {
			t.Errorf("%q was read as %v", text, l)
		}
	}
}
