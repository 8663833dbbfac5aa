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
	missedFor      = 24 * time.Hour   // how far back is read
	missedChannels = 50               // channels and direct messages of which the top is read
	missedThreads  = 50               // threads that began there and nothing is stored of
	missedRoots    = 60               // latest messages of a top that such a thread may have begun on, at least
	overlap        = 10 * time.Minute // before the newest stored message: Slack tells of one for about five
	lateAfter      = 30 * time.Second // after it was said, a message comes late
	retryGapsAfter = time.Minute      // before the next try of what could not be read
	maxGapTries    = 5                // of one conversation
	diskPause      = time.Second      // before the first try of what could not be stored
)

// missed finds what was said, edited and deleted while nobody received it: Slack tells of
// an event again at once, after one minute and after five, and then no more
// (https://docs.slack.dev/apis/events-api/#retries). One pass is made at a time, beside
// the intake, through which goes what it finds, under the ids it has on the wire. Since when
// something is missed is stored until all of it was read: what is said meanwhile is newer,
// and does not tell a process that begins then.
type missed struct {
	in       *intake
	start    time.Time // since when something may have been missed before we began; zero for nothing
	wake     chan struct{}
	roots    chan *gap
	unstored chan outcome // an event that could not be stored because the disk failed
	all      sync.WaitGroup

	mu      sync.Mutex
	absence absence   // the zero value if all was read
	saved   time.Time // absence.from, as the next process would find it
}

// absence is a time when we received nothing, or only what came just now.
type absence struct{ from, to time.Time }

// gap is a conversation of which something may have been missed.
type gap struct {
	at        spot     // without a thread: the top of a channel, or a direct message
	known     []string // messages of people that are stored
	posts     []string // messages of ours
	readAfter string   // what came after this ts is read
	newAfter  string   // what came after this ts and is not stored is new

	goneBefore string // what came before this ts and is there no more was deleted
	tries      int
}

func newMissed(in *intake) *missed {
	return &missed{in: in, wake: make(chan struct{}, 1), roots: make(chan *gap, missedThreads), unstored: make(chan outcome)}
}

// loadCheckpoint notes what is stored, before the wire brings more.
func (m *missed) loadCheckpoint(ctx context.Context) {
	last, err := m.storedConversations(ctx)
	var checkpoint time.Time
	if err == nil && m.in.handler.MissedSince != nil {
		checkpoint, err = m.in.handler.MissedSince(ctx, m.in.us.Team)
	}
	if err != nil {
		m.in.a.Log.Error("look for what was missed", "error", err)
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

// startPass makes a pass begin, over what was missed since from, when we were last connected;
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
		m.in.a.Log.Error("keep what was missed", "error", err)
	}
	m.absence.to = time.Now()
	select {
	case m.wake <- struct{}{}:
	default: // one is about to
	}
}

// storedConversations is what is stored of our workspace.
func (m *missed) storedConversations(ctx context.Context) ([]platform.Seen, error) {
	if m.in.handler.LastSeen == nil {
		return nil, nil
	}
	last, err := m.in.handler.LastSeen(ctx)
	last = slices.DeleteFunc(last, func(c platform.Seen) bool { return c.Key.Workspace != m.in.us.Team })
	for i := range last {
		for _, ids := range []*[]string{&last[i].Messages, &last[i].Posts} {
			*ids = slices.DeleteFunc(*ids, func(id string) bool { return !isStamp.MatchString(id) })
		}
	}
	return last, err
}

