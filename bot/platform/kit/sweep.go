package kit

import (
	"context"
	"errors"
	"log/slog"

	"threadkeeper/bot/platform"
)

const (
	partMost  = 100 // messages of a part
	partTries = 3
)

// Sweep compares everything stored with the platform, part by part as they are due, until ctx is done: what was deleted or
// edited while nobody was connected is not delivered later, and catching up reads only the latest of it. compare compares
// one part and delivers later deletions and edits; see Past.ComparePart. A part that cannot be compared waits for
// the next pass.
func Sweep(ctx context.Context, h platform.Handler, log *slog.Logger, compare func(ctx context.Context, part platform.Seen) error) {
	for limit, tries := partMost, 1; ctx.Err() == nil; {
		part, err := h.NextPart(ctx, limit)
		if err == nil {
			err = compare(ctx, part.Seen)
			n := len(part.Messages) + len(part.Posts)
			switch {
			case ctx.Err() != nil:
				return
			case errors.Is(err, ErrTooLong) && min(limit, n) > 1:
				limit, tries = min(limit, n)/2, 1
				continue
			case err != nil && !errors.Is(err, ErrTooLong) && !errors.Is(err, platform.ErrUndeliverable) && tries < partTries:
				tries++
				continue
			case err != nil:
				log.Debug("could not compare stored messages", "channel", part.Key.Channel, "messages", n, "error", err)
			}
			limit, tries = min(2*limit, partMost), 1
			err = h.SetCompared(ctx, part)
		}
		if err != nil && ctx.Err() == nil {
			log.Error("could not look for messages to compare", "error", err)
		}
	}
}
