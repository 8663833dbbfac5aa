package rank

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
	"github.com/kljensen/snowball/russian"
)

// maxWord is the length in bytes beyond which a run of letters is cut: no word of a language
// is longer, and encoded data must not fill the index.
const maxWord = 48

// Words returns the folded words of s in order. Letters and digits are words of their own
// ("FY2018" is fy, 2018), separators of thousands are dropped (1,284 and 1.284.500 and
// 1'284 lose theirs) and a decimal comma becomes a point. Scripts written without spaces,
// and Hangul, become overlapping pairs of characters; one character alone is a word.
func Words(s string) []string {
	f := Fold(joinThousands(s))
	words := make([]string, 0, len(f)/5+1)
	for i := 0; i < len(f); {
		r, size := utf8.DecodeRuneInString(f[i:])
		switch classOf(r) {
		case digits:
			n := numberLen(f[i:])
			words = append(words, numberParts(f[i:i+n])...)
			i += n
		case letters:
			n := runLen(f[i:], letters)
			for w := f[i : i+n]; w != ""; {
				cut := cutAt(w, maxWord)
				words = append(words, w[:cut])
				w = w[cut:]
			}
			i += n
		case packed:
			n := runLen(f[i:], packed)
			words = appendPairs(words, f[i:i+n])
			i += n
		default:
			i += size
		}
	}
	return words
}

// HasWords reports whether the words of a phrase stand in a text as words, one behind the other.
func HasWords(text, phrase string) bool {
	return strings.Contains(" "+strings.Join(Words(text), " ")+" ", " "+strings.Join(Words(phrase), " ")+" ")
}

// Terms returns the search terms of s: its words without stop words, stemmed.
// English stemming is used for words in ASCII letters whatever their language, since both
// sides go through it; Russian stemming for Cyrillic ones.
func Terms(s string) []string {
	words := Words(s)
	terms := words[:0]
	for _, w := range words {
		if !Stop(w) {
			terms = append(terms, stem(w))
		}
	}
	return terms
}

func stem(w string) string {
	switch c := w[0]; {
	case c >= 'a' && c <= 'z' && len(w) > 2 && isASCII(w):
		return stems.Get(w, func(w string) string { return english.Stem(w, false) })
	case c == 0xD0 || c == 0xD1: // the first bytes of Cyrillic in UTF-8
		return stems.Get(w, func(w string) string { return russian.Stem(w, false) })
	}
	return w
}

type class uint8

const (
	other class = iota
	letters
	digits
	packed // letters of a script searched by pairs of characters
)

func classOf(r rune) class {
	if r < utf8.RuneSelf {
		switch {
		case r >= 'a' && r <= 'z':
			return letters
		case r >= '0' && r <= '9':
			return digits
		}
		return other
	}
	switch {
	case r < 0x0E00: // Latin, Greek, Cyrillic, Hebrew, Arabic, Indic
		if unicode.IsLetter(r) || unicode.IsMark(r) {
			return letters
		}
	case r == 'ー' || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan):
		if unicode.IsLetter(r) || unicode.IsMark(r) {
			return packed
		}
	case unicode.IsLetter(r) || unicode.IsMark(r):
		return letters
	}
	return other
}

func runLen(s string, c class) int {
	for i, r := range s {
		if classOf(r) != c {
			return i
		}
	}
	return len(s)
}

// cutAt returns the largest length up to limit at which s can be cut between characters.
func cutAt(s string, limit int) int {
	if len(s) <= limit {
		return len(s)
	}
	for !utf8.RuneStart(s[limit]) {
		limit--
	}
	return limit
}

// appendPairs appends the overlapping pairs of characters of run, or run if it is one character.
func appendPairs(words []string, run string) []string {
	_, first := utf8.DecodeRuneInString(run)
	if first == len(run) {
		return append(words, run)
	}
	for start, end := 0, first; end < len(run); {
		_, size := utf8.DecodeRuneInString(run[end:])
		words = append(words, run[start:end+size])
		_, step := utf8.DecodeRuneInString(run[start:])
		start += step
		end += size
	}
	return words
}

// joinThousands removes the no-break and thin spaces that separate thousands in "1 284 500":
// folding would turn them into word breaks.
func joinThousands(s string) string {
	if !strings.ContainsAny(s, "\u00a0\u202f\u2009") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range s {
		if r == 0x00a0 || r == 0x202f || r == 0x2009 {
			rest := s[i+utf8.RuneLen(r):]
			if i > 0 && isDigit(s[i-1]) && digitRun(rest) == 3 {
				continue
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func digitRun(s string) int {
	n := 0
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	return n
}

// numberLen returns the length of the number that folded text s begins with: digits joined by
// single points, commas or, before groups of three, apostrophes.
func numberLen(s string) int {
	n := digitRun(s)
	for n+1 < len(s) && isDigit(s[n+1]) {
		if s[n] != '.' && s[n] != ',' && (s[n] != '\'' || digitRun(s[n+1:]) != 3) {
			break
		}
		n += 1 + digitRun(s[n+1:])
	}
	return n
}

// numberParts returns a run of digits and separators as one number, or as several if commas
// list them (1,2,3). Groups of three after a comma or an apostrophe, or after two or more
// points, or after a point before a comma, are thousands; one comma otherwise is the decimal
// point; points otherwise stay (3.5, 12.05.2023).
func numberParts(s string) []string {
	if digitRun(s) == len(s) {
		return []string{s}
	}
	s = strings.ReplaceAll(s, "'", "")
	comma, point := strings.Count(s, ","), strings.Count(s, ".")
	lastComma, lastPoint := strings.LastIndexByte(s, ','), strings.LastIndexByte(s, '.')
	switch {
	case comma > 0 && grouped(s, ',', lastPoint):
		return []string{strings.ReplaceAll(s, ",", "")}
	case point > 0 && comma == 1 && lastComma > lastPoint && grouped(s, '.', lastComma):
		return []string{strings.Replace(strings.ReplaceAll(s, ".", ""), ",", ".", 1)}
	case point > 1 && comma == 0 && grouped(s, '.', -1):
		return []string{strings.ReplaceAll(s, ".", "")}
	case comma == 1 && point == 0:
		return []string{strings.Replace(s, ",", ".", 1)}
	case comma > 0:
		return strings.Split(s, ",")
	}
	return []string{s}
}

// grouped reports whether sep splits s, up to the decimal mark at end (none if before the
// last sep), into one to three digits, not from 0, and groups of exactly three; with commas the groups before
// the last may be of two (4,29,32,000).
func grouped(s string, sep byte, end int) bool {
	if end > strings.LastIndexByte(s, sep) {
		s = s[:end]
	}
	head, rest, _ := strings.Cut(s, string(sep))
	if len(head) > 3 || digitRun(head) != len(head) || strings.HasPrefix(head, "0") { // "0,003" is a fraction
		return false
	}
	groups := strings.Split(rest, string(sep))
	for i, group := range groups {
		size := 3
		if sep == ',' && len(head) < 3 && len(groups[0]) == 2 && i < len(groups)-1 {
			size = 2
		}
		if len(group) != size || digitRun(group) != size {
			return false
		}
	}
	return true
}
