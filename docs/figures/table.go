package figures

import (
	"encoding/csv"
	"io"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// table is the rows of a file or of one sheet below the names of its columns.
type table struct {
	sheet  string
	names  []string
	head   record // has the names
	rows   []record
	all    []record // rows and those that a question leaves out, which show how a column is written too; nil where there are none
	commas bool     // its cells are not apart by semicolons: a comma is no sign of decimals
}

type record struct {
	from, to int // its number, or between which it lies; 0 if not known
	blank    int // lines before it
	part     int
	index    int // in its part
	text     string
	cells    []string
}

type tables []table

var label = reading.Lazy(`^(?:(.*), )?rows? (\d+)(?:–(\d+))?$`)

const mostColumns = 500

var mostCells = 1_000_000 // of a file; a larger one is not computed from. Tests lower it.

// HeadWithin is how many rows of a table may hold the one that names its columns.
const HeadWithin = 20

// readTables reads the tables of a file. A file with a row that is cut has none.
func readTables(f File) source {
	var all tables
	last, to, cells := "", 0, 0
	for i, p := range f.Parts {
		m := label.FindStringSubmatch(p.Label)
		if m == nil {
			return all
		}
		from, _ := strconv.Atoi(m[2])
		begins := i == 0 || m[1] != last
		if !begins && from <= to { // more of a row that was cut
			return tables{}
		}
		last, to = m[1], from
		if m[3] != "" {
			to, _ = strconv.Atoi(m[3])
		}
		rows, comma := rowsOf(f.Table, p)
		for _, r := range rows {
			cells += 1 + len(r.cells)
		}
		switch {
		case len(rows) == 0, cells > mostCells:
			return tables{}
		case begins:
			t := table{sheet: m[1], commas: f.Table == XLSX || comma != ';'}
			if f.Table == CSV && from > 1 || f.Table == XLSX && from > 1 && len(rows) > 1 {
				if f.Table == CSV {
					numberRows(rows[:1], 1, 1)
				}
				numberRows(rows[1:], from, to)
			} else {
				numberRows(rows, from, to)
			}
			t.rows = rows
			all = append(all, t)
		default:
			t := &all[len(all)-1]
			if top := rows[0].text; len(rows) > 1 && (top == t.rows[0].text || top == t.rows[max(0, t.headIn())].text) {
				rows = rows[1:]
			}
			numberRows(rows, from, to)
			t.rows = append(t.rows, rows...)
		}
	}
	for i := range all {
		all[i].takeHead()
	}
	return slices.DeleteFunc(all, func(t table) bool { return len(t.names) == 0 || len(t.names) > mostColumns })
}

// numberRows numbers rows from from to to, if they are as many with the blank ones between them.
func numberRows(rows []record, from, to int) {
	last := from - 1
	for i, r := range rows {
		if last++; i > 0 {
			last += r.blank
		}
	}
	for i := range rows {
		rows[i].from, rows[i].to = from, to
		if last == to {
			if i > 0 {
				from += rows[i].blank + 1
			}
			rows[i].from, rows[i].to = from, from
		}
	}
}

func rowsOf(format Format, p Part) (rows []record, comma rune) {
	if format == XLSX {
		for line := range strings.SplitSeq(p.Text, "\n") {
			r := record{part: p.Number, index: len(rows), text: line}
			for cell := range strings.SplitSeq(line, " | ") {
				r.cells = append(r.cells, strings.TrimSpace(cell))
			}
			rows = append(rows, r)
		}
		return rows, ','
	}
	comma = Separator(p.Text)
	c := csv.NewReader(strings.NewReader(p.Text))
	c.Comma, c.LazyQuotes, c.FieldsPerRecord = comma, true, -1
	for start := 0; ; {
		cells, err := c.Read()
		if err == io.EOF {
			return rows, comma
		}
		if err != nil {
			return nil, comma
		}
		end := int(c.InputOffset())
		for i := range cells {
			cells[i] = strings.TrimSpace(cells[i])
		}
		text := p.Text[start:end]
		rows = append(rows, record{part: p.Number, index: len(rows), blank: len(text) - len(strings.TrimLeft(text, "\n")), text: strings.TrimSpace(text), cells: cells})
		start = end
	}
}

// Separator is the mark between the cells of a table: what its first line has most of, outside quotation marks, if the next line has
// it too. Else the first line is a title.
func Separator(text string) rune {
	const marks = ",;\t|"
	first := -1
	for line := range strings.Lines(text) {
		var count [len(marks)]int
		quoted, best := false, 0
		for i := range len(line) {
			quoted = quoted != (line[i] == '"')
			if at := strings.IndexByte(marks, line[i]); at >= 0 && !quoted {
				count[at]++
			}
		}
		if first >= 0 && count[first] > 0 {
			break
		}
		for i, n := range count {
			if n > count[best] {
				best = i
			}
		}
		if count[best] > 0 {
			first = best
		}
	}
	return rune(marks[max(first, 0)])
}

// Head is the index of the row that names the columns of a table: the first, without a number, that fills more than half of what
// the fullest fills; -1 for none. Titles may stand above it, but no full row with a number. Only the first rows are looked at.
func Head(rows [][]string) int {
	rows = rows[:min(HeadWithin, len(rows))]
	filled, fullest := make([]int, len(rows)), 0
	for i, cells := range rows {
		for _, c := range cells {
			if c != "" {
				filled[i]++
			}
		}
		fullest = max(fullest, filled[i])
	}
	for i, cells := range rows {
		number := slices.ContainsFunc(cells, func(c string) bool { return digitsOf(c) != "" && !isYear(c) }) // a year may name a column
		switch {
		case filled[i] > fullest/2 && !number:
			return i
		case filled[i] == fullest:
			return -1
		}
	}
	return -1
}

// headIn is the index of the row that names the columns, -1 for none.
func (t *table) headIn() int {
	var all [][]string
	for _, r := range t.rows[:min(HeadWithin, len(t.rows))] {
		all = append(all, r.cells)
	}
	return Head(all)
}

func (t *table) takeHead() {
	if i := t.headIn(); i >= 0 {
		t.head = t.rows[i]
		t.names, t.rows = t.head.cells, t.rows[i+1:]
	}
	t.rows = slices.DeleteFunc(t.rows, func(r record) bool { return strings.Join(r.cells, "") == "" })
}

func isYear(s string) bool {
	return len(s) == 4 && isWhole(s) && (strings.HasPrefix(s, "19") || strings.HasPrefix(s, "20"))
}

// headBelow reports whether the head has a second row, or the names of another table follow a blank one: words where numbers stand.
func (t *table) headBelow() bool {
	numeric := map[int]bool{} // of columns that were looked at
	for i, r := range t.rows {
		if i > 0 && r.blank == 0 && r.from == r.to && r.from <= t.rows[i-1].to+1 {
			continue
		}
		var words []int
		number := false
		for c, text := range r.cells {
			if !empty(text) {
				words = append(words, c)
				number = number || digitsOf(text) != ""
			}
		}
		for _, c := range words {
			if len(words) < 2 || number || c >= len(t.names) {
				break
			}
			if _, known := numeric[c]; !known {
				numeric[c] = t.numeric(c)
			}
			if numeric[c] {
				return true
			}
		}
	}
	return false
}

func (r record) number() int {
	if r.from == r.to {
		return r.from
	}
	return 0
}

func (r record) cell(column int) string {
	if column >= 0 && column < len(r.cells) {
		return r.cells[column]
	}
	return ""
}

// Letters are those of a column, from 0: A, B, … AA.
func Letters(column int) string {
	if column < 0 {
		return ""
	}
	return Letters(column/26-1) + string(rune('A'+column%26))
}

func (t *table) at(r record, column int) Place {
	return Place{Sheet: t.sheet, Column: Letters(column), From: r.from, To: r.to, Part: r.part, Quote: r.text}
}

// mostQuotes are how many quotes the rows of a number have; of more rows the first ones are quoted.
const mostQuotes = 5

// over is the place of a column in all rows, with quotes of those: of rows that stand together one, with the head above them.
func (t *table) over(column int) Place {
	var quotes []Place
	last := record{}
	for _, r := range t.rows {
		i, text := len(quotes)-1, r.text
		if i >= 0 && r.part == last.part && r.index == last.index+1 && utf8.RuneCountInString(quotes[i].Quote+text) < reading.QuoteLength {
			quotes[i].Quote += "\n" + text
		} else {
			if r.part == t.head.part && r.index == t.head.index+1 || r.part != t.head.part && r.index == 1 {
				text = t.head.text + "\n" + text
			}
			quotes = append(quotes, Place{Part: r.part, Quote: text})
		}
		last = r
	}
	p := quotes[0]
	if len(quotes) <= mostQuotes {
		p.Also = quotes[1:]
	}
	p.Sheet, p.From, p.To = t.sheet, t.rows[0].from, t.rows[len(t.rows)-1].to
	gap := false
	for i, r := range t.rows {
		p.Rows = append(p.Rows, r.from)
		gap = gap || i > 0 && r.from > t.rows[i-1].to+1
		if r.from != r.to { // not known
			p.Rows, gap = nil, false
			break
		}
	}
	if !gap {
		p.Rows = nil
	}
	if column >= 0 {
		p.Column = Letters(column)
	}
	return p
}

var totalWords = strings.Fields("total totals subtotal sum grand summe gesamt gesamtsumme zwischensumme insgesamt ergebnis gesamtergebnis somme totaux suma average mean durchschnitt moyenne promedio")

func (r record) isTotal() bool {
	for _, c := range r.cells {
		if c != "" {
			words := split(c)
			return len(words) > 0 && len(words) <= 4 && (len(words) <= 3 && slices.Contains(totalWords, words[0]) || slices.Contains(totalWords, words[len(words)-1]))
		}
	}
	return false
}

// sumRow reports whether a row without words holds the sum of one of these columns above it: of all rows, or since the last such
// row.
func (t *table) sumRow(columns []int) bool {
	wordless := map[string]bool{}
	for i, r := range t.rows {
		if !slices.ContainsFunc(r.cells, func(c string) bool { return !empty(c) && digitsOf(c) == "" }) {
			wordless[r.text] = true
		}
		if i == len(t.rows)-1 && len(wordless) > i/2 { // a table of numbers
			wordless = map[string]bool{r.text: wordless[r.text]}
		}
	}
	if len(wordless) == 0 {
		return false
	}
	for _, column := range columns {
		list, _, _ := t.numbers(column)
		all, since := new(big.Rat), new(big.Rat)
		for i, m := range list {
			if wordless[m.row.text] {
				if i > 1 && (m.value.Cmp(all) == 0 || m.value.Cmp(since) == 0) {
					return true
				}
				since = new(big.Rat)
			} else {
				since.Add(since, m.value)
			}
			all.Add(all, m.value)
		}
	}
	return false
}

// columnNamed are the columns that a name means: all of it, or without a unit; if rough, else misspelt, else by one word.
func (t *table) columnNamed(run []string, rough bool) []int {
	asked, terms := strings.Join(run, ""), rank.Terms(strings.Join(run, " "))
	var whole, slip, part []int
	for i, name := range t.names {
		words := split(name)
		if at := strings.IndexAny(name, "(["); at > 0 && slices.Equal(run, split(name[:at])) {
			words = run
		}
		joined := strings.Join(words, "")
		switch {
		case joined == "":
		case joined == asked:
			whole = append(whole, i)
		case isSlip(asked, joined), strings.HasSuffix(joined, "y") && joined[:len(joined)-1]+"ies" == asked, len(terms) > 0 && slices.Equal(terms, rank.Terms(name)):
			slip = append(slip, i)
		case len(asked) > 3 && len(run) == 1 && len(words) > 1 && slices.ContainsFunc(words, func(w string) bool { return w == asked || w+"s" == asked || w == asked+"s" }):
			part = append(part, i)
		}
	}
	switch {
	case !rough || len(whole) > 0:
		return whole
	case len(slip) > 0:
		return slip
	}
	return part
}

type cell struct {
	column int
	text   string // its words, as split and joined by spaces
}

// values are the cells by the words of a question that may mean them: as the table writes them, in the plural, or by a part
// that no other value of the table has. Of numbers only whole ones are values.
func (t *table) values(q *question) map[string][]cell {
	asked := map[string]bool{}
	dated := map[string][]string{} // words by the other names of their months and weekdays
	for i := range q.words {
		for _, name := range reading.Dated(q.words[i].text) {
			dated[name] = append(dated[name], q.words[i].text)
		}
		text := ""
		for j := i; j < min(i+mostValueWords, len(q.words)); j++ {
			text = strings.TrimPrefix(text+" "+q.words[j].text, " ")
			asked[text] = true
			if n, ok := reading.NumberWord(text); ok {
				asked[strconv.Itoa(n)] = true
			}
		}
	}
	whole, parts := map[string][]cell{}, map[string][]cell{}
	add := func(to map[string][]cell, key string, c cell) {
		if asked[key] && !slices.Contains(to[key], c) {
			to[key] = append(to[key], c)
		}
	}
	for i := range t.names {
		seen := map[string]bool{}
		for _, r := range t.rows {
			text := r.cell(i)
			if text == "" || seen[text] || len(text) > longestValue || digitsOf(text) != "" && !isWhole(text) || r.isTotal() {
				continue
			}
			seen[text] = true
			words := split(text)
			c := cell{i, strings.Join(words, " ")}
			add(whole, c.text, c)
			for _, name := range dated[c.text] {
				add(whole, name, c)
			}
			if len(text) > 2 && !isWhole(text) {
				add(whole, c.text+"s", c)
				add(whole, c.text+"es", c)
				if stem, is := strings.CutSuffix(c.text, "y"); is {
					add(whole, stem+"ies", c)
				}
				if stem, is := strings.CutSuffix(c.text, "s"); is {
					add(whole, stem, c)
				}
			}
			for w := range strings.FieldsSeq(text) {
				first, _ := utf8.DecodeRuneInString(w)
				if name := split(w); len(words) > 1 && len(name) == 1 && len(name[0]) > 3 && unicode.IsUpper(first) && !excluding[name[0]] {
					add(parts, name[0], c)
				}
			}
		}
	}
	for key, list := range parts {
		if len(list) == 1 && len(whole[key]) == 0 {
			whole[key] = list
		}
	}
	return whole
}

// excluding are words that in a question leave something out.
var excluding = reading.WordSet(`without except excluding excludes other others besides unless ohne ausser andere anderen sauf sans autres excepto otros otras`)

const (
	mostValueWords = 6
	longestValue   = 60 // bytes
)

func isWhole(s string) bool { return strings.Trim(s, "0123456789") == "" }
