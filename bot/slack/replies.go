package slack

import (
	"context"
	"slices"
	"time"
)

// Slack lists the replies of a thread from the earliest on, within times asked for, and
// the message it began on in any case
// (https://docs.slack.dev/reference/methods/conversations.replies). The latest, which
// matter most, are had by asking for one stretch of time after the other, backwards.
const (
	stretchPages = 3           // a stretch should hold
	stretchMost  = 4           // pages; with these and more to come a shorter one is asked for
	shortest     = time.Second // stretch
)

// stretch is a part of a thread that is being read.
type stretch struct {
	low, high string // the first and the last ts; high is "" for the whole thread
	page      int    // messages that Slack gives at once
	span      time.Duration
	messages  []message
	cursor    string
}

// readReplies reads the next page of a thread; messages later than after are wanted.
func (a *Adapter) readReplies(ctx context.Context, where spot, after string, at *historyRead) error {
	s := &at.stretch
	method, form := listing(where, pageSize, s.cursor)
	switch {
	case s.high != "":
		form.Set("oldest", s.low)
		form.Set("latest", s.high)
		form.Set("inclusive", "true")
	case after != "":
		form.Set("oldest", after)
	}
	var answer page
	if err := a.readWithinLimits(ctx, method, form, &answer); err != nil {
		return err
	}
	begun := s.low != ""
	s.messages = append(s.messages, answer.Messages...)
	s.cursor = answer.Metadata.Cursor
	more := answer.More && s.cursor != ""
	switch {
	case !begun && more && len(answer.Messages) > 0 && isStamp.MatchString(answer.Messages[0].TS):
		at.begin(answer.Messages[0], len(answer.Messages), after)
	case begun && more && s.high != "" && len(s.messages) >= stretchMost*s.page && s.span > shortest:
		s.to(s.high, s.span/8, at.floor)
	case !more:
		at.add(s.messages, after)
		if at.done = !begun || s.low <= at.floor; !at.done {
			if len(s.messages) < stretchPages*s.page/2 {
				s.span *= 2
			}
			s.to(s.low, s.span, at.floor)
		}
	}
	return nil
}

// begin chooses the first stretch of a thread with more than one page, for so many messages: all of
// it, or as long before its latest reply as such a number of replies took on the average.
func (at *historyRead) begin(root message, page int, after string) {
	s := &at.stretch
	s.page = page
	at.floor = max(root.TS, after)
	if s.low = at.floor; root.Replies <= stretchPages*page || !isStamp.MatchString(root.Latest) {
		return
	}
	at.add([]message{root}, after)
	s.to(root.Latest, timeOf(root.Latest).Sub(timeOf(root.TS))/time.Duration(root.Replies)*time.Duration(stretchPages*page), at.floor)
}

// to makes it the stretch that ends at high.
func (s *stretch) to(high string, span time.Duration, floor string) {
	span = max(span, shortest)
	*s = stretch{low: max(floor, stamps.Before(high, span)), high: high, span: span, page: s.page}
}

// add keeps messages later than after, each once: stretches meet in one, and every answer
// may begin with the root.
func (at *historyRead) add(messages []message, after string) {
	for _, m := range messages {
		if m.TS > after && !slices.ContainsFunc(at.messages, func(o message) bool { return o.TS == m.TS }) {
			at.messages = append(at.messages, m)
		}
	}
}
