package bot_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"threadkeeper/bot/platformtest"
	"threadkeeper/bot/say"
)

// told is what a person reads of every command, by its name, after they said something.
func told(t *testing.T, locale string, said ...string) map[string]string {
	t.Helper()
	world := platformtest.NewWorld()
	world.Locales = map[string]string{"Ada": locale}
	b := hold(t, world, world.Platform())
	top := platformtest.Place{Channel: "general"}
	at := platformtest.Place{Channel: "ada", DM: true}
	for _, text := range said {
		_, at = world.Say(platformtest.Said{Who: "Ada", At: at, Text: text})
		settle(t, b, world)
	}
	all := make(map[string]string)
	give := func(at platformtest.Place, command, args string) {
		t.Helper()
		before := len(world.Posts(at, "Ada"))
		world.Command("Ada", at, command, args)
		settle(t, b, world)
		posts := world.Posts(at, "Ada")[before:]
		if len(posts) != 1 || posts[0].Text == "" || strings.Contains(posts[0].Text, "%!") {
			t.Fatalf("%s %s: %+v", command, args, posts)
		}
		name := fmt.Sprint(command, " ", args, " ", at.Channel)
		if all[name] != "" {
			name = "again " + name
		}
		all[name] = posts[0].Text
	}
	commands := [][2]string{{"help"}, {"hlp"}, {"memory"}, {"memory stats"}, {"memory status"}, {"memory show"}, {"memory search", "zebra"}, {"memory search"},
		{"memory export"}, {"docs list"}, {"docs use", "all"}, {"docs use", "3"}, {"docs use", "report"}, {"docs remove", "3"}, {"settings show"}, {"why"},
		{"page", "x"}, {"page", "1"}, {"retry"}, {"stop"}, {"memory forget", "zebra"}, {"memory forget", "7"}, {"memory forget"}, {"memory forget", "--yes"}}
	if locale != "" { // nothing else is left then to tell the language
		commands = append(commands, [2]string{"memory forget", "--yes"}, [2]string{"memory show"})
	}
	for _, c := range commands {
		give(at, c[0], c[1])
	}
	give(top, "settings show", "")
	give(top, "settings follow", "always")
	give(top, "memory status", "")
	return all
}

// TestCommandsAnswerInTheLanguageOfThePerson gives every command after a sentence in each
// language, and by somebody who has said nothing yet and whose client has that language.
func TestCommandsAnswerInTheLanguageOfThePerson(t *testing.T) {
	english := told(t, "en", "What does the new machine cost?", "ok")
	for locale, text := range map[string]string{"de-AT": "Was kostet die neue Maschine?", "fr": "Combien coûte la nouvelle machine ?", "es-419": "¿Cuánto cuesta la nueva máquina?"} {
		bySaid, byLocale := told(t, "", text, "ok"), told(t, locale)
		for _, command := range slices.Sorted(maps.Keys(english)) {
			for by, answer := range map[string]string{"said": bySaid[command], "locale": byLocale[command]} {
				if by == "said" && strings.HasSuffix(command, " general") {
					continue // nothing was said there
				}
				lines := strings.Split(english[command], "\n")
				for _, line := range strings.Split(answer, "\n") {
					if strings.Contains(line, " ") && !strings.Contains(line, "Ada: ") && slices.Contains(lines, line) {
						t.Errorf("%s by %s: %q answers %q", locale, by, line, command)
					}
				}
			}
		}
	}
}

// TestOwnWordsComeFirst asks for status in a thread of two languages.
func TestOwnWordsComeFirst(t *testing.T) {
	world := platformtest.NewWorld()
	world.Locales = map[string]string{"Bob": "fr"}
	b := hold(t, world, world.Platform())
	_, at := world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: "Was kostet die neue Maschine?", Mention: true})
	settle(t, b, world)
	world.Say(platformtest.Said{Who: "Bob", At: at, Mention: true, Text: "And what is the price of the old one?"})
	settle(t, b, world)
	for who, want := range map[string]string{"Ada": "im Wortlaut habe: 4", "Bob": "word for word: 4", "Eve": "word for word: 4"} {
		world.Command(who, at, "memory status", "")
		settle(t, b, world)
		posts := world.Posts(at, who)
		if got := posts[len(posts)-1].Text; !strings.Contains(got, want) {
			t.Errorf("%s reads %q", who, got)
		}
	}
}

// TestABareMentionIsAnsweredInTheLanguageSpokenBefore posts what shows no language.
func TestABareMentionIsAnsweredInTheLanguageSpokenBefore(t *testing.T) {
	world := platformtest.NewWorld()
	b := hold(t, world, world.Platform())
	_, at := world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: "Was kostet die neue Maschine?", Mention: true})
	settle(t, b, world)
	world.Say(platformtest.Said{Who: "Ada", At: at, Mention: true})
	settle(t, b, world)
	posts := world.Posts(at, "Ada")
	if got := posts[len(posts)-1].Text; !strings.Contains(got, "Ich bin da.") || !strings.Contains(got, "2 Nachrichten") {
		t.Errorf("greeted by %q", got)
	}
}

// TestCommandsAreDescribedInALanguage is what a platform shows before a command is given.
func TestCommandsAreDescribedInALanguage(t *testing.T) {
	english, german := say.Commands("en-US"), say.Commands("de")
	for i, c := range german {
		if c.Name != english[i].Name || c.Summary == english[i].Summary {
			t.Errorf("%s: %q", c.Name, c.Summary)
		}
	}
}
