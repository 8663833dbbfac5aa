package discord

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
)

const (
	missedFor      = 24 * time.Hour   // how far back missed messages are read
	missedLimit    = 500              // messages of one channel or thread
	missedChannels = 300              // channels and threads of one guild
	readers        = 8                // at once
	newlySaid      = 10 * time.Minute // before the first connection, where nothing is stored yet
	overlap        = time.Hour        // of what an earlier process stored that is read again
)

// missed is what is read after a connection that did not continue the previous
// session: the gateway does not deliver messages, edits and deletions from in between.
type missed struct {
	driver  kit.Driver[wireMessage]
	reading chan struct{} // holds one for each gap that is read

	// used by run alone
	guilds    map[string]bool            // those we are in
	since     string                     // the newest message received before
	startedAt string                     // if there is none, messages from here on are new
	pending   map[string][]platform.Seen // conversations to read, by workspace, once the guild was delivered
}

func newIntake(a *Adapter, h platform.Handler, commands []platform.Command) *intake {
	in := &intake{a: a, handler: h, commands: commands, wake: make(chan struct{}, 1)}
	in.missed.driver = kit.Driver[wireMessage]{
		Past: kit.Past[wireMessage]{Clock: snowflakes, ID: func(m wireMessage) string { return m.ID },
			Read: in.readGap, Absent: h.Absent, Place: in.place, Deliver: in.deliverMissed},
		Checkpoints: &kit.Checkpoints{Handler: h, Log: a.Log},
		Lane:        func(g *kit.Gap, read func()) { in.putInLane(g.Key, read) },
		Retry:       in.retryGap,
		Within:      in.inLane,
	}
	in.missed.reading = make(chan struct{}, readers)
	return in
}

var snowflakes = kit.Clock{Valid: isID, Time: createdAt, First: snowflake}

// handleReady begins a session of the gateway: guilds follow one by one, direct messages
// are read at once.
func (in *intake) handleReady(ctx context.Context, guilds []wireGuild) error {
	m := &in.missed
	if m.guilds == nil {
		m.guilds = make(map[string]bool)
	}
	received := in.a.received.latest()
	m.since, m.pending = received, make(map[string][]platform.Seen)
	last, err := in.handler.LastSeen(ctx)
	if err != nil {
		return err
	}
	for _, c := range last {
		m.pending[c.Key.Workspace] = append(m.pending[c.Key.Workspace], c)
		for _, id := range c.Messages {
			if newer(id, m.since) {
				m.since = id
			}
		}
	}
	var checkpoint time.Time
	if m.since == "" {
		m.startedAt = cmp.Or(m.startedAt, snowflake(in.a.limits.clock().Add(-newlySaid)))
		m.since = m.startedAt
	} else {
		if received == "" {
			m.since = snowflakes.Before(m.since, overlap)
		}
		checkpoint = createdAt(m.since)
	}
	for _, g := range guilds {
		m.guilds[g.ID] = true
		if m.pending[g.ID] == nil {
			m.pending[g.ID] = []platform.Seen{}
		}
		if err := m.driver.Checkpoints.Set(ctx, g.ID, checkpoint); err != nil {
			return err
		}
	}
	if err := m.driver.Checkpoints.Set(ctx, directly, checkpoint); err != nil {
		return err
	}
	in.catchUp(ctx, directly, nil)
	return nil
}

// catchUp reads missed messages of a guild, "@me" for direct messages: in the
// stored conversations, and in the channels with newer messages. Each is read in the lane of its
// channel, before what is said there from now on is handled.
func (in *intake) catchUp(ctx context.Context, workspace string, channels []wireChannel) {
	m := &in.missed
	m.driver.Pass(ctx, workspace, func(since, _ time.Time) []*kit.Gap { return in.findGaps(workspace, channels, since) })
	if m.guilds != nil && workspace != directly {
		m.guilds[workspace] = true
	}
	delete(m.pending, workspace)
}

