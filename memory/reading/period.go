package reading

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// Period is the time that a question asks about, in milliseconds UTC; zero if the
// question names none. To is excluded.
type Period struct{ From, To int64 }

// SmallNumber returns the number that folded digits or a word mean, 0 for anything else.
func SmallNumber(word string) int {
	if n, err := strconv.Atoi(word); err == nil {
		return n
	}
	return int(numberOf[word])
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

// since opens the beginning of a period that lasts until now.
const since = `since|seit|depuis|desde`

// lastWords open a number of days, weeks or months until now: "the last 3 days", "past week".
var lastWords = WordSet(`last past previous letzte letzten vergangene vergangenen derniers dernieres derniere ultimos ultimas`)

// lasting is how many days until now a question speaks of, 0 for none.
func lasting(question string) int {
	words := slices.Concat([]string{""}, strings.Fields(phraseForm(question)), []string{"", ""})
	for i, w := range words {
		if !lastWords[w] {
			continue
		}
		n, unit := SmallNumber(words[i-1]), words[i+1]
		if after := SmallNumber(unit); after > 0 {
			n, unit = after, words[i+2]
		}
		if n == 0 && w != "past" {
			continue
		}
		if days := map[string]int{"day": 1, "week": 7, "month": 30}[unitOf[unit]]; days > 0 {
			return days * max(n, 1)
		}
	}
	return 0
}

// weekdays are the folded names of the days, Sunday first.
var weekdays = [7]string{`sunday|sonntag|dimanche|domingo`, `monday|montag|lundi|lunes`, `tuesday|dienstag|mardi|martes`, `wednesday|mittwoch|mercredi|miercoles`,
	`thursday|donnerstag|jeudi|jueves`, `friday|freitag|vendredi|viernes`, `saturday|samstag|samedi|sabado`}

// PeriodOf reads the period of a question, seen from now, in English, German, French and Spanish, Japanese and Chinese. A week
// may also begin seven days before, since people mean either. "Since" Monday, yesterday or last week lasts until
// now, as do "the last three days".
func PeriodOf(question string, now time.Time) Period {
	p := periodOf(question, now)
	if p.From > 0 && HasPhrase(question, since) {
		p.To = max(p.To, tomorrow(now).UnixMilli())
	}
	return p
}

// DaysAhead are the days to come that a text may mean by "tomorrow" or a weekday, seen from now: of a weekday the next two.
func DaysAhead(text string, now time.Time) (days []time.Time) {
	if HasPhrase(text, `tomorrow|morgen|demain|manana`) {
		days = append(days, tomorrow(now))
	}
	for n := 1; n <= 14; n++ {
		if day := now.AddDate(0, 0, n); HasPhrase(text, weekdays[day.Weekday()]) {
			days = append(days, day)
		}
	}
	return days
}

func tomorrow(now time.Time) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, now.Location())
}

func periodOf(question string, now time.Time) Period {
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	days := func(from, to int) Period { // whole days from now, to excluded
		return Period{midnight.AddDate(0, 0, from).UnixMilli(), midnight.AddDate(0, 0, to).UnixMilli()}
	}
	monday := -(int(now.Weekday()) + 6) % 7
	if n := lasting(question); n > 0 {
		return days(-n, 1)
	}
	before, counts := "", HasPhrase(question, `ago|vor|il y a|hace`)
	for w := range strings.FieldsSeq(phraseForm(question)) { // "3 days ago", "vor zwei wochen", "il y a 2 jours"
		n, counted := max(1, SmallNumber(before)), SmallNumber(before) > 0 || before == "one" || articles[before]
		if before = w; !counted || !counts {
			continue
		}
		switch {
		case unitOf[w] == "day":
			return days(-n, -n+1)
		case unitOf[w] == "week":
			return days(-7*n-3, -7*n+4)
		case unitOf[w] == "month":
			return days(-31*n-10, -30*n+11)
		}
	}
	switch {
	case HasPhrase(question, `day before yesterday|vorgestern|avant-hier|anteayer`):
		return days(-2, -1)
	case HasPhrase(question, `yesterday|gestern|ayer`) || HasPhrase(question, `hier`) && Language(question) != "de" || HasPacked(question, `昨日|昨天`):
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
	for day, names := range weekdays {
		if HasPhrase(question, names) && HasPhrase(question, since) {
			return days(-((int(now.Weekday())-day+6)%7 + 1), 1) // said on the day itself, it is that of last week
		}
	}
	return Period{}
}
