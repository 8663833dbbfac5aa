package bot_test

import (
	"context"
	"io"
	"log/slog"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"threadkeeper/bot"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/docs"
	"threadkeeper/memory"
)

// dripping is a platform whose files come a byte a second, without end.
type dripping struct{ platform.Platform }

func (dripping) Open(ctx context.Context, _ memory.File) (io.ReadCloser, error) {
	return io.NopCloser(drip{ctx}), nil
}

type drip struct{ ctx context.Context }

func (d drip) Read(p []byte) (int, error) {
	select {
	case <-time.After(time.Second):
		p[0] = 'x'
		return 1, nil
	case <-d.ctx.Done():
		return 0, d.ctx.Err()
	}
}

// A file that comes a byte a second holds a worker for two minutes, no longer, and
// nobody who says stop waits for it.
func TestASlowFileIsGivenUp(t *testing.T) {
	for _, c := range []struct {
		name  string
		stop  bool
		least time.Duration
		most  time.Duration
		says  string
	}{
		{"in time", false, 119 * time.Second, 130 * time.Second, "You said: look"},
		{"at once when somebody says stop", true, 0, 5 * time.Second, "Stopped"},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store, err := memory.Open(t.Context(), filepath.Join(t.TempDir(), "test.db"))
				if err != nil {
					t.Fatal(err)
				}
				defer store.Close()
				world := platformtest.NewWorld()
				b := &bot.Bot{Store: store, Index: &docs.Index{Store: store, Log: slog.New(slog.DiscardHandler)}, Chain: &platformtest.Chain{Store: store},
					Platforms: []platform.Platform{dripping{world.Platform()}}, Log: slog.New(slog.DiscardHandler), Workers: 1}
				defer start(t, b)()
				begin := time.Now()
				_, at := world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: "look", Mention: true,
					Files: []platformtest.File{{Name: "report.txt", Data: []byte("x")}}})
				if c.stop {
					time.Sleep(time.Second)
					world.Command("Ada", at, "stop", "")
				}
				for time.Since(begin) < 10*time.Minute && !said(world, at, c.says) {
					time.Sleep(100 * time.Millisecond)
				}
				if took := time.Since(begin); took < c.least || took > c.most {
					t.Errorf("answered after %s: %+v", took, world.Posts(at, "Ada"))
				}
			})
		})
	}
}

func said(world *platformtest.World, at platformtest.Place, text string) bool {
	for _, p := range world.Posts(at, "Ada") {
		if strings.Contains(p.Text, text) {
			return true
		}
	}
	return false
}
