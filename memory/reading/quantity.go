package reading

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/memory/rank"
)

// Quantity is a number in a text: value × unit, with as many digits as are written.
type Quantity struct {
	rank.Figure
	Shown    string  // as it stands in the folded text
	Digits   float64 // without scale and sign
	Step     float64 // what the last digit shown is worth, without scale
	Negative bool
	Points   bool   // basis points
	Unit     string // of time or measure behind it: "day", "kg"; "" for none
	About    bool   // "about", "more than", "nearly"
	Word     bool   // written as a word
	Noun     string // what a whole number without a unit counts: the word behind it
	Mark     bool   // in brackets of its own, one or two digits: perhaps a footnote's
}

// Folded words for what may be counted, and the numbers that stand before it.
var (
	unitOf = byWord(map[string]string{
		"day": "day days tag tage tagen jour jours dia dias 日 日間", "week": "week weeks woche wochen semaine semaines semana semanas 週 週間",
		"month": "month months monat monate monaten mois mes meses か月 ヶ月 カ月 个月", "hour": "hour hours stunde stunden heure heures hora horas 時間 小时",
		"year": "year years jahr jahre jahren an ans annee annees ano anos 年 年間", "minute": "minute minutes minuten minuto minutos", "°c": "°c", "°f": "°f",
		"km": "km kilometre kilometres kilometer kilometers", "mile": "mile miles", "m": "metre metres meter meters", "kg": "kg kilogram kilograms kilo kilos",
		"kw": "kw", "bar": "bar", "mg": "mg", "cm": "cm", "mm": "mm",
		"tonne": "tonne tonnes ton tons tonnen"})
	numberOf = byWord(map[float64]string{1: "one ein eine einem einen un une una", 2: "two zwei deux dos", 3: "three drei trois tres", 4: "four vier quatre cuatro",
		5: "five funf cinq cinco", 6: "six sechs seis", 7: "seven sieben sept siete", 8: "eight acht huit ocho", 9: "nine neun neuf nueve", 10: "ten zehn dix diez",
		11: "eleven elf onze once", 12: "twelve zwolf douze doce", 13: "thirteen dreizehn treize trece", 14: "fourteen vierzehn quatorze catorce", 15: "fifteen funfzehn quinze quince", 16: "sixteen sechzehn seize dieciseis", 17: "seventeen siebzehn diecisiete", 18: "eighteen achtzehn dieciocho", 19: "nineteen neunzehn diecinueve", 20: "twenty zwanzig vingt veinte",
		21: "twenty-one einundzwanzig", 24: "twenty-four vierundzwanzig", 30: "thirty dreissig trente treinta", 40: "forty vierzig quarante cuarenta", 50: "fifty funfzig cinquante cincuenta", 45: "forty-five", 60: "sixty sechzig soixante sesenta", 90: "ninety neunzig noventa"})
	// lasts are the units of time by how many smaller ones they are.
	lasts = map[string]struct {
		of    string
		times float64
	}{"minute": {"minute", 1}, "hour": {"minute", 60}, "day": {"minute", 1440}, "week": {"minute", 10080}, "month": {"month", 1}, "year": {"month", 12}}
)

// NumberWord is the number that a folded word names ("two"), in English, German, French and Spanish; false for other words.
func NumberWord(word string) (int, bool) {
	n, ok := numberOf[word]
	return int(n), ok
}

func byWord[T comparable](words map[T]string) map[string]T {
	all := map[string]T{}
	for x, list := range words {
		for w := range strings.FieldsSeq(list) {
			all[w] = x
		}
	}
	return all
}

// wordsIn is a pattern for the keys of a map that are written with Latin letters, long ones first.
func wordsIn[T any](words map[string]T) string {
	all := slices.DeleteFunc(slices.Collect(maps.Keys(words)), func(w string) bool { return w[0] >= 0x80 })
	slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) })
	return strings.Join(all, "|")
}

