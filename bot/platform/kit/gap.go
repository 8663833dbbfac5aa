package kit

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// Gap is a conversation in which events may have been missed: a thread, the top of a channel, or direct messages.
type Gap struct {
	Key      memory.Key
	Known    []string // stored messages of people
	Posts    []string // our messages
	After    string   // messages after this one are read
	NewAfter string   // messages after this one that are not stored are new
	Settled  string   // stored messages from this one on may be there though they are not shown yet; "" if all are shown at once
	First    bool     // nothing is stored here: an installation before us may have answered
	Whole    bool     // all that is stored is compared: it is read whatever its length, and nothing in it is new
	Until    string   // of a Whole part: what was said up to this message is read, in one page, else the error is ErrTooLong; "" for all
}

// Span is the part of a gap that was read, oldest first. It is complete after Since, and up to Until if that is not "".
type Span[M any] struct {
	Said         []M
	Since, Until string
	Gone         bool // the platform says that nothing of the conversation is left
	Unshown      bool // it cannot be compared: it is too old to be shown, or was reported as absent as a whole
}

// Clock reads time from the ids of a platform's messages. They are decimal numbers that grow.
type Clock struct {
	Valid func(id string) bool      // what came by a click has an id of another kind
	Time  func(id string) time.Time // of a valid id
	First func(time.Time) string    // the first id of a moment
}

// Newer reports whether a message was said after another; "" was said before all.
func Newer(id, than string) bool { return Order(id, than) > 0 }

// Order compares messages by when they were said.
func Order(x, y string) int {
	return cmp.Or(cmp.Compare(len(x), len(y)), cmp.Compare(x, y))
}

// Earlier returns the earlier one of two messages; "" as limit means no limit.
func Earlier(id, limit string) string {
	if limit != "" && Newer(id, limit) {
		return limit
	}
	return id
}

// Later returns the later one of two messages.
func Later(x, y string) string {
	if Newer(x, y) {
		return x
	}
	return y
}

// Before returns the first id of a moment before a message.
func (c Clock) Before(id string, d time.Duration) string { return c.First(c.Time(id).Add(-d)) }

func (c Clock) valid(ids []string) []string {
	return slices.DeleteFunc(slices.Clone(ids), func(id string) bool { return !c.Valid(id) })
}

// Reach is how far back a pass over missed messages reads.
type Reach struct {
	From     string        // events after this message may have been missed, "" if none are known to have been
	New      string        // messages after this one are new where nothing is stored, and at the top of a channel
	Earliest string        // nothing before this message is read
	Overlap  time.Duration // before the newest stored message: an earlier process may have ended while an older one was still being handled
}

// Gap returns the gap of a conversation. received is the newest message that this process received there, "" for
// none.
//
// What was said in a thread before its first stored message is not new: we were not in it, or an
// installation before us has answered.
func (r Reach) Gap(c Clock, seen platform.Seen, received string) *Gap {
	g := &Gap{Key: seen.Key, Known: c.valid(seen.Messages), Posts: c.valid(seen.Posts), NewAfter: r.New}
	if len(g.Known) > 0 {
		oldest, newest := slices.MinFunc(g.Known, Order), slices.MaxFunc(g.Known, Order)
		after := Later(received, newest)
		if received == "" {
			after = c.Before(newest, r.Overlap)
		}
		if seen.Key.Thread == "" || len(g.Known) >= platform.SeenMessages { // the first ones are not among them
			oldest = Earlier(oldest, r.New)
		}
		g.NewAfter = Later(Earlier(after, r.From), oldest)
	}
	if g.After = g.NewAfter; len(g.Known)+len(g.Posts) > 0 {
		g.After = Earlier(g.After, c.justBefore(g))
	}
	g.After, g.NewAfter = Later(g.After, r.Earliest), Later(g.NewAfter, r.Earliest)
	return g
}

// justBefore returns an id before everything stored of a gap.
func (c Clock) justBefore(g *Gap) string {
	return c.Before(slices.MinFunc(slices.Concat(g.Known, g.Posts), Order), time.Millisecond)
}

