package reading

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"threadkeeper/memory/rank"
)

// Period is when something a question asks for was said, in milliseconds UTC; zero when the
// question does not say. To is excluded.
type Period struct{ From, To int64 }

// Holds reports whether a time is in the period; every time is in the zero period.
func (p Period) Holds(at int64) bool { return p == Period{} || at >= p.From && at < p.To }

// Relative times in folded text, in English, German, French, Spanish and Italian, Japanese and
// Chinese.
var (
	todayCue     = Cue(`today|this (?:morning|afternoon|evening)|heute|aujourd'hui|hoy|oggi`, `今日|今天`)
	yesterdayCue = Cue(`yesterday|gestern|hier|ayer|ieri`, `昨日|昨天`)
	beforeCue    = Cue(`(?:the )?day before yesterday|vorgestern|avant-hier|anteayer|l'altro ieri`, `一昨日|前天`)
	thisWeekCue  = Cue(`this week|diese(?:r)? woche|cette semaine|esta semana|questa settimana`, `今週|这周|本周`)
	lastWeekCue  = Cue(`last week|letzte[rn]? woche|vorige woche|la semaine derniere|semaine passee|la semana pasada|la settimana scorsa|settimana scorsa`, `先週|上周`)
	lastMonthCue = Cue(`last month|letzten monat|im letzten monat|le mois dernier|el mes pasado|il mese scorso`, `先月|上个月`)
	recentCue    = Cue(`(?:in )?the (?:last|past) few days|recently|in den letzten tagen|kurzlich|ces derniers jours|recemment|los ultimos dias|recientemente|negli ultimi giorni`, `最近`)
	agoCue       = regexp.MustCompile(`(?:(\d{1,3}|one|a|two|three|four|five|six|ein|einem|einer|zwei|drei|vier|funf|sechs|un|une|deux|trois|quatre|cinq|una|uno|dos|tres|cuatro|cinco|due|tre|quattro|cinque) (days?|weeks?|months?|tag|tage[n]?|wochen?|monat(?:en)?|jours?|semaines?|mois|dias?|semanas?|mes(?:es)?|giorn[oi]|settiman[ae]|mesi?))`)
	agoWord      = Cue(`ago|vor|il y a|hace|fa`, `日前|天前`)
)

var smallNumbers = map[string]int{"one": 1, "a": 1, "ein": 1, "einem": 1, "einer": 1, "un": 1, "une": 1, "una": 1, "uno": 1,
	"two": 2, "zwei": 2, "deux": 2, "dos": 2, "due": 2, "three": 3, "drei": 3, "trois": 3, "tres": 3, "tre": 3,
	"four": 4, "vier": 4, "quatre": 4, "cuatro": 4, "quattro": 4, "five": 5, "funf": 5, "cinq": 5, "cinco": 5, "cinque": 5, "six": 6, "sechs": 6}

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

// PeriodOf reads when from a question, seen from now. Weeks reach from the day seven days
// before as well, since people mean either.
func PeriodOf(question string, now time.Time) Period {
	f := rank.Fold(question)
	midnight := time.Date(now.Year(), now.Month(), now.Day(), 0, 0, 0, 0, now.Location())
	days := func(from, to int) Period { // whole days from now, to excluded
		return Period{midnight.AddDate(0, 0, from).UnixMilli(), midnight.AddDate(0, 0, to).UnixMilli()}
	}
	monday := -(int(now.Weekday()) + 6) % 7
	if n, unit, ok := ago(f); ok {
		switch unit {
		case 'w':
			return days(-7*n-3, -7*n+4)
		case 'm':
			return days(-31*n-10, -30*n+11)
		}
		return days(-n, -n+1)
	}
	switch {
	case beforeCue.MatchString(f):
		return days(-2, -1)
	case yesterdayCue.MatchString(f):
		return days(-1, 0)
	case todayCue.MatchString(f):
		return days(0, 1)
	case lastWeekCue.MatchString(f):
		return days(min(monday-7, -8), monday)
	case thisWeekCue.MatchString(f):
		return days(monday, 1)
	case lastMonthCue.MatchString(f):
		first := time.Date(now.Year(), now.Month(), 1, 0, 0, 0, 0, now.Location())
		return Period{first.AddDate(0, -1, 0).UnixMilli(), first.UnixMilli()}
	case recentCue.MatchString(f):
		return days(-5, 1)
	}
	return Period{}
}

// ago reads "three weeks ago": how many, and of what ('d', 'w' or 'm').
func ago(folded string) (n int, unit byte, ok bool) {
	m := agoCue.FindStringSubmatch(folded)
	if m == nil || !agoWord.MatchString(folded) {
		return 0, 0, false
	}
	n, known := smallNumbers[m[1]]
	if !known {
		n, _ = strconv.Atoi(m[1])
	}
	switch {
	case strings.HasPrefix(m[2], "w"), strings.HasPrefix(m[2], "sem"), strings.HasPrefix(m[2], "sett"):
		unit = 'w'
	case strings.HasPrefix(m[2], "m"):
		unit = 'm'
	default:
		unit = 'd'
	}
	return n, unit, true
}
