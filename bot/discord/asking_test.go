package discord

import (
	"slices"
	"strings"
	"testing"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/bot/say"
)

// choose picks an entry of a message's menu.
func (w *town) choose(who, channel, message, name string) *fakediscord.Interaction {
	w.t.Helper()
	i, err := w.s.Choose(who, channel, message, name)
	if err != nil {
		w.t.Fatal(err)
	}
	return i
}

// asksAloud expects that the last event is a question, visible to everybody in these words, on which a thread can begin.
func (w *town) asksAloud(n int, want, visible string) {
	w.t.Helper()
	ev := w.until(platform.EventMessage, n)[n-1]
	posts := w.s.Messages(w.general, w.bob)
	shown := posts[len(posts)-1]
	if ev.Text != want || !ev.Mention || ev.Author.ID != w.ada || ev.Opens != shown.ID || ev.Message != shown.ID || ev.Reply.Interaction != "" {
		w.t.Errorf("received %+v %q, want %q", ev, ev.Text, want)
	}
	if shown.Notifies != 0 || shown.Content != "> "+strings.ReplaceAll(visible, "\n", "\n> ") {
		w.t.Errorf("shown %q, notifies %d", shown.Content, shown.Notifies)
	}
}

func TestCheckIsAMessage(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.registered()
	w.s.SetLocale(w.ada, "de")
	for n, c := range []struct{ text, want string }{{"", "Prüfe das"}, {"The fee is 5 %.", "Prüfe das:\nThe fee is 5 %."}} {
		u := fakediscord.Use{User: w.ada, Channel: w.general, Command: "check"}
		if c.text != "" {
			u.Options = map[string]string{"text": c.text}
		}
		if _, err := w.s.Command(u); err != nil {
			t.Fatal(err)
		}
		w.asksAloud(n+1, c.want, c.want)
	}
}

func TestCheckThisIsInAMessagesMenu(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.registered()
	said := w.s.Say(fakediscord.Said{User: w.bob, Channel: w.general, Text: "It is two years.\nAsk me.", Unseen: true})
	w.choose(w.ada, w.general, said.ID, "Check this")
	w.asksAloud(1, "> It is two years.\n> Ask me.\n\nCheck this", jump(w.guild, w.general, said.ID)+"\nCheck this")
}

// TestOneCanAskAboutAMessage in a form, also when the program was started again in between.
func TestOneCanAskAboutAMessage(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.registered()
	w.s.SetLocale(w.ada, "fr")
	said := w.s.Say(fakediscord.Said{User: w.bob, Channel: w.general, Text: "It is two years.", Unseen: true})
	for n, restarted := range []bool{false, true} {
		i := w.choose(w.ada, w.general, said.ID, "Ask about this message")
		if kind := w.answered(i); kind != fakediscord.Modal {
			t.Fatalf("answered with %d", kind)
		}
		if title, _, _ := i.Modal(); title != "Demander sur ce message" {
			t.Errorf("the form is called %q", title)
		}
		if restarted {
			w.a.askedAbout = kit.Recent[string]{}
		}
		if _, err := i.Submit(map[string]string{"text": "From when on?"}); err != nil {
			t.Fatal(err)
		}
		w.asksAloud(n+1, "> It is two years.\n\nFrom when on?", jump(w.guild, w.general, said.ID)+"\nFrom when on?")
	}
}

// TestAMessageAskedAboutMayBeGone: it is deleted, or edited, while the form is open.
func TestAMessageAskedAboutMayBeGone(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.registered()
	deleted := w.s.Say(fakediscord.Said{User: w.bob, Channel: w.general, Text: "The code is 7731.", Unseen: true})
	edited := w.s.Say(fakediscord.Said{User: w.bob, Channel: w.general, Text: "The code is 7731.", Unseen: true})
	for n, m := range []string{deleted.ID, edited.ID} {
		i := w.choose(w.ada, w.general, m, "Ask about this message")
		w.answered(i)
		want := "What is it?"
		if m == deleted.ID {
			w.s.Delete(w.general, m)
		} else {
			w.s.Edit(w.general, m, "There is none.")
			want = "> There is none.\n\n" + want
		}
		if _, err := i.Submit(map[string]string{"text": "What is it?"}); err != nil {
			t.Fatal(err)
		}
		w.asksAloud(n+1, want, jump(w.guild, w.general, m)+"\nWhat is it?")
	}
}

func TestMemoryOfAThreadIsInAMessagesMenu(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.registered()
	root := w.s.Say(fakediscord.Said{User: w.bob, Channel: w.general, Text: "The warranty", Unseen: true})
	thread := w.s.OpenThread(w.bob, w.general, root.ID, "The warranty", true)
	inside := w.s.Say(fakediscord.Said{User: w.bob, Channel: thread, Text: "two years", Unseen: true})
	for n, at := range []struct{ channel, message string }{{w.general, root.ID}, {thread, inside.ID}} {
		w.choose(w.ada, at.channel, at.message, "Memory of this thread")
		ev := w.until(platform.EventCommand, n+1)[n]
		if ev.Command != "memory status" || ev.Key.Thread != thread || ev.Key.Channel != w.general || ev.Author.ID != w.ada || ev.Reply.Interaction == "" {
			t.Errorf("received %+v", ev)
		}
	}
}

func TestOptionsAreTyped(t *testing.T) {
	found := 0
	for _, c := range registration(say.Commands("en")) {
		for _, o := range append(slices.Clone(c.Options), option{}) {
			for _, o := range append(o.Options, o) {
				switch {
				case o.Name == "policy" || o.Name == "place":
					found++
					if len(o.Choices) < 2 || o.Autocomplete || o.Type != optionString {
						t.Errorf("%+v", o)
					}
				case o.Name == "tokens":
					found++
					if o.Type != optionInteger {
						t.Errorf("%+v", o)
					}
				}
			}
		}
	}
	if found != 5 {
		t.Errorf("%d options", found)
	}
	for raw, want := range map[string]string{`9000`: "9000", `"mention"`: "mention", `{}`: ""} {
		if got := (wireOption{Value: []byte(raw)}).text(); got != want {
			t.Errorf("%s is read as %q", raw, got)
		}
	}
}
