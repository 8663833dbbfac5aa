package discord

import (
	"regexp"
	"strings"
	"testing"

	"threadkeeper/bot/say"
)

// shownName is what Discord takes as the name of an option
// (https://docs.discord.com/developers/interactions/application-commands#application-command-object-application-command-naming).
var shownName = regexp.MustCompile(`^[-_'\p{L}\p{N}]{1,32}$`)

// TestCommandsAreShownInEachLanguage, with what they ask for and what there is to choose from; what they are called stays.
func TestCommandsAreShownInEachLanguage(t *testing.T) {
	var look func(name string, all []option)
	look = func(name string, all []option) {
		for locale, language := range locales {
			words, seen := say.In(language).Shown, map[string]bool{}
			for _, o := range all {
				if o.Localized[locale] == "" {
					t.Errorf("%s %s has no description in %s", name, o.Name, locale)
				}
				if o.Type == optionSubcommand {
					if len(o.Names) > 0 {
						t.Errorf("%s %s is called %v", name, o.Name, o.Names)
					}
					continue
				}
				shown := words[o.Name]
				if o.Names[locale] != shown && shown != o.Name || seen[shown] || !shownName.MatchString(shown) || strings.ToLower(shown) != shown {
					t.Errorf("%s %s is shown as %q in %s, want %q", name, o.Name, o.Names[locale], locale, shown)
				}
				seen[shown] = true
				for _, c := range o.Choices {
					if want := words[c.Value]; want == "" || c.Names[locale] != want && want != c.Name {
						t.Errorf("%s %s: %s is shown as %q in %s, want %q", name, o.Name, c.Value, c.Names[locale], locale, want)
					}
				}
			}
		}
		for _, o := range all {
			look(name+" "+o.Name, o.Options)
		}
	}
	for _, c := range registration(say.Commands("en")) {
		look(c.Name, c.Options)
	}
}
