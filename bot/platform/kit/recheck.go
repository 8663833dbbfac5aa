package kit

import (
	"context"
	"log/slog"
	"time"

	"threadkeeper/bot/platform"
)

const (
	recheckFirst = time.Second // first pause before channels that could not be compared are retried; it doubles
	recheckMost  = time.Hour
)

// Recheck compares every channel that came from a backup or that we were added back to, and marks it as fresh, until
// ctx is done. compare asks the platform for everything stored of a conversation and delivers later deletions and
// edits; after an error its channel is retried later.
func Recheck(ctx context.Context, h platform.Handler, log *slog.Logger, compare func(ctx context.Context, stored platform.Seen) error) {
	told := false
	for pause := recheckFirst; ctx.Err() == nil; pause = min(2*pause, recheckMost) {
		channels, err := h.Stale(ctx)
		if err == nil && len(channels) == 0 {
			if told {
				log.Warn("everything stored for these channels has been compared")
			}
			if !h.AwaitStale(ctx) {
				return
			}
			told, pause = false, recheckFirst/2
			continue
		}
		if !told && err == nil {
			told = true
			log.Warn("a backup was restored, or we were out of channels: comparing their stored messages before using them", "channels", len(channels))
		}
		if err != nil && ctx.Err() == nil {
			log.Error("could not look for channels to compare", "error", err)
		}
		left := err != nil
		for _, channel := range channels {
			stored, err := h.Stored(ctx, channel.Key)
			for i := 0; i < len(stored) && err == nil; i++ {
				err = compare(ctx, stored[i])
			}
			if err == nil {
				err = h.SetFresh(ctx, channel)
			}
			if ctx.Err() != nil {
				return
			}
			if left = left || err != nil; err != nil {
				log.Warn("could not compare the stored messages of a channel yet", "channel", channel.Channel, "error", err)
			}
		}
		if left && Pause(ctx, pause) != nil {
			return
		}
	}
}
