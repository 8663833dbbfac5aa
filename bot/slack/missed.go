package slack

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
)

const (
	missedFor      = 24 * time.Hour   // how far back to read
	missedChannels = 50               // channels and direct messages whose top is read
	missedThreads  = 50               // threads that began there and have nothing stored
	missedRoots    = 60               // latest messages of a top that such a thread may have begun on, at least
	overlap        = 10 * time.Minute // before the newest stored message: Slack delivers one for about five
	lateAfter      = 30 * time.Second // after it was said, a message comes late
	retryGapsAfter = time.Minute      // pause before gaps that could not be read are tried again
	maxGapTries    = 5                // for one conversation
	diskPause      = time.Second      // pause before events that could not be stored are tried again; it grows
)

// missed catches up on messages, edits and deletions from while nobody received them: Slack delivers
// an event again at once, after one minute and after five, and then never
// (https://docs.slack.dev/apis/events-api/#retries). One pass runs at a time, beside
// the intake. Its results go through the intake, under the ids of the wire.
type missed struct {
	in          *intake
	past        kit.Past[message]
	checkpoints kit.Checkpoints // of the workspace
	start       time.Time       // since when events may have been missed before we started; zero for none
	wake        chan struct{}
	roots       chan *kit.Gap
	unstored    chan outcome // an event that could not be stored because the disk failed
	all         sync.WaitGroup
}

// unreadGap is a gap that is yet to be read.
type unreadGap struct {
	*kit.Gap
	tries int
}

func newMissed(in *intake) *missed {
	m := &missed{in: in, wake: make(chan struct{}, 1), roots: make(chan *kit.Gap, missedThreads), unstored: make(chan outcome)}
	m.checkpoints = kit.Checkpoints{Handler: in.handler, Log: in.a.Log}
	m.past = kit.Past[message]{Clock: stamps, ID: func(x message) string { return x.TS }, Read: in.a.readGap, Absent: in.handler.Absent, Place: m.place, Deliver: m.deliver}
	return m
}

// loadCheckpoint notes what is stored, before the wire delivers more.
func (m *missed) loadCheckpoint(ctx context.Context) {
	last, err := m.storedConversations(ctx)
	var checkpoint time.Time
	if err == nil && m.in.handler.MissedSince != nil {
		checkpoint, err = m.in.handler.MissedSince(ctx, m.in.us.Team)
	}
	if err != nil {
		m.in.a.Log.Error("could not catch up", "error", err)
		m.start = time.Now().Add(-missedFor)
		return
	}
	for _, c := range last {
		for _, id := range c.Messages {
			if at := timeOf(id); at.After(m.start) {
				m.start = at
			}
		}
	}
	if !checkpoint.IsZero() && checkpoint.Before(m.start) {
		m.start = checkpoint
	}
}

// startPass starts a pass over what was missed since from, the time of our last connection;
// a zero from stands for m.start.
func (m *missed) startPass(ctx context.Context, from time.Time) {
	if from.IsZero() {
		from = m.start
	}
	if from.IsZero() {
		return // nothing was stored, so nothing was missed
	}
	if err := m.checkpoints.Set(ctx, m.in.us.Team, from); err != nil && ctx.Err() == nil {
		m.in.a.Log.Error("could not save missed messages", "error", err)
	}
	select {
	case m.wake <- struct{}{}:
	default: // one is about to start
	}
}

// storedConversations returns what is stored from our workspace.
func (m *missed) storedConversations(ctx context.Context) ([]platform.Seen, error) {
	if m.in.handler.LastSeen == nil {
		return nil, nil
	}
	last, err := m.in.handler.LastSeen(ctx)
	last = slices.DeleteFunc(last, func(c platform.Seen) bool { return c.Key.Workspace != m.in.us.Team })
	for i := range last {
		last[i].Messages = slices.DeleteFunc(last[i].Messages, func(id string) bool { return !isStamp.MatchString(id) })
	}
	return last, err
}

// checkLateRoot reads the thread of a message that arrived late: replies to it and edits of it
// may have been delivered before we knew the thread.
func (m *missed) checkLateRoot(ctx context.Context, ev *platform.Event) {
	age := time.Since(time.UnixMilli(ev.At))
	root := ev.Opens == ev.Message || ev.Key.Thread == ev.Message
	if ev.Kind != platform.EventMessage || !ev.Mention || !root || age < lateAfter || age > missedFor {
		return
	}
	key := ev.Key
	key.Thread = ev.Message
	g := &kit.Gap{Key: key, Known: []string{ev.Message}, After: ev.Message, NewAfter: ev.Message}
	select {
	case m.roots <- g:
	default:
		m.startPass(ctx, time.UnixMilli(ev.At))
	}
}

