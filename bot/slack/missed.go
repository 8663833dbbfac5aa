package slack

import (
	"context"
	"errors"
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
	missedThreads  = 50               // threads that began there and of which nothing is stored
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
// the intake. Its results go through the intake, under the ids of the wire. The
// time since when events are missing stays stored until all of them were read: newer messages
// arrive meanwhile and would hide the gap from the next process.
// arrive meanwhile and would hide the gap from the next process.
type missed struct {
	in       *intake
	start    time.Time // since when events may have been missed before we started; zero for none
	wake     chan struct{}
	roots    chan *gap
	unstored chan outcome // an event that could not be stored because the disk failed
	all      sync.WaitGroup

	mu      sync.Mutex
	absence absence   // the zero value if all was read
	saved   time.Time // absence.from, as the next process would find it
}

// absence is a time in which we received nothing.
type absence struct{ from, to time.Time }

// gap is a conversation in which events may have been missed.
type gap struct {
	at        spot     // without a thread: the top of a channel, or a direct message
	known     []string // stored messages of people
	posts     []string // our messages
	readAfter string   // messages after this ts are read
	newAfter  string   // messages after this ts that are not stored are new

	goneBefore string // messages before this ts that are missing may have been deleted
	whole      bool   // all of it is read, whatever its length
	tries      int
}

func newMissed(in *intake) *missed {
	return &missed{in: in, wake: make(chan struct{}, 1), roots: make(chan *gap, missedThreads), unstored: make(chan outcome)}
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
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.setCheckpoint(ctx, from); err != nil && ctx.Err() == nil {
		m.in.a.Log.Error("could not save missed messages", "error", err)
	}
	m.absence.to = time.Now()
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
		onlyStamps(&last[i])
	}
	return last, err
}

// onlyStamps leaves out ids that are not Slack's.
func onlyStamps(c *platform.Seen) {
	for _, ids := range []*[]string{&c.Messages, &c.Posts} {
		*ids = slices.DeleteFunc(*ids, func(id string) bool { return !isStamp.MatchString(id) })
	}
}

// checkLateRoot reads the thread of a message that arrived late: replies to it and edits of it
// may have been delivered before we knew the thread.
func (m *missed) checkLateRoot(ctx context.Context, ev *platform.Event) {
	age := time.Since(time.UnixMilli(ev.At))
	root := ev.Opens == ev.Message || ev.Key.Thread == ev.Message
	if ev.Kind != platform.EventMessage || !ev.Mention || !root || age < lateAfter || age > missedFor {
		return
	}
	g := &gap{at: spot{ev.Key.Channel, ev.Message}, known: []string{ev.Message}, readAfter: ev.Message, newAfter: ev.Message}
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
				m.mu.Lock()
				err := m.setCheckpoint(ctx, since)
				m.mu.Unlock()
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
	var unread []*gap
	due, complete := false, true // a pass is to begin; the last one gave up nothing
	read := func(gaps []*gap) []*gap {
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
			unread = append(unread, read([]*gap{g})...)
		case <-again:
			unread = read(unread)
		}
		if due {
			found, err := m.findGaps(ctx, m.currentAbsence())
			if err == nil {
				due, complete = false, true
			} else if ctx.Err() == nil {
				m.in.a.Log.Error("could not catch up", "error", err)
			}
			unread = append(unread, read(found)...)
		}
		if !due && complete && len(unread) == 0 && ctx.Err() == nil {
			m.clearCheckpoint(ctx)
		}
	}
}

// findGaps lists the conversations of the last day, and the tops of their channels, where there
// may be mentions.
func (m *missed) findGaps(ctx context.Context, away absence) ([]*gap, error) {
	last, err := m.storedConversations(ctx)
	if err != nil {
		return nil, err
	}
	var stored []string
	for _, c := range last {
		stored = append(stored, c.Messages...)
	}
	if len(stored) == 0 {
		return nil, nil
	}
	// A process may have ended, or a delivery failed, after a newer message was
	// stored. Messages before the first stored one were not for us, or were answered by
	// an installation before us.
	fresh := func(known []string) string {
		return max(slices.Min(known), min(before(slices.Max(known), overlap), stamp(away.from.Add(-overlap))))
	}
	var gaps []*gap
	earliest := stamp(time.Now().Add(-missedFor))
	since := max(fresh(stored), earliest)
	at := make(map[spot]*gap)
	add := func(where spot) *gap {
		if at[where] == nil {
			at[where] = &gap{at: where, readAfter: since, newAfter: since}
			gaps = append(gaps, at[where])
		}
		return at[where]
	}
	tops, left := 0, 0
	for _, c := range last {
		g := add(spot{c.Key.Channel, c.Key.Thread})
		if g.known = c.Messages; len(g.known) > 0 {
			if g.newAfter = fresh(g.known); len(g.known) >= platform.SeenMessages { // the first ones are not among them
				g.newAfter = min(g.newAfter, since)
			}
			g.readAfter = min(g.newAfter, before(slices.Min(g.known), time.Microsecond))
		}
		if g.posts = c.Posts; len(g.posts) > 0 {
			g.readAfter = min(g.readAfter, before(slices.Min(g.posts), time.Microsecond))
		}
		// A later deletion is delivered as an event, and Slack's history may lack newer messages yet.
		g.goneBefore = stamp(away.to)
		if g.at.thread == "" {
			g.readAfter, g.newAfter = min(g.readAfter, since), min(g.newAfter, since)
		}
		g.readAfter, g.newAfter = max(g.readAfter, earliest), max(g.newAfter, earliest)
		switch top := (spot{c.Key.Channel, ""}); {
		case at[top] != nil:
		case tops == missedChannels:
			left++
		default:
			tops++
			add(top)
		}
	}
	if left > 0 {
		m.in.a.Log.Warn("did not read all missed messages", "conversations whose channel is left out", left)
	}
	return gaps, nil
}

