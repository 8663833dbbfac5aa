package slack

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"time"

	"threadkeeper/bot/platform/kit"
)

const (
	missedLimit  = 200                    // messages of one conversation, and of one answer
	optionalWait = 500 * time.Millisecond // between two attempts to make an optional request
)

// span is the part of a gap that was read, oldest first: complete after since and up to until, if that
// is not "".
type span struct {
	said         []message
	since, until string
	gone         bool // the thread is not found
}

// lacks reports whether a message was not found where it should be. An empty response proves nothing.
func (s span) lacks(id string) bool {
	return (s.gone || len(s.said) > 0) && id > s.since && (s.until == "" || id <= s.until) &&
		!slices.ContainsFunc(s.said, func(m message) bool { return m.TS == id || m.TS == "" })
}

// readGap reads a conversation as far as Slack's limits leave room beside the turns
// (https://docs.slack.dev/reference/methods/conversations.replies: the message a thread
// began on is included whatever times are asked for, and the earliest come first). Of a top, whose
// latest messages come first, it reads at least missedRoots.
func (a *Adapter) readGap(ctx context.Context, g *gap) (span, error) {
	form := url.Values{"channel": {g.at.channel}, "limit": {strconv.Itoa(missedLimit)}}
	method := "conversations.history"
	if g.at.thread != "" {
		method = "conversations.replies"
		form.Set("ts", g.at.thread)
		form.Set("oldest", g.readAfter)
	}
	s := span{since: g.readAfter}
	for {
		var answer page
		if err := a.readOptional(ctx, method, form, &answer); err != nil {
			if errorCode(err) == "thread_not_found" && slices.Contains(g.known, g.at.thread) && g.at.thread > g.readAfter {
				// What it began on was deleted before anybody replied
				// (https://github.com/slackapi/bolt-js/issues/2307).
				return span{since: g.readAfter, gone: true}, nil
			}
			return span{}, err
		}
		for _, m := range answer.Messages {
			if !slices.ContainsFunc(s.said, func(o message) bool { return o.TS == m.TS }) {
				s.said = append(s.said, m) // replies may begin with the root, each time
			}
		}
		far := g.at.thread == "" && len(s.said) >= missedRoots && s.said[len(s.said)-1].TS <= g.readAfter
		cut := answer.More && !far && (answer.Metadata.Cursor == "" || len(s.said) >= missedLimit && !g.whole)
		if answer.More && !far && !cut {
			form.Set("cursor", answer.Metadata.Cursor)
			continue
		}
		slices.SortFunc(s.said, func(x, y message) int { return cmp.Compare(x.TS, y.TS) })
		if cut && len(s.said) > 0 {
			a.Log.Warn("missed more messages than can be read", "channel", g.at.channel, "messages", len(s.said))
			s.until = s.said[len(s.said)-1].TS
			if g.at.thread == "" { // a channel's messages come latest first, replies oldest first
				s.since = max(s.since, s.said[0].TS)
			}
		}
		return s, nil
	}
}

// readOptional makes a request that no turn waits for.
func (a *Adapter) readOptional(ctx context.Context, method string, form url.Values, out any) error {
	for {
		made, err := a.callOptional(ctx, method, "", a.readRequest(method, form, out))
		if made {
			return err
		}
		if err := kit.Pause(ctx, optionalWait); err != nil {
			return err
		}
	}
}

// isStamp matches the message ids of Slack: seconds and microseconds.
var isStamp = regexp.MustCompile(`^\d{10}\.\d{6}$`)

// stamp returns the ts of a time.
func stamp(t time.Time) string {
	n := t.UnixMicro()
	return fmt.Sprintf("%d.%06d", n/1e6, n%1e6)
}

// timeOf returns the time of a ts that isStamp matches.
func timeOf(ts string) time.Time {
	seconds, _ := strconv.ParseInt(ts[:10], 10, 64)
	micros, _ := strconv.ParseInt(ts[11:], 10, 64)
	return time.UnixMicro(seconds*1e6 + micros)
}

// before returns the ts of a time before another.
func before(ts string, d time.Duration) string { return stamp(timeOf(ts).Add(-d)) }
