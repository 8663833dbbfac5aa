package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/agent"
	"threadkeeper/bot/hearing"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

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
		platform.Button{Label: beside.SomethingElse, Action: platform.QuestionAction(q.Token, hearing.ChoiceElse)},
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
	case hearing.SaysJustAnswer(q.Answer):
		outcome = w.Beside(q.Text).JustAnswer
	case slices.ContainsFunc(q.Options, func(o memory.Option) bool { return o.Label == q.Answer }):
		outcome = q.Answer
	}
	return &platform.Outgoing{Nonce: nonce, Kind: platform.KindReply, Text: m.Text + "\n\n→ " + outcome}, nil
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
			choice, _ := hearing.ReadAnswer(q, last.Text)
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
	choice, answered := hearing.ReadAnswer(q, last.Text)
	if choice == hearing.ChoiceElse {
		return q, choice, wrap("await an answer", b.Store.Queue.AwaitFreeAnswer(ctx, q.ID))
	}
	if !answered {
		_, err := b.Store.Queue.CloseQuestion(ctx, q.ID, "", memory.QuestionCancelled)
		return nil, agent.ChoiceNone, wrap("cancel question", err)
	}
	t.request.Question, t.request.Choice = q.ID, choice
	row := t.rows[len(t.rows)-1]
	a := memory.QuestionAnswer{Question: q, Row: row.ID, Answer: hearing.AnswerWord(q, choice), Payload: t.request.encode()}
	if err := b.Store.Queue.AnswerByMessage(ctx, t.lease, a, last); err != nil {
		return nil, agent.ChoiceNone, err
	}
	return q, choice, nil
}

func wrap(what string, err error) error {
	if err == nil || errors.Is(err, memory.ErrFenced) {
		return err
	}
	return fmt.Errorf("bot: %s: %w", what, err)
}

// form returns the field that "Something else" opens for the person whom the question asks. From
// then on their next message in the conversation is an answer as well.
func (b *Bot) form(ctx context.Context, click platform.Event) (*platform.Form, error) {
	token, ok := strings.CutSuffix(click.Action, ":"+strconv.Itoa(hearing.ChoiceElse))
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
