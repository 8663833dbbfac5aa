package reading

import (
	"strings"

	"threadkeeper/memory/rank"
)

// jest matches, in a folded clause, that what was said is not meant; English, German, French, Spanish, Italian.
var jest = NewPattern(`\b(kidding|jk|joking|joke|spass|scherz|witz|plaisante|rigole|blague|broma|scherzo|scherzavo)\b|/s$`)

// clauseWords is how long a clause that takes something back is at most: a longer one tells of a joke.
const clauseWords = 5

// Jest reports whether a message takes back what is said in it as not meant: "just kidding".
func Jest(text string) bool {
	for clause := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune(",;.:!?()\n", r) }) {
		if len(strings.Fields(clause)) <= clauseWords && jest.MatchString(strings.TrimSpace(rank.Fold(clause))) && !Denies(clause) {
			return true
		}
	}
	return false
}

// laughter matches a folded message that only laughs.
var laughter = NewPattern(`^((lo+l|lmao|rofl|(ha|he|ja|je){2,}h?|xd+|mdr|ptdr|[😂🤣😆😜]+)[.! ]*)+$`)

// TakesBack reports whether a message speaks only of what its author said before, as not meant, and whether by a laugh, which
// is about the line before it.
func TakesBack(text string) (joking, laughing bool) {
	laughing = laughter.MatchString(strings.TrimSpace(rank.Fold(text)))
	return laughing || len(strings.Fields(text)) <= clauseWords && Jest(text), laughing
}
