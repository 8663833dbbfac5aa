package reading

import (
	"slices"
	"strings"
	"unicode/utf8"

	"threadkeeper/memory/rank"
)

// Folded words that a question opens with, and words that may stand before them.
var (
	questionWords = WordSet(`what what's whats who who's whos whom whose which when where wheres why how hows was wer wem wen wessen welche welcher welches welchen welchem wann wo warum wieso wie woran worauf woraus wobei wodurch wofur woher wohin womit wonach woruber worum wovon wozu wieviel wieviele wievielen que quoi quel quelle quelles quels qui quand ou pourquoi comment combien cual cuales quien cuando donde cuanto cuanta cuantos como che cosa chi quale quali quando dove perche quanto qual quem onde quantos wat welk welke wanneer waar waarom hoe что кто какой какая какие когда где почему как сколько
		is are do does did can could will would should were has have had am may ist sind hat haben kann konnen wird gibt est-ce est y-a-t-il a-t-il a-t-elle es son hay puede e sono c'e ha tem zijn heeft`)
	leadingWords = WordSet(`and so but ok okay hey hi then well in on for at to with from by about until till since und also aber fur mit von zu um an auf bei aus seit bis et mais alors a en de pour avec chez y pero para por con desde hasta ma allora di da per`)
)

const packedAsking = `何|誰|いつ|どこ|なぜ|どう|什么|谁|哪|几|多少|怎么|为什么|무엇|누구|언제|어디|왜|어떻게|얼마`

// AsksAnywhere reports whether one of several sentences is a question: one with the mark, or the last one,
// where people often leave out the mark.
func AsksAnywhere(text string) bool {
	all := paragraphSentences(text)
	return slices.ContainsFunc(all, endsAsking) || len(all) > 0 && IsQuestion(all[len(all)-1])
}

// endsAsking reports whether a sentence ends with the mark of a question.
func endsAsking(sentence string) bool {
	last, _ := utf8.DecodeLastRuneInString(strings.TrimRight(sentence, " \t\r\n\"'”’»)]*_"))
	return strings.ContainsRune("?？؟", last)
}

// IsQuestion reports whether a text asks something.
func IsQuestion(text string) bool {
	text = strings.TrimSpace(text)
	if endsAsking(text) {
		return true
	}
	head := text[:RuneBoundary(text, 60)]
	for i, w := range strings.Fields(rank.Fold(head)) {
		word := strings.Trim(w, `.,;:¿¡!"“„«()*_`)
		if questionWords[word] {
			return true
		}
		if word != "" && !leadingWords[word] || i > 3 {
			break
		}
	}
	if i := strings.IndexAny(head, ",."); i > 0 {
		head = head[:i]
	}
	return HasPacked(head, packedAsking)
}

// Denies reports whether a text has a word that denies.
func Denies(text string) bool { return negation.MatchString(rank.Fold(text)) }

var negation = Cue(`not|no|never|none|nobody|nothing|neither|nor|without|cannot|\pL+n't|nicht|kein\pL*|nie|niemals|ohne|pas|jamais|aucune?|sans|nunca|jamas|sin|ningun\pL*|non|mai|senza|nessun\pL*|nao|sem|niet|geen|nooit|zonder|не|нет|без`, `ない|不|没|안|않`)

// QuestionOf returns the part of a request that asks; instructions on the form of the answer are left out of the
// search of a document.
func QuestionOf(request string) string {
	sentences := paragraphSentences(CollapseSpace(request))
	var questions []string
	for _, s := range sentences {
		if endsAsking(s) {
			questions = append(questions, s)
		}
	}
	if len(questions) == 0 || len(sentences) == len(questions) {
		return CollapseSpace(request)
	}
	return strings.Join(questions, " ")
}
