package figures

import (
	"maps"
	"math/big"
	"slices"
	"strings"

	"threadkeeper/memory/reading"
)

var arithmetic = reading.Lazy(`[<>≤≥≠*^]|!=| [-+/] `)

func (all tables) answer(q *question) (Answer, bool) {
	if arithmetic.MatchString(q.raw) {
		return Answer{}, false
	}
	var best Answer
	found, named := 0, false
	for i := range all {
		own := &question{raw: q.raw, name: q.name, words: slices.Clone(q.words)}
		before := own.unexplained()
		if s := split(all[i].sheet); len(s) > 0 && len(all) > 1 {
			own.each(len(s), func(run []string) (word, bool) {
				return word{roles: []role{theFile}}, slices.Equal(run, s) && len(roles()[strings.Join(run, " ")]) == 0
			})
		}
		mine := own.unexplained() < before
		a, ok := all[i].answer(own)
		switch {
		case !ok || named && !mine:
		case mine && !named:
			best, found, named = a, 1, true
		default:
			best = a
			found++
		}
	}
	return best, found == 1
}

func (q *question) unexplained() int {
	n := 0
	for _, w := range q.words {
		if !w.explained() {
			n++
		}
	}
	return n
}

type request struct {
	ops      []role
	columns  []int            // computed from
	groups   []int            // columns to group by
	which    int              // to be told of the row found; -1 for none
	where    map[int][]string // columns by the words of the values that rows must have one of
	bounds   []bound
	rows     bool // are counted
	distinct bool // values are counted
	much     bool // asks for a sum if there is one
	unclear  Pair // a column of dates that can be read in two ways, and one of them
}

// bound is a number or a date that the cells of a column are compared with.
type bound struct {
	column int
	sign   role
	than   *big.Rat // nil for a date
	day    date
	text   string // as it was asked
}

// lists reports whether the rows within bounds are asked for, and nothing is computed from them.
func (r request) lists() bool {
	return len(r.ops) == 0 && len(r.bounds) > 0 && len(r.groups) == 0 && !r.distinct && !r.much
}

func (b bound) holds(m measured) bool {
	if b.than == nil {
		return b.sign.holds(m.day.compare(b.day))
	}
	return b.sign.holds(m.value.Cmp(b.than))
}

// holds reports whether a comparison holds of what compares so with its bound.
func (r role) holds(c int) bool {
	switch r {
	case over:
		return c > 0
	case under:
		return c < 0
	case atLeast:
		return c >= 0
	default:
		return c <= 0
	}
}

func (t *table) answer(q *question) (Answer, bool) {
	if len(t.rows) == 0 {
		return Answer{}, false
	}
	r, ok := t.understand(q)
	if !ok {
		return Answer{}, false
	}
	if r.unclear.Value != "" {
		return Answer{IsTable: true, Unclear: r.unclear}, true
	}
	a := Answer{IsTable: true, Bare: len(r.columns) == 0 && len(r.groups) == 0 && len(r.where) == 0 && len(r.bounds) == 0 && !q.has(theFile)}
	kept := *t
	kept.rows, kept.all = slices.Clone(t.rows), t.rows
	if len(t.rows) > 1 {
		kept.rows = slices.DeleteFunc(kept.rows, func(row record) bool {
			if !row.isTotal() {
				return false
			}
			a.Totals = append(a.Totals, row.number())
			return true
		})
	}
	columns := r.columns
	for c := range t.names {
		if len(r.columns) == 0 {
			columns = append(columns, c)
		}
	}
	if kept.headBelow() || kept.sumRow(columns) || kept.gaps(r) || !kept.filter(r, &a) || kept.mixes(r) {
		return Answer{}, false
	}
	ok = kept.compute(r, &a)
	if several := kept.several(r); ok && several >= 0 { // each of them, and all together
		each := Answer{}
		r.groups = []int{several}
		ok = kept.compute(r, &each)
		a.Rows = append(each.Rows, a.Rows...)
	}
	slices.Sort(a.Unread)
	a.Unread = slices.Compact(a.Unread)
	return a, ok && !slices.Contains(a.Unread, 0) && !slices.Contains(a.Totals, 0)
}

// gaps reports whether a column that tells the rows apart has a blank below a value: the value may hold for that row too.
func (t *table) gaps(r request) bool {
	by := slices.AppendSeq(slices.Concat(r.groups, []int{r.which}), maps.Keys(r.where))
	return slices.ContainsFunc(by, func(column int) bool {
		value := false
		return column >= 0 && slices.ContainsFunc(t.rows, func(row record) bool {
			blank := row.cell(column) == ""
			value = value || !blank
			return value && blank
		})
	})
}

// mixes reports whether amounts in several currencies, which a column names, would be put together.
func (t *table) mixes(r request) bool {
	if !slices.ContainsFunc(r.columns, func(c int) bool { return !t.named(c, counted) }) || slices.Contains(r.ops, opCount) {
		return false
	}
	for c := range t.names {
		differs := func(row record) bool { return row.cell(c) != t.rows[0].cell(c) }
		if t.named(c, currencies) && !slices.Contains(r.groups, c) && slices.ContainsFunc(t.rows, differs) {
			return true
		}
	}
	return false
}