// inLane does something in the lane of a conversation, and waits for it: what happens meanwhile comes after it.
func (in *intake) inLane(ctx context.Context, key memory.Key, do func() error) error {
	done := make(chan error, 1)
	in.putInLane(key, func() {
		err := errors.New("discord: panic")
		defer func() { done <- err }()
		defer in.a.caught("what is stored of a channel")
		err = do()
	})
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (in *intake) putInLane(key memory.Key, work func()) {
	at := spotIn(key)
	in.lanes.Put(key.Workspace, at, in.a.places.home(at), work)
}

// retryGap reads a gap until it was read, or nobody may read it, or it is given up.
func (in *intake) retryGap(ctx context.Context, _ *kit.Gap, read func() error) (done bool) {
	in.retryUntilDone(ctx, "what was missed", func() error {
		err := read()
		done = err == nil || errors.Is(err, platform.ErrUndeliverable)
		return err
	})
	return done
}

// spotIn returns the channel or thread that a conversation is in, if its thread exists.
func spotIn(key memory.Key) string { return cmp.Or(key.Thread, key.Channel) }

// findGaps returns those of a workspace, the newest first: of what was stored, then of channels. After since, unless it is zero, messages were missed.
func (in *intake) findGaps(workspace string, channels []wireChannel, since time.Time) []*kit.Gap {
	var gaps []*kit.Gap
	listed, left := make(map[string]bool), 0
	add := func(g *kit.Gap) {
		switch at := spotIn(g.Key); {
		case listed[at]:
		case len(gaps) == missedChannels:
			left++
		default:
			listed[at] = true
			gaps = append(gaps, g)
		}
	}
	reach := kit.Reach{New: in.missed.since, Earliest: snowflake(in.a.limits.clock().Add(-missedFor)), Overlap: overlap}
	if !since.IsZero() {
		reach.From = snowflake(since)
		reach.New = kit.Earlier(reach.New, reach.From)
	}
	stored, begun := in.missed.pending[workspace]
	for _, c := range stored {
		add(reach.Gap(snowflakes, c, in.a.received.lastIn(spotIn(c.Key))))
	}
	slices.SortFunc(channels, func(x, y wireChannel) int { return kit.Order(y.LastMessageID, x.LastMessageID) })
	for _, c := range channels {
		after := in.a.received.lastIn(c.ID)
		if after == "" && begun {
			after = in.missed.since
		}
		if after = kit.Earlier(after, reach.From); after != "" && newer(c.LastMessageID, after) {
			first := after == in.missed.startedAt
			after = kit.Later(after, reach.Earliest)
			add(&kit.Gap{Key: memory.Key{Platform: platformName, Workspace: workspace, Channel: c.ID}, After: after, NewAfter: after, First: first})
		}
	}
	if left > 0 {
		in.a.Log.Warn("did not read all missed messages", "guild", workspace, "channels left out", left)
	}
	return gaps
}

// readGap reads the messages of a gap. A channel that is gone, or that we may not read any more, has
// none; Gone tells the two cases apart.
func (in *intake) readGap(ctx context.Context, g *kit.Gap) (s kit.Span[wireMessage], err error) {
	select {
	case in.missed.reading <- struct{}{}:
		defer func() { <-in.missed.reading }()
	case <-ctx.Done():
		return s, ctx.Err()
	}
	at, limit := spotIn(g.Key), missedLimit
	if g.Whole {
		limit = math.MaxInt
	}
	read := func() ([]wireMessage, bool, error) { return in.a.readBack(ctx, at, g.After, limit) }
	if g.Until != "" {
		read = func() ([]wireMessage, bool, error) { return in.a.readPart(ctx, at, g) }
	}
	said, whole, err := read()
	switch {
	case hasCode(err, discordgo.ErrCodeUnknownChannel) && g.Until != "": // it is gone, or was never opened: others look
		s.Unshown = true
		return s, nil
	case hasCode(err, discordgo.ErrCodeUnknownChannel) && g.Whole:
		s.Unshown = true
		return s, in.missed.driver.Absent(ctx, platform.Absence{Key: g.Key})
	case errors.Is(err, platform.ErrUndeliverable) && !g.Whole:
		return s, nil
	case err != nil || len(said) == 0:
		return s, err
	}
	if len(said) >= limit && !whole && newer(said[0].ID, g.After) {
		in.a.Log.Warn("missed more messages in a channel than can be read", "channel", in.a.places.name(at), "messages", len(said))
	}
	s = kit.Span[wireMessage]{Said: said, Since: said[0].ID}
	if g.Until != "" {
		s.Since = g.After
	}
	if whole {
		s.Since = at
	}
	if slices.Contains(g.Known, at) {
		err = in.readFirst(ctx, at, &s)
	}
	if g.First && err == nil {
		err = in.a.skipAnswered(ctx, g, &s)
	}
	return s, err
}

// readFirst takes care of the message a thread began on, whose id is the thread's. A forum's post is
// among the messages of its thread. Any other stands in the parent channel; the thread shows a
// reference to it, which is replaced by the message, or by nothing if that was deleted.
func (in *intake) readFirst(ctx context.Context, thread string, s *kit.Span[wireMessage]) error {
	i := slices.IndexFunc(s.Said, func(m wireMessage) bool { return m.Type == typeThreadStarter })
	switch {
	case i < 0 && s.Since != thread:
		return nil // not all of it was read
	case i < 0:
		at, err := in.a.sceneOf(ctx, thread)
		if err == nil && at.parent.posts() {
			s.Since = ""
		}
		return err
	}
	began, err := in.began(ctx, thread, s.Said[i].Referenced)
	if err != nil {
		return err
	}
	s.Since, s.Said = "", slices.Delete(s.Said, i, i+1)
	if began != nil {
		s.Said = slices.Insert(s.Said, 0, *began)
	}
	return nil
}

// began returns the message a thread began on, nil if it was deleted. Discord need not have looked for it.
func (in *intake) began(ctx context.Context, thread string, found *wireMessage) (*wireMessage, error) {
	c, err := in.a.channelOf(ctx, thread)
	if err != nil {
		return nil, err
	}
	if found == nil {
		found = new(wireMessage)
		err := in.a.call(ctx, "GET", "/channels/"+c.ParentID+"/messages/"+thread, nil, found)
		if hasCode(err, discordgo.ErrCodeUnknownMessage) {
			return nil, nil
		}
		if err != nil {
			return nil, err
		}
	}
	found.ChannelID = c.ParentID
	return found, nil
}

// place looks up who may read the place of a gap.
func (in *intake) place(ctx context.Context, g *kit.Gap) (memory.Key, error) {
	s, err := in.a.sceneOf(ctx, spotIn(g.Key))
	if err != nil {
		return g.Key, err
	}
	return s.key(), nil
}

// deliverMissed delivers a new message, or the edit of a stored one.
func (in *intake) deliverMissed(ctx context.Context, g *kit.Gap, m wireMessage, stored bool) error {
	if !stored {
		return in.handleMessage(ctx, m)
	}
	if !m.EditedTimestamp.IsZero() || m.Flags&flagUnsaid != 0 {
		return in.handleEdit(ctx, m, g.Until != "")
	}
	s, err := in.a.sceneOf(ctx, m.ChannelID)
	if err != nil {
		return err
	}
	return in.handleRemovedFiles(ctx, m, s)
}

// skipAnswered leaves out of a gap what an earlier installation, whose store
// we do not have, has answered: messages with a thread or before one of our own.
func (a *Adapter) skipAnswered(ctx context.Context, g *kit.Gap, s *kit.Span[wireMessage]) error {
	me, err := a.identify(ctx)
	if err != nil {
		return err
	}
	for _, m := range s.Said {
		if m.Author != nil && m.Author.ID == me.User {
			g.NewAfter = m.ID
		}
	}
	s.Said = slices.DeleteFunc(s.Said, func(m wireMessage) bool { return m.Thread != nil })
	return nil
}

// pageSize is how many messages one request returns at most.
const pageSize = 100

// readBack returns the newest messages of a channel or thread, oldest first: at most limit of those after
// a message, and whatever else was on their pages. whole means
// that they go back to the first one.
func (a *Adapter) readBack(ctx context.Context, channel, after string, limit int) (said []wireMessage, whole bool, err error) {
	for before := ""; len(said) < limit; {
		page, err := a.page(ctx, channel, "before", before)
		if err != nil {
			return nil, false, err
		}
		said = append(said, page...)
		if whole = len(page) < pageSize; whole {
			break
		}
		if before = page[0].ID; !newer(before, after) {
			break
		}
	}
	slices.SortFunc(said, func(x, y wireMessage) int { return kit.Order(x.ID, y.ID) })
	return said, whole, nil
}

// page returns at most pageSize messages of a channel or thread, oldest first: the first ones "after" a message or the last ones
// "before" it, and without one the newest.
func (a *Adapter) page(ctx context.Context, channel, side, of string) (said []wireMessage, err error) {
	path := "/channels/" + channel + "/messages?limit=" + strconv.Itoa(pageSize)
	if of != "" {
		path += "&" + side + "=" + of
	}
	if err := a.call(ctx, "GET", path, nil, &said); err != nil {
		return nil, fmt.Errorf("discord: read channel: %w", err)
	}
	for i := range said {
		said[i].ChannelID = channel
	}
	slices.SortFunc(said, func(x, y wireMessage) int { return kit.Order(x.ID, y.ID) })
	return said, nil
}

// readPart returns the page of messages that a part of a conversation is on. whole means that it goes back to the first message.
// Where nothing was said since, the page before it shows that we may read there.
func (a *Adapter) readPart(ctx context.Context, channel string, g *kit.Gap) (said []wireMessage, whole bool, err error) {
	if said, err = a.page(ctx, channel, "after", g.After); err == nil && len(said) == 0 {
		said, err = a.page(ctx, channel, "before", g.Until)
	}
	if err != nil {
		return nil, false, err
	}
	if len(said) == pageSize && newer(g.Until, said[len(said)-1].ID) && newer(said[0].ID, g.After) {
		return nil, false, kit.ErrTooLong
	}
	return said, !newer(g.After, channel), nil
}

// snowflake returns the first id of a moment.
func snowflake(t time.Time) string {
	return strconv.FormatInt((t.UnixMilli()-epoch)<<22, 10)
}
