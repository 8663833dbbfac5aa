package discord

import (
	"strings"
	"testing"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// TestANewNameRepeatsNoWords of a message: Discord shows it in a message that nobody can delete. A name that was only mistyped stays.
func TestANewNameRepeatsNoWords(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.run()
	root := w.say("how long is the warrenty of lathe 4?").ID
	w.until(platform.EventMessage, 1)
	key := memory.Key{Platform: "discord", Workspace: w.guild, Channel: w.general, Thread: root}
	if _, err := w.a.Post(t.Context(), platform.Address{Key: key, ReplyTo: root}, reply("Three years.")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ text, want string }{
		{"How long is the warranty of lathe 4?", "how long is the warrenty of lathe 4?"}, {"how long is the warranty of lathe 5?", "Conversation"}, {"thanks", "Conversation"},
	} {
		w.s.Edit(w.general, root, c.text)
		if err := w.a.Retitle(t.Context(), key, c.text, "Conversation"); err != nil {
			t.Fatal(err)
		}
		if got, _ := w.s.Channel(root); got.Name != c.want {
			t.Errorf("after %q the thread is called %q, want %q", c.text, got.Name, c.want)
		}
	}
	for _, m := range w.s.Messages(root, w.ada) {
		if m.Author.ID == w.s.Bot().ID && strings.Contains(m.Content, "lathe") {
			t.Errorf("a message of ours says %q", m.Content)
		}
	}
}

// TestAThreadThatSomebodyNamedIsTheirs, also if they named it while we were away; a name of ours is not theirs.
func TestAThreadThatSomebodyNamedIsTheirs(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.run()
	root := w.say("how long is the guarantee?").ID
	w.until(platform.EventMessage, 1)
	key := memory.Key{Platform: "discord", Workspace: w.guild, Channel: w.general, Thread: root}
	if _, err := w.a.Post(t.Context(), platform.Address{Key: key, ReplyTo: root}, reply("Three years.")); err != nil {
		t.Fatal(err)
	}
	w.s.Edit(w.general, root, "how long is the warranty?")
	if err := w.a.Retitle(t.Context(), key, "how long is the warranty?", "Conversation"); err != nil {
		t.Fatal(err)
	}
	if c, _ := w.s.Channel(root); c.Name != "Conversation" {
		t.Errorf("the thread is called %q", c.Name)
	}
	w.s.Say(fakediscord.Said{User: w.ada, Channel: root, Text: "thanks"})
	w.until(platform.EventMessage, 2)
	if named := w.received(platform.EventTitle); len(named) > 0 {
		t.Errorf("our own name is told as theirs: %+v", named)
	}
	w.s.Rename(w.ada, root, "Warranty")
	w.until(platform.EventTitle, 1)
	w.restart(func() { w.s.Rename(w.bob, root, "Warranty of the lathe") })
	for _, ev := range w.until(platform.EventTitle, 2) {
		if ev.Key != key {
			t.Errorf("told of %+v, want %+v", ev.Key, key)
		}
	}
}
