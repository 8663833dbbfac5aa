package discord

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strconv"

	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// compare tells what is not found and hands on what was edited of all that is stored of a channel. It does so in the
// lanes: what happens meanwhile comes after it.
func (in *intake) compare(ctx context.Context, channel memory.Key, stored []platform.Seen) error {
	for _, c := range stored {
		at := cmp.Or(c.Key.Thread, c.Key.Channel)
		done := make(chan error, 1)
		in.lanes.Put(channel.Workspace, at, in.a.places.home(at), func() {
			err := errors.New("discord: panic")
			defer func() { done <- err }()
			defer in.a.caught("what is stored of a channel")
			err = in.compareConversation(ctx, at, c)
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

func (in *intake) compareConversation(ctx context.Context, at string, c platform.Seen) error {
	ids := slices.DeleteFunc(slices.Concat(c.Messages, c.Posts), func(id string) bool { return !isID(id) })
	if len(ids) == 0 {
		return nil // an answer that only one person saw, perhaps
	}
	oldest := slices.MinFunc(ids, func(x, y string) int { return cmp.Compare(number(x), number(y)) })
	said, whole, err := in.a.readBack(ctx, at, strconv.FormatUint(number(oldest)-1, 10), math.MaxInt)
	switch {
	case hasCode(err, discordgo.ErrCodeUnknownChannel):
		return in.absent(ctx, platform.Absence{Key: c.Key})
	case err != nil:
		return err
	case len(said) == 0:
		return errors.New("discord: nothing is shown of a conversation")
	}
	g := &gap{channel: at, known: ids, said: said, whole: whole, newAfter: said[len(said)-1].ID}
	if err := in.tellAbsences(ctx, g); err != nil {
		return err
	}
	return in.deliverGap(ctx, g)
}
