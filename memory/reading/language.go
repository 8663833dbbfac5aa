package reading

import (
	"slices"
	"strings"
	"unicode"

	"threadkeeper/memory/rank"
)

var known = []string{"en", "de", "fr", "es", "it", "pt", "nl"}

// telltale are common words that each stand in one of the languages only (or, as "die" and
// "la", are weighed against others). Folded. Italian, Portuguese and Dutch are there to tell
// them from ours.
var telltale = map[string]string{
	"en": "the and is are what which who how when where why does did do you your of to in for it this that with my please can was were have has not from about thanks hello will should would there explain write translate draft",
	"de": "der die das und ist sind was welche welcher welches wer wie wann wo warum worum geht bitte mein meine ich du wir ihr nicht mit von fur auf ein eine einen dem den des zu im hat haben wurde steht kann uber danke hallo guten gibt es wird noch schreib schreibe formuliere verfasse kannst auch sprichst hast",
	"it": "il lo la gli le i un una di che e non per con sono del della nel qual quale come quando dove chi cosa perche mi mio mia ho hai abbiamo voglio vorrei grazie ciao questo questa scrivi crea dimmi si anche",
	"pt": "o a os as um uma de do da dos que e nao para com sao qual como quando onde quem por eu meu minha tenho temos quero preciso obrigado obrigada ola isso no na em escreva crie voce",
	"nl": "de het een en is zijn van niet met op voor ik je wij wat wie waar wanneer hoe waarom heb hebben wil willen dit dat hallo bedankt dank naar schrijf ook mijn onze kan",
	"fr": "le la les et est sont que quel quelle quels quelles qui quand ou pourquoi comment je tu nous vous il elle ne pas avec de du des un une dans pour mon ma mes sur quoi merci bonjour c'est combien au aux ete dit j ai l d veux voudrais ecris cree fais explique expliquez traduis traduisez traduire ceci texte fichier fichiers resumez montre montrez lis lisez donne donnez",
	"es": "a el la los las y es son que cual cuales quien cuando donde por como yo tu nosotros usted no con de del un una en para mi mis sobre gracias hola cuanto cuanta esta este al fue dijo hay tengo quiero necesito crea escribe haz que explica traduce redacta esto texto",
}

var telltales = func() map[string]map[string]bool {
	all := map[string]map[string]bool{}
	for l, list := range telltale {
		all[l] = WordSet(list)
	}
	return all
}()

// marks are letters and signs that one of the languages has and the others lack.
var marks = map[string]string{"de": "äöüßÄÖÜ", "fr": "àâçèêëîïôùûœ", "es": "ñ¿¡áíóú", "it": "ìòèàù", "pt": "ãõçáíóúê", "nl": "ĳ"}

// Language returns the code of the language of a text: "en", "de", "fr", "es", "it", "pt" or "nl"; "" if it cannot
// be detected, because the text is too short or in another language.
func Language(text string) string {
	if len(text) > 4000 {
		text = text[:RuneBoundary(text, 4000)]
	}
	text = prose(addresses.ReplaceAllString(text, " "))
	score := map[string]int{}
	for _, w := range rank.Words(text) {
		for l, words := range telltales {
			if words[w] {
				score[l] += min(2, len(w)) // a single letter may be one of a name: "D.C."
			}
		}
	}
	for l, letters := range marks {
		if strings.ContainsAny(text, letters) {
			score[l] += 3
		}
	}
	if spaced := strings.Contains(text, " ?") || strings.Contains(text, " !"); spaced && strings.ContainsFunc(text, unicode.IsLetter) {
		score["fr"] += 2
	}
	if strings.ContainsAny(text, "éÉ") { // which the others write more seldom
		score["fr"]++
	}
	best, second := "", 0
	for _, l := range known {
		switch {
		case best == "" || score[l] > score[best]:
			if best != "" {
				second = score[best]
			}
			best = l
		case score[l] > second:
			second = score[l]
		}
	}
	if score[best] < 2 || score[best] == second {
		return ""
	}
	return best
}

// scriptOf is a script and the language that it tells.
type scriptOf struct {
	script   *unicode.RangeTable
	language string
}

// scripts tell what most people who write in them speak. Kana come before Han: Japanese has both.
var scripts = []scriptOf{
	{unicode.Hiragana, "ja"}, {unicode.Katakana, "ja"}, {unicode.Hangul, "ko"}, {unicode.Han, "zh"}, {unicode.Cyrillic, "ru"},
	{unicode.Arabic, "ar"}, {unicode.Hebrew, "he"}, {unicode.Greek, "el"}, {unicode.Devanagari, "hi"}, {unicode.Thai, "th"},
}

// ScriptLanguage returns the code of the language that the script of a text tells; "" for text that is mostly Latin.
func ScriptLanguage(text string) string {
	latin, other, first := 0, 0, len(scripts)
	for _, c := range text {
		if unicode.Is(unicode.Latin, c) {
			latin++
		}
		if i := slices.IndexFunc(scripts, func(s scriptOf) bool { return unicode.Is(s.script, c) }); i >= 0 {
			other, first = other+1, min(first, i)
		}
	}
	if 2*other <= latin || first == len(scripts) {
		return ""
	}
	return scripts[first].language
}

// prose returns the text without code between backticks, file names and ids: their letters are words of no language.
func prose(text string) string {
	var out []string
	parts := strings.Split(text, "`")
	for i, part := range parts {
		if i%2 == 1 && i < len(parts)-1 {
			continue
		}
		for _, w := range strings.Fields(part) {
			if !isName(w) {
				out = append(out, w)
			}
		}
	}
	return strings.Join(out, " ")
}

// isName reports whether a word is a file name or an id: it has letters beside digits, an underscore, or a dot before a
// small letter.
func isName(word string) bool {
	_, ext, dotted := strings.Cut(word, ".")
	return strings.Contains(word, "_") || dotted && ext != "" && 'a' <= ext[0] && ext[0] <= 'z' ||
		strings.ContainsFunc(word, unicode.IsDigit) && strings.ContainsFunc(word, unicode.IsLetter)
}
