package reading

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"threadkeeper/memory/rank"
)

// Words that turn a statement into another: negations and directions. The patterns see folded text.
var (
	idiom    = regexp.MustCompile(`\b(?:no|not) (?:later|more|less|fewer|earlier|longer|sooner|greater|lower|higher) than\b|\bnot only\b|\bno\. ?\d|\bnicht nur\b|\bnicht (?:spater|mehr|weniger|langer|fruher) als\b|\bpas plus (?:de|tard)\b|\bne .{0,20} que\b|\bno (?:solo|mas de|mas tarde)\b|\bpas moins\b|\bwithout limitation\b|\bnon-\w+`)
	forbids  = regexp.MustCompile(`\b(?:prohibit\w*|forbid\w*|excluded?|excludes|excluding|exclusion|waived?|refus\w*|fail(?:s|ed|ure)?|miss(?:es|ed)?|den(?:y|ies|ied)|declin\w* to|lack(?:s|ed|ing)?|absent|unable|unpermitted|disallow\w*|bann?(?:s|ed)?|verbot\w*|untersag\w*|ausgeschlossen|ausschluss|entfall\w*|verweiger\w*|unzulassig|verfehl\w*|interdi\w*|exclu\w*|refus\w*|prohib\w*|excluy\w*|exclui\w*|ausser|except|unless)\b|禁止|除く|除き|ことはでき|不得|禁止`)
	upward   = regexp.MustCompile(`\b(?:rais(?:e|es|ed|ing)|rose|rises?|risen|rising|increas\w*|grew|grow(?:s|n|th|ing)?|gained?|higher|climb\w*|improv\w*|up (?:from|by|\d)|stieg(?:en)?|gestiegen|steig\w*|erhoht\w*|zunahme|zugenommen|wuchs\w*|augment\w*|hausse|progresse\w*|aument\w*|subio|crecio|crec\w*|incremen\w*)\b|増加|上昇|増え|增长|上升`)
	downward = regexp.MustCompile(`\b(?:fell|falls?|fallen|falling|decreas\w*|declin\w*|drop(?:s|ped)?|lower(?:s|ed|ing)?|shr[aiu]nk\w*|reduc\w*|down (?:from|by|\d)|sank(?:en)?|gesunken|sink\w*|ruckgang|zuruck\w*|verringer\w*|fiel(?:en)?|gefallen|baiss\w*|recul\w*|diminu\w*|disminu\w*|cayo|baj[oó]|descen\w*|reduj\w*)\b|減少|低下|下落|減り|下降`)
	lack     = regexp.MustCompile(`^(?:without|ohne|sans|sin|senza|sem|zonder|more|less|later|earlier|only)$`)
	lackWord = regexp.MustCompile(`\b(?:without|ohne|sans|sin|senza|sem|zonder)\b`)
	intends  = regexp.MustCompile(`^(?:inten|plan|expect|beabsicht|geplant|pretend)`)
)

// Moves reports whether a folded text says that something rises, and that something falls.
func Moves(folded string) (up, down bool) {
	return upward.MatchString(folded), downward.MatchString(folded)
}

// Lacks reports whether a folded text says "without".
func Lacks(folded string) bool { return lackWord.MatchString(folded) }

// Negated reports whether a text denies, or forbids: two such words cancel out.
func Negated(text string) bool { return Negations(text, false)%2 == 1 }

// Negations returns how many words of a text deny or forbid. "Without" counts after another negation, as in "prohibited without
// consent", or if lacks.
func Negations(text string, lacks bool) (n int) {
	folded := idiom.ReplaceAllString(rank.Fold(text), " ")
	if Packed(text) {
		return Denials(folded) + len(forbids.FindAllString(folded, -1))
	}
	for w := range strings.FieldsSeq(folded) {
		w = strings.Trim(w, `.,;:!?"()`)
		if (Denies(w) || forbids.MatchString(w)) && (lacks || n > 0 || !lack.MatchString(w)) {
			n++
		}
	}
	return n
}

// NegatedTerms returns the words that a text denies: the first after each negation, in German also the one before, and those
// before a word that forbids.
func NegatedTerms(text string) (terms []string) {
	words := rank.Words(idiom.ReplaceAllString(rank.Fold(text), " "))
	add := func(list []string) {
		list = slices.DeleteFunc(slices.Clone(list), func(w string) bool { return Stem(w) == "" || rank.Stop(w) })
		if len(list) > 1 && intends.MatchString(list[0]) {
			list = list[1:]
		}
		if len(list) > 0 {
			terms = append(terms, Stem(list[0]))
		}
	}
	for i, w := range words {
		switch {
		case lack.MatchString(w):
		case forbids.MatchString(w):
			back := slices.Clone(words[max(0, i-4):i])
			slices.Reverse(back)
			add(back)
		case Denies(w):
			if add(words[i+1 : min(i+5, len(words))]); i > 0 && Language(text) == "de" {
				add(words[i-1 : i])
			}
		}
	}
	return terms
}

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
