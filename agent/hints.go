package agent

import (
	"fmt"
	"slices"
	"strings"

	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

const (
	mostHints     = 3
	followUpWords = 8 // words of a question that continues the one before, at most
)

// continuing opens a question that continues the one before.
const continuing = `and|und|et|y|e|en|и|what about|how about|wie sieht es mit|wie sieht es bei|wie ist es mit|was ist mit|qu'en est-il de|qu'en est-il pour|que hay de`

// wholly opens questions that stand on their own, with more behind it than the word that is asked for: "En qué año abrió …".
const wholly = `y a-t-il|y aura-t-il|y avait-il|en que|en cual|en cuanto|en cuantos|en cuantas|en quel|en quelle|en quels|en quelles|en quoi|en combien`

// pointing are words of a question about what was just shown.
const pointing = `that|this|it|das|dies|ca|cela|eso|esto`

// pronouns are folded words that refer to something said before.
var pronouns = reading.WordSet(`it he she him her they them those these er sie ihn ihm il elle ils elles celui-ci eso esto ellos ellas`)

// hints are what rules found about the words of the request, for a model that answers it: what a pronoun may stand for, which
// document may be meant. Each is one line of English; the names in it are data. At most three.
func (r *run) hints() []string {
	var hints []string
	add := func(words string, candidates []string) {
		for i, c := range candidates {
			candidates[i] = reading.Shorten(oneLine(neutral(c)), 60)
		}
		if len(candidates) > 0 && len(hints) < mostHints {
			hints = append(hints, fmt.Sprintf("%q may be %s", words, strings.Join(candidates[:min(len(candidates), 5)], " or ")))
		}
	}
	if word := r.pronoun(); word != "" {
		if text, things := r.pointedAt(); namedTogether(text, things) {
			add(word, things)
		}
	}
	if words := documentWords(r.request); words != "" && withoutPhrases(words, theNouns+"|"+anyNouns) == "" && len(r.library) > 1 && len(r.library.named(r.request)) == 0 && !reading.HasPhrase(r.request, several) {
		var names []string
		for _, d := range slices.Backward(r.library) {
			names = append(names, d.Name)
		}
		add(words, names)
	}
	return hints
}

// pronoun is the first word of a short request that points at something said before, where nothing in the request comes
// before it that it may mean; "" for none.
func (r *run) pronoun() string {
	words := strings.Fields(r.request)
	if len(words) > 14 || filling.MatchString(rank.Fold(r.request)) {
		return ""
	}
	for i, w := range words {
		w = strings.Trim(w, ".,;:!?¿¡\"'()")
		folded := rank.Fold(w)
		if pronouns[folded] && !(i > 0 && w == "Sie") && len(partsOf(strings.Join(words[:i], " "), false)) < 2 && !(i+1 < len(words) && reading.HasPhrase(words[i+1], impersonal)) {
			return folded
		}
	}
	return ""
}

// filling matches, in folded text, a pronoun that stands for what follows: "how long does it take to …".
var filling = reading.Lazy(`\b(?:does|did|will|would|is|was) it \w+ to\b`)

// impersonal are words behind a pronoun that points at nothing: "is it raining".
const impersonal = `rains|snows|raining|snowing|late|possible|true|time|ok|okay|y|is`

// pointedAt is the newest message that names things or people, of the last two interactions, and what it names.
func (r *run) pointedAt() (text string, things []string) {
	seen := map[int64]bool{}
	for _, m := range slices.Backward(r.history.Messages) {
		if seen[m.InteractionID] = true; len(seen) > 2 {
			break
		}
		if m.Role != memory.User || len(m.Text) > 2000 {
			continue
		}
		if things := reading.ThingsNamed(m.Text); len(things) > 0 {
			return m.Text, things
		}
	}
	return "", nil
}

// namedTogether reports whether a text names two things as alternatives, side by side: "the lathe and the press". What is
// merely named in the same message is seldom what a pronoun may mean.
func namedTogether(text string, things []string) bool {
	folded := " " + strings.Join(rank.Words(text), " ") + " "
	for i := 1; i < len(things); i++ {
		_, after, named := strings.Cut(folded, " "+strings.Join(rank.Words(things[i-1]), " ")+" ")
		between, _, both := strings.Cut(" "+after, " "+strings.Join(rank.Words(things[i]), " ")+" ")
		if words := strings.Fields(between); named && both && len(words) > 0 && len(words) <= 2 && conjunctions[words[0]] {
			return true
		}
	}
	return false
}

var conjunctions = reading.WordSet(`and or und oder et ou y o`)

// searchText is the request in a form for retrieval: a follow-up has the question before it appended, and one that is about
// a quoted message has its end.
func (r *run) searchText() string {
	text := r.query()
	if before := r.before(); before != "" {
		text += "\n" + before
	}
	return text
}

// before is what a request continues: what its pronoun points at, or the person's question before it; "" if it stands on
// its own.
func (r *run) before() string {
	points, own := r.pronoun() != "", len(partsOf(r.request, false))
	words := len(strings.Fields(r.request))
	if !(points && own <= 2) && !(words <= followUpWords && continues(r.request)) && !(own == 0 && words <= 2 && reading.IsQuestion(r.request)) {
		return ""
	}
	if points && own > 0 {
		if _, things := r.pointedAt(); len(things) > 0 {
			return strings.Join(things, " ")
		}
	}
	return r.lastAsked()
}

// lastAsked is what the asker asked last with words of its own, of the last four messages; "" if nothing.
func (r *run) lastAsked() string {
	seen := 0
	for _, m := range slices.Backward(r.history.Messages) {
		if m.Role != memory.User || m.PersonID != r.asker() {
			continue
		}
		if seen++; seen > 4 || len(m.Text) > 600 {
			return ""
		}
		if !continues(m.Text) && !states(m.Text) && len(partsOf(m.Text, false)) > 0 {
			return reading.CollapseSpace(m.Text)
		}
	}
	return ""
}

func continues(text string) bool {
	_, ok := opens(text, continuing)
	if rest, is := opens(text, wholly); is && len(rank.Words(rest)) > 1 {
		return false
	}
	return ok || strings.HasPrefix(text, "では") || strings.HasPrefix(text, "那")
}
