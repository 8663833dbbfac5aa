package bot_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tmc/langchaingo/chains"

	"threadkeeper/agent"
	"threadkeeper/bot"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// TestAnAnswerBeingPostedIsWithdrawn makes a channel private, has it found private, or takes back what
// was said, in the moment before an answer that tells of it is posted.
func TestAnAnswerBeingPostedIsWithdrawn(t *testing.T) {
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
			s.world.Command("Ada", at, "memory forget", "--yes")
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

// between does something, once, between what a turn reads and the prompt it sends, and counts the lines of the prompts.
type between struct {
	*platformtest.Chain
	do   func()
	late func() // the same between the model's last word and the store; nil for nothing
	once sync.Once
	sent []int // by attempt
}

func (c *between) Call(ctx context.Context, in map[string]any, options ...chains.ChainCallOption) (map[string]any, error) {
	turn := in[agent.InputTurn].(agent.Turn)
	held := turn.Held
	turn.Held = func(ctx context.Context, s memory.Shown) error {
		if c.do != nil {
			c.once.Do(c.do)
		}
		err := held(ctx, s)
		if err == nil {
			c.sent = append(c.sent, len(s.Messages))
		}
		return err
	}
	in[agent.InputTurn] = turn
	out, err := c.Chain.Call(ctx, in, options...)
	if c.late != nil {
		c.once.Do(c.late)
	}
	return out, err
}

// TestNothingIsSentOrStoredOfWhatWasClosedSinceItWasRead closes a channel in the store alone, as another process does: nobody nudges
// the turn that has read its lines, and it begins again, before the prompt is sent or before the finished answer is stored.
func TestNothingIsSentOrStoredOfWhatWasClosedSinceItWasRead(t *testing.T) {
	for name, change := range map[string]func(ctx context.Context, s *scene, key memory.Key) error{
		"private": func(ctx context.Context, s *scene, key memory.Key) error {
			return s.store.DoubtChannel(ctx, key, memory.Channel{Kind: memory.Private})
		},
		"doubted": func(ctx context.Context, s *scene, key memory.Key) error {
			_, err := s.store.UncheckChannels(ctx, key.Platform, key.Workspace, false)
			return err
		},
		"moved to another workspace's": func(ctx context.Context, s *scene, key memory.Key) error {
			to := key
			to.Channel = "elsewhere"
			_, err := s.store.MoveChannel(ctx, memory.ChannelMove{From: key, To: to, External: true})
			return err
		},
	} {
		for late, sent := range map[bool][]int{false: {0}, true: {1, 0}} {
			t.Run(fmt.Sprint(name, ", answered: ", late), func(t *testing.T) {
				c := &between{do: func() {}}
				s := begin(t, func(s *scene) { c.Chain, s.bot.Chain = s.chain, c })
				s.world.Command("Ada", s.say(general, "hello"), "memory remember", "I prefer the walrus.")
				s.settle()
				do := func() {
					for s.world.Pending() > 0 { // what is said comes twice: the second time would have the channels looked up
						time.Sleep(time.Millisecond)
					}
					if err := change(context.Background(), s, s.world.Key(general)); err != nil {
						t.Error(err)
					}
				}
				if late {
					c.do, c.late = nil, do
				} else {
					c.do = do
				}
				at := s.say(platformtest.Place{Channel: "random"}, "profile")
				s.settle()
				if texts := s.texts(at); len(texts) != 1 || texts[0] != "Known: nothing" || !slices.Equal(c.sent, sent) {
					t.Errorf("posted %q, lines of prompts %v", texts, c.sent)
				}
				all, err := s.store.Messages(t.Context(), 2)
				if err != nil || len(all) != 2 || strings.Contains(all[1].Text, "walrus") {
					t.Errorf("recorded %+v %v", all, err)
				}
			})
		}
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

// TestTheReportWaitsUntilChannelsAreKnown: it quotes a channel of which nobody can say who may read it. It is held, not lost, also when the
// program ends meanwhile; if the channel turns out to be closed, it never comes.
func TestTheReportWaitsUntilChannelsAreKnown(t *testing.T) {
	for name, c := range map[string]struct{ restarted, closed bool }{"held": {}, "held over a restart": {restarted: true}, "withdrawn after a restart": {true, true}} {
		t.Run(name, func(t *testing.T) {
			d := directory{open: make(chan struct{})}
			s := begin(t, func(s *scene) {
				d.Platform = s.bot.Platforms[0]
				s.bot.Platforms[0], s.bot.Patience = d, time.Millisecond
			})
			for _, name := range []string{"general", "random", "lounge", "library", "garden"} {
				s.say(platformtest.Place{Channel: name}, "where is the key?")
				s.settle()
			}
			dm := s.say(platformtest.Place{Channel: "dm", DM: true}, "hello")
			s.settle()
			s.stop()
			s.bot = again(s.bot)
			written := make(chan struct{})
			s.bot.Report = &bot.Report{Platform: "fake", Person: "U-Ada", Write: func(context.Context, *say.Words) (string, memory.Shown, error) {
				defer close(written)
				return "asked in #general: where is the key?", memory.Shown{Messages: []int64{1}}, nil
			}}
			s.run()
			<-written
			s.say(dm, "anything else?")
			s.says(dm, "Ada", "anything else?")
			if c.restarted {
				s.stop()
				s.bot = again(s.bot)
				s.run()
				s.say(dm, "and now?")
				s.says(dm, "Ada", "and now?")
			}
			if text := strings.Join(s.texts(dm), "|"); strings.Contains(text, "The week") {
				t.Errorf("the report came while it was not known who may read #general: %q", text)
			}
			s.say(platformtest.Place{Channel: "random"}, "go on") // the workspace is heard
			if c.closed {
				s.world.Restrict(general, true, true)
			}
			close(d.open)
			if !c.closed {
				s.says(dm, "Ada", "asked in #general: where is the key?")
				return
			}
			until(t, "the check", func() bool {
				k, err := s.store.ChannelByKey(t.Context(), s.world.Key(general))
				return err == nil && k.Kind == memory.Private && !k.Unchecked
			})
			s.settle()
			if text := strings.Join(s.texts(dm), "|"); strings.Contains(text, "where is the key") {
				t.Errorf("the report quotes a closed channel: %q", text)
			}
		})
	}
}

// again is a bot like another that has run.
func again(b *bot.Bot) *bot.Bot {
	return &bot.Bot{Store: b.Store, Index: b.Index, Chain: b.Chain, Platforms: b.Platforms, Log: b.Log, Workers: b.Workers, Grace: b.Grace, Patience: b.Patience, Draw: b.Draw}
}
