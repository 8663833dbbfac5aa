package reading

import (
	"slices"
	"strings"

	"threadkeeper/memory/rank"
)

// About is what a question is about, to tell a line that answers it from one that speaks of
// something similar.
type About struct {
	Terms   []string   // content terms
	anchors [][]string // terms of each phrase behind a preposition: "of the boathouse"
	kind    string     // what is asked for, as "city" in "which city"; it need not be in the answer
	Alike   bool       // words of the same meaning count
}

// linking are folded prepositions that tie a thing to what it belongs to.
var linking = WordSet(`of for in at on from inside behind under near de du des del della dello dei delle di da do dos das au aux pour dans chez
	para en por fur vom von im am beim zum zur der per nel nella al alla voor van`)

// whichWords ask for something of the kind that follows.
var whichWords = WordSet(`what which welche welcher welches welchen welchem quel quelle quels quelles que cual cuales quale quali che qual quais welke какой какая какие`)

// faint are terms that say nothing beside others: words of one language that mean something in
// another, and those that only ask.
var faint = TermSet(`la die war hat hast habt tiene tienen tenemos lo ha a welchen welchem remind repeat recall erinnere mich rappelle rappelez recuerda recuerdame recordar ricorda ricordami tell set use used`)

// measures are terms that ask for a number or a date, which its line need not name.
var measures = TermSet(`date day time hour number amount datum tag uhrzeit zeit nummer zahl betrag heure jour numero nombre montant fecha hora dia importe cantidad data ora giorno importo`)

// NewAbout reads a question. terms are its content terms.
func NewAbout(question string, terms []string) About {
	if clear := slices.DeleteFunc(slices.Clone(terms), func(t string) bool { return faint[t] }); len(clear) > 0 {
		terms = clear
	}
	a := About{Terms: terms}
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

// In reports whether a set of terms holds t or, if those count, a word of the same meaning.
func (a About) In(t string, have map[string]bool) bool {
	return have[t] || have[AnyNumber] && measures[t] || a.Alike && slices.ContainsFunc(Synonyms(t), func(o string) bool { return have[o] })
}

// Cover is the share of the question's terms that a text holds, 0 to 1.
func (a About) Cover(text string) float64 {
	if len(a.Terms) == 0 {
		return 0
	}
	have, n := TermSet(text), 0
	for _, t := range a.Terms {
		if a.In(t, have) {
			n++
		}
	}
	return float64(n) / float64(len(a.Terms))
}

// Anchored reports whether a text holds of each anchor a word.
func (a About) Anchored(text string) bool {
	have := TermSet(text)
	return !slices.ContainsFunc(a.anchors, func(phrase []string) bool {
		return !slices.ContainsFunc(phrase, func(t string) bool { return a.In(t, have) })
	})
}

// Elsewhere reports whether a line states something of another subject: the question has words
// that the line lacks, and the line's subject has words that the question lacks.
func (a About) Elsewhere(text string) bool {
	best, most := "", -1.0
	for _, s := range PageSentences(text) {
		if c := a.Cover(s); c > most {
			best, most = s, c
		}
	}
	have := TermSet(text)
	if a.Alike {
		have = TermSet(strings.Join(SubjectTerms(best), " ")) // a word alike in what is stated proves nothing
	}
	if !slices.ContainsFunc(a.Terms, func(t string) bool { return t != a.kind && !a.In(t, have) }) {
		return false
	}
	asked := map[string]bool{}
	for _, t := range a.Terms {
		asked[t] = true
	}
	return slices.ContainsFunc(SubjectTerms(best), func(t string) bool { return !a.In(t, asked) })
}

// copulas stand between a subject and what is stated of it; folded.
var copulas = WordSet(`is are was were lautet heisst ist sind war waren est sont etait appelle es son era fue sono lies stands hangs liegt steht hangt costs kostet`)

// subjectWords is how far into a sentence its subject may end.
const subjectWords = 12

// SubjectTerms are the content terms before a sentence's copula; none if it has no such form.
func SubjectTerms(sentence string) []string {
	words := rank.Words(strings.ReplaceAll(sentence, " è ", " sono "))
	for i, w := range words[:min(len(words), subjectWords)] {
		if copulas[w] && i > 0 {
			terms := ContentTerms(strings.Join(words[:i], " "))
			return slices.DeleteFunc(terms, func(t string) bool { return correcting[t] || faint[t] })
		}
	}
	return nil
}

// correcting are terms of a subject that do not tell one thing from another.
var correcting = TermSet(`correction update new current latest actual real right korrektur neue neuer neues aktuelle correccion nuevo nueva correction nouveau nouvelle correzione nuovo nuova actually now sorry`)

// AnyNumber stands in a term set for the numbers of a text.
const AnyNumber = "#"

// TermSet are the search terms of a text, and AnyNumber if it has a number.
func TermSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, t := range rank.Terms(text) {
		set[t] = true
	}
	if len(rank.Numbers(text)) > 0 {
		set[AnyNumber] = true
	}
	return set
}

// Apart reports whether two lines state something of different subjects.
func Apart(a, b string) bool {
	one, other := SubjectTerms(a), SubjectTerms(b)
	lacks := func(x, y []string) bool {
		return slices.ContainsFunc(x, func(t string) bool { return !slices.Contains(y, t) })
	}
	return lacks(one, other) && lacks(other, one)
}
