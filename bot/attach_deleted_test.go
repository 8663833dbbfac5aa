package bot_test

import (
	"context"
	"io"
	"slices"
	"sync"
	"testing"

	"github.com/tmc/langchaingo/chains"

	"threadkeeper/agent"
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

// TestAFileDeletedWhileItIsFetchedIsNotSpokenOf: its name is erased with it, and if nothing else was said, nothing is posted; also where
// the turn was not told yet.
func TestAFileDeletedWhileItIsFetchedIsNotSpokenOf(t *testing.T) {
	for _, told := range []bool{true, false} {
		for text, want := range map[string][]string{"": nil, "what is the sum?": {"You said: what is the sum?"}} {
			v := vanished{asked: make(chan struct{}, 9), now: make(chan struct{})}
			s := begin(t, func(s *scene) {
				v.Platform = s.bot.Platforms[0]
				s.bot.Platforms[0] = v
			})
			file := platformtest.File{Name: "severance-Bob.txt", Data: []byte("The sum is 12.")}
			id, at := s.world.Say(platformtest.Said{Who: "Ada", At: general, Text: text, Mention: true, Files: []platformtest.File{file}})
			<-v.asked
			if told {
				s.world.DeleteFile(at, id, file.Name)
			} else if err := s.store.RemoveFile(t.Context(), &memory.File{ID: 1, MessageID: 1, Name: file.Name}); err != nil {
				t.Fatal(err)
			}
			until(t, "the deletion", func() bool {
				files, err := s.store.FilesOf(t.Context(), []int64{1})
				return err == nil && files[0].Name == ""
			})
			close(v.now)
			s.settle()
			if got := s.texts(at); !slices.Equal(got, want) {
				t.Errorf("told: %v, %q: posted %q", told, text, got)
			}
		}
	}
}

// naming is a chain whose answer names the first file it is given, and is composed until it is let go.
type naming struct {
	*platformtest.Chain
	asked, now chan struct{}
}

func (c naming) Call(ctx context.Context, in map[string]any, options ...chains.ChainCallOption) (map[string]any, error) {
	turn := in[agent.InputTurn].(agent.Turn)
	if len(turn.New) == 0 {
		return c.Chain.Call(ctx, in, options...)
	}
	in[agent.InputEmit].(func(agent.Progress))(agent.Progress{Text: "I have read "})
	c.asked <- struct{}{}
	select {
	case <-c.now:
		return map[string]any{agent.OutputReply: &agent.Reply{Text: "I have read " + turn.New[0].Name + "."}}, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestAFileDeletedWhileTheAnswerNamesItIsNotSpokenOf: the answer is being composed and shown, or about to be posted. What else was said is
// answered.
func TestAFileDeletedWhileTheAnswerNamesItIsNotSpokenOf(t *testing.T) {
	for _, composed := range []bool{false, true} {
		for text, want := range map[string][]string{"": {"The message was deleted, so I stopped."}, "what is the sum?": {"You said: what is the sum?"}} {
			c := naming{asked: make(chan struct{}, 9), now: make(chan struct{})}
			file := platformtest.File{Name: "severance-Bob.txt", Data: []byte("The sum is 12.")}
			var id string
			var at platformtest.Place
			var s *scene
			remove := sync.OnceFunc(func() {
				s.world.DeleteFile(at, id, file.Name)
				until(t, "the deletion", func() bool {
					files, err := s.store.FilesOf(context.Background(), []int64{1})
					return err == nil && files[0].Name == ""
				})
			})
			s = begin(t, func(s *scene) {
				c.Chain = s.chain
				s.bot.Chain = c
				s.world.Streams = !composed
				s.world.Step = func(step string) {
					if composed && step == "before post" {
						remove()
					}
				}
			})
			id, at = s.world.Say(platformtest.Said{Who: "Ada", At: general, Text: text, Mention: true, Files: []platformtest.File{file}})
			<-c.asked
			if !composed {
				remove()
			}
			close(c.now)
			s.settle()
			if got := s.texts(at); !slices.Equal(got, want) {
				t.Errorf("composed: %v, %q: posted %q", composed, text, got)
			}
		}
	}
}
