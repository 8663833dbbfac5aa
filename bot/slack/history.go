package slack

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
)

const (
	pageSize    = 999 // messages in one answer, the most that Slack gives; to apps that are distributed it gives 15
	maxProgress = 64  // conversations whose history is being read
	progressAge = time.Hour
)

// History returns the messages of a conversation from since on: the last
// limit messages, of a thread with its root as the first of them. It waits for Slack's
// limits as far as ctx allows. If that is not enough it returns what it has and a *platform.RetryError; the next
// call for the conversation continues where this one stopped.
func (a *Adapter) History(ctx context.Context, key memory.Key, since int64, limit int) (platform.Past, error) {
	us, err := a.identify(ctx)
	if err != nil {
		return platform.Past{}, err
	}
	after := ""
	if since > 0 {
		after = stamp(time.UnixMilli(since).Add(-time.Microsecond))
	}
	at := a.history.take(historyKey{key, after})
	for !at.done && (key.Thread != "" || len(at.messages) < limit) && err == nil { // Slack lists replies from the earliest on
		err = a.readPage(ctx, key, after, at)
	}
	if err != nil {
		a.history.put(historyKey{key, after}, at)
	}
	messages := slices.SortedFunc(slices.Values(at.messages), func(x, y message) int { return cmp.Compare(x.TS, y.TS) })
	spare := len(messages) - limit
	if spare > 0 && messages[0].TS == key.Thread {
		messages = slices.Delete(messages, 1, 1+spare)
	} else if spare > 0 {
		messages = messages[spare:]
	}
	r := reader{us: us, agentView: a.AgentView}
	past := platform.Past{Whole: at.done && spare <= 0}
	for _, m := range messages {
		if ev := r.past(key, m); ev != nil {
			ev.Text = a.namesFor(ctx, us, true).markdown(ev.Text)
			if !ev.Ours {
				ev.Author = a.authorOf(ctx, ev.Author, true)
			}
			past.Events = append(past.Events, *ev)
		}
	}
	return past, err
}

// past is the event of a message that was said before we were there, nil for one
// that nobody said.
func (r reader) past(key memory.Key, m message) *platform.Event {
	ours := r.ours(m)
	if !ours && r.unsaid(m) != "" || ours && !spoken[m.Subtype] {
		return nil
	}
	ev := r.event(platform.EventMessage, m, key.Channel, "")
	ev.ID, ev.Key, ev.Opens, ev.Joined = "msg:"+r.us.Team+":"+key.Channel+":"+m.TS, key, "", false
	if ours {
		ev.Ours, ev.Mention, ev.Author = true, false, platform.Author{}
		return ev
	}
	ev.Files = files(m)
	if key.Thread == "" && m.Replies > 0 {
		ev.Replied = millis(m.Latest)
	}
	return ev
}

type page struct {
	Messages list[message] `json:"messages"`
	More     bool          `json:"has_more"`
	Metadata struct {
		Cursor string `json:"next_cursor"`
	} `json:"response_metadata"`
}

func listing(at spot, limit int, cursor string) (method string, form url.Values) {
	method, form = "conversations.history", url.Values{"channel": {at.channel}, "limit": {strconv.Itoa(limit)}}
	if at.thread != "" {
		method = "conversations.replies"
		form.Set("ts", at.thread)
	}
	if cursor != "" {
		form.Set("cursor", cursor)
	}
	return method, form
}

func (a *Adapter) readPage(ctx context.Context, key memory.Key, after string, at *historyRead) error {
	method, form := listing(spot{key.Channel, key.Thread}, pageSize, at.cursor)
	if after != "" {
		form.Set("oldest", after)
	}
	var answer page
	if err := a.readWithinLimits(ctx, method, form, &answer); err != nil {
		return err
	}
	for _, m := range answer.Messages {
		if m.TS > after && (m.TS != key.Thread || len(at.messages) == 0) { // each page may begin with the root
			at.messages = append(at.messages, m)
		}
	}
	at.cursor = answer.Metadata.Cursor
	at.done = !answer.More || at.cursor == ""
	return nil
}

// readWithinLimits is read, made again when Slack allows it if that is before ctx ends.
func (a *Adapter) readWithinLimits(ctx context.Context, method string, form url.Values, out any) error {
	for {
		err := a.read(ctx, method, form, out)
		var later *platform.RetryError
		if !errors.As(err, &later) {
			return err
		}
		if end, ok := ctx.Deadline(); ok && time.Now().Add(later.After).After(end) {
			return err
		}
		if kit.Pause(ctx, later.After) != nil {
			return err
		}
	}
}

type historyRead struct {
	messages []message
	cursor   string
	done     bool
	since    time.Time
}

type readsInProgress struct {
	mu  sync.Mutex
	all map[historyKey]*historyRead
}

type historyKey struct {
	key   memory.Key
	after string
}

func (p *readsInProgress) take(b historyKey) *historyRead {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.all[b]
	delete(p.all, b)
	if at == nil || time.Since(at.since) > progressAge {
		return &historyRead{since: time.Now()}
	}
	return at
}

func (p *readsInProgress) put(b historyKey, at *historyRead) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == nil || len(p.all) >= maxProgress {
		p.all = make(map[historyKey]*historyRead)
	}
	p.all[b] = at
}