var (
	yearThen   = Lazy(`\b((?:19|20)\d\d) ([$€£¥]\d)`) // "in 2020 $5"
	quarters   = Lazy(`\b(?:[QH][1-4]|[1-4][QH]|(?:10|8|20|6)-?[KQF])\b`)
	fiscal     = Lazy(`\b[FC]Y( ?(?:19|20)\d\d)\b`) // "FY2024"
	rangeTo    = Lazy(`^ ?(?:-|–|—|→|to|and|bis|auf|und|a|y|et) ?[$€£¥]?$`)
	untilDay   = Lazy(`^ ?(?:-|–|—|to|until|bis|au|al) ?$`)
	roughly    = Lazy(`(?:\b(?:about|around|approximately|approx\.?|roughly|some|over|more than|above|exceed\w*|nearly|almost|(?:just )?under|less than|circa|ca\.?|rund|etwa|ungefahr|gut|uber|mehr als|knapp|fast|weniger als|environ|plus de|presque|pres de|moins de|unos|aproximadamente|cerca de|alrededor de|mas de|casi|menos de)|[~≈約])\s*[$€£¥]?\s*$`)
	basis      = Lazy(`^[\s-]*(?:basis[ -]?points?|bps?\b|basispunkte?n?|points? de base|puntos? basicos?)`)
	cents      = Lazy(`^ ?(?:cents?|¢|centimes?|centimos?|pence)(?:\PL|$)`)
	minus      = Lazy(`(?:^|[\s(|:,;])[-−][$€£]?\s?$|\bminus [$€£]?$`)
	unitBehind = Lazy(`^[\s-]*(?:\(\d+\) ?)?(?:\pL+ )?(` + wordsIn(unitOf) + `)(?:\PL|$)|^ ?(°[cf]\b|日間?|週間?|か月|ヶ月|カ月|个月|年間?|時間|小时)`)
	nounBehind = Lazy(`^ (\pL{3,})`)
	inWords    = Lazy(`(?:^|[^\pL])(` + wordsIn(numberOf) + `)( thousand| million| billion)?(?:[ -](?:\(\d+\) ?)?(?:\pL+ )?(` + wordsIn(unitOf) + `)(?:\PL|$)| (\pL{3,})|\PL|$)`)
)

// JoinThousands joins the groups of numbers that some languages part by blanks: "14 200".
func JoinThousands(text string) string {
	text = threes.ReplaceAllString(text, "$1\u00a0$2")
	return threes.ReplaceAllString(text, "$1\u00a0$2") // the groups behind
}

// threes match two groups of a number that are parted by a blank, euros an amount in whose currency that is usual where the
// text's language does not say.
var (
	threes = Lazy(`\b(\d{1,3}) (\d{3})\b`)
	euros  = Lazy(`\b\d{1,3}(?: \d{3})+ ?(?:€|EUR\b)`)
)

// besideNumber is how many bytes before and behind a number are looked at for its sign and unit: more would make a long
// text cost its square.
const besideNumber = 120

// scaledLoss matches an amount in brackets before its scale: "$(203.1) million".
var scaledLoss = Lazy(`([$€£¥]) ?\(([\d.,]+)\) ?(thousand|million|billion)\b`)

// countsOn matches what stands behind a number that only counts on: "3rd".
var countsOn = Lazy(`^(?:st|nd|rd|th)\b`)