// checkLateRoot looks at a message that came late and that a thread may have begun on: what was
// said in it, and that the message was edited, was told before we knew the thread.
func (m *missed) checkLateRoot(ctx context.Context, ev *platform.Event) {
	age := time.Since(time.UnixMilli(ev.At))
	root := ev.Opens == ev.Message || ev.Key.Thread == ev.Message
	if ev.Kind != platform.EventMessage || !ev.Mention || !root || age < lateAfter || age > missedFor {
		return
	}
	h := &gap{at: spot{ev.Key.Channel, ev.Message}, known: []string{ev.Message}, readAfter: ev.Message, newAfter: ev.Message}
	select {
	case m.roots <- h:
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

// run makes passes until ctx is done.
func (m *missed) run(ctx context.Context) {
	var unread []*gap
	due, complete := false, true // a pass is to begin; the last one has given up nothing
	read := func(holes []*gap) []*gap {
		left, all := m.readGaps(ctx, holes)
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
		case h := <-m.roots:
			unread = append(unread, read([]*gap{h})...)
		case <-again:
			unread = read(unread)
		}
		if due {
			found, err := m.findGaps(ctx, m.currentAbsence())
			if err == nil {
				due, complete = false, true
			} else if ctx.Err() == nil {
				m.in.a.Log.Error("look for what was missed", "error", err)
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
	// A process may have ended, or a delivery failed, while a newer message was stored
	// already. What came before the first that is stored was not for us, or was answered by
	// an installation before us.
	fresh := func(known []string) string {
		return max(slices.Min(known), min(before(slices.Max(known), overlap), stamp(away.from.Add(-overlap))))
	}
	var holes []*gap
	earliest := stamp(time.Now().Add(-missedFor))
	since := max(fresh(stored), earliest)
	at := make(map[spot]*gap)
	add := func(where spot) *gap {
		if at[where] == nil {
			at[where] = &gap{at: where, readAfter: since, newAfter: since}
			holes = append(holes, at[where])
		}
		return at[where]
	}
	tops, left := 0, 0
	for _, c := range last {
		h := add(spot{c.Key.Channel, c.Key.Thread})
		if h.known = c.Messages; len(h.known) > 0 {
			if h.newAfter = fresh(h.known); len(h.known) >= platform.SeenMessages { // the first ones are not among them
				h.newAfter = min(h.newAfter, since)
			}
			h.readAfter = min(h.newAfter, before(slices.Min(h.known), time.Microsecond))
		}
		if h.posts = c.Posts; len(h.posts) > 0 {
			h.readAfter = min(h.readAfter, before(slices.Min(h.posts), time.Microsecond))
		}
		// What was said since is told of when it is deleted, and Slack's history may lack it yet.
		h.goneBefore = stamp(away.to)
		if h.at.thread == "" {
			h.readAfter, h.newAfter = min(h.readAfter, since), min(h.newAfter, since)
		}
		h.readAfter, h.newAfter = max(h.readAfter, earliest), max(h.newAfter, earliest)
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
		m.in.a.Log.Warn("what was missed is not read everywhere", "conversations whose channel is left out", left)
	}
	return holes, nil
}

// readGaps reads gaps and delivers what they hold. It returns those that could not be read yet;
// complete is false if one was given up that another process may be able to read.
func (m *missed) readGaps(ctx context.Context, holes []*gap) (unread []*gap, complete bool) {
	complete = true
	listed := make(map[spot]bool)
	for _, h := range holes {
		listed[h.at] = true
	}
	begun, left := 0, 0
	for len(holes) > 0 && ctx.Err() == nil {
		h := holes[0]
		holes = holes[1:]
		var threads []*gap
		err := guard(func() (err error) {
			threads, err = m.readGap(ctx, h)
			return err
		})
		h.tries++
		switch {
		case ctx.Err() != nil:
		case errors.Is(err, memory.ErrDisk):
			h.tries = 0
			return slices.Concat(unread, []*gap{h}, holes), complete
		case err == nil:
		case errors.Is(err, platform.ErrUndeliverable), h.tries == maxGapTries:
			complete = complete && errorCode(err) != "" // without an error code, Slack may have been down
			m.in.a.Log.Info("what was missed is not to be read", "channel", h.at.channel, "error", err)
		default:
			m.in.a.Log.Warn("what was missed is not read yet", "channel", h.at.channel, "error", err)
			unread = append(unread, h)
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
			holes = slices.Insert(holes, 0, t)
		}
	}
	if left > 0 {
		m.in.a.Log.Warn("what was missed is not read everywhere", "threads left out", left)
	}
	return unread, complete
}

// readGap reads one gap, delivers what it holds, and returns the threads that were found in it.
func (m *missed) readGap(ctx context.Context, h *gap) ([]*gap, error) {
	s, err := m.in.a.readGap(ctx, h)
	if err != nil {
		return nil, err
	}
	return h.threads(s.said), m.deliverGap(ctx, h, s)
}

// threads are those with a new reply, whenever they began.
func (h *gap) threads(said []message) []*gap {
	var all []*gap
	for _, m := range said {
		if h.at.thread == "" && m.Replies > 0 && max(m.TS, m.Latest) > h.newAfter {
			after := max(m.TS, h.newAfter)
			all = append(all, &gap{at: spot{h.at.channel, m.TS}, readAfter: after, newAfter: after})
		}
	}
	return all
}

// deliverGap gives the intake what a gap holds, deletions first: no answer may use what was
// deleted.
func (m *missed) deliverGap(ctx context.Context, h *gap, s span) error {
	if _, err := m.in.a.places.get(ctx, h.at.channel, true); err != nil && errorCode(err) == "" {
		return err // who reads along would not be known
	}
	r := reader{us: m.in.us, agentView: m.in.a.AgentView}
	var found []outcome
	for _, id := range slices.Concat(h.known, h.posts) {
		if id < h.goneBefore && s.lacks(id) {
			found = append(found, r.deleted(message{Channel: h.at.channel, ThreadTS: h.at.thread}, id))
		}
	}
	for _, said := range s.said {
		said.Channel = h.at.channel
		stored := slices.Contains(h.known, said.TS)
		switch {
		case said.TS == "" || !stored && said.TS <= h.newAfter:
			continue
		case said.Subtype == "tombstone":
			found = append(found, r.deleted(message{Channel: h.at.channel, ThreadTS: said.ThreadTS}, said.TS))
			continue
		case !stored:
			found = append(found, r.message(said))
		}
		found = append(found, r.changed(message{Channel: h.at.channel, Message: &said}))
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
