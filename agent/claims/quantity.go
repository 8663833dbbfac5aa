package claims

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// quantity is a number of a text: value × unit, with as many digits as are shown.
type quantity struct {
	rank.Figure
	shown    string  // as it stands in the folded text
	digits   float64 // without scale
	step     float64 // what the last digit shown is worth, without scale
	negative bool
	points   bool   // basis points
	unit     string // of time or measure behind it, "" for none
	about    int    // 1 "more than", -1 "nearly", 2 "about", 0 exact
	noun     string // stem of the word behind it, "" for none
	word     bool   // written as a word
	mark     bool   // in brackets of its own, one or two digits: perhaps a footnote's
}

var (
	spaced     = regexp.MustCompile(`(^|[^\d.,])(\d{1,3}(?: \d{3})+)\b`)
	yearThen   = regexp.MustCompile(`\b((?:19|20)\d\d) ([$€£¥]\d)`) // "in 2020 $5"
	to         = regexp.MustCompile(`^ ?(?:-|–|—|to|and|bis|und|a|y|et) ?[$€£¥]?$`)
	roughly    = regexp.MustCompile(`(?:\b(?:about|around|approximately|approx\.?|roughly|some|circa|ca\.?|rund|etwa|ungefahr|gut|environ|pres de|unos|aproximadamente|cerca de|alrededor de)|[~≈約])\s*[$€£¥]?\s*$`)
	moreThan   = regexp.MustCompile(`\b(?:over|more than|above|exceed\w*|uber|mehr als|plus de|mas de)\s*[$€£¥]?\s*$`)
	lessThan   = regexp.MustCompile(`\b(?:nearly|almost|just under|under|less than|knapp|fast|weniger als|presque|pres de|moins de|casi|menos de)\s*[$€£¥]?\s*$`)
	basis      = regexp.MustCompile(`^[\s-]*(?:basis[ -]?points?|bps?\b|basispunkte?n?|points? de base|puntos? basicos?)`)
	unitBehnd  = regexp.MustCompile(`^[\s-]*(?:\(\d+\) ?)?(?:\pL+ )?(` + unitWords() + `)(?:\PL|$)|^ ?(日間?|週間?|か月|ヶ月|カ月|个月|年間?|時間|小时)`)
	wordBehind = regexp.MustCompile(`^ (\pL{3,})`)
	anyWord    = regexp.MustCompile(`(?:^|[^\pL])((?:` + numberWordList() + `))(?: (\pL{3,})|\PL|$)`)
	numWord    = regexp.MustCompile(`(?:^|[^\pL])((?:` + numberWordList() + `))[ -](?:\(\d+\) ?)?(?:\pL+ )?(` + unitWords() + `)(?:\PL|$)`)
)

// units are those of time and measure that stand behind a number, by their words in several languages, folded.
var units = map[string]string{
	"day": "day days tag tage tagen jour jours dia dias 日 日間", "week": "week weeks woche wochen semaine semaines semana semanas 週 週間",
	"month": "month months monat monate monaten mois mes meses か月 ヶ月 カ月 个月", "hour": "hour hours stunde stunden heure heures hora horas 時間 小时",
	"year": "year years jahr jahre jahren an ans annee annees ano anos 年 年間", "minute": "minute minutes minuten minuto minutos",
	"km": "km kilometre kilometres kilometer kilometers", "mile": "mile miles", "m": "metre metres meter meters", "kg": "kg kilogram kilograms kilo kilos",
	"tonne": "tonne tonnes ton tons tonnen",
}

// lasts are the units of time by how many smaller ones they are.
var lasts = map[string]struct {
	of    string
	times float64
}{"minute": {"minute", 1}, "hour": {"minute", 60}, "day": {"minute", 1440}, "week": {"minute", 10080}, "month": {"month", 1}, "year": {"month", 12}}

var unitOf = func() map[string]string {
	all := map[string]string{}
	for unit, words := range units {
		for w := range strings.FieldsSeq(words) {
			all[w] = unit
		}
	}
	return all
}()

func unitWords() string {
	var all []string
	for w := range unitOf {
		if w[0] < 0x80 {
			all = append(all, w)
		}
	}
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return strings.Join(all, "|")
}

