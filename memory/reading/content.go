package reading

import (
	"slices"
	"strings"
	"unicode"

	"threadkeeper/memory/rank"
)

// FramingWord reports whether a folded word of a question is about how it is asked, not about its subject.
func FramingWord(word string) bool { return framing[word] }

// framing are folded words of a question that say how it is asked, not about what.
var framing = WordSet(`remember earlier previously last week month time again say said says tell told mention mentioned please know find give show
	me decide decided agree agreed want wanted conversation history answer exact exactly current currently many much long often
	erinnerst gesagt erwahnt nochmal bitte wissen zeig rappelle dit dis souviens avons nous ai dire recuerdas dije dijo dijimos dime
	document report file pdf page dokument bericht datei seite rapport fichier documento informe archivo pagina according bought laut selon segun
	i we you my our your he she they his her lautet heisst ist gibt quel quelle est cual es name
	what who which when where why how does did is are was were about there any tell us
	wann wer wem wen woher wohin wieviel viele hoch lange uber steht zum thema
	quand ou pourquoi comment combien quoi qui quels quelles parle propos
	cuando quien quienes donde cuanto cuanta cuantos cuantas cuales como hay acerca
	mine ours yours hers theirs belong belongs call called name named heisse gehort meins meiner unsere unseres mien mienne appelle mio mia mios suyo tuyo llama llamas chiama chiamo
	quando chi dove perche quanto quale quali onde quem quanti quantos wanneer hoeveel
	сколько когда кто где какой какая какие почему как`)

// ContentTerms returns the search terms of a question that say what it is about, each once. Of
// Japanese and Chinese these are the pairs of characters inside words, not across them.
func ContentTerms(text string) []string {
	var terms, across []string
	for _, w := range rank.Words(text) {
		if framing[w] || rank.Stop(w) {
			continue
		}
		list := &terms
		if strings.ContainsFunc(w, tiesWords) {
			list = &across
		}
		for _, t := range rank.Terms(w) {
			if !slices.Contains(*list, t) {
				*list = append(*list, t)
			}
		}
	}
	if len(terms) == 0 {
		return across
	}
	return terms
}

// WordTerms returns the content terms of a text that are not numbers.
func WordTerms(text string) []string {
	return slices.DeleteFunc(ContentTerms(text), func(t string) bool { return strings.ContainsAny(t, "0123456789") })
}

// tiesWords reports whether a character stands between words of Japanese or Chinese: kana of
// endings, and what asks, points or ties together.
func tiesWords(r rune) bool {
	return unicode.Is(unicode.Hiragana, r) || strings.ContainsRune("的是了吗呢在和有我你他她它们們这那這哪几幾多少什么麼谁誰何怎为為时時候请請告诉訴把被就也都很私", r)
}

// Coverage returns the share of terms that are in a text, 0 to 1.
func Coverage(terms []string, text string) float64 {
	if len(terms) == 0 {
		return 0
	}
	have, n := TermSet(text), 0
	for _, t := range terms {
		if have[t] {
			n++
		}
	}
	return float64(n) / float64(len(terms))
}

// CodeLike reports whether a word is one that nobody repeats by chance: letters
// and digits, or four digits or more, but not a year.
func CodeLike(w string) bool {
	digits, letters := 0, 0
	for _, r := range w {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
	}
	year := len(w) == 4 && (strings.HasPrefix(w, "19") || strings.HasPrefix(w, "20"))
	return digits > 0 && letters > 0 && digits+letters >= 4 || digits >= 4 && !year
}
