package reading

import (
	"strconv"
	"strings"
	"time"
)

// Period is when something a question asks for was said, in milliseconds UTC; zero when the
// question does not say. To is excluded.
type Period struct{ From, To int64 }

// Folded words for a length of time, and for numbers.
var (
	dayWords     = WordSet(`day days tag tage tagen jour jours dia dias`)
	weekWords    = WordSet(`week weeks woche wochen semaine semaines semana semanas`)
	monthWords   = WordSet(`month months monat monate monaten mois mes meses`)
	smallNumbers = map[string]int{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "zwei": 2, "drei": 3, "vier": 4, "funf": 5, "sechs": 6,
		"deux": 2, "trois": 3, "quatre": 4, "cinq": 5, "dos": 2, "tres": 3, "cuatro": 4, "cinco": 5, "seis": 6}
)

// SmallNumber is the number that folded digits or a word for up to six stand for, 0 for anything else.
func SmallNumber(word string) int {
	if n, err := strconv.Atoi(word); err == nil {
		return n
	}
	return smallNumbers[word]
}

// PeriodWord reports whether a folded word belongs to a relative time.
func PeriodWord(word string) bool { return periodWords[word] }

// periodWords are folded words of relative times, which say nothing of what was said.
var periodWords = WordSet(`one two three four five six zwei drei funf sechs deux trois quatre cinq dos tres cuatro cinco due tre quattro cinque today yesterday before day days ago week weeks month months last past few this recently morning afternoon evening
	heute gestern vorgestern letzte letzten letzter vorige diese dieser woche wochen tag tage tagen monat monaten vor kurzlich
	aujourd hui hier avant derniere dernier derniers semaine semaines passee jour jours mois recemment
	hoy ayer anteayer pasada pasado semana semanas dia dias mes meses hace ultimos recientemente
	talk talked discuss discussed speak spoke happen happened besprochen geredet gesprochen passiert parle passe hablamos paso parlato successo
	oggi ieri scorsa scorso settimana settimane giorno giorni mese fa ultimi`)

// PeriodOf reads when from a question, seen from now, in English, German, French and Spanish, Japanese and Chinese. Weeks
// reach from the day seven days before as well, since people mean either.
func PeriodOf(question string, now time.Time) Period {
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	days := func(from, to int) Period { // whole days from now, to excluded
		return Period{midnight.AddDate(0, 0, from).UnixMilli(), midnight.AddDate(0, 0, to).UnixMilli()}
	}
	monday := -(int(now.Weekday()) + 6) % 7
	before := ""
	for w := range strings.FieldsSeq(phraseForm(question)) { // "3 days ago", "vor zwei wochen", "il y a 2 jours"
		n, counted := max(1, SmallNumber(before)), SmallNumber(before) > 0 || before == "one" || articles[before]
		if before = w; !counted || !HasPhrase(question, `ago|vor|il y a|hace`) {
			continue
		}
		switch {
		case dayWords[w]:
			return days(-n, -n+1)
		case weekWords[w]:
			return days(-7*n-3, -7*n+4)
		case monthWords[w]:
			return days(-31*n-10, -30*n+11)
		}
	}
	switch {
	case HasPhrase(question, `day before yesterday|vorgestern|avant-hier|anteayer`):
		return days(-2, -1)
	case HasPhrase(question, `yesterday|gestern|hier|ayer`) || HasPacked(question, `昨日|昨天`):
		return days(-1, 0)
	case HasPhrase(question, `today|this morning|this afternoon|heute|aujourd'hui|hoy`) || HasPacked(question, `今日|今天`):
		return days(0, 1)
	case HasPhrase(question, `last week|letzte woche|la semaine derniere|la semana pasada`) || HasPacked(question, `先週|上周`):
		return days(min(monday-7, -8), monday)
	case HasPhrase(question, `this week|diese woche|cette semaine|esta semana`) || HasPacked(question, `今週|这周|本周`):
		return days(monday, 1)
	case HasPhrase(question, `last month|letzten monat|le mois dernier|el mes pasado`) || HasPacked(question, `先月|上个月`):
		first := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, now.Location())
		return Period{first.AddDate(0, -1, 0).UnixMilli(), first.UnixMilli()}
	}
	return Period{}
}