// filter keeps the rows that are asked about; false if there are none, or if a column cannot be compared.
func (t *table) filter(r request, a *Answer) bool {
	for _, b := range r.bounds {
		measure := t.numbers
		if b.than == nil {
			measure = t.dates
		}
		list, without, ok := measure(b.column)
		if !ok {
			return false
		}
		a.Unread = append(a.Unread, without...)
		t.rows = nil
		for _, m := range list {
			if b.than == nil && m.day.vaguer(b.day) {
				a.Unread = append(a.Unread, m.row.number())
			} else if b.holds(m) {
				t.rows = append(t.rows, m.row)
			}
		}
		a.Where = append(a.Where, Pair{t.names[b.column], string(b.sign), b.text})
	}
	for _, column := range slices.Sorted(maps.Keys(r.where)) {
		var written []string // as the file writes them
		t.rows = slices.DeleteFunc(t.rows, func(row record) bool {
			cell := row.cell(column)
			if !slices.Contains(r.where[column], strings.Join(split(cell), " ")) {
				return true
			}
			if !slices.Contains(written, cell) {
				written = append(written, cell)
			}
			return false
		})
		if len(written) < len(r.where[column]) {
			return false
		}
		a.Where = append(a.Where, Pair{Column: t.names[column], Value: strings.Join(written, " / ")})
	}
	return len(t.rows) > 0
}

// several is the column with several values in the request, -1 for none.
func (t *table) several(r request) int {
	for column, values := range r.where {
		if len(values) > 1 && len(r.groups) == 0 {
			return column
		}
	}
	return -1
}

func (t *table) named(column int, any map[string]bool) bool {
	return slices.ContainsFunc(split(t.names[column]), func(w string) bool { return any[w] })
}

// identifies reports whether a column has the numbers or codes of things, as those of orders.
func (t *table) identifies(column int) bool {
	return t.named(column, ids) && !t.saysHowMany(column)
}

// saysHowMany reports whether a column's name is like "number of units"; not "number of order", nor "ID of customers".
func (t *table) saysHowMany(column int) bool {
	words := split(t.names[column])
	of := slices.Index(words, "of")
	return of > 0 && numbers[words[of-1]] && !slices.ContainsFunc(words[:of], func(w string) bool { return !numbers[w] && w != "total" }) && slices.ContainsFunc(words[of:], func(w string) bool {
		return w == "people" || w == "children" || strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !strings.HasSuffix(w, "us")
	}) && !slices.ContainsFunc(words, func(w string) bool { return ids[w] && !numbers[w] })
}

// labels reports whether the numbers of a column name things or times.
func (t *table) labels(column int) bool { return t.identifies(column) || t.named(column, periods) }

// measures reports whether a column has numbers with a fraction.
func (t *table) measures(column int) bool {
	list, _, ok := t.numbers(column)
	return ok && slices.ContainsFunc(list, func(m measured) bool { return !m.value.IsInt() })
}

// addsUp reports whether the sum of a column says how many or how much there is: not that of prices, years or numbers of orders.
func (t *table) addsUp(column int) bool {
	list, _, ok := t.numbers(column)
	if !ok || list[0].unit == "%" || t.named(column, rates) || t.labels(column) {
		return false
	}
	years, following := true, len(list) > 2
	for i, m := range list {
		years = years && m.value.IsInt() && m.value.Cmp(big.NewRat(1900, 1)) >= 0 && m.value.Cmp(big.NewRat(2100, 1)) <= 0
		following = following && (i == 0 || new(big.Rat).Sub(m.value, list[i-1].value).Cmp(big.NewRat(1, 1)) == 0)
	}
	return !years && !following
}

// quantities are the columns whose names say that they count the things of their rows.
func (t *table) quantities() []int {
	var all []int
	for i := range t.names {
		if t.named(i, counted) && t.addsUp(i) {
			all = append(all, i)
		}
	}
	return all
}

// valueCounted reports whether the word behind "how many" is a value.
func (t *table) valueCounted(q *question) bool {
	i := slices.IndexFunc(q.words, func(w word) bool { return w.is(opCount) })
	n := q.next(i, 1, false)
	return n >= 0 && q.words[n].is(value)
}

// isKey reports whether no two rows share a value of a column, in whatever case it is written.
func (t *table) isKey(column int) bool {
	seen := map[string]bool{}
	for _, r := range t.rows {
		if c := strings.ToLower(r.cell(column)); c != "" && seen[c] {
			return false
		} else {
			seen[c] = true
		}
	}
	return true
}

func isExtreme(op role) bool { return op == opMax || op == opMin }

// numericColumns are the columns of numbers that name neither things nor times.
func (t *table) numericColumns() (all []int) {
	for c := range t.names {
		if t.numeric(c) && !t.labels(c) {
			all = append(all, c)
		}
	}
	return all
}

func (t *table) numeric(column int) bool {
	_, _, ok := t.numbers(column)
	return ok
}
