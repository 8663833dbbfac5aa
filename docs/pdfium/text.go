package pdfium

import (
	"encoding/binary"
	"math"
	"strings"
	"unicode"
	"unicode/utf16"
)

// maxPageChars holds for a page whatever the limits say; the longest page of a real document
// seen has about 40,000.
const maxPageChars = 4_000_000

// visibleText is the text inside the page's visible box. The engine's text also has what lies
// outside it: one long content shown through several page boxes would give each page the text of
// all, and citations the wrong page. It has no space where two columns of a table have only an
// invisible character between them: see breaks.
func (p *openPage) visibleText(maxChars int) (text string, headed []Heading, truncated bool) {
	w := &textWriter{glyphs: p.glyphs(2*maxChars + 2), last: -1} // a character is one or two units; one more tells that there is more
	for i := 0; i < len(w.units); {
		end := i
		for end < len(w.units) && w.units[end] != '\n' {
			end++
		}
		w.line(i, end)
		i = end + 1
	}
	text, truncated = Cut(clean(lineEnds.Replace(string(utf16.Decode(w.text)))), maxChars)
	return text, w.headings(), truncated
}

// glyphs are the characters of a page in UTF-16, as the engine lists them.
type glyphs struct {
	page  *openPage
	units []uint16
	all   bool // each unit is a character of the engine's list; else some of those have no text
	turn  turn
}

