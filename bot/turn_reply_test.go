package bot

import (
	"log/slog"
	"testing"

	"threadkeeper/agent"
	"threadkeeper/agent/model"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// TestThumbsAreForAnswers: nobody is asked whether an error, an answer that it cut off, or a file's card helped.
func TestThumbsAreForAnswers(t *testing.T) {
	for name, c := range map[string]struct {
		reply agent.Reply
		want  bool
	}{
		"an answer":        {agent.Reply{Text: "42", Ledger: memory.Ledger{Route: "standard"}}, true},
		"a part of one":    {agent.Reply{Text: "4", Partial: true, Err: &model.Error{Kind: model.Auth}}, false},
		"an error":         {agent.Reply{Partial: true, Err: &model.Error{Kind: model.Auth}}, false},
		"a file's card":    {agent.Reply{Text: "report.pdf", Ledger: memory.Ledger{Route: "card"}}, false},
		"a word of thanks": {agent.Reply{Text: "You're welcome.", Ledger: memory.Ledger{Route: "social"}}, false},
	} {
		turn := &turn{bot: &Bot{}, say: say.In("en"), log: slog.New(slog.DiscardHandler), session: &memory.Session{}, outbox: &memory.Outbox{}, messages: []*memory.Message{{}}}
		if got := turn.payloadOf(&c.reply).Out.Feedback; got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}

func TestAnOpenQuestionHasNoButtons(t *testing.T) {
	q := &memory.Question{Text: "How many copies?"}
	if shown := shownQuestion(q, say.In("en")); shown.Text != q.Text || len(shown.Options) > 0 {
		t.Errorf("%+v", shown)
	}
}
