package platform

import (
	"strconv"
	"strings"
)

// StopAction is the action of a button that stops the running turn, ListenOffAction of one that has us answer
// only mentions in its thread.
const (
	StopAction      = "stop"
	ListenOffAction = "listen:off"
)

// Prefixes of the other actions of buttons, before what each is about. They are opaque to
// platforms and to people; what they may do is decided by package bot, from the store.
const (
	RetryPrefix    = "retry:"
	QuestionPrefix = "q:"
	FeedbackPrefix = "fb:"
	ReasonPrefix   = "why:"
	PagePrefix     = "page:"
	ForgetPrefix   = "forget:"
)

// Feedback is what a person thinks of an answer.
type Feedback string

const (
	Helpful   Feedback = "helpful"
	Unhelpful Feedback = "unhelpful"
)

// FeedbackAction is the action of a feedback button under the post with this nonce.
func FeedbackAction(nonce string, f Feedback) string { return FeedbackPrefix + nonce + ":" + string(f) }

// Reason is why somebody found an answer unhelpful.
type Reason string

const (
	Wrong       Reason = "wrong"
	Unsupported Reason = "unsupported" // the document does not say it
	TooLong     Reason = "too_long"
	OffTopic    Reason = "off_topic"
)

// Reasons are all there are, in the order in which they are offered.
var Reasons = []Reason{Wrong, Unsupported, TooLong, OffTopic}

// ReasonAction is the action of a button that says why the answer under the post with this nonce is unhelpful.
func ReasonAction(nonce string, r Reason) string { return ReasonPrefix + nonce + ":" + string(r) }

// PageAction is the action of a "Show page" button: citation n of the post with this nonce.
func PageAction(nonce string, n int) string { return PagePrefix + nonce + ":" + strconv.Itoa(n) }

func QuestionAction(token string, choice int) string {
	return QuestionPrefix + token + ":" + strconv.Itoa(choice)
}

// clicked is the nonce of the answer an action names, "" if it names none.
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
