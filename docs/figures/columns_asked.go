package figures

import (
	"slices"
	"strconv"
	"strings"

	"threadkeeper/memory/reading"
)

// What a question asks of a table: its words are explained by columns, values and operations, or it is refused.

// ofTables are the roles of words in a question about a table; other words may be values of it.
var ofTables = []role{filler, by, which, who, rows, unlike, most, fewest, cheap, dear, much, over, under, atLeast, atMost, within, opSum, opMean, opMedian, opMax, opMin, opCount}

// understand reads a question about the table; false if a word of it is not explained, or if it does not ask for one
// thing.
func (t *table) understand(q *question) (request, bool) {
	r := request{which: -1, where: map[int][]string{}}
	q.each(longestPhrase+1, t.asColumn(false))
	values := t.values(q)
	t.takeValues(q, &r, values, 2)
	if !t.takePlain(q, &r, values) {
		return r, false
	}
	q.vocabulary(ofTables...)
	q.each(longestPhrase+1, t.asColumn(true))
	q.each(1, func(run []string) (word, bool) { // "who earns the most"
		paid := slices.DeleteFunc(t.numericColumns(), func(c int) bool { return !t.named(c, salaries) })
		of := q.has(who) || slices.ContainsFunc(q.words, func(w word) bool { return persons[w.text] }) // not "what did we earn"
		return word{roles: []role{column}, column: append(paid, -1)[0]}, earning[run[0]] && len(paid) == 1 && of && len(values[run[0]]) == 0
	})
	if q.has(opCount, most, fewest) { // "how many orders" in orders-2026.csv
		own := append(split(q.name), split(t.sheet)...)
		q.each(1, func(run []string) (word, bool) {
			is := len(run[0]) > 3 && !reading.HoldsFigure(run[0]) && slices.ContainsFunc(own, func(w string) bool { return w == run[0] || w+"s" == run[0] || w == run[0]+"s" })
			return word{roles: []role{rows}}, is
		})
	}
	name := t.nameColumn()
	q.each(1, func(run []string) (word, bool) {
		w := word{roles: []role{column}, column: name}
		if q.has(opCount) {
			w.roles = []role{rows}
		}
		return w, persons[run[0]] && name >= 0 && t.ofPeople(q)
	})
	if !t.takeBounds(q, &r) {
		return r, false
	}
	t.takeValues(q, &r, values, 1)
	if !q.explained() {
		return r, false
	}
	var state role  // what the next column is for
	listed := false // the words before are a column to group by and "and"
	for i, w := range q.words {
		switch {
		case w.inside:
		case w.is(column):
			if _, filtered := r.where[w.column]; filtered && state == "" {
				break
			}
			switch {
			case state == by, state == "" && listed && !t.addsUp(w.column):
				if slices.Contains(r.groups, w.column) || t.measures(w.column) { // fare per km is no group
					return r, false
				}
				r.groups = append(r.groups, w.column)
				state, listed = "", true
				continue
			case state == which && r.which < 0:
				r.which = w.column
			case state != "":
				return r, false
			case !slices.Contains(r.columns, w.column):
				r.columns = append(r.columns, w.column)
			}
			state = ""
		case w.is(by):
			if state = by; q.next(i, 1, false) < 0 {
				return r, false
			}
		case w.is(who) && name >= 0 && r.which < 0:
			r.which = name
		case w.is(which), w.is(who):
			state = which
		case w.is(much):
			r.much = true
		case w.is(filler):
			continue
		case w.is(value), w.is(bounds), w.is(theFile):
		case w.is(rows) && (state == "" || state == which):
			r.rows, state = true, ""
		case w.is(unlike):
			r.distinct = true
		default:
			op := w.roles[slices.IndexFunc(w.roles, func(r role) bool { return r != rows })%len(w.roles)]
			if !slices.Contains([]role{opSum, opMean, opMedian, opMax, opMin, opCount, most, fewest, cheap, dear}, op) || state == by {
				return r, false
			}
			if !slices.Contains(r.ops, op) {
				r.ops = append(r.ops, op)
			}
		}
		listed = false
	}
	return r, (state == "" || state == which) && t.byPrice(&r) && t.makesSense(&r, q)
}

