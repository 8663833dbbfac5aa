package reading

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/rank"
)

// Capitalised reports whether a word begins with a capital or is in a script without them.
func Capitalised(word string) bool {
	c, _ := utf8.DecodeRuneInString(word)
	return unicode.IsUpper(c) || unicode.Is(unicode.Lo, c)
}

var (
	articles = WordSet(`the a an our my der die das den ein eine einen einem einer le la les un une el los las una`)
	joining  = WordSet(`and or und oder et ou y o`)
)

// ThingsNamed returns the things a text names, as it writes them: two side by side, such as "the lathe" and "the
// press", else all names.
func ThingsNamed(text string) []string {
	words := strings.Fields(text)
	folded := make([]string, len(words))
	for i, w := range words {
		words[i] = strings.Trim(w, `.,;:!?¿¡"“”„«»()`)
		folded[i] = rank.Fold(words[i])
	}
	for i := range words {
		for n := 1; n <= 2; n++ { // words of each
			if joining[folded[i]] && i > n && i+1+n < len(words) && articles[folded[i-n-1]] && articles[folded[i+1]] {
				return []string{strings.Join(words[i-n:i], " "), strings.Join(words[i+2:i+2+n], " ")}
			}
		}
	}
	var things []string
	for _, name := range rank.Names(text) {
		n := len(strings.Fields(name))
		for i := range len(words) - n + 1 {
			if thing := strings.Join(words[i:i+n], " "); rank.Fold(thing) == name && !slices.Contains(things, thing) {
				things = append(things, thing)
				break
			}
		}
	}
	return things
}
