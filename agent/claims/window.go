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
	claim  map[string]bool // terms of all of the claim
	years  []int           // of the number; none if they may be another's
	sure   bool            // the years are given with the number
	head   string          // of its column, in a table
	asked  map[string]bool // terms of the request, in a table: its rows leave out what was asked for
}

// window reads what a claim says of its number i. In a table that is the name of the row and the head of the column.
func (r *Reply) window(c *Claim, i int) window {
	w := window{claim: reading.TermSet(c.Text + " " + c.context)}
	before, after := part(c.folded, c.numbers, i)
	if c.cells != nil {
		if column := columnOf(c.folded, c.numbers[i]); column < len(c.cells) {
			w.head = rank.Fold(c.cells[column])
		}
		before, after, w.asked = rank.Fold(c.context)+" "+w.head, "", r.terms
	}
	around := before + " " + after
	w.clause, w.terms, w.first = clauseOf(before, after), reading.TermSet(around), reading.TermSet(before)
	w.years = reading.YearsIn(comparedTo.ReplaceAllString(around, " "))
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
	// comparedTo matches the year that a number is compared with: "down 5% from 2021".
	comparedTo = reading.Lazy(`\b(?:from|than|over|versus|vs\.?|against|compared (?:to|with)|gegenuber|verglichen mit|par rapport a|contre|frente a|respecto a|desde) (?:(?:in|the|fiscal|year|fy|dem|jahr|l'annee|en|el|ano) ?){0,3}(?:19|20)\d\d\b`)
	// joint matches the text between parts of a sentence that are about one number each.
	joint = reading.Lazy(`[,;|()]|  |\b(?:and|or|but|while|whereas|versus|vs|against|compared|than|from|to|und|oder|aber|gegenuber|von|auf|et|ou|mais|contre|y|o|pero|bzw)\b`)
)

// part is the text before and behind number i as far as it speaks of that number: the text between two numbers is cut at
// its last joint; without one it is of both.
func part(folded string, numbers []reading.Quantity, i int) (before, after string) {
	q := numbers[i]
	start, end := 0, len(folded)
	for _, o := range numbers {
		switch {
		case !o.Measures():
		case o.To <= q.From:
			start = max(start, o.To)
		case o.From >= q.To:
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