// numberWords are the numbers that contracts write as words, folded, in English, German, French and Spanish.
var numberWords = map[string]float64{}

func numberWordList() string {
	for n, words := range map[float64]string{1: "one ein eine einem einen un une una", 2: "two zwei deux dos", 3: "three drei trois tres", 4: "four vier quatre cuatro",
		5: "five funf cinq cinco", 6: "six sechs seis", 7: "seven sieben sept siete", 8: "eight acht huit ocho", 9: "nine neun neuf nueve", 10: "ten zehn dix diez",
		12: "twelve zwolf douze doce", 14: "fourteen vierzehn quatorze catorce", 15: "fifteen funfzehn quinze quince", 20: "twenty zwanzig vingt veinte",
		21: "twenty-one einundzwanzig", 24: "twenty-four vierundzwanzig", 30: "thirty dreissig trente treinta", 45: "forty-five", 60: "sixty sechzig soixante sesenta", 90: "ninety neunzig noventa"} {
		for w := range strings.FieldsSeq(words) {
			numberWords[w] = n
		}
	}
	var all []string
	for w := range numberWords {
		all = append(all, w)
	}
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return strings.Join(all, "|")
}

func stemOf(word string) string {
	if terms := rank.Terms(word); len(terms) > 0 {
		return terms[0]
	}
	return ""
}

var (
	fiscal  = regexp.MustCompile(`(?i)\b(?:FY|CY) ?['’]?((?:19|20)\d\d)?(\d\d)?\b`)
	quarter = regexp.MustCompile(`\b(?:[QH][1-4]|[1-4][QH]|(?:10|8|20|6)-?[KQF])\b`)
	years   = regexp.MustCompile(`((?:19|20)\d\d\s*)([-–—])(\s*(?:19|20)\d\d\b)`)
)

// plainPeriods is a text of the same length in which "FY2017" is the year alone, a span of years its two ends, and the
// names of quarters and of filings are nothing: as numbers they measure nothing.
func plainPeriods(text string) string {
	blank := func(m string) string { return strings.Repeat(" ", len(m)) }
	text = fiscal.ReplaceAllStringFunc(text, func(m string) string {
		if year := fiscal.FindStringSubmatch(m)[1]; year != "" && strings.HasSuffix(m, year) {
			return blank(m[:len(m)-4]) + year
		}
		return blank(m)
	})
	text = quarter.ReplaceAllStringFunc(text, blank)
	return years.ReplaceAllStringFunc(text, func(m string) string {
		return strings.NewReplacer("-", " ", "–", "   ", "—", "   ").Replace(m)
	})
}

// besideNumber is how many bytes before and behind a number are looked at for its sign, unit and noun: more would
// make a long text cost its square.
const besideNumber = 120

