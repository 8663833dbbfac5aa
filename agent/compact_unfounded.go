package agent

import (
	"slices"
	"sync"

	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// grounds are what the sentences of a narrative are compared with.
type grounds struct {
	said  []string        // the sentences of the lines
	terms map[string]bool // of all that the narrative may name; nil if the lines are not in its language
}

// groundsOf takes the lines a narrative was made from, and their [sourceOf].
func groundsOf(narrative, source string, slice *memory.Slice) grounds {
	g := grounds{terms: map[string]bool{}}
	for _, t := range rank.Terms(source) {
		g.terms[t] = true
	}
	language, spoken := reading.Language(narrative), map[string]int{}
	for _, l := range slice.Lines {
		g.said = append(g.said, reading.MessageSentences(memory.Elide(l.Said, lineTokens))...)
		spoken[reading.Language(l.Said)] += len(l.Said)
	}
	delete(spoken, "")
	others := 0
	for in, n := range spoken {
		if in != language {
			others += n
		}
	}
	if language == "" || 10*others > others+spoken[language] {
		g.terms = nil
	}
	return g
}

// everybody and nobody match folded words for all the people there, and none of them. English, German, French, Spanish.
var (
	everybody = reading.Lazy(`\b(?:everyone|everybody|(?:they|we|you) all|all of (?:them|us|you)|all agreed|alle|allen|jeder|tout le monde|tous|toutes|todos|todas)\b`)
	nobody    = reading.Lazy(`\b(?:nobody|no one|none of (?:them|us|you)|niemand|keiner|personne|nadie)\b`)
)

// each matches folded words for every one of some: what "everybody" may tell again.
var each = reading.Lazy(`\b(?:each|every|all|any|anyone|anybody|both|whole|jede\w*|alle\w*|beide\w*|chaque|chacune?|tout\w*|cada|tod[oa]s?|ambos)\b`)

// ofAll is what a text says of all the people there.
type ofAll struct{ everybody, nobody bool }

func ofAllIn(text string) ofAll {
	folded := rank.Fold(text)
	return ofAll{everybody.MatchString(folded), nobody.MatchString(folded)}
}

// saidIn reports whether what was said may be told again so: "not before 9, anyone" as "nobody before 9", but not one person's
// consent as everybody's.
func (a ofAll) saidIn(said string) bool {
	folded := rank.Fold(said)
	return (!a.everybody || everybody.MatchString(folded) || each.MatchString(folded)) && (!a.nobody || reading.Denies(said))
}

// reporting are the terms that a report adds to what was said.
var reporting = sync.OnceValue(func() []string {
	return rank.Terms(`said told asked answered replied spoke talked discussed mentioned wrote wanted agreed proposed suggested explained
	sagte fragte antwortete sprach besprach erwahnte schrieb wollte schlug erklarte dit demanda repondit parla discuta ecrivit voulait proposa expliqua
	dijo pregunto respondio hablo menciono escribio queria propuso explico`)
})

// holds reports whether a sentence may rest on the lines: at least half of its terms stand in them, and if it speaks of
// everybody, so does a sentence of theirs with two more of its terms. "Everybody was happy" is what a summary adds where one
// disagreed.
func (g grounds) holds(sentence string) bool {
	terms := slices.DeleteFunc(reading.ContentTerms(sentence), func(t string) bool { return slices.Contains(reporting(), t) })
	stated := 0
	for _, t := range terms {
		if g.terms[t] {
			stated++
		}
	}
	if g.terms != nil && 2*stated < len(terms) {
		return false
	}
	all := ofAllIn(sentence)
	return all == (ofAll{}) || slices.ContainsFunc(g.said, func(said string) bool {
		rest := reading.ContentTerms(nobody.ReplaceAllString(everybody.ReplaceAllString(rank.Fold(said), " "), " "))
		shared := slices.DeleteFunc(rest, func(t string) bool { return !slices.Contains(terms, t) })
		return all.saidIn(said) && len(shared) >= 2
	})
}
