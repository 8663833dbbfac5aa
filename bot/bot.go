package bot

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"sync"
	"time"

	"github.com/tmc/langchaingo/chains"

	"threadkeeper/agent"
	"threadkeeper/agent/spend"
	"threadkeeper/bot/access"
	"threadkeeper/bot/hearing"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/docs"
	"threadkeeper/memory"
)

// Bot runs the platforms, the workers and the deliveries. Its exported fields
// are set before the first call and not changed after.
type Bot struct {
	Store       *memory.Store
	Index       *docs.Index      // default one without an engine
	Chain       chains.Chain     // an agent.Chain: from agent.InputTurn and agent.InputEmit to agent.OutputReply
	Compactor   *agent.Compactor // nil: sessions are not compacted
	Meter       *spend.Meter     // the meter that Chain and Compactor use, for warnings; nil: no limits
	Platforms   []platform.Platform
	Log         *slog.Logger
	Workers     int            // turns at the same time; default 8
	TurnTimeout time.Duration  // default 5 min
	ScanWait    time.Duration  // how long a turn may wait, beyond TurnTimeout, for scanned pages of its session's documents; 0: they are read in the background
	Lease       time.Duration  // default 30 s
	Announce    bool           // tell every channel once what is stored of it and how to erase it
	Access      access.Lists   // who can use it, and where, as its operator set; default everybody everywhere
	Report      *Report        // the owner's weekly report; nil for none
	Models      []string       // models that a channel can choose: those of Chain, its usual one first
	PerMinute   int            // messages from one person answered in a minute; 0: any number
	AtOnce      int            // turns of one person at the same time; 0: any number
	MaxWaiting  int            // messages from one person that can wait for an answer; 0: any number
	Follow      hearing.Follow // for channels without a setting; default FollowThread
	Reply       Reply          // for channels without a setting; default ReplyThread
	Grace       time.Duration  // for running turns to finish when Run ends; default 10 s
	Patience    time.Duration  // how long a turn or command waits to learn who may read a channel; default 2 s
	Checkpoint  time.Duration  // between two checkpoints of the database; default 10 s
	HomesEvery  time.Duration  // between two looks at pages about us that may show what is gone, at least; default 5 s

	// GoneGrace is how long a conversation, a workspace or many messages at once must be missing from
	// their platform before they are erased; default 24 h.
	GoneGrace time.Duration
	// Everything stored is compared with its platform, about one page of messages at a time. CompareEvery is the time between
	// two pages; default a minute.
	CompareEvery time.Duration

	// ExternalDocuments allows documents in channels that are shared with another
	// workspace, and for guests.
	ExternalDocuments bool
	// Ended is called when a platform's Run returns while this Run continues; nil: the caller
	// does not need to know. It may be called by several goroutines.
	Ended func(p platform.Platform, err error)
	// Draw draws the page behind a citation; default Index.Picture.
	Draw func(ctx context.Context, c docs.Citation, dpi int) (image.Image, error)

	once        sync.Once
	owner       string
	turns       wake
	commands    wake
	posts       wake
	compactions wake
	erasures    wake
	absences    wake
	finished    wake // rung after each turn, command, lane of deliveries and compaction
	running     running
	rate        access.Rate
	reads       reads
	share       access.Share
	audiences   map[string]*audiences // by platform
	homes       map[string]*homes     // by platform, of those that show pages about us
	restored    int64                 // when a backup was restored (milliseconds UTC), 0 if none was
}

const compactors = 2

