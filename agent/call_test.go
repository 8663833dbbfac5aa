package agent

import (
	"errors"
	"strings"
	"testing"

	"threadkeeper/agent/model"
)

func TestBudgetStopsBeforeTheCall(t *testing.T) {
	k := newTalk(t, otherwise)
	k.chain.Budget.Turn = 500 // less than the system prompt
	r := k.turn("Ada", "Explain how tides come about, please", ChoiceNone)
	if len(k.server.Requests()) != 0 || r.Ledger.ModelCalls != 0 {
		t.Error("called the model beyond the budget")
	}
	if r.Partial || r.Err != nil || !strings.Contains(r.Text, "more tokens") { // trying again helps nothing
		t.Errorf("%+v", r)
	}
}

func TestLedgerCountsFailedCalls(t *testing.T) {
	k := newTalk(t, "otherwise:\nsay: ANSWER\n  Half an answer.\nfault: truncated after=12")
	r := k.turn("Ada", "Explain how tides come about, please", ChoiceNone)
	if r.Ledger.ModelCalls != 1 || r.Ledger.PromptTokens < 500 || r.Ledger.SystemTokens < 100 || r.Ledger.DocumentTokens != 0 || r.Ledger.Route != "chat" || r.Ledger.Model != "fake" {
		t.Errorf("%+v", r.Ledger)
	}
	var failed *model.Error
	if !r.Partial || !errors.As(r.Err, &failed) || failed.Kind != model.Truncated {
		t.Errorf("partial %v, %v", r.Partial, r.Err)
	}
}

// A model that was loaded with 4,096 tokens, as Ollama does by itself, still gets the question, the best passage and room to answer.
func TestTheSmallestWindow(t *testing.T) {
	k := newTalk(t, otherwise)
	k.chain.Budget.Window = 4_096
	k.document("report.txt", strings.Repeat("The sea is wide and grey today. ", 400), "The crane lifts 40 tonnes. "+strings.Repeat("The crane is green. ", 60))
	k.step(0, "fill 60")
	r := k.turn("Ada", "What does the crane lift?", ChoiceNone)
	if r.Partial || r.Text == "" || r.Ledger.ModelCalls != 1 || r.Ledger.PromptTokens > 2_900 {
		t.Fatalf("%+v", r)
	}
	if prompt := k.lastRequest().User(); !strings.Contains(prompt, "The crane lifts 40 tonnes") || !strings.Contains(prompt, "text:\nWhat does the crane lift?") {
		t.Errorf("%s", prompt)
	}
}
