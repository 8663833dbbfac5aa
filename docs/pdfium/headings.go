package pdfium

import (
	"math"
	"slices"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Heading is a heading that a PDF gives: a bookmark that leads to the page, or a line that is set larger or bolder than the
// page's text. Of a title page and a warning the same is true: the reader of the text decides.
type Heading struct {
	Text  string
	Level int `json:",omitempty"` // of a bookmark, 1 for the outermost; 0 for a line
	Size  int `json:",omitempty"` // of a line: its height, in percent of the page's most common one
}

const (
	mostHeadings  = 100 // of a page
	longHeading   = 300 // characters of one; a longer line is none
	mostBookmarks = 2_000
	mostLevels    = 6
	largeLine     = 115 // percent
	bolder        = 100 // by which the weight of a bold font is above the page's most common one
	fontName      = 128 // bytes of a font's name that are looked at
	cellGap       = 1.5 // heights of a line, and
	cellLetters   = 2   // widths of its letters, from where on two words are of two cells
	headReach     = 3   // lines below the head of a table, and as many heights, within which its rows begin
)

// lineStyle is how a line of a page is set.
type lineStyle struct {
	units  []uint16
	from   int // the first of them
	height int // in tenths of a point
	weight int // of its first character; 0 if the font does not tell
	bold   bool
}

// style is how units[from:to], a line in sight, is set.
func (w *textWriter) style(from, to int, first Rect) lineStyle {
	weight, bold := w.weight(from)
	if bold && to-from <= longHeading {
		_, bold = w.weight(to - 1)
	}
	return lineStyle{units: w.units[from:to], from: from, height: int(math.Round(10 * height(w.turn.frame(first)))), weight: weight, bold: bold}
}

// weight is that of a unit's font, 0 if the font does not tell; bold reports that its name says so.
func (g *glyphs) weight(i int) (weight int, bold bool) {
	in, char := g.page.in, g.char(i)
	weight = max(0, int(int32(in.Call("FPDFText_GetFontWeight", g.page.text, char))))
	buffer := g.page.doc.nameBuffer()
	n := in.Call("FPDFText_GetFontInfo", g.page.text, char, uint64(buffer), fontName, 0)
	if n < 2 || n > fontName {
		return weight, false
	}
	name := strings.ToLower(string(in.View(buffer, uint32(n-1))))
	return weight, slices.ContainsFunc([]string{"bold", "black", "heavy", "demi"}, func(word string) bool { return strings.Contains(name, word) })
}

func (d *document) nameBuffer() uint32 {
	if d.name == 0 {
		d.name = d.in.Alloc(fontName)
	}
	return d.name
}

// headings are the lines that are set larger or bolder than most of the page, without the heads of tables.
func (w *textWriter) headings() []Heading {
	heights, weights := map[int]int{}, map[int]int{}
	for _, l := range w.styles {
		heights[l.height] += len(l.units)
		weights[l.weight] += len(l.units)
	}
	height, weight := most(heights), most(weights)
	var all []Heading
	for i, l := range w.styles {
		size := 100
		if height > 0 {
			size = 100 * l.height / height
		}
		bold := l.bold || weight > 0 && l.weight >= weight+bolder
		if len(all) == mostHeadings || len(l.units) > longHeading || size < largeLine && (!bold || size < 85) || w.headsTable(i) {
			continue
		}
		if text := strings.TrimSpace(clean(strings.ReplaceAll(lineEnds.Replace(string(utf16.Decode(l.units))), "\n", " "))); text != "" {
			all = append(all, Heading{Text: text, Size: size})
		}
	}
	return all
}

// headsTable reports whether at least two cells of line i stand above those of a line below that has no fewer: it names the columns
// of a table. The number of a heading is no cell: it stands above that of the next.
func (w *textWriter) headsTable(i int) bool {
	head := w.cells(w.styles[i])
	if len(head) > 1 && head[0].digits && !head[1].digits {
		head = head[1:]
	}
	if len(head) < 2 {
		return false
	}
	top := head[0].Bottom + sameLine*height(head[0].Rect)
	for _, below := range w.styles[i+1 : min(i+1+headReach, len(w.styles))] {
		row := w.cells(below)
		if len(row) < len(head) || row[0].Top > top || row[0].Top < top-headReach*height(head[0].Rect) {
			continue
		}
		above := 0
		for _, h := range head {
			at := slices.IndexFunc(row, func(c cell) bool { return h.Left < c.Right && c.Left < h.Right })
			if at >= 0 {
				above, row = above+1, row[at+1:]
			}
		}
		if above > 1 {
			return true
		}
	}
	return false
}

// cell is what stands between the wide gaps of a line.
type cell struct {
	Rect
	digits bool // it has some
}

func (w *textWriter) cells(l lineStyle) (all []cell) {
	var words []cell
	width, letters := 0.0, 0
	for i, end := l.from, l.from+len(l.units); i < end; i++ {
		if w.blank(i) {
			continue
		}
		word := cell{Rect: w.place(i)}
		for ; i < end && !w.blank(i); i++ {
			word.digits = word.digits || isDigit(w.units[i])
			letters++
		}
		word.Right = w.place(i - 1).Right
		width += word.Right - word.Left
		words = append(words, word)
	}
	for _, word := range words { // the height that a font states may be too small
		gap := max(cellGap*height(word.Rect), cellLetters*width/float64(letters))
		if n := len(all) - 1; n >= 0 && word.Left >= all[n].Left && word.Left-all[n].Right < gap {
			all[n].Right, all[n].digits = word.Right, all[n].digits || word.digits
			continue
		}
		all = append(all, word)
	}
	return all
}

// most is the key with the largest value, of equal ones the smallest; 0 for none.
func most(of map[int]int) (key int) {
	for k, n := range of {
		if n > of[key] || n == of[key] && k < key {
			key = k
		}
	}
	return key
}

func (d *document) bookmarksOn(number int) []Heading {
	if d.bookmarks == nil {
		d.bookmarks = map[int][]Heading{}
		d.readBookmarks(0, 1, map[uint64]bool{})
	}
	return d.bookmarks[number]
}

// readBookmarks reads what stands below one. Those of a damaged file may be below themselves.
func (d *document) readBookmarks(above uint64, level int, seen map[uint64]bool) {
	in := d.in
	for b := in.Call("FPDFBookmark_GetFirstChild", d.handle, above); b != 0 && !seen[b] && len(seen) < mostBookmarks; b = in.Call("FPDFBookmark_GetNextSibling", d.handle, b) {
		seen[b] = true
		if to := in.Call("FPDFBookmark_GetDest", d.handle, b); to != 0 {
			number := int(int32(in.Call("FPDFDest_GetDestPageIndex", d.handle, to))) + 1
			text := in.unicode("FPDFBookmark_GetTitle", b)
			if text != "" && utf8.RuneCountInString(text) < longHeading && len(d.bookmarks[number]) < mostHeadings {
				d.bookmarks[number] = append(d.bookmarks[number], Heading{Text: text, Level: level})
			}
		}
		if level < mostLevels {
			d.readBookmarks(b, level+1, seen)
		}
	}
}
