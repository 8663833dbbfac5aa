package discord

import (
	"context"
	"errors"
	"sync"

	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
)

// Run delivers events until ctx is done, or until Discord refuses us for good;
// the error then says what can be done about it. The gateway has no receipts: an
// event is handed on until it was received, and what was said while there was
// no connection is read afterwards.
func (a *Adapter) Run(ctx context.Context, h platform.Handler, commands []platform.Command) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	a.mentionsOnly.Store(false)
	a.tasks.open()
	defer a.tasks.join()
	in := &inlet{a: a, h: h, commands: commands, bell: make(chan struct{}, 1)}
	g := &gateway{a: a, session: &session{token: a.Token}, intents: intents | discordgo.IntentMessageContent, put: func(p packet, done func()) bool { return in.put(ctx, p, done) }}
	var all sync.WaitGroup
	all.Go(func() { in.run(ctx) })
	if a.Shard == 0 {
		all.Go(func() { a.register(ctx, commands) })
	}
	err := g.run(ctx)
	cancel()
	all.Wait()
	in.lanes.all.Wait()
	in.aside.Wait()
	return err
}

const (
	maxWaiting = 20_000 // events that are not done with
	maxAside   = 256    // interactions at once
)

// inlet hands events on: those of a channel one after the other as the gateway numbers
// them, and those of different channels side by side. What is told of guilds, channels
// and threads is known before anything that follows is looked at. Interactions go
// beside all that, for they are answered within three seconds.
type inlet struct {
	a        *Adapter
	h        platform.Handler
	commands []platform.Command
	missed   missed // of run alone
	debts    debts
	lanes    lanes

	mu      sync.Mutex
	waiting []arrival
	open    int // events that are not done with
	bell    chan struct{}
	turns   turns // of interactions
	aside   sync.WaitGroup
}

// arrival is an event; done is called once it is stored, or is nothing to store.
type arrival struct {
	packet
	done func()
}

// turns keep the interactions of one person in their order.
type turns struct {
	n    int // at work
	last map[string]chan struct{}
}

// enter takes a person's next turn: it has come once turn is closed, and is given
// on by end.
func (t *turns) enter(person string) (turn <-chan struct{}, end func()) {
	if t.last == nil {
		t.last = make(map[string]chan struct{})
	}
	before, mine := t.last[person], make(chan struct{})
	if before == nil {
		before = make(chan struct{})
		close(before)
	}
	t.last[person] = mine
	t.n++
	return before, func() {
		t.n--
		close(mine)
		if t.last[person] == mine {
			delete(t.last, person)
		}
	}
}

// put takes an event from the gateway and never waits; done is called when it is done
// with. Without room put reports false.
func (in *inlet) put(ctx context.Context, p packet, done func()) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	if p.Type == "INTERACTION_CREATE" {
		if in.turns.n >= maxAside || ctx.Err() != nil {
			in.a.Log.Warn("too many commands at once; one is dropped")
			done()
			return true
		}
		i, ok := readInvocation(p.Data)
		if !ok {
			in.a.Log.Warn("interaction not understood")
			done()
			return true
		}
		turn, end := in.turns.enter(i.person())
		in.aside.Go(func() {
			defer in.a.caught("interaction")
			defer func() {
				in.mu.Lock()
				defer in.mu.Unlock()
				end()
				done()
			}()
			in.invoked(ctx, i, turn)
		})
		return true
	}
	if in.open >= maxWaiting {
		return false
	}
	in.open++
	in.waiting = append(in.waiting, arrival{p, done})
	select {
	case in.bell <- struct{}{}:
	default:
	}
	return true
}

// next takes everything that waits.
func (in *inlet) next() []arrival {
	in.mu.Lock()
	defer in.mu.Unlock()
	all := in.waiting
	in.waiting = nil
	return all
}

// run works through what waits until ctx is done.
func (in *inlet) run(ctx context.Context) {
	for {
		for _, e := range in.next() {
			in.dispatch(ctx, e)
			if ctx.Err() != nil {
				return
			}
		}
		select {
		case <-in.bell:
		case <-ctx.Done():
			return
		}
	}
}

// dispatch puts an event where it is worked on: what people do in its channel's lane,
// anything else here. What was missed is looked for when what came before is done with.
func (in *inlet) dispatch(ctx context.Context, e arrival) {
	work := func() {
		in.insist(ctx, e.Type, func() error { return in.take(ctx, e.packet) })
		in.mu.Lock()
		in.open--
		in.mu.Unlock()
		e.done()
	}
	var of struct {
		ID      string `json:"id"`
		Channel string `json:"channel_id"`
		Guild   string `json:"guild_id"`
	}
	switch e.Type {
	case "MESSAGE_CREATE", "MESSAGE_UPDATE", "MESSAGE_DELETE", "MESSAGE_DELETE_BULK":
		decode(e.Data, &of) // take tells what cannot be read
		in.lanes.put(of.Guild, of.Channel, in.a.places.home(of.Channel), work)
	case "CHANNEL_DELETE", "THREAD_DELETE":
		decode(e.Data, &of)
		in.lanes.put(of.Guild, of.ID, in.a.places.home(of.ID), work)
	case "READY":
		in.settle(ctx, "")
		work()
	case "GUILD_CREATE":
		decode(e.Data, &of)
		in.settle(ctx, of.ID)
		work()
	default:
		work()
	}
}

// settle waits, not for long, until what is under way in a guild is done with, that of
// all if guild is "". What takes longer keeps its lane, and what was missed there comes
// after it.
func (in *inlet) settle(ctx context.Context, guild string) {
	ctx, cancel := context.WithTimeout(ctx, in.a.timing.settle)
	defer cancel()
	if in.lanes.wait(ctx, guild) != nil {
		in.a.Log.Debug("some channels are still worked on")
	}
}

// maxLookups is how often an event is tried whose place Discord does not tell: with
// pauses, about four minutes.
const maxLookups = 40

// insist tries until something, what people did or what was missed, is done with.
func (in *inlet) insist(ctx context.Context, what string, try func() error) {
	defer in.a.caught(what)
	for n := range maxLookups {
		err := try()
		if err == nil || ctx.Err() != nil {
			return
		}
		if errors.Is(err, platform.ErrUndeliverable) { // a channel we may not see
			in.a.Log.Debug("event ignored", "type", what, "error", err)
			return
		}
		in.a.Log.Warn("event put off", "type", what, "error", err)
		if in.pause(ctx, n, err) != nil {
			return
		}
	}
	in.a.Log.Error("event given up", "type", what)
}

// receive hands an event on until it is stored.
func (in *inlet) receive(ctx context.Context, ev platform.Event) error {
	for n := 0; ; n++ {
		err := in.h.Receive(ctx, ev)
		if err == nil || ctx.Err() != nil {
			return ctx.Err()
		}
		in.a.Log.Error("event not received; it is tried again", "event", ev.ID, "error", err)
		if err := in.pause(ctx, n, err); err != nil {
			return err
		}
	}
}

// pause waits before the next attempt after n failed ones.
func (in *inlet) pause(ctx context.Context, n int, err error) error {
	wait := in.a.timing.receive << min(n, 6)
	var later *platform.RetryError
	if errors.As(err, &later) && later.After > wait {
		wait = later.After
	}
	return kit.Pause(ctx, wait)
}
