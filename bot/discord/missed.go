package discord

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot/platform"
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
	guilds    map[string]bool            // those we are in
	since     string                     // the newest message received before
	startedAt string                     // if there is none, messages from here on are new
	pending   map[string][]platform.Seen // conversations to read, by workspace, once the guild was delivered
}

// isNew reports whether we were not in the guild before.
func (m *missed) isNew(guild string) bool { return m.guilds != nil && !m.guilds[guild] }

// leave forgets a guild that has removed us.
func (m *missed) leave(guild string) { delete(m.guilds, guild) }

// handleReady begins a session of the gateway: guilds follow one by one, direct messages
// are read at once.
func (in *intake) handleReady(ctx context.Context, guilds []wireGuild) error {
	m := &in.missed
	if m.guilds == nil {
		m.guilds = make(map[string]bool)
	}
	m.since, m.pending = in.a.received.latest(), make(map[string][]platform.Seen)
	if in.handler.LastSeen != nil {
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
	}
	if in.a.received.latest() == "" {
		m.since = earlier(m.since)
	}
	checkpoint := m.since
	if m.since == "" {
		m.startedAt = cmp.Or(m.startedAt, snowflake(in.a.now().Add(-newlySaid)))
		m.since = m.startedAt
	}
	for _, g := range guilds {
		m.guilds[g.ID] = true
		if m.pending[g.ID] == nil {
			m.pending[g.ID] = []platform.Seen{}
		}
		if err := in.setCheckpoint(ctx, g.ID, checkpoint); err != nil {
			return err
		}
	}
	if err := in.setCheckpoint(ctx, directly, checkpoint); err != nil {
		return err
	}
	in.catchUp(ctx, directly, nil)
	return nil
}

// gap is a channel or thread in which events may have been missed.
type gap struct {
	channel  string
	newAfter string   // the last message received
	known    []string // stored messages
	said     []wireMessage
	whole    bool // said goes back to the beginning
	first    bool // nothing is stored: our own messages show what was handled
	err      error
}

// catchUp reads missed messages of a guild, "@me" for direct messages: in the
// stored conversations, and in the channels with newer messages. A
// channel that cannot be read yet holds up no other: it is left to its lane.
func (in *intake) catchUp(ctx context.Context, workspace string, channels []wireChannel) {
	var gaps []*gap
	since, done := in.startRead(ctx, workspace)
	read := false
	defer func() { done(read) }()
	for _, g := range in.findGaps(workspace, channels, since) {
		if in.lanes.Busy(g.channel, in.a.places.home(g.channel)) {
			in.readGapLater(ctx, workspace, g)
		} else {
			gaps = append(gaps, g)
		}
	}
	in.fetchGaps(ctx, gaps)
	for _, g := range gaps {
		if g.err == nil {
			g.err = in.tellAbsences(ctx, g)
		}
		if g.err == nil {
			g.err = in.deliverGap(ctx, g)
		}
	}
	for _, g := range gaps {
		if g.err != nil {
			in.a.Log.Warn("could not read a channel yet", "error", g.err)
			in.readGapLater(ctx, workspace, g)
		}
	}
	if in.missed.guilds != nil && workspace != directly {
		in.missed.guilds[workspace] = true
	}
	delete(in.missed.pending, workspace)
	read = true
}

// readGapLater leaves a gap to the lane of its channel.
func (in *intake) readGapLater(ctx context.Context, workspace string, g *gap) {
	_, done := in.startRead(ctx, workspace)
	in.lanes.Put(workspace, g.channel, in.a.places.home(g.channel), func() {
		read := false
		defer func() { done(read) }()
		in.retryUntilDone(ctx, "what was missed", func() error {
			err := in.readGap(ctx, g)
			read = err == nil || errors.Is(err, platform.ErrUndeliverable)
			return err
		})
	})
}

// readGap reads a gap and delivers its events.
func (in *intake) readGap(ctx context.Context, g *gap) error {
	in.fetchGaps(ctx, []*gap{g})
	if g.err != nil {
		return g.err
	}
	if err := in.tellAbsences(ctx, g); err != nil {
		return err
	}
	return in.deliverGap(ctx, g)
}

