package bot

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"threadkeeper/bot/access"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// showHome publishes a person's page about us, again if what is stored changed meanwhile. The mark that it is shown is stored
// first: if the program ends before it is known what the page holds, the next one publishes it again.
func (b *Bot) showHome(ctx context.Context, p platform.HomePublisher, key memory.Key, a platform.Author) error {
	o, err := b.overview(ctx, key, a)
	for err == nil {
		shown := memory.ShownHome{Key: key, Person: a.ID}
		if err := b.Store.SetHome(ctx, shown); err != nil {
			return err
		}
		h, err := b.home(ctx, o, a)
		if err != nil {
			return err
		}
		if err := p.PublishHome(ctx, key, a.ID, h); err != nil {
			return err
		}
		shown.Print = o.print()
		if o, err = b.overview(ctx, key, a); err != nil {
			return err
		}
		switch {
		case o.print() != shown.Print:
		case o.who == nil:
			return b.Store.DropHomes(ctx, key, a.ID)
		default:
			return b.Store.SetHome(ctx, shown)
		}
	}
	return err
}

// overview is what the store has for a person's page about us.
type overview struct {
	who       *memory.Person // nil: nothing is stored of them, or they cannot use us
	threads   []memory.Thread
	gists     [][]string // of each thread, what it is about
	documents []memory.Shelved
}

func (b *Bot) overview(ctx context.Context, key memory.Key, a platform.Author) (o overview, err error) {
	rules, err := b.access(ctx, key)
	if err != nil || rules.Of(key, memory.DM, a) == access.Closed {
		return o, err
	}
	who, err := b.Store.PersonByPlatformID(ctx, key, a.ID)
	if gone(err) {
		return o, nil
	}
	if err != nil {
		return o, wrap("find person", err)
	}
	if a.Kind != memory.Human { // they became a guest, or nobody can say who they are
		who.Kind = memory.Guest
	}
	if o.threads, err = b.Store.Views.ThreadsOf(ctx, who.ID, maxListed); err != nil {
		return o, wrap("list threads", err)
	}
	for _, t := range o.threads {
		gist, err := b.gist(ctx, t.ID)
		if err != nil {
			return o, err
		}
		var lines []string
		for _, l := range gist {
			lines = append(lines, l.Text)
		}
		o.gists = append(o.gists, lines)
	}
	o.documents, err = b.Store.Views.ShelfOf(ctx, who, b.ExternalDocuments, maxListed)
	o.who = who
	return o, wrap("list documents", err)
}

// print is the same as long as the same things may be shown: nothing was erased or closed, nobody can have left. Times and
// the order do not count.
func (o overview) print() string {
	var held []string
	note := func(kind memory.ChannelKind, external bool, epoch int64, what ...any) {
		if openToAll(o.who, kind, external) {
			epoch = 0
		}
		held = append(held, fmt.Sprintf("%q %v %d %q", kind, external, epoch, what))
	}
	for i, t := range o.threads {
		note(t.Kind, t.External, t.Epoch, t.ID, titleOf(t), t.Name, o.gists[i])
	}
	for _, d := range o.documents {
		note(d.Kind, d.External, d.Epoch, d.ID, d.Name)
	}
	slices.Sort(held)
	return fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(held, "\n"))))
}

// home is the content of a page about us: of an overview what the person may see at present.
func (b *Bot) home(ctx context.Context, o overview, a platform.Author) (platform.Home, error) {
	w := say.In(a.Locale)
	if len(o.threads) > 0 {
		w = say.For(a.Locale, titleOf(o.threads[0]))
	}
	h := platform.Home{Language: w.Code}
	if o.who == nil {
		return h, nil
	}
	open := b.canRead(ctx, o.who)
	for i, t := range o.threads {
		if !open(t.Key, t.Kind, t.External) {
			continue
		}
		st, err := b.Store.Views.Status(ctx, t.ID)
		if err != nil {
			return h, wrap("load status", err)
		}
		channel := memory.Channel{Platform: t.Platform, Workspace: t.Workspace, Channel: t.Channel, Name: t.Name, Kind: t.Kind}
		h.Threads = append(h.Threads, platform.HomeThread{Key: t.Key, Channel: channel, Title: titleOf(t), Lines: o.gists[i],
			Gauge: w.Gauge(st.Context, st.Threshold), Post: platform.Ref(t.Ref), At: t.At})
	}
	for _, d := range o.documents {
		if !open(d.Key, d.Kind, d.External) {
			continue
		}
		h.Documents = append(h.Documents, platform.HomeDocument{Name: d.Name, Pages: d.Pages, Link: d.Link, At: d.CreatedAt})
	}
	return h, nil
}