// quantities are the numbers of a text, in order, and the text folded.
func quantities(text string) (folded string, list []quantity) {
	text = plainPeriods(text)
	text = yearThen.ReplaceAllString(text, "$1;$2")
	text = spaced.ReplaceAllStringFunc(text, func(m string) string { return m[:1] + strings.ReplaceAll(m[1:], " ", "\u00a0") })
	folded, figures := rank.Figures(text)
	for _, f := range figures {
		q := quantity{Figure: f, shown: strings.TrimSpace(folded[f.From:f.To]), digits: f.Value, step: math.Pow(10, -float64(f.Decimals))}
		before, after := folded[max(0, f.From-besideNumber):f.From], folded[f.To:min(len(folded), f.To+besideNumber)]
		bracket := strings.HasSuffix(strings.TrimRight(before, "$€£ "), "(") && strings.HasPrefix(strings.TrimLeft(after, "%; "), ")")
		q.mark = bracket && f.Decimals == 0 && f.Value < 100 && len(q.shown) <= 2
		q.negative = bracket || minus.MatchString(before)
		q.Percent = q.Percent || strings.HasPrefix(after, " ; %") || strings.HasPrefix(after, " ; )%")
		q.points = basis.MatchString(after)
		if m := unitBehnd.FindStringSubmatch(after); m != nil {
			q.unit = unitOf[m[1]+m[2]]
		}
		if m := wordBehind.FindStringSubmatch(after); m != nil && q.Decimals == 0 && q.bare() {
			q.noun = stemOf(m[1])
		}
		switch tail := before[max(0, len(before)-30):]; {
		case roughly.MatchString(tail):
			q.about = 2
		case moreThan.MatchString(tail):
			q.about = 1
		case lessThan.MatchString(tail):
			q.about = -1
		}
		if n := len(list) - 1; n >= 0 && q.Scale > 0 && !list[n].Percent && list[n].Scale == 0 && !list[n].isYear() && to.MatchString(folded[list[n].To:f.From]) && (strings.ContainsAny(folded[list[n].To:f.From], "-–—") || list[n].Currency == "") {
			list[n].Scale, list[n].Currency = q.Scale, max(list[n].Currency, q.Currency) // "$180–200 million"
		}
		list = append(list, q)
	}
	if !strings.ContainsFunc(folded, unicode.IsLetter) {
		return folded, list
	}
	for _, m := range numWord.FindAllStringSubmatchIndex(folded, -1) {
		w := folded[m[2]:m[3]]
		list = append(list, quantity{Figure: rank.Figure{From: m[2], To: m[3], Form: w, Value: numberWords[w]}, shown: w, digits: numberWords[w], step: 1, unit: unitOf[folded[m[4]:m[5]]], word: true})
	}
	for _, m := range anyWord.FindAllStringSubmatchIndex(folded, -1) {
		w := folded[m[2]:m[3]]
		noun := ""
		if m[4] >= 0 {
			noun = folded[m[4]:m[5]]
		}
		if n := numberWords[w]; unitOf[noun] == "" {
			list = append(list, quantity{Figure: rank.Figure{From: m[2], To: m[3], Form: w, Value: n}, shown: w, digits: n, step: 1, noun: stemOf(noun), word: true})
		}
	}
	for _, m := range kanjiDigit.FindAllStringIndex(folded, -1) {
		from, to := m[0], m[0]+len("一")
		list = append(list, quantity{Figure: rank.Figure{From: from, To: to}, shown: folded[from:to], digits: float64(strings.Index("一二三四五六七八九十", folded[from:to])/3 + 1), step: 1, word: true,
			unit: unitOf[unitBehnd.FindStringSubmatch(folded[to:])[2]]})
	}
	return folded, list
}

var (
	minus      = regexp.MustCompile(`(?:^|[\s(|:,;])[-−][$€£]?\s?$|\bminus [$€£]?$`)
	kanjiDigit = regexp.MustCompile(`[一二三四五六七八九十](?:日間?|週間?|か月|ヶ月|カ月|个月|年間?|時間|小时)`)
)

func (q quantity) isDate() bool { return q.Month > 0 }

// isYear reports whether a number is written as a year is.
func (q quantity) isYear() bool {
	return !q.isDate() && !q.Name && !q.word && len(q.shown) == 4 && q.Decimals == 0 && q.digits >= 1900 && q.digits <= 2100 && reading.AllDigits(q.shown)
}

// bare reports whether nothing at a number says what it measures.
func (q quantity) bare() bool {
	return q.Scale == 0 && !q.Percent && !q.points && q.Currency == ""
}

// value is what a number says, with its scale. Basis points are hundredths of a percent.
func (q quantity) value() float64 {
	if q.points {
		return q.digits / 100
	}
	return q.digits * math.Pow(10, float64(q.Scale))
}

// near reports whether v is the number, as far as its digits show; unit is what one of its digits is worth.
func (q quantity) near(v, unit float64) bool {
	return slices.ContainsFunc(q.readings(), func(x quantity) bool { return x.nearest(v, unit) })
}

