package agent

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/docs/testdata/photo"
	"threadkeeper/memory"
)

// large are the pages of a document that no prompt shows whole; what answers is on page 9.
func large(answer string) []string {
	pages := make([]string, 30)
	for i := range pages {
		pages[i] = strings.Repeat(fmt.Sprintf("Page %d tells of the crane, the harbour and what its people lift on ordinary days. ", i+1), 12)
	}
	pages[8] = answer + " " + pages[8]
	return pages
}

// TestASearchIsAlwaysLeft, however much the first prompt has to show: a paste that the window holds is read whole, pictures stand
// beside a document, or the cap is low.
func TestASearchIsAlwaysLeft(t *testing.T) {
	const script = `when /calls left: 3/:
say: search_documents {"queries": ["crane lifts tonnes"]}

otherwise:
say: ANSWER
  Forty tonnes, I think.`
	paste := strings.Repeat("The worker of shift seven finished its batch, and nobody found an error in it. ", 3_600) + "\nWhat is this?"
	for name, c := range map[string]struct {
		window, turn int
		text         string
	}{
		"a long paste": {400_000, 0, paste},
		"a low cap":    {128_000, 12_000, "What does the crane lift?"},
	} {
		k := newTalk(t, script)
		k.chain.Budget.Window, k.chain.Budget.Turn = c.window, c.turn
		k.document("crane.txt", large("The crane lifts 40 tonnes.")...)
		r := k.turn("Ada", c.text, ChoiceNone)
		all := k.server.Requests()
		if r.Partial || len(all) != 2 || !strings.Contains(all[0].User(), "calls left: 3") || !strings.Contains(all[1].User(), "search_documents(") || !strings.Contains(all[0].User(), "[d1 p") {
			t.Errorf("%s: %d requests, %v, %.200s", name, len(all), r.Err, r.Text)
			continue
		}
		if !strings.Contains(all[0].User(), "\ntext:\n"+c.text+"\n</request") {
			t.Errorf("%s: the message was shortened", name)
		}
	}

	k, w := gallery(t)
	k.chain.Budget.Turn = 10_000
	for i := range 60 {
		k.say("Ben", fmt.Sprintf("The crane was oiled by shift %d, and what it lifts was noted with the photos of day %d. ", i, i)+strings.Repeat("It rained on the harbour. ", 10))
	}
	k.thread++
	k.person("Ada")
	k.document("crane.txt", large("The crane lifts 40 tonnes.")...)
	var last *memory.Message
	for i := range 4 {
		last, _ = k.photograph("Ada", "How many tonnes does the crane in the photos lift?", fmt.Sprintf("%d.png", i), photo.PNG(300, 300, uint8(i)))
	}
	k.respond(nil, last)
	pictures, text := w.shown()
	if len(pictures) != 4 || !strings.Contains(text, "calls left: 3") || !strings.Contains(text, "The crane lifts 40 tonnes.") {
		t.Errorf("%d pictures, %s", len(pictures), text)
	}
}

// TestTheBestPassageStays for the turn, in the smallest windows too and beside the results of a search. What a prompt left out
// is no repeat when it is looked for again.
func TestTheBestPassageStays(t *testing.T) {
	const answer = "The crane lifts 40 tonnes when the tide is low."
	for _, window := range []int{4_096, 8_192, 16_384} {
		k := newTalk(t, `when /calls left: 3/:
say: search_documents {"queries": ["ordinary days of the harbour"]}

when /calls left: 2/:
say: read_pages {"document": "d1", "from": 9}

otherwise:
say: ANSWER
  Forty tonnes.`)
		k.chain.Budget.Window = window
		k.document("crane.txt", large(answer)...)
		k.step(0, "fill 200")
		r := k.turn("Ada", "What does the crane lift when the tide is low?", ChoiceNone)
		all := k.server.Requests()
		if r.Partial || len(all) < 3 {
			t.Errorf("%d: %d requests, %v", window, len(all), r.Err)
		}
		for i, request := range all {
			_, pages, _ := strings.Cut(request.User(), `kind="pages">`)
			pages, _, _ = strings.Cut(pages, "</data")
			if !strings.Contains(pages, answer) {
				t.Errorf("%d: request %d lacks it: %s", window, i, pages)
			}
			if n := memory.Count(request.Prompt()); n > window*7/10 {
				t.Errorf("%d: request %d has %d tokens", window, i, n)
			}
		}
	}
}

// What a model thinks has room of its own, and a prompt that was sent twice within a call counts once.
func TestThoughtsAreNotInATurnsBudget(t *testing.T) {
	r := testRun(newTalk(t, ""), "x")
	for name, c := range map[string]struct {
		info map[string]any
		want int
	}{
		"an answer":     {map[string]any{"PromptTokens": 150, "CompletionTokens": 40}, 90},
		"a thought":     {map[string]any{"PromptTokens": 150, "CompletionTokens": 9_000, "ReasoningTokens": 8_900}, 150},
		"two requests":  {map[string]any{"PromptTokens": 310, "CompletionTokens": 40, "Summed": true}, 90},
		"counts others": {map[string]any{"PromptTokens": 170, "CompletionTokens": 40}, 110},
	} {
		r.beyond = 0
		r.count(prompt{stable: 100, tail: 50}, &llms.ContentResponse{Choices: []*llms.ContentChoice{{GenerationInfo: c.info}}}, nil, "")
		if r.beyond != c.want {
			t.Errorf("%s: %d, want %d", name, r.beyond, c.want)
		}
	}
}
