package bot_test

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/tmc/langchaingo/chains"

	"threadkeeper/agent"
	"threadkeeper/agent/model"
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
