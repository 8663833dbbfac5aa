package reading

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/rank"
)

// trimVerb drops a word after a thing's name that is a verb or preposition rather than part of it.
func trimVerb(thing string) string {
	head, tail, ok := strings.Cut(thing, " ")
	if ok && rank.Stop(rank.Fold(tail)) {
		return head
	}
	return thing
}

// AsWritten finds a folded name in a text and returns it in the text's own letters.
func AsWritten(text, name string) string {
	re, err := regexp.Compile(`(?i)` + strings.ReplaceAll(regexp.QuoteMeta(name), " ", `\s+(?:&\s+)?`))
	if err != nil {
		return ""
	}
	return re.FindString(text)
}

// Capitalised reports whether a word begins with a capital or is in a script without them.
func Capitalised(word string) bool {
	c, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(c) || unicode.Is(unicode.Lo, c)
}

// pair matches two things named side by side: "a staging server and a production server".
var pair = regexp.MustCompile(`(?i)(?:^|[^\pL])(?:the|a|an|our|my|der|die|das|ein|eine|le|la|les|un|une|el|los|las|una)\s+([\pL\pN-]+(?:\s[\pL\pN-]+)?)\s+(?:and|or|und|oder|et|ou|y|o)\s+(?:the|a|an|our|my|der|die|das|ein|eine|le|la|les|un|une|el|los|las|una)\s+([\pL\pN-]+(?:\s[\pL\pN-]+)?)`)

// ThingsNamed are the things a text speaks of by name, as it writes them.
func ThingsNamed(text string) []string {
	var things []string
	add := func(thing string) {
		if !slices.ContainsFunc(things, func(t string) bool { return rank.Fold(t) == rank.Fold(thing) }) {
			things = append(things, thing)
		}
	}
	for _, m := range pair.FindAllStringSubmatch(text, 3) {
		add(trimVerb(m[1]))
		add(trimVerb(m[2]))
	}
	if len(things) > 0 {
		return things
	}
	for _, name := range rank.Names(text) {
		if original := AsWritten(text, name); original != "" {
			add(original)
		}
	}
	return things
}
