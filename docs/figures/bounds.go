package figures

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// What cells are compared with: "more than 3 units", "started before 2018".

// date is a year, or a month or a day of it; what it does not say is 0.
type date struct{ year, month, day int }

// compare compares dates as far as b says them.
func (a date) compare(b date) int {
	if b.month == 0 {
		a.month = 0
	}
	if b.day == 0 {
		a.day = 0
	}
	return cmp.Or(a.year-b.year, a.month-b.month, a.day-b.day)
}

// vaguer reports whether a says less than b.
func (a date) vaguer(b date) bool { return a.month == 0 && b.month > 0 || a.day == 0 && b.day > 0 }

// inDigits matches a date such as 3.5.2026 or 03/05/2026, of whose first two numbers one is the month.
var inDigits = reading.Lazy(`^(\d{1,2})([./-])(\d{1,2})[./-](\d{4}|\d{2})(?:\.?(?:\s|$)|[^\d.])`)

// dateIn reads a date at the beginning of a text, and how many words it takes; false for another text. DayFirst is how numbers with
// slashes are read; with points the day always comes first.
func dateIn(text string, dayFirst bool) (d date, words int, ok bool) {
	if first, _, _ := strings.Cut(text, " "); isYear(strings.Trim(first, ",.?!")) {
		year, _ := strconv.Atoi(first[:4])
		return date{year: year}, 1, true
	}
	if m := inDigits.FindStringSubmatch(text); m != nil {
		d.day, _ = strconv.Atoi(m[1])
		d.month, _ = strconv.Atoi(m[3])
		if d.year, _ = strconv.Atoi(m[4]); len(m[4]) == 2 {
			d.year += 2000
		}
		if m[2] != "." && !dayFirst {
			d.day, d.month = d.month, d.day
		}
		return d, 3, d.month >= 1 && d.month <= 12 && d.day >= 1 && d.day <= 31 && (len(m[4]) == 4 || m[2] == ".")
	}
	folded, all := rank.Figures(text)
	if len(all) == 0 || all[0].From > 0 || all[0].Month == 0 || all[0].Year == 0 {
		return d, 0, false
	}
	return date{all[0].Year, all[0].Month, all[0].Day}, len(split(folded[:all[0].To])), true
}

// orderIn reports whether the day comes first in those dates that have no points, and whether one above 12 shows it; unclear is one of
// them where none does.
func orderIn(cells []string) (dayFirst, sure bool, unclear string) {
	for _, cell := range cells {
		m := inDigits.FindStringSubmatch(cell)
		if m == nil || m[2] == "." {
			continue
		}
		first, _ := strconv.Atoi(m[1])
		second, _ := strconv.Atoi(m[3])
		if first > 12 || second > 12 {
			return first > 12, true, ""
		}
		unclear = cmp.Or(unclear, m[1]+m[2]+m[3]+m[2]+m[4])
	}
	return false, false, unclear
}

// String is a date as far as it says, as ISO 8601 writes it.
func (a date) String() string {
	text := strconv.Itoa(a.year)
	for _, n := range []int{a.month, a.day} {
		if n > 0 {
			text += fmt.Sprintf("-%02d", n)
		}
	}
	return text
}

// dates are those of a column, and the rows that have none; false if it holds other things.
func (t *table) dates(column int) (list []measured, without []int, ok bool) {
	filled := 0
	dayFirst, _, _ := orderIn(t.written(column))
	for _, r := range t.rows {
		cell := r.cell(column)
		if !empty(cell) {
			filled++
		}
		if d, _, is := dateIn(cell, dayFirst); is {
			list = append(list, measured{day: d, row: r})
		} else {
			without = append(without, r.number())
		}
	}
	return list, without, len(list) > 0 && float64(len(list)) >= numericShare*float64(filled)
}

// timely are words of comparisons that speak of dates only.
var timely = reading.WordSet(`before earlier prior after later since vor fruher spater seit avant apres depuis antes despues desde`)

