package bot

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"threadkeeper/agent"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// retryButton asks again what the post with this nonce answers.
func retryButton(w *say.Words, nonce string) platform.Button {
	return platform.Button{Label: w.Retry, Action: platform.RetryPrefix + nonce}
}

// click carries out a button. One that is late, was clicked twice or belongs to
// somebody else changes nothing.
func (b *Bot) click(ctx context.Context, c *call) (platform.Outgoing, error) {
	action := c.Event.Action
	if action == platform.StopAction {
		return stop(ctx, c)
	}
	if c.retryable {
		early, err := b.Store.Queue.OutboxHasUnrecorded(ctx, c.Session.ChannelID, platform.ActionNonce(action), `"`+action+`"`)
		if err != nil {
			return platform.Outgoing{}, wrap("look for the answer clicked", err)
		}
		if early {
			return platform.Outgoing{}, errNotRecordedYet
		}
	}
	switch {
	case strings.HasPrefix(action, platform.RetryPrefix):
		return retry(ctx, c)
	case strings.HasPrefix(action, platform.FeedbackPrefix):
		nonce, value, _ := strings.Cut(strings.TrimPrefix(action, platform.FeedbackPrefix), ":")
		if value != string(platform.Helpful) && value != string(platform.Unhelpful) || c.Person == nil {
			return platform.Outgoing{}, nil
		}
		at := c.Event.At
		if at == 0 {
			at = c.row.CreatedAt
		}
		err := b.Store.SetFeedback(ctx, memory.Feedback{Channel: c.Session.ChannelID, Nonce: nonce, Person: c.Person.ID, Value: value, At: at})
		if gone(err) { // erased, or a button from elsewhere
			return platform.Outgoing{}, nil
		}
		if err != nil {
			return platform.Outgoing{}, err
		}
		return c.aside(c.say.Thanks), nil
	case strings.HasPrefix(action, platform.ForgetPrefix):
		return c.forgetClicked(ctx)
	case strings.HasPrefix(action, platform.PagePrefix):
		nonce, number, _ := strings.Cut(strings.TrimPrefix(action, platform.PagePrefix), ":")
		n, err := strconv.Atoi(number)
		if err != nil {
			return platform.Outgoing{}, nil
		}
		return b.showPage(ctx, c, nonce, n)
	case strings.HasPrefix(action, platform.QuestionPrefix):
		token, choice, _ := strings.Cut(strings.TrimPrefix(action, platform.QuestionPrefix), ":")
		n, err := strconv.Atoi(choice)
		if err != nil {
			return platform.Outgoing{}, nil
		}
		return b.choose(ctx, c, token, n)
	}
	b.Log.Warn("unknown button", "platform", c.Event.Key.Platform)
	return platform.Outgoing{}, nil
}

// errNotRecordedYet ends the try of a click on a post that is shown but that its turn has not
// recorded yet. Asked before anything is looked for, it cannot be recorded in between.
var errNotRecordedYet = errors.New("what was clicked is not recorded yet")

// forAll lets a turn that a command asks for answer in the conversation. One that a
// click asks for does so by itself, unless what was clicked is seen by one person only.
func (r *request) forAll() {
	if r.Kind == platform.EventCommand && r.Reply.EphemeralTo == "" {
		r.Reply.Interaction = ""
	}
}

// aside is a note for the one who clicked; where the platform cannot keep it
// between us it is not said.
func (c *call) aside(text string) platform.Outgoing {
	if p := c.Bot.byName(c.Event.Key.Platform); p == nil || !p.Limits().Ephemeral {
		return platform.Outgoing{}
	}
	return platform.Outgoing{Kind: platform.KindNotice, Text: text}
}

// choose answers a clarifying question by its button.
func (b *Bot) choose(ctx context.Context, c *call, token string, choice int) (platform.Outgoing, error) {
	q, err := b.Store.Queue.QuestionByToken(ctx, token)
	if gone(err) {
		return c.aside(c.say.Closed), nil
	}
	if err != nil {
		return platform.Outgoing{}, wrap("find question", err)
	}
	asked, err := b.Store.Message(ctx, q.MessageID)
	if err != nil {
		return platform.Outgoing{}, wrap("find the question's message", err)
	}
	answer, text, as := "", "", choice // what the question keeps, what the person says, how it is read
	switch {
	case asked.ChannelID != c.Session.ChannelID: // a button from elsewhere
		return platform.Outgoing{}, nil
	case c.Person == nil || c.Person.ID != q.PersonID:
		return c.aside(c.say.NotYours), nil
	case q.State != memory.QuestionOpen:
		return c.aside(c.say.Closed), nil
	case choice == choiceElse && strings.TrimSpace(c.Event.Args) != "":
		answer, text, as = inWords, c.Event.Args, agent.ChoiceNone
	case choice == choiceElse:
		if err := b.Store.Queue.AwaitFreeAnswer(ctx, q.ID); err != nil {
			return platform.Outgoing{}, wrap("await an answer", err)
		}
		return platform.Outgoing{Kind: platform.KindNotice, Text: c.say.TypeIt}, nil
	case choice == agent.ChoiceJustAnswer:
		answer, text = c.say.JustAnswer, c.say.JustAnswer
	case choice >= 0 && choice < len(q.Options):
		answer, text = q.Options[choice].Label, q.Options[choice].Label
	default:
		return platform.Outgoing{}, nil
	}
	r := request{Event: c.Event, Question: q.ID, Choice: as}
	r.Args = "" // the message says it
	r.forAll()
	done, err := b.Store.Queue.AnswerByClick(ctx, memory.QuestionAnswer{Question: q, Row: c.row.ID, Answer: answer, Payload: r.encode()},
		memory.Message{Author: c.Person.Name, Text: text})
	if err != nil {
		return platform.Outgoing{}, fmt.Errorf("bot: answer question: %w", err)
	}
	if !done {
		return c.aside(c.say.Closed), nil
	}
	return platform.Outgoing{}, errQueued
}