// findGaps returns those of a workspace. With since, messages after it were missed.
func (in *intake) findGaps(workspace string, channels []wireChannel, since string) []*gap {
	var gaps []*gap
	listed, left := make(map[string]bool), 0
	add := func(g *gap) {
		switch {
		case listed[g.channel]:
		case len(gaps) == missedChannels:
			left++
		default:
			listed[g.channel] = true
			gaps = append(gaps, g)
		}
	}
	stored, begun := in.missed.pending[workspace]
	for _, c := range stored {
		g := &gap{channel: cmp.Or(c.Key.Thread, c.Key.Channel), known: c.Messages}
		g.newAfter = in.a.received.lastIn(g.channel)
		for _, id := range c.Messages {
			if newer(id, g.newAfter) {
				g.newAfter = id
			}
		}
		if in.a.received.lastIn(g.channel) == "" {
			g.newAfter = earlier(g.newAfter)
		}
		g.newAfter = older(g.newAfter, oursFrom(c, since))
		add(g)
	}
	for _, c := range channels {
		after := in.a.received.lastIn(c.ID)
		if after == "" && begun {
			after = in.missed.since
		}
		after = older(after, since)
		if after != "" && newer(c.LastMessageID, after) {
			add(&gap{channel: c.ID, newAfter: after, first: after == in.missed.startedAt})
		}
	}
	if left > 0 {
		in.a.Log.Warn("did not read all missed messages", "guild", workspace, "channels left out", left)
	}
	earliest := snowflake(in.a.now().Add(-missedFor))
	for _, g := range gaps {
		if newer(earliest, g.newAfter) {
			g.newAfter = earliest
		}
	}
	return gaps
}

// oursFrom returns since when missed messages of a conversation are ours to read, if all messages
// after since were missed: those from before we joined a thread are not.
func oursFrom(c platform.Seen, since string) string {
	if since == "" || c.Key.Thread == "" || len(c.Messages) == 0 || len(c.Messages) >= platform.SeenMessages {
		return since
	}
	if first := slices.MinFunc(c.Messages, func(x, y string) int { return cmp.Compare(number(x), number(y)) }); newer(first, since) {
		return first
	}
	return since
}

// older returns the earlier one of two messages; "" as limit means no limit.
func older(id, limit string) string {
	if limit != "" && newer(id, limit) {
		return limit
	}
	return id
}

// fetchGaps fetches the messages of the gaps. A channel that is gone, or that we may not read any more, has
// none; Gone tells the two cases apart.
func (in *intake) fetchGaps(ctx context.Context, gaps []*gap) {
	var all sync.WaitGroup
	free := make(chan struct{}, readers)
	for _, g := range gaps {
		free <- struct{}{}
		all.Go(func() {
			defer func() { <-free }()
			g.said, g.whole, g.err = in.a.readBack(ctx, g.channel, g.newAfter, missedLimit)
			if errors.Is(g.err, platform.ErrUndeliverable) {
				g.err = nil
			}
			if len(g.said) >= missedLimit && !g.whole && newer(g.said[0].ID, g.newAfter) {
				in.a.Log.Warn("missed more messages in a channel than can be read", "channel", in.a.places.name(g.channel), "messages", len(g.said))
			}
		})
	}
	all.Wait()
}

// tellAbsences reports stored messages of a gap that were not found. The message a thread
// began on is not among them, except in a forum, whose posts begin in themselves. A gap
// without any message proves nothing: without permission to read the history Discord
// shows none.
func (in *intake) tellAbsences(ctx context.Context, g *gap) error {
	if len(g.said) == 0 {
		return nil
	}
	var missing []string
	for _, id := range g.known {
		there := slices.ContainsFunc(g.said, func(m wireMessage) bool { return m.ID == id })
		if there || number(id) == 0 || !g.whole && newer(g.said[0].ID, id) {
			continue
		}
		if id == g.channel {
			s, err := in.a.sceneOf(ctx, g.channel)
			if err != nil {
				return err
			}
			if !s.parent.posts() { // see starter
				continue
			}
		}
		missing = append(missing, id)
	}
	return in.notFound(ctx, g, missing...)
}

