package say

import (
	"cmp"
	"slices"
	"strings"

	"threadkeeper/bot/platform"
)

// Families describe the commands of two words by their first word, in each language.
var Families = map[string]map[string]string{
	"en": {"memory": "What I keep of our conversations, and how to erase it", "docs": "The documents I can read", "settings": "How I behave in this channel"},
	"de": {"memory": "Was ich von unseren Gesprächen aufbewahre, und wie ich es vergesse", "docs": "Die Dokumente, die ich lesen kann", "settings": "Wie ich mich in diesem Kanal verhalte"},
	"fr": {"memory": "Ce que je garde de nos conversations, et comment le faire oublier", "docs": "Les documents que je peux lire", "settings": "Comment je me comporte dans ce canal"},
	"es": {"memory": "Lo que guardo de nuestras conversaciones, y cómo hacer que lo olvide", "docs": "Los documentos que puedo leer", "settings": "Cómo me comporto en este canal"},
}

// Asks describes the commands and entries of a message's menu that stand for a message to us.
type Asks struct {
	Ask, Question, File string // /ask and its options
	Check, Text         string // /check and its option

	CheckThis, AskAbout, MemoryOf string // entries of the menu, at most 24 characters; CheckThis is what choosing it, or /check, says
	Send, Close                   string // buttons of the form of AskAbout
	About                         string // names the link to the message that a question is about
}

// AsksIn are those in each language.
var AsksIn = map[string]Asks{
	"en": {"Ask me a question", "what you want to know", "a document to answer from", "Check an answer against the documents here", "what to check; by default my last answer",
		"Check this", "Ask about this message", "Memory of this thread", "Ask", "Cancel", "about this message"},
	"de": {"Stellt mir eine Frage", "was du wissen willst", "ein Dokument, aus dem ich antworten soll", "Prüft eine Antwort an den Dokumenten hier", "was zu prüfen ist; sonst meine letzte Antwort",
		"Prüfe das", "Zur Nachricht fragen", "Gedächtnis des Threads", "Fragen", "Abbrechen", "zu dieser Nachricht"},
	"fr": {"Me poser une question", "ce que vous voulez savoir", "un document à partir duquel répondre", "Vérifier une réponse d'après les documents d'ici", "ce qu'il faut vérifier ; sinon ma dernière réponse",
		"Vérifie ceci", "Demander sur ce message", "Mémoire de ce fil", "Demander", "Annuler", "à propos de ce message"},
	"es": {"Hacerme una pregunta", "lo que quieres saber", "un documento con el que responder", "Comprobar una respuesta con los documentos de aquí", "lo que hay que comprobar; si no, mi última respuesta",
		"Comprueba esto", "Preguntar sobre esto", "Memoria de este hilo", "Preguntar", "Cancelar", "sobre este mensaje"},
}

// Names of the commands that stand for a message to us, and of their options.
const (
	AskName, AskOption     = "ask", "question"
	CheckName, CheckOption = "check", "text"
)

// Asking returns the commands that stand for a message. A platform with platform.Limits.Asks shows
// everybody what was asked with them, and delivers it as a message that mentions us.
func Asking(language string) []platform.Command {
	w := AsksIn[In(language).Code]
	return []platform.Command{
		{Name: AskName, Summary: w.Ask, Options: []platform.Option{{Name: AskOption, Summary: w.Question, Required: true}}},
		{Name: CheckName, Summary: w.Check, Options: []platform.Option{{Name: CheckOption, Summary: w.Text}}},
	}
}

// Asked returns the message that one of those commands stands for.
func Asked(language, command, text string) string {
	if command != CheckName {
		return text
	}
	check := AsksIn[In(language).Code].CheckThis
	if text = strings.TrimSpace(text); text != "" {
		check += ":\n" + text
	}
	return check
}

// AskedAbout returns the message that a question about another message stands for.
func AskedAbout(message, question string) string {
	return "> " + strings.ReplaceAll(strings.TrimSpace(message), "\n", "\n> ") + "\n\n" + question
}

// Commands returns the registry in a language or locale, in the order help shows it: summaries
// are in the language, names are the same in all.
func Commands(language string) []platform.Command {
	document := []platform.Option{{Name: "document", Required: true, Suggest: true}}
	all := []platform.Command{
		{Name: "help"},
		{Name: "new", Direct: true},
		{Name: "memory status"},
		{Name: "memory show", Options: []platform.Option{{Name: "what"}}},
		{Name: "memory why", Options: []platform.Option{{Name: "line", Required: true}}},
		{Name: "memory correct", Options: []platform.Option{{Name: "line", Required: true}, {Name: "text", Required: true}}},
		{Name: "memory pin", Options: []platform.Option{{Name: "line", Required: true}}},
		{Name: "memory remember", Options: []platform.Option{{Name: "text", Required: true}}},
		{Name: "memory compact", Options: []platform.Option{{Name: "instructions"}}},
		{Name: "memory undo"},
		{Name: "memory fork", Options: []platform.Option{{Name: "line"}}},
		{Name: "memory threshold", Options: []platform.Option{{Name: "tokens", Required: true, Number: true}}},
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
		{Name: "settings threshold", Options: []platform.Option{{Name: "tokens", Required: true, Number: true}}},
		{Name: "settings model", Options: []platform.Option{{Name: "name", Required: true, Suggest: true}}},
		{Name: "settings instructions", Options: []platform.Option{{Name: "text", Required: true}}},
		{Name: "settings bots", Options: []platform.Option{{Name: "list", Required: true}}},
		{Name: "settings allow", Options: []platform.Option{{Name: "list", Required: true}}},
		{Name: "settings deny", Options: []platform.Option{{Name: "list", Required: true}}},
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
			option := strings.ToUpper(o.Name)
			c.Options[j].Summary = cmp.Or(w.Summaries[c.Name+" "+option], w.Summaries[option])
		}
	}
	return all
}