// noteUnstored notes that an event could not be stored because the disk failed. That may last
// longer than Slack's retries.
func (m *missed) noteUnstored(f outcome) {
	select {
	case m.unstored <- f:
	default: // retryUnstored is waiting already
	}
}

// retryUnstored waits until the store works again and then starts a pass, until ctx is done.
func (m *missed) retryUnstored(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case f := <-m.unstored:
			since := time.Now()
			for pause := diskPause; ; pause = min(2*pause, retryGapsAfter) {
				if kit.Pause(ctx, pause) != nil {
					return
				}
				err := m.checkpoints.Set(ctx, m.in.us.Team, since)
				if err == nil && !errors.Is(m.deliverInLane(ctx, f), memory.ErrDisk) {
					break
				}
			}
			m.startPass(ctx, since)
		}
	}
}

// run runs passes until ctx is done.
func (m *missed) run(ctx context.Context) {
	var unread []*unreadGap
	due, complete := false, true // a pass is to begin; the last one gave up nothing
	var done func(read bool)     // of the last pass
	read := func(gaps []*unreadGap) []*unreadGap {
		left, all := m.readGaps(ctx, gaps)
		complete = complete && all
		return left
	}
	for {
		var again <-chan time.Time
		if len(unread) > 0 || due {
			again = time.After(retryGapsAfter)
		}
		select {
		case <-ctx.Done():
			return
		case <-m.wake:
			due = true
		case g := <-m.roots:
			unread = append(unread, read([]*unreadGap{{Gap: g}})...)
		case <-again:
			unread = read(unread)
		}
		if due {
			if last, err := m.storedConversations(ctx); err == nil {
				var since, set time.Time
				due, complete = false, true
				since, set, done = m.checkpoints.Begin(ctx, m.in.us.Team)
				unread = append(unread, read(m.findGaps(last, since, set))...)
			} else if ctx.Err() == nil {
				m.in.a.Log.Error("could not catch up", "error", err)
			}
		}
		if !due && done != nil && len(unread) == 0 {
			done(complete)
			done = nil
		}
	}
}

// findGaps lists the conversations of the last day, and the tops of their channels, where there
// may be mentions.
func (m *missed) findGaps(last []platform.Seen, since, set time.Time) []*unreadGap {
	var stored []string
	for _, c := range last {
		stored = append(stored, c.Messages...)
	}
	if len(stored) == 0 {
		return nil
	}
	// A process may have ended, or a delivery failed, after a newer message was
	// stored. Messages before the first stored one were not for us, or were answered by
	// an installation before us.
	reach := kit.Reach{From: stamp(since.Add(-overlap)), Earliest: stamp(time.Now().Add(-missedFor)), Overlap: overlap}
	reach.New = max(slices.Min(stored), min(stamps.Before(slices.Max(stored), overlap), reach.From), reach.Earliest)
	var gaps []*unreadGap
	listed := make(map[memory.Key]bool)
	add := func(g *kit.Gap) {
		listed[g.Key] = true
		gaps = append(gaps, &unreadGap{Gap: g})
	}
	for _, c := range last {
		listed[c.Key] = true
	}
	tops, left := 0, 0
	for _, c := range last {
		g := reach.Gap(stamps, c, "")
		// A later deletion is delivered as an event, and Slack's history may lack newer messages yet.
		g.Settled = stamp(set)
		add(g)
		top := c.Key
		top.Thread = ""
		switch {
		case listed[top]:
		case tops == missedChannels:
			left++
		default:
			tops++
			add(&kit.Gap{Key: top, After: reach.New, NewAfter: reach.New})
		}
	}
	if left > 0 {
		m.in.a.Log.Warn("did not read all missed messages", "conversations whose channel is left out", left)
	}
	return gaps
}

