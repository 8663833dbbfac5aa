package discord

import "threadkeeper/bot/say"

// locales are Discord's names of the languages we describe commands in, beside English
// (https://docs.discord.com/developers/reference#locales).
var locales = map[string]string{"de": "de", "fr": "fr", "es-ES": "es", "es-419": "es"}

// descriptions are those of all commands and options in a language, by name: "memory
// search", "memory search words".
func descriptions(language string) map[string]string {
	all := map[string]string{say.AskName + " " + askFile: say.AsksIn[language].File}
	for family, text := range say.Families[language] {
		all[family] = text
	}
	for _, c := range append(say.Commands(language), say.Asking(language)...) {
		all[c.Name] = c.Summary
		for _, o := range c.Options {
			all[c.Name+" "+o.Name] = o.Summary
		}
	}
	return all
}

// localize adds to commands their descriptions in the other languages, and how the names of options and what there is to choose
// from are shown. Commands are called the same everywhere: answers, buttons and help name them, people type them in threads, and
// Discord finds no subcommands by a localized name (https://github.com/discord/discord-api-docs/issues/5105).
func localize(commands []command) {
	for locale, language := range locales {
		texts := descriptions(language)
		for i := range commands {
			c := &commands[i]
			if c.Type == commandOnMessage {
				c.Names = with(c.Names, c.Name, locale, menu(language)[c.Name])
				continue
			}
			c.Localized = with(c.Localized, c.Description, locale, texts[c.Name])
			localizeOptions(c.Options, c.Name, locale, texts, say.In(language).Shown)
		}
	}
}

func menu(language string) map[string]string {
	w := say.AsksIn[language]
	return map[string]string{askAbout: w.AskAbout, checkThis: w.CheckThis, memoryOf: w.MemoryOf}
}

func localizeOptions(options []option, name, locale string, texts, shown map[string]string) {
	for i := range options {
		o := &options[i]
		full := name + " " + o.Name
		o.Localized = with(o.Localized, o.Description, locale, texts[full])
		if o.Type != optionSubcommand {
			o.Names = with(o.Names, o.Name, locale, shown[o.Name])
		}
		for j := range o.Choices {
			c := &o.Choices[j]
			c.Names = with(c.Names, c.Name, locale, shown[c.Name])
		}
		localizeOptions(o.Options, full, locale, texts, shown)
	}
}

// with is a map of texts by locale with one more, if there is any other than the usual
// one: Discord does not keep that
// (https://docs.discord.com/developers/interactions/application-commands#localization).
func with(all map[string]string, usual, locale, text string) map[string]string {
	if text == "" || text == usual {
		return all
	}
	if all == nil {
		all = make(map[string]string)
	}
	all[locale] = text
	return all
}
