package bot

import (
	"context"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// home returns the content of the platform's page about us for a person.
func (b *Bot) home(ctx context.Context, key memory.Key, a platform.Author) (platform.Home, error) {
	w := say.In(a.Locale)
	h := platform.Home{Language: w.Code}
	who, err := b.Store.PersonByPlatformID(ctx, key, a.ID)
	if gone(err) {
		return h, nil
	}
	if err != nil {
		return h, wrap("find person", err)
	}
	threads, err := b.Store.Views.ThreadsOf(ctx, who.ID, maxListed)
	if err != nil {
		return h, wrap("list threads", err)
	}
	if len(threads) > 0 {
		w = say.For(a.Locale, titleOf(threads[0]))
		h.Language = w.Code
	}
	open := b.canRead(ctx, who)
	for _, t := range threads {
		if !open(t.Key, t.Kind, t.External) {
			continue
		}
		st, err := b.Store.Views.Status(ctx, t.ID)
		if err != nil {
			return h, wrap("load status", err)
		}
		gist, err := b.gist(ctx, t.ID)
		if err != nil {
			return h, err
		}
		channel := memory.Channel{Platform: t.Platform, Workspace: t.Workspace, Channel: t.Channel, Name: t.Name, Kind: t.Kind}
		h.Threads = append(h.Threads, platform.HomeThread{Key: t.Key, Channel: channel, Title: titleOf(t), Lines: gist,
			Gauge: w.Gauge(st.Context, st.Threshold), Post: platform.Ref(t.Ref), At: t.At})
	}
	documents, err := b.Store.Views.ShelfOf(ctx, who, b.ExternalDocuments, maxListed)
	if err != nil {
		return h, wrap("list documents", err)
	}
	for _, d := range documents {
		if !open(d.Key, d.Kind, d.External) {
			continue
		}
		h.Documents = append(h.Documents, platform.HomeDocument{Name: d.Name, Pages: d.Pages, Link: d.Link, At: d.CreatedAt})
	}
	return h, nil
}

// gist are the lines of memory.Gist as plain text.
func (b *Bot) gist(ctx context.Context, session int64) ([]string, error) {
	lines, err := b.Store.Views.Gist(ctx, session)
	for i, l := range lines {
		lines[i] = say.Plain(l)
	}
	return lines, wrap("say what a thread is about", err)
}

// memberTime limits the look-ups for one overview.
const memberTime = 10 * time.Second

// canRead returns a function that says which channels a person may read now, each looked up once: somebody
// may have left since they spoke there. Public channels are open to all but guests and
// other workspaces. A channel whose look-up fails is closed.
func (b *Bot) canRead(ctx context.Context, who *memory.Person) func(memory.Key, memory.ChannelKind, bool) bool {
	members, asks := b.byName(who.Platform).(platform.Membership)
	known := make(map[string]bool)
	deadline := time.Now().Add(memberTime)
	return func(key memory.Key, kind memory.ChannelKind, external bool) bool {
		if kind == memory.DM || kind == memory.Public && who.Kind != memory.Guest && !external {
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