// readGaps reads gaps and delivers their events. It returns those that could not be read yet;
// complete is false if it gave up one that another process may be able to read.
func (m *missed) readGaps(ctx context.Context, gaps []*unreadGap) (unread []*unreadGap, complete bool) {
	complete = true
	listed := make(map[memory.Key]bool)
	for _, g := range gaps {
		listed[g.Key] = true
	}
	begun, left := 0, 0
	for len(gaps) > 0 && ctx.Err() == nil {
		g := gaps[0]
		gaps = gaps[1:]
		var threads []*kit.Gap
		err := guard(func() error {
			s, err := m.past.CatchUp(ctx, g.Gap)
			threads = newThreads(g.Gap, s.Said)
			return err
		})
		g.tries++
		switch {
		case ctx.Err() != nil:
		case errors.Is(err, memory.ErrDisk):
			g.tries = 0
			return slices.Concat(unread, []*unreadGap{g}, gaps), complete
		case err == nil:
		case errors.Is(err, platform.ErrUndeliverable), g.tries == maxGapTries:
			complete = complete && errorCode(err) != "" // without an error code, Slack may have been down
			m.in.a.Log.Info("could not read missed messages", "channel", g.Key.Channel, "error", err)
		default:
			m.in.a.Log.Warn("could not read missed messages yet", "channel", g.Key.Channel, "error", err)
			unread = append(unread, g)
		}
		for _, t := range threads {
			if listed[t.Key] {
				continue
			}
			if listed[t.Key] = true; begun == missedThreads {
				left++
				continue
			}
			begun++
			gaps = slices.Insert(gaps, 0, &unreadGap{Gap: t})
		}
	}
	if left > 0 {
		m.in.a.Log.Warn("did not read all missed messages", "threads left out", left)
	}
	return unread, complete
}

// newThreads returns the threads with a new reply at the top of a channel, whenever they began.
func newThreads(g *kit.Gap, said []message) []*kit.Gap {
	var all []*kit.Gap
	for _, m := range said {
		if g.Key.Thread == "" && m.Replies > 0 && max(m.TS, m.Latest) > g.NewAfter {
			after, key := max(m.TS, g.NewAfter), g.Key
			key.Thread = m.TS
			all = append(all, &kit.Gap{Key: key, After: after, NewAfter: after})
		}
	}
	return all
}

// place looks up who reads along in the channel of a gap.
func (m *missed) place(ctx context.Context, g *kit.Gap) (memory.Key, error) {
	if kindOf("", g.Key.Channel) != memory.DM { // Slack does not let us ask about it
		if _, err := m.in.a.places.get(ctx, g.Key.Channel, true); err != nil && errorCode(err) == "" {
			return g.Key, err
		}
	}
	return g.Key, nil
}

// deliver gives the intake the events of a message.
func (m *missed) deliver(ctx context.Context, g *kit.Gap, said message, stored bool) error {
	r := reader{us: m.in.us, agentView: m.in.a.AgentView}
	said.Channel = g.Key.Channel
	found := []outcome{r.changed(message{Channel: g.Key.Channel, Message: &said})}
	switch {
	case said.Subtype == "tombstone":
		found = []outcome{r.deleted(message{Channel: g.Key.Channel, ThreadTS: said.ThreadTS}, said.TS)}
	case !stored:
		found = []outcome{r.message(said), found[0]}
	}
	if stored {
		taken, err := m.takenFiles(ctx, r.key(g.Key.Channel), said)
		if err != nil {
			return err
		}
		found = append(found, taken...)
	}
	for _, f := range found {
		if f.event == nil {
			continue
		}
		if g.Until != "" && f.editedAt != "" {
			f.event.Edited = millis(f.editedAt)
		}
		if err := m.deliverInLane(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// takenFiles returns that files which are stored with a message were deleted or taken out of it. Slack marks no edit then.
func (m *missed) takenFiles(ctx context.Context, channel memory.Key, said message) (taken []outcome, err error) {
	if m.in.handler.Files == nil || said.Subtype == "tombstone" {
		return nil, nil
	}
	stored, err := m.in.handler.Files(ctx, channel, said.TS)
	for _, id := range stored {
		if !said.has(id) {
			taken = append(taken, outcome{checkShares: true, event: &platform.Event{ID: fmt.Sprintf("file:%s:%s:%s:%s", channel.Workspace, channel.Channel, said.TS, id),
				Kind: platform.EventFile, Key: memory.Key{Platform: channel.Platform, Workspace: channel.Workspace}, Message: id}})
		}
	}
	return taken, err
}

// has reports whether a message still has a file, which Slack may withhold.
func (m message) has(id string) bool {
	all := m.Files
	for _, a := range m.Attachments {
		all = append(all, a.Files...)
	}
	return slices.ContainsFunc(all, func(f file) bool { return f.ID == id && f.Mode != "tombstone" })
}

// deliverInLane gives the intake an event, in its lane.
func (m *missed) deliverInLane(ctx context.Context, f outcome) error {
	done := make(chan error, 1)
	if err := m.in.enqueue(ctx, f.event.Key.Channel, func() { done <- m.in.handle(ctx, f) }); err != nil {
		return err
	}
	return <-done
}