func (b *Bot) init() {
	b.once.Do(func() {
		b.owner = "bot-" + rand.Text()[:8]
		if b.Index == nil {
			b.Index = &docs.Index{Store: b.Store, Log: b.Log}
		}
		b.Workers = cmp.Or(b.Workers, 8)
		b.TurnTimeout = cmp.Or(b.TurnTimeout, 5*time.Minute)
		b.Lease = cmp.Or(b.Lease, 30*time.Second)
		b.Follow = cmp.Or(b.Follow, hearing.FollowThread)
		b.Reply = cmp.Or(b.Reply, ReplyThread)
		b.Grace = cmp.Or(b.Grace, 10*time.Second)
		b.Patience = cmp.Or(b.Patience, 2*time.Second)
		b.Checkpoint = cmp.Or(b.Checkpoint, 10*time.Second)
		b.HomesEvery = cmp.Or(b.HomesEvery, homesEvery)
		b.GoneGrace = cmp.Or(b.GoneGrace, 24*time.Hour)
		b.CompareEvery = cmp.Or(b.CompareEvery, time.Minute)
		if b.Draw == nil {
			b.Draw = func(ctx context.Context, c docs.Citation, dpi int) (image.Image, error) {
				return b.Index.Picture(ctx, c, dpi)
			}
		}
		for _, w := range []*wake{&b.turns, &b.commands, &b.posts, &b.compactions, &b.erasures, &b.absences, &b.finished} {
			*w = newWake()
		}
		b.rate.PerMinute, b.share.Most = b.PerMinute, b.AtOnce
		b.running.turns = make(map[int64]*runningTurn)
		b.audiences, b.homes = make(map[string]*audiences), make(map[string]*homes)
		for _, p := range b.Platforms {
			b.audiences[p.Name()] = newAudiences()
			if _, ok := p.(platform.HomePublisher); ok {
				h := &homes{wake: newWake()}
				h.ring() // what changed while the program did not run
				b.homes[p.Name()] = h
			}
		}
	})
}

