package reading

import "strings"

// Cue matches any of the alternatives as whole words of folded text, or packed ones, of scripts without spaces, anywhere.
func Cue(spaced, packed string) *Pattern {
	return NewPattern(`(?:^|[^\pL\pN])(?:` + spaced + `)(?:$|[^\pL\pN])|` + packed)
}

// WordSet returns the set of the words of a list, separated by white space.
func WordSet(list string) map[string]bool {
	set := make(map[string]bool, strings.Count(list, " ")+1)
	for w := range strings.FieldsSeq(list) {
		set[w] = true
	}
	return set
}