func (b *Bot) gist(ctx context.Context, session int64) ([]memory.GistLine, error) {
	lines, err := b.Store.Views.Gist(ctx, session)
	for i, l := range lines {
		lines[i].Text = say.Plain(l.Text)
	}
	return lines, wrap("say what a thread is about", err)
}

// openToAll reports whether a person may read a channel whether they are in it or not.
func openToAll(who *memory.Person, kind memory.ChannelKind, external bool) bool {
	return kind == memory.Public && who.Kind != memory.Guest && !external
}

const memberTime = 10 * time.Second

// canRead returns a function that says which channels a person may read now, each looked up once: somebody
// may have left since they spoke there. Public channels are open to all but guests and
// other workspaces. A channel whose look-up fails is closed.
func (b *Bot) canRead(ctx context.Context, who *memory.Person) func(memory.Key, memory.ChannelKind, bool) bool {
	members, asks := b.byName(who.Platform).(platform.Membership)
	known := make(map[string]bool)
	deadline := time.Now().Add(memberTime)
	return func(key memory.Key, kind memory.ChannelKind, external bool) bool {
		if kind == memory.DM || openToAll(who, kind, external) {
			return true
		}
		in, ok := known[key.Channel]
		if ok || !asks {
			return in
		}
		ctx, cancel := context.WithDeadline(ctx, deadline)
		defer cancel()
		in, err := members.Member(ctx, key, who.PlatformID)
		if err != nil {
			b.Log.Warn("could not look up who is in a channel", "platform", who.Platform, "error", err)
			in = false
		}
		known[key.Channel] = in
		return in
	}
}

const (
	homesEvery = 5 * time.Second  // between two looks at the pages that are shown, at least
	homesShare = 20               // looks take at most this part of the time,
	homesLate  = 12               // but a look waits no longer than so many times the least
	homeTime   = 20 * time.Second // to publish one
)

// homes tells that what pages about us show may be gone.
type homes struct {
	wake
	changes, seen atomic.Int64 // changes so far, and those after which the pages were looked at
	opening       atomic.Int64 // pages being published for people who open them
}

func (h *homes) ring() {
	h.changes.Add(1)
	h.wake.ring()
}

func (h *homes) pending() int { return int(h.changes.Load() - h.seen.Load() + h.opening.Load()) }

// refreshHomes publishes pages about us again that a platform still shows, until ctx is done: at the start, and soon after something was
// erased, removed or closed. Another process tells nobody, so it looks every hour too.
func (b *Bot) refreshHomes(ctx context.Context, p platform.HomePublisher, name string, h *homes) {
	failures, next := 0, time.Duration(0)
	for pause := b.HomesEvery; h.wait(ctx, next); {
		shown, err := b.Store.Homes(ctx, name)
		if len(shown) > 0 && !sleep(ctx, pause) {
			return
		}
		start, changes := time.Now(), h.changes.Load()
		if err == nil {
			err = guard(func() error { return b.refreshShown(ctx, p, name) })
		}
		if ctx.Err() != nil {
			return
		}
		h.seen.Store(changes)
		failures, next = failures+1, backoff(failures+1)
		if err != nil {
			b.Log.Warn("could not publish all pages about us again; they may show what is gone", "platform", name, "error", err)
		} else {
			failures, next = 0, time.Hour
		}
		pause = min(max(b.HomesEvery, homesShare*time.Since(start)), homesLate*b.HomesEvery)
	}
}

// refreshShown publishes the pages that hold something else than what they were made from.
func (b *Bot) refreshShown(ctx context.Context, p platform.HomePublisher, name string) error {
	shown, err := b.Store.Homes(ctx, name)
	for _, s := range shown {
		err = errors.Join(err, b.refreshOne(ctx, p, s))
	}
	return err
}

func (b *Bot) refreshOne(ctx context.Context, p platform.HomePublisher, s memory.ShownHome) error {
	ctx, cancel := context.WithTimeout(ctx, homeTime)
	defer cancel()
	a, err := p.Person(ctx, s.Key, s.Person)
	var later *platform.RetryError
	switch {
	case errors.As(err, &later), ctx.Err() != nil:
		return err
	case errors.Is(err, platform.ErrUndeliverable):
		return b.Store.DropHomes(ctx, s.Key, s.Person)
	case err != nil: // they are shown the least
		a = platform.Author{ID: s.Person, Kind: memory.Unknown}
	}
	o, err := b.overview(ctx, s.Key, a)
	if err != nil || o.print() == s.Print {
		return err
	}
	if err = b.showHome(ctx, p, s.Key, a); errors.Is(err, platform.ErrUndeliverable) { // nobody looks at it any more
		return b.Store.DropHomes(ctx, s.Key, s.Person)
	}
	return err
}