// Run works until ctx is done or every platform's Run has returned, then
// joins everything it started. Running turns get Grace to finish; unfinished
// work continues with the next Run on the same store. The error joins those of
// the platforms.
func (b *Bot) Run(ctx context.Context) error {
	b.init()
	restored, err := b.Store.RestoredAt(ctx)
	b.restored = restored
	if !b.Store.IsShared() { // else the first process to open it has done so
		err = errors.Join(err, b.Store.Queue.ResetLeases(ctx), b.Store.Queue.ResetDelays(ctx))
	}
	err = errors.Join(err, b.uncheckAll(ctx))
	if ctx.Err() != nil {
		return nil
	}
	if err != nil {
		return fmt.Errorf("bot: start: %w", err)
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	work, abort := context.WithCancel(context.WithoutCancel(ctx))
	defer abort()

	var workers sync.WaitGroup
	workers.Go(func() { b.dispatch(ctx, work) })
	workers.Go(func() { b.runCommands(ctx, work) })
	workers.Go(func() { b.purge(ctx) })
	workers.Go(func() { b.reportWeekly(ctx) })
	workers.Go(func() { b.watchClock(ctx) })
	workers.Go(func() { b.secureErase(ctx) })
	if b.Index != nil && b.ScanWait <= 0 {
		workers.Go(func() { b.Index.ReadScans(ctx) })
	}
	for _, p := range b.Platforms {
		workers.Go(func() { b.followAudiences(ctx, p) })
	}
	for name, h := range b.homes {
		workers.Go(func() { b.refreshHomes(ctx, b.byName(name).(platform.HomePublisher), name, h) })
	}
	workers.Go(func() { b.watchAbsence(ctx, work) })
	workers.Go(func() { b.rollCall(ctx) })
	workers.Go(func() { b.checkpoint(ctx) })
	for range compactors {
		workers.Go(func() { b.compact(ctx) })
	}
	// Deliveries run until nothing can add one.
	deliver, stopDeliveries := context.WithCancel(work)
	var deliveries sync.WaitGroup
	deliveries.Go(func() { b.deliveries(deliver) })

	err = b.platforms(ctx)
	stop()
	grace := time.AfterFunc(b.Grace, abort)
	workers.Wait()
	grace.Stop()
	stopDeliveries()
	deliveries.Wait()
	return err
}

func (b *Bot) platforms(ctx context.Context) error {
	errs := make([]error, len(b.Platforms))
	var all sync.WaitGroup
	for i, p := range b.Platforms {
		all.Go(func() { errs[i] = b.platform(ctx, p) })
	}
	all.Wait()
	return errors.Join(errs...)
}

// platform runs one platform; one that panics is started again.
func (b *Bot) platform(ctx context.Context, p platform.Platform) error {
	handler := platform.Handler{
		Receive: func(ctx context.Context, ev platform.Event) error { return b.receive(ctx, p, ev) },
		Admit:   func(ctx context.Context, ev platform.Event) (bool, error) { return b.admit(ctx, p, ev) },
		Suggest: func(ctx context.Context, s platform.Suggestion) ([]platform.Choice, error) {
			s.Key.Platform = p.Name()
			rules, err := b.access(ctx, s.Key)
			if err != nil || rules.Of(s.Key, "", s.Author) == access.Closed {
				return nil, err
			}
			return b.suggest(ctx, p.Name(), s)
		},
		Form: func(ctx context.Context, ev platform.Event) (*platform.Form, error) {
			ev.Key.Platform = p.Name()
			rules, err := b.access(ctx, ev.Key)
			if err != nil || rules.Of(ev.Key, ev.Channel.Kind, ev.Author) == access.Closed {
				return nil, err
			}
			return b.form(ctx, ev)
		},
		Home: func(ctx context.Context, k memory.Key, a platform.Author) error {
			opening := &b.homes[p.Name()].opening
			opening.Add(1)
			defer opening.Add(-1)
			k.Platform = p.Name()
			return b.showHome(ctx, p.(platform.HomePublisher), k, a)
		},
		LastSeen: func(ctx context.Context) ([]platform.Seen, error) {
			return b.Store.RecentConversations(ctx, memory.RecentQuery{Platform: p.Name(), Within: seenFor, Sessions: seenSessions, Messages: platform.SeenMessages})
		},
		MissedSince: func(ctx context.Context, part string) (time.Time, error) { return b.missedSince(ctx, p, part) },
		SetMissedSince: func(ctx context.Context, part string, since time.Time) error {
			return b.setMissedSince(ctx, p, part, since)
		},
		Absent:     func(ctx context.Context, a platform.Absence) error { return b.suspect(ctx, p, a) },
		Stale:      func(ctx context.Context) ([]memory.StaleChannel, error) { return b.Store.Stale(ctx, p.Name()) },
		AwaitStale: func(ctx context.Context) bool { return b.audiences[p.Name()].checked.wait(ctx, rollEvery) },
		AwaitMoved: func(ctx context.Context) bool { return b.audiences[p.Name()].moved.await(ctx) },
		Stored:     b.Store.Conversations,
		SetFresh:   func(ctx context.Context, channel memory.StaleChannel) error { return b.setFresh(ctx, p, channel) },
		Files:      b.Store.FilesWith,
		In: func(ctx context.Context, workspace, application string) error {
			return b.in(ctx, p, workspace, application)
		},
		NextPart: func(ctx context.Context, limit int) (platform.Part, error) { return b.nextPart(ctx, p, limit) },
		SetCompared: func(ctx context.Context, part platform.Part) error {
			return wrap("note what was compared", b.Store.SetCursor(ctx, p.Name(), comparedPart, part.Last))
		},
	}
	for pause := time.Second; ; pause = min(2*pause, time.Minute) {
		err := guard(func() error { return p.Run(ctx, handler, say.Commands("en")) })
		var crash *panicError
		switch {
		case errors.As(err, &crash):
			b.Log.Error("platform panicked", "platform", p.Name(), "error", crash, "stack", string(crash.stack))
		case err == nil || ctx.Err() != nil:
			b.ended(ctx, p, nil)
			return nil
		default:
			b.ended(ctx, p, err)
			return fmt.Errorf("bot: platform %s: %w", p.Name(), err)
		}
		if !sleep(ctx, pause) {
			return nil
		}
	}
}

func (b *Bot) ended(ctx context.Context, p platform.Platform, err error) {
	if b.Ended != nil && ctx.Err() == nil {
		b.Ended(p, err)
	}
}

func (b *Bot) names() []string {
	names := make([]string, len(b.Platforms))
	for i, p := range b.Platforms {
		names[i] = p.Name()
	}
	return names
}

// byName returns the platform with this name, nil if it is not running.
func (b *Bot) byName(name string) platform.Platform {
	for _, p := range b.Platforms {
		if p.Name() == name {
			return p
		}
	}
	return nil
}