// notFound reports messages of a gap that were not found.
func (in *intake) notFound(ctx context.Context, g *gap, missing ...string) error {
	if len(missing) == 0 {
		return nil
	}
	s, err := in.a.sceneOf(ctx, g.channel)
	if errors.Is(err, platform.ErrUndeliverable) {
		return nil // we cannot see it any more
	}
	if err != nil {
		return err
	}
	return in.absent(ctx, platform.Absence{Key: s.key(), Messages: missing, Of: len(g.known)})
}

// absent reports missing messages.
func (in *intake) absent(ctx context.Context, a platform.Absence) error {
	if in.handler.Absent == nil {
		return nil
	}
	return in.handler.Absent(ctx, a)
}

// deliverGap delivers the events of a gap: new messages, and edits of stored ones.
func (in *intake) deliverGap(ctx context.Context, g *gap) error {
	if g.first {
		if err := in.a.skipAnswered(ctx, g); err != nil {
			return err
		}
	}
	for _, m := range g.said {
		var err error
		switch {
		case m.Type == typeThreadStarter:
			err = in.starter(ctx, g, m)
		case slices.Contains(g.known, m.ID):
			if !m.EditedTimestamp.IsZero() {
				err = in.handleEdit(ctx, m)
			}
		case newer(m.ID, g.newAfter):
			err = in.handleMessage(ctx, m)
		}
		if err != nil && !errors.Is(err, platform.ErrUndeliverable) {
			return err
		}
	}
	return nil
}

// skipAnswered leaves out of a gap what an earlier installation, whose store
// we do not have, has answered: messages with a thread or before one of our own.
func (a *Adapter) skipAnswered(ctx context.Context, g *gap) error {
	me, err := a.identify(ctx)
	if err != nil {
		return err
	}
	for _, m := range g.said {
		if m.Author != nil && m.Author.ID == me.User {
			g.newAfter = m.ID
		}
	}
	g.said = slices.DeleteFunc(g.said, func(m wireMessage) bool { return m.Thread != nil })
	return nil
}

// starter checks the message a thread began on, which is in the parent channel.
func (in *intake) starter(ctx context.Context, g *gap, m wireMessage) error {
	if !slices.Contains(g.known, g.channel) {
		return nil
	}
	c, err := in.a.channelOf(ctx, g.channel)
	if err != nil {
		return err
	}
	began := m.Referenced
	if began == nil { // it was deleted, or Discord did not look
		began = new(wireMessage)
		err := in.a.call(ctx, "GET", "/channels/"+c.ParentID+"/messages/"+g.channel, nil, began)
		if hasCode(err, discordgo.ErrCodeUnknownMessage) {
			return in.notFound(ctx, g, g.channel)
		}
		if err != nil {
			return err
		}
	}
	began.ChannelID = c.ParentID
	return in.handleEdit(ctx, *began)
}

// pageSize is how many messages one request returns at most.
const pageSize = 100

// readBack returns the newest messages of a channel or thread, oldest first: at most limit of those after
// a message, and whatever else was on their pages. whole means
// that they go back to the first one.
func (a *Adapter) readBack(ctx context.Context, channel, after string, limit int) (said []wireMessage, whole bool, err error) {
	before := ""
	for len(said) < limit {
		q := url.Values{"limit": {strconv.Itoa(pageSize)}}
		if before != "" {
			q.Set("before", before)
		}
		var page []wireMessage
		if err := a.call(ctx, "GET", "/channels/"+channel+"/messages?"+q.Encode(), nil, &page); err != nil {
			return nil, false, fmt.Errorf("discord: read channel: %w", err)
		}
		for i := range page {
			page[i].ChannelID = channel
		}
		said = append(said, page...)
		if len(page) < pageSize {
			whole = true
			break
		}
		before = page[len(page)-1].ID
		if !newer(before, after) {
			break
		}
	}
	slices.SortFunc(said, func(x, y wireMessage) int { return cmp.Compare(number(x.ID), number(y.ID)) })
	return said, whole, nil
}

// earlier returns the id to start reading from for messages after one that an earlier process
// stored: it may have ended while an older one was still being handled.
func earlier(id string) string {
	if id == "" {
		return ""
	}
	return snowflake(createdAt(id).Add(-overlap))
}

// snowflake returns the first id of a moment.
func snowflake(t time.Time) string {
	return strconv.FormatInt((t.UnixMilli()-epoch)<<22, 10)
}
