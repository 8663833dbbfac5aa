package bot_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"path/filepath"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"threadkeeper/bot"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/docs"
	"threadkeeper/memory"
)

// failing is a platform whose first downloads fail.
type failing struct {
	platform.Platform
	err   error
	fails int
	opens *int
}

func (f failing) Open(ctx context.Context, file memory.File) (io.ReadCloser, error) {
	if *f.opens++; *f.opens <= f.fails {
		return nil, f.err
	}
	return f.Platform.Open(ctx, file)
}

// TestAFailedDownloadIsToldAndTriedAgain: in the same turn while its platform may still have it, and in the next ones for an
// hour. What the platform no longer has is asked for once.
func TestAFailedDownloadIsToldAndTriedAgain(t *testing.T) {
	down, gone := errors.New("503 Service Unavailable"), platform.ErrFileGone
	for _, c := range []struct {
		name  string
		err   error
		fails int
		later time.Duration // until the next message
		first string
		next  string
		opens int
	}{
		{"three failures", down, 3, 0, "New: report.txt ready", "New: ", 4},
		{"a limit that says when", &platform.RetryError{After: time.Second, Err: down}, 1, 0, "New: report.txt ready", "New: ", 2},
		{"one turn", down, 4, 0, "I could not read report.txt: I could not download it just now.", "New: report.txt ready", 5},
		{"for long", down, 99, 2 * time.Hour, "I could not read report.txt: I could not download it just now.", "I could not read report.txt: I could not download it just now.", 8},
		{"deleted", gone, 99, 0, "I could not read report.txt: it is gone", "New: ", 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				store, err := memory.Open(t.Context(), filepath.Join(t.TempDir(), "test.db"))
				if err != nil {
					t.Fatal(err)
				}
				defer store.Close()
				world, opens := platformtest.NewWorld(), 0
				var later atomic.Int64 // the store's clock: a bot that waits for hours is busy
				clock := store.Now
				store.Now = func() int64 { return clock() + later.Load() }
				b := &bot.Bot{Store: store, Index: &docs.Index{Store: store, Log: slog.New(slog.DiscardHandler)}, Chain: &platformtest.Chain{Store: store},
					Platforms: []platform.Platform{failing{world.Platform(), c.err, c.fails, &opens}}, Log: slog.New(slog.DiscardHandler), Workers: 1}
				defer start(t, b)()
				ask := func(at platformtest.Place, want string, files ...platformtest.File) platformtest.Place {
					t.Helper()
					_, at = world.Say(platformtest.Said{Who: "Ada", At: at, Text: "documents", Mention: true, Files: files})
					settle(t, b, world)
					posts := world.Posts(at, "Ada")
					if !said(world, at, want) {
						t.Errorf("want %q: %+v", want, posts)
					}
					return at
				}
				at := ask(platformtest.Place{Channel: "general"}, c.first, platformtest.File{Name: "report.txt", Data: []byte("The sum is 12.")})
				later.Store(c.later.Milliseconds())
				ask(at, c.next)
				ask(at, "New: ")
				if opens != c.opens {
					t.Errorf("%d downloads, want %d", opens, c.opens)
				}
			})
		})
	}
}
