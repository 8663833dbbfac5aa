package reading

import (
	"maps"
	"strings"

	"threadkeeper/memory/rank"
)

// copulas stand between a subject and what is stated of it; folded. English, German, French and Spanish.
var copulas = WordSet(`is are was were costs moved changed starts ends begins lautet heisst ist sind war kostet beginnt endet est sont etait coute commence finit es son era fue cuesta empieza termina`)

// passing are terms of a subject that do not tell one thing from another.
var passing = TermSet(`correction update new current latest actual real right korrektur neue neuer neues aktuelle correccion nuevo nueva nouveau nouvelle actually now sorry jetzt maintenant ahora
	date day time hour number amount datum tag uhrzeit zeit nummer betrag heure jour numero montant fecha hora dia importe`)

// subjectWords is how far into a sentence its subject may end.
const subjectWords = 12

// statementOf is what the first sentence of a text that has such a form states: its subject, and the kind of value.
func statementOf(text string) (subject map[string]bool, kind ValueKind) {
	for _, s := range PageSentences(text) {
		words := strings.Fields(s)
		for i, w := range words[:min(len(words), subjectWords)] {
			if copulas[rank.Fold(strings.Trim(w, ".,"))] && i > 0 {
				subject = TermSet(strings.Join(words[:i], " "))
				maps.DeleteFunc(subject, func(t string, _ bool) bool { return passing[t] })
				return subject, Kind(strings.Join(words[i:], " "))
			}
		}
	}
	return nil, AnyValue
}

// SameStatement reports whether two texts state a value of the same kind of the same thing: "the demo is on 3 May" and "the
// demo is now on 5 May".
func SameStatement(a, b string) bool {
	one, kind := statementOf(a)
	other, otherKind := statementOf(b)
	return len(one) > 0 && maps.Equal(one, other) && kind == otherKind
}

// TermSet are the search terms of a text.
func TermSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, t := range rank.Terms(text) {
		set[t] = true
	}
	return set
}
