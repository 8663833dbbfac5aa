package agent

import (
	"strings"
	"testing"
)

const linking = `otherwise:
say: ANSWER
  See https://wiki.example/a?b=c, ` + "`go get go.example/x/y`" + ` and [the docs](https://docs.example/z), or mail help@wiki.example.
   
  ` + "```sh" + `
  curl https://api.example/v1?key=1
  ` + "```" + `
  Done.`

const (
	pointed = "See https://wiki.example/a?b=c, `go get go.example/x/y` and [the docs](https://docs.example/z), or mail help@wiki.example."
	hosts   = "See `wiki.example/…`, `go get go.example/…` and the docs, or mail `help@wiki.example`."
)

// With nobody's words in the prompt but the asker's and ours, links, code and mail addresses stay as they are. Beside the
// words of others each is cut to where it leads, unless the asker or we have said it.
func TestTrustedPeople(t *testing.T) {
	for name, c := range map[string]struct {
		before func(k *talk)
		want   string
		code   string
	}{
		"alone":               {func(k *talk) {}, pointed, "curl https://api.example/v1?key=1"},
		"the asker's history": {func(k *talk) { k.say("Ada", "Hello, I am Ada."); k.say("bot", "Hello.") }, pointed, "curl https://api.example/v1?key=1"},
		"the asker's summary": {func(k *talk) { k.say("Ada", "Hello."); k.summary("Ada said hello.") }, pointed, "curl https://api.example/v1?key=1"},
		"another's line":      {func(k *talk) { k.say("Bob", "Hello, look at https://docs.example/z.") }, hosts, "curl api.example/…"},
		"another's summary":   {func(k *talk) { k.say("Bob", "Hello."); k.summary("Bob said hello.") }, hosts, "curl api.example/…"},
		"said by the asker": {func(k *talk) {
			k.say("Bob", "Hello.")
			k.say("Ada", "See docs.example/z, https://wiki.example/a?b=c, http://go.example/x/y, help@wiki.example and https://api.example/v1?key=1.")
		}, pointed, "curl https://api.example/v1?key=1"},
		"quoted by the asker":   {func(k *talk) { k.say("Ada", "> See https://docs.example/z\n\nWhat is this?"); k.say("Bob", "Hello.") }, hosts, "curl api.example/…"},
		"said by us to another": {func(k *talk) { k.say("Bob", "Hello."); k.say("bot", "See [this](https://docs.example/z).") }, hosts, "curl api.example/…"},
		"said by us": {func(k *talk) {
			k.say("Bob", "Hello.")
			k.say("Ada", "Where are the docs?")
			k.say("bot", "See [this](https://docs.example/z).")
		},
			strings.Replace(hosts, "the docs", "[the docs](https://docs.example/z)", 1), "curl api.example/…"},
		"shown by us as code": {func(k *talk) { k.say("Bob", "Hello."); k.say("bot", "Bob meant `https://docs.example/z`.") }, hosts, "curl api.example/…"},
		"a file":              {func(k *talk) { k.document("Moon.txt", "The moon is grey.") }, hosts, "curl api.example/…"},
	} {
		k := newTalk(t, linking)
		c.before(k)
		r := k.turn("Ada", "Explain how tides come about, please", ChoiceNone)
		if !strings.HasPrefix(r.Text, c.want) || !strings.Contains(r.Text, "```sh\n"+c.code+"\n```\nDone.") {
			t.Errorf("%s: %s", name, r.Text)
		}
	}
}

// Our own recalled lines are ours where nobody else spoke, and may be anybody's words elsewhere.
func TestOurRecalledLines(t *testing.T) {
	for other, want := range map[string]string{"": pointed, "Bob": hosts} {
		k := newTalk(t, linking)
		k.say("Ada", "Tell me of the harbour.")
		k.say("bot", "The crane of the harbour lifts forty tonnes.")
		if other != "" {
			k.say(other, "Hello.")
		}
		k.summary("They spoke of a harbour.")
		r := k.turn("Ada", "How much does the crane of the harbour lift?", ChoiceNone)
		if p := k.server.Requests()[0].Prompt(); !strings.Contains(p, "lifts forty tonnes") || !strings.HasPrefix(r.Text, want) {
			t.Errorf("%q: %s\n%s", other, r.Text, p)
		}
	}
}

// An address of a cited page can be read whole, and not be clicked.
func TestAnAddressOfACitedPage(t *testing.T) {
	k := newTalk(t, `otherwise:
say: ANSWER
  Refunds are asked for at https://shop.example/refunds [d1 p1 "Refunds take ten days"].
  More is at https://shop.example/refunds?id=x [d1 p1 "Refunds take ten days"].`)
	k.document("Terms.txt", "Refunds take ten days. They are asked for at https://shop.example/refunds.")
	r := k.turn("Ada", "Where are refunds asked for?", ChoiceNone)
	if want := "Refunds are asked for at `https://shop.example/refunds` [1].\nMore is at `shop.example/…` [1]. (unchecked)\n\n" + english.oneUnchecked; strings.TrimSpace(r.Text) != want {
		t.Errorf("%q", r.Text)
	}
}