// Compares reports whether a request has a condition that words do not meet by standing somewhere: a comparison with a number or a date.
func Compares(text string) bool {
	q := newQuestion(text, "")
	q.vocabulary(comparisons...)
	for i, w := range q.words {
		n := q.next(i, 1, false)
		if n < 0 || w.inside || len(w.roles) == 0 && !spans[w.text] {
			continue
		}
		next := q.words[n].text
		if _, number := reading.NumberWord(next); number || strings.ContainsAny(next[:1], "0123456789") || reading.Dated(next) != nil {
			return true
		}
	}
	return strings.ContainsAny(text, "<>≤≥")
}

// spans are words of conditions that takeBounds does not read.
var spans = reading.WordSet(`until till bis hasta`)

// comparisons are the roles of words that a number or a date follows.
var comparisons = []role{over, under, atLeast, atMost, within}

// joins stand between the two numbers or dates behind "between".
var joins = reading.WordSet(`and to und et y a`)

// takeBounds explains "more than 3 units", "units between 3 and 5" and "before 2018"; false if a comparison has no number or date, or no
// column that holds such.
func (t *table) takeBounds(q *question, r *request) bool {
	var rest []string // of the request from each word on
	for f := range strings.FieldsSeq(q.raw) {
		for range split(f) {
			rest = append(rest, f)
		}
		for i := range rest[:max(0, len(rest)-len(split(f)))] {
			rest[i] += " " + f
		}
	}
	for i, w := range q.words {
		at := slices.IndexFunc(w.roles, func(r role) bool { return slices.Contains(comparisons, r) })
		if at < 0 || w.inside {
			continue
		}
		n := q.next(i, 1, false)
		if n < 0 || len(rest) != len(q.words) {
			return false
		}
		signs := []role{w.roles[at]}
		if signs[0] == within {
			signs = []role{atLeast, atMost}
		}
		if !t.dateBounds(q, r, i, n, signs, rest) && (timely[w.text] || !t.numberBounds(q, r, i, n, signs, rest)) {
			return false
		}
		q.words[i].roles = []role{bounds}
	}
	return true
}

// several reads so many numbers or dates from word n on, with "and" between them, and returns how many words they take; 0 if they are
// not there. Read returns the words of one.
func (q *question) several(n, count int, read func(n int) int) int {
	for end := n; end < len(q.words); end++ {
		long := read(end)
		if end += long; long == 0 {
			break
		}
		if count--; count == 0 {
			return end - n
		}
		if end >= len(q.words) || !joins[q.words[end].text] {
			break
		}
	}
	return 0
}

// beside is the word that names a column, behind the words from n on or in front of the i-th; -1 for none.
func (q *question) beside(i, n, long int) int {
	for _, c := range []int{q.next(n+long-1, 1, false), q.next(i, -1, true)} {
		if c >= 0 && q.words[c].is(column) {
			return c
		}
	}
	return -1
}

// bind explains words from n on, and the name of a column, by a bound.
func (q *question) bind(n, long, c int) {
	for k := n; k < n+long; k++ {
		q.words[k].roles, q.words[k].inside = []role{bounds}, k > n
	}
	if c >= 0 {
		q.words[c].roles = []role{bounds}
	}
}

// dateBounds reads the dates behind a comparison, and takes the column of dates beside it or, if the comparison speaks of dates, the
// only one. Where the order of day and month is not certain, in it or in what is asked, only years are compared.
func (t *table) dateBounds(q *question, r *request, i, n int, signs []role, rest []string) bool {
	var days []date
	var asked []string
	read := func(dayFirst bool) int {
		days, asked = nil, nil
		return q.several(n, len(signs), func(n int) int {
			day, long, ok := dateIn(rest[n], dayFirst)
			if days, asked = append(days, day), append(asked, rest[n]); !ok {
				return 0
			}
			return long
		})
	}
	long := max(read(false), read(true))
	if long == 0 {
		return false
	}
	c := q.beside(i, n, long)
	var all []int
	for column := range t.names {
		if _, _, ok := t.dates(column); ok && !t.identifies(column) {
			if c >= 0 && q.words[c].column == column {
				all = []int{column}
				break
			}
			all = append(all, column)
		}
	}
	named := c >= 0 && len(all) == 1 && all[0] == q.words[c].column
	if len(all) != 1 || !named && !timely[q.words[i].text] && days[0].month == 0 {
		return false
	}
	if !named {
		c = -1
	}
	dayFirst, sure, unclear := orderIn(t.written(all[0]))
	if !sure && unclear == "" { // 2026-05-03
		dayFirst, _, unclear = orderIn(asked)
	}
	if read(dayFirst) == 0 {
		return false
	}
	for k, day := range days {
		if day.month > 0 && unclear != "" {
			r.unclear = Pair{Column: t.names[all[0]], Value: unclear}
		}
		r.bounds = append(r.bounds, bound{column: all[0], sign: signs[k], day: day, text: day.String()})
	}
	q.bind(n, long, c)
	return true
}