// byPrice makes "the cheapest" the lowest number of the only column of prices, told with what has it; false if that is not certain.
func (t *table) byPrice(r *request) bool {
	extreme := opMin
	switch {
	case slices.Contains(r.ops, dear):
		extreme = opMax
	case !slices.Contains(r.ops, cheap):
		return true
	}
	var priced []int
	for i := range t.names {
		if t.named(i, prices) && t.numeric(i) {
			priced = append(priced, i)
		}
	}
	if len(priced) != 1 || len(r.ops) > 1 || len(r.groups) > 0 {
		return false
	}
	for _, c := range r.columns {
		if c != priced[0] && (r.which >= 0 || t.numeric(c)) {
			return false
		}
		if c != priced[0] {
			r.which = c
		}
	}
	if r.which < 0 {
		r.which = t.key()
	}
	r.ops, r.columns, r.rows = []role{extreme}, priced, false
	return true
}

// key is the first column whose words tell the rows apart, -1 for none.
func (t *table) key() int {
	return slices.IndexFunc(t.names, func(name string) bool {
		i := slices.Index(t.names, name)
		return t.isKey(i) && !t.numeric(i) && !t.labels(i)
	})
}

// nameColumn is the column with the names of what the rows are about, -1 for none.
func (t *table) nameColumn() int {
	for i := range t.names {
		if (t.named(i, names) || t.named(i, persons)) && !t.numeric(i) && !t.labels(i) {
			return i
		}
	}
	return t.key()
}

