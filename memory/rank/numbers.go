package rank

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Numbers returns the normal forms of the numbers, dates, times and identifiers in s, each
// once, in order: "1,284" is 1284; "$4.2M" and "4.2 million" are 4200000; "30.80 percent" is
// 30.8%; "3 May 2023" and "2023-05-03" are 2023-05-03, "May 2023" is 2023-05 and "May 3" is
// --05-03; "7Q-114" is 7q-114. A currency is not part of the form, because tables name it once
// for many numbers; [Missing] compares it. Numbers in words are not seen.
func Numbers(s string) []string {
	var forms []string
	for _, f := range figures(s) {
		if form := f.String(); !slices.Contains(forms, form) {
			forms = append(forms, form)
		}
	}
	return forms
}

// figure is one number, date, time or identifier of a text.
type figure struct {
	id               string // identifier or time, folded; else one of the next
	day, month, year int    // date; 0 for a part not given
	digits           string // plain decimal without needless zeros
	written          string // the same with them
	scale            int    // power of ten that a following word or letter multiplies by
	percent          bool
	currency         string // ISO code
	hasDate          bool
	from, to         int // bytes of the folded text
}

// Figure is a number, date, time or identifier of a text, as [Numbers] reads it.
type Figure struct {
	From, To         int     // where it stands in the folded text, with currency, percent and scale
	Form             string  // normal form, as of Numbers
	Value            float64 // of a number as its digits say, without scale and sign; 0 of others
	Decimals         int     // digits behind the point
	Scale            int     // power of ten that a word or letter behind it multiplies by
	Percent          bool
	Currency         string // ISO code, "" if none stands at it
	Year, Month, Day int    // of a date, 0 for a part not given
	Name             bool   // an identifier or a time
}

// Figures returns s folded and its figures in order.
func Figures(s string) (folded string, list []Figure) {
	folded = Fold(joinThousands(s))
	for _, f := range figures(s) {
		x := Figure{From: f.from, To: f.to, Form: f.String(), Scale: f.scale, Percent: f.percent, Currency: f.currency,
			Year: f.year, Month: f.month, Day: f.day, Name: f.id != ""}
		if f.digits != "" {
			x.Value, _ = strconv.ParseFloat(f.digits, 64) // 0 of a form such as 1.2.3
			_, decimals, _ := strings.Cut(f.written, ".")
			x.Decimals = len(decimals)
		}
		list = append(list, x)
	}
	return folded, list
}

func (f figure) String() string {
	switch {
	case f.id != "":
		return f.id
	case f.hasDate && f.year == 0:
		return fmt.Sprintf("--%02d-%02d", f.month, f.day)
	case f.hasDate && f.day == 0:
		return fmt.Sprintf("%04d-%02d", f.year, f.month)
	case f.hasDate:
		return fmt.Sprintf("%04d-%02d-%02d", f.year, f.month, f.day)
	case f.percent:
		return f.value() + "%"
	}
	return f.value()
}

func (f figure) value() string { return shift(f.digits, f.scale) }

// months are the numbers, 1 to 12, of the names of months.
var months = sync.OnceValue(func() map[string]int {
	all := map[string]int{}
	for i, list := range monthNames {
		for name := range strings.SplitSeq(list, "|") {
			all[name] = i + 1
		}
	}
	return all
})

// Month names and their abbreviations, folded, in English, German, French, Spanish, Italian,
// Portuguese, Dutch and Russian.
var monthNames = [12]string{
	"january|januar|janvier|enero|gennaio|janeiro|januari|января|январь|jan|janv|ene|gen",
	"february|februar|fevrier|febrero|febbraio|fevereiro|februari|февраля|февраль|feb|fevr|fev",
	"march|marz|mars|marzo|marco|maart|марта|март|mar|mrt",
	"april|avril|abril|aprile|апреля|апрель|apr|avr|abr",
	"may|mai|mayo|maggio|maio|mei|мая|май|mag",
	"june|juni|juin|junio|giugno|junho|июня|июнь|jun|giu",
	"july|juli|juillet|julio|luglio|julho|июля|июль|jul|juil|lug",
	"august|aout|agosto|augustus|августа|август|aug|ago",
	"september|septembre|septiembre|settembre|setembro|сентября|сентябрь|sept|sep|set",
	"october|oktober|octobre|octubre|ottobre|outubro|октября|октябрь|oct|okt|ott|out",
	"november|novembre|noviembre|novembro|ноября|ноябрь|nov",
	"december|dezember|decembre|diciembre|dicembre|dezembro|декабря|декабрь|dec|dez|dic",
}

