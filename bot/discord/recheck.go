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
		at := spotIn(c.Key)
		done := make(chan error, 1)
		in.lanes.Put(channel.Workspace, at, in.a.places.home(at), func() {
			err := errors.New("discord: panic")
			defer func() { done <- err }()
			defer in.a.caught("what is stored of a channel")
			err = in.missed.past.Compare(ctx, c)
		})
		select {
		case err := <-done:
			if err != nil {
				return err
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
