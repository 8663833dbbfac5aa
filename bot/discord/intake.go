package discord

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
)

// Run delivers events until ctx is done, or until Discord refuses us for good;
// the error then says what can be done about it. The gateway has no acknowledgements: an
// event is retried until it is stored, and messages from while there was
// no connection are read afterwards.
func (a *Adapter) Run(ctx context.Context, h platform.Handler, commands []platform.Command) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	a.end.Store(&cancel)
	a.mentionsOnly.Store(false)
	a.tasks.open()
	defer a.tasks.join()
	in := newIntake(a, h, commands)
	g := &gateway{a: a, session: &session{token: a.Token}, intents: intents | discordgo.IntentMessageContent, put: func(p packet, done func()) bool { return in.enqueue(ctx, p, done) }}
	var all sync.WaitGroup
	all.Go(func() { in.run(ctx) })
	all.Go(func() { in.missed.driver.Compare(ctx, h, a.Log) })
	if a.Shard == 0 {
		all.Go(func() { a.register(ctx, commands) })
	}
	err := g.run(ctx)
	if errors.Is(context.Cause(ctx), errRefused) {
		err = errRefused
	}
	cancel(nil)
	all.Wait()
	in.lanes.Join()
	in.interactions.Wait()
	in.deletions.Wait()
	return err
}

const (
	maxUnfinished   = 20_000 // events not yet handled
	maxInteractions = 256    // interactions at once
)

// intake delivers events: those of a channel one after the other in the gateway's
// order, and those of different channels concurrently. The gateway's news about guilds,
// channels and threads is applied before anything that follows is handled. Interactions
// bypass all that, because they must be answered within three seconds.
type intake struct {
	a        *Adapter
	handler  platform.Handler
	commands []platform.Command
	missed   missed
	lanes    kit.Lanes
	stored   atomic.Int64 // events so far

	mu           sync.Mutex
	waiting      []queuedEvent
	unfinished   int // events not yet handled
	wake         chan struct{}
	queue        interactionQueue
	interactions sync.WaitGroup
	deletions    sync.WaitGroup // that are retried outside their lanes
}

type queuedEvent struct {
	packet
	done func()
}

// interactionQueue keeps the interactions of one person in their order.
type interactionQueue struct {
	running int
	last    map[string]chan struct{}
}

// join adds an interaction of a person: it may be stored once due is closed, and end
// lets the next one proceed.
func (q *interactionQueue) join(person string) (due <-chan struct{}, end func()) {
	if q.last == nil {
		q.last = make(map[string]chan struct{})
	}
	before, mine := q.last[person], make(chan struct{})
	if before == nil {
		before = make(chan struct{})
		close(before)
	}
	q.last[person] = mine
	q.running++
	return before, func() {
		q.running--
		close(mine)
		if q.last[person] == mine {
			delete(q.last, person)
		}
	}
}

// enqueue takes an event from the gateway and never waits; done is called when it was
// handled. If there is no room enqueue returns false.
func (in *intake) enqueue(ctx context.Context, p packet, done func()) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if p.Type == "INTERACTION_CREATE" {
		if in.queue.running >= maxInteractions || ctx.Err() != nil {
			in.a.Log.Warn("too many commands at once: one was dropped")
			done()
			return true
		}
		i, ok := readInteractionData(p.Data)
		if !ok {
			in.a.Log.Warn("could not decode an interaction")
			done()
			return true
		}
		due, end := in.queue.join(i.person())
		in.interactions.Go(func() {
			defer in.a.caught("interaction")
			defer func() {
				in.mu.Lock()
				defer in.mu.Unlock()
				end()
				done()
			}()
			in.handleInteraction(ctx, i, due)
		})
		return true
	}
	if in.unfinished >= maxUnfinished {
		return false
	}
	in.unfinished++
	in.waiting = append(in.waiting, queuedEvent{p, done})
	select {
	case in.wake <- struct{}{}:
	default:
	}
	return true
}

func (in *intake) run(ctx context.Context) {
	for {
		in.mu.Lock()
		waiting := in.waiting
		in.waiting = nil
		in.mu.Unlock()
		for _, e := range waiting {
			in.dispatch(ctx, e)
			if ctx.Err() != nil {
				return
			}
		}
		select {
		case <-in.wake:
		case <-ctx.Done():
			return
		}
	}
}

