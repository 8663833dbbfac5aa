package claims

import (
	"regexp"
	"slices"
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// split cuts a block into its claims, each with the citations behind it; those of a paragraph's end are for all of it.
func (r *Reply) split(b *Block) {
	var heads []string
	at := 0
	for line := range strings.Lines(b.skeleton) {
		bare := strings.TrimSpace(line)
		switch {
		case !isTableLine(bare), separator.MatchString(bare):
		case heads == nil:
			heads = reading.Cells(bare)
		default:
			c := r.claim(bare, b)
			c.from, c.to = at, at+len(line)
			if c.cells = heads; len(heads) > 0 {
				c.context = visible(reading.Cells(bare)[0])
			}
			c.counted(r.scale)
			b.Claims = append(b.Claims, c)
		}
		at += len(line)
	}
	b.table = heads != nil
	if !b.table {
		at = len(itemStart.FindString(b.skeleton))
		for _, s := range sentencesOf(strings.ReplaceAll(b.skeleton[at:], "\n", " ")) {
			from := at
			if at += len(s); strings.TrimSpace(s) == "" {
				continue
			}
			c := r.claim(s, b)
			c.from, c.to = from, at
			if r.scale = 0; c.plain {
				r.scale = max(0, reading.ScaleOf(c.folded))
			}
			if bare := strings.TrimSpace(b.skeleton); headLine.MatchString(bare) || boldLine.MatchString(bare) && !slices.ContainsFunc(c.numbers, reading.Quantity.Measures) {
				r.heading = c.Text
				c.plain = true
			}
			c.context = r.heading
			b.Claims = append(b.Claims, c)
		}
	}
	// Text after the last claim, and citations of sentences to come, belong to the claims before that have none.
	for i := len(b.Claims) - 2; i >= 0; i-- {
		c, next := b.Claims[i], b.Claims[i+1]
		if !c.cited && next.cited && !c.plain {
			c.own = append(c.own, next.own...)
		}
	}
	for i := range len(b.Claims) - 1 { // "It worsened.", before what is said of it
		if c := b.Claims[i]; !c.cited && len(c.numbers) == 0 && len(reading.ContentTerms(yesNo.ReplaceAllString(c.folded, ""))) <= 1 {
			c.plain = true
		}
	}
	for _, m := range b.marks { // citations below a table, or in its header, are for all rows
		if b.table && !slices.ContainsFunc(b.Claims, func(c *Claim) bool { return slices.Contains(c.marks, m) }) {
			for _, c := range b.Claims {
				c.own = append(c.own, m.found...)
			}
		}
	}
}

// counted gives the numbers of a row the scale that its label or the heads of their columns name, or the lines above the table.
func (c *Claim) counted(above int) {
	for i := range c.numbers {
		q := &c.numbers[i]
		column := columnOf(c.folded, *q)
		scale := reading.ScaleOf(rank.Fold(c.context + " | " + strings.Join(c.cells[:min(1, len(c.cells))], "")))
		if column < len(c.cells) {
			scale = max(scale, reading.ScaleOf(rank.Fold(c.cells[column])))
		}
		if scale <= 0 {
			scale = above
		}
		if q.Scale == 0 && !q.Percent && column > 0 && scale > 0 && !q.IsYear() && !q.IsDate() {
			q.Scale = scale
		}
	}
}

// boldLine matches a line that is nothing but words in bold.
var boldLine = regexp.MustCompile(`^\*\*[^*\n.\x{E000}-\x{EFFF}]+\*\*:?$`)

// visible is a skeleton without placeholders and emphasis.
func visible(skeleton string) string {
	return strings.TrimSpace(strings.Map(func(x rune) rune {
		if isPlaceholder(x) || strings.ContainsRune("*`", x) {
			return -1
		}
		return x
	}, skeleton))
}

// claim reads a sentence with placeholders.
func (r *Reply) claim(skeleton string, b *Block) *Claim {
	c := &Claim{Text: visible(skeleton)}
	for _, x := range skeleton {
		if isPlaceholder(x) {
			m := b.marks[x-0xE000]
			c.marks, c.own, c.missing = append(c.marks, m), append(c.own, m.found...), append(c.missing, m.missing...)
			c.cited = c.cited || len(m.cites) > 0
		}
	}
	c.folded, c.numbers = reading.Quantities(c.Text)
	c.sums = sumsIn(c.folded, c.marks)
	for _, e := range c.own {
		c.Places = append(c.Places, e.place)
	}
	c.plain = r.exempt(c)
	return c
}
