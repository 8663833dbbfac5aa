package slack

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"time"

	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory/reading"
)

const (
	missedLimit  = 200                    // messages of one conversation, and of one answer
	optionalWait = 500 * time.Millisecond // between two attempts to make an optional request
)

// readGap reads a conversation as far as Slack's limits leave room beside the turns
// (https://docs.slack.dev/reference/methods/conversations.replies: the message a thread
// began on is included whatever times are asked for, and the earliest come first). Of a top, whose
// latest messages come first, it reads at least missedRoots. Of a part it reads one page.
func (a *Adapter) readGap(ctx context.Context, g *kit.Gap) (s kit.Span[message], err error) {
	method, form := listing(spot{g.Key.Channel, g.Key.Thread}, missedLimit, "")
	if g.Key.Thread != "" {
		form.Set("oldest", g.After)
	}
	if g.Until != "" {
		form.Set("latest", g.Until)
		form.Set("inclusive", "true")
	}
	shown := stamp(time.Now().Add(-shownFor))
	s.Since, g.Settled = g.After, cmp.Or(g.Settled, stamp(time.Now()))
	cut := false
	for more := true; more; {
		var answer page
		if err := a.readOptional(ctx, method, form, &answer); err != nil {
			// What a thread began on may have been deleted before anybody replied
			// (https://github.com/slackapi/bolt-js/issues/2307).
			s.Gone = errorCode(err) == "thread_not_found" && (slices.Contains(g.Known, g.Key.Thread) && g.Key.Thread > g.After || g.Until != "" && g.Key.Thread > shown)
			s.Unshown = errorCode(err) == "thread_not_found" && g.Whole && tooOld(g)
			if s.Said = nil; s.Gone || s.Unshown {
				err = nil
			}
			return s, err
		}
		for _, m := range answer.Messages {
			if !slices.ContainsFunc(s.Said, func(o message) bool { return o.TS == m.TS }) {
				s.Said = append(s.Said, m) // replies may begin with the root, each time
			}
		}
		far := g.Key.Thread == "" && (len(s.Said) >= missedRoots || g.Until != "" && len(s.Said) > 0) && s.Said[len(s.Said)-1].TS <= g.After
		cut = answer.More && !far && (answer.Metadata.Cursor == "" || len(s.Said) >= missedLimit && !g.Whole)
		more = answer.More && !far && !cut
		form.Set("cursor", answer.Metadata.Cursor)
		if g.Until != "" && answer.More && !far {
			return kit.Span[message]{}, kit.ErrTooLong
		}
	}
	slices.SortFunc(s.Said, func(x, y message) int { return cmp.Compare(x.TS, y.TS) })
	if cut && len(s.Said) > 0 {
		a.Log.Warn("missed more messages than can be read", "channel", g.Key.Channel, "messages", len(s.Said))
		s.Until = s.Said[len(s.Said)-1].TS
		if g.Key.Thread == "" { // a channel's messages come latest first, replies oldest first
			s.Since = max(s.Since, s.Said[0].TS)
		}
	}
	if g.Whole {
		s.Unshown = len(s.Said) == 0 && tooOld(g)
		if len(s.Said) > 0 && s.Said[0].TS > shown {
			s.Since = max(s.Since, shown)
		}
	}
	return s, nil
}

// shownFor is how far back Slack shows messages to workspaces that do not pay. What is older and not
// shown may be there all the same.
const shownFor = 90 * 24 * time.Hour

func tooOld(g *kit.Gap) bool {
	return slices.Max(slices.Concat(g.Known, g.Posts)) < stamp(time.Now().Add(-shownFor))
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
var isStamp = reading.Lazy(`^\d{10}\.\d{6}$`)

func stamp(t time.Time) string {
	n := t.UnixMicro()
	return fmt.Sprintf("%d.%06d", n/1e6, n%1e6)
}

func timeOf(ts string) time.Time {
	seconds, _ := strconv.ParseInt(ts[:10], 10, 64)
	micros, _ := strconv.ParseInt(ts[11:], 10, 64)
	return time.UnixMicro(seconds*1e6 + micros)
}

var stamps = kit.Clock{Valid: isStamp.MatchString, Time: timeOf, First: stamp}
