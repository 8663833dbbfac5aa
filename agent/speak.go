package agent

import (
	"cmp"
	"fmt"
	"time"

	"threadkeeper/memory/reading"
)

// speak chooses the phrases for a turn: the language of the request, else the one of most of what the person said before, which
// stands newest first, else English.
func speak(texts ...string) *phrases {
	best, count := phrasesIn["en"], map[*phrases]int{}
	for i, text := range texts {
		l := reading.Language(text)
		p := cmp.Or(phrasesIn[l], phrasesIn["en"]) // we have none in some languages
		switch script := reading.ScriptLanguage(text); {
		case l == "" && script == "":
			continue
		case script != "":
			p = phrasesIn["en"]
		}
		if i == 0 {
			return p
		}
		if count[p]++; count[p] > count[best] {
			best = p
		}
	}
	return best
}

// at completes the sentences that say what people can do where a turn is, in a chat or at a terminal: attach documents, and
// set up a model unless there is one, which may not be used now. To who has just attached one that cannot be read it does not say that there is none.
func (p *phrases) at(turn Turn, hasModel bool) *phrases {
	attach, setUp := p.attach[0], p.setUp[0]
	switch {
	case turn.Chat:
		attach, setUp = p.attach[1], p.setUp[1]
	case turn.Once:
		attach = p.attach[2]
	}
	if hasModel {
		setUp = ""
	}
	q := *p
	q.about, q.noDocuments = fmt.Sprintf(p.about, attach, setUp), fmt.Sprintf(p.noDocuments, attach, setUp)
	q.takesModel, q.onlyAnswers = fmt.Sprintf(p.takesModel, setUp), fmt.Sprintf(p.onlyAnswers, setUp)
	if turn.Refused {
		q.noDocuments = ""
	}
	return &q
}

// Date formats a day in a language ("de"), in English if we have no phrases in it.
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
