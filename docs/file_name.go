package docs

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/rank"
)

const (
	maxName      = 200 // characters of a document's name
	maxExtension = 10
)

// cleanName makes a file's name safe to show and store: its last path part, one line of visible
// characters, none of them markup or the beginning of a mention, at most 200 with the extension
// kept. Underscores stay; see reading.Literal.
func cleanName(name string) string {
	name = strings.TrimLeft(name[strings.LastIndexAny(name, `/\`)+1:], "*|~@")
	name = strings.Map(func(r rune) rune {
		switch r {
		case '[', '<', '{':
			return '('
		case ']', '>', '}':
			return ')'
		case '`', '"':
			return '\''
		case '*', '|', '~', '@':
			return '-'
		}
		if unicode.IsSpace(r) {
			return ' '
		}
		return r
	}, clean(name))
	name = strings.TrimRight(strings.Join(strings.Fields(name), " "), "#-= ")
	bare := strings.TrimLeft(name, "#-= ")
	name = name[len(strings.TrimRight(strings.TrimSuffix(name, bare), "-")):] // dashes directly before a word begin no list
	if name == "" || strings.Trim(name, ".") == "" {
		return "file"
	}
	stem, ext := splitExtension(name)
	if over := utf8.RuneCountInString(name) - maxName; over > 0 {
		runes := []rune(stem)
		name = string(runes[:len(runes)-over]) + ext
	}
	return name
}

// splitExtension cuts name before its extension, which is "" if it has none.
func splitExtension(name string) (stem, ext string) {
	dot := strings.LastIndexByte(name, '.')
	if dot <= 0 || len(name)-dot > maxExtension {
		return name, ""
	}
	return name[:dot], name[dot:]
}

// nameTerms is what a document is found by: the terms of its name, words that only a capital
// separates (AnnualReport) among them.
func nameTerms(name string) string {
	var b strings.Builder
	var last rune
	stem, _ := splitExtension(name)
	for _, r := range stem {
		if unicode.IsUpper(r) && unicode.IsLower(last) {
			b.WriteByte(' ')
		}
		b.WriteRune(r)
		last = r
	}
	return strings.Join(rank.Terms(b.String()), " ")
}