// numberBounds reads the numbers behind a comparison, and takes the column beside it.
func (t *table) numberBounds(q *question, r *request, i, n int, signs []role, rest []string) bool {
	unit := ""
	if i := strings.IndexAny(q.raw, "%$€£¥₹"); i >= 0 {
		sign, _ := utf8.DecodeRuneInString(q.raw[i:])
		unit = string(sign)
	}
	var found []bound
	scaled, multiplied := "", false // the letter that multiplies a number, but for k, which means nothing else
	long := q.several(n, len(signs), func(n int) int {
		b, letter, long := numberAt(rest[n])
		scaled += letter
		multiplied = multiplied || strings.ContainsFunc(b.text, unicode.IsLetter)
		found = append(found, b)
		return long
	})
	if long == 0 {
		return false
	}
	if c := q.next(n+long-1, 1, false); c >= 0 && percents[q.words[c].text] && !q.words[c].is(column) {
		unit, long = "%", c-n+1
	}
	c := q.beside(i, n, long)
	if c < 0 || t.labels(q.words[c].column) || multiplied && reading.ScaleOf(rank.Fold(t.names[q.words[c].column])) > 0 || scaled != "" && unit == "" && !t.named(q.words[c].column, amounts) && !t.named(q.words[c].column, prices) {
		return false
	}
	if list, _, ok := t.numbers(q.words[c].column); unit != "" && (!ok || list[0].unit != unit) { // 0.15 may be 15%
		return false
	}
	for k, b := range found {
		b.column, b.sign = q.words[c].column, signs[k]
		r.bounds = append(r.bounds, b)
	}
	q.bind(n, long, c)
	return true
}

// numberAt reads the number that a text begins with, and how many words it takes; 0 for another text. Letter is the one behind it that
// multiplies it, as that of 5m: it may be a unit.
func numberAt(text string) (b bound, letter string, long int) {
	b.text, _, _ = strings.Cut(text, " ")
	digits := ""
	folded, all := rank.Figures(text)
	scaled := len(all) > 0 && all[0].From == 0 && all[0].Scale > 0 // 60k, 1.5 million
	if scaled {
		b.text, digits = strings.TrimSpace(folded[:all[0].To]), all[0].Form
		if letter = b.text[len(strings.TrimRightFunc(b.text, unicode.IsLetter)):]; letter == "k" || len(letter) > 1 {
			letter = ""
		}
	}
	b.text = strings.TrimRight(strings.Trim(b.text, "%$€£¥₹()?!"), ".,;:")
	words := split(b.text)
	if long = len(words); long == 0 {
		return b, "", 0
	}
	if named, ok := reading.NumberWord(words[0]); ok {
		b.text, long = strconv.Itoa(named), 1
	}
	if !scaled {
		digits = writtenIn(b.text).digits
	}
	switch {
	case scaled:
	case either.MatchString(digits): // "50,000"
		digits = strings.NewReplacer(".", "", ",", "").Replace(digits)
	case english.MatchString(digits):
		digits = strings.ReplaceAll(digits, ",", "")
	default:
		digits = strings.NewReplacer(".", "", ",", ".").Replace(digits)
	}
	var ok bool
	if b.than, ok = new(big.Rat).SetString(digits); !ok || digits == "" {
		return b, "", 0
	}
	return b, letter, long
}

var percents = reading.WordSet(`percent percentage pct prozent`)

// broken matches a number with a mark in it.
var broken = reading.Lazy(`\d[.,'’  ]\d`)