// scales are the powers of ten of the words and letters that multiply a number before them.
var scales = map[string]int{
	"k": 3, "thousand": 3, "tausend": 3, "tsd": 3, "mille": 3, "mil": 3, "mila": 3, "duizend": 3, "тыс": 3, "тысяч": 3,
	"m": 6, "mn": 6, "mio": 6, "million": 6, "millions": 6, "millionen": 6, "millones": 6, "millon": 6,
	"milioni": 6, "milione": 6, "milhoes": 6, "milhao": 6, "miljoen": 6, "млн": 6, "миллион": 6, "миллионов": 6, "миллиона": 6,
	"b": 9, "bn": 9, "billion": 9, "billions": 9, "mrd": 9, "milliarde": 9, "milliarden": 9, "milliard": 9, "milliards": 9,
	"miliardi": 9, "miliardo": 9, "miljard": 9, "bilhoes": 9, "bilhao": 9, "млрд": 9, "миллиард": 9, "миллиардов": 9, "миллиарда": 9,
	"trillion": 12, "trillions": 12, "trn": 12, "lakh": 5, "lakhs": 5, "lac": 5, "lacs": 5, "crore": 7, "crores": 7,
	"千": 3, "万": 4, "萬": 4, "百万": 6, "億": 8, "亿": 8,
}

var currencies = map[string]string{
	"$": "USD", "us$": "USD", "usd": "USD", "dollar": "USD", "dollars": "USD", "€": "EUR", "eur": "EUR", "euro": "EUR", "euros": "EUR",
	"£": "GBP", "gbp": "GBP", "pounds": "GBP", "¥": "JPY", "jpy": "JPY", "yen": "JPY", "円": "JPY", "chf": "CHF", "₹": "INR", "inr": "INR", "rs": "INR", "rs.": "INR",
	"rupees": "INR", "₽": "RUB", "rub": "RUB", "рублей": "RUB", "cny": "CNY", "元": "CNY", "₩": "KRW", "원": "KRW",
}

const (
	percentWords = `%|percentage points?|percent|per cent|prozent|pour ?cent|por ciento|per cento|por cento|procent|процент(?:а|ов)?`
	number       = `\d+(?:[.,']\d+)*`
)

// figureForm matches folded text. Its groups, in this order: ISO date; day.month.year;
// month/day/year; year年month月day日, with or without the year; day month year; month day year; month year; time;
// identifier; number with currency, percent and scale around it.
var figureForm = sync.OnceValue(func() *regexp.Regexp {
	var names []string
	for _, list := range monthNames {
		names = append(names, strings.Split(list, "|")...)
	}
	month := `(` + alternatives(names) + `)\.?`
	var codes, before, signs, words, letters []string
	for c := range currencies {
		switch c = regexp.QuoteMeta(c); {
		case strings.HasPrefix(c, "rs"): // the end of many words
			before = append(before, `\b`+c)
		default:
			codes, before = append(codes, c), append(before, c)
		}
	}
	for s := range scales {
		switch r, size := utf8.DecodeRuneInString(s); {
		case classOf(r) == packed:
			signs = append(signs, s)
		case size == len(s):
			letters = append(letters, s)
		default:
			words = append(words, s)
		}
	}
	scale := `(` + alternatives(signs) + `|(?:` + alternatives(letters) + `| ?-?(?:` + alternatives(words) + `))(?:\PL|$))`
	return regexp.MustCompile(strings.Join([]string{
		`\b(\d{4})-(\d{1,2})-(\d{1,2})\b`,
		`\b(\d{1,2})\.(\d{1,2})\.(\d{4})\b`,
		`\b(\d{1,2})/(\d{1,2})/(\d{4})\b`,
		`(?:(\d{4}) ?年 ?)?(\d{1,2}) ?月(?: ?(\d{1,2}) ?日)?`,
		`\b(\d{1,2})(?:st|nd|rd|th|er|\.|o)? (?:de |of )?` + month + `(?:,? (?:de |of )?(\d{4}))?(?:\PL|$)`,
		`\b` + month + ` (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?\b`,
		`\b` + month + `,? (?:de |of )?(\d{4})\b`,
		`\b(\d{1,2}:\d{2}(?::\d{2})?)\b`,
		`\b([a-z0-9]*[a-z][-_#/]?\d[a-z0-9]*(?:[-_#/.][a-z0-9]+)*)`,
		`(?:(` + alternatives(before) + `) ?)?(` + number + `)(?: ?-?\)?(` + percentWords + `))?` + scale + `?(?:\.? ?(` + alternatives(codes) + `))?`,
	}, "|"))
})

