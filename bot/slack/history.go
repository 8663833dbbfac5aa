package slack

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"threadkeeper/bot"
	"threadkeeper/memory"
)

const (
	pageSize    = 15 // messages in one answer; apps that are distributed get no more
	maxProgress = 64 // conversations whose history is being read
	progressAge = time.Hour
)

// History is what was said in a conversation: of a thread the first limit messages
// after the one with ts after, root included; of a channel or direct message the last.
// It waits for Slack's limits as far as ctx allows. When that is not far enough it
// returns a *bot.RetryError, and the next call for the conversation goes on where
// this one ended.
func (a *Adapter) History(ctx context.Context, key memory.Key, after string, limit int) ([]bot.Event, error) {
	us, err := a.identify(ctx)
	if err != nil {
		return nil, err
	}
	at := a.past.take(begun{key, after})
	for !at.done && len(at.messages) < limit {
		if err := a.page(ctx, key, after, at); err != nil {
			a.past.keep(begun{key, after}, at)
			return nil, err
		}
	}
	messages := at.messages
	if key.Thread == "" {
		slices.Reverse(messages) // conversations.history begins with the latest
		messages = messages[max(0, len(messages)-limit):]
	}
	messages = messages[:min(len(messages), limit)]
	r := reader{us: us, agentView: a.AgentView}
	var events []bot.Event
	for _, m := range messages {
		if ev := r.past(key, m); ev != nil {
			ev.Text = a.names(ctx, us, true).markdown(ev.Text)
			if !ev.Ours {
				ev.Author = a.person(ctx, ev.Author.ID, true)
			}
			events = append(events, *ev)
		}
	}
	return events, nil
}

// past is the event of a message that was said before we were there, nil for one
// that no person said and neither did we.
func (r reader) past(key memory.Key, m message) *bot.Event {
	ours := r.ours(m)
	if !ours && r.unsaid(m) != "" || ours && !spoken[m.Subtype] && m.Subtype != "bot_message" {
		return nil
	}
	ev := r.event(bot.EventMessage, m, key.Channel, "")
	ev.ID, ev.Key, ev.Opens, ev.Joined = "msg:"+r.us.Team+":"+key.Channel+":"+m.TS, key, "", false
	if ours {
		ev.Ours, ev.Mention, ev.Author = true, false, bot.Author{}
		return ev
	}
	ev.Files = files(m)
	return ev
}

// page is one answer of conversations.history and conversations.replies.
type page struct {
	Messages list[message] `json:"messages"`
	More     bool          `json:"has_more"`
	Metadata struct {
		Cursor string `json:"next_cursor"`
	} `json:"response_metadata"`
}

// page reads the next messages of a conversation.
func (a *Adapter) page(ctx context.Context, key memory.Key, after string, at *reading) error {
	form := url.Values{"channel": {key.Channel}, "limit": {strconv.Itoa(pageSize)}}
	method := "conversations.history"
	if key.Thread != "" {
		method = "conversations.replies"
		form.Set("ts", key.Thread)
	}
	if after != "" {
		form.Set("oldest", after)
	}
	if at.cursor != "" {
		form.Set("cursor", at.cursor)
	}
	var answer page
	for {
		err := a.read(ctx, method, form, &answer)
		var later *bot.RetryError
		if !errors.As(err, &later) {
			if err != nil {
				return err
			}
			break
		}
		if end, ok := ctx.Deadline(); ok && time.Now().Add(later.After).After(end) {
			return err
		}
		if bot.Pause(ctx, later.After) != nil {
			return err
		}
	}
	for _, m := range answer.Messages {
		if m.TS > after && !slices.ContainsFunc(at.messages, func(o message) bool { return o.TS == m.TS }) {
			at.messages = append(at.messages, m) // replies may begin with the root, each time
		}
	}
	at.cursor = answer.Metadata.Cursor
	at.done = !answer.More || at.cursor == ""
	return nil
}

// reading is how far the history of a conversation was read.
type reading struct {
	messages []message
	cursor   string
	done     bool
	since    time.Time
}

// progress keeps readings that Slack's limits cut short.
type progress struct {
	mu  sync.Mutex
	all map[begun]*reading
}

// begun names a reading.
type begun struct {
	key   memory.Key
	after string
}

// take removes what is kept of a reading, or begins it.
func (p *progress) take(b begun) *reading {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := p.all[b]
	delete(p.all, b)
	if at == nil || time.Since(at.since) > progressAge {
		return &reading{since: time.Now()}
	}
	return at
}

func (p *progress) keep(b begun, at *reading) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.all == nil || len(p.all) >= maxProgress {
		p.all = make(map[begun]*reading)
	}
	p.all[b] = at
}