// dispatch handles an event: people's actions in the lane of its channel, anything else
// here. Gaps are read after the events before them were handled.
func (in *intake) dispatch(ctx context.Context, e queuedEvent) {
	work := func() {
		handle := func() error { return in.handleEvent(ctx, e.packet) }
		tried := in.retryUntilDone(ctx, e.Type, handle)
		in.mu.Lock()
		in.unfinished--
		in.mu.Unlock()
		if tried || e.Type != "MESSAGE_DELETE" && e.Type != "MESSAGE_DELETE_BULK" {
			e.done()
			return
		}
		in.deletions.Go(func() { // what people deleted stays until it is erased
			for !in.retryUntilDone(ctx, e.Type, handle) {
			}
			e.done()
		})
	}
	var of struct {
		ID      string `json:"id"`
		Channel string `json:"channel_id"`
		Guild   string `json:"guild_id"`
	}
	switch e.Type {
	case "MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE", "MESSAGE_DELETE_BULK":
		kit.Decode(e.Data, &of) // handleEvent logs it if it cannot be read
		in.lanes.Put(of.Guild, of.Channel, in.a.places.home(of.Channel), work)
	case "CHANNEL_DELETE", "THREAD_DELETE":
		kit.Decode(e.Data, &of)
		in.lanes.Put(of.Guild, of.ID, in.a.places.home(of.ID), work)
	case "READY":
		in.drain(ctx, "")
		work()
	case "GUILD_CREATE":
		kit.Decode(e.Data, &of)
		in.drain(ctx, of.ID)
		work()
	default:
		work()
	}
}

// drain waits for a limited time until the events of a guild in progress are
// handled, those of all guilds if guild is "". Slower ones keep their lane, and missed
// messages there come after them.
func (in *intake) drain(ctx context.Context, guild string) {
	ctx, cancel := context.WithTimeout(ctx, in.a.timing.drain)
	defer cancel()
	if in.lanes.Wait(ctx, guild) != nil {
		in.a.Log.Debug("some channels are still being handled")
	}
}

// maxAttempts is how often an event is tried while the look-up of its place fails: with
// pauses, about four minutes.
const maxAttempts = 40

// retryUntilDone retries an event, or the reading of a gap, until it succeeds, or ctx is done. It returns false
// after maxAttempts.
func (in *intake) retryUntilDone(ctx context.Context, what string, try func() error) (done bool) {
	done = true // also after a panic: it would happen again
	defer in.a.caught(what)
	for n := range maxAttempts {
		err := try()
		if err == nil || ctx.Err() != nil {
			return true
		}
		if errors.Is(err, platform.ErrUndeliverable) { // a channel we may not see
			in.a.Log.Debug("event ignored", "type", what, "error", err)
			return true
		}
		in.a.Log.Warn("event postponed", "type", what, "error", err)
		if in.pause(ctx, n, err) != nil {
			return true
		}
	}
	in.a.Log.Error("gave up on an event after many attempts", "type", what)
	return false
}

// lasting are the events that are never given up: what people deleted stays until it is erased, and a channel that was closed
// is open until we know it.
var lasting = []platform.EventKind{platform.EventDelete, platform.EventFile, platform.EventAudience}

// receive delivers an event until it is stored. One that cannot be, however often it is tried while others are, is given up:
// it would hold up its channel for ever. On a disk that is almost full only a long one cannot be.
func (in *intake) receive(ctx context.Context, ev platform.Event) error {
	before := in.stored.Load()
	for n := 0; ; n++ {
		err := in.handler.Receive(ctx, ev)
		if err == nil || ctx.Err() != nil {
			in.stored.Add(1)
			return ctx.Err()
		}
		if n >= maxAttempts && in.stored.Load() >= before+maxAttempts && !slices.Contains(lasting, ev.Kind) && !errors.Is(err, memory.ErrDisk) {
			in.a.Log.Error("gave up on an event that cannot be stored", "event", ev.ID, "error", err)
			return nil
		}
		in.a.Log.Error("could not store an event, trying again", "event", ev.ID, "error", err)
		if err := in.pause(ctx, n, err); err != nil {
			return err
		}
	}
}

// pause waits before the next attempt after n failed ones.
func (in *intake) pause(ctx context.Context, n int, err error) error {
	wait := in.a.timing.receive << min(n, 6)
	var later *platform.RetryError
	if errors.As(err, &later) && later.After > wait {
		wait = later.After
	}
	return kit.Pause(ctx, wait)
}
