package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"threadkeeper/agent"
	"threadkeeper/bot/access"
	"threadkeeper/bot/hearing"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

const (
	authorTime = 20 * time.Second // to ask who a person is
	maxUnknown = 4                // attempts of a turn before it continues without them
)

// lookUpAuthors asks who wrote the turn's messages, if the wire did not say:
// until then they count as guests, whose files are not read.
func (t *turn) lookUpAuthors(ctx context.Context) error {
	p, ok := t.platform.(platform.Introducer)
	if !ok {
		return nil
	}
	asked := make(map[string]bool)
	for _, row := range t.rows {
		r, err := decodeRequest(row)
		if err != nil {
			return err
		}
		if id := r.Author.ID; r.Author.Kind == memory.Unknown && !asked[id] {
			asked[id] = true
			if err := t.lookUpAuthor(ctx, p, id); err != nil {
				return err
			}
		}
	}
	return nil
}

func (t *turn) lookUpAuthor(ctx context.Context, p platform.Introducer, id string) error {
	limit, cancel := context.WithTimeout(ctx, authorTime)
	defer cancel()
	who, err := p.Person(limit, t.session.Key, id)
	var later *platform.RetryError
	switch {
	case err == nil:
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &later) && t.attempts() < maxUnknown:
		return &retryLater{min(later.After, authorTime), fmt.Errorf("bot: ask who somebody is: %w", err)}
	default:
		t.log.Warn("person treated as a guest: their profile could not be read", "error", err)
		return nil
	}
	_, known, err := t.bot.Store.Locate(ctx, t.session.Key, memory.Channel{}, person(who))
	if err != nil {
		return err
	}
	if t.person.ID == known.ID {
		t.person = known
	}
	return nil
}

func complete(ctx context.Context, p platform.Platform, ev *platform.Event, answer bool) {
	if c, ok := p.(platform.Completer); ok {
		c.Complete(ctx, ev, answer)
	}
}

// audience returns the audience of a session with person asking, under the program's policy
// for documents.
func (b *Bot) audience(ctx context.Context, session, person int64) (memory.Audience, error) {
	a, err := b.Store.Audience(ctx, session, person)
	if err != nil {
		return a, fmt.Errorf("bot: load audience: %w", err)
	}
	a.NoDocuments = a.NoDocuments && !b.ExternalDocuments
	return a, nil
}

// lastWords is how many messages are examined for their language.
const lastWords = 20

// wordsIn returns the words for a person in a session, by the language of their last messages, else of
// texts, else of other people's messages, else of a locale.
func (b *Bot) wordsIn(ctx context.Context, session, person int64, locale string, texts ...string) *say.Words {
	own, others, err := b.Store.LastTexts(ctx, session, person, lastWords)
	if err != nil && ctx.Err() == nil {
		b.Log.Warn("could not look up a language", "error", err)
	}
	return say.For(locale, slices.Concat(own, texts, others)...)
}

const (
	backfillLimit = 1000             // messages of a thread that began before us
	backfillTime  = 20 * time.Second // how long one turn waits for them
)

