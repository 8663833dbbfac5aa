package docs

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"threadkeeper/docs/ocr"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// plain is a text in the form in which a quote and the page it was taken from are equal: folded as
// rank.Fold does, without quotation marks and the marks of lists and markup, without hyphens
// between letters (a divided word equals a whole one), without the mark of uncertain numbers, and without white space except between
// digits. at[i] is the byte of the source that byte i comes from.
type plain struct {
	source string
	text   string
	at     []int32
}

// ignored are quotation marks, bullets and the marks of Markdown.
const ignored = "'\"|*_#•▪●◦·‣⁃"

func newPlain(source string) *plain {
	b := plainBuilder{text: make([]byte, 0, len(source)+16), at: make([]int32, 0, len(source)+16), hyphen: -1}
	for i := 0; i < len(source); {
		if strings.HasPrefix(source[i:], ocr.Unsure) {
			i += len(ocr.Unsure)
			continue
		}
		r, size := utf8.DecodeRuneInString(source[i:])
		b.add(r, i)
		i += size
	}
	b.endHyphen()
	return &plain{source: source, text: string(b.text), at: b.at}
}

type plainBuilder struct {
	text   []byte
	at     []int32
	letter bool // the last rune is one
	space  bool // white space since
	hyphen int  // position of a hyphen after a letter, else -1
}

func (b *plainBuilder) add(r rune, at int) {
	if r >= 'a' && r <= 'z' { // most of a text
		b.letter, b.space, b.hyphen = true, false, -1
		b.text, b.at = append(b.text, byte(r)), append(b.at, int32(at))
		return
	}
	if unicode.IsSpace(r) {
		b.space = true
		return
	}
	if folded := foldRune(r); folded != "" && !strings.Contains(ignored, folded) {
		b.addFolded(folded, unicode.IsLetter(r), at)
	}
}

func (b *plainBuilder) addFolded(folded string, letter bool, at int) {
	if folded == "-" && b.letter && b.hyphen < 0 {
		b.hyphen = at
		return
	}
	if letter {
		b.hyphen = -1
	} else {
		b.endHyphen()
	}
	if b.space && isDigit(folded[0]) && len(b.text) > 0 && isDigit(b.text[len(b.text)-1]) {
		b.write(" ", at)
	}
	b.write(folded, at)
	b.letter, b.space = letter, false
}

func (b *plainBuilder) write(s string, at int) {
	b.text = append(b.text, s...)
	for range len(s) {
		b.at = append(b.at, int32(at))
	}
}

// endHyphen writes a hyphen that no letter followed.
func (b *plainBuilder) endHyphen() {
	if b.hyphen >= 0 {
		b.write("-", b.hyphen)
		b.hyphen = -1
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// foldedRunes are the folded forms of the runes of alphabetic scripts, in blocks of 256 that are made when they are first needed:
// all of them take as long as the search for an answer.
var foldedRunes = func() (blocks [0x30]func() *[0x100]string) {
	for n := range blocks {
		blocks[n] = sync.OnceValue(func() *[0x100]string {
			var block [0x100]string
			for r := range block {
				block[r] = rank.Fold(string(rune(n<<8 | r)))
			}
			return &block
		})
	}
	return blocks
}()

func foldRune(r rune) string {
	if n := int(r >> 8); n < len(foldedRunes) {
		return foldedRunes[n]()[r&0xff]
	}
	return rank.Fold(string(r))
}

// newQuote is the plain form of a quote without what surrounds it: an ellipsis, the end of its
// sentence.
func newQuote(quote string) string {
	const around = ".,;:!? -"
	q := newPlain(clean(quote)).text
	trimmed := strings.TrimRight(strings.TrimLeft(q, ".,;: "), around)
	if !strings.ContainsFunc(trimmed, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
		return ""
	}
	return trimmed
}

// span returns the place of text[from:to] in the source. A minus in front of a number is part of it, and so is the
// mark of an uncertain one behind it.
func (p *plain) span(from, to int) span {
	start := int(p.at[from])
	if isDigit(p.text[from]) {
		before, size := utf8.DecodeLastRuneInString(p.source[:start])
		further, _ := utf8.DecodeLastRuneInString(p.source[:start-size])
		if foldRune(before) == "-" && size > 0 && !isWord(further) && further != ')' {
			start -= size
		}
	}
	last := int(p.at[to-1])
	_, size := utf8.DecodeRuneInString(p.source[last:])
	end := last + size
	for { // accents that folding took from the last letter
		r, size := utf8.DecodeRuneInString(p.source[end:])
		if !unicode.Is(unicode.Mn, r) {
			if strings.HasPrefix(p.source[end:], ocr.Unsure) {
				end += len(ocr.Unsure)
			}
			return span{start, end}
		}
		end += size
	}
}

// longQuote is from how many bytes on a quote may begin and end inside a word: extraction joins
// words now and then, and a long quote does not stand somewhere by chance.
const longQuote = 24

// find returns where quote stands first, not as part of a longer number, nor, if it is short, of a
// word.
func (p *plain) find(quote string) (span, bool) {
	for at := 0; ; {
		i := strings.Index(p.text[at:], quote)
		if i < 0 {
			return span{}, false
		}
		i += at
		if s := p.span(i, i+len(quote)); p.whole(s, len(quote) >= longQuote) {
			return s, true
		}
		at = i + 1
	}
}

// whole reports whether s neither begins nor ends inside a number nor, unless loose, inside a word.
func (p *plain) whole(s span, loose bool) bool {
	before, size := utf8.DecodeLastRuneInString(p.source[:s.start])
	further, _ := utf8.DecodeLastRuneInString(p.source[:s.start-size])
	first, _ := utf8.DecodeRuneInString(p.source[s.start:])
	last, _ := utf8.DecodeLastRuneInString(p.source[:s.end])
	after, size := utf8.DecodeRuneInString(p.source[s.end:])
	beyond, _ := utf8.DecodeRuneInString(p.source[s.end+size:])
	return !divides(first, before, further, loose) && !divides(last, after, beyond, loose)
}

// divides reports whether a border next to edge has the same number or word on its other side,
// where outer and then further are.
func divides(edge, outer, further rune, loose bool) bool {
	switch {
	case unicode.IsDigit(edge) && unicode.IsDigit(outer):
		return true
	case unicode.IsDigit(edge) && strings.ContainsRune(".,'’", outer) && unicode.IsDigit(further):
		return true
	case loose || unspaced(edge) || unspaced(outer):
		return false
	}
	return isWord(edge) && isWord(outer)
}

func isWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.M, r)
}

