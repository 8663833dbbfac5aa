package claims

import (
	"regexp"
	"slices"
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

var (
	// segment matches what parts the words about one from those about another.
	segment = regexp.MustCompile(`[,;:] |[|–—]|[.?!] |\b(?:and|but|while|whereas|und|aber|wahrend|et|mais|y|pero)\b`)
	// relation matches a word before and behind which other parts stand.
	relation = regexp.MustCompile(`\b(?:to|than|by|over|from|als|durch|von|par|que|por)\b`)
)

// mixes reports whether a claim says of one what the words it cites say of another: two stand the other way round, or two
// parts are exchanged.
func (c *Claim) mixes() bool {
	var parts [][]string
	for _, e := range c.own {
		if e.whole || len(e.rows) > 0 {
			return false
		}
		quote := rank.Fold(e.place.Quote)
		if turnsRound(quote, c.folded) {
			return true
		}
		parts = append(parts, segments(segment, quote)...)
	}
	astride := map[[2]int]bool{} // a part of the claim has terms of two of theirs
	for _, mine := range segments(segment, c.folded) {
		pairs := map[[2]int]bool{}
		for i, t := range mine {
			for _, o := range mine[i+1:] {
				if a, b := owner(parts, t), owner(parts, o); a >= 0 && b >= 0 && a != b {
					pairs[[2]int{min(a, b), max(a, b)}] = true
				}
			}
		}
		for p := range pairs {
			if astride[p] {
				return true
			}
			astride[p] = true
		}
	}
	return false
}

// owner is the only part that has a term, -1 for none.
func owner(parts [][]string, t string) int {
	at := -1
	for i, part := range parts {
		if slices.ContainsFunc(part, func(s string) bool { return s == t || akin(s, t) }) {
			if at >= 0 {
				return -1
			}
			at = i
		}
	}
	return at
}

// segments are the terms of a folded text's parts, without numbers.
func segments(parted *regexp.Regexp, folded string) (all [][]string) {
	for _, part := range parted.Split(folded, -1) {
		terms := slices.DeleteFunc(rank.Terms(part), func(t string) bool { return strings.ContainsAny(t, "0123456789") })
		if len(terms) > 0 {
			all = append(all, terms)
		}
	}
	return all
}

// turnsRound reports whether two stand the other way round in a claim than in a quote: "from B to A", "B grew faster than A".
func turnsRound(quote, claim string) bool {
	around := func(text string, at []int) (before, behind map[string]bool) {
		parts := segment.Split(text[:at[0]], -1)
		return reading.TermSet(parts[len(parts)-1]), reading.TermSet(segment.Split(text[at[1]:], 2)[0])
	}
	for _, q := range relation.FindAllStringIndex(quote, -1) {
		before, behind := around(quote, q)
		for _, c := range relation.FindAllStringIndex(claim, -1) {
			if quote[q[0]:q[1]] != claim[c[0]:c[1]] {
				continue
			}
			mine, other := around(claim, c)
			if slices.ContainsFunc(without(before, behind), func(t string) bool { return other[t] && !mine[t] }) &&
				slices.ContainsFunc(without(behind, before), func(t string) bool { return mine[t] && !other[t] }) {
				return true
			}
		}
	}
	return false
}

// opposites are kinds of words each that exclude each other.
var opposites = [][]*regexp.Regexp{
	kinds(`mandatory|compulsory|obligatory|required|verpflichtend|vorgeschrieben|obligatoires?|obligatori[oa]s?`, `optional|voluntary|freiwillig|facultati\w+|opcional\w*`),
	kinds(`gains?|profits?|surplus|gewinn\w*|uberschuss\w*|benefices?|excedent\w*|ganancias?`, `loss(?:es)?|deficits?|verlust\w*|fehlbetr\w+|pertes?|perdidas?`),
	kinds(`approv\w+|adopt(?:s|ed)|accept(?:s|ed)|passed|genehmigt|angenommen|gebilligt|approuve\w*|adopte\w*|aprobad\w+`, `reject\w+|turned down|abgelehnt|rejete\w*|rechazad\w+`),
	kinds(`open(?:s|ed|ing)?|add(?:s|ed|ing)?|eroffne\w+|ouvert\w*|ouvr\w+|abiert\w+`, `clos(?:e|es|ed|ing|ures?)|shut\w*|schliess\w+|geschlossen|ferm(?:e|es|ee|ees|er|eture)|cerrad\w+`),
	kinds(`largest|biggest|highest|warmest|grosst\w+|hochst\w+|plus grand\w*`, `smallest|lowest|coldest|kleinst\w+|niedrigst\w+|plus petit\w*`),
	kinds(`outperform\w*|surpass\w*|exceed\w*|beats?|ubertr[ai]ff?\w*`, `underperform\w*|trail(?:s|ed)|fall(?:s|en)? short|fell short|unterschr[ei]\w+`),
	kinds(`unanimous\w*|einstimmig\w*|unanim\w+`, `voted against|dissent\w*|\d+ (?:votes? )?(?:to|against|gegen|contre) \d+|gegenstimmen?`),
	kinds(`(?:a )?maximum|at most|no more than|hochstens|maximal|au plus|como maximo`, `(?:a )?minimum|at least|mindestens|au moins|al menos`),
	kinds(`high`, `low`), kinds(`domestic`, `international|foreign`), kinds(`fixed`, `variable|floating`), kinds(`temporar\w+|befristet\w*`, `permanent\w*|unbefristet\w*`),
	kinds(`ceo|chief executive(?: officer)?`, `cfo|chief financial officer`, `coo|chief operating officer`, `cto|chief technology officer`, `chair(?:man|woman|person)?`),
	kinds(`mondays?|montags?|lundis?|lunes`, `tuesdays?|dienstags?|mardis?|martes`, `wednesdays?|mittwochs?|mercredis?|miercoles`, `thursdays?|donnerstags?|jeudis?|jueves`, `fridays?|freitags?|vendredis?|viernes`, `saturdays?|samstags?|samedis?|sabados?`, `sundays?|sonntags?|dimanches?|domingos?`),
	kinds(`first|erste\w*`, `second|zweite\w*`, `third|dritte\w*`, `fourth|vierte\w*`),
	kinds(`all|every|everyone|everybody|each|alle|jede[rsn]?|tous|toutes|chaque|todos|todas|cada`, `nobody|no one|none|neither|some|niemand|keine[rsn]?|manche|einige|personne|certains|nadie|algunos`),
	kinds(`before|prior to|vor|avant|antes`, `after|following|nach|apres|despues`),
	kinds(`doubl(?:e|ed|es)|verdoppel\w+|double\w*`, `halved?|halbier\w+`),
}

func kinds(words ...string) (all []*regexp.Regexp) {
	for _, w := range words {
		all = append(all, regexp.MustCompile(`\b(?:`+w+`)\b`))
	}
	return all
}

// opposite is the kind of words in which two folded texts exclude each other, nil for none.
func opposite(a, b string) *regexp.Regexp {
	for _, group := range opposites {
		for _, mine := range group {
			if mine.MatchString(a) && !mine.MatchString(b) && slices.ContainsFunc(group, func(theirs *regexp.Regexp) bool {
				return theirs != mine && theirs.MatchString(b) && !theirs.MatchString(a)
			}) {
				return mine
			}
		}
	}
	return nil
}

// lossWord matches what makes less of a loss more.
var lossWord = regexp.MustCompile(`\b(?:loss\w*|lost|deficit|negative|minus|verlust\w*|fehlbetrag|negativ\w*|pertes?|perdu|perdidas?)\b|[-−(][$€£]?\d`)
