package kit

import (
	"context"
	"errors"
	"testing"
	"time"

	"threadkeeper/memory"
)

// TestTheCheckpointGoesOnceEveryGapWasRead: one that was given up is left to the next process.
func TestTheCheckpointGoesOnceEveryGapWasRead(t *testing.T) {
	t.Parallel()
	for _, givesUp := range []bool{false, true} {
		missed := time.Unix(10, 0)
		store := &storedTimes{of: map[string]time.Time{}}
		var lanes Lanes
		tries := map[string]int{}
		d := Driver[string]{
			Past: Past[string]{Read: func(_ context.Context, g *Gap) (Span[string], error) {
				if tries[g.Key.Channel]++; g.Key.Channel == "busy" && tries["busy"] < 3 {
					return Span[string]{}, errors.New("not now")
				}
				return Span[string]{}, nil
			}},
			Checkpoints: store.checkpoints(),
			Lane:        func(g *Gap, read func()) { lanes.Put("", "one", "one", read) },
			Retry: func(_ context.Context, _ *Gap, read func() error) bool {
				for read() != nil {
					if givesUp {
						return false
					}
				}
				return true
			},
		}
		if err := d.Checkpoints.Set(t.Context(), "w", missed); err != nil {
			t.Fatal(err)
		}
		d.Pass(t.Context(), "w", func(since, set time.Time) []*Gap {
			if !since.Equal(missed) || set.IsZero() {
				t.Errorf("since %s, set at %s", since, set)
			}
			return []*Gap{{Key: memory.Key{Workspace: "w", Channel: "busy"}}, {Key: memory.Key{Workspace: "w", Channel: "calm"}}}
		})
		lanes.Join()
		if left := !store.of["w"].IsZero(); left != givesUp || tries["calm"] != 1 {
			t.Errorf("gives up %v: checkpoint left %v, tries %v", givesUp, left, tries)
		}
	}
}