// ofPeople reports whether the file, the sheet or a column is named after people.
func (t *table) ofPeople(q *question) bool {
	return slices.ContainsFunc(append(split(q.name+" "+t.sheet), split(strings.Join(t.names, " "))...), func(w string) bool { return persons[w] })
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

// takeValues explains words that are left, at least as many in a run, as values of columns, of which rows must have one; those
// that are values of several columns only where one of these is named.
func (t *table) takeValues(q *question, r *request, values map[string][]cell, least int) {
	q.each(len(q.words), func(run []string) (word, bool) {
		if len(run) < least {
			return word{}, false
		}
		found := values[strings.Join(run, " ")]
		if n, ok := reading.NumberWord(run[0]); ok && len(run) == 1 && len(found) == 0 { // "two bedrooms"
			found = values[strconv.Itoa(n)]
		}
		if len(found) > 1 || len(found) == 1 && isWhole(found[0].text) && !t.named(found[0].column, periods) { // "in 2024" is no order
			found = slices.DeleteFunc(slices.Clone(found), func(c cell) bool {
				return !slices.ContainsFunc(q.words, func(w word) bool { return w.is(column) && w.column == c.column })
			})
		}
		if len(found) != 1 {
			return word{}, false
		}
		return r.take(found[0]), true
	})
}

// take notes a value that rows must have, and returns what explains its words.
func (r *request) take(c cell) word {
	if !slices.Contains(r.where[c.column], c.text) {
		r.where[c.column] = append(r.where[c.column], c.text)
	}
	return word{roles: []role{value}, column: c.column}
}

// takePlain explains the plain words that are whole values of a column too: those that the request writes as the table does, with
// a capital that no first word has ("US", "Max"), and those that say what was done ("sold"). False if it has others, but for those in
// front of a value ("in Oslo", where IN is a country).
func (t *table) takePlain(q *question, r *request, values map[string][]cell) bool {
	written := strings.FieldsFunc(q.raw, notOfWord)
	if len(written) != len(q.words) { // not known
		written = make([]string, len(q.words))
	}
	for i, w := range q.words {
		found := slices.DeleteFunc(slices.Clone(values[w.text]), func(c cell) bool { return c.text != w.text })
		if leading[written[i]] && i+1 < len(q.words) && len(values[q.words[i+1].text]) > 0 {
			continue
		}
		if w.explained() || len(found) == 0 || !slices.ContainsFunc(ofTables, func(r role) bool { return slices.Contains(roles()[w.text], r) }) || contracted(q.raw, w.text) {
			continue
		}
		c := found[0]
		as := func(row record) bool { return row.cell(c.column) == written[i] }
		if len(found) > 1 || !done[w.text] && (i == 0 || strings.ToLower(written[i]) == written[i] || !slices.ContainsFunc(t.rows, as)) {
			return false
		}
		explained := r.take(c)
		q.words[i].roles, q.words[i].column = explained.roles, explained.column
	}
	return true
}

// done are plain words that say what was done: where a table has one as a value, it is meant.
var done = reading.WordSet(`sold made recorded listed verkauft vendu vendus vendues vendidas vendidos`)

var leading = reading.WordSet(`in of from for at on de en`)

// contracted reports whether a word stands only behind an apostrophe: "what's".
func contracted(raw, w string) bool {
	raw = strings.ReplaceAll(strings.ToLower(raw), "’", "'")
	return strings.Contains(raw, "'"+w)
}

// makesSense reports whether a request asks for one thing, and completes it.
func (t *table) makesSense(r *request, q *question) bool {
	if r.lists() {
		return true
	}
	if r.which >= 0 && len(r.columns) == 0 && !r.rows && len(r.ops) == 1 && (isExtreme(r.ops[0]) || r.ops[0] == most || r.ops[0] == fewest) && !q.has(theFile) {
		if only := t.numericColumns(); len(only) == 1 && t.addsUp(only[0]) && !slices.ContainsFunc(q.words, func(w word) bool { return bad[w.text] }) { // which city is the largest
			r.columns = only
		}
	}
	if i := slices.IndexFunc(r.ops, func(op role) bool { return op == most || op == fewest }); i >= 0 { // "which city has the most units"
		extreme, of := opMax, opCount
		if r.ops[i] == fewest {
			extreme = opMin
		}
		if len(r.columns) > 0 {
			of = opSum
		}
		if len(r.ops) > 1 || r.which < 0 || len(r.groups) > 0 || len(r.columns) > 1 || of == opSum && (r.rows || !t.addsUp(r.columns[0])) || of == opCount && !r.rows && !q.has(theFile) {
			return false
		}
		r.ops = []role{of, extreme}
		return !r.distinct && t.several(*r) < 0
	}
	counts := slices.Contains(r.ops, opCount)
	if counts && !r.distinct && !r.rows && r.which < 0 && len(r.ops) == 1 {
		switch {
		case len(r.columns) == 1 && t.addsUp(r.columns[0]): // how many units
			r.ops, counts = []role{opSum}, false
		case len(r.columns) == 0 && len(r.groups) == 0 && t.valueCounted(q): // how many lamps
			switch list := t.quantities(); {
			case len(list) == 0:
				r.rows = true
			case len(list) == 1 && !q.has(theFile):
				r.ops, r.columns, counts = []role{opSum}, list, false
			}
		}
	}
	if r.much && len(r.ops) == 0 && len(r.columns) == 1 && t.addsUp(r.columns[0]) && t.named(r.columns[0], amounts) { // how much revenue
		r.ops = []role{opSum}
	}
	if t.several(*r) >= 0 && (r.which >= 0 || len(r.columns) > 1 || len(r.ops) != 1 || !counts && r.ops[0] != opSum) {
		return false
	}
	if r.which >= 0 && len(r.columns) == 1 && len(r.ops) == 1 && isExtreme(r.ops[0]) && t.addsUp(r.columns[0]) && !q.has(cheap, dear) && !t.isKey(r.which) {
		if r.rows || !t.named(r.columns[0], amounts) && !t.named(r.columns[0], counted) { // the sum of its rows may be meant, or one of them
			return false
		}
		r.ops = []role{opSum, r.ops[0]} // which region has the highest sales
	}
	switch {
	case len(r.ops) == 0 && r.distinct && len(r.columns) == 1:
		r.ops = []role{opCount}
		return len(r.groups) == 0 && r.which < 0
	case len(r.ops) == 0, len(r.ops) > 1 && counts, !counts && slices.ContainsFunc(r.columns, t.identifies):
		return false
	case counts && r.distinct:
		return len(r.columns) == 1 && r.which < 0 && !r.rows
	case counts && len(r.columns) == 0:
		return r.which < 0 && (r.rows || len(r.groups) > 0 || q.has(theFile))
	case counts: // how many regions; "how many regions have more than 3 units" may mean their sums
		r.distinct = len(r.columns) == 1 && len(r.groups) == 0 && r.which < 0 && !r.rows &&
			(!t.numeric(r.columns[0]) || t.labels(r.columns[0])) && (len(r.bounds) == 0 || t.isKey(r.columns[0]))
		return r.distinct
	case r.distinct, r.rows, len(r.columns) == 0:
		return false
	case r.which >= 0 && len(r.ops) == 2: // which region has the highest total
		if i := slices.IndexFunc(r.ops, isExtreme); i < 0 || isExtreme(r.ops[1-i]) || len(r.groups) > 0 || len(r.columns) > 1 {
			return false
		}
	case r.which >= 0:
		return isExtreme(r.ops[0]) && len(r.groups) == 0 && len(r.columns) == 1
	}
	return !slices.ContainsFunc(r.columns, func(c int) bool { return slices.Contains(r.groups, c) })
}

// What the words in a column's name say of its numbers.
var (
	rates = reading.WordSet(`price prices rate rates share age ages score percent percentage pct per unit avg average mean median ratio margin grade rating rank temperature
		preis preise satz anteil alter note prozent durchschnitt einzelpreis prix taux part moyenne precio precios tasa promedio edad`)
	ids     = reading.WordSet(`id ids no nr num number numbers code codes zip postcode phone index position row line sku ref key nummer plz numero telefono`)
	numbers = reading.WordSet(`no nr num number`) // those of ids that may say how many, in front of "of"
	periods = reading.WordSet(`year month day date week quarter jahr monat tag woche quartal annee mois jour semaine ano mes dia semana fy`)
	amounts = reading.WordSet(`revenue revenues sales turnover cost costs amount amounts total spend spending spent expense expenses profit income earnings budget payment payments paid
		quantity qty units volume weight hours stock umsatz umsatze kosten betrag ausgaben einnahmen gewinn menge gewicht stunden montant cout couts depenses recettes quantite
		ingresos ventas gastos importe coste costes cantidad horas`)
	names   = reading.WordSet(`name names nom nombre`)
	persons = reading.WordSet(`people person persons employee employees staff member members colleague colleagues student students leute personen mitarbeiter mitarbeiterin mitarbeitende
		angestellte mitglieder personnes personne employes salaries membres personas persona empleados empleado miembros`)
	salaries   = reading.WordSet(`salary salaries wage wages pay compensation gehalt gehalter lohn lohne verdienst salaire salaires sueldo sueldos salario salarios`)
	bad        = reading.WordSet(`worst schlechteste`) // of some numbers that is the highest
	earning    = reading.WordSet(`earn earns earned earning paid verdient verdienen verdiene bezahlt gagne gagnent gana ganan cobra cobran`)
	prices     = reading.WordSet(`price prices cost costs fee fees preis preise einzelpreis kosten gebuhr prix tarif tarifs cout precio precios coste costo`)
	currencies = reading.WordSet(`currency currencies ccy curr wahrung devise moneda divisa`)
	counted    = reading.WordSet(`units quantity qty sold pieces pcs count stock anzahl menge stuck stuckzahl quantite unites cantidad unidades piezas`)
)
