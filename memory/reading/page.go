package reading

import (
	"encoding/csv"
	"slices"
	"strings"
	"unicode"

	"threadkeeper/memory/rank"
)

// Page is the text of a page, read as the rows of its tables and its sentences.
type Page struct {
	Text      string
	Rows      []Row
	Sentences []Sentence
	Scale     int // power of ten that a caption in its first lines gives to all of it, 0 for none

	squashed string
}

// Sentence is a sentence of a page, outside tables or in them.
type Sentence struct {
	Text  string
	InRow bool // it is made of rows of a table

	from, to   int // in the page's letters and digits
	read       bool
	folded     string
	quantities []Quantity
	terms      map[string]bool
}

// Quantities returns its numbers. They are read on demand, because only a few places of most pages are looked at.
func (s *Sentence) Quantities() []Quantity {
	if !s.read {
		s.read = true
		s.folded, s.quantities = Quantities(s.Text)
	}
	return s.quantities
}

// Folded returns the text that the positions of its numbers refer to.
func (s *Sentence) Folded() string {
	s.Quantities()
	return s.folded
}

// Terms returns its search terms.
func (s *Sentence) Terms() map[string]bool {
	if s.terms == nil {
		s.terms = TermSet(s.Text)
	}
	return s.terms
}

// Parted returns a text of CSV records with bars in place of their commas; any other text is returned
// unchanged.
func Parted(text string) string {
	if !tightComma.MatchString(text) {
		return text
	}
	r := csv.NewReader(strings.NewReader(text))
	records, err := r.ReadAll() // each with as many fields as the first
	if err != nil || len(records) == 0 || len(records[0]) < 3 || strings.Count(text, ", ") > strings.Count(text, ",")/2 {
		return text
	}
	lines := make([]string, len(records))
	for i, fields := range records {
		for j, f := range fields {
			fields[j] = CollapseSpace(f)
		}
		lines[i] = strings.Join(fields, " | ")
	}
	return strings.Join(lines, "\n")
}

var tightComma = Lazy(`(?m)^[^ ,][^,\n]*,[^ \n]`)

// telling is how many letters and digits a sentence has that is looked for further on.
const telling = 10

// headOfPage is how many letters and digits stand before the last line that may speak for a whole page.
const headOfPage = 200

// ReadPage reads the text of a page.
func ReadPage(text string) *Page {
	p := &Page{Text: text}
	var b strings.Builder
	scale := -1
	var heads, stacked []string
	var titles []string
	for _, line := range JoinCells(strings.Split(strings.ReplaceAll(Parted(text), "\t", " | "), "\n")) {
		if line == "" {
			continue
		}
		from := b.Len()
		b.WriteString(Squash(line))
		folded := rank.Fold(line)
		if s := ScaleOf(folded); s >= 0 {
			if scale < 0 && from <= headOfPage {
				p.Scale = s
			}
			scale = s
		}
		if year := strings.TrimSpace(folded); yearAlone.MatchString(year) && len(year) == 4 { // each head on a line of its own
			if stacked = append(stacked, year); len(stacked) > 1 {
				heads = stacked
			}
			titles = append(titles, line)
			continue
		}
		r, ok := readRow(line)
		if h := headsOf(line, r, ok); h != nil {
			heads, stacked = grouped(h, titles), nil
			titles = append(titles, line)
			continue
		}
		if !ok {
			if heads != nil && len(strings.Fields(line)) > 12 && strings.ContainsRune(".。", endOf(line)) {
				heads = nil // prose: the table has ended
			}
			titles = append(titles[max(0, len(titles)-4):], line)
			continue
		}
		if len(r.Values) > 1 {
			stacked = nil
		}
		r.Scale, r.from, r.to = scale, from, b.Len()
		r.Terms = labelTerms(r.Label)
		r.Title = strings.Join(titles[max(0, len(titles)-4):], " ")
		r.align(heads, titles)
		p.Rows = append(p.Rows, r)
	}
	p.fractions()
	p.squashed = b.String()
	at := 0
	for _, s := range PageSentences(text) {
		sq := Squash(s)
		x := Sentence{Text: s, from: -1, to: -1}
		if i := strings.Index(p.squashed[at:], sq); i == 0 || i > 0 && len(sq) >= telling { // a page number was left out, and its digits stand elsewhere
			x.from, x.to = at+i, at+i+len(sq)
			at = x.to
		}
		covered := 0
		for _, r := range p.Rows {
			if len(r.Values) > 1 || len(strings.Fields(r.Label)) <= 6 {
				covered += max(0, min(r.to, x.to)-max(r.from, x.from))
			}
		}
		x.InRow = covered > 0 && 10*covered >= 6*(x.to-x.from)
		p.Sentences = append(p.Sentences, x)
	}
	return p
}

// fractions takes the scale from rows whose values alone have decimals: amounts per share in a table of thousands.
func (p *Page) fractions() {
	decimal := func(x *Row) bool {
		return !slices.ContainsFunc(x.Values, func(v Quantity) bool { return v.Decimals != 2 })
	}
	n := 0
	for i := range p.Rows {
		if decimal(&p.Rows[i]) {
			n++
		}
	}
	for i := range p.Rows {
		if decimal(&p.Rows[i]) && n*2 < len(p.Rows) {
			p.Rows[i].Scale = 0
		}
	}
}

// Quoted returns the rows and sentences that a quote contains part of, at its place on the page.
func (p *Page) Quoted(quote string) (rows []*Row, sentences []*Sentence) {
	q := Squash(quote)
	for at := 0; q != ""; {
		i := strings.Index(p.squashed[at:], q)
		if i < 0 {
			break
		}
		from, to := at+i, at+i+len(q)
		for i := range p.Rows {
			if r := &p.Rows[i]; r.from < to && from < r.to && !slices.Contains(rows, r) {
				rows = append(rows, r)
			}
		}
		for i := range p.Sentences {
			if s := &p.Sentences[i]; s.from < to && from < s.to && !slices.Contains(sentences, s) {
				sentences = append(sentences, s)
			}
		}
		at = to
	}
	return rows, sentences
}

// Holds reports whether the page has such a number.
func (p *Page) Holds(such func(Quantity) bool) bool {
	for i := range p.Rows {
		if slices.ContainsFunc(p.Rows[i].Values, such) {
			return true
		}
	}
	for i := range p.Sentences {
		if slices.ContainsFunc(p.Sentences[i].Quantities(), such) {
			return true
		}
	}
	return false
}

// Squash keeps the letters and digits of a text, folded.
func Squash(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return r
		}
		return -1
	}, rank.Fold(text))
}
