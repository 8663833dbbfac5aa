package figures

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
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

// dateIn reads a date at the beginning of a text, and how many words it takes; false for another text.
func dateIn(text string) (d date, words int, ok bool) {
	if first, _, _ := strings.Cut(text, " "); isYear(strings.Trim(first, ",.?!")) {
		year, _ := strconv.Atoi(first[:4])
		return date{year: year}, 1, true
	}
	folded, all := rank.Figures(text)
	if len(all) == 0 || all[0].From > 0 || all[0].Month == 0 || all[0].Year == 0 {
		return d, 0, false
	}
	return date{all[0].Year, all[0].Month, all[0].Day}, len(split(folded[:all[0].To])), true
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
	for _, r := range t.rows {
		cell := r.cell(column)
		if !empty(cell) {
			filled++
		}
		if d, _, is := dateIn(cell); is {
			list = append(list, measured{day: d, row: r})
		} else {
			without = append(without, r.number())
		}
	}
	return list, without, len(list) > 0 && float64(len(list)) >= numericShare*float64(filled)
}

// timely are words of comparisons that speak of dates only.
var timely = words(`before earlier prior after later since vor fruher spater seit avant apres depuis antes despues desde`)

// Compares reports whether a request has a condition that words do not meet by standing somewhere: a comparison with a number or a date.
func Compares(text string) bool {
	q := newQuestion(text, "")
	q.vocabulary(over, under, atLeast, atMost)
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
var spans = words(`between zwischen entre until till bis hasta`)

// takeBounds explains "more than 3 units", "units over 3" and "before 2018"; false if a comparison has no number or date, or no column
// that holds such.
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
		at := slices.IndexFunc(w.roles, func(r role) bool { return r == over || r == under || r == atLeast || r == atMost })
		if at < 0 || w.inside {
			continue
		}
		n := q.next(i, 1, false)
		if n < 0 || len(rest) != len(q.words) {
			return false
		}
		b := bound{sign: w.roles[at]}
		if !t.dateBound(q, i, n, rest[n], &b) && (timely[w.text] || !t.numberBound(q, i, n, rest[n], &b)) {
			return false
		}
		q.words[i].roles = []role{bounds}
		r.bounds = append(r.bounds, b)
	}
	return true
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

// dateBound reads a date behind a comparison, and takes the column of dates beside it or, if the comparison speaks of dates, the only
// one. Where the order of day and month is not certain ("01/02/2025"), only years are compared.
func (t *table) dateBound(q *question, i, n int, rest string, b *bound) bool {
	day, long, ok := dateIn(rest)
	if !ok {
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
	if len(all) != 1 || !named && !timely[q.words[i].text] {
		return false
	}
	if !named {
		c = -1
	}
	if day.month > 0 && slices.ContainsFunc(t.rows, func(row record) bool { return strings.Contains(row.cell(all[0]), "/") }) {
		return false
	}
	b.column, b.day, b.text = all[0], day, day.String()
	q.bind(n, long, c)
	return true
}

// numberBound reads a number behind a comparison, and takes the column beside it.
func (t *table) numberBound(q *question, i, n int, rest string, b *bound) bool {
	unit := ""
	if i := strings.IndexAny(q.raw, "%$€£¥₹"); i >= 0 {
		sign, _ := utf8.DecodeRuneInString(q.raw[i:])
		unit = string(sign)
	}
	b.text, _, _ = strings.Cut(rest, " ")
	b.text = strings.TrimRight(strings.Trim(b.text, "%$€£¥₹()?!"), ".,;:")
	long := len(split(b.text))
	if named, ok := reading.NumberWord(q.words[n].text); ok {
		b.text, long = strconv.Itoa(named), 1
	}
	var ok bool
	digits := writtenIn(b.text).digits
	switch {
	case either.MatchString(digits): // "50,000"
		digits = strings.NewReplacer(".", "", ",", "").Replace(digits)
	case english.MatchString(digits):
		digits = strings.ReplaceAll(digits, ",", "")
	default:
		digits = strings.NewReplacer(".", "", ",", ".").Replace(digits)
	}
	if b.than, ok = new(big.Rat).SetString(digits); !ok || digits == "" {
		return false
	}
	if c := q.next(n+long-1, 1, false); c >= 0 && percents[q.words[c].text] && !q.words[c].is(column) {
		unit, long = "%", c-n+1
	}
	c := q.beside(i, n, long)
	if c < 0 || t.labels(q.words[c].column) {
		return false
	}
	if list, _, ok := t.numbers(q.words[c].column); unit != "" && (!ok || list[0].unit != unit) { // 0.15 may be 15%
		return false
	}
	b.column = q.words[c].column
	q.bind(n, long, c)
	return true
}

var percents = words(`percent percentage pct prozent`)

// broken matches a number with a mark in it.
var broken = reading.Lazy(`\d[.,'’  ]\d`)
