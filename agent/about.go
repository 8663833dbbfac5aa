package agent

import (
	"slices"
	"strings"

	"threadkeeper/memory/rank"
)

// about is what a question is about, to tell a line that answers it from one that speaks of
// something similar.
type about struct {
	terms   []string   // content terms
	anchors [][]string // terms of each phrase behind a preposition: "of the boathouse"
	kind    string     // what is asked for, as "city" in "which city"; it need not be in the answer
	alike   bool       // words of the same meaning count
}

// linking are folded prepositions that tie a thing to what it belongs to.
var linking = wordSet(`of for in at on from inside behind under near de du des del della dello dei delle di da do dos das au aux pour dans chez
	para en por fur vom von im am beim zum zur der per nel nella al alla voor van`)

// whichWords ask for something of the kind that follows.
var whichWords = wordSet(`what which welche welcher welches welchen welchem quel quelle quels quelles que cual cuales quale quali che qual quais welke какой какая какие`)

// faint are terms that say nothing beside others: words of one language that mean something in
// another, and those that only ask.
var faint = termSet(`la die war hat hast habt tiene tienen tenemos lo ha a welchen welchem remind repeat recall erinnere mich rappelle rappelez recuerda recuerdame recordar ricorda ricordami tell set use used`)

// measures are terms that ask for a number or a date, which its line need not name.
var measures = termSet(`date day time hour number amount datum tag uhrzeit zeit nummer zahl betrag heure jour numero nombre montant fecha hora dia importe cantidad data ora giorno importo`)

// newAbout reads a question. terms are its content terms.
func newAbout(question string, terms []string) about {
	if clear := slices.DeleteFunc(slices.Clone(terms), func(t string) bool { return faint[t] }); len(clear) > 0 {
		terms = clear
	}
	a := about{terms: terms}
	var phrase []string
	inside := false
	end := func() {
		if len(phrase) > 0 {
			a.anchors = append(a.anchors, phrase)
		}
		phrase, inside = nil, false
	}
	words := rank.Words(question)
	for i, w := range words {
		t := rank.Terms(w)
		switch {
		case linking[w]:
			end()
			inside = true
		case len(t) == 1 && slices.Contains(terms, t[0]):
			if i > 0 && whichWords[words[i-1]] && a.kind == "" {
				a.kind = t[0]
			} else if inside {
				phrase = append(phrase, t[0])
			}
		case len(phrase) > 0:
			end()
		}
	}
	end()
	a.anchors = append(a.anchors, packedHeads(question)...)
	return a
}

// packedHeads are the first pairs of the words of a script without spaces: what a thing
// belongs to stands first in them.
func packedHeads(text string) [][]string {
	var heads [][]string
	for _, run := range packedRuns(text) {
		if pairs := rank.Words(run); len(pairs) > 0 && len(pairs[0]) > 3 {
			heads = append(heads, pairs[:1])
		}
	}
	return heads
}

// in reports whether a set of terms holds t or, if those count, a word of the same meaning.
func (a about) in(t string, have map[string]bool) bool {
	return have[t] || have[anyNumber] && measures[t] || a.alike && slices.ContainsFunc(synonyms(t), func(o string) bool { return have[o] })
}

// cover is the share of the question's terms that a text holds, 0 to 1.
func (a about) cover(text string) float64 {
	if len(a.terms) == 0 {
		return 0
	}
	have, n := termSet(text), 0
	for _, t := range a.terms {
		if a.in(t, have) {
			n++
		}
	}
	return float64(n) / float64(len(a.terms))
}

// anchored reports whether a text holds of each anchor a word.
func (a about) anchored(text string) bool {
	have := termSet(text)
	return !slices.ContainsFunc(a.anchors, func(phrase []string) bool {
		return !slices.ContainsFunc(phrase, func(t string) bool { return a.in(t, have) })
	})
}

// elsewhere reports whether a line states something of another subject: the question has words
// that the line lacks, and the line's subject has words that the question lacks.
func (a about) elsewhere(text string) bool {
	best, most := "", -1.0
	for _, s := range sentencesOf(text) {
		if c := a.cover(s); c > most {
			best, most = s, c
		}
	}
	have := termSet(text)
	if a.alike {
		have = termSet(strings.Join(subject(best), " ")) // a word alike in what is stated proves nothing
	}
	if !slices.ContainsFunc(a.terms, func(t string) bool { return t != a.kind && !a.in(t, have) }) {
		return false
	}
	asked := map[string]bool{}
	for _, t := range a.terms {
		asked[t] = true
	}
	return slices.ContainsFunc(subject(best), func(t string) bool { return !a.in(t, asked) })
}

// copulas stand between a subject and what is stated of it; folded.
var copulas = wordSet(`is are was were lautet heisst ist sind war waren est sont etait appelle es son era fue sono lies stands hangs liegt steht hangt costs kostet`)

// subjectWords is how far into a sentence its subject may end.
const subjectWords = 12

// subject are the content terms before a sentence's copula; none if it has no such form.
func subject(sentence string) []string {
	words := rank.Words(strings.ReplaceAll(sentence, " è ", " sono "))
	for i, w := range words[:min(len(words), subjectWords)] {
		if copulas[w] && i > 0 {
			terms := content(strings.Join(words[:i], " "))
			return slices.DeleteFunc(terms, func(t string) bool { return correcting[t] || faint[t] })
		}
	}
	return nil
}

// correcting are terms of a subject that do not tell one thing from another.
var correcting = termSet(`correction update new current latest actual real right korrektur neue neuer neues aktuelle correccion nuevo nueva correction nouveau nouvelle correzione nuovo nuova actually now sorry`)

// anyNumber stands in a term set for the numbers of a text.
const anyNumber = "#"

func termSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, t := range rank.Terms(text) {
		set[t] = true
	}
	if len(rank.Numbers(text)) > 0 {
		set[anyNumber] = true
	}
	return set
}

// apart reports whether two lines state something of different subjects.
func apart(a, b string) bool {
	one, other := subject(a), subject(b)
	lacks := func(x, y []string) bool {
		return slices.ContainsFunc(x, func(t string) bool { return !slices.Contains(y, t) })
	}
	return lacks(one, other) && lacks(other, one)
}