// readGaps reads gaps and delivers their events. It returns those that could not be read yet;
// complete is false if it gave up one that another process may be able to read.
func (m *missed) readGaps(ctx context.Context, gaps []*gap) (unread []*gap, complete bool) {
	complete = true
	listed := make(map[spot]bool)
	for _, g := range gaps {
		listed[g.at] = true
	}
	begun, left := 0, 0
	for len(gaps) > 0 && ctx.Err() == nil {
		g := gaps[0]
		gaps = gaps[1:]
		var threads []*gap
		err := guard(func() (err error) {
			threads, err = m.readGap(ctx, g)
			return err
		})
		g.tries++
		switch {
		case ctx.Err() != nil:
		case errors.Is(err, memory.ErrDisk):
			g.tries = 0
			return slices.Concat(unread, []*gap{g}, gaps), complete
		case err == nil:
		case errors.Is(err, platform.ErrUndeliverable), g.tries == maxGapTries:
			complete = complete && errorCode(err) != "" // without an error code, Slack may have been down
			m.in.a.Log.Info("could not read missed messages", "channel", g.at.channel, "error", err)
		default:
			m.in.a.Log.Warn("could not read missed messages yet", "channel", g.at.channel, "error", err)
			unread = append(unread, g)
		}
		for _, t := range threads {
			if listed[t.at] {
				continue
			}
			if listed[t.at] = true; begun == missedThreads {
				left++
				continue
			}
			begun++
			gaps = slices.Insert(gaps, 0, t)
		}
	}
	if left > 0 {
		m.in.a.Log.Warn("did not read all missed messages", "threads left out", left)
	}
	return unread, complete
}

// readGap reads one gap, delivers its events, and returns the threads found in it.
func (m *missed) readGap(ctx context.Context, g *gap) ([]*gap, error) {
	s, err := m.in.a.readGap(ctx, g)
	if err != nil {
		return nil, err
	}
	return g.threads(s.said), m.deliverGap(ctx, g, s)
}

// threads returns those with a new reply, whenever they began.
func (g *gap) threads(said []message) []*gap {
	var all []*gap
	for _, m := range said {
		if g.at.thread == "" && m.Replies > 0 && max(m.TS, m.Latest) > g.newAfter {
			after := max(m.TS, g.newAfter)
			all = append(all, &gap{at: spot{g.at.channel, m.TS}, readAfter: after, newAfter: after})
		}
	}
	return all
}

// deliverGap gives the intake the events of a gap, and reports missing messages.
func (m *missed) deliverGap(ctx context.Context, g *gap, s span) error {
	if kindOf("", g.at.channel) != memory.DM { // of which we may not ask
		if _, err := m.in.a.places.get(ctx, g.at.channel, true); err != nil && errorCode(err) == "" {
			return err // who reads along would not be known
		}
	}
	r := reader{us: m.in.us, agentView: m.in.a.AgentView}
	a := platform.Absence{Key: r.key(g.at.channel), Of: len(g.known) + len(g.posts)}
	a.Key.Thread = g.at.thread
	for _, id := range slices.Concat(g.known, g.posts) {
		if id < g.goneBefore && s.lacks(id) {
			a.Messages = append(a.Messages, id)
		}
	}
	if len(a.Messages) > 0 {
		if err := m.in.absent(ctx, a); err != nil {
			return err
		}
	}
	var found []outcome
	for _, said := range s.said {
		said.Channel = g.at.channel
		stored := slices.Contains(g.known, said.TS)
		switch {
		case said.TS == "" || !stored && said.TS <= g.newAfter:
			continue
		case said.Subtype == "tombstone":
			found = append(found, r.deleted(message{Channel: g.at.channel, ThreadTS: said.ThreadTS}, said.TS))
			continue
		case !stored:
			found = append(found, r.message(said))
		}
		found = append(found, r.changed(message{Channel: g.at.channel, Message: &said}))
	}
	for _, f := range found {
		if f.event == nil {
			continue
		}
		if err := m.deliverInLane(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// deliverInLane gives the intake an event, in its lane.
func (m *missed) deliverInLane(ctx context.Context, f outcome) error {
	done := make(chan error, 1)
	if err := m.in.enqueue(ctx, f.event.Key.Channel, func() { done <- m.in.handle(ctx, f) }); err != nil {
		return err
	}
	return <-done
}
