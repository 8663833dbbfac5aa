package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"threadkeeper/agent"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// choiceElse is the answer "Something else": the person's next message is the answer.
const choiceElse = -3

// similar is the least similarity at which a text counts as an option's label.
const similar = 0.6

// shownQuestion is a question as it is posted. An open one, without options, has no buttons: a number may be its answer.
func shownQuestion(q *memory.Question, w *say.Words) *platform.Question {
	shown := &platform.Question{Text: q.Text}
	if len(q.Options) == 0 {
		return shown
	}
	for i, o := range q.Options {
		shown.Options = append(shown.Options, platform.Button{Label: o.Label, Action: platform.QuestionAction(q.Token, i)})
	}
	beside := w.Beside(q.Text)
	shown.Options = append(shown.Options,
		platform.Button{Label: beside.SomethingElse, Action: platform.QuestionAction(q.Token, choiceElse)},
		platform.Button{Label: beside.JustAnswer, Action: platform.QuestionAction(q.Token, agent.ChoiceJustAnswer)})
	return shown
}

// closedQuestion returns how to show a question that is no longer asked, nil if it is not
// to be shown.
func (b *Bot) closedQuestion(ctx context.Context, o *memory.Outbox) (*platform.Outgoing, error) {
	q, m, nonce, err := b.Store.Queue.OutboxClosedQuestion(ctx, o)
	if gone(err) || err == nil && m.ErasedAt > 0 {
		return nil, nil
	}
	if err != nil {
		return nil, wrap("find a closed question", err)
	}
	asked, err := b.Store.Message(ctx, q.MessageID)
	if err != nil {
		return nil, wrap("find the question's message", err)
	}
	w := say.Spoken(m.Text)
	if w == nil {
		w = b.wordsIn(ctx, q.SessionID, q.PersonID, "", asked.Text)
	}
	outcome := w.InWords
	switch {
	case q.State != memory.QuestionAnswered || q.Answer == "":
		outcome = w.Closed
	case saysJustAnswer(q.Answer):
		outcome = w.Beside(q.Text).JustAnswer
	case slices.ContainsFunc(q.Options, func(o memory.Option) bool { return o.Label == q.Answer }):
		outcome = q.Answer
	}
	return &platform.Outgoing{Nonce: nonce, Kind: platform.KindReply, Text: m.Text + "\n\n→ " + outcome}, nil
}

// saysJustAnswer reports whether a question keeps of its answer that it is to be answered
// as it is: memory.AnswerJust, or the button's label.
func saysJustAnswer(answer string) bool {
	for _, w := range say.AllBeside() {
		if answer == w.JustAnswer {
			return true
		}
	}
	return answer == memory.AnswerJust
}

// question is the clarifying question that the turn's last message answers, and
// how; nil if it answers none. An open question of the same person that it does not
// answer is cancelled: the person has moved on.
func (t *turn) question(ctx context.Context) (*memory.Question, int, error) {
	b := t.bot
	if id := t.request.Question; id != 0 {
		q, err := b.Store.Queue.Question(ctx, id)
		if gone(err) {
			return nil, agent.ChoiceNone, nil
		}
		return q, t.request.Choice, wrap("load question", err)
	}
	last := t.messages[len(t.messages)-1]
	if t.request.Kind == platform.EventEdit {
		if q, err := b.Store.Queue.QuestionBefore(ctx, last); !gone(err) {
			if err != nil {
				return nil, agent.ChoiceNone, wrap("look for a question", err)
			}
			choice, _ := readAnswer(q, last.Text)
			return q, choice, nil
		}
	}
	q, err := b.Store.Queue.OpenQuestion(ctx, t.session.ID)
	if gone(err) || err == nil && q.PersonID != last.PersonID {
		return nil, agent.ChoiceNone, nil
	}
	if err != nil {
		return nil, agent.ChoiceNone, wrap("look for a question", err)
	}
	choice, answered := readAnswer(q, last.Text)
	if choice == choiceElse {
		return q, choice, wrap("await an answer", b.Store.Queue.AwaitFreeAnswer(ctx, q.ID))
	}
	if !answered {
		_, err := b.Store.Queue.CloseQuestion(ctx, q.ID, "", memory.QuestionCancelled)
		return nil, agent.ChoiceNone, wrap("cancel question", err)
	}
	t.request.Question, t.request.Choice = q.ID, choice
	row := t.rows[len(t.rows)-1]
	a := memory.QuestionAnswer{Question: q, Row: row.ID, Answer: answerWord(q, choice), Payload: t.request.encode()}
	if err := b.Store.Queue.AnswerByMessage(ctx, t.lease, a, last); err != nil {
		return nil, agent.ChoiceNone, err
	}
	return q, choice, nil
}