// Quantities returns the numbers of a text, in order except for those in words, which come last, and the text folded. Names of
// quarters and of filings, and numbers that only count on ("3rd"), are not values.
func Quantities(text string) (folded string, list []Quantity) {
	if threes.MatchString(text) {
		switch Language(text) {
		case "fr", "es", "it", "pt":
			text = JoinThousands(text)
		case "":
			text = euros.ReplaceAllStringFunc(text, JoinThousands)
		}
	}
	text = scaledLoss.ReplaceAllString(text, "(${1}${2} ${3})")
	text = fiscal.ReplaceAllString(text, "  $1")
	text = quarters.ReplaceAllStringFunc(text, func(m string) string { return strings.Repeat(" ", len(m)) })
	folded, figures := rank.Figures(yearThen.ReplaceAllString(text, "$1;$2"))
	for _, f := range figures {
		q := Quantity{Figure: f, Shown: strings.TrimSpace(folded[f.From:f.To]), Digits: f.Value, Step: math.Pow(10, -float64(f.Decimals))}
		before, after := folded[max(0, f.From-besideNumber):f.From], folded[f.To:min(len(folded), f.To+besideNumber)]
		if !q.IsDate() && countsOn.MatchString(after) {
			continue
		}
		bracket := strings.HasSuffix(strings.TrimRight(before, "$€£ "), "(") && strings.HasPrefix(strings.TrimLeft(after, "%; "), ")")
		q.Mark = bracket && f.Decimals == 0 && !f.Percent && f.Value < 100 && len(q.Shown) <= 2
		q.Negative = bracket || minus.MatchString(before)
		q.Points = basis.MatchString(after)
		if q.Scale == 0 && q.Currency == "" && cents.MatchString(after) {
			q.Scale = -2
		}
		q.About = roughly.MatchString(before[max(0, len(before)-30):])
		if m := unitBehind.FindStringSubmatch(after); m != nil {
			q.Unit = unitOf[m[1]+m[2]]
		} else if m := nounBehind.FindStringSubmatch(after); m != nil && q.Decimals == 0 && q.Bare() {
			q.Noun = m[1]
		}
		if n := len(list) - 1; n >= 0 && q.Scale > 0 && !list[n].Percent && list[n].Scale == 0 && !list[n].IsYear() {
			between := folded[list[n].To:f.From]
			if rangeTo.MatchString(between) && (strings.ContainsAny(between, "-–—") || list[n].Currency == "" || list[n].Digits < q.Digits && list[n].Digits > q.Digits/10) {
				list[n].Scale, list[n].Currency = q.Scale, max(list[n].Currency, q.Currency) // "$180–200 million", "$80 to $100 million"
			}
		}
		if n := len(list) - 1; n >= 0 && untilDay.MatchString(folded[list[n].To:f.From]) { // "9 to 14 January", "Jan. 9-14"
			if p := &list[n]; p.dayOf(q) {
				p.Month, p.Day, p.Year = q.Month, int(p.Digits), q.Year
			} else if q.dayOf(*p) {
				q.Month, q.Day, q.Year = p.Month, int(q.Digits), p.Year
			}
		}
		list = append(list, q)
	}
	for _, m := range inWords.FindAllStringSubmatchIndex(folded, -1) {
		w := folded[m[2]:m[3]]
		q := Quantity{Figure: rank.Figure{From: m[2], To: m[3], Form: w, Value: numberOf[w]}, Shown: w, Digits: numberOf[w], Step: 1, Word: true}
		if m[4] >= 0 {
			q.Shown, q.To, q.Scale = folded[m[2]:m[5]], m[5], captionScale[strings.TrimSpace(folded[m[4]:m[5]])]
		}
		if m[6] >= 0 {
			q.Unit = unitOf[folded[m[6]:m[7]]]
		} else if m[8] >= 0 {
			q.Noun = folded[m[8]:m[9]]
		}
		list = append(list, q)
	}
	return folded, list
}

func (q Quantity) dayOf(d Quantity) bool {
	return d.IsDate() && d.Day > 0 && !q.IsDate() && q.Bare() && q.Decimals == 0 && q.Digits >= 1 && q.Digits <= 31 && len(q.Shown) <= 2
}

// IsDate reports whether it is a date, with a month at least.
func (q Quantity) IsDate() bool { return q.Month > 0 }

// IsYear reports whether it is written like a year.
func (q Quantity) IsYear() bool {
	return !q.IsDate() && !q.Name && !q.Word && len(q.Shown) == 4 && q.Decimals == 0 && q.Digits >= 1900 && q.Digits <= 2100 && AllDigits(q.Shown)
}

// Measures reports whether it is a value, and not a date, name, number in words or footnote.
func (q Quantity) Measures() bool {
	return !q.IsYear() && !q.IsDate() && !q.Word && !q.Name && !q.Mark
}

// Bare reports whether nothing beside it says what it measures.
func (q Quantity) Bare() bool {
	return q.Scale == 0 && !q.Percent && !q.Points && q.Currency == ""
}

// Amount returns its value, with its scale. Basis points are hundredths of a percent.
func (q Quantity) Amount() float64 {
	if q.Points {
		return q.Digits / 100
	}
	return q.Digits * math.Pow10(q.Scale)
}

// Alike reports whether two are of the same kind: one could replace the other.
func (q Quantity) Alike(v Quantity) bool {
	switch {
	case q.IsDate() || v.IsDate():
		return q.IsDate() && v.IsDate()
	case q.IsYear() || v.IsYear() || q.Name || v.Name:
		return false
	case q.Unit != "" && v.Unit != "":
		return q.Unit == v.Unit || lasts[q.Unit].of != "" && lasts[v.Unit].of != ""
	case q.Percent || v.Percent || q.Points || v.Points:
		return (q.Percent || q.Points) && (v.Percent || v.Points)
	case q.Noun != "" && v.Noun != "":
		return strings.HasPrefix(q.Noun, v.Noun) || strings.HasPrefix(v.Noun, q.Noun)
	}
	return q.Currency != "" && q.Currency == v.Currency
}

