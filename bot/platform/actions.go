package platform

import (
	"strconv"
	"strings"
)

// StopAction is the action of a button that stops the running turn. ListenOffAction makes us answer
// only mentions in the button's thread.
const (
	StopAction      = "stop"
	ListenOffAction = "listen:off"
)

// Prefixes of the other button actions; the subject of the action follows. They are opaque to
// platforms and to people; package bot decides from the store what they may do.
const (
	RetryPrefix    = "retry:"
	QuestionPrefix = "q:"
	FeedbackPrefix = "fb:"
	ReasonPrefix   = "why:"
	PagePrefix     = "page:"
	ForgetPrefix   = "forget:"
	WithinPrefix   = "in:"
)

// Feedback is a person's opinion of an answer.
type Feedback string

const (
	Helpful   Feedback = "helpful"
	Unhelpful Feedback = "unhelpful"
)

// FeedbackAction returns the action of a feedback button under the post with this nonce.
func FeedbackAction(nonce string, f Feedback) string { return FeedbackPrefix + nonce + ":" + string(f) }

// Reason says why somebody found an answer unhelpful.
type Reason string

const (
	Wrong       Reason = "wrong"
	Unsupported Reason = "unsupported" // the document does not say it
	TooLong     Reason = "too_long"
	OffTopic    Reason = "off_topic"
)

// Reasons lists all of them in the order they are offered.
var Reasons = []Reason{Wrong, Unsupported, TooLong, OffTopic}

// ReasonAction returns the action of a button that says why the answer under the post with this nonce is unhelpful.
func ReasonAction(nonce string, r Reason) string { return ReasonPrefix + nonce + ":" + string(r) }

// PageAction returns the action of a "Show page" button: citation n of the post with this nonce.
func PageAction(nonce string, n int) string { return PagePrefix + nonce + ":" + strconv.Itoa(n) }

// WithinAction returns the action of a button that gives a command in the conversation with this number.
func WithinAction(session int64, command string) string {
	return WithinPrefix + strconv.FormatInt(session, 10) + ":" + command
}

// QuestionAction returns the action of a button that answers the question with this token with this choice.
func QuestionAction(token string, choice int) string {
	return QuestionPrefix + token + ":" + strconv.Itoa(choice)
}

// ActionNonce returns the nonce of the answer an action names, "" if it names none.
func ActionNonce(action string) string {
	for _, prefix := range []string{FeedbackPrefix, ReasonPrefix, PagePrefix, RetryPrefix} {
		if rest, ok := strings.CutPrefix(action, prefix); ok {
			nonce, _, _ := strings.Cut(rest, ":")
			return nonce
		}
	}
	return ""
}

// Chooses reports whether an action answers a clarifying question.
func Chooses(action string) bool { return strings.HasPrefix(action, QuestionPrefix) }
