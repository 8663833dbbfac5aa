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
	missedFor     = 24 * time.Hour   // how far back is read
	missedRooms   = 50               // channels and direct messages of which the top is read
	missedThreads = 50               // threads that began there and nothing is stored of
	missedRoots   = 60               // latest messages of a top that such a thread may have begun on, at least
	overlap       = 10 * time.Minute // before the newest stored message: Slack tells of one for about five
	lateAfter     = 30 * time.Second // after it was said, a message comes late
	mendAgain     = time.Minute      // before the next try of what could not be read
	mendTries     = 5                // of one conversation
	diskPause     = time.Second      // before the first try of what could not be stored
)

// missed finds what was said, edited and deleted while nobody received it: Slack tells of
// an event again at once, after one minute and after five, and then no more
// (https://docs.slack.dev/apis/events-api/#retries). One pass is made at a time, beside
// the intake, through which goes what it finds, under the ids it has on the wire. Since when
// something is missed is stored until all of it was read: what is said meanwhile is newer,
// and does not tell a process that begins then.
type missed struct {
	in    *intake
	start time.Time // since when something may have been missed before we began; zero for nothing
	wake  chan struct{}
	roots chan *hole
	full  chan outcome // one that could not be stored, for want of a disk
	all   sync.WaitGroup

	mu     sync.Mutex
	owed   absence   // the zero value if all was read
	stored time.Time // owed.from, as the next process would find it
}

// absence is a time when we received nothing, or only what came just now.
type absence struct{ from, to time.Time }

// hole is a conversation of which something may have been missed.
type hole struct {
	at    spot     // without a thread: the top of a channel, or a direct message
	known []string // messages of people that are stored
	posts []string // messages of ours
	from  string   // what came after this ts is read
	fresh string   // what came after this ts and is not stored is new

	before string // what came before this ts and is there no more was deleted
	tries  int
}

func newMissed(in *intake) *missed {
	return &missed{in: in, wake: make(chan struct{}, 1), roots: make(chan *hole, missedThreads), full: make(chan outcome)}
}

