package say

import (
	"slices"
	"strings"

	"threadkeeper/bot/platform"
)

// Families describe the commands of two words by their first, in each language.
var Families = map[string]map[string]string{
	"en": {"memory": "What I keep of our conversations, and how to have it forgotten", "docs": "The documents I can read", "settings": "How I behave in this channel"},
	"de": {"memory": "Was ich von unseren Gesprächen aufbewahre, und wie ich es vergesse", "docs": "Die Dokumente, die ich lesen kann", "settings": "Wie ich mich in diesem Kanal verhalte"},
	"fr": {"memory": "Ce que je garde de nos conversations, et comment le faire oublier", "docs": "Les documents que je peux lire", "settings": "Comment je me comporte dans ce canal"},
	"es": {"memory": "Lo que guardo de nuestras conversaciones, y cómo hacer que lo olvide", "docs": "Los documentos que puedo leer", "settings": "Cómo me comporto en este canal"},
}

// Commands are the registry in a language or locale, in the order help shows them: summaries
// are in the language, names are the same in all.
func Commands(language string) []platform.Command {
	document := []platform.Option{{Name: "document", Required: true, Suggest: true}}
	all := []platform.Command{
		{Name: "help"},
		{Name: "memory status"},
		{Name: "memory show", Options: []platform.Option{{Name: "what"}}},
		{Name: "memory why", Options: []platform.Option{{Name: "line", Required: true}}},
		{Name: "memory correct", Options: []platform.Option{{Name: "line", Required: true}, {Name: "text", Required: true}}},
		{Name: "memory pin", Options: []platform.Option{{Name: "line", Required: true}}},
		{Name: "memory remember", Options: []platform.Option{{Name: "text", Required: true}}},
		{Name: "memory compact", Options: []platform.Option{{Name: "instructions"}}},
		{Name: "memory undo"},
		{Name: "memory threshold", Options: []platform.Option{{Name: "tokens", Required: true}}},
		{Name: "memory profile", Options: []platform.Option{{Name: "switch", Suggest: true, Values: []string{"on", "off"}}}},
		{Name: "memory search", Options: []platform.Option{{Name: "words", Required: true}}},
		{Name: "memory forget", Options: []platform.Option{{Name: "what"}}},
		{Name: "memory export"},
		{Name: "docs list"},
		{Name: "docs use", Options: slices.Clone(document)},
		{Name: "docs remove", Options: slices.Clone(document)},
		{Name: "docs share", Options: slices.Clone(document)},
		{Name: "settings show"},
		{Name: "settings follow", Options: []platform.Option{{Name: "policy", Required: true, Suggest: true, Values: []string{"thread", "mention", "always", "quiet"}}}},
		{Name: "settings reply", Options: []platform.Option{{Name: "place", Required: true, Suggest: true, Values: []string{"thread", "channel"}}}},
		{Name: "settings carryover", Options: []platform.Option{{Name: "switch", Required: true, Suggest: true, Values: []string{"on", "off"}}}},
		{Name: "settings instructions", Options: []platform.Option{{Name: "text", Required: true}}},
		{Name: "listen", Options: []platform.Option{{Name: "policy", Required: true, Suggest: true, Values: []string{"off", "on"}}}},
		{Name: "usage"},
		{Name: "why"},
		{Name: "page", Options: []platform.Option{{Name: "number", Required: true, Suggest: true}}},
		{Name: "retry"},
		{Name: "stop"},
	}
	w := In(language)
	for i, c := range all {
		all[i].Summary = w.Summaries[c.Name]
		for j, o := range c.Options {
			c.Options[j].Summary = w.Summaries[c.Name+" "+strings.ToUpper(o.Name)]
		}
	}
	return all
}
