package slack

import (
	"cmp"
	"context"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v5"
	slackapi "github.com/slack-go/slack"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// intake turns deliveries into events, over Socket Mode and over HTTP.
type intake struct {
	a       *Adapter
	us      identity
	handler platform.Handler
	cancel  context.CancelCauseFunc
	lanes   kit.Lanes
	room    chan struct{} // holds one for each delivery in a lane
	missed  *missed
	edits   kit.Recent[string] // when messages were last edited, by Slack's clock: an edit may be delivered after a later one
	shown   kit.Recent[string] // the posts of questions that were shown to everybody: one may be delivered again
	began   time.Time
}

// maxWaiting is how many deliveries may run or wait before the wire is no
// longer read. A delivery waits for the store, seldom for a look-up.
const maxWaiting = 2000

// Kinds of deliveries, as Socket Mode names them.
const (
	kindEvent       = "events_api"
	kindInteraction = "interactive"
	kindSlash       = "slash_commands"
)

// accept reads one delivery and handles it; done is called once, with nil if the
// delivery may be acknowledged. The error is that of ctx.
func (in *intake) accept(ctx context.Context, kind string, payload []byte, done func(error)) error {
	f := in.readDelivery(kind, payload)
	switch {
	case f.event != nil:
		ev := f.event
		return in.enqueue(ctx, ev.Key.Channel, func() {
			err := in.handle(ctx, f)
			if err == nil {
				in.missed.checkLateRoot(ctx, ev)
			}
			done(err)
		})
	case f.notice != nil:
		if err := guard(func() error { in.handleNotice(ctx, f.notice); return nil }); err != nil {
			in.a.Log.Error("could not handle a delivery", "kind", kind, "error", err)
		}
	default:
		in.a.Log.Debug("delivery ignored", "kind", kind, "why", f.reason)
	}
	done(nil)
	return nil
}

// enqueue adds work to the lane of a channel, once there is room for it.
func (in *intake) enqueue(ctx context.Context, channel string, work func()) error {
	select {
	case in.room <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	in.lanes.Put("", channel, channel, func() {
		work()
		<-in.room
	})
	return nil
}

func (in *intake) readDelivery(kind string, payload []byte) (f outcome) {
	r := reader{us: in.us, agentView: in.a.AgentView}
	err := guard(func() error {
		switch kind {
		case kindEvent:
			f = r.callback(payload)
		case kindInteraction:
			f = r.interaction(payload)
		case kindSlash:
			f = r.slash(payload)
		default:
			f = ignored("delivery of kind %q", kind)
		}
		return nil
	})
	if err != nil {
		return ignored("unreadable: %v", err)
	}
	return f
}

func (in *intake) handle(ctx context.Context, f outcome) error {
	return guard(func() error {
		ev := f.event
		if f.checkShares {
			kept, err := in.a.sharedIn(ctx, ev.Message)
			if err != nil {
				return err // Slack delivers it again
			}
			ev.Kept = kept
		}
		if f.editedAt != "" {
			message := ev.Key.Channel + " " + ev.Message
			if latest, _ := in.edits.Get(message); f.editedAt < latest {
				return nil
			}
			in.edits.Set(message, f.editedAt)
		}
		if f.about != nil {
			said := f.said
			if said == "" {
				var err error
				if said, err = in.a.wordsOf(ctx, *f.about); err != nil {
					return err
				}
			}
			if ev.Text = f.aloud; said != "" {
				ev.Text = say.AskedAbout(said, f.aloud)
			}
		}
		if f.aloud != "" {
			ts, err := in.ask(ctx, ev, f.aloud, f.about)
			if err != nil || ts == "" {
				return err
			}
			ev.Message, ev.At, ev.Reply, ev.Shown = ts, millis(ts), platform.Address{}, true
			if ev.Key.Thread == "" {
				reader{us: in.us, agentView: in.a.AgentView}.in(ev, "", ts)
			}
		}
		err := in.receive(ctx, ev)
		if errors.Is(err, memory.ErrDisk) {
			in.missed.noteUnstored(f)
		}
		return err
	})
}

func (in *intake) receive(ctx context.Context, ev *platform.Event) error {
	if ev.Kind == platform.EventMessage || ev.Kind == platform.EventEdit {
		ev.Files = in.a.files.brought(ev)
		if ev.Author.Kind == memory.Bot { // its kind decides whether it may be answered
			limit, cancel := context.WithTimeout(ctx, in.a.LookUp)
			ev.Author = in.a.authorOf(limit, ev.Author, true)
			cancel()
		}
	}
	if ev.Kind == platform.EventAudience || ev.Kind == platform.EventJoin {
		in.a.places.drop(ev.Key.Channel)
	}
	if ev.Kind == platform.EventJoin {
		in.a.guests.outdated.Store(true) // one may have been invited to this channel since
	}
	if err := in.handler.Receive(ctx, *ev); err != nil {
		if ctx.Err() == nil {
			in.a.Log.Error("could not store an event", "event", ev.ID, "kind", string(ev.Kind), "error", err)
		}
		return err
	}
	if stopped := ev.Action == platform.StopAction; stopped || ev.Kind == platform.EventDelete { // after a deletion a turn may end without a post
		at := spot{ev.Key.Channel, cmp.Or(ev.Key.Thread, ev.Opens)}
		if in.a.clearProcessing(at) || stopped {
			in.a.startTask(ctx, "end of work", func(ctx context.Context) error { return in.a.setSession(ctx, at, slackapi.AgentSessionStatusActive) })
		}
	}
	return nil
}

// doubtAll reports that any channel may have changed while no events arrived, and that they arrive
// again. It does not wait until that is stored.
func (in *intake) doubtAll(ctx context.Context) {
	in.a.places.dropAll()
	in.a.guests.outdated.Store(true)
	ev := platform.Event{ID: "audience:" + in.us.Team, Kind: platform.EventAudience, Key: reader{us: in.us}.key("")}
	in.missed.all.Go(func() {
		_, _ = backoff.Retry(ctx, func() (struct{}, error) { return struct{}{}, in.receive(ctx, &ev) }, backoff.WithMaxElapsedTime(0))
	})
}

func (in *intake) handleNotice(ctx context.Context, what any) {
	switch x := what.(type) {
	case *uninstalled:
		in.a.Log.Error("the app is no longer installed", "reason", x.reason)
		if err := in.missed.driver.Absent(ctx, platform.Absence{Key: memory.Key{Workspace: in.us.Team}, Told: true}); err != nil {
			in.a.Log.Error("could not save that the app was removed", "error", err)
		}
		in.cancel(&fatalError{x.reason})
	case *rateLimited:
		in.a.Log.Warn("Slack withholds events: the app gets more than 30,000 an hour in this workspace")
	case *channelRenamed:
		in.a.places.drop(x.channel)
	case *aboutMessage:
		in.a.startTask(ctx, "form", func(ctx context.Context) error { return in.openQuestion(ctx, x) })
	case *homeOpened:
		in.handleHomeOpened(ctx, x)
	}
}