// alternatives joins words into a pattern that tries longer ones first.
func alternatives(words []string) string {
	slices.SortFunc(words, func(a, b string) int {
		if d := len(b) - len(a); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	return strings.Join(words, "|")
}

func figures(s string) []figure {
	text := Fold(joinThousands(s))
	var found []figure
	for at := 0; strings.ContainsAny(text[at:], "0123456789"); { // every form has one
		m := figureForm().FindStringSubmatchIndex(text[at:])
		if m == nil {
			break
		}
		group := func(i int) string {
			if m[2*i] < 0 {
				return ""
			}
			return text[at+m[2*i] : at+m[2*i+1]]
		}
		list := read(group)
		from := at + start(m)
		for i, f := range list { // several numbers are parted by commas: "120,10400.5"
			f.from, f.to = from, at+end(m)
			if i < len(list)-1 {
				f.to = at + m[2*24] + nthComma(group(24), i)
			}
			from = f.to + 1
			found = append(found, f)
		}
		at += end(m)
	}
	return found
}

// nthComma is where comma n of a text stands, counted from 0.
func nthComma(text string, n int) int {
	at := strings.IndexByte(text, ',')
	for range n {
		at += 1 + strings.IndexByte(text[at+1:], ',')
	}
	return at
}

// end returns where the last group of a match ends: some forms look one character further.
func end(m []int) int {
	last := 0
	for i := 3; i < len(m); i += 2 {
		last = max(last, m[i])
	}
	return last
}

// start returns where the first group of a match begins.
func start(m []int) int {
	for i := 2; i < len(m); i += 2 {
		if m[i] >= 0 {
			return m[i]
		}
	}
	return m[0]
}

func read(group func(int) string) []figure {
	date := func(year, month, day string) []figure {
		f := figure{hasDate: true}
		f.year, _ = strconv.Atoi(year) // the pattern holds digits only; a missing part is 0
		f.day, _ = strconv.Atoi(day)
		if n, ok := months()[month]; ok {
			f.month = n
		} else {
			f.month, _ = strconv.Atoi(month)
		}
		return []figure{f}
	}
	switch {
	case group(1) != "":
		return date(group(1), group(2), group(3))
	case group(4) != "":
		return date(group(6), group(5), group(4))
	case group(7) != "":
		if group(7) > "12" && len(group(7)) == 2 {
			return date(group(9), group(8), group(7))
		}
		return date(group(9), group(7), group(8))
	case group(10) != "", group(12) != "":
		return date(group(10), group(11), group(12))
	case group(11) != "":
		return []figure{{digits: shift(group(11), 0), written: group(11)}}
	case group(13) != "":
		return date(group(15), group(14), group(13))
	case group(16) != "":
		return date(group(18), group(16), group(17))
	case group(19) != "":
		return date(group(20), group(19), "")
	case group(21) != "":
		return []figure{{id: group(21)}}
	case group(22) != "":
		return []figure{{id: group(22)}}
	}
	var list []figure
	for _, part := range numberParts(group(24)) {
		list = append(list, figure{digits: shift(part, 0), written: part})
	}
	last := &list[len(list)-1]
	last.percent = group(25) != ""
	last.scale = scales[strings.TrimFunc(group(26), func(r rune) bool { return !unicode.IsLetter(r) })]
	list[0].currency = currencies[group(23)]
	if list[0].currency == "" {
		last.currency = currencies[group(27)]
	}
	return list
}

// shift returns the plain decimal number n times ten to the power of places, without leading
// zeros or zeros after the point. A number with several points is returned as it is.
func shift(n string, places int) string {
	whole, part, _ := strings.Cut(n, ".")
	if strings.Contains(part, ".") {
		return n
	}
	for range places {
		if part == "" {
			whole += "0"
		} else {
			whole, part = whole+part[:1], part[1:]
		}
	}
	whole, part = strings.TrimLeft(whole, "0"), strings.TrimRight(part, "0")
	if whole == "" {
		whole = "0"
	}
	if part == "" {
		return whole
	}
	return whole + "." + part
}