// nearest is near in one reading of the digits.
func (q quantity) nearest(v, unit float64) bool {
	v = math.Abs(v)
	at := q.digits * unit
	slack := q.step * unit / 2
	if q.points {
		at, slack = at/100, slack/100
	}
	if q.about != 0 && q.Decimals == 0 && q.digits > 0 {
		for step := q.step * 10; math.Mod(q.digits, step) == 0; step *= 10 {
			slack = step * unit / 2
		}
	}
	switch q.about {
	case 1:
		return v >= at-slack/1e6 && v <= at+2*slack
	case -1:
		return v <= at+slack/1e6 && v >= at-2*slack
	}
	return math.Abs(v-at) <= slack*(1+1e-9)+at*1e-12
}

// fit says how a number of a claim fits one of a document.
type fit int

const (
	noFit    fit = iota
	offScale     // the digits are the same, the scale is not
	fits
)

// fits compares with a number of a document; scale is the power of ten that its table multiplies by, -1 if nothing says.
func (q quantity) fits(v quantity, scale int) fit {
	if q.isDate() || v.isDate() {
		same := q.Month == v.Month && (q.Day == 0 || q.Day == v.Day) && (q.Year == 0 || v.Year == 0 || q.Year == v.Year)
		if q.isYear() && v.Year == int(q.digits) || q.isDate() && v.isDate() && same {
			return fits
		}
		return noFit
	}
	switch {
	case q.Name || v.Name:
		if q.Form == v.Form && q.Name && v.Name {
			return fits
		}
		return noFit
	case q.unit != v.unit && lasts[q.unit].of != "" && lasts[q.unit].of == lasts[v.unit].of: // two years are 24 months
		if q.digits*lasts[q.unit].times == v.digits*lasts[v.unit].times {
			return fits
		}
		return noFit
	case q.Currency != "" && v.Currency != "" && q.Currency != v.Currency, q.unit != "" && v.unit != "" && q.unit != v.unit:
		return noFit
	case (q.Percent || q.points) && (v.Currency != "" || v.Scale > 0), v.Percent && !q.Percent && !q.points && !q.bare():
		return noFit
	}
	own := math.Pow(10, float64(q.Scale))
	result := noFit
	mine, theirs := q.readings(), v.readings()
	for i, q := range mine {
		for k, v := range theirs {
			if len(mine) == len(theirs) && i != k {
				continue // written alike, so read alike
			}
			full := v.digits * math.Pow(10, float64(v.Scale))
			if v.Scale == 0 && scale > 0 && !v.Percent {
				full = v.digits * math.Pow(10, float64(scale))
			}
			if v.points {
				full /= 100
			}
			if q.nearest(full, own) || (q.bare() || q.Percent) && q.nearest(v.digits, 1) && v.Scale == 0 || q.Scale > 0 && v.Scale == 0 && scale < 0 && anyScale(q, v.digits) {
				return fits
			}
			if !q.Percent && !q.points && q.digits != 0 && (anyScale(q, full) || q.nearest(full, 1)) {
				result = offScale
			}
		}
	}
	return result
}

// anyScale reports whether digits times some power of a thousand are the number. One digit alone fits too much.
func anyScale(q quantity, digits float64) bool {
	if q.digits < 10*q.step {
		return false
	}
	for power := -12; power <= 12; power += 3 {
		if q.nearest(digits*math.Pow(10, float64(power)), math.Pow(10, float64(q.Scale))) {
			return true
		}
	}
	return false
}

// yearsIn are the years that a folded text names.
func yearsIn(folded string) []int {
	var all []int
	for _, m := range yearWord.FindAllStringSubmatch(folded, -1) {
		n, _ := strconv.Atoi(m[1] + m[2]) // digits by the pattern
		if n < 100 {
			n += 2000
		}
		all = append(all, n)
	}
	return all
}

var yearWord = regexp.MustCompile(`(?:^|[^\d.,$€£])(?:fy ?|cy ?)?((?:19|20)\d\d)(?:$|[^\d,%]|,\D)|\bfy ?'?(\d\d)\b`)

// readings are the numbers that its digits may mean: a point before three digits may separate thousands.
func (q quantity) readings() []quantity {
	if q.Decimals != 3 || !strings.Contains(q.shown, ".") || q.digits < 1 || q.digits >= 1000 {
		return []quantity{q}
	}
	whole := q
	whole.digits, whole.step, whole.Decimals = q.digits*1000, 1, 0
	return []quantity{q, whole}
}
