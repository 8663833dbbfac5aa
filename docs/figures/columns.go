package figures

import (
	"cmp"
	"maps"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// arithmetic are signs that no question of a plain form has.
var arithmetic = regexp.MustCompile(`[<>≤≥≠*^]|!=| [-+/] `)

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
				return word{roles: []role{theFile}}, slices.Equal(run, s) && len(roles[strings.Join(run, " ")]) == 0
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

// request is what is asked of a table.
type request struct {
	ops      []role
	columns  []int // computed from
	group    int   // -1 for none
	which    int   // to be told of the row found; -1 for none
	where    map[int]string
	rows     bool // are counted
	distinct bool // values are counted
}

func (t *table) answer(q *question) (Answer, bool) {
	if len(t.rows) == 0 {
		return Answer{}, false
	}
	r, ok := t.understand(q)
	if !ok {
		return Answer{}, false
	}
	a := Answer{IsTable: true}
	kept := *t
	kept.rows = slices.Clone(t.rows)
	if len(t.rows) > 1 {
		kept.rows = slices.DeleteFunc(kept.rows, func(row record) bool {
			if !row.isTotal() {
				return false
			}
			a.Totals = append(a.Totals, row.from)
			return true
		})
	}
	for column, text := range r.where {
		kept.rows = slices.DeleteFunc(kept.rows, func(row record) bool {
			return strings.Join(split(row.cell(column)), " ") != text
		})
	}
	if len(kept.rows) == 0 {
		return Answer{}, false
	}
	for _, column := range slices.Sorted(maps.Keys(r.where)) {
		a.Where = append(a.Where, Pair{t.names[column], kept.rows[0].cell(column)}) // as the file writes it
	}
	ok = kept.compute(r, &a)
	slices.Sort(a.Unread)
	a.Unread = slices.Compact(a.Unread)
	return a, ok
}

// understand reads a question about the table; false if a word of it is not explained, or if it does not ask for one
// thing.
func (t *table) understand(q *question) (request, bool) {
	r := request{group: -1, which: -1, where: map[int]string{}}
	q.each(longestPhrase+1, t.asColumn(false))
	q.vocabulary()
	q.each(longestPhrase+1, t.asColumn(true))
	if !q.explained() && !t.takeValues(q, &r) {
		return r, false
	}
	var state role // what the next column is for
	for i, w := range q.words {
		switch {
		case w.inside:
		case w.is(column):
			if _, filtered := r.where[w.column]; filtered && state == "" {
				break
			}
			switch {
			case state == by && r.group < 0:
				r.group = w.column
			case state == which && r.which < 0:
				r.which = w.column
			case state != "":
				return r, false
			case !slices.Contains(r.columns, w.column):
				r.columns = append(r.columns, w.column)
			}
			state = ""
		case w.is(by):
			if state = by; i+1 == len(q.words) {
				return r, false
			}
		case w.is(which):
			state = which
		case w.is(filler), w.is(value), w.is(theFile):
		case w.is(rows) && state == "":
			r.rows = true
		case w.is(unlike):
			r.distinct = true
		default:
			op := w.roles[slices.IndexFunc(w.roles, func(r role) bool { return r != rows })%len(w.roles)]
			if !slices.Contains([]role{opSum, opMean, opMedian, opMax, opMin, opCount}, op) || state == by {
				return r, false
			}
			if !slices.Contains(r.ops, op) {
				r.ops = append(r.ops, op)
			}
		}
	}
	return r, (state == "" || state == which) && t.makesSense(&r, q)
}

// asColumn explains words as the name of a column; rough lets it be misspelt or in part.
func (t *table) asColumn(rough bool) func(run []string) (word, bool) {
	return func(run []string) (word, bool) {
		found := t.columnNamed(run, rough)
		if len(found) != 1 {
			return word{}, false
		}
		return word{roles: []role{column}, column: found[0]}, true
	}
}

// takeValues explains the words that are left as values of columns, of which rows must have them; false if one is no value,
// or of several columns.
func (t *table) takeValues(q *question, r *request) bool {
	values, ok := t.values(q.raw), true
	q.each(len(q.words), func(run []string) (word, bool) {
		columns := values[strings.Join(run, " ")]
		if len(columns) > 1 { // of a column that is named as well
			columns = slices.DeleteFunc(slices.Clone(columns), func(c int) bool {
				return !slices.ContainsFunc(q.words, func(w word) bool { return w.is(column) && w.column == c })
			})
		}
		if len(columns) != 1 {
			return word{}, false
		}
		if _, again := r.where[columns[0]]; again {
			ok = false
		}
		r.where[columns[0]] = strings.Join(run, " ")
		return word{roles: []role{value}, column: columns[0]}, true
	})
	return ok && q.explained()
}

// makesSense reports whether a request asks for one thing, and completes it.
func (t *table) makesSense(r *request, q *question) bool {
	counts := slices.Contains(r.ops, opCount)
	switch {
	case len(r.ops) == 0 && r.distinct && len(r.columns) == 1:
		r.ops = []role{opCount}
		return r.group < 0 && r.which < 0
	case len(r.ops) == 0, len(r.ops) > 1 && counts:
		return false
	case counts && r.distinct:
		return len(r.columns) == 1 && r.which < 0 && !r.rows
	case counts && len(r.columns) == 0:
		return r.which < 0 && (r.rows || r.group >= 0 || q.has(theFile))
	case counts: // how many regions
		r.distinct = len(r.columns) == 1 && r.group < 0 && r.which < 0 && !r.rows && !t.numeric(r.columns[0])
		return r.distinct
	case r.distinct, r.rows, len(r.columns) == 0:
		return false
	case r.which >= 0 && len(r.ops) == 2: // which region has the highest total
		if i := slices.IndexFunc(r.ops, isExtreme); i < 0 || isExtreme(r.ops[1-i]) || r.group >= 0 || len(r.columns) > 1 {
			return false
		}
	case r.which >= 0:
		return isExtreme(r.ops[0]) && r.group < 0 && len(r.columns) == 1
	case r.group >= 0:
		return len(r.columns) == 1 && r.columns[0] != r.group
	}
	return true
}

func isExtreme(op role) bool { return op == opMax || op == opMin }

func (t *table) numeric(column int) bool {
	_, _, ok := t.numbers(column)
	return ok
}

// measured is a number of a row.
type measured struct {
	number
	row record
}

const numericShare = 0.8 // of the cells that are not empty

// empty reports whether a cell says that it has no value.
func empty(cell string) bool {
	switch strings.ToLower(cell) {
	case "", "-", "–", "—", "n/a", "na", "null", "none", "nan", "k. a.", "k.a.", "nil":
		return true
	}
	return false
}

// numbers are those of a column, and the rows that have none; false if it holds other things, or numbers of several units.
func (t *table) numbers(column int) (list []measured, without []int, ok bool) {
	var cells []string
	for _, r := range t.rows {
		cells = append(cells, r.cell(column))
	}
	s, ok := styleOf(cells, t.commas)
	if !ok {
		return nil, nil, false
	}
	filled := 0
	for i, r := range t.rows {
		if !empty(cells[i]) {
			filled++
		}
		n, is := s.parse(cells[i])
		if !is {
			without = append(without, r.from)
			continue
		}
		if len(list) > 0 && n.unit != list[0].unit {
			return nil, nil, false
		}
		list = append(list, measured{n, r})
	}
	return list, without, len(list) > 0 && float64(len(list)) >= numericShare*float64(filled)
}

// compute carries out a request.
func (t *table) compute(r request, a *Answer) bool {
	if slices.Contains(r.ops, opCount) {
		return t.count(r, a)
	}
	if r.which >= 0 && len(r.ops) == 2 {
		i := slices.IndexFunc(r.ops, isExtreme)
		return t.ranked(r, r.ops[1-i], r.ops[i], a)
	}
	for _, column := range r.columns {
		list, without, ok := t.numbers(column)
		if !ok {
			return false
		}
		a.Unread = append(a.Unread, without...)
		groups, names := grouped(list, r.group)
		for i, group := range groups {
			for _, op := range r.ops {
				a.Rows = append(a.Rows, t.measure(op, column, r, group, names[i])...)
			}
		}
	}
	return true
}

// measure is one operation on the numbers of a column.
func (t *table) measure(op role, column int, r request, list []measured, group string) []Row {
	widest := list[0].number
	for _, m := range list {
		widest.decimals = max(widest.decimals, m.decimals)
	}
	row := Row{What: What(op), Of: t.names[column], Group: group, Rows: len(list), Place: t.over(column)}
	switch op {
	case opMax, opMin:
		return t.extremes(op, column, r, list, group)
	case opMedian:
		slices.SortFunc(list, func(a, b measured) int { return a.value.Cmp(b.value) })
		middle := new(big.Rat).Add(list[(len(list)-1)/2].value, list[len(list)/2].value)
		row.Value = widest.shown(middle.Quo(middle, big.NewRat(2, 1)))
	default:
		sum := new(big.Rat)
		for _, m := range list {
			sum.Add(sum, m.value)
		}
		if op == opMean {
			sum.Quo(sum, big.NewRat(int64(len(list)), 1))
		}
		row.Value = widest.shown(sum)
	}
	return []Row{row}
}

const mostTied = 5

// extremes are the rows with the largest or smallest number.
func (t *table) extremes(op role, column int, r request, list []measured, group string) []Row {
	sign := 1
	if op == opMin {
		sign = -1
	}
	best := slices.MaxFunc(list, func(a, b measured) int { return sign * a.value.Cmp(b.value) })
	var tied []Row
	for _, m := range list {
		if m.value.Cmp(best.value) == 0 {
			row := Row{What: What(op), Of: t.names[column], Group: group, Value: m.row.cell(column), Place: t.at(m.row, column)}
			if r.which >= 0 {
				row.Group = m.row.cell(r.which)
			}
			tied = append(tied, row)
		}
	}
	if r.which >= 0 || len(tied) == 1 {
		return tied[:min(len(tied), mostTied)]
	}
	tied[0].Rows = len(tied)
	return tied[:1]
}

// ranked are the groups of a column in the order of an operation on another.
func (t *table) ranked(r request, op, order role, a *Answer) bool {
	all, without, ok := t.numbers(r.columns[0])
	if !ok || op != opSum && op != opMean {
		return false
	}
	a.Unread = without
	var list []measured
	groups, names := grouped(all, r.which)
	for i, group := range groups {
		a.Rows = append(a.Rows, t.measure(op, r.columns[0], r, group, names[i])[0])
		value := new(big.Rat)
		for _, m := range group {
			value.Add(value, m.value)
		}
		if op == opMean {
			value.Quo(value, big.NewRat(int64(len(group)), 1))
		}
		list = append(list, measured{number{value: value}, record{from: i}})
	}
	slices.SortStableFunc(list, func(x, y measured) int {
		if order == opMin {
			return x.value.Cmp(y.value)
		}
		return y.value.Cmp(x.value)
	})
	sorted := make([]Row, len(list))
	for i, m := range list {
		sorted[i] = a.Rows[m.row.from]
	}
	a.Rows = sorted
	return true
}

// grouped are rows by their value in a column, in the order of values; those without one come last. Column -1 is one group.
func grouped(rows []measured, column int) (groups [][]measured, names []string) {
	if column < 0 {
		return [][]measured{rows}, []string{""}
	}
	by := map[string][]measured{}
	for _, m := range rows {
		by[m.row.cell(column)] = append(by[m.row.cell(column)], m)
	}
	for name := range by {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int {
		switch {
		case (a == "") != (b == ""):
			return strings.Compare(b, a)
		case isWhole(a) && isWhole(b) && len(a) != len(b): // numbers, as those of months
			return cmp.Compare(len(a), len(b))
		}
		return strings.Compare(a, b)
	})
	for i, name := range names {
		groups = append(groups, by[name])
		if name == "" {
			names[i] = "–"
		}
	}
	return groups, names
}

// count counts rows, or the values of a column.
func (t *table) count(r request, a *Answer) bool {
	rows := make([]measured, len(t.rows))
	for i, row := range t.rows {
		rows[i].row = row
	}
	groups, names := grouped(rows, r.group)
	for i, group := range groups {
		row := Row{What: Count, Group: names[i], Value: strconv.Itoa(len(group)), Place: t.over(r.group)}
		if r.distinct {
			values := map[string]bool{}
			for _, g := range group {
				if c := g.row.cell(r.columns[0]); c != "" {
					values[c] = true
				}
			}
			row.What, row.Of, row.Value, row.Place = Distinct, t.names[r.columns[0]], strconv.Itoa(len(values)), t.over(r.columns[0])
		}
		a.Rows = append(a.Rows, row)
	}
	return true
}
