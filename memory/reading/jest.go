package reading

import (
	"strings"

	"threadkeeper/memory/rank"
)

// Words of a clause that takes back what was said; English, German, French, Spanish, Italian. One word for a joke stands alone, or
// beside a word for "I", "only" or "was" and others that add nothing: "fun", "a joke" and "are you kidding" are about something else.
var (
	jesting = WordSet(`kidding jk joking joke spass scherz witz plaisante plaisantais rigole blague broma scherzo scherzavo scherzando`)
	owning  = WordSet(`i m we just only nur bloss je juste solo soltanto was war etait era estaba sto`)
	filling = WordSet(`a am it that s all of course ha haha lol sorry ok and totally das ist ein kleiner ich mache mach doch c est ce une pour es una un en per sono uno`)
)

// Jest reports whether a message takes back what is said in it as not meant: "just kidding", "/s". A question does not.
func Jest(text string) bool {
	if fields := strings.Fields(text); len(fields) > 0 && fields[len(fields)-1] == "/s" {
		return true
	}
	for len(text) > 0 {
		end := strings.IndexAny(text, ",;.:!?()\n")
		if end < 0 {
			end = len(text)
		}
		if !strings.HasPrefix(text[end:], "?") && takesBack(rank.Words(text[:end])) {
			return true
		}
		text = text[min(end+1, len(text)):]
	}
	return false
}

func takesBack(clause []string) bool {
	joke, own := false, len(clause) == 1
	for _, w := range clause {
		joke, own = joke || jesting[w], own || owning[w]
		if !jesting[w] && !owning[w] && !filling[w] {
			return false
		}
	}
	return joke && own
}

// takenBack is how many words a message has at most that speaks only of what was said before.
const takenBack = 5

// laughter matches a folded message that only laughs.
var laughter = NewPattern(`^((lo+l|lmao|rofl|(ha|he|ja|je){2,}h?|xd+|mdr|ptdr|[😂🤣😆😜]+)[.! ]*)+$`)

// TakesBack reports whether a message speaks only of what its author said before, as not meant, and whether by a laugh, which
// is about the line before it.
func TakesBack(text string) (joking, laughing bool) {
	laughing = laughter.MatchString(strings.TrimSpace(rank.Fold(text)))
	return laughing || len(strings.Fields(text)) <= takenBack && Jest(text), laughing
}
