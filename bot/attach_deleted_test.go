package bot_test

import (
	"context"
	"io"
	"slices"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

// vanished is a platform whose files are gone by the time they are opened.
type vanished struct {
	platform.Platform
	asked, now chan struct{}
}

func (v vanished) Open(ctx context.Context, _ memory.File) (io.ReadCloser, error) {
	v.asked <- struct{}{}
	select {
	case <-v.now:
		return nil, platform.ErrFileGone
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestAFileDeletedWhileItIsFetchedIsNotSpokenOf: its name is erased with it. If nothing else was said, nothing is posted.
func TestAFileDeletedWhileItIsFetchedIsNotSpokenOf(t *testing.T) {
	for text, want := range map[string][]string{"": nil, "what is the sum?": {"You said: what is the sum?"}} {
		v := vanished{asked: make(chan struct{}, 9), now: make(chan struct{})}
		s := begin(t, func(s *scene) {
			v.Platform = s.bot.Platforms[0]
			s.bot.Platforms[0] = v
		})
		file := platformtest.File{Name: "severance-Bob.txt", Data: []byte("The sum is 12.")}
		id, at := s.world.Say(platformtest.Said{Who: "Ada", At: general, Text: text, Mention: true, Files: []platformtest.File{file}})
		<-v.asked
		s.world.DeleteFile(at, id, file.Name)
		until(t, "the deletion", func() bool {
			files, err := s.store.FilesOf(t.Context(), []int64{1})
			return err == nil && files[0].Name == ""
		})
		close(v.now)
		s.settle()
		if got := s.texts(at); !slices.Equal(got, want) {
			t.Errorf("%q: posted %q", text, got)
		}
	}
}
