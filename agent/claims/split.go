package claims

import (
	"slices"
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// split cuts a block into its claims, each with the citations behind it.
func (r *Reply) split(b *Block) {
	if b.rows(r); !b.table {
		b.statements(r)
	}
	for i := len(b.Claims) - 2; i >= 0; i-- { // citations of sentences to come are for those before that have none
		if c, next := b.Claims[i], b.Claims[i+1]; !c.cited && next.cited && !c.plain {
			c.own = append(c.own, next.own...)
		}
	}
	for _, m := range b.marks { // citations below a table, or in its header, are for all rows
		if b.table && !slices.ContainsFunc(b.Claims, func(c *Claim) bool { return slices.Contains(c.marks, m) }) {
			for _, c := range b.Claims {
				c.own = append(c.own, m.found...)
			}
		}
	}
	for _, c := range b.Claims {
		for _, e := range c.own {
			c.Places = append(c.Places, e.place)
		}
	}
}

// rows reads the rows of a table below its heads.
func (b *Block) rows(r *Reply) {
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
			c.from, c.to, c.cells, c.context = at, at+len(line), heads, visible(reading.Cells(bare)[0])
			c.scaled(r.scale)
			b.Claims = append(b.Claims, c)
		}
		at += len(line)
	}
	b.table = heads != nil
}

// statements reads the sentences of a paragraph, an item or a heading.
func (b *Block) statements(r *Reply) {
	bare, at := strings.TrimSpace(b.skeleton), itemHead(b.skeleton)
	sentences := sentencesOf(strings.ReplaceAll(b.skeleton[at:], "\n", " "))
	titled := len(sentences) == 1 && boldLine.MatchString(bare) && len(strings.Fields(bare)) <= titleWords
	for _, s := range sentences {
		from := at
		if at += len(s); strings.TrimSpace(s) == "" {
			continue
		}
		c := r.claim(s, b)
		c.from, c.to = from, at
		if r.scale = 0; c.plain {
			r.scale = max(0, reading.ScaleOf(c.folded))
		}
		if headLine.MatchString(bare) || titled && !slices.ContainsFunc(c.numbers, reading.Quantity.Measures) {
			r.heading, c.plain = c.Text, true
		}
		c.context = r.heading
		b.Claims = append(b.Claims, c)
	}
	for _, c := range b.Claims[:max(0, len(b.Claims)-1)] { // "It worsened.", before what is said of it
		c.plain = c.plain || !c.cited && len(c.numbers) == 0 && len(reading.ContentTerms(yesNo.ReplaceAllString(c.folded, ""))) <= 1
	}
}

// boldLine matches a line that is nothing but words in bold, and no sentence by its end.
var boldLine = reading.Lazy(`^\*\*[^*\n\x{E000}-\x{EFFF}]*[^*\n.!?。\x{E000}-\x{EFFF}]\*\*:?$`)

const titleWords = 12 // of a title at most

// scaled gives the numbers of a row the scale that its label or the heads of their columns name, or the lines above the table.
func (c *Claim) scaled(above int) {
	for i := range c.numbers {
		q := &c.numbers[i]
		column := columnOf(c.folded, *q)
		scale := reading.ScaleOf(rank.Fold(c.context + " | " + c.cells[0]))
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
	c.plain = r.exempt(c)
	return c
}
