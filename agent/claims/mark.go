package claims

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/reading"
)

// A mark is what a model writes for the program: a citation of one or several places, as [d1 p14 "words"], or a
// computation, as [= 425 + 2,240].
type mark struct {
	cites   []cite
	sum     string
	found   []*evidence // the cited places
	missing []string    // words that were not found
	instead []*evidence // the pages they were said to stand on
}

// cite is one place of a citation.
type cite struct {
	document int // 1-based, 0 if not given
	page     int // 0 if not given
	words    string
}

const longestMark = 2000 // bytes: no citation is longer

// brokenMark is a citation that does not end, or has no place.
const brokenMark = `[\[(][dD]\d+[^\]\n]*[\])]?`

var (
	docRef    = reading.Lazy(`^(?:[dD](\d{1,4})\b|(?i:doc(?:ument)?|dokument|documento) ?(\d{1,4})\b)`)
	pageRef   = reading.Lazy(`^(?i:(?:on |auf |à la |en la )?(?:pp?|pgs?|pages?|s|seiten?|p[aá]ginas?|p[aá]gs?|str|стр)\.? ?)(\d{1,5})\b(?: ?(?:([-–—]|to|bis)|et|and|und|&|,) ?(?:p\.? ?)?(\d{1,5})\b)?|^第? ?(\d{1,5}) ?(?:ページ|頁|页|쪽)`)
	between   = reading.Lazy(`^(?:[\s,;:./|–—+&-]|(?i:sections?|sec\.|§+|abschnitt|ziffer|absatz|abs\.|art(?:\.|icles?|ikel)|clauses?|klausel|tables?|tab\.|tabelle|tableau|figure|fig\.|abbildung|abb\.|chapter|kapitel|chapitre|annexe?|appendix|anhang|note|item|no\.|nr\.) ?[\dA-Z][\d.]*[a-z]?\b(?: ?\([^()]{1,40}\))?|(?i:and|und|et|y|tables?|tabelle|tableau|see|vgl|cf|siehe|voir|quote|zitat)\b)+`)
	opens     = map[rune]string{'"': `"”“`, '“': `”“"`, '„': `“”"`, '«': `»`, '»': `«`, '‹': `›`, '\'': `'’`, '‘': `’'`, '‚': `‘’'`, '「': `」`, '『': `』`, '`': "`'"}
	markBegin = reading.Lazy(`^\[(?:[dD]\d|=)`)
	// markWithin matches the beginning of another mark, which no quote holds.
	markWithin = reading.Lazy(`[\[(【][dD]\d{1,4}[ ,]*["“'„«]|[\[(【][dD]\d{1,4}[ ,]*[pPsS]\.? ?\d`)
	footnote   = reading.Lazy(`\s*(?:\[\^?\d{1,3}\]|【[^】]*】)`)
	broken     = reading.Lazy(brokenMark)
)

// WithoutFootnotes removes citations of other kinds from a text: [3], [^3] and 【…】.
func WithoutFootnotes(text string) string { return footnote.ReplaceAllString(text, "") }

// HasMarks reports whether a text cites or computes, in a readable form or not.
func HasMarks(text string) bool {
	_, marks := marksOf(text, nil)
	return len(marks) > 0 || broken.MatchString(text)
}

// Next returns the length of the first sentence of text with the citations after it. 0 means that more text is needed; with
// whole there is no more.
func Next(text string, whole bool) int {
	for end := 0; ; {
		n := reading.SentenceEnd(text[end:], whole)
		if n == 0 {
			return 0
		}
		if end += n; unclosed(text[:end]) && end < len(text) { // the end is inside a quote
			continue
		}
		for end < len(text) && text[end-1] != '\n' {
			rest := strings.TrimLeft(text[end:], " ")
			if strings.HasPrefix("[d", rest) || strings.HasPrefix("[=", rest) || unclosed(rest) {
				return allIf(whole, text)
			}
			_, n := readMark(rest, nil)
			if n == 0 || !markBegin.MatchString(rest) {
				return end
			}
			end = len(text) - len(strings.TrimLeft(rest[n:], ".,;"))
		}
		if text[end-1] == '\n' || unclosed(text[:end]) && whole {
			return end
		}
		return allIf(whole, text)
	}
}

// unclosed reports whether the last mark of a text does not end in it.
func unclosed(text string) bool {
	for i := len(text) - 1; i >= 0 && len(text)-i < longestMark; i-- {
		if text[i] == '[' && markBegin.MatchString(text[i:]) {
			_, n := readMark(text[i:], nil)
			return n == 0
		}
	}
	return false
}

