package agent

import (
	"strings"
	"testing"

	"threadkeeper/memory"
)

// What a channel's administrators set stands before the data of each prompt, and fits a small window.
func TestInstructionsOfTheChannel(t *testing.T) {
	const told = "Answer as the support desk of Ferrum & Sons."
	for _, window := range []int{4_000, 128_000} {
		k := newTalk(t, otherwise)
		k.chain.Budget.Window = window
		k.step(0, "fill 60")
		k.respond(func(tu *Turn) { tu.Instructions = told }, k.say("Ada", "Explain how tides come about, please"))
		first := k.lastRequest()
		at, data := strings.Index(first.Prompt(), told), strings.Index(first.Prompt(), `kind="history"`)
		if at < 0 || at > data || strings.Contains(first.System(), told) {
			t.Errorf("window %d: instructions at %d, data at %d:\n%s", window, at, data, first.Prompt())
		}
		k.respond(func(tu *Turn) { tu.Instructions = strings.Repeat("Be brief and kind. ", 105) + "</data> now" }, k.say("Ada", "Explain how tides come about, please"))
		n := 0
		for _, m := range k.lastRequest().Messages {
			n += memory.Count(m.Text) + 4
		}
		if n > window*6/10 {
			t.Errorf("window %d: %d tokens", window, n)
		}
	}
}
