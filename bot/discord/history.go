package discord

import (
	"cmp"
	"context"
	"errors"
	"strconv"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// History returns the messages of a channel or thread, including the one the thread
// began on, oldest first: the newest limit of those from since on.
func (a *Adapter) History(ctx context.Context, key memory.Key, since int64, limit int) (platform.Past, error) {
	s, err := a.sceneOf(ctx, cmp.Or(key.Thread, key.Channel))
	if err != nil {
		return platform.Past{}, err
	}
	after := ""
	if since > epoch {
		after = strconv.FormatInt((since-epoch)<<22-1, 10)
	}
	said, whole, err := a.readBack(ctx, s.at.ID, after, limit)
	if err != nil {
		return platform.Past{}, err
	}
	whole = whole || len(said) > 0 && !newer(said[0].ID, after)
	var first []platform.Event
	if s.at.thread() && s.parent.opens() && after == "" {
		if first, err = a.began(ctx, s); err != nil {
			return platform.Past{}, err
		}
	}
	var past []platform.Event
	for _, m := range said {
		if !newer(m.ID, after) {
			continue
		}
		if err := a.member(ctx, s.at.GuildID, &m); err != nil {
			return platform.Past{}, err
		}
		ev, why := readMessage(m, s)
		if m.Thread != nil && m.Thread.Last != "" {
			ev.Replied = createdAt(m.Thread.Last).UnixMilli()
		}
		if why == "" || why == byUs {
			past = append(past, ev)
		}
	}
	spare := max(0, len(past)-max(0, limit-len(first)))
	return platform.Past{Events: append(first, past[spare:]...), Whole: whole && spare == 0}, nil
}

// began is the message a thread began on, which stands in the parent channel; none
// if it was deleted, or the thread began without one.
func (a *Adapter) began(ctx context.Context, thread scene) ([]platform.Event, error) {
	var m wireMessage
	err := a.call(ctx, "GET", "/channels/"+thread.at.ParentID+"/messages/"+thread.at.ID, nil, &m)
	if errors.Is(err, platform.ErrUndeliverable) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	if err := a.member(ctx, thread.at.GuildID, &m); err != nil {
		return nil, err
	}
	s := thread
	s.at = thread.parent
	ev, why := readMessage(m, s)
	if why != "" && why != byUs {
		return nil, nil
	}
	ev.Key, ev.Opens = thread.key(), ""
	return []platform.Event{ev}, nil
}