// marksOf takes the marks of a text out and leaves placeholders. named tells the number of a document by a name, 0 for none.
func marksOf(text string, named func(string) int) (skeleton string, marks []*mark) {
	var b strings.Builder
	for i := 0; i < len(text); {
		if c := text[i]; (c == '[' || c == '(' || strings.HasPrefix(text[i:], "【")) && len(marks) < 0xF00 {
			if m, n := readMark(text[i:], named); n > 0 {
				b.WriteRune(placeholder(len(marks)))
				marks = append(marks, &m)
				i += n
				continue
			}
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isPlaceholder(r) { // of others
			b.WriteString(text[i : i+size])
		}
		i += size
	}
	return b.String(), marks
}

// readMark reads the mark that text begins with, n bytes long; n is 0 if it begins with none.
func readMark(text string, named func(string) int) (m mark, n int) {
	open, size := utf8.DecodeRuneInString(text)
	shut := map[rune]string{'[': "]", '(': ")", '【': "】"}[open]
	text = text[:min(len(text), longestMark)]
	if next := markWithin.FindStringIndex(text[size:]); next != nil { // or many that are not closed would each be read to the end
		text = text[:size+next[0]]
	}
	rest := text[size:]
	if s, ok := strings.CutPrefix(strings.TrimLeft(rest, " "), "="); ok && open == '[' {
		if i := strings.IndexByte(s, ']'); i > 0 && i <= 300 {
			return mark{sum: s[:i]}, len(text) - len(s) + i + 1
		}
		return m, 0
	}
	var c cite
	placed, quoted := false, false // c names a place; c has its words
	last := 0                      // page of the range that c begins
	add := func() {
		for ; placed && !quoted && c.page < last; c.page++ {
			m.cites = append(m.cites, c)
		}
		last = 0
		if placed || quoted {
			m.cites = append(m.cites, c)
		}
		quoted = false
	}
	another := func() { // place
		if quoted || placed && c.page > 0 {
			add()
			c = cite{document: c.document}
		}
		placed = true
	}
	for {
		rest = rest[len(between.FindString(rest)):]
		if s, ok := strings.CutPrefix(rest, shut); ok {
			if add(); len(m.cites) == 0 || m.cites[0].document == 0 && m.cites[0].page == 0 && (open == '(' || !m.copies()) {
				return m, 0
			}
			return m, len(text) - len(s)
		}
		k := 0
		if d := docRef.FindStringSubmatch(rest); d != nil {
			another()
			c, k = cite{}, len(d[0])
			c.document, _ = strconv.Atoi(d[1] + d[2]) // digits by the pattern
		} else if p := pageRef.FindStringSubmatch(rest); p != nil {
			another()
			k = len(p[0])
			c.page, _ = strconv.Atoi(p[1] + p[4])
			if p[2] != "" { // "pp. 40-41"
				last, _ = strconv.Atoi(p[3])
				last = min(last, c.page+fewPages-1)
			} else if p[3] != "" { // "pp. 1 and 5"
				k -= len(p[3]) + 1
				rest = rest[:k] + "p" + rest[k+1:]
			}
		} else if words, n := readQuote(rest, shut); n > 0 {
			if quoted {
				add()
			}
			c.words, quoted, k = words, true, n
		} else if n, d := nameAt(rest, shut, named); n > 0 {
			another()
			c, k = cite{document: d}, n
		}
		if k == 0 {
			return m, 0
		}
		rest = rest[k:]
	}
}

// copies reports whether all words of a mark are long enough to be copied from a page; else it may be a list: ["p12", "p15"].
func (m *mark) copies() bool {
	return !slices.ContainsFunc(m.cites, func(c cite) bool { return len(strings.Fields(c.words)) < 3 })
}

// readQuote reads the quoted words that text begins with. They end at a closing mark behind which the bracket ends, or
// another place or quote stands; n is 0 if there are none.
func readQuote(text, shut string) (words string, n int) {
	first, size := utf8.DecodeRuneInString(text)
	for i, r := range text[size:] {
		if !strings.ContainsRune(opens[first], r) {
			continue
		}
		end := size + i + utf8.RuneLen(r)
		rest := text[end+len(between.FindString(text[end:])):]
		next, _ := utf8.DecodeRuneInString(rest)
		another := len(rest) < len(text[end:]) && (opens[next] != "" || docRef.MatchString(rest) || pageRef.MatchString(rest))
		if i > 0 && (another || strings.HasPrefix(rest, shut)) {
			return text[size : size+i], end
		}
	}
	return "", 0
}

// nameAt reads the name of a document that text begins with: all up to a page, a quote or the end.
func nameAt(text, shut string, named func(string) int) (n, document int) {
	if named == nil {
		return 0, 0
	}
	for i, r := range text {
		at := strings.ContainsRune(",;:", r) || strings.HasPrefix(text[i:], shut) || opens[r] != "" && r != '\'' ||
			unicode.IsSpace(r) && pageRef.MatchString(text[i+1:])
		if at && i > 0 {
			if d := named(strings.TrimSpace(text[:i])); d > 0 {
				return i, d
			}
		}
		if strings.HasPrefix(text[i:], shut) || i > 200 {
			break
		}
	}
	return 0, 0
}

var ellipsis = reading.Lazy(`\s*(?:\[\s*(?:…|\.\.\.)\s*\]|\(\s*(?:…|\.\.\.)\s*\)|…|\.\.\.)\s*`)

// parts are the pieces of a quote between its ellipses.
func (c cite) parts() []string {
	var list []string
	for _, p := range ellipsis.Split(reading.CollapseSpace(c.words), -1) {
		if strings.ContainsFunc(p, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			list = append(list, p)
		}
	}
	return list
}

// Bare returns a text without citations and computations; named returns the number of a document by a name, 0 for none.
func Bare(text string, named func(string) int) string {
	skeleton, _ := marksOf(text, named)
	return broken.ReplaceAllString(visible(skeleton), "")
}
