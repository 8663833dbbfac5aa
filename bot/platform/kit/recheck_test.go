package kit

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// TestRecheckContinuesUntilAllIsCompared: a channel that cannot be compared holds up no other, and is tried again
// after longer and longer pauses.
func TestRecheckContinuesUntilAllIsCompared(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		left := []memory.StaleChannel{{Key: memory.Key{Channel: "away"}}, {Key: memory.Key{Channel: "here"}}}
		h := platform.Handler{
			Stale:      func(context.Context) ([]memory.StaleChannel, error) { return slices.Clone(left), nil },
			AwaitStale: func(context.Context) bool { return false },
			Stored: func(_ context.Context, channel memory.Key) ([]platform.Seen, error) {
				return []platform.Seen{{Key: channel}}, nil
			},
			SetFresh: func(_ context.Context, channel memory.StaleChannel) error {
				left = slices.DeleteFunc(left, func(c memory.StaleChannel) bool { return c == channel })
				return nil
			},
		}
		var tried []string
		begun := time.Now()
		Recheck(t.Context(), h, slog.New(slog.DiscardHandler), func(_ context.Context, stored platform.Seen) error {
			tried = append(tried, stored.Key.Channel)
			if stored.Key.Channel == "away" && len(tried) < 12 {
				return errors.New("not now")
			}
			return nil
		})
		if want := append([]string{"away", "here"}, slices.Repeat([]string{"away"}, 10)...); !slices.Equal(tried, want) || len(left) > 0 {
			t.Errorf("tried %q, left %v", tried, left)
		}
		if took := time.Since(begun); took != (1<<10-1)*time.Second {
			t.Errorf("took %s", took)
		}
		left = []memory.StaleChannel{{Key: memory.Key{Channel: "away"}}}
		ctx, end := context.WithCancel(t.Context())
		Recheck(ctx, h, slog.New(slog.DiscardHandler), func(context.Context, platform.Seen) error {
			end()
			return errors.New("the program ends")
		})
		if len(left) != 1 {
			t.Error("what was not compared counts as compared")
		}
	})
}
