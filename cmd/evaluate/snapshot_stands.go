package main

import (
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// monthNames are the names of each month in English, German and Spanish, January first.
var monthNames = []string{"january|januar|enero|jan|ene", "february|februar|febrero|feb", "march|märz|marzo|mar", "april|abril|apr|abr", "mayo|may|mai",
	"june|juni|junio|jun", "july|juli|julio|jul", "august|agosto|aug|ago", "september|septiembre|sept|sep",
	"october|oktober|octubre|oct|okt", "november|noviembre|nov", "december|dezember|diciembre|dec|dez|dic"}

var (
	wantedDay = regexp.MustCompile(`^(\d{1,2})(?:st|nd|rd|th)?\.?\s+(?:of\s+|de\s+)?([a-zä]+)$`)
	grouping  = regexp.MustCompile(`(\d)[.,'’ ](\d{3})\b`)
	spaces    = regexp.MustCompile(`\s+`)
)

// asSought is a text as strings are looked for in it: folded, without the marks that group digits.
func asSought(s string) string {
	s = cases.Fold().String(norm.NFKC.String(s))
	s = strings.NewReplacer(" %", "%", "e-mail", "email").Replace(spaces.ReplaceAllString(s, " "))
	for {
		grouped := grouping.ReplaceAllString(s, "$1$2")
		if grouped == s {
			return s
		}
		s = grouped
	}
}

// stands reports whether what an answer must hold stands in a text: whole words, perhaps with an ending, whole
// numbers, and a day however it is written.
func stands(must, text string) bool {
	m, t := asSought(must), asSought(text)
	if d := wantedDay.FindStringSubmatch(m); d != nil {
		for i, names := range monthNames {
			if regexp.MustCompile(`^(?:` + names + `)$`).MatchString(d[2]) {
				return dayStands(d[1], i+1, names, t)
			}
		}
	}
	first, _ := utf8.DecodeRuneInString(m)
	last, _ := utf8.DecodeLastRuneInString(m)
	endings := 0
	switch {
	case !unicode.IsLetter(last):
	case utf8.RuneCountInString(m) >= 4 && strings.IndexFunc(must, unicode.IsUpper) != 0:
		endings = 3
	case utf8.RuneCountInString(m) >= 5:
		endings = 2
	}
	for from := 0; ; {
		i := strings.Index(t[from:], m)
		if i < 0 {
			return false
		}
		before, after := t[:from+i], t[from+i+len(m):]
		if bounded(first, before) && ends(last, after, endings) {
			return true
		}
		from += i + len(string(first))
	}
}

// bounded reports whether a word or number that begins with a rune may follow a text.
func bounded(first rune, before string) bool {
	r, size := utf8.DecodeLastRuneInString(before)
	if !unicode.IsDigit(first) {
		return !unicode.IsLetter(r)
	}
	inner, _ := utf8.DecodeLastRuneInString(before[:len(before)-size])
	return !unicode.IsDigit(r) && !(strings.ContainsRune(".,", r) && unicode.IsDigit(inner))
}

// ends reports whether a word or number that ends with a rune may be followed by a text; a word may have so many letters more.
func ends(last rune, after string, endings int) bool {
	switch {
	case unicode.IsDigit(last):
		return !regexp.MustCompile(`^(?:\d|[.,]\d)`).MatchString(after)
	case unicode.IsLetter(last):
		more := strings.IndexFunc(after, func(r rune) bool { return !unicode.IsLetter(r) })
		if more < 0 {
			more = len(after)
		}
		return utf8.RuneCountInString(after[:more]) <= endings
	}
	return true
}

// dayStands looks for a day of a month in a folded text: "3 may", "may 3", "3.5.", "2026-05-03".
func dayStands(day string, month int, names, text string) bool {
	day = strings.TrimLeft(day, "0")
	return regexp.MustCompile(fmt.Sprintf(`(?:^|\D)0?%s(?:st|nd|rd|th)?\.? (?:of |de )?(?:%s)(?:\PL|$)`+
		`|(?:^|\PL)(?:%s)\.? 0?%s(?:\D|$)|(?:^|\D)0?%s\.0?%d(?:\.|\D|$)|\d{4}-%02d-0?%s(?:\D|$)`,
		day, names, names, day, day, month, month, day)).MatchString(text)
}