// backfill stores the messages of a thread from before we were first mentioned in it. It
// is retried with each turn until it succeeds; the turn uses what could be read. An unanswered mention
// among them was lost, perhaps by a crash of ours: it is answered after this turn.
func (t *turn) backfill(ctx context.Context) error {
	missed := t.session.BackfilledAt == memory.BackfillMissed
	if !missed {
		if !t.request.Joined || t.session.BackfilledAt > 0 {
			return nil
		}
		// A thread on a message to us began with us. That its first message is known proves nothing: a catch-up may have read it.
		if began, err := t.bot.Store.AskedBy(ctx, t.session.ID, t.session.Thread); err != nil || began {
			return wrap("look for the thread's first message", err)
		}
	}
	t.view.emit(agent.Progress{Status: t.say.ReadingThread})
	fetch, cancel := context.WithTimeout(ctx, backfillTime)
	defer cancel()
	read, err := t.platform.History(fetch, t.session.Key, 0, backfillLimit)
	events := read.Events
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		t.log.Warn("could not read all earlier messages", "messages", len(events), "error", err)
	}
	asked, failed := t.bot.Store.AskedSince(ctx, t.session.ID)
	if failed != nil {
		return wrap("look for the first request", failed)
	}
	rules, failed := t.bot.access(ctx, t.session.Key)
	if failed != nil {
		return failed
	}
	var past []memory.Incoming
	for i, ev := range events {
		in, may := t.bot.told(t.platform, rules, t.session.Key, t.request.Channel.Kind, &ev)
		if may == access.Closed {
			continue
		}
		if may == access.Open && t.bot.lost(ev, events[i+1:], asked) {
			if err != nil { // our answer may be in what could not be read
				continue
			}
			ev.Channel, ev.Opens, ev.Joined = memory.Channel{}, "", false
			setReplyAddress(&ev)
			in.Answer, in.Payload = true, request{Event: ev}.encode()
		}
		if ev.Ours && (missed || ev.At >= t.messages[0].At) {
			continue // said after we joined, and stored with its answer
		}
		past = append(past, in)
	}
	n, failed := t.bot.Store.Backfill(ctx, t.session, past)
	t.bot.turns.ring()
	if failed == nil && err != nil {
		failed = t.bot.Store.MarkBackfillMissed(ctx, t.session)
	}
	if failed != nil {
		return failed
	}
	t.log.Info("joined a thread", "messages", n)
	return t.reload(ctx) // the messages have moved behind the older ones
}

// told is what is kept of a message of a conversation that a platform shows, nothing if it may be access.Closed.
func (b *Bot) told(p platform.Platform, rules access.Rules, key memory.Key, kind memory.ChannelKind, ev *platform.Event) (in memory.Incoming, may access.Access) {
	hearing.Tidy(ev, b.Store.Now())
	if may = rules.Of(key, kind, ev.Author); b.typed(*ev) || may == access.Closed && !ev.Ours {
		return in, access.Closed
	}
	in = incoming(*ev)
	in.Files = ev.Files
	in.Message = &memory.Message{PlatformID: ev.Message, Role: memory.User, Author: ev.Author.Name, Text: ev.Text, At: ev.At}
	if ev.Ours {
		in.Person, in.Message.Role, in.Message.Author, may = memory.Person{}, memory.Assistant, "", access.Context
		if poster, ok := p.(platform.Poster); ok {
			in.Ref = string(poster.RefOf(key, ev.Message))
		}
	}
	return in, may
}

// keepQuoted stores the messages that a stored one quotes, unless they are stored: what they lose goes from the quotes of them.
func (b *Bot) keepQuoted(ctx context.Context, ev platform.Event) error {
	if len(ev.Quoted) == 0 {
		return nil
	}
	rules, err := b.access(ctx, ev.Key)
	if err != nil {
		return err
	}
	p := b.byName(ev.Key.Platform)
	for _, q := range ev.Quoted {
		complete(ctx, p, &q, false) // of its author the quote tells neither names nor roles
		q.Key.Platform = ev.Key.Platform
		in, may := b.told(p, rules, q.Key, ev.Channel.Kind, &q)
		if may == access.Closed || q.Text == "" {
			continue
		}
		if _, err := b.Store.KeepRead(ctx, q.Key, []memory.Incoming{in}); err != nil {
			return err
		}
	}
	return nil
}

