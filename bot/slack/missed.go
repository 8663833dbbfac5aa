package slack

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
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
// (https://docs.slack.dev/apis/events-api/#retries). One conversation is read at a time, beside
// the intake. Its results go through the intake, under the ids of the wire.
type missed struct {
	in       *intake
	driver   kit.Driver[message]
	start    time.Time   // since when events may have been missed before we started; zero for none
	due      atomic.Bool // a pass is about to begin
	reading  sync.Mutex
	unstored chan outcome // an event that could not be stored because the disk failed
	all      sync.WaitGroup

	mu     sync.Mutex
	listed map[memory.Key]bool // conversations of the latest pass
	begun  int                 // threads of the latest pass that have nothing stored
}

func newMissed(in *intake) *missed {
	m := &missed{in: in, unstored: make(chan outcome)}
	m.driver = kit.Driver[message]{
		Past:        kit.Past[message]{Clock: stamps, ID: func(x message) string { return x.TS }, Read: m.read, Absent: in.handler.Absent, Place: m.place, Deliver: m.deliver},
		Checkpoints: &kit.Checkpoints{Handler: in.handler, Log: in.a.Log},
		Lane:        m.inLane,
		Retry:       m.retry,
		Within:      m.within,
	}
	return m
}

// loadStart notes what is stored, before the wire delivers more.
func (m *missed) loadStart(ctx context.Context) {
	last, err := m.storedConversations(ctx)
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
	if err := m.driver.Checkpoints.Set(ctx, m.in.us.Team, from); err != nil && ctx.Err() == nil {
		m.in.a.Log.Error("could not save missed messages", "error", err)
	}
	if !m.due.Swap(true) {
		m.all.Go(func() { m.pass(ctx) })
	}
}

// followMoves starts a pass for each channel that is found under another id, until ctx is done: the one before knew its old id only.
func (m *missed) followMoves(ctx context.Context) {
	for m.in.handler.AwaitMoved(ctx) {
		m.startPass(ctx, m.start)
	}
}

func (m *missed) pass(ctx context.Context) {
	if m.in.lanes.Wait(ctx, missedLanes) != nil {
		return
	}
	m.due.Store(false)
	last, err := m.storedConversations(ctx)
	for ; err != nil; last, err = m.storedConversations(ctx) {
		m.in.a.Log.Error("could not catch up", "error", err)
		if kit.Pause(ctx, retryGapsAfter) != nil {
			return
		}
	}
	m.driver.Pass(ctx, m.in.us.Team, func(since, set time.Time) []*kit.Gap { return m.findGaps(last, since, set) })
}

// storedConversations returns what is stored from our workspace.
func (m *missed) storedConversations(ctx context.Context) ([]platform.Seen, error) {
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
	m.driver.Put(ctx, g)
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
				err := m.driver.Checkpoints.Set(ctx, m.in.us.Team, since)
				if err == nil && !errors.Is(m.deliverInLane(ctx, f), memory.ErrDisk) {
					break
				}
			}
			m.startPass(ctx, since)
		}
	}
}

// findGaps lists the conversations of the last day, and the tops of their channels, where there
// may be mentions.
func (m *missed) findGaps(last []platform.Seen, since, set time.Time) []*kit.Gap {
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
	var gaps []*kit.Gap
	m.mu.Lock()
	defer m.mu.Unlock()
	m.listed, m.begun = make(map[memory.Key]bool), 0
	for _, c := range last {
		m.listed[c.Key] = true
	}
	tops, left := 0, 0
	for _, c := range last {
		g := reach.Gap(stamps, c, "")
		// A later deletion is delivered as an event, and Slack's history may lack newer messages yet.
		g.Settled = stamp(set)
		gaps = append(gaps, g)
		top := c.Key
		top.Thread = ""
		switch {
		case m.listed[top]:
		case tops == missedChannels:
			left++
		default:
			tops++
			m.listed[top] = true
			gaps = append(gaps, &kit.Gap{Key: top, After: reach.New, NewAfter: reach.New})
		}
	}
	if left > 0 {
		m.in.a.Log.Warn("did not read all missed messages", "conversations whose channel is left out", left)
	}
	return gaps
}

func (m *missed) read(ctx context.Context, g *kit.Gap) (kit.Span[message], error) {
	s, err := m.in.a.readGap(ctx, g)
	if err == nil && g.Key.Thread == "" && !g.Whole {
		for _, t := range m.newThreads(g, s.Said) {
			m.driver.Put(ctx, t)
		}
	}
	return s, err
}

// newThreads returns the threads with a new reply at the top of a channel, whenever they began, each once in a pass.
func (m *missed) newThreads(g *kit.Gap, said []message) (threads []*kit.Gap) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, x := range said {
		after, key := max(x.TS, g.NewAfter), g.Key
		key.Thread = x.TS
		if x.Replies == 0 || max(x.TS, x.Latest) <= g.NewAfter || m.listed[key] {
			continue
		}
		if m.begun == missedThreads {
			m.in.a.Log.Warn("did not read all missed messages", "threads read", missedThreads)
			break
		}
		m.listed[key] = true
		m.begun++
		threads = append(threads, &kit.Gap{Key: key, After: after, NewAfter: after})
	}
	return threads
}

// missedLanes is the group of the lanes in which gaps are read.
const missedLanes = "missed"

// inLane leaves a gap to a lane of its own: reading may take minutes, and deliveries must be acknowledged in seconds.
func (m *missed) inLane(g *kit.Gap, read func()) {
	lane := missedLanes + " " + g.Key.Channel + " " + g.Key.Thread
	m.in.lanes.Put(missedLanes, lane, lane, read)
}

// retry reads a gap until it is read, or given up. It returns false if another process may be able to read it.
func (m *missed) retry(ctx context.Context, g *kit.Gap, read func() error) bool {
	for tries := 1; ; tries++ {
		m.reading.Lock()
		err := guard(read)
		m.reading.Unlock()
		switch {
		case err == nil || ctx.Err() != nil:
			return err == nil
		case errors.Is(err, memory.ErrDisk):
			tries = 0
		case errors.Is(err, platform.ErrUndeliverable), tries == maxGapTries:
			m.in.a.Log.Info("could not read missed messages", "channel", g.Key.Channel, "error", err)
			code := errorCode(err) // without one, Slack may have been down, and a channel that it does not know may have another id
			return code != "" && code != "channel_not_found"
		default:
			m.in.a.Log.Warn("could not read missed messages yet", "channel", g.Key.Channel, "error", err)
		}
		if kit.Pause(ctx, retryGapsAfter) != nil {
			return false
		}
	}
}

// within compares what is stored from our workspace.
func (m *missed) within(_ context.Context, key memory.Key, compare func() error) error {
	if key.Workspace != m.in.us.Team {
		return fmt.Errorf("slack: we are in workspace %s, not in %s: %w", m.in.us.Team, key.Workspace, platform.ErrUndeliverable)
	}
	return guard(compare)
}

func (m *missed) place(ctx context.Context, g *kit.Gap) (memory.Key, error) {
	if kindOf("", g.Key.Channel) != memory.DM { // Slack does not let us ask about it
		if _, err := m.in.a.places.get(ctx, g.Key.Channel, true); err != nil && errorCode(err) == "" {
			return g.Key, err
		}
	}
	return g.Key, nil
}

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
	if said.Subtype == "tombstone" {
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

func (m *missed) deliverInLane(ctx context.Context, f outcome) error {
	done := make(chan error, 1)
	if err := m.in.enqueue(ctx, f.event.Key.Channel, func() { done <- m.in.handle(ctx, f) }); err != nil {
		return err
	}
	return <-done
}
