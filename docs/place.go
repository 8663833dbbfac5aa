package docs

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// A place says where a quote is, in a reader's terms: "" for a page that has a picture; in other files its rows, cells, lines,
// slide, printed page, or the heading it stands under. The label of a part ("rows 2–80", "Costs, rows 2–9", "lines 40–99",
// "slide 3", "page 3", "part 2") is the place of all of it; headings follow it, each on a line with the line of the part from which text stands under it.

// PlaceWords are the words for places in one language, with a number each, or the first and the last, or a heading.
type PlaceWords struct {
	Page, Slide, Part      string
	Row, Rows, Line, Lines string
	Heading                string
}

var placeWords = map[string]PlaceWords{
	"en": {"page %d", "slide %d", "part %d", "row %d", "rows %d–%d", "line %d", "lines %d–%d", "“%s”"},
	"de": {"Seite %d", "Folie %d", "Teil %d", "Zeile %d", "Zeilen %d–%d", "Zeile %d", "Zeilen %d–%d", "„%s“"},
	"fr": {"page %d", "diapositive %d", "partie %d", "ligne %d", "lignes %d–%d", "ligne %d", "lignes %d–%d", "« %s »"},
	"es": {"página %d", "diapositiva %d", "parte %d", "fila %d", "filas %d–%d", "línea %d", "líneas %d–%d", "«%s»"},
}

// PlacesIn returns the words of a language ("de"); English if it has none.
func PlacesIn(language string) PlaceWords {
	if w, ok := placeWords[language]; ok {
		return w
	}
	return placeWords["en"]
}

// Of returns the place of a citation in words. The name of a sheet or a heading in it is untrusted.
func (w PlaceWords) Of(c Citation) string {
	if heading, is := headingIn(c.Place); is {
		return fmt.Sprintf(w.Heading, heading)
	}
	l, ok := parseLabel(c.Place)
	switch {
	case c.Place == "":
		return fmt.Sprintf(w.Page, c.Page)
	case !ok: // a sheet, or cells of one
		return c.Place
	}
	said := map[string][2]string{"row": {w.Row, w.Rows}, "line": {w.Line, w.Lines}, "slide": {w.Slide}, "page": {w.Page}, "part": {w.Part}}[l.of]
	if l.from == l.to || said[1] == "" {
		return l.inSheet(fmt.Sprintf(said[0], l.from))
	}
	return l.inSheet(fmt.Sprintf(said[1], l.from, l.to))
}

// label is a place in a file without pages.
type label struct {
	sheet    string // of a workbook
	of       string // row, line, slide, page or part
	from, to int
}

var labelForm = reading.Lazy(`(?s)^(?:(.*), )?(row|line|slide|page|part)s? (\d+)(?:–(\d+))?$`)

func parseLabel(text string) (l label, ok bool) {
	m := labelForm.FindStringSubmatch(text)
	if m == nil {
		return l, false
	}
	l.sheet, l.of = m[1], m[2]
	l.from, _ = strconv.Atoi(m[3])
	if l.to = l.from; m[4] != "" {
		l.to, _ = strconv.Atoi(m[4])
	}
	return l, true
}

func (l label) String() string { return l.inSheet(rangeLabel(l.of, l.from, l.to)) }

func (l label) inSheet(place string) string {
	if l.sheet == "" {
		return place
	}
	return l.sheet + ", " + place
}

// place is where s stands: the rows or lines of the part that hold it, or the cells of a sheet where they are certain; all of the
// part's rows where they cannot be told, since empty ones lie between. "" for a page.
func (p *pageRow) place(s span) string {
	if hasHeadings(p.Label) {
		return under(p.Label, strings.Count(p.Text[:s.start], "\n"))
	}
	l, ok := parseLabel(p.Label)
	if !ok {
		return p.Label
	}
	var starts []int // of rows or lines in the text, blank ones too
	switch {
	case l.of == "row" && l.sheet == "":
		for _, row := range splitRows(p.Text) {
			for len(starts) < row.number {
				starts = append(starts, row.at)
			}
		}
	case l.of == "row" || l.of == "line":
		starts = append(starts, 0)
		for i := range len(p.Text) {
			if p.Text[i] == '\n' {
				starts = append(starts, i+1)
			}
		}
	default:
		return p.Label
	}
	first, last := -1, -1
	for i, at := range starts {
		if at <= s.start {
			first = i
		}
		if at < s.end {
			last = i
		}
	}
	rows := l.to - l.from + 1
	headed := l.sheet == "" && len(starts) == rows+1 || l.sheet != "" && len(starts) > 1 && l.from > 1
	if l.of == "row" && headed {
		switch {
		case last == 0 && l.sheet == "":
			return rangeLabel("row", 1, 1)
		case last == 0: // its number is not stored
			return l.sheet
		}
		within := first > 0
		starts, first, last = starts[1:], max(first-1, 0), last-1
		if within && l.sheet != "" && len(starts) == rows {
			if cells, known := cellRange(p.Text, s, starts[first:last+1], l.from+first); known {
				return l.inSheet(cells)
			}
		}
	}
	if len(starts) == rows && first >= 0 && last >= first {
		l.from, l.to = l.from+first, l.from+last
	}
	return l.String()
}

// through is the place of what begins at one place and ends at another.
func through(from, to string) string {
	a, ok := parseLabel(from)
	if b, is := parseLabel(to); ok && is && a.sheet == b.sheet && a.of == b.of && b.to >= a.from {
		a.to = b.to
		return a.String()
	}
	return from
}

// Place returns the place of words on a page, or of the part if they are not in it; "" for a page.
func (x *Index) Place(ctx context.Context, document int64, page int, words string) (string, error) {
	k, name, err := x.contentOf(ctx, document)
	if errors.Is(err, memory.ErrNotFound) {
		return "", nil
	}
	var on []*pageRow
	if err == nil {
		on, err = x.texts(ctx, k.ID, page, page)
	}
	if err != nil {
		return "", fmt.Errorf("docs: find a place in %s: %w", name, err)
	}
	if len(on) == 0 {
		return "", nil
	}
	if quote := newQuote(words); quote != "" {
		if s, ok := newPlain(on[0].Text).find(quote); ok {
			return on[0].place(s), nil
		}
	}
	if hasHeadings(on[0].Label) {
		return under(on[0].Label, -1), nil
	}
	return on[0].Label, nil
}
