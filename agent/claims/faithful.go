package claims

import (
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Faithful reports whether a rewritten request keeps all numbers, names, quotations and
// negations of the original and adds only names and numbers that are known.
func Faithful(query, original, known string) bool {
	if query == "" || len(rank.Missing(original, query)) > 0 || len(rank.Missing(query, original+"\n"+known)) > 0 {
		return false
	}
	for _, q := range reading.Quotations(original) {
		if !strings.Contains(query, q) {
			return false
		}
	}
	return reading.Denies(original) == reading.Denies(query)
}
