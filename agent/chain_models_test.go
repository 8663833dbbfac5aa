package agent

import (
	"testing"

	"github.com/tmc/langchaingo/llms"
)

// A turn that names one of the chain's models is taken with it, and its own window; any other name is the usual one.
func TestATurnMayNameAModel(t *testing.T) {
	k := newTalk(t, otherwise)
	usual := k.chain.Model
	k.chain.Name, k.chain.Budget.Window = "small", 9_000
	k.chain.Models = map[string]llms.Model{"large": usual}
	k.chain.Model = nil
	for name, want := range map[string]string{"large": "large", "small": "", "gone": "", "": ""} {
		r := k.respond(func(tu *Turn) { tu.Model = name }, k.say("Ada", "Explain how tides come about, please"))
		if r.Ledger.Model != want {
			t.Errorf("%q: answered by %q", name, r.Ledger.Model)
		}
	}
	if c := k.chain.using("large"); c.Model != usual || c.Budget.Window != 0 {
		t.Errorf("window %d", c.Budget.Window)
	}
}
