package main

import (
	"fmt"
	"strings"
)

// Widths of the standard fonts from U+0020 to U+007E, in thousandths of the size (Adobe's metrics).
var (
	regularWidths = [...]int{
		278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
		556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
		1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
		667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
		333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
		556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
	}
	boldWidths = [...]int{
		278, 333, 474, 556, 556, 889, 722, 238, 333, 333, 389, 584, 278, 333, 278, 278,
		556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 333, 333, 584, 584, 584, 611,
		975, 722, 722, 722, 722, 667, 611, 778, 722, 278, 556, 722, 611, 833, 722, 778,
		667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 333, 278, 333, 584, 556,
		333, 556, 611, 556, 611, 556, 333, 611, 611, 278, 278, 556, 278, 889, 611, 611,
		611, 611, 389, 556, 333, 611, 556, 778, 556, 556, 500, 389, 280, 389, 584,
	}
)

// ansi maps the characters outside ASCII that the documents use to WinAnsiEncoding and a width.
var ansi = map[rune]struct {
	code  byte
	width int
}{
	'é': {0xe9, 556}, 'è': {0xe8, 556}, 'ü': {0xfc, 556}, '–': {0x96, 556}, '—': {0x97, 1000},
	'’': {0x92, 222}, '“': {0x93, 333}, '”': {0x94, 333}, '€': {0x80, 556}, '°': {0xb0, 400}, '·': {0xb7, 278}, '\u00a0': {0xa0, 278},
}

func width(font string, size float64, text string) float64 {
	widths := regularWidths[:]
	if font == "B" {
		widths = boldWidths[:]
	}
	sum := 0
	for _, r := range text {
		if r < 0x80 {
			sum += widths[r-' ']
		} else {
			sum += ansi[r].width
		}
	}
	return float64(sum) * size / 1000
}

func literal(text string) string {
	var b strings.Builder
	b.WriteByte('(')
	for _, r := range text {
		switch {
		case r == '(' || r == ')' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < 0x80: // control characters too: one file is about them
			b.WriteRune(r)
		default:
			c, ok := ansi[r]
			if !ok {
				panic(fmt.Sprintf("no code for %q", r))
			}
			b.WriteByte(c.code)
		}
	}
	b.WriteByte(')')
	return b.String()
}

type colour [3]float64

var (
	ink   = colour{0.13, 0.16, 0.20}
	grey  = colour{0.42, 0.46, 0.51}
	pale  = colour{0.93, 0.95, 0.96}
	white = colour{1, 1, 1}
	navy  = colour{0.09, 0.27, 0.39}
	coral = colour{0.86, 0.42, 0.30}
)

func (p *page) fill(c colour) { fmt.Fprintf(&p.content, "%g %g %g rg\n", c[0], c[1], c[2]) }

func (p *page) rect(x, y, w, h float64, c colour) {
	p.fill(c)
	fmt.Fprintf(&p.content, "%.4g %.4g %.4g %.4g re f\n", x, y, w, h)
}

func (p *page) text(x, y float64, font string, size float64, c colour, text string) {
	p.fill(c)
	fmt.Fprintf(&p.content, "BT /%s %g Tf %.2f %.2f Td %s Tj ET\n", font, size, x, y, literal(text))
}

func (p *page) textRight(x, y float64, font string, size float64, c colour, text string) {
	p.text(x-width(font, size, text), y, font, size, c, text)
}

// lines breaks text to a width.
func lines(font string, size, wide float64, text string) []string {
	var out []string
	line := ""
	for _, word := range strings.Fields(text) {
		longer := strings.TrimSpace(line + " " + word)
		if line != "" && width(font, size, longer) > wide {
			out = append(out, line)
			longer = word
		}
		line = longer
	}
	return append(out, line)
}

const leading = 1.45 // line distance over size

// paragraph sets text from y downwards and returns where the next one starts.
func (p *page) paragraph(x, y, wide, size float64, text string) float64 {
	for _, line := range lines("R", size, wide, text) {
		p.text(x, y, "R", size, ink, line)
		y -= size * leading
	}
	return y - size*0.6
}

// table sets rows of cells; the first row is the heading, the first column is set left and the others
// end at their place in columns.
func (p *page) table(x, y, wide float64, columns []float64, rows [][]string) float64 {
	const height, size = 21.0, 10.0
	for i, row := range rows {
		font, c := "R", ink
		switch {
		case i == 0:
			p.rect(x, y-6, wide, height, navy)
			font, c = "B", white
		case i == len(rows)-1:
			p.rect(x, y+height-6.5, wide, 0.8, navy)
			font = "B"
		case i%2 == 0:
			p.rect(x, y-6, wide, height, pale)
		}
		p.text(x+8, y, font, size, c, row[0])
		for j, cell := range row[1:] {
			p.textRight(x+columns[j], y, font, size, c, cell)
		}
		y -= height
	}
	return y - 10
}
