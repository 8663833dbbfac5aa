package slack

import (
	"context"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	slackapi "github.com/slack-go/slack"

	"threadkeeper/memory"
)

// guestsFor is how long the list of a workspace's guests is used: those who come to a channel of ours later are reported.
const guestsFor = 10 * time.Minute

// guests are the guests of our workspace. The list of all its people may take longer than one request has time for: the
// next one continues it.
type guests struct {
	outdated atomic.Bool // the list has to be read again

	mu    sync.Mutex // held while the list is read
	form  url.Values // of the next page, nil if none is to be read
	ids   []string
	since time.Time // when the reading of the list began
}

// Guests returns the guests in a channel. The list of all may be older than those that are known.
func (a *Adapter) Guests(ctx context.Context, key memory.Key, known []string) (in []string, err error) {
	all, err := a.allGuests(ctx)
	if all = slices.Concat(all, known); err != nil || len(all) == 0 {
		return nil, err
	}
	err = readList(ctx, a, "conversations.members", "members", url.Values{"channel": {key.Channel}}, func(page []string) bool {
		in = append(in, slices.DeleteFunc(page, func(id string) bool { return !slices.Contains(all, id) })...)
		return true
	})
	return in, err
}

func (a *Adapter) allGuests(ctx context.Context) ([]string, error) {
	us, err := a.identify(ctx)
	if err != nil {
		return nil, err
	}
	g := &a.guests
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.outdated.Swap(false) || time.Since(g.since) > guestsFor {
		g.form, g.ids, g.since = url.Values{}, nil, time.Now()
	}
	if g.form == nil {
		return g.ids, nil
	}
	err = readList(ctx, a, "users.list", "members", g.form, func(page []slackapi.User) bool {
		for _, u := range page {
			if !u.Deleted && member(u.ID, &u, us.Team).Kind == memory.Guest {
				g.ids = append(g.ids, u.ID)
			}
		}
		return true
	})
	if err == nil {
		g.form = nil
	}
	return g.ids, err
}
