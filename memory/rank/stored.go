package rank

import (
	"unicode"
	"unicode/utf8"
)

// Stored returns the terms under which an index stores s: [Terms], and after them, each once, the
// parts of words that only capitals divide (FooBarBaz has foo, bar and baz, HTTPServer has http
// and server) and the single Han characters of longer words, since people search for those too.
// A query does not have these: it means the whole word.
func Stored(s string) []string {
	terms := Terms(s)
	seen := map[string]bool{}
	add := func(part string) {
		if seen[part] {
			return
		}
		seen[part] = true
		terms = append(terms, Terms(part)...)
	}
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case unicode.Is(unicode.Han, r):
			next, _ := utf8.DecodeRuneInString(s[i+size:])
			last, _ := utf8.DecodeLastRuneInString(s[:i])
			if classOf(next) == packed || classOf(last) == packed {
				add(s[i : i+size])
			}
			i += size
		case unicode.IsUpper(r) || unicode.IsLower(r):
			n := casedLen(s[i:])
			for _, part := range humps(s[i : i+n]) {
				add(part)
			}
			i += n
		default:
			i += size
		}
	}
	return terms
}

// casedLen returns the length of the run of letters with upper and lower case that s begins with.
func casedLen(s string) int {
	for i, r := range s {
		if !unicode.IsUpper(r) && !unicode.IsLower(r) && !unicode.IsMark(r) {
			return i
		}
	}
	return len(s)
}

// leastPart is the letters of a part: the shorter, the more words share it.
const leastPart = 3

// humps cuts a run of letters before each capital that follows a small letter or begins a
// capitalised word. Short parts are left out, and an undivided word has none.
func humps(run string) []string {
	var parts []string
	start, before := 0, rune(0)
	cut := func(end int) {
		if utf8.RuneCountInString(run[start:end]) >= leastPart {
			parts = append(parts, run[start:end])
		}
		start = end
	}
	for i, r := range run {
		next, _ := utf8.DecodeRuneInString(run[i+utf8.RuneLen(r):])
		if i > start && unicode.IsUpper(r) && (unicode.IsLower(before) || unicode.IsUpper(before) && unicode.IsLower(next)) {
			cut(i)
		}
		before = r
	}
	if start == 0 {
		return nil
	}
	cut(len(run))
	return parts
}
