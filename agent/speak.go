package agent

import (
	"fmt"
	"time"

	"threadkeeper/memory/reading"
)

// languageNames are what a model is told.
var languageNames = map[string]string{"en": "English", "de": "German", "fr": "French", "es": "Spanish", "it": "Italian", "pt": "Portuguese", "nl": "Dutch"}

// speak chooses the phrases for a turn: the language of the request, else of what the
// person said before, newest first, else English.
func speak(texts ...string) *phrases {
	for _, text := range texts {
		if l := reading.Language(text); l != "" {
			if p := phrasesIn[l]; p != nil {
				return p
			}
			break
		}
	}
	return phrasesIn["en"]
}

// Date is a day as written in a language ("de"), in English for one we have no phrases in.
func Date(code string, t time.Time) string {
	if p := phrasesIn[code]; p != nil {
		return p.day(t)
	}
	return english.day(t)
}

// date is a day in the person's time zone, as written in their language.
func (p *phrases) date(at int64, zone *time.Location) string {
	return p.day(time.UnixMilli(at).In(zone))
}

func (p *phrases) day(t time.Time) string {
	return fmt.Sprintf(p.dateForm, t.Day(), p.months[t.Month()-1], t.Year())
}

// languageName is the language a model is to answer in: that of the request where it shows, else the one spoken before.
func languageName(request string, spoken *phrases) string {
	if l := reading.Language(request); l != "" {
		return languageNames[l]
	}
	for l, p := range phrasesIn {
		if p == spoken && l != "en" {
			return languageNames[l] + ", unless the text is in another"
		}
	}
	return "that of the text"
}