func (p *openPage) glyphs(most int) *glyphs {
	in := p.in
	n := int(int32(in.Call("FPDFText_CountChars", p.text)))
	g := &glyphs{page: p, turn: p.turned(n)}
	if n = min(n, most); n <= 0 {
		return g
	}
	buffer := in.Alloc(uint32(n+1) * 2)
	got := int(int32(in.Call("FPDFText_GetText", p.text, 0, uint64(n), uint64(buffer)))) - 1 // without the NUL
	b := in.View(buffer, uint32(max(0, min(got, n)))*2)
	g.units = make([]uint16, len(b)/2)
	for i := range g.units {
		g.units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	g.all = len(g.units) == n
	in.Free(buffer)
	return g
}

func (g *glyphs) char(i int) uint64 {
	if g.all {
		return uint64(i)
	}
	return g.page.in.Call("FPDFText_GetCharIndexFromTextIndex", g.page.text, uint64(i))
}

// box is the area of unit i: its width and the full height of its line.
func (g *glyphs) box(i int) Rect {
	in := g.page.in
	// FS_RECTF: left, top, right, bottom.
	if in.Call("FPDFText_GetLooseCharBox", g.page.text, g.char(i), in.out(0, 4)) == 0 {
		return Rect{}
	}
	return Rect{Left: in.float32At(0), Top: in.float32At(1), Right: in.float32At(2), Bottom: in.float32At(3)}
}

func (g *glyphs) inSight(i int) bool { return g.box(i).meets(g.page.box) }

// blank reports a unit that leaves no ink: white space, controls and the marks of divided words.
func (g *glyphs) blank(i int) bool {
	u := g.units[i]
	return u <= ' ' || u == noBreakSpace || u >= 0xfffe || u > unicode.MaxLatin1 && unicode.IsSpace(rune(u))
}

// textWriter writes the glyphs that are in sight, line by line.
type textWriter struct {
	*glyphs
	text    []uint16
	last    int  // the last visible unit that is not of a footnote's mark, -1 at first
	mark    bool // such a mark stands behind it,
	gap     bool // something blank,
	divided bool // the mark of a word divided at a line's end,
	breaks  int  // or so many of the engine's line breaks
	bracket bool // the mark began with one
	framed  [2]framed
	styles  []lineStyle // of the lines
}

// framed is the box of a unit in a frame in which the page's lines run to the right.
type framed struct {
	unit int
	box  Rect
}

// line writes units[from:to], which the engine takes for a line.
func (w *textWriter) line(from, to int) {
	w.breaks++
	for from < to && w.blank(from) {
		from++
	}
	end := to
	for end > from && w.blank(end-1) {
		end--
	}
	if from == end {
		return
	}
	first := w.box(from)
	all := first.meets(w.page.box) && w.inSight(end-1)
	if all {
		w.styles = append(w.styles, w.style(from, end, first))
	}
	for i := from; i < to; i++ {
		u := w.units[i]
		switch {
		case w.blank(i):
			if w.last >= 0 && w.breaks == 0 {
				w.text = append(w.text, w.space(i))
				w.gap, w.divided = true, u == 2 || u >= 0xfffe
			}
			continue
		case !all && !utf16.IsSurrogate(rune(u)) && !w.inSight(i):
			continue
		}
		mark := w.isMark(i)
		w.text = append(w.text, w.between(i, mark)...)
		if mark && isDigit(u) && !w.bracket {
			u = superscripts[u-'0']
		}
		w.text = append(w.text, u)
		if !mark {
			w.last = i
		}
		w.bracket = mark && (w.bracket || u == '(')
		w.mark, w.gap, w.divided, w.breaks = mark, false, false, 0
	}
}

var superscripts = utf16.Encode([]rune("⁰¹²³⁴⁵⁶⁷⁸⁹"))

// isMark reports whether unit i is of a footnote's mark: a digit or what stands between such, set smaller and
// higher than what it stands behind.
func (w *textWriter) isMark(i int) bool {
	u := w.units[i]
	if w.last < 0 || w.breaks > 1 || !isDigit(u) && u != '(' && (!w.mark || u != ')' && u != ',' && u != '*') {
		return false
	}
	a, b := w.place(w.last), w.place(i)
	return raised(b, a) && (w.mark || b.Left > a.Right-backStep*height(a) && b.Left < a.Right+markReach*height(a)) && w.straight(i)
}

// space is what stands for the blank unit i. A no-break space stays only where it may separate the
// thousands of one number: in tables it also ends the cells.
func (w *textWriter) space(i int) uint16 {
	if w.units[i] != noBreakSpace {
		return w.units[i]
	}
	if i > 0 && i+1 < len(w.units) && isDigit(w.units[i-1]) && isDigit(w.units[i+1]) {
		left, right := w.place(i-1), w.place(i+1)
		if gap := right.Left - left.Right; gap > 0 && gap < groupGap*height(left) {
			return noBreakSpace
		}
	}
	return ' '
}

const noBreakSpace = 0xa0

// Shares of the height of a line, which is about 1.2 times the size of its letters.
const (
	columnGap   = 0.25 // from where on two glyphs are two words
	groupGap    = 0.5  // up to where two groups of digits may be one number
	backStep    = 0.5  // by which a glyph must stand before its predecessor to be elsewhere
	sameLine    = 0.2  // up to where two are on one line
	lineShift   = 0.5  // by which it must be off to be on another line
	smallHeight = 0.85 // of a footnote's mark
	raise       = 0.1  // by which such a mark stands higher
	markReach   = 0.5  // how far behind a word it may stand
)

// between says what must stand in front of unit i. The engine finds the words, but where a table's
// cells end in invisible characters it joins the numbers of neighbouring columns, and where a number
// has a footnote's mark, number and mark. It breaks some rows of a table between their cells. On
// turned pages it does not find the lines.
func (w *textWriter) between(i int, mark bool) []uint16 {
	figures := isFigures(w.units[max(w.last, 0)], w.units[i])
	switch {
	case w.last < 0:
		return nil
	case w.breaks > 1:
		return []uint16{'\n', '\n'}
	case w.breaks == 1 && (mark || w.ofRow(i)):
		return []uint16{' '}
	case w.breaks == 1:
		return []uint16{'\n'}
	case mark != w.mark && !w.gap:
		return []uint16{' '}
	case w.divided:
		return nil
	case w.gap && !mark && w.missed(i):
		return []uint16{'\n'}
	case mark, utf16.IsSurrogate(rune(w.units[i])), w.turn == upright && (w.gap || !figures):
	case w.shifted(i):
		return []uint16{'\n'}
	case figures && !w.gap && w.apart(i):
		return []uint16{' '}
	}
	return nil
}

// ofRow reports whether unit i stands in the line of the last one, behind it.
func (w *textWriter) ofRow(i int) bool {
	a, b := w.place(w.last), w.place(i)
	level := math.Abs(a.Bottom-b.Bottom) < sameLine*min(height(a), height(b)) || raised(a, b)
	return level && b.Left > a.Right && w.straight(i)
}

// missed reports whether unit i, behind something blank, begins a line that the engine takes for the last one: it does
// so where rows are so near that the boxes of their letters overlap. Within a sentence that is no harm, and not looked for.
func (w *textWriter) missed(i int) bool {
	if unicode.IsLower(rune(w.units[w.last])) && unicode.IsLower(rune(w.units[i])) {
		return false
	}
	a, b := w.place(w.last), w.place(i)
	return b.Left < a.Left-height(a) && math.Abs(a.Bottom+a.Top-b.Bottom-b.Top)/2 > sameLine*height(a) && w.straight(i)
}

func (w *textWriter) shifted(i int) bool {
	a, b := w.place(w.last), w.place(i)
	return math.Abs(a.Bottom+a.Top-b.Bottom-b.Top)/2 > lineShift*max(height(a), height(b)) && w.straight(i)
}

// apart reports whether unit i does not continue the word of the last one.
func (w *textWriter) apart(i int) bool {
	a, b := w.place(w.last), w.place(i)
	far := b.Left-a.Right > columnGap*height(a) || b.Left < a.Left-backStep*height(a)
	return (far || isDigit(w.units[w.last]) && raised(a, b)) && w.straight(i)
}

// straight reports whether unit i and the last one run as the page's lines do.
func (w *textWriter) straight(i int) bool {
	return w.direction(w.last) == w.turn && w.direction(i) == w.turn
}

// raised reports whether mark is set smaller than what it stands beside and higher.
func raised(mark, beside Rect) bool {
	up := (mark.Bottom - beside.Bottom) / height(beside)
	return height(mark) < smallHeight*height(beside) && up > raise && up < 1
}

func height(r Rect) float64 { return r.Top - r.Bottom }

// place is the box of unit i in that frame. Neighbours are asked for in turn.
func (w *textWriter) place(i int) Rect {
	f := &w.framed[i%2]
	if f.unit != i || f.box == (Rect{}) {
		*f = framed{i, w.turn.frame(w.box(i))}
	}
	return f.box
}

func isDigit(u uint16) bool { return u >= '0' && u <= '9' }

// isFigures reports whether a and b may be a number and its neighbour: one is a digit or a mark that stands at
// numbers, the other as well or a Latin letter.
func isFigures(a, b uint16) bool {
	const lastLatin = 0x24f
	figure := func(u uint16) bool { return isDigit(u) || strings.ContainsRune("$€£%()—–", rune(u)) }
	return (figure(a) || figure(b)) && (a <= lastLatin || figure(a)) && (b <= lastLatin || figure(b))
}

// The engine joins a word that is divided at a line's end and leaves a mark in the place of hyphen
// and line break; both are put back, because only the reader of the text can tell
// "main-tenance" from "twenty-five".
const (
	lineHyphen    = "\x02"
	lineHyphenOld = "\ufffe"
	softHyphen    = 0x00ad
)

var lineEnds = strings.NewReplacer(
	lineHyphen+"\r\n", "-\n", lineHyphenOld+"\r\n", "-\n", lineHyphen, "-\n", lineHyphenOld, "-\n")

// clean gives text the form that Page promises: valid UTF-8, soft hyphens as '-', no
// control characters but newline and tab (a page must not be able to move a terminal's cursor).
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == softHyphen:
			return '-'
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r) || r == 0xfffe || r == 0xffff:
			return -1
		}
		return r
	}, text)
}

// Cut shortens text to at most n characters; over says that it had more.
func Cut(text string, n int) (short string, over bool) {
	if len(text) <= n {
		return text, false
	}
	for i := range text {
		if n == 0 {
			return text[:i], true
		}
		n--
	}
	return text, false
}

// joinSurrogates makes characters of UTF-16 units that come one by one. high is the first half
// of a pair if that was the last unit; r is 0 until a character is complete.
func joinSurrogates(high, unit rune) (r, newHigh rune) {
	switch {
	case !utf16.IsSurrogate(unit):
		return unit, 0
	case high == 0:
		return 0, unit
	}
	return utf16.DecodeRune(high, unit), 0
}