// answerWord is what a question stores of its answer: never more than the
// message says, so that erasing the message leaves nothing behind.
func answerWord(q *memory.Question, choice int) string {
	switch {
	case choice >= 0:
		return q.Options[choice].Label
	case choice == agent.ChoiceJustAnswer:
		return memory.AnswerJust
	}
	return memory.AnswerInWords
}

// choiceIn returns the choice that a question's stored answer made.
func choiceIn(q *memory.Question) int {
	if saysJustAnswer(q.Answer) {
		return agent.ChoiceJustAnswer
	}
	if i := slices.IndexFunc(q.Options, func(o memory.Option) bool { return o.Label == q.Answer }); i >= 0 {
		return i
	}
	return agent.ChoiceNone
}

// readAnswer reads a message as the answer to a question: an index into its
// options, choiceElse, agent.ChoiceJustAnswer, or agent.ChoiceNone for an answer in
// free words. It returns false for a separate request.
func readAnswer(q *memory.Question, text string) (int, bool) {
	_, text = reading.CutQuote(strings.TrimSpace(text))
	labels := make([]string, 0, len(q.Options)+2)
	for _, o := range q.Options {
		labels = append(labels, o.Label)
	}
	if n, err := strconv.Atoi(strings.Trim(text, "#().: ")); err == nil && n >= 1 && n <= len(labels)+2 && len(labels) > 0 {
		switch n - len(labels) {
		case 1:
			return choiceElse, true
		case 2:
			return agent.ChoiceJustAnswer, true
		}
		return n - 1, true
	}
	for _, w := range say.AllBeside() {
		if likeness(text, w.JustAnswer) >= 0.8 {
			return agent.ChoiceJustAnswer, true
		}
		if likeness(text, w.SomethingElse) >= 0.8 {
			return choiceElse, true
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

// nearestLabel returns the one label that a text means.
func nearestLabel(labels []string, text string) (int, bool) {
	best, at, second := 0.0, -1, 0.0
	for i, l := range labels {
		switch s := likeness(text, l); {
		case s > best:
			best, at, second = s, i, best
		case s > second:
			second = s
		}
	}
	return at, best >= similar && best-second >= 0.1
}

// likeness returns the similarity of two short texts from 0 to 1: the better of shared letter pairs
// and, for a text that names a label by some of its words, shared words. One word of a
// separate request names nothing ("What do I do next?").
func likeness(text, label string) float64 {
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

// maxAnswer is the most words of an answer in free words.
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

// wrap adds to an error what was attempted, once.
func wrap(what string, err error) error {
	if err == nil || errors.Is(err, memory.ErrFenced) {
		return err
	}
	return fmt.Errorf("bot: %s: %w", what, err)
}

// form returns the field that "Something else" opens for the person whom the question asks. From
// then on their next message in the conversation is an answer as well.
func (b *Bot) form(ctx context.Context, click platform.Event) (*platform.Form, error) {
	token, ok := strings.CutSuffix(click.Action, ":"+strconv.Itoa(choiceElse))
	if !ok || !platform.Chooses(token) {
		return nil, nil
	}
	q, err := b.Store.Queue.QuestionByToken(ctx, strings.TrimPrefix(token, platform.QuestionPrefix))
	if gone(err) || err == nil && q.State != memory.QuestionOpen {
		return nil, nil
	}
	if err != nil {
		return nil, wrap("find question", err)
	}
	asked, err := b.Store.Person(ctx, q.PersonID)
	if gone(err) || err == nil && asked.PlatformID != click.Author.ID {
		return nil, nil
	}
	if err != nil {
		return nil, wrap("look who is asked", err)
	}
	if err := b.Store.Queue.AwaitFreeAnswer(ctx, q.ID); err != nil {
		return nil, wrap("await an answer", err)
	}
	w := b.wordsIn(ctx, q.SessionID, q.PersonID, click.Author.Locale, q.Text)
	return &platform.Form{Title: w.Beside(q.Text).SomethingElse, Label: w.TypeIt, Hint: q.Text}, nil
}
