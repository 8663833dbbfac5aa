package kit

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"testing"

	"threadkeeper/bot/platform"
)

// TestSweepComparesEveryPart: a part that is too long for a page is halved, one that fails is tried again, and one that cannot be
// compared holds up no other.
func TestSweepComparesEveryPart(t *testing.T) {
	ctx, end := context.WithCancel(t.Context())
	channels := []string{"long", "long", "long", "late", "broken", "hidden", "last"}
	from := 0
	h := platform.Handler{
		NextPart: func(_ context.Context, limit int) (p platform.Part, err error) {
			p.Key.Channel = channels[from]
			for p.Last = int64(from); p.Last < int64(len(channels)) && channels[p.Last] == p.Key.Channel && len(p.Messages) < limit; p.Last++ {
				p.Messages = append(p.Messages, fmt.Sprint(p.Last+1))
			}
			return p, nil
		},
		SetCompared: func(_ context.Context, p platform.Part) error {
			from = int(p.Last)
			return nil
		},
	}
	var tried []string
	Sweep(ctx, h, slog.New(slog.DiscardHandler), func(_ context.Context, part platform.Seen) error {
		name := fmt.Sprint(part.Key.Channel, part.Messages)
		first := !slices.Contains(tried, name)
		tried = append(tried, name)
		switch {
		case part.Key.Channel == "last":
			end()
		case len(part.Messages) > 1:
			return ErrTooLong
		case part.Key.Channel == "late" && first, part.Key.Channel == "broken":
			return errors.New("not now")
		case part.Key.Channel == "hidden":
			return platform.ErrUndeliverable
		}
		return nil
	})
	want := []string{"long[1 2 3]", "long[1]", "long[2 3]", "long[2]", "long[3]", "late[4]", "late[4]", "broken[5]", "broken[5]", "broken[5]", "hidden[6]", "last[7]"}
	if !slices.Equal(tried, want) {
		t.Errorf("%q, want %q", tried, want)
	}
}