// Near reports whether v is the number, as far as its digits show; unit is the value of its last digit.
func (q Quantity) Near(v, unit float64) bool {
	return slices.ContainsFunc(q.readings(), func(x Quantity) bool { return x.nearest(v, unit) })
}

// readings are the numbers that its digits may mean: a point before three digits may separate thousands.
func (q Quantity) readings() []Quantity {
	if q.Decimals != 3 || !strings.Contains(q.Shown, ".") || q.Digits < 1 || q.Digits >= 1000 {
		return []Quantity{q}
	}
	return []Quantity{q, q.Whole()}
}

// Whole returns the number with a point before three digits read as a thousands separator, as in most tables: "7.112". Others are
// unchanged.
func (q Quantity) Whole() Quantity {
	if q.Decimals == 3 && strings.Contains(q.Shown, ".") && q.Digits >= 1 && q.Digits < 1000 {
		q.Digits, q.Step, q.Decimals = q.Digits*1000, 1, 0
	}
	return q
}

// nearest is Near in one reading of the digits.
func (q Quantity) nearest(v, unit float64) bool {
	at, slack := q.Digits*unit, q.Step*unit/2
	if q.Points {
		at, slack = at/100, slack/100
	}
	if q.About {
		slack *= 2
		if q.Decimals == 0 && q.Digits > 0 {
			for step := q.Step * 10; math.Mod(q.Digits, step) == 0; step *= 10 {
				slack = step * unit / 2
			}
		}
	}
	return math.Abs(math.Abs(v)-at) <= slack*(1+1e-9)+at*1e-12
}

// Fits reports whether a number in a document is this one, as far as its digits show; scale is the power of ten that its
// table multiplies by, -1 if unknown.
func (q Quantity) Fits(v Quantity, scale int) bool {
	time := lasts[q.Unit]
	switch {
	case q.IsDate() || v.IsDate():
		return q.IsYear() && v.Year == int(q.Digits) || q.IsDate() && v.IsDate() &&
			q.Month == v.Month && (q.Day == 0 || q.Day == v.Day) && (q.Year == 0 || v.Year == 0 || q.Year == v.Year)
	case q.Name || v.Name:
		return q.Form == v.Form
	case q.Unit != v.Unit && time.of != "" && time.of == lasts[v.Unit].of: // two years are 24 months
		return q.Digits*time.times == v.Digits*lasts[v.Unit].times
	case q.Currency != "" && v.Currency != "" && q.Currency != v.Currency, q.Unit != "" && v.Unit != "" && q.Unit != v.Unit,
		(q.Percent || q.Points) && (v.Currency != "" || v.Scale > 0), v.Percent && !q.Percent && !q.Points && !q.Bare():
		return false
	}
	mine, theirs := q.readings(), v.readings()
	for i, q := range mine {
		for k, v := range theirs {
			if len(mine) == len(theirs) && i != k {
				continue // written alike, so read alike
			}
			full := v.Amount()
			if v.Scale == 0 && scale > 0 && !v.Percent {
				full = v.Digits * math.Pow10(scale)
			}
			if q.nearest(full, math.Pow10(q.Scale)) || (q.Bare() || q.Percent) && q.nearest(v.Digits, 1) && v.Scale == 0 || q.Scale > 0 && v.Scale == 0 && scale < 0 && q.InSomeScale(v.Digits) {
				return true
			}
		}
	}
	return false
}

// InSomeScale reports whether v times some power of a thousand is the number. A single digit would match too much.
func (q Quantity) InSomeScale(v float64) bool {
	if q.Digits < 10*q.Step {
		return false
	}
	for power := -12; power <= 12; power += 3 {
		if q.nearest(v*math.Pow10(power), math.Pow10(q.Scale)) {
			return true
		}
	}
	return q.nearest(v*math.Pow10(q.Scale), math.Pow10(q.Scale)) // its own scale may be none of these: lakhs, crores, 万
}

var yearWord = Lazy(`(?:^|[^\d.,$€£])(?:fy ?|cy ?)?((?:19|20)\d\d)(?:$|[^\d,%]|,\D)|\bfy ?'?(\d\d)\b`)

// YearsIn returns the years in a folded text.
func YearsIn(folded string) (all []int) {
	for _, m := range yearWord.FindAllStringSubmatch(folded, -1) {
		n, _ := strconv.Atoi(m[1] + m[2]) // digits by the pattern
		if n < 100 {
			n += 2000
		}
		all = append(all, n)
	}
	return all
}
