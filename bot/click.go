package bot

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"threadkeeper/agent"
	"threadkeeper/memory"
)

// Actions of buttons. They are opaque to platforms and to people; what they may
// do is decided here, from the store.
const (
	stopAction     = "stop"
	retryPrefix    = "retry:"
	questionPrefix = "q:"
	feedbackPrefix = "fb:"
	pagePrefix     = "page:"
)

// Feedback is what a person thinks of an answer.
type Feedback string

const (
	Helpful   Feedback = "helpful"
	Unhelpful Feedback = "unhelpful"
)

// FeedbackAction is the action of a feedback button under the post with this nonce.
func FeedbackAction(nonce string, f Feedback) string { return feedbackPrefix + nonce + ":" + string(f) }

// PageAction is the action of a "Show page" button: citation n of the post with this nonce.
func PageAction(nonce string, n int) string { return pagePrefix + nonce + ":" + strconv.Itoa(n) }

// StopAction is the action of a button that stops the running turn.
const StopAction = stopAction

func questionAction(token string, choice int) string {
	return questionPrefix + token + ":" + strconv.Itoa(choice)
}

// retryButton asks again what the post with this nonce answers.
func (w *wording) retryButton(nonce string) Button { return Button{w.retry, retryPrefix + nonce} }

// click carries out a button. One that is late, was clicked twice or belongs to
// somebody else changes nothing.
func (b *Bot) click(ctx context.Context, c *Call) (Outgoing, error) {
	action := c.Event.Action
	if action == stopAction {
		return stop(ctx, c)
	}
	if c.patient {
		early, err := b.Store.Unrecorded(ctx, c.Session.ChannelID, clicked(action), `"`+action+`"`)
		if err != nil {
			return Outgoing{}, wrap("look for the answer clicked", err)
		}
		if early {
			return Outgoing{}, errEarly
		}
	}
	switch {
	case strings.HasPrefix(action, retryPrefix):
		return retry(ctx, c)
	case strings.HasPrefix(action, feedbackPrefix):
		nonce, value, _ := strings.Cut(strings.TrimPrefix(action, feedbackPrefix), ":")
		if value != string(Helpful) && value != string(Unhelpful) || c.Person == nil {
			return Outgoing{}, nil
		}
		at := c.Event.At
		if at == 0 {
			at = c.row.CreatedAt
		}
		err := b.Store.Feedback(ctx, c.Session.ChannelID, nonce, c.Person.ID, value, at)
		if gone(err) { // erased, or a button from elsewhere
			return Outgoing{}, nil
		}
		if err != nil {
			return Outgoing{}, err
		}
		return c.aside(c.say.thanks), nil
	case strings.HasPrefix(action, pagePrefix):
		nonce, number, _ := strings.Cut(strings.TrimPrefix(action, pagePrefix), ":")
		n, err := strconv.Atoi(number)
		if err != nil {
			return Outgoing{}, nil
		}
		return b.showPage(ctx, c, nonce, n)
	case strings.HasPrefix(action, questionPrefix):
		token, choice, _ := strings.Cut(strings.TrimPrefix(action, questionPrefix), ":")
		n, err := strconv.Atoi(choice)
		if err != nil {
			return Outgoing{}, nil
		}
		return b.choose(ctx, c, token, n)
	}
	b.Log.Warn("unknown button", "platform", c.Event.Key.Platform)
	return Outgoing{}, nil
}

// errEarly ends the try of a click on a post that is shown but that its turn has not
// recorded yet. Asked before anything is looked for, it cannot be recorded in between.
var errEarly = errors.New("what was clicked is not recorded yet")

// clicked is the nonce of the answer an action names, "" if it names none.
func clicked(action string) string {
	for _, prefix := range []string{feedbackPrefix, pagePrefix, retryPrefix} {
		if rest, ok := strings.CutPrefix(action, prefix); ok {
			nonce, _, _ := strings.Cut(rest, ":")
			return nonce
		}
	}
	return ""
}

// Chooses reports whether an action answers a clarifying question.
func Chooses(action string) bool { return strings.HasPrefix(action, questionPrefix) }

// forAll lets a turn that a command asks for answer in the conversation. One that a
// click asks for does so by itself, unless what was clicked is seen by one person only.
func (r *request) forAll() {
	if r.Kind == EventCommand && r.Reply.EphemeralTo == "" {
		r.Reply.Interaction = ""
	}
}

// aside is a note for the one who clicked; where the platform cannot keep it
// between us it is not said.
func (c *Call) aside(text string) Outgoing {
	if p := c.Bot.byName(c.Event.Key.Platform); p == nil || !p.Limits().Ephemeral {
		return Outgoing{}
	}
	return Outgoing{Kind: KindNotice, Text: text}
}

// choose answers a clarifying question by its button.
func (b *Bot) choose(ctx context.Context, c *Call, token string, choice int) (Outgoing, error) {
	q, err := b.Store.QuestionByToken(ctx, token)
	if gone(err) {
		return c.aside(c.say.closed), nil
	}
	if err != nil {
		return Outgoing{}, wrap("find question", err)
	}
	asked, err := b.Store.Message(ctx, q.MessageID)
	if err != nil {
		return Outgoing{}, wrap("find the question's message", err)
	}
	answer, text, as := "", "", choice // what the question keeps, what the person says, how it is read
	switch {
	case asked.ChannelID != c.Session.ChannelID: // a button from elsewhere
		return Outgoing{}, nil
	case c.Person == nil || c.Person.ID != q.PersonID:
		return c.aside(c.say.notYours), nil
	case q.State != memory.QuestionOpen:
		return c.aside(c.say.closed), nil
	case choice == choiceElse && strings.TrimSpace(c.Event.Args) != "":
		answer, text, as = inWords, c.Event.Args, agent.ChoiceNone
	case choice == choiceElse:
		if err := b.Store.Await(ctx, q.ID); err != nil {
			return Outgoing{}, wrap("await an answer", err)
		}
		return Outgoing{Kind: KindNotice, Text: c.say.typeIt}, nil
	case choice == agent.ChoiceJustAnswer:
		answer, text = c.say.justAnswer, c.say.justAnswer
	case choice >= 0 && choice < len(q.Options):
		answer, text = q.Options[choice].Label, q.Options[choice].Label
	default:
		return Outgoing{}, nil
	}
	r := request{Event: c.Event, Question: q.ID, Choice: as}
	r.Args = "" // the message says it
	r.forAll()
	done, err := b.Store.Choose(ctx, c.row.ID, q, answer, text, c.Person.Name, r.encode())
	if err != nil {
		return Outgoing{}, fmt.Errorf("bot: answer question: %w", err)
	}
	if !done {
		return c.aside(c.say.closed), nil
	}
	return Outgoing{}, errQueued
}
