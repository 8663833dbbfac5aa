package agent

import (
	"fmt"
	"testing"

	"threadkeeper/agent/model"
	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/agent/spend"
	"threadkeeper/memory"
)

// TestAModelThatCountsMore talks with a model that counts 1.4 tokens for one of ours, in a small window: once it has said so,
// no prompt and answer exceed it together.
func TestAModelThatCountsMore(t *testing.T) {
	const window = 8_192
	k := newTalk(t, "")
	counts := func(text string) int { return memory.Count(text) * 14 / 10 }
	k.serve(fakemodel.Options{Count: counts, Default: func(fakemodel.Request) string { return "ANSWER\nNoted." }})
	m, err := model.Open(model.Options{Model: "fake", OpenAIBaseURL: k.server.URL(), Retries: -1, Window: window})
	if err != nil {
		t.Fatal(err)
	}
	meter := &spend.Meter{Model: m, Name: "fake", Store: k.store}
	k.chain.Model, k.chain.Budget.Window = meter, 0
	for i := range 60 {
		k.turn("Ada", fmt.Sprintf("Note %d: the %d crates of oranges in hall %d went to the harbour on lorry %d, and the driver asks for papers of all of them.", i, i*7, i%5, i*3), ChoiceNone)
	}
	largest := 0
	for i, r := range k.server.Requests() {
		took := r.Cached + r.Uncached + r.MaxTokens
		if i > 0 && took > window {
			t.Errorf("request %d may take %d tokens of %d", i, took, window)
		}
		largest = max(largest, took)
	}
	if l := model.LimitsOf(t.Context(), meter); l.Window >= window || largest < window*3/4 {
		t.Errorf("the limits are %+v, the largest request takes %d", l, largest)
	}
}
