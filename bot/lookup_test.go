package bot_test

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

// reserved is a platform that does not say who somebody is when an event comes, and
// only at the last of several times it is asked.
type reserved struct {
	platform.Platform
	refuses *atomic.Int32 // so often it does not
	never   error         // what it says instead, if it will never
}

func (p reserved) Run(ctx context.Context, h platform.Handler, commands []platform.Command) error {
	receive := h.Receive
	h.Receive = func(ctx context.Context, ev platform.Event) error {
		ev.Author = platform.Author{ID: ev.Author.ID, Kind: memory.Unknown}
		return receive(ctx, ev)
	}
	return p.Platform.Run(ctx, h, commands)
}

func (p reserved) Person(_ context.Context, _ memory.Key, id string) (platform.Author, error) {
	if p.never != nil {
		return platform.Author{}, p.never
	}
	if p.refuses.Add(-1) >= 0 {
		return platform.Author{}, &platform.RetryError{After: time.Millisecond, Err: errors.New("too many requests")}
	}
	return platform.Author{ID: id, Name: id, Kind: memory.Human}, nil
}

// TestUnknownAuthorsAreLookedUpAgain: nobody is taken for a guest because the platform was
// busy when they first spoke.
func TestUnknownAuthorsAreLookedUpAgain(t *testing.T) {
	for name, c := range map[string]struct {
		refuses int32
		never   error
		barred  bool
	}{
		"at once":      {},
		"a bit later":  {refuses: 2},
		"never":        {never: errors.New("missing scope"), barred: true},
		"not for long": {refuses: 1000, barred: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			world := platformtest.NewWorld()
			refuses := new(atomic.Int32)
			refuses.Store(c.refuses)
			b := hold(t, world, reserved{world.Platform(), refuses, c.never})
			_, at := world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: "hello", Mention: true,
				Files: []platformtest.File{{Name: "notes.txt", Data: []byte("walrus")}}})
			settle(t, b, world)
			posts := world.Posts(at, "Ada")
			if len(posts) != 1 || strings.Contains(posts[0].Text, "documents from guests") != c.barred {
				t.Errorf("%+v", posts)
			}
		})
	}
}
