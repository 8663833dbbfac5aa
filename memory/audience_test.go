package memory

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"
)

// TestAudience asks everywhere for what was said, and posted, everywhere.
func TestAudience(t *testing.T) {
	s := openTest(t)
	type where struct {
		channel, thread string
		kind            ChannelKind
		external        bool
		workspace       string
	}
	places := map[string]where{
		"public":   {"pub", "t1", Public, false, "w"},
		"thread":   {"pub", "t2", Public, false, "w"}, // another one of the same channel
		"public 2": {"pub2", "t", Public, false, "w"},
		"private":  {"priv", "t", Private, false, "w"},
		"dm":       {"dm", "", DM, false, "w"},
		"other dm": {"dm2", "", DM, false, "w"},
		"external": {"ext", "t", Public, true, "w"},
		"mixed":    {"mixed", "t", Public, false, "w"}, // guests take part
		"abroad":   {"pub", "t", Public, false, "w2"},
	}
	var names []string
	for name := range places {
		names = append(names, name)
	}
	slices.Sort(names)
	said, people, document := map[string]*Received{}, map[string]int64{}, map[string]int64{}
	n := 0
	say := func(name, who string, kind PersonKind, text string) *Received {
		w := places[name]
		n++
		in := incoming(fmt.Sprint("e", n), fmt.Sprint("m", n), text, true)
		in.Key, in.Channel = Key{Platform: "test", Workspace: w.workspace, Channel: w.channel, Thread: w.thread}, Channel{Kind: w.kind, External: w.external}
		in.Person = Person{PlatformID: who, Name: who, Kind: kind}
		r, err := s.Queue.Receive(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		people[w.workspace+string(kind)] = r.Person.ID
		return r
	}
	for _, name := range names {
		said[name] = say(name, "ada", Human, "the walrus said in "+name)
		if err := s.Write(t.Context(), func(ctx context.Context, tx bun.Tx) error {
			d := &Document{SessionID: said[name].Session.ID, ChannelID: said[name].Session.ChannelID, MessageID: said[name].Message.ID, Name: name, Shared: true, State: DocumentReady}
			_, err := tx.NewInsert().Model(d).ExcludeColumn("id").Returning("id").Exec(ctx)
			document[name] = d.ID
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	say("mixed", "gus", Guest, "hello")
	everywhere := []string{"public", "thread", "public 2", "mixed"}
	for _, c := range []struct {
		asks PersonKind
		at   string
		sees []string
	}{
		{Human, "public", everywhere},
		{Human, "public 2", everywhere},
		{Human, "private", append([]string{"private"}, everywhere...)},
		{Human, "dm", append([]string{"dm"}, everywhere...)},
		{Human, "other dm", append([]string{"other dm"}, everywhere...)},
		{Human, "external", []string{"external"}},
		{Human, "mixed", []string{"mixed"}},
		{Human, "abroad", []string{"abroad"}},
		{Guest, "public", []string{"public", "thread"}},
		{Guest, "private", []string{"private"}},
		{Guest, "dm", []string{"dm"}},
		{Guest, "external", []string{"external"}},
		{Guest, "mixed", []string{"mixed"}},
	} {
		w := places[c.at]
		a, err := s.Audience(t.Context(), said[c.at].Session.ID, people[w.workspace+string(c.asks)])
		if err != nil {
			t.Fatal(err)
		}
		found := map[string][]string{}
		search, err := s.Search(t.Context(), a, "walrus", 50)
		if err != nil {
			t.Fatal(err)
		}
		recall, err := s.Recall(t.Context(), RecallQuery{Audience: a, Text: "walrus"})
		if err != nil {
			t.Fatal(err)
		}
		sessions, err := s.Views.Sessions(t.Context(), a, 50)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range names {
			of := func(r Recalled) bool { return r.Message.ID == said[name].Message.ID }
			see := func(what string, ok bool) {
				if ok {
					found[what] = append(found[what], name)
				}
			}
			see("search", slices.ContainsFunc(search, of))
			see("recall", slices.ContainsFunc(recall, of))
			see("sessions", slices.ContainsFunc(sessions, func(x *Session) bool { return x.ID == said[name].Session.ID }))
			_, err := s.Views.Show(t.Context(), a, said[name].Session.ID)
			see("show", err == nil)
			var file bytes.Buffer
			see("export", s.Views.Export(t.Context(), a, said[name].Session.ID, &file) == nil && file.Len() > 0)
			open := a
			open.NoDocuments = false // as EXTERNAL_DOCUMENTS has it
			for what, a := range map[string]Audience{"documents": a, "documents allowed": open} {
				n, err := a.VisibleDocuments(s.reader.NewSelect().Model((*Document)(nil)).Where("d.id = ?", document[name])).Count(t.Context())
				if err != nil {
					t.Fatal(err)
				}
				see(what, n > 0)
			}
		}
		want := slices.Sorted(slices.Values(c.sees))
		for _, what := range []string{"search", "recall", "sessions", "show", "export", "documents", "documents allowed"} {
			if what == "documents" && (c.asks == Guest || w.external) {
				want := []string(nil)
				if !slices.Equal(found[what], want) {
					t.Errorf("%s at %s: %s of %q, want none", c.asks, c.at, what, found[what])
				}
				continue
			}
			if !slices.Equal(found[what], want) {
				t.Errorf("%s at %s: %s of %q, want %q", c.asks, c.at, what, found[what], want)
			}
		}
	}
}

func TestExternalChannelsAndGuestsSeeTheirOwn(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	place := func(channel string, c Channel, p Person) (*Session, *Person) {
		session, person, err := s.Locate(ctx, Key{Platform: "test", Workspace: "w", Channel: channel, Thread: "t"}, c, p)
		if err != nil {
			t.Fatal(err)
		}
		return session, person
	}
	member, guest := Person{PlatformID: "m", Name: "Mia"}, Person{PlatformID: "g", Name: "Gus", Kind: Guest}
	public, mia := place("public", Channel{Kind: Public}, member)
	external, _ := place("external", Channel{Kind: Public, External: true}, member)
	other, gus := place("other", Channel{Kind: Public}, guest)
	for _, c := range []struct {
		name      string
		session   *Session
		person    *Person
		public    bool
		documents bool
	}{
		{"a member", other, mia, true, true},
		{"a guest", other, gus, false, false},
		{"a member in an external channel", external, mia, false, false},
		{"a guest where it was said", public, gus, true, false},
	} {
		a, err := s.Audience(ctx, c.session.ID, c.person.ID)
		if err != nil || a.NoDocuments == c.documents {
			t.Errorf("%s: %+v %v", c.name, a, err)
		}
		seen, err := s.Views.Sessions(ctx, a, 10)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, x := range seen {
			found = found || x.ID == public.ID
			if x.ID == external.ID && c.session != external {
				t.Errorf("%s sees the external channel", c.name)
			}
		}
		if found != c.public {
			t.Errorf("%s sees the public channel: %v", c.name, found)
		}
	}
}

func TestAudienceSeesItsChannelAndPublicOnes(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	channels := map[string]Channel{
		"dm": {Kind: DM}, "private": {Kind: Private}, "public": {Kind: Public},
		"other-public": {Kind: Public}, "shared": {Kind: Public, External: true},
	}
	ids := map[string]*Session{}
	for name, c := range channels {
		session, _, err := s.Locate(ctx, Key{Platform: "p", Workspace: "w", Channel: name}, c, Person{})
		if err != nil {
			t.Fatal(err)
		}
		ids[name] = session
	}
	if _, _, err := s.Locate(ctx, Key{Platform: "p", Workspace: "another", Channel: "far"}, Channel{Kind: Public}, Person{}); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"dm":           "dm other-public public",
		"private":      "other-public private public",
		"public":       "other-public public",
		"shared":       "shared",
		"other-public": "other-public public",
	}
	for name, sees := range want {
		a, err := s.Audience(ctx, ids[name].ID, 0)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		q := s.Read().NewSelect().Table("channels").Column("channel").Order("channel")
		if err := a.Visible(q, "channels.id").Scan(ctx, &got); err != nil {
			t.Fatal(err)
		}
		if strings.Join(got, " ") != sees {
			t.Errorf("%s sees %v, want %s", name, got, sees)
		}
	}
}
