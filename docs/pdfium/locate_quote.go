package pdfium

import (
	"sort"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

const (
	minQuotePart  = 12      // folded characters that a part of a quote must have to be shown for it
	maxQuoteChars = 400_000 // characters of a page that are searched
)

// folded is text reduced to what a quote and a page must agree on: letters, digits and signs,
// without case, accents, ligatures, white space, hyphens and the shape of quotation marks.
type folded struct {
	text string
	at   []int // for each byte of text, the index of the character it came from
}

// foldRune folds one decomposed character; white space, dashes, marks and controls are dropped,
// because a page and its quote may differ in them.
func foldRune(r rune) (rune, bool) {
	switch r {
	case '‘', '’', '‚', '‛', '′', '`':
		return '\'', true
	case '“', '”', '„', '‟', '″', '«', '»':
		return '"', true
	case '−', '\ufffe', '\uffff':
		return 0, false
	}
	if unicode.IsSpace(r) || unicode.IsControl(r) || unicode.In(r, unicode.Mn, unicode.Pd, unicode.Cf) {
		return 0, false
	}
	return unicode.ToLower(r), true
}

func fold(text string) string {
	var b strings.Builder
	for _, r := range norm.NFKD.String(text) {
		if c, keep := foldRune(r); keep {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// chars folds the page's characters; the indices are the engine's.
func (p *openPage) chars() folded {
	in := p.in
	n := min(int(int32(in.Call("FPDFText_CountChars", p.text))), maxQuoteChars)
	var b strings.Builder
	var f folded
	var high rune
	for i := range n {
		r := rune(in.Call("FPDFText_GetUnicode", p.text, uint64(i)))
		if r, high = joinSurrogates(high, r); r == 0 {
			continue
		}
		for _, c := range decompose(r) {
			if c, keep := foldRune(c); keep {
				b.WriteRune(c)
				for len(f.at) < b.Len() {
					f.at = append(f.at, i)
				}
			}
		}
	}
	f.text = b.String()
	return f
}

// decompose spares the normalisation of plain letters.
func decompose(r rune) string {
	if r < unicode.MaxASCII {
		return string(r)
	}
	return norm.NFKD.String(string(r))
}

// find returns where on the visible page the quote stands, line by line; nil if it does not. If
// the whole is not there, its longest beginning or end of at least minQuotePart characters is
// shown instead: a quote may run over the page's edge, or have been corrected at one end.
func (p *openPage) find(quote string) []Rect {
	q := fold(quote)
	if q == "" {
		return nil
	}
	page := p.chars()
	if !strings.Contains(page.text, q) {
		if rects := p.findNote(q); rects != nil {
			return rects
		}
	}
	for _, part := range parts(page.text, q) {
		if rects := p.locate(page, part); rects != nil {
			return rects
		}
	}
	return nil
}

// parts lists what to look for: the whole, or the longer and then the shorter of the beginning and
// end that are in the text.
func parts(text, quote string) []string {
	if strings.Contains(text, quote) {
		return []string{quote}
	}
	runes := []rune(quote)
	longest := func(part func(n int) string) string {
		// A text that has a beginning of n characters has every shorter one.
		n := sort.Search(len(runes), func(n int) bool { return !strings.Contains(text, part(n+1)) })
		if n < minQuotePart {
			return ""
		}
		return part(n)
	}
	head := longest(func(n int) string { return string(runes[:n]) })
	tail := longest(func(n int) string { return string(runes[len(runes)-n:]) })
	found := []string{head, tail}
	if len(tail) > len(head) {
		found[0], found[1] = tail, head
	}
	for len(found) > 0 && found[len(found)-1] == "" {
		found = found[:len(found)-1]
	}
	return found
}

// locate returns the rectangles of the first occurrence of part that can be seen.
func (p *openPage) locate(page folded, part string) []Rect {
	for from := 0; ; {
		i := strings.Index(page.text[from:], part)
		if i < 0 {
			return nil
		}
		first := page.at[from+i]
		last := page.at[from+i+len(part)-1]
		if rects := p.rects(first, last-first+1); rects != nil {
			return rects
		}
		from += i + len(part)
	}
}

// rects merges the boxes of n characters line by line; nil unless all of it is in sight.
func (p *openPage) rects(first, n int) []Rect {
	in := p.in
	count := int(int32(in.Call("FPDFText_CountRects", p.text, uint64(first), uint64(n))))
	var rects []Rect
	for i := range count {
		// left, top, right, bottom
		if in.Call("FPDFText_GetRect", p.text, uint64(i), in.out(0, 8), in.out(1, 8), in.out(2, 8), in.out(3, 8)) == 0 {
			continue
		}
		r := Rect{Left: in.float64At(0), Top: in.float64At(1), Right: in.float64At(2), Bottom: in.float64At(3)}
		if !r.meets(p.box) {
			return nil
		}
		rects = append(rects, r)
	}
	return rects
}
