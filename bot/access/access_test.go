package access

import (
	"fmt"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

func TestAccessByPlace(t *testing.T) {
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

// TestBothListsHaveToAllow: those of a workspace take away, and give nothing.
func TestBothListsHaveToAllow(t *testing.T) {
	at, ada, bob := memory.Key{Platform: "slack", Workspace: "T1", Channel: "C1"}, platform.Author{ID: "U1"}, platform.Author{ID: "U2"}
	for _, c := range []struct {
		ownAllow, ownDeny, setAllow, setDeny string
		ada, bob                             Access
	}{
		{"", "", "", "", Open, Open},
		{"", "", "person:U1", "", Open, Context},
		{"", "", "", "person:U2", Open, Closed},
		{"", "person:U2", "person:U2", "", Context, Closed},
		{"person:U1", "", "person:U2", "", Context, Context},
		{"person:U1", "", "channel:C1", "", Open, Context},
		{"channel:C2", "", "channel:C1", "", Closed, Closed},
		{"channel:C1", "", "", "channel:C1", Closed, Closed},
	} {
		var r Rules
		for text, l := range map[*string]*List{&c.ownAllow: &r.Owner.Allow, &c.ownDeny: &r.Owner.Deny, &c.setAllow: &r.Set.Allow, &c.setDeny: &r.Set.Deny} {
			var err error
			if *l, err = ParseList(*text); err != nil {
				t.Fatal(err)
			}
		}
		if a, b := r.Of(at, memory.Public, ada), r.Of(at, memory.Public, bob); a != c.ada || b != c.bob {
			t.Errorf("%+v: %s, %s", c, a, b)
		}
	}
}

func TestEditedLists(t *testing.T) {
	for _, c := range []struct{ before, text, after string }{
		{"", "person:U1 channel:C1", "person:U1 channel:C1"},
		{"person:U1", "role:admin", "role:admin"},
		{"person:U1", "+person:U2", "person:U1 person:U2"},
		{"person:U1 role:7", "-person:U1, +dm:*", "role:7 dm:*"},
		{"person:U1", "+person:U1", "person:U1"},
		{"person:U1", "-person:U1", ""},
		{"", "<@U1|ada> <#C1|general> <#C2>", "person:U1 channel:C1 channel:C2"},
		{"person:12", "+<@&77> -<@!12>", "role:77"},
	} {
		before, err := ParseList(c.before)
		if err != nil {
			t.Fatal(err)
		}
		if after, err := before.Edit(c.text); err != nil || after.String() != c.after || before.String() != c.before {
			t.Errorf("%q, %q: %q %v", c.before, c.text, after, err)
		}
	}
	for _, text := range []string{"", " , ", "workspace:T1", "slack/person:U1", "@Ada", "+", "everybody", "<!subteam^S1>", many(201)} {
		if l, err := (List{}).Edit(text); err != ErrEntry {
			t.Errorf("%q was read as %v", text, l)
		}
	}
}

// many are n different entries.
func many(n int) string {
	var all strings.Builder
	for i := range n {
		fmt.Fprintf(&all, "person:%d ", i)
	}
	return all.String()
}

func TestWrongLists(t *testing.T) {
	for _, text := range []string{"T1", "team:T1", "person:", "/person:U1", "person"} {
		if l, err := ParseList(text); err == nil {
			t.Errorf("%q was read as %v", text, l)
		}
	}
}