// unspaced reports a letter of a script written without spaces.
func unspaced(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// joinReach is how many characters of page number, header and footnotes may be between the two
// halves of a quote that runs over a page break, on each side.
const joinReach = 300

// minHalf is how many characters of a quote must be on each of two pages.
const minHalf = 3

// across returns the place of quote if it begins on page p, at the end of a line near the page's
// end, and continues at the beginning of a line near the top of the next page.
func (p *plain) across(next *plain, quote string) (left, right span, ok bool) {
	head := next.text[:min(len(next.text), joinReach+len(quote))]
	for s := max(0, len(p.text)-joinReach-len(quote)); s < len(p.text); s++ {
		for n := commonPrefix(p.text[s:], quote); n >= minHalf; n-- {
			if s+n < len(p.text)-joinReach || len(quote)-n < minHalf {
				continue
			}
			if isDigit(quote[n-1]) && isDigit(quote[n]) || !utf8.RuneStart(quote[n]) {
				continue
			}
			left = p.span(s, s+n)
			if !endsLine(p.source[left.end:]) {
				continue
			}
			if right, ok = next.startsLine(head, strings.TrimPrefix(quote[n:], " ")); ok {
				return left, right, true
			}
		}
	}
	return left, right, false
}

// startsLine returns the place of rest in head, the beginning of this page, at the beginning of a
// line.
func (p *plain) startsLine(head, rest string) (span, bool) {
	for at := 0; ; {
		i := strings.Index(head[at:], rest)
		if i < 0 || at+i > joinReach {
			return span{}, false
		}
		i += at
		s := p.span(i, i+len(rest))
		line := p.source[strings.LastIndexByte(p.source[:s.start], '\n')+1 : s.start]
		if strings.TrimSpace(line) == "" && p.whole(s, false) {
			return s, true
		}
		at = i + 1
	}
}

// endsLine reports whether only a hyphen and white space are between here and the end of the
// line.
func endsLine(rest string) bool {
	line, _, _ := strings.Cut(rest, "\n")
	return strings.Trim(line, "-‐ \t") == ""
}

func commonPrefix(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// verbatim is text as it is quoted: white space as single spaces, without the marks of bold type. after is what follows it on its page,
// where the end of what begins in it may be.
func verbatim(text, after string) string {
	after, _, _ = strings.Cut(after, "\n\n")
	var b strings.Builder
	from := 0
	for _, m := range strongBegin.FindAllStringSubmatchIndex(text, -1) {
		rest := (text + after)[m[3]+len("**"):]
		if end := strongEnd.FindStringSubmatchIndex(rest); end != nil && end[3] == strings.Index(rest, "**") {
			b.WriteString(text[from:m[3]])
			from = m[3] + len("**")
		}
	}
	b.WriteString(text[from:])
	return strings.Join(strings.Fields(strongEnd.ReplaceAllString(b.String(), "$1$2")), " ")
}

// strongBegin and strongEnd are the marks of bold type: where a quote begins or ends, one of the two is not in it. "2**3" and "a ** b"
// have none; "f(**all)" has one that nothing ends.
var (
	strongBegin = reading.Lazy(`(^|[^\pL\pN*])\*\*([\pL\pN($€£"“])`)
	strongEnd   = reading.Lazy(`([\pL\pN.,:;!?%)"”])\*\*([^\pL\pN*]|$)`)
)
