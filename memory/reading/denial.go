package reading

import (
	"strings"
	"unicode"

	"threadkeeper/memory/rank"
)

// Words that turn a statement into another: negations and directions. The patterns see folded text.
var (
	idiom    = Lazy(`\bnot (?:\pL+ ){1,4}until\b|\b(?:no|not) (?:later|more|less|fewer|earlier|longer|sooner|greater|lower|higher) than\b|\bnot only\b|\b(?:as|or|than) not\b|\bno\. ?\d|\bnicht nur\b|\bnicht (?:spater|mehr|weniger|langer|fruher) als\b|\bpas plus (?:de|tard)\b|\bne .{0,20} que\b|\bno (?:solo|mas de|mas tarde)\b|\bpas moins\b|\bwithout limitation\b|\bnot (?:to )?exceed\w*|\bnon-\w+`)
	forbids  = Lazy(`\b(?:prohibit\w*|forbid\w*|excluded?|excludes|exclusion|waived?|refus\w*|fail(?:s|ed|ure)?|miss(?:es|ed)?|den(?:y|ies|ied)|declin\w* to|absent|unable|unpermitted|disallow\w*|bann?(?:s|ed)?|verbot\w*|untersag\w*|ausgeschlossen|ausschluss|entfall\w*|verweiger\w*|unzulassig|verfehl\w*|interdi\w*|exclu\w*|refus\w*|prohib\w*|excluy\w*|exclui\w*)\b|禁止|除く|除き|ことはでき|不得|禁止`)
	upward   = Lazy(`\b(?:more likely|(?:is|are|was|were) up|rais(?:e|es|ed|ing)|rose|rises?|risen|rising|increas\w*|grew|grow(?:s|n|th|ing)?|gained?|higher|climb\w*|jump\w*|surg\w*|soar\w*|improv\w*|widen\w*|up (?:from|by|\d)|stieg(?:en)?|gestiegen|steig\w*|erhoht\w*|zunahme|zugenommen|wuchs\w*|augment\w*|hausse|progresse\w*|aument\w*|subio|crecio|crec\w*|incremen\w*)\b|増加|上昇|増え|增长|上升`)
	downward = Lazy(`\b(?:less likely|(?:is|are|was|were) down|down from|fewer than|less than|weniger als|moins que|menos que|fell|falls?|fallen|falling|decreas\w*|declin\w*|drop(?:s|ped)?|lower(?:s|ed|ing)?|shr[aiu]nk\w*|slip\w*|slid\w*|dipp?(?:s|ed)|plung\w*|slump\w*|narrow\w*|weaken\w*|worsen\w*|halv(?:e|es|ed)|reduc\w*|down (?:from|by|\d)|sank(?:en)?|gesunken|sink\w*|ruckgang|zuruck\w*|verringer\w*|fiel(?:en)?|gefallen|baiss\w*|recul\w*|diminu\w*|disminu\w*|cayo|baj[oó]|descen\w*|reduj\w*)\b|減少|低下|下落|減り|下降`)
)

// Moves reports whether a folded text says that something rises, and that something falls.
func Moves(folded string) (up, down bool) {
	return upward.MatchString(folded), downward.MatchString(folded)
}

// Negated reports whether a text denies, or forbids: two such words cancel out.
func Negated(text string) bool {
	folded := idiom.ReplaceAllString(rank.Fold(text), " ")
	if Packed(text) {
		return (len(negation.FindAllString(folded, -1))+len(forbids.FindAllString(folded, -1)))%2 == 1
	}
	words := strings.FieldsFunc(folded, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`.,;:!?"“”„()[]`, r) })
	n, last := 0, -cancels // negations, and where the last one stands
	for i, w := range words {
		switch {
		case n > 0 && lack.MatchString(w): // "not … without" is a condition
			n--
		case Denies(w):
			n, last = n+1, i
		case !forbids.MatchString(w):
		case i-last < cancels: // "not prohibited"
			n, last = n-1, -cancels
		default:
			n++
		}
	}
	return n%2 == 1
}

// cancels is within how many words a verb that forbids and a negation before it cancel out.
const cancels = 4

var lack = Lazy(`^(?:without|ohne|sans|sin|senza|sem|zonder)$`)

// Packed reports whether a text is in a script without spaces.
func Packed(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
	})
}

// Stem returns the search term of a word, "" if it has none.
func Stem(word string) string {
	if terms := rank.Terms(word); len(terms) > 0 {
		return terms[0]
	}
	return ""
}