// begin notes what is stored, before the wire brings more.
func (m *missed) begin(ctx context.Context) {
	last, err := m.last(ctx)
	var owed time.Time
	if err == nil && m.in.handler.MissedSince != nil {
		owed, err = m.in.handler.MissedSince(ctx, m.in.us.Team)
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
	if !owed.IsZero() && owed.Before(m.start) {
		m.start = owed
	}
}

// look makes a pass begin, over what was missed since from, when we were there last, which
// is m.start if it is zero.
func (m *missed) look(ctx context.Context, from time.Time) {
	if from.IsZero() {
		from = m.start
	}
	if from.IsZero() {
		return // nothing was stored, so nothing is owed
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := m.owe(ctx, from); err != nil && ctx.Err() == nil {
		m.in.a.Log.Error("keep what was missed", "error", err)
	}
	m.owed.to = time.Now()
	select {
	case m.wake <- struct{}{}:
	default: // one is about to
	}
}

// last is what is stored of our workspace.
func (m *missed) last(ctx context.Context) ([]platform.Seen, error) {
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

// lateRoot looks at a message that came late and that a thread may have begun on: what was
// said in it, and that the message was edited, was told before we knew the thread.
func (m *missed) lateRoot(ctx context.Context, ev *platform.Event) {
	age := time.Since(time.UnixMilli(ev.At))
	root := ev.Opens == ev.Message || ev.Key.Thread == ev.Message
	if ev.Kind != platform.EventMessage || !ev.Mention || !root || age < lateAfter || age > missedFor {
		return
	}
	h := &hole{at: spot{ev.Key.Channel, ev.Message}, known: []string{ev.Message}, from: ev.Message, fresh: ev.Message}
	select {
	case m.roots <- h:
	default:
		m.look(ctx, time.UnixMilli(ev.At))
	}
}

// unstored notes that an event could not be stored because of the disk, which may take longer
// to be mended than Slack tells of it.
func (m *missed) unstored(f outcome) {
	select {
	case m.full <- f:
	default: // it is being waited for
	}
}

// outlast waits until what could not be stored can be, and has a pass made then, until ctx
// is done.
func (m *missed) outlast(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case f := <-m.full:
			since := time.Now()
			for pause := diskPause; ; pause = min(2*pause, mendAgain) {
				if kit.Pause(ctx, pause) != nil {
					return
				}
				m.mu.Lock()
				err := m.owe(ctx, since)
				m.mu.Unlock()
				if err == nil && !errors.Is(m.handIn(ctx, f), memory.ErrDisk) {
					break
				}
			}
			m.look(ctx, since)
		}
	}
}

// run makes passes until ctx is done.
func (m *missed) run(ctx context.Context) {
	var owed []*hole
	due, whole := false, true // a pass is to begin; the last one has given up nothing
	mend := func(holes []*hole) []*hole {
		left, all := m.mend(ctx, holes)
		whole = whole && all
		return left
	}
	for {
		var again <-chan time.Time
		if len(owed) > 0 || due {
			again = time.After(mendAgain)
		}
		select {
		case <-ctx.Done():
			return
		case <-m.wake:
			due = true
		case h := <-m.roots:
			owed = append(owed, mend([]*hole{h})...)
		case <-again:
			owed = mend(owed)
		}
		if due {
			found, err := m.holes(ctx, m.absent())
			if err == nil {
				due, whole = false, true
			} else if ctx.Err() == nil {
				m.in.a.Log.Error("look for what was missed", "error", err)
			}
			owed = append(owed, mend(found)...)
		}
		if !due && whole && len(owed) == 0 && ctx.Err() == nil {
			m.settle(ctx)
		}
	}
}

// holes are the conversations of the last day, and the tops of their channels, where there
// may be mentions.
func (m *missed) holes(ctx context.Context, away absence) ([]*hole, error) {
	last, err := m.last(ctx)
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
	var holes []*hole
	earliest := stamp(time.Now().Add(-missedFor))
	since := max(fresh(stored), earliest)
	at := make(map[spot]*hole)
	add := func(where spot) *hole {
		if at[where] == nil {
			at[where] = &hole{at: where, from: since, fresh: since}
			holes = append(holes, at[where])
		}
		return at[where]
	}
	tops, left := 0, 0
	for _, c := range last {
		h := add(spot{c.Key.Channel, c.Key.Thread})
		if h.known = c.Messages; len(h.known) > 0 {
			if h.fresh = fresh(h.known); len(h.known) >= platform.SeenMessages { // the first ones are not among them
				h.fresh = min(h.fresh, since)
			}
			h.from = min(h.fresh, before(slices.Min(h.known), time.Microsecond))
		}
		if h.posts = c.Posts; len(h.posts) > 0 {
			h.from = min(h.from, before(slices.Min(h.posts), time.Microsecond))
		}
		// What was said since is told of when it is deleted, and Slack's history may lack it yet.
		h.before = stamp(away.to)
		if h.at.thread == "" {
			h.from, h.fresh = min(h.from, since), min(h.fresh, since)
		}
		h.from, h.fresh = max(h.from, earliest), max(h.fresh, earliest)
		switch top := (spot{c.Key.Channel, ""}); {
		case at[top] != nil:
		case tops == missedRooms:
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

// mend reads holes and hands on what they hold. Those that could not be read are returned;
// whole says that none was given up that may be read another time.
func (m *missed) mend(ctx context.Context, holes []*hole) (owed []*hole, whole bool) {
	whole = true
	listed := make(map[spot]bool)
	for _, h := range holes {
		listed[h.at] = true
	}
	begun, left := 0, 0
	for len(holes) > 0 && ctx.Err() == nil {
		h := holes[0]
		holes = holes[1:]
		var threads []*hole
		err := guard(func() (err error) {
			threads, err = m.close(ctx, h)
			return err
		})
		h.tries++
		switch {
		case ctx.Err() != nil:
		case errors.Is(err, memory.ErrDisk):
			h.tries = 0
			return slices.Concat(owed, []*hole{h}, holes), whole
		case err == nil:
		case errors.Is(err, platform.ErrUndeliverable), h.tries == mendTries:
			whole = whole && wordOf(err) != "" // without a word of Slack's it may have been away
			m.in.a.Log.Info("what was missed is not to be read", "channel", h.at.channel, "error", err)
		default:
			m.in.a.Log.Warn("what was missed is not read yet", "channel", h.at.channel, "error", err)
			owed = append(owed, h)
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
	return owed, whole
}

// close reads one hole, hands on what it holds, and returns the threads that were found in it.
func (m *missed) close(ctx context.Context, h *hole) ([]*hole, error) {
	s, err := m.in.a.readHole(ctx, h)
	if err != nil {
		return nil, err
	}
	return h.threads(s.said), m.handOn(ctx, h, s)
}

// threads are those in which somebody has replied since, whenever they began.
func (h *hole) threads(said []message) []*hole {
	var all []*hole
	for _, m := range said {
		if h.at.thread == "" && m.Replies > 0 && max(m.TS, m.Latest) > h.fresh {
			after := max(m.TS, h.fresh)
			all = append(all, &hole{at: spot{h.at.channel, m.TS}, from: after, fresh: after})
		}
	}
	return all
}

// handOn gives the intake what a hole holds, deletions first: nothing is answered from what
// is there no more.
func (m *missed) handOn(ctx context.Context, h *hole, s span) error {
	if _, err := m.in.a.channels.get(ctx, h.at.channel, true); err != nil && wordOf(err) == "" {
		return err // who reads along would not be known
	}
	r := reader{us: m.in.us, agentView: m.in.a.AgentView}
	var found []outcome
	for _, id := range slices.Concat(h.known, h.posts) {
		if id < h.before && s.lacks(id) {
			found = append(found, r.deleted(message{Channel: h.at.channel, ThreadTS: h.at.thread}, id))
		}
	}
	for _, said := range s.said {
		said.Channel = h.at.channel
		stored := slices.Contains(h.known, said.TS)
		switch {
		case said.TS == "" || !stored && said.TS <= h.fresh:
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
		if err := m.handIn(ctx, f); err != nil {
			return err
		}
	}
	return nil
}

// handIn gives the intake an event, in its lane.
func (m *missed) handIn(ctx context.Context, f outcome) error {
	done := make(chan error, 1)
	if err := m.in.lanes.put(ctx, f.event.Key.Channel, func() { done <- m.in.deliver(ctx, f) }); err != nil {
		return err
	}
	return <-done
}
