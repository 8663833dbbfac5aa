package reading

import "strings"

var (
	nameWord = Lazy(`[\pL\pM\pN_]*[\pL\pN][\pL\pM\pN_]*(?:[.-][\pL\pM\pN_]+)*`)
	emphatic = Lazy(`(?:^|[.-])_|_(?:[_.-]|$)`)
)

// Literal is a name without backticks as Markdown: words whose underscores would be emphasis, as those of __init__.py, are code.
func Literal(name string) string {
	if !strings.Contains(name, "_") {
		return name
	}
	return nameWord.ReplaceAllStringFunc(name, func(word string) string {
		if emphatic.MatchString(word) {
			return "`" + word + "`"
		}
		return word
	})
}
