package reading

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"threadkeeper/memory/rank"
)

var (
	questionWord = Cue(`what|what's|who|who's|whom|whose|which|when|where|why|how|was|wer|wem|wen|wessen|welche[rsnm]?|wann|wo|warum|wieso|wie|wieviel|que|quoi|quel|quelles?|quels|qui|quand|ou|pourquoi|comment|combien|cual|cuales|quien|cuando|donde|cuanto|cuanta|cuantos|como|por que|che|cosa|chi|quale|quali|quando|dove|perche|quanto|qual|quem|onde|quantos|wat|wie|welke?|wanneer|waar|waarom|hoe|что|кто|какой|какая|какие|когда|где|почему|как|сколько`, `何|誰|いつ|どこ|なぜ|どう|什么|谁|哪|几|多少|怎么|为什么|무엇|누구|언제|어디|왜|어떻게|얼마`)
	auxiliary    = regexp.MustCompile(`^(?:is|are|do|does|did|can|could|will|would|should|was|were|has|have|had|am|may|ist|sind|hat|haben|kann|konnen|wird|gibt|est-ce|est|y a-t-il|a-t-|es|son|hay|puede|e|sono|c'e|ha|tem|is|zijn|heeft)(?:$|[^\pL\pN])`)
)

// questionMark matches the end of a question.
var questionMark = regexp.MustCompile(`[?？؟](?:\s|$)`)

// AsksAnywhere reports whether one of several sentences asks something: one that has the mark, or the last,
// which people often leave without it.
func AsksAnywhere(text string) bool {
	all := paragraphSentences(text)
	return questionMark.MatchString(text) || len(all) > 0 && IsQuestion(all[len(all)-1])
}

// IsQuestion reports whether a text asks something.
func IsQuestion(text string) bool {
	text = strings.TrimSpace(text)
	if last, _ := utf8.DecodeLastRuneInString(text); strings.ContainsRune("?？؟", last) {
		return true
	}
	f := rank.Fold(text)
	head := f[:RuneBoundary(f, 60)]
	if i := strings.IndexAny(head, ",.;:"); i > 0 {
		head = head[:i]
	}
	for leading := leadingWords.FindStringIndex(head); leading != nil; leading = leadingWords.FindStringIndex(head) {
		head = head[leading[1]:]
	}
	loc := questionWord.FindStringIndex(head)
	return loc != nil && loc[0] <= 1 || auxiliary.MatchString(f)
}

// leadingWords may stand before the question word.
var leadingWords = regexp.MustCompile(`^(?:[^\pL\pN]+|(?:and|so|but|ok|okay|hey|hi|then|well|in|on|for|at|to|with|from|by|about|und|also|aber|fur|mit|von|zu|um|an|auf|bei|aus|seit|bis|et|mais|alors|a|en|de|pour|avec|chez|y|pero|para|por|con|desde|hasta|ma|allora|di|da|per)(?:[^\pL\pN]|$))`)

// Denies reports whether a text has a word that denies.
func Denies(text string) bool { return negation.MatchString(rank.Fold(text)) }

// Denials is how many words of a text deny; "ne … pas" is one.
func Denials(text string) int { return len(negation.FindAllString(rank.Fold(text), -1)) }

var negation = Cue(`not|no|never|none|nobody|nothing|neither|nor|without|cannot|\pL+n't|nicht|kein\pL*|nie|niemals|ohne|pas|jamais|aucune?|sans|nunca|jamas|sin|ningun\pL*|non|mai|senza|nessun\pL*|nao|sem|niet|geen|nooit|zonder|не|нет|без`, `ない|不|没|안|않`)

// QuestionOf is the part of a request that asks; how the answer is to be written is not what a
// document is searched for.
func QuestionOf(request string) string {
	sentences := paragraphSentences(CollapseSpace(request))
	var questions []string
	for _, s := range sentences {
		if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") {
			questions = append(questions, s)
		}
	}
	if len(questions) == 0 || len(sentences) == len(questions) {
		return CollapseSpace(request)
	}
	return strings.Join(questions, " ")
}
