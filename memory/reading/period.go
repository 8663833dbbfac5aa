package reading

import (
	"regexp"
	"strconv"
	"time"

	"threadkeeper/memory/rank"
)

// Period is when something a question asks for was said, in milliseconds UTC; zero when the
// question does not say. To is excluded.
type Period struct{ From, To int64 }

// ago is a time before now in folded text: "3 days ago", "vor zwei wochen", "il y a 2 jours".
var ago = regexp.MustCompile(`(\d{1,3}|a|one|two|three|four|five|six|ein\pL*|zwei|drei|vier|une?|deux|trois|quatre|dos|tres|cuatro) (day|week|month|tag|woche|monat|jour|semaine|mois|dia|semana|mes)`)

var smallNumbers = map[string]int{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "zwei": 2, "drei": 3, "vier": 4, "deux": 2, "trois": 3, "quatre": 4, "dos": 2, "tres": 3, "cuatro": 4}

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

// since opens the beginning of a period that lasts until now.
const since = `since|seit|depuis|desde`

// lasting is a number of days, weeks or months until now: "the last 3 days", "past week".
var lasting = regexp.MustCompile(`\b(?:(\d{1,3}|two|three|four|five|six|zwei|drei|vier|deux|trois|quatre|dos|tres|cuatro) )?(last|past|previous|letzten?|vergangenen?|derniers|dernieres|derniere|ultimos|ultimas)(?: (\d{1,3}|two|three|four|five|six|zwei|drei|vier|deux|trois|quatre|dos|tres|cuatro))? (days?|weeks?|months?|tage|woche|wochen|monat|monate|jours?|semaines?|mois|dias?|semanas?|mes|meses)\b`)

// weekdays are the folded names of the days, Sunday first.
var weekdays = [7]string{`sunday|sonntag|dimanche|domingo`, `monday|montag|lundi|lunes`, `tuesday|dienstag|mardi|martes`, `wednesday|mittwoch|mercredi|miercoles`,
	`thursday|donnerstag|jeudi|jueves`, `friday|freitag|vendredi|viernes`, `saturday|samstag|samedi|sabado`}

// PeriodOf reads when from a question, seen from now, in English, German, French and Spanish, Japanese and Chinese. Weeks
// reach from the day seven days before as well, since people mean either. "Since" Monday, yesterday or last week lasts until
// now, as do "the last three days".
func PeriodOf(question string, now time.Time) Period {
	p := periodOf(question, now)
	if p.From > 0 && HasPhrase(question, since) {
		p.To = max(p.To, tomorrow(now).UnixMilli())
	}
	return p
}

// tomorrow is when the next day begins.
func tomorrow(now time.Time) time.Time {
	return time.Date(now.Year(), now.Month(), now.Day()+1, 0, 0, 0, 0, now.Location())
}

func periodOf(question string, now time.Time) Period {
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	days := func(from, to int) Period { // whole days from now, to excluded
		return Period{midnight.AddDate(0, 0, from).UnixMilli(), midnight.AddDate(0, 0, to).UnixMilli()}
	}
	monday := -(int(now.Weekday()) + 6) % 7
	m, last := ago.FindStringSubmatch(rank.Fold(question)), lasting.FindStringSubmatch(rank.Fold(question))
	switch {
	case last != nil && (last[1]+last[3] != "" || last[2] == "past"):
		n := max(1, SmallNumber(last[1]+last[3]))
		switch last[4][0] {
		case 'w', 's':
			n *= 7
		case 'm':
			n *= 30
		}
		return days(-n, 1)
	case m != nil && HasPhrase(question, `ago|vor|il y a|hace`):
		n, err := strconv.Atoi(m[1])
		if err != nil {
			n = max(1, smallNumbers[m[1]])
		}
		switch m[2] {
		case "week", "woche", "semaine", "semana":
			return days(-7*n-3, -7*n+4)
		case "month", "monat", "mois", "mes":
			return days(-31*n-10, -30*n+11)
		}
		return days(-n, -n+1)
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
	for day, names := range weekdays {
		if HasPhrase(question, names) && HasPhrase(question, since) {
			return days(-((int(now.Weekday())-day+6)%7 + 1), 1) // said on the day itself, it is that of last week
		}
	}
	return Period{}
}
