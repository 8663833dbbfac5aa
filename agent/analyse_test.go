package agent

import (
	"strings"
	"testing"
)

// TestClarifyAlways: each message is read by the model before it is answered.
func TestClarifyAlways(t *testing.T) {
	k := newTalk(t, `when /text:\nHow long is the warranty\?/ on prompt:
say: {"is_ambiguous": true, "rewritten_query": "How long is the warranty?", "possible_interpretations": [{"label": "The lathe", "query": "How long is the warranty of the lathe?"}, {"label": "The press", "query": "How long is the warranty of the press?"}], "clarifying_question": "Which machine do you mean?"}

when /You read one message[\s\S]*text:\nAnd its price\?/ on prompt:
say: {"is_ambiguous": false, "rewritten_query": "What is the price of the lathe?", "possible_interpretations": [], "clarifying_question": ""}

when /You read one message[\s\S]*text:\nGood morning/ on prompt:
say: I cannot do that.

otherwise:
say: ANSWER
  Fine.`)
	k.chain.Clarify = ClarifyAlways
	k.say("Ada", "We bought a lathe and a press.")
	r := k.turn("Ada", "How long is the warranty?", ChoiceNone)
	if r.Question == nil || len(r.Question.Options) != 2 || r.Text != "Which machine do you mean?" || !r.Understanding.IsAmbiguous || r.Understanding.Method != "model" {
		t.Fatalf("%+v", r)
	}
	k.asked = nil
	r = k.turn("Ada", "And its price?", ChoiceNone)
	if r.Text != "Fine." || r.Understanding.RewrittenQuery != "What is the price of the lathe?" || r.Ledger.ModelCalls != 2 {
		t.Errorf("%+v", r)
	}
	if prompt := k.lastRequest().User(); !strings.Contains(prompt, "text:\nAnd its price?\n") {
		t.Errorf("the words were changed: %s", prompt)
	}
	if r = k.turn("Ada", "Good morning", ChoiceNone); r.Text != "Fine." || r.Understanding.IsAmbiguous {
		t.Errorf("after an analysis that failed: %+v", r)
	}
}
