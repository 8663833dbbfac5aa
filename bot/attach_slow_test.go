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

// dripping is a platform whose files come a piece at a time, after a pause.
type dripping struct {
	platform.Platform
	pause time.Duration
	text  string
}

func (d dripping) Open(ctx context.Context, _ memory.File) (io.ReadCloser, error) {
	return io.NopCloser(&drip{ctx, d.pause, d.text}), nil
}

type drip struct {
	ctx   context.Context
	pause time.Duration
	left  string
}

func (d *drip) Read(p []byte) (int, error) {
	if d.left == "" {
		return 0, io.EOF
	}
	select {
	case <-time.After(d.pause):
		n := copy(p, d.left[:min(len(d.left), 4)])
		d.left = d.left[n:]
		return n, nil
	case <-d.ctx.Done():
		return 0, d.ctx.Err()
	}
}

// TestADownloadMayBeSlow, and is read whole, as long as the turn has time left for an answer. One that brings nothing is tried
// again, and given up in the end; nobody who says stop waits for it.
func TestADownloadMayBeSlow(t *testing.T) {
	const text = "The warranty lasts three years."
	for _, c := range []struct {
		name  string
		pause time.Duration
		text  string
		stop  bool
		least time.Duration
		most  time.Duration
		says  string
	}{
		{"read though it takes long", 25 * time.Second, text, false, 200 * time.Second, 210 * time.Second, "New: report.txt ready"},
		{"given up while there is time for an answer", 25 * time.Second, strings.Repeat(text, 5), false, 220 * time.Second, 240 * time.Second, "I could not read report.txt"},
		{"given up when nothing comes", time.Hour, text, false, 120 * time.Second, 150 * time.Second, "I could not read report.txt"},
		{"given up at once when somebody says stop", time.Hour, text, true, 0, 5 * time.Second, "Stopped"},
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
					Platforms: []platform.Platform{dripping{world.Platform(), c.pause, c.text}}, Log: slog.New(slog.DiscardHandler), Workers: 1}
				defer start(t, b)()
				begin := time.Now()
				_, at := world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: "documents", Mention: true,
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
