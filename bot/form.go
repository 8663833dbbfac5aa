package bot

import (
	"context"
	"strconv"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// form is the field that "Something else" opens for the one whom its question asks. From
// then on what they type in the conversation is an answer as well.
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
	return &platform.Form{Title: w.SomethingElse, Label: w.TypeIt, Hint: q.Text}, nil
}
