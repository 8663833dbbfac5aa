package bot_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/tmc/langchaingo/chains"

	"threadkeeper/agent"
	"threadkeeper/agent/model"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
)

// down fails every turn that answers a clarifying question, until it is up.
type down struct {
	*platformtest.Chain
	up atomic.Bool
}

func (d *down) Call(ctx context.Context, in map[string]any, o ...chains.ChainCallOption) (map[string]any, error) {
	if in[agent.InputTurn].(agent.Turn).Question != nil && !d.up.Load() {
		return map[string]any{agent.OutputReply: &agent.Reply{Err: &model.Error{Kind: model.Auth}, Partial: true}}, nil
	}
	return d.Chain.Call(ctx, in, o...)
}

// TestRetryOfAnAnswerToAQuestionIsOneToo: what was chosen, by a click or in words, means
// nothing without the question.
func TestRetryOfAnAnswerToAQuestionIsOneToo(t *testing.T) {
	for name, choose := range map[string]func(*scene, platformtest.Place){
		"click": func(s *scene, at platformtest.Place) {
			s.world.Click("Ada", at, s.world.Posts(at, "Ada")[0], "Dark green")
		},
		"just answer": func(s *scene, at platformtest.Place) {
			s.world.Click("Ada", at, s.world.Posts(at, "Ada")[0], "Just answer")
		},
		"label":      func(s *scene, at platformtest.Place) { s.say(at, "dark green") },
		"other word": func(s *scene, at platformtest.Place) { s.say(at, "violet") },
	} {
		t.Run(name, func(t *testing.T) {
			var chain *down
			s := begin(t, func(s *scene) {
				chain = &down{Chain: s.chain}
				s.bot.Chain = chain
			})
			at := s.say(general, "ask me")
			s.settle()
			choose(s, at)
			s.settle()
			chain.up.Store(true)
			s.world.Command("Ada", at, "retry", "")
			s.settle()
			want := map[string]string{"click": "You chose green", "label": "You chose green",
				"just answer": "You chose no option", "other word": "You chose the words violet"}[name]
			if got := s.texts(at); !slices.Contains(got, want) {
				t.Errorf("%q, want %q among it", got, want)
			}
		})
	}
}

// broken cites, and fails at the end, the first time.
type broken struct {
	*platformtest.Chain
	asked atomic.Int64
}

func (c *broken) Call(ctx context.Context, in map[string]any, o ...chains.ChainCallOption) (map[string]any, error) {
	out, err := c.Chain.Call(ctx, in, o...)
	if r, ok := out[agent.OutputReply].(*agent.Reply); ok && c.asked.Add(1) == 1 {
		r.Err, r.Partial = &model.Error{Kind: model.Truncated}, true
	}
	return out, err
}

// TestMessagesStayWhenAskedAgain: only the button goes.
func TestMessagesStayWhenAskedAgain(t *testing.T) {
	s := begin(t, func(s *scene) { s.bot.Chain = &broken{Chain: s.chain} })
	at := s.say(general, "cite", note)
	s.settle()
	partial := s.world.Posts(at, "Ada")[0]
	if len(partial.Buttons) != 1 || len(partial.Links) != 1 {
		t.Fatalf("%+v", partial)
	}
	s.world.Click("Ada", at, partial, partial.Buttons[0])
	s.settle()
	posts := s.world.Posts(at, "Ada")
	if len(posts) != 2 || posts[0].Text != partial.Text || len(posts[0].Buttons) != 0 || !slices.Equal(posts[0].Links, partial.Links) {
		t.Errorf("before %+v, now %+v", partial, posts)
	}
	s.world.Click("Ada", at, posts[0], platformtest.Page(1))
	s.settle()
	if n := len(s.world.Posts(at, "Ada")); n != 3 {
		t.Errorf("%d posts, want the page too", n)
	}
}

// refusing is a platform that takes the first post never.
type refusing struct {
	platform.Platform
	posts atomic.Int64
}

func (r *refusing) Post(ctx context.Context, to platform.Address, m platform.Outgoing) (platform.Ref, error) {
	if r.posts.Add(1) == 1 {
		return "", platform.ErrUndeliverable
	}
	return r.Platform.Post(ctx, to, m)
}

// TestAnUndeliveredAnswerCanBeRequestedAgain: it could not be posted, so it has failed.
func TestAnUndeliveredAnswerCanBeRequestedAgain(t *testing.T) {
	var p *refusing
	s := begin(t, func(s *scene) {
		s.world.Streams = false
		p = &refusing{Platform: s.world.Platform()}
		s.bot.Platforms = []platform.Platform{p}
	})
	for text, want := range map[string]string{"hello": "You said: hello", "ask me": "Which colour?"} {
		p.posts.Store(0)
		at := s.say(general, text)
		s.settle()
		if got := s.texts(at); len(got) != 0 {
			t.Fatalf("posted %q", got)
		}
		s.world.Command("Ada", at, "retry", "")
		s.says(at, "Ada", want)
		s.settle()
	}
}

// TestAStopThatIsTypedIsSaidOnce: the answer that it ends says so.
func TestAStopThatIsTypedIsSaidOnce(t *testing.T) {
	s := begin(t)
	at := s.say(general, "slow work")
	s.says(at, "Ada", "Working")
	s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "stop", Mention: true})
	s.says(at, "Ada", "Stopped.")
	s.settle()
	if posts := s.world.Posts(at, "Ada"); len(posts) != 1 {
		t.Errorf("%+v", posts)
	}
}
