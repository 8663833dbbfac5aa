package hearing

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"threadkeeper/agent"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// ChoiceElse is the answer "Something else": the person's next message is the answer.
const ChoiceElse = -3

// Similar is the least likeness at which a text counts as an option's label.
const Similar = 0.6

// SaysJustAnswer reports whether a question keeps of its answer that it is to be answered
// as it is: memory.AnswerJust, or the button's label.
func SaysJustAnswer(answer string) bool {
	for _, w := range say.AllBeside() {
		if answer == w.JustAnswer {
			return true
		}
	}
	return answer == memory.AnswerJust
}

// AnswerWord is what a question stores of its answer: never more than the
// message says, so that erasing the message leaves nothing behind.
func AnswerWord(q *memory.Question, choice int) string {
	switch {
	case choice >= 0:
		return q.Options[choice].Label
	case choice == agent.ChoiceJustAnswer:
		return memory.AnswerJust
	}
	return memory.AnswerInWords
}

// ChoiceIn returns the choice that a question's stored answer made.
func ChoiceIn(q *memory.Question) int {
	if SaysJustAnswer(q.Answer) {
		return agent.ChoiceJustAnswer
	}
	if i := slices.IndexFunc(q.Options, func(o memory.Option) bool { return o.Label == q.Answer }); i >= 0 {
		return i
	}
	return agent.ChoiceNone
}

// ReadAnswer reads a message as the answer to a question: an index into its
// options, ChoiceElse, agent.ChoiceJustAnswer, or agent.ChoiceNone for an answer in
// free words. It returns false for a separate request.
func ReadAnswer(q *memory.Question, text string) (int, bool) {
	_, text = reading.CutQuote(strings.TrimSpace(text))
	labels := make([]string, 0, len(q.Options)+2)
	for _, o := range q.Options {
		labels = append(labels, o.Label)
	}
	if n, err := strconv.Atoi(strings.Trim(text, "#().: ")); err == nil && n >= 1 && n <= len(labels)+2 && len(labels) > 0 {
		switch n - len(labels) {
		case 1:
			return ChoiceElse, true
		case 2:
			return agent.ChoiceJustAnswer, true
		}
		return n - 1, true
	}
	for _, w := range say.AllBeside() {
		if Likeness(text, w.JustAnswer) >= 0.8 {
			return agent.ChoiceJustAnswer, true
		}
		if Likeness(text, w.SomethingElse) >= 0.8 {
			return ChoiceElse, true
		}
	}
	if i, ok := nearestLabel(labels, text); ok && (reading.Denies(labels[i]) || !reading.Denies(text)) { // "not the board one"
		return i, true
	}
	if picked := agent.Picks(text, len(labels)); len(picked) == 1 {
		return picked[0], true
	}
	if q.Answer == memory.Awaited {
		return agent.ChoiceNone, true
	}
	return agent.ChoiceNone, !isRequest(text)
}

func nearestLabel(labels []string, text string) (int, bool) {
	best, at, second := 0.0, -1, 0.0
	for i, l := range labels {
		switch s := Likeness(text, l); {
		case s > best:
			best, at, second = s, i, best
		case s > second:
			second = s
		}
	}
	return at, best >= Similar && best-second >= 0.1
}

// Likeness returns the similarity of two short texts from 0 to 1: the better of shared letter pairs
// and, for a text that names a label by some of its words, shared words. One word of a
// separate request names nothing ("What do I do next?").
func Likeness(text, label string) float64 {
	a, b := rank.Words(text), rank.Words(label)
	if len(a) == 0 || len(b) == 0 {
		return 0
	}
	if slices.Equal(a, b) {
		return 1
	}
	shared, telling := 0, 0
	for _, w := range a {
		if rank.Stop(w) || w == "one" {
			continue
		}
		telling++
		if slices.Contains(b, w) {
			shared++
		}
	}
	byWords := 0.0
	if shared > 0 && telling <= len(b)+1 && (shared > 1 || !isRequest(text)) {
		byWords = 0.95 * float64(shared) / float64(telling)
	}
	return max(byWords, pairs(strings.Join(a, " "), strings.Join(b, " ")))
}

// pairs returns the Dice coefficient over pairs of neighbouring letters.
func pairs(a, b string) float64 {
	x, y := []rune(a), []rune(b)
	if len(x) < 2 || len(y) < 2 {
		return 0
	}
	count := make(map[[2]rune]int)
	for i := range len(x) - 1 {
		count[[2]rune{x[i], x[i+1]}]++
	}
	shared := 0
	for i := range len(y) - 1 {
		p := [2]rune{y[i], y[i+1]}
		if count[p] > 0 {
			count[p]--
			shared++
		}
	}
	return 2 * float64(shared) / float64(len(x)+len(y)-2)
}

// openers are words that begin a separate request rather than an answer. English first, then
// German, French and Spanish.
var openers = strings.Fields(`what who whose which when where why how can could would will is are do does did should please
	write make create build deploy explain describe summarise summarize list show tell give find compare translate draft help read
	remember forget calculate generate hello hi hey thanks thank
	was wer wann wo warum wie welche welcher welches kann bitte schreibe erkläre zeige hallo danke
	que quoi qui quand où pourquoi comment quel quelle peux pouvez écris explique montre bonjour merci
	qué quién cuándo dónde cómo cuál puedes escribe explica muestra hola gracias`)

// statements are beginnings of requests phrased as statements.
var statements = []string{"i need", "i want", "i have", "i would like", "i'd like", "i am", "i'm", "we need", "we want", "we have", "let's", "let us",
	"ich brauche", "ich möchte", "ich will", "ich habe", "j'ai", "je veux", "je voudrais", "necesito", "quiero", "tengo"}

const maxAnswer = 12

// isRequest reports whether a text is a request of its own: it asks a question, or asks for
// something, or is too long for an answer.
func isRequest(text string) bool {
	folded := strings.ToLower(text)
	parts := strings.Fields(folded)
	if len(parts) == 0 || len(parts) > maxAnswer || utf8.RuneCountInString(text) > 120 || strings.ContainsAny(text, "?？\n") {
		return true
	}
	for _, s := range statements {
		if strings.HasPrefix(folded, s+" ") {
			return true
		}
	}
	return slices.Contains(openers, strings.Trim(parts[0], ",.!:;¿¡"))
}
