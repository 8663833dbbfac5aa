package agent

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

const (
	mostHints     = 3
	followUpWords = 8 // words of a question that continues the one before, at most
)

// continuing opens a question that continues the one before.
var continuing = regexp.MustCompile(`(?i)^(?:(?:and|und|et|y|e|en|и)\s+(?:what about|how about)?|what about|how about|wie (?:sieht es|ist es|steht es) (?:mit|bei)|was ist mit|qu'en est-il (?:de|pour)|et pour|¿?y|¿?qué hay de|それでは|では|那么|那)\s*`)

// pronouns are words that point at something said before, and whether they point at people: 'p' for a person, 't' for a
// thing, 'a' for any.
var pronouns = map[string]rune{"it": 't', "this one": 't', "that one": 't', "he": 'p', "she": 'p', "him": 'p', "her": 'p', "they": 'a', "them": 'a', "those": 'a', "these": 'a',
	"er": 'a', "sie": 'a', "ihn": 'a', "ihm": 'a', "il": 'a', "elle": 'a', "ils": 'a', "elles": 'a', "celui-ci": 't', "eso": 't', "esto": 't', "ellos": 'a', "ellas": 'a'}

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
	if word, kind := r.pronoun(); word != "" {
		add(word, r.pointedAt(kind))
	}
	if words := documentWords(r.request); words != "" && len(r.library) > 1 && len(r.library.named(r.request)) == 0 && !reading.HasPhrase(r.request, several) {
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
func (r *run) pronoun() (word string, kind rune) {
	words := strings.Fields(r.request)
	if len(words) > 14 {
		return "", 0
	}
	for i, w := range words {
		folded := rank.Fold(strings.Trim(w, ".,;:!?¿¡\"'()"))
		if kind, ok := pronouns[folded]; ok && len(partsOf(strings.Join(words[:i], " "), false)) < 2 && !impersonal(words[i:]) {
			return folded, kind
		}
	}
	return "", 0
}

// impersonal reports whether a pronoun begins a phrase in which it points at nothing: "is it raining".
func impersonal(words []string) bool {
	return len(words) > 1 && reading.HasPhrase(words[1], `raining|snowing|late|possible|true|time|ok|okay|y|is`)
}

// pointedAt are the things and people named in the newest message that names any, of the last two interactions.
func (r *run) pointedAt(kind rune) []string {
	seen := map[int64]bool{}
	authors := map[string]bool{}
	for _, m := range r.history.Messages {
		authors[rank.Fold(m.Author)] = true
	}
	for _, m := range slices.Backward(r.history.Messages) {
		if seen[m.InteractionID] = true; len(seen) > 2 {
			return nil
		}
		if m.Role != memory.User || len(m.Text) > 2000 {
			continue
		}
		things := slices.DeleteFunc(reading.ThingsNamed(m.Text), func(t string) bool {
			person := authors[rank.Fold(t)] || personal(t)
			return kind == 'p' && !person || kind == 't' && authors[rank.Fold(t)]
		})
		if len(things) > 0 {
			return things
		}
	}
	return nil
}

// personal reports whether a name may be that of a person: capitalised words of letters alone.
func personal(name string) bool {
	return !slices.ContainsFunc(strings.Fields(name), func(w string) bool {
		first, _ := utf8.DecodeRuneInString(w)
		return !unicode.IsUpper(first) || strings.ContainsFunc(w, unicode.IsDigit) || len(w) > 1 && strings.ToUpper(w) == w
	})
}

// searchText is the request in a form for retrieval: a follow-up has the question before it appended, and one that is about
// a quoted message has its end.
func (r *run) searchText() string {
	text := r.query()
	if before := r.before(); before != "" {
		text += "\n" + before
	}
	return text
}

// before is the person's question that a request continues, "" if it stands on its own.
func (r *run) before() string {
	words := len(strings.Fields(r.request))
	continues := words <= followUpWords && continuing.MatchString(r.request)
	if word, _ := r.pronoun(); word != "" && len(partsOf(r.request, false)) <= 2 {
		continues = true
	}
	if !continues {
		return ""
	}
	if word, kind := r.pronoun(); word != "" && len(partsOf(r.request, false)) > 0 {
		if things := r.pointedAt(kind); len(things) > 0 {
			return strings.Join(things, " ")
		}
	}
	seen := 0
	for _, m := range slices.Backward(r.history.Messages) {
		if m.Role != memory.User || m.PersonID != r.asker() {
			continue
		}
		if seen++; seen > 4 || len(m.Text) > 600 {
			return ""
		}
		if !continuing.MatchString(m.Text) && !states(m.Text) && len(partsOf(m.Text, false)) > 0 {
			return reading.CollapseSpace(m.Text)
		}
	}
	return ""
}