// Past is what a platform still shows of what was said. M is a message as its wire has it.
//
// The rules of what may be done with it stand here, for all platforms. Only conversations with something stored
// are compared with what is shown. A stored message that is not found is reported as absent, if everything
// around it was read: that is a suspicion, and the Looker is asked for this one message before it is erased. An empty
// answer proves nothing. Nothing is handed on before it is known who may read the place.
type Past[M any] struct {
	Clock
	ID     func(M) string // "" for a message that could not be understood
	Read   func(context.Context, *Gap) (Span[M], error)
	Absent func(context.Context, platform.Absence) error
	// Place returns the key of a gap once it is known who may read there. The error wraps ErrUndeliverable if we may
	// not see the place.
	Place func(context.Context, *Gap) (memory.Key, error)
	// Deliver hands on a message: a new one, or the present form of a stored one. Without permission to see the
	// place the error wraps ErrUndeliverable.
	Deliver func(ctx context.Context, g *Gap, m M, stored bool) error
}

// CatchUp reads a gap, reports what is missing, and delivers what is new or edited.
func (p Past[M]) CatchUp(ctx context.Context, g *Gap) error {
	s, err := p.Read(ctx, g)
	if err != nil {
		return err
	}
	return p.deliver(ctx, g, s)
}

// errNothingShown says that a conversation could not be compared.
var errNothingShown = errors.New("nothing is shown of a conversation")

// CompareAll compares everything stored of a conversation with what the platform shows. Its messages may be used again
// if there is no error.
func (p Past[M]) CompareAll(ctx context.Context, stored platform.Seen) error {
	return p.compare(ctx, p.whole(stored))
}

// ErrTooLong is the error of ComparePart if more was said between the messages of a part than one page holds.
var ErrTooLong = errors.New("one page does not hold what was said between these messages")

// ComparePart compares a part of what is stored of a conversation, by one page of what the platform shows.
func (p Past[M]) ComparePart(ctx context.Context, part platform.Seen) error {
	g := p.whole(part)
	if len(g.Known)+len(g.Posts) > 0 {
		g.Until = slices.MaxFunc(slices.Concat(g.Known, g.Posts), Order)
	}
	return p.compare(ctx, g)
}

func (p Past[M]) whole(stored platform.Seen) *Gap {
	return &Gap{Key: stored.Key, Known: p.valid(stored.Messages), Posts: p.valid(stored.Posts), Whole: true}
}

func (p Past[M]) compare(ctx context.Context, g *Gap) error {
	if len(g.Known)+len(g.Posts) == 0 {
		return nil // an answer that only one person saw, perhaps
	}
	g.After = p.justBefore(g)
	s, err := p.Read(ctx, g)
	if err == nil && len(s.Said) == 0 && !s.Gone && !s.Unshown {
		err = errNothingShown
	}
	if err != nil {
		return err
	}
	return p.deliver(ctx, g, s)
}

func (p Past[M]) deliver(ctx context.Context, g *Gap, s Span[M]) error {
	if len(s.Said) == 0 && !s.Gone {
		return nil
	}
	key, err := p.Place(ctx, g)
	if errors.Is(err, platform.ErrUndeliverable) {
		return nil // we may not see it any more
	}
	if err != nil {
		return err
	}
	if missing := p.missing(g, s); len(missing) > 0 {
		if err := p.Absent(ctx, platform.Absence{Key: key, Messages: missing, Of: len(g.Known) + len(g.Posts)}); err != nil {
			return err
		}
	}
	for _, m := range s.Said {
		id := p.ID(m)
		known := slices.Contains(g.Known, id)
		if id == "" || !known && (g.Whole || !Newer(id, g.NewAfter)) {
			continue
		}
		if err := p.Deliver(ctx, g, m, known); err != nil && !errors.Is(err, platform.ErrUndeliverable) {
			return err
		}
	}
	return nil
}

// missing returns the stored messages that should have been found and were not: none if one that was found could not
// be understood, for it may be any of them.
func (p Past[M]) missing(g *Gap, s Span[M]) []string {
	found := make(map[string]bool, len(s.Said))
	for _, m := range s.Said {
		found[p.ID(m)] = true
	}
	if found[""] {
		return nil
	}
	return slices.DeleteFunc(slices.Concat(g.Known, g.Posts), func(id string) bool {
		return found[id] || !Newer(id, s.Since) || s.Until != "" && Newer(id, s.Until) || g.Settled != "" && !Newer(g.Settled, id)
	})
}
