package figures

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

type measured struct {
	number
	day date // in its place
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
	cells := t.written(column)
	read := signsFirst(cells)
	s, ok := styleOf(cells, t.commas)
	if !ok {
		return nil, nil, false
	}
	filled := 0
	for _, r := range t.rows {
		cell := read(r.cell(column))
		if !empty(cell) {
			filled++
		}
		n, is := s.parse(cell)
		if !is {
			without = append(without, r.number())
			continue
		}
		if len(list) > 0 && n.unit != list[0].unit {
			return nil, nil, false
		}
		list = append(list, measured{number: n, row: r})
	}
	return list, without, len(list) > 0 && float64(len(list)) >= numericShare*float64(filled)
}

// written are the cells of a column, also of rows that were left out.
func (t *table) written(column int) (cells []string) {
	rows := t.all
	if rows == nil {
		rows = t.rows
	}
	for _, r := range rows {
		cells = append(cells, r.cell(column))
	}
	return cells
}

// signsFirst moves the signs behind whole numbers to their front where a number shows that the column has them: "500-" beside "1,200-";
// read does so with a cell.
func signsFirst(cells []string) (read func(cell string) string) {
	signed := slices.ContainsFunc(cells, func(c string) bool { return strings.HasSuffix(c, "-") && writtenIn(c).minus })
	read = func(cell string) string {
		if whole, behind := strings.CutSuffix(cell, "-"); signed && behind && isWhole(whole) {
			return "-" + whole
		}
		return cell
	}
	for i, c := range cells {
		cells[i] = read(c)
	}
	return read
}

func (t *table) compute(r request, a *Answer) bool {
	if r.which >= 0 && len(r.ops) == 2 {
		i := slices.IndexFunc(r.ops, isExtreme)
		return t.ranked(r, r.ops[1-i], r.ops[i], a)
	}
	if slices.Contains(r.ops, opCount) {
		return t.count(r, a)
	}
	if r.lists() {
		t.list(r, a)
		return true
	}
	for _, column := range r.columns {
		list, without, ok := t.numbers(column)
		if !ok {
			return false
		}
		a.Unread = append(a.Unread, without...)
		groups, names := grouped(list, r.groups)
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
		widest.grouped = widest.grouped || m.grouped
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
		row.Value = widest.shown(total(op, list))
	}
	return []Row{row}
}

// total is the sum of numbers, or their mean.
func total(op role, list []measured) *big.Rat {
	sum := new(big.Rat)
	for _, m := range list {
		sum.Add(sum, m.value)
	}
	if op == opMean {
		sum.Quo(sum, big.NewRat(int64(len(list)), 1))
	}
	return sum
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

// ranked are the groups of a column in the order of an operation on another, or of how many rows they have.
func (t *table) ranked(r request, op, order role, a *Answer) bool {
	all := t.unmeasured()
	if op != opCount {
		var ok bool
		if all, a.Unread, ok = t.numbers(r.columns[0]); !ok || op != opSum && op != opMean {
			return false
		}
	}
	type rank struct {
		row   Row
		value *big.Rat
	}
	var list []rank
	groups, names := grouped(all, []int{r.which})
	for i, group := range groups {
		x := rank{value: big.NewRat(int64(len(group)), 1)}
		if op == opCount {
			x.row = Row{What: Count, Group: names[i], Value: strconv.Itoa(len(group)), Place: t.over(r.which)}
		} else {
			x.row, x.value = t.measure(op, r.columns[0], r, group, names[i])[0], total(op, group)
		}
		list = append(list, x)
	}
	slices.SortStableFunc(list, func(x, y rank) int {
		if order == opMin {
			return x.value.Cmp(y.value)
		}
		return y.value.Cmp(x.value)
	})
	for _, x := range list {
		a.Rows = append(a.Rows, x.row)
	}
	return true
}

func (t *table) unmeasured() []measured {
	all := make([]measured, len(t.rows))
	for i, row := range t.rows {
		all[i].row = row
	}
	return all
}

// grouped are rows by their values in columns, in the order of values; those without one come last. Without columns they are
// one group.
func grouped(rows []measured, columns []int) (groups [][]measured, names []string) {
	if len(columns) == 0 {
		return [][]measured{rows}, []string{""}
	}
	by := map[string][]measured{} // by their names in small letters
	for _, m := range rows {
		var name []string
		for _, c := range columns {
			if cell := m.row.cell(c); cell != "" {
				name = append(name, cell)
			} else if len(columns) > 1 {
				name = append(name, noValue)
			}
		}
		whole := strings.Join(name, ", ")
		key := strings.ToLower(whole)
		if by[key] == nil {
			names = append(names, whole)
		}
		by[key] = append(by[key], m)
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
		groups = append(groups, by[strings.ToLower(name)])
		if name == "" {
			names[i] = noValue
		}
	}
	return groups, names
}

const noValue = "–"

// count counts rows, or the values of a column.
func (t *table) count(r request, a *Answer) bool {
	column := -1
	if len(r.groups) == 1 {
		column = r.groups[0]
	}
	groups, names := grouped(t.unmeasured(), r.groups)
	for i, group := range groups {
		row := Row{What: Count, Group: names[i], Value: strconv.Itoa(len(group)), Place: t.over(column)}
		if r.distinct {
			values := map[string]bool{}
			for _, g := range group {
				if c := g.row.cell(r.columns[0]); c != "" {
					values[strings.ToLower(c)] = true
				}
			}
			row.What, row.Of, row.Value, row.Place = Distinct, t.names[r.columns[0]], strconv.Itoa(len(values)), t.over(r.columns[0])
		}
		a.Rows = append(a.Rows, row)
	}
	return true
}

// list are the cells of the rows that are asked for, each with its name: of the columns that are, else of those that were compared.
func (t *table) list(r request, a *Answer) {
	name := r.which
	if name < 0 {
		name = t.nameColumn()
	}
	columns := slices.DeleteFunc(r.columns, func(c int) bool { return c == name })
	if len(columns) == 0 {
		for _, b := range r.bounds {
			if !slices.Contains(columns, b.column) {
				columns = append(columns, b.column)
			}
		}
	}
	for _, row := range t.rows {
		for _, c := range columns {
			a.Rows = append(a.Rows, Row{What: Found, Of: t.names[c], Group: row.cell(name), Value: row.cell(c), Place: t.at(row, c)})
		}
	}
}
