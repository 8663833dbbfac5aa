package discord

import (
	"context"
	"errors"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// compare tells what is not found and hands on what was edited of all that is stored of a channel. It does so in the
// lanes: what happens meanwhile comes after it.
func (in *intake) compare(ctx context.Context, channel memory.Key, stored []platform.Seen) error {
	for _, c := range stored {
		if err := in.inLane(ctx, c.Key, func() error { return in.missed.past.Compare(ctx, c) }); err != nil {
			return err
		}
	}
	return nil
}

// comparePart does the same with a part of what is stored of a conversation.
func (in *intake) comparePart(ctx context.Context, part platform.Seen) error {
	return in.inLane(ctx, part.Key, func() error { return in.missed.past.ComparePart(ctx, part) })
}

// inLane does something in the lane of a conversation, and waits for it.
func (in *intake) inLane(ctx context.Context, key memory.Key, do func() error) error {
	at := spotIn(key)
	done := make(chan error, 1)
	in.lanes.Put(key.Workspace, at, in.a.places.home(at), func() {
		err := errors.New("discord: panic")
		defer func() { done <- err }()
		defer in.a.caught("what is stored of a channel")
		err = do()
	})
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}
