package slack

import (
	"context"
	"errors"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// intake is what becomes of deliveries, whichever way they come.
type intake struct {
	a        *Adapter
	us       identity
	handler  platform.Handler
	commands []platform.Command
	end      context.CancelCauseFunc
	lanes    *lanes
	missed   *missed
	edits    latest
	untitled recent // conversations that were begun and have no question yet
}

// Kinds of deliveries, as Socket Mode names them.
const (
	kindEvent       = "events_api"
	kindInteraction = "interactive"
	kindSlash       = "slash_commands"
)

// take reads one delivery and sees to it; done is called once, with nil when it is
// to be acknowledged. The error is that of ctx.
func (in *intake) take(ctx context.Context, kind string, payload []byte, done func(error)) error {
	f := in.read(kind, payload)
	switch {
	case f.event != nil:
		ev := f.event
		return in.lanes.put(ctx, ev.Key.Channel, func() {
			err := in.deliver(ctx, f)
			if err == nil {
				in.missed.lateRoot(ctx, ev)
			}
			done(err)
		})
	case f.aside != nil:
		if err := guard(func() error { in.aside(ctx, f.aside); return nil }); err != nil {
			in.a.Log.Error("delivery", "kind", kind, "error", err)
		}
	default:
		in.a.Log.Debug("delivery ignored", "kind", kind, "why", f.why)
	}
	done(nil)
	return nil
}

func (in *intake) read(kind string, payload []byte) (f outcome) {
	if deep(payload) {
		return ignored("nested too deep")
	}
	r := reader{us: in.us, agentView: in.a.AgentView}
	err := guard(func() error {
		switch kind {
		case kindEvent:
			f = r.callback(payload)
		case kindInteraction:
			f = r.interaction(payload)
		case kindSlash:
			f = r.slash(payload, in.commands)
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

// deliver sees to an outcome that is an event, in its lane.
func (in *intake) deliver(ctx context.Context, f outcome) error {
	return guard(func() error {
		ev := f.event
		if f.check {
			kept, err := in.a.sharedIn(ctx, ev.Message)
			if err != nil {
				return err // it is told again
			}
			ev.Kept = kept
		}
		if f.edit != "" && in.edits.outdated(ev.Key.Channel+" "+ev.Message, f.edit) {
			return nil
		}
		err := in.receive(ctx, ev)
		if errors.Is(err, memory.ErrDisk) {
			in.missed.unstored(f)
		}
		return err
	})
}

// receive hands an event on.
func (in *intake) receive(ctx context.Context, ev *platform.Event) error {
	if ev.Kind == platform.EventMessage || ev.Kind == platform.EventEdit {
		ev.Files = in.a.seen.fresh(ev)
	}
	if err := in.handler.Receive(ctx, *ev); err != nil {
		if ctx.Err() == nil {
			in.a.Log.Error("event not stored", "event", ev.ID, "kind", string(ev.Kind), "error", err)
		}
		return err
	}
	switch stopped := ev.Action == platform.StopAction; {
	case ev.Kind == platform.EventMessage:
		in.title(ctx, ev)
	case ev.Kind == platform.EventDelete, stopped: // after a deletion a turn may end without a post
		at := spot{ev.Key.Channel, first(ev.Key.Thread, ev.Opens)}
		if in.a.worked(at) || stopped {
			in.a.inBackground(ctx, "end of work", func(ctx context.Context) error { return in.a.idle(ctx, at) })
		}
	}
	return nil
}

// aside sees to what is no event.
func (in *intake) aside(ctx context.Context, what any) {
	switch x := what.(type) {
	case *over:
		in.a.Log.Error("the app is no longer installed", "reason", x.reason)
		in.end(&overError{x.reason})
	case *rateLimited:
		in.a.Log.Warn("Slack withholds events: the app gets more than 30,000 an hour in this workspace")
	case *userChanged:
		in.a.people.forget(x.user)
	case *channelChanged:
		in.a.channels.forget(x.channel)
	case *homeOpened:
		in.opened(ctx, x)
	case *threadStarted:
		in.started(ctx, x)
	}
}
