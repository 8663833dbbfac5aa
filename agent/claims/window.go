package claims

import (
	"slices"
	"strconv"
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// window is the part of a claim that is about one number.
type window struct {
	clause string // folded
	terms  map[string]bool
	first  map[string]bool // terms before the number
	years  []int           // of the number; none if they may be another's
	sure   bool            // the years are given with the number
	span   string          // how long a time it is of: see reading.SpanOf
	head   string          // of its column, in a table
}

// window reads what a claim says of its number i. In a table that is the name of the row and the head of the column.
func (r *Reply) window(c *Claim, i int) window {
	w := window{}
	before, after := part(c.folded, c.numbers, i)
	if c.cells != nil {
		if column := columnOf(c.folded, c.numbers[i]); column < len(c.cells) {
			w.head = rank.Fold(c.cells[column])
		}
		before, after = rank.Fold(c.context)+" "+w.head, ""
	}
	around := before + " " + after
	w.clause, w.terms, w.first, w.span = clauseOf(before, after), reading.TermSet(around), reading.TermSet(before), reading.SpanOf(around)
	w.years = reading.YearsIn(around)
	if w.sure = len(w.years) > 0; w.sure || compares.MatchString(c.folded) {
		return w
	}
	for _, text := range []string{c.folded, rank.Fold(c.context), rank.Fold(r.Request)} {
		if years := reading.YearsIn(text); len(years) == 1 {
			w.years = years
		} else if len(years) == 0 {
			continue
		}
		break
	}
	return w
}

// on is the window as a page may mean its years: 2022 may have ended on January 28, 2023.
func (w window) on(p *reading.Page) window {
	years := slices.Clone(w.years)
	for _, m := range yearEnd.FindAllStringSubmatch(p.Text, -1) {
		end, _ := strconv.Atoi(m[1]) // digits by the pattern
		if slices.Contains(w.years, end-1) && !slices.Contains(years, end) {
			years = append(years, end)
		}
	}
	w.years = years
	return w
}

var yearEnd = reading.Lazy(`(?i)\b(?:january|jan\.?|february|feb\.?)\s+\d{1,2},?\s+(20\d\d)\b`)

// columnOf returns the column of a number in a table's row.
func columnOf(row string, q reading.Quantity) int {
	return strings.Count(strings.TrimLeft(row[:q.From], "| "), "|")
}

var (
	// compares matches words that have one number of another time than the rest.
	compares = reading.Lazy(`\b(?:instead|statt|prior|previous(?:ly)?|earlier|ago|last year|preceding|before|from|compared|versus|vs\.?|than|against|after|vorjahr\w*|zuvor|vorher\w*|gegenuber|verglichen|von|nach|precedente?|anterior|contre|contra|frente|desde|depuis|previo)\b|前年|前期|昨年|上年`)
	// joint matches the text between parts of a sentence that are about one number each.
	joint = reading.Lazy(`[,;|()]|  |\b(?:and|or|but|while|whereas|versus|vs|against|compared|than|from|to|und|oder|aber|gegenuber|von|auf|et|ou|mais|contre|y|o|pero|bzw)\b`)
)

// ranged matches what stands between the two ends of a range, which are about the same.
var ranged = reading.Lazy(`^ ?(?:-|–|—|to|bis|a) ?[$€£¥]?$`)

// changes matches what stands before the first of two numbers that are before and after a change: "von … bis" is none.
var changes = reading.Lazy(`\b(?:from|de|desde|depuis) ?[$€£¥]?$`)

// isRange reports whether two numbers in a row are the ends of a range.
func isRange(folded string, low, high reading.Quantity) bool {
	return ranged.MatchString(folded[low.To:high.From]) && !changes.MatchString(folded[:low.From])
}

// part is the text before and behind number i as far as it speaks of that number: the text between two numbers is cut at
// its last joint; without one it is of both.
func part(folded string, numbers []reading.Quantity, i int) (before, after string) {
	q := numbers[i]
	start, end := 0, len(folded)
	for _, o := range numbers {
		switch {
		case !o.Measures():
		case o.To <= q.From && !isRange(folded, o, q):
			start = max(start, o.To)
		case o.From >= q.To && !isRange(folded, q, o):
			end = min(end, o.From)
		}
	}
	before, after = folded[start:q.From], folded[q.To:end]
	bracket := strings.HasSuffix(strings.TrimRight(before, "$€£¥-−–+ "), "(")
	if bracket { // what stands in it is about the words before it
		before, after = strings.TrimRight(before, "($€£¥-−–+ "), strings.TrimLeft(after, "%) ")
	}
	if m := joint.FindAllStringIndex(before, -1); m != nil && start > 0 {
		before = before[m[len(m)-1][1]:]
	}
	if m := joint.FindAllStringIndex(after, -1); m != nil && end < len(folded) {
		if bracket {
			m = m[:1]
		}
		after = after[:m[len(m)-1][0]]
	}
	return before, after
}

// clauseOf is the clause that stands around a number, of the text before and behind it.
func clauseOf(before, after string) string {
	parts := clauses.Split(before, -1)
	return parts[len(parts)-1] + " " + clauses.Split(after, 2)[0]
}
