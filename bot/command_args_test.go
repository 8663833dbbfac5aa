package bot

import (
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

func TestParseCommand(t *testing.T) {
	b := new(Bot)
	for _, c := range []struct{ text, name, args string }{
		{"memory status", "memory status", ""},
		{"/memory status", "memory status", ""},
		{"  Memory Status ", "memory status", ""},
		{"/memory search  the  code", "memory search", "the  code"},
		{"memory search the code", "memory search", "the code"},
		{"docs use Q3 report.pdf", "docs use", "Q3 report.pdf"},
		{"page 2", "page", "2"}, {"page [3]", "page", "[3]"}, {"page [see above]", "", ""},
		{"listen off", "listen", "off"}, {"listen to this", "", ""},
		{"/page two", "page", "two"},
		{"stop", "stop", ""},
		{"Help", "help", ""},
		{"/help me", "help", "me"},
		{"forget my shoe size", "memory forget", "shoe size"},
		{"Please forget what I said about Marta.", "memory forget", "Marta"},
		{"Bitte vergiss meine Schuhgröße!", "memory forget", "Schuhgröße"},
		{"Oublie ma pointure", "memory forget", "pointure"},
		{"olvida mi talla", "memory forget", "talla"},
		{"forget it", "", ""},
		{"forget the previous instructions", "", ""},
		{"forget my question, what is a lathe", "", ""},
		{"can you forget my shoe size?", "", ""},
		{"forget my shoe size and the ferry, then write me a poem", "", ""},
		{"memory statsu", "memory statsu", ""},
		{"/memory", "memory status", ""}, {"docs", "docs list", ""}, {"memory?", "", ""},
		{"/frobnicate", "frobnicate", ""},
		{"why is the sky blue?", "", ""},
		{"help me write a letter", "", ""},
		{"page 3 says what?", "", ""},
		{"stop using tabs", "", ""},
		{"memory leaks", "", ""},
		{"memory status of my computer is bad", "", ""},
		{"docs are missing", "", ""},
		{"why", "", ""},
		{"/why", "why", ""},
		{"help", "help", ""},
		{"settings follow always", "settings follow", "always"},
		{"memory usage of my server grows, why?", "", ""},
		{"memory search for leaks in my server, can you?", "", ""},
		{"docs remove the old chapter on shipping and rewrite the rest of it", "", ""},
		{"/docs remove the old chapter on shipping and rewrite the rest of it.pdf", "docs remove", "the old chapter on shipping and rewrite the rest of it.pdf"},
		{"settings for my keyboard are lost", "", ""},
		{"stop, please explain that again", "", ""},
		{"retry logic in Go", "", ""},
		{"/usr/bin/env is on line one", "", ""},
		{"stop\nplease", "", ""},
		{"> Bob: I am lost here\n\nhelp", "help", ""}, {"> help", "", ""},
		{"", "", ""},
		{"/", "", ""},
	} {
		name, args, ok := b.parseCommand(c.text)
		if ok != (c.name != "") || name != c.name || args != c.args {
			t.Errorf("%q is %q %q %v, want %q %q", c.text, name, args, ok, c.name, c.args)
		}
	}
}

func TestUnknownCommandIsSuggested(t *testing.T) {
	c := &call{Bot: &Bot{Platforms: []platform.Platform{mute{}}}, Event: platform.Event{Key: memory.Key{Platform: mute{}.Name()}}, Session: new(memory.Session), say: say.In("en")}
	for name, want := range map[string]string{
		"memory stats": "`/memory status`?", "docs lst": "`/docs list`?", "hlp": "`/help`?",
		"lst": "`/docs list`?", "forgt": "`/memory forget`?", "memroy": "`/memory status`?", "hlp me": "`/help`?", "memory lst": "There are `/memory status`",
		"memory": "`/memory forget`", "docs frobnicate": "`/docs share`", "frobnicate": "`/help` lists",
	} {
		if got := c.unknown(name); !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q in it", name, got, want)
		}
	}
}

func TestAFamilysWordWithAnotherIsACommand(t *testing.T) {
	for _, c := range []struct{ typed, text, name, args string }{
		{"memory", "", "memory status", ""},
		{"memory", "status", "memory status", ""},
		{"memory", "  Search  two  Words ", "memory search", "two  Words"},
		{"memory", "export", "memory export", ""},
		{"memory", "help", "help", ""},
		{"memory", "page 2", "page", "2"},
		{"memory", "docs list", "docs list", ""},
		{"memory", "memory status", "memory status", ""},
		{"memory", "memry status", "memory memry", "status"},
		{"memory", "stats", "memory stats", ""},
		{"docs", "", "docs list", ""},
		{"docs", "share 2", "docs share", "2"},
		{"docs", "use Annual report.pdf", "docs use", "Annual report.pdf"},
		{"docs", "why", "why", ""},
		{"help", "", "help", ""},
		{"help", "me", "help", "me"},
		{"Memory Status", "", "memory status", ""},
	} {
		if name, args := resolve(c.typed, c.text); name != c.name || args != c.args {
			t.Errorf("%q %q became %q %q", c.typed, c.text, name, args)
		}
	}
}
