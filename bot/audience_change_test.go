package bot_test

import (
	"context"
	"strings"
	"sync"
	"testing"
	"time"

	"threadkeeper/bot"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

// TestAnAnswerThatIsBeingPostedIsTakenBack makes a channel private, has it found private, or takes back what
// was said, in the moment before an answer that tells of it is posted.
func TestAnAnswerThatIsBeingPostedIsTakenBack(t *testing.T) {
	private := func(s *scene) {
		until(t, "the change", func() bool {
			c, err := s.store.ChannelByKey(context.Background(), s.world.Key(general))
			return err == nil && c.Kind == memory.Private
		})
	}
	for name, change := range map[string]func(s *scene, said string, at platformtest.Place){
		"private": func(s *scene, _ string, _ platformtest.Place) {
			s.world.Restrict(general, true, false)
			private(s)
		},
		"found private": func(s *scene, _ string, _ platformtest.Place) {
			s.world.Restrict(general, true, true)
			s.world.Doubt("w")
			private(s)
		},
		"deleted": func(s *scene, said string, at platformtest.Place) {
			s.world.Delete(at, said)
			until(t, "the deletion", func() bool {
				m, err := s.store.Message(context.Background(), 1)
				return err == nil && m.ErasedAt > 0
			})
		},
		"forgotten": func(s *scene, _ string, at platformtest.Place) {
			s.world.Command("Ada", at, "memory forget --yes", "")
			until(t, "the erasure", func() bool {
				m, err := s.store.Message(context.Background(), 1)
				return err == nil && m.ErasedAt > 0
			})
		},
	} {
		t.Run(name, func(t *testing.T) {
			var once sync.Once
			armed := make(chan struct{})
			var said string
			var there platformtest.Place
			s := begin(t, func(s *scene) {
				s.world.Streams = false
				s.world.Step = func(step string) {
					select {
					case <-armed:
					default:
						return
					}
					if step != "before post" {
						return
					}
					once.Do(func() { change(s, said, there) })
				}
			})
			said, there = s.world.Say(platformtest.Said{Who: "Ada", At: general, Text: "the launch code is walrus", Mention: true})
			s.settle()
			close(armed)
			at := s.say(platformtest.Place{Channel: "random"}, "recall launch")
			s.settle()
			texts := s.texts(at)
			if len(texts) != 1 || !strings.HasPrefix(texts[0], "Recalled:") || strings.Contains(texts[0], "walrus") {
				t.Errorf("posted %q", texts)
			}
			if n := s.chain.Started(); n != 3 {
				t.Errorf("%d turns, want the second twice", n)
			}
			all, err := s.store.Messages(t.Context(), 2)
			if err != nil || len(all) != 2 || strings.Contains(all[1].Text, "walrus") {
				t.Errorf("recorded %+v %v", all, err)
			}
		})
	}
}

// directory is a platform that is slow to tell who may read its channels.
type directory struct {
	platform.Platform
	open chan struct{}
}

func (d directory) Channels(ctx context.Context, workspace string) ([]memory.Channel, error) {
	select {
	case <-d.open:
		return d.Platform.(platform.ChannelLister).Channels(ctx, workspace)
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// TestAnAnswerDoesNotWaitLongForAListing asks while the platform is asked who may read its
// channels: what was said elsewhere is closed until it has answered.
func TestAnAnswerDoesNotWaitLongForAListing(t *testing.T) {
	d := directory{open: make(chan struct{})}
	s := begin(t, func(s *scene) {
		d.Platform = s.bot.Platforms[0]
		s.bot.Platforms[0], s.bot.Patience = d, 100*time.Millisecond
	})
	for _, name := range []string{"general", "random", "lounge", "library", "garden"} {
		s.say(platformtest.Place{Channel: name}, "the launch code is walrus")
	}
	s.settle()
	s.stop()
	s.bot = again(s.bot)
	s.run()
	ask := func(name string) string {
		at := s.say(platformtest.Place{Channel: name}, "recall launch")
		s.settle()
		return strings.Join(s.texts(at), "|")
	}
	if text := ask("random"); strings.Count(text, "walrus") != 2 { // and the answer to it
		t.Errorf("before: %q", text)
	}
	close(d.open)
	until(t, "the listing", func() bool {
		unchecked, err := s.store.UncheckedChannels(t.Context(), "fake")
		return err == nil && len(unchecked) == 0
	})
	if text := ask("cellar"); strings.Count(text, "walrus") < 10 {
		t.Errorf("after: %q", text)
	}
}

// again is a bot like another that has run.
func again(b *bot.Bot) *bot.Bot {
	return &bot.Bot{Store: b.Store, Index: b.Index, Chain: b.Chain, Platforms: b.Platforms, Log: b.Log, Workers: b.Workers, Grace: b.Grace, Patience: b.Patience, Draw: b.Draw}
}
