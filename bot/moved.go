package bot

import (
	"context"
	"slices"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// A platform may give a channel another id. If it does not tell us, or tells us late, the channel is a new one to us, and what is
// stored of it belongs to one that does not exist: nobody would see it, and what people delete would stay.

const (
	movedLooks = 20              // channels that are compared with one
	noticeTime = 5 * time.Second // that an event of a new channel waits for that
)

// noticeMove looks whether a channel that is new to us is one that we know by another id. It does so once for each. Public
// channels keep theirs.
func (b *Bot) noticeMove(ctx context.Context, p platform.Platform, ev platform.Event) {
	if ev.Key.Channel == "" || ev.Channel.Kind == memory.DM || ev.Channel.Kind == memory.Public || ev.Kind == platform.EventMove {
		return
	}
	if _, err := b.Store.ChannelByKey(ctx, ev.Key); !gone(err) || !b.audiences[p.Name()].first(ev.Key.Channel) {
		return
	}
	limit, cancel := context.WithTimeout(ctx, noticeTime)
	defer cancel()
	if err := b.findMoved(ctx, limit, p, ev.Key.Workspace, ev.Key.Channel, nil); err != nil {
		b.Log.Warn("could not find out whether a new channel is one that had another id", "channel", ev.Key.Channel, "error", err)
	}
}

// findMoved looks for what private channels of a workspace are now that are hidden from us: among the new ones that its platform
// shows, or which of all that it does not show any more is a new one. The platform is asked within limit.
func (b *Bot) findMoved(ctx, limit context.Context, p platform.Platform, workspace, new string, hidden []memory.Channel) error {
	hidden = slices.DeleteFunc(hidden, func(c memory.Channel) bool { return c.Kind != memory.Private })
	mover, moves := p.(platform.Mover)
	if !moves || new == "" && len(hidden) == 0 {
		return nil
	}
	known, err := b.Store.PrivateChannels(limit, p.Name(), workspace)
	if err != nil || len(known) == 0 {
		return err
	}
	shown, err := mover.Channels(limit, workspace)
	if err != nil {
		return err
	}
	now := []string{new}
	if new != "" {
		hidden = slices.DeleteFunc(slices.Clone(known), func(c memory.Channel) bool { return among(shown, c) })
	} else {
		now = nil
		for _, o := range shown {
			if o.Kind == memory.Private && (o.External || !among(known, o)) && len(now) < movedLooks {
				now = append(now, o.Channel)
			}
		}
	}
	for i := 0; i < min(len(hidden), movedLooks) && len(now) > 0; i++ {
		if moved, err := b.moved(ctx, limit, mover, hidden[i], now); err != nil || moved && new != "" {
			return err
		}
	}
	return nil
}

func among(all []memory.Channel, c memory.Channel) bool {
	return slices.ContainsFunc(all, func(o memory.Channel) bool { return o.Channel == c.Channel })
}

// moved gives a stored channel another id if it is one of some channels now. The platform is asked within limit.
func (b *Bot) moved(ctx, limit context.Context, p platform.Mover, c memory.Channel, now []string) (bool, error) {
	from := memory.Key{Platform: c.Platform, Workspace: c.Workspace, Channel: c.Channel}
	stored, err := b.Store.Conversations(limit, from)
	if err != nil {
		return false, err
	}
	stored = stored[:min(len(stored), heldLooks)]
	for i, s := range stored {
		stored[i].Messages = s.Messages[:min(len(s.Messages), heldLooks)]
	}
	to := from
	to.Channel, err = p.Moved(limit, from.Channel, stored, now)
	if err != nil || to.Channel == "" {
		return false, err
	}
	return true, b.move(ctx, memory.ChannelMove{From: from, To: to, Missed: true})
}

// move gives a channel another id.
func (b *Bot) move(ctx context.Context, m memory.ChannelMove) error {
	moved, err := b.Store.MoveChannel(ctx, m)
	if err != nil {
		return err
	}
	b.Log.Info("a channel has a new id", "platform", m.To.Platform, "channel", m.To.Channel, "before", m.From.Channel, "moved", moved, "told", !m.Missed)
	b.erasures.ring()
	b.narrowed()
	b.audiences[m.To.Platform].ask(m.To.Workspace, 0)
	if m.Missed {
		b.audiences[m.To.Platform].moved.ring()
	}
	return nil
}