// readSinceBackup stores what was said since a backup was made in the conversations of a channel that came from it, with what we
// posted there, once; with a message only in those that hold it.
func (b *Bot) readSinceBackup(ctx context.Context, p platform.Platform, channel memory.Key, message string) error {
	if b.restored == 0 {
		return nil
	}
	all, err := b.Store.SinceBackups(ctx, channel, message)
	if err != nil || len(all) == 0 {
		return err
	}
	c, err := b.Store.ChannelByKey(ctx, channel)
	if err != nil {
		return wrap("find channel", err)
	}
	rules, err := b.access(ctx, channel)
	if err != nil {
		return err
	}
	channel.Thread = ""
	for _, s := range all {
		edits := b.reads.begin(channel)
		err := b.readSince(ctx, p, rules, c.Kind, s)
		meanwhile := b.reads.end(channel, edits)
		for i := 0; i < len(meanwhile) && err == nil; i++ {
			err = b.receive(ctx, p, meanwhile[i])
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readBefore reads what was said since a backup in the conversation of a message that came in before it was restored, also in a
// thread that began since. A delivery that is repeated after a crash may be the first to get here.
func (b *Bot) readBefore(ctx context.Context, p platform.Platform, ev platform.Event, r *memory.Received) error {
	if (!r.New || !r.Known) && (r.Session.Thread != "" || ev.Channel.Kind == memory.DM) {
		if err := b.Store.BeganSince(ctx, r.Session.ID); err != nil {
			return err
		}
	}
	return b.readSinceBackup(ctx, p, ev.Key, ev.Message)
}

func (b *Bot) readSince(ctx context.Context, p platform.Platform, rules access.Rules, kind memory.ChannelKind, s *memory.SinceBackup) error {
	limit, cancel := context.WithTimeout(ctx, backfillTime)
	defer cancel()
	past, err := p.History(limit, s.Key, s.Since, backfillLimit)
	if err != nil && !errors.Is(err, platform.ErrUndeliverable) { // we may not see it any more
		return fmt.Errorf("bot: read what was said since a backup: %w", err)
	}
	s.Joined = s.Joined || (s.Thread != "" || kind == memory.DM) &&
		slices.ContainsFunc(past.Events, func(ev platform.Event) bool { return ev.Mention && !ev.Ours && !b.typed(ev) })
	var said []memory.Incoming
	for _, ev := range past.Events {
		if in, may := b.told(p, rules, s.Key, kind, &ev); may != access.Closed && (s.Joined || ev.Ours) {
			said = append(said, in)
		}
	}
	n, err := b.Store.KeepSince(ctx, s, said)
	if err == nil {
		b.Log.Info("read what was said since a backup", "session", s.ID, "messages", n)
	}
	return err
}

const (
	readMost = 999 // messages of a channel that are read for a digest: one page of Slack's
	readTime = 20 * time.Second
	readMany = 4 // channels that are read for a digest of everything

	readThreads = 8   // threads of a channel that are read for a digest, those with the latest replies
	readReplies = 200 // messages of one
)

// readBack stores what was said at the top of a channel since a time, for a digest: of the one with a name, "" for that
// of the turn, in a direct message for the busiest ones that are seen there. Of another channel only what this audience may see,
// and the asker is in, is read. In a channel that is not seen here the platform is asked for nothing.
func (t *turn) readBack(ctx context.Context, name string, since int64) (read agent.ReadBack, err error) {
	limit, cancel := context.WithTimeout(ctx, readTime)
	defer cancel()
	a, err := t.bot.audience(ctx, t.session.ID, t.person.ID)
	if err != nil {
		return read, err
	}
	c := a.Channel
	switch {
	case name != "":
		found, err := t.channelNamed(limit, a, name)
		if err != nil || found == nil {
			return read, err
		}
		c = *found
	case c.Kind == memory.DM:
		return t.readBusy(ctx, limit, a, since)
	}
	return t.readChannel(ctx, limit, a, c, since)
}

// readBusy reads the busiest channels. From is since when all of them were read.
func (t *turn) readBusy(ctx, limit context.Context, a memory.Audience, since int64) (read agent.ReadBack, err error) {
	channels, err := t.bot.Store.BusyChannels(ctx, a, readMany)
	if err != nil {
		return read, err
	}
	var names []string
	for _, c := range channels {
		part, err := t.readChannel(ctx, limit, a, c, since)
		if err != nil {
			return read, err
		}
		if part == (agent.ReadBack{}) || part.Failed {
			continue
		}
		names = append(names, "#"+c.Name)
		read.From, read.Messages = max(read.From, part.From), read.Messages+part.Messages
	}
	read.Channels = strings.Join(names, ", ")
	return read, nil
}

func (t *turn) readChannel(ctx, limit context.Context, a memory.Audience, c memory.Channel, since int64) (read agent.ReadBack, err error) {
	b := t.bot
	key := memory.Key{Platform: c.Platform, Workspace: c.Workspace, Channel: c.Channel}
	if c.Kind == memory.DM || c.Unchecked || c.Stale || c.ID != a.Channel.ID && !t.isMember(limit, key) {
		return read, ctx.Err()
	}
	rules, err := b.access(ctx, key)
	if err != nil || rules.Of(key, c.Kind, platform.Author{}) == access.Closed {
		return read, err
	}
	t.view.emit(agent.Progress{Status: fmt.Sprintf(t.say.Reading, "#"+c.Name)})
	edits := b.reads.begin(key)
	past, failed := t.platform.History(limit, key, since, readMost)
	if ctx.Err() != nil {
		b.reads.end(key, edits)
		return read, ctx.Err()
	}
	kept := func(events []platform.Event) (lines []memory.Incoming) {
		for _, ev := range events {
			if in, may := b.told(t.platform, rules, key, c.Kind, &ev); may != access.Closed && !ev.Ours && strings.TrimSpace(ev.Text) != "" {
				lines = append(lines, in)
			}
		}
		return lines
	}
	lines := kept(past.Events)
	n, err := b.Store.KeepRead(ctx, key, lines)
	for _, thread := range latestThreads(past.Events, since) {
		at := key
		at.Thread = thread
		if s, err := b.Store.SessionByKey(ctx, at); err == nil && s.Joined {
			continue // whose messages are stored
		}
		replies, missing := t.platform.History(limit, at, since, readReplies)
		if failed = errors.Join(failed, missing); ctx.Err() != nil || err != nil {
			break
		}
		said := kept(replies.Events)
		more, lacking := b.Store.KeepRead(ctx, at, said)
		n, err, lines = n+more, lacking, append(lines, said...)
	}
	for _, ev := range b.reads.end(key, edits) {
		err = errors.Join(err, b.receive(ctx, t.platform, ev))
	}
	if err != nil {
		return read, err
	}
	t.log.Info("read a channel", "messages", len(lines), "new", n, "whole", past.Whole, "error", failed)
	if n > 0 { // whose people have not been told yet what is kept
		session, _, err := b.Store.Locate(ctx, key, memory.Channel{}, memory.Person{})
		if err != nil {
			return read, wrap("find session", err)
		}
		told := platform.Event{Key: key, Channel: c, Text: lines[len(lines)-1].Message.Text, Reply: platform.Address{Key: key}}
		if err := b.announce(ctx, session, told); err != nil {
			return read, err
		}
	}
	read.From, read.Messages, read.Cut = since, len(past.Events), failed != nil || !past.Whole
	if read.Cut && len(past.Events) > 0 {
		read.From = past.Events[0].At
	}
	read.Failed = read.Cut && len(past.Events) == 0
	return read, nil
}

func latestThreads(top []platform.Event, since int64) (threads []string) {
	top = slices.DeleteFunc(slices.Clone(top), func(ev platform.Event) bool { return ev.Replied == 0 || ev.Replied < since })
	slices.SortStableFunc(top, func(x, y platform.Event) int { return cmp.Compare(y.Replied, x.Replied) })
	for _, ev := range top[:min(len(top), readThreads)] {
		threads = append(threads, ev.Message)
	}
	return threads
}

// channelNamed returns the channel with a name that an audience may see, nil if there is none. A public one with nothing
// stored yet is looked for on the platform.
func (t *turn) channelNamed(ctx context.Context, a memory.Audience, name string) (*memory.Channel, error) {
	c, err := t.bot.Store.VisibleChannel(ctx, a, name)
	lister, lists := t.platform.(platform.ChannelLister)
	if !gone(err) || !lists {
		if gone(err) {
			return nil, nil
		}
		return c, wrap("look for a channel", err)
	}
	all, err := lister.Channels(ctx, a.Channel.Workspace)
	if err != nil {
		t.log.Info("could not list the channels", "error", err)
		return nil, nil
	}
	for _, c := range all {
		if c.Kind != memory.Public || c.External || !strings.EqualFold(c.Name, name) {
			continue
		}
		key := memory.Key{Platform: a.Channel.Platform, Workspace: a.Channel.Workspace, Channel: c.Channel}
		if _, err := t.bot.Store.ChannelByKey(ctx, key); !gone(err) {
			continue // it is known, and closed here
		}
		if _, err := t.bot.locate(ctx, key, memory.Channel{Kind: c.Kind, Name: c.Name}, memory.Person{}); err != nil {
			return nil, err
		}
		t.bot.audiences[key.Platform].wait(ctx, key.Workspace, readTime/2)
		found, err := t.bot.Store.VisibleChannel(ctx, a, name)
		if gone(err) {
			return nil, nil
		}
		return found, wrap("look for a channel", err)
	}
	return nil, nil
}

// isMember reports whether the asker is in a channel now. What cannot be known is no.
func (t *turn) isMember(ctx context.Context, key memory.Key) bool {
	p, ok := t.platform.(platform.Membership)
	if !ok {
		return false
	}
	in, err := p.Member(ctx, key, t.person.PlatformID)
	if err != nil {
		t.log.Info("could not look up who is in a channel", "error", err)
	}
	return in && err == nil
}

// reads holds the edits that arrive while channels are being read: what was read may be older. The zero value is ready.
type reads struct {
	mu  sync.Mutex
	all map[memory.Key][]*editsMeanwhile
}

type editsMeanwhile struct{ events []platform.Event }

// begin keeps the edits in a channel until end, which returns them.
func (r *reads) begin(channel memory.Key) *editsMeanwhile {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all == nil {
		r.all = make(map[memory.Key][]*editsMeanwhile)
	}
	e := new(editsMeanwhile)
	r.all[channel] = append(r.all[channel], e)
	return e
}

func (r *reads) end(channel memory.Key, e *editsMeanwhile) []platform.Event {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.all[channel] = slices.DeleteFunc(r.all[channel], func(o *editsMeanwhile) bool { return o == e }); len(r.all[channel]) == 0 {
		delete(r.all, channel)
	}
	return e.events
}

func (r *reads) note(ev platform.Event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, e := range r.all[memory.Key{Platform: ev.Key.Platform, Workspace: ev.Key.Workspace, Channel: ev.Key.Channel}] {
		e.events = append(e.events, ev)
	}
}

// typed reports whether a message is a command to us, which is not kept: the note that it gave may be forgotten.
func (b *Bot) typed(ev platform.Event) bool {
	_, _, command := b.parseCommand(ev.Text)
	return command && ev.Mention && !ev.Ours && len(ev.Files) == 0
}

// lost reports whether an old message asks for an answer of ours that never came: it mentions
// us, not longer ago than a platform's catch-up goes back, and we said nothing after it
// before the first request that we know of. A command is not run late.
func (b *Bot) lost(ev platform.Event, after []platform.Event, asked int64) bool {
	_, _, command := b.parseCommand(ev.Text)
	answered := slices.ContainsFunc(after, func(x platform.Event) bool { return x.Ours && x.At < asked })
	return ev.Mention && ev.Author.Kind != memory.Bot && hearing.Unusable(ev) == "" && !answered && (!command || len(ev.Files) > 0) && b.Store.Now()-ev.At < seenFor.Milliseconds() && ev.At >= b.restored
}
