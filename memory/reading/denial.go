package reading

import (
	"slices"
	"strings"
	"unicode"

	"threadkeeper/memory/rank"
)

// Words that turn a statement into another: negations and directions. The patterns see folded text.
var (
	idiom    = Lazy(`\bnot (?:\pL+ ){1,4}until\b|\b(?:no|not) (?:later|more|less|fewer|earlier|longer|sooner|greater|lower|higher) than\b|\bnot only\b|\b(?:as|or|than) not\b|\bno\. ?\d|\bnicht nur\b|\bnicht (?:spater|mehr|weniger|langer|fruher) als\b|\bpas plus (?:de|tard)\b|\bne .{0,20} que\b|\bno (?:solo|mas de|mas tarde)\b|\bpas moins\b|\bwithout limitation\b|\bnot (?:to )?exceed\w*|\bnon-\w+`)
	forbids  = Lazy(`\b(?:prohibit\w*|forbid\w*|excluded?|excludes|excluding|exclusion|waived?|refus\w*|fail(?:s|ed|ure)?|miss(?:es|ed)?|den(?:y|ies|ied)|declin\w* to|absent|unable|unpermitted|disallow\w*|bann?(?:s|ed)?|verbot\w*|untersag\w*|ausgeschlossen|ausschluss|entfall\w*|verweiger\w*|unzulassig|verfehl\w*|interdi\w*|exclu\w*|refus\w*|prohib\w*|excluy\w*|exclui\w*|ausser|except)\b|禁止|除く|除き|ことはでき|不得|禁止`)
	upward   = Lazy(`\b(?:more likely|(?:is|are|was|were) up|rais(?:e|es|ed|ing)|rose|rises?|risen|rising|increas\w*|grew|grow(?:s|n|th|ing)?|gained?|higher|climb\w*|jump\w*|surg\w*|soar\w*|improv\w*|widen\w*|up (?:from|by|\d)|stieg(?:en)?|gestiegen|steig\w*|erhoht\w*|zunahme|zugenommen|wuchs\w*|augment\w*|hausse|progresse\w*|aument\w*|subio|crecio|crec\w*|incremen\w*)\b|増加|上昇|増え|增长|上升`)
	downward = Lazy(`\b(?:less likely|(?:is|are|was|were) down|down from|fewer than|less than|weniger als|moins que|menos que|fell|falls?|fallen|falling|decreas\w*|declin\w*|drop(?:s|ped)?|lower(?:s|ed|ing)?|shr[aiu]nk\w*|slip\w*|slid\w*|dipp?(?:s|ed)|plung\w*|slump\w*|narrow\w*|weaken\w*|worsen\w*|halv(?:e|es|ed)|reduc\w*|down (?:from|by|\d)|sank(?:en)?|gesunken|sink\w*|ruckgang|zuruck\w*|verringer\w*|fiel(?:en)?|gefallen|baiss\w*|recul\w*|diminu\w*|disminu\w*|cayo|baj[oó]|descen\w*|reduj\w*)\b|減少|低下|下落|減り|下降`)
)

// Moves reports whether a folded text says that something rises, and that something falls.
func Moves(folded string) (up, down bool) {
	return upward.MatchString(folded), downward.MatchString(folded)
}

// Negated reports whether a text denies, or forbids: two such words cancel out.
func Negated(text string) bool { return Denied(text).Words%2 == 1 }

// Denial is what a text denies or forbids.
type Denial struct {
	Words   int        // that deny or forbid; "not prohibited" is none
	Forbids bool       // by verbs only ("excludes", "failed")
	Phrases [][]string // stems of the words each of them may deny: "no bank debt" is bank and debt, "not yet been paid" paid
}

// Denied reads what a text denies: the noun behind "no", the verb behind "not", the word before or behind "nicht", "pas" and
// a verb that forbids. In a script without spaces the words are only counted.
func Denied(text string) Denial {
	folded := idiom.ReplaceAllString(rank.Fold(text), " ")
	if Packed(text) {
		return Denial{Words: len(negation.FindAllString(folded, -1)) + len(forbids.FindAllString(folded, -1))}
	}
	words := strings.FieldsFunc(folded, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(`.,;:!?"“”„()[]`, r) })
	d := Denial{Forbids: true}
	last := -cancels // where a negation stands
	for i, w := range words {
		after, before := words[i+1:], words[max(0, i-reach):i]
		switch {
		case d.Words > 0 && lack.MatchString(w): // "not … without" is a condition
			if d.Words--; d.Words == 0 {
				d = Denial{Forbids: true}
			}
		case Denies(w) && noun.MatchString(w):
			d.Words, d.Forbids, last = d.Words+1, false, i
			d.add(after, longestPhrase)
		case Denies(w):
			d.Words, d.Forbids, last = d.Words+1, false, i
			if d.add(after, 1); around.MatchString(w) {
				d.add(reversed(before), 1)
			}
		case !forbids.MatchString(w):
		case i-last < cancels:
			if d.Words, last = d.Words-1, -cancels; d.Words == 0 {
				d = Denial{Forbids: true}
			}
		default:
			d.Words++
			d.add(after, 1)
			d.add(reversed(before), 1)
		}
	}
	return d
}

func reversed(words []string) []string {
	words = slices.Clone(words)
	slices.Reverse(words)
	return words
}

const (
	cancels       = 4 // words within which a verb that forbids and a negation before it cancel out
	reach         = 5 // words from a negation in which its phrase begins
	longestPhrase = 2 // words
)

// add appends the phrase that some words begin with, after words that say nothing and adverbs.
func (d *Denial) add(words []string, longest int) {
	var phrase []string
	for i, w := range words {
		stem := Stem(w)
		if len(phrase) == longest || len(phrase) == 0 && i >= reach || len(phrase) > 0 && stem == "" || Denies(w) {
			break
		}
		if stem != "" && !strings.HasSuffix(w, "ly") && !intends.MatchString(w) && !strings.ContainsAny(w, "0123456789") {
			phrase = append(phrase, stem)
		}
	}
	if len(phrase) > 0 {
		d.Phrases = append(d.Phrases, phrase)
	}
}

var (
	lack    = Lazy(`^(?:without|ohne|sans|sin|senza|sem|zonder)$`)
	noun    = Lazy(`^(?:no|none|without|neither|nor|kein\pL*|ohne|aucune?|sans|sin|ningun\pL*|senza|sem|zonder|geen|nessun\pL*)$`) // denies a noun
	around  = Lazy(`^(?:nicht|nie|niemals|pas|jamais)$`)                                                                           // stands behind what it denies, too
	intends = Lazy(`^(?:inten|plan|expect|beabsicht|geplant|pretend)`)
)

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
