package agent

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"threadkeeper/memory"
)

// testRun is a turn in the middle of its answer.
func testRun(k *talk, request string) *run {
	d, err := k.chain.Index.List(context.Background(), memory.Audience{Session: k.session.ID})
	if err != nil {
		k.t.Fatal(err)
	}
	m := &memory.Message{Text: request}
	return &run{Chain: k.chain, emit: func(p Progress) { k.emitted += p.Text }, say: english, request: request, library: d,
		turn: Turn{Messages: []*memory.Message{m}, Now: k.now}, history: &memory.History{}, route: routeStandard}
}

// However a reply is cut into chunks, the same is released, and never the middle of a sentence.
func TestGateDoesNotDependOnChunks(t *testing.T) {
	k := newTalk(t, "")
	k.document("Harbour.pdf", "The authority runs three terminals. Its crane, e.g. the green one, lifts 40 tonnes.")
	k.chain.Log = slog.New(slog.DiscardHandler)
	reply := "ANSWER\nIt runs three terminals. [d1 p1 \"authority runs three terminals. Its crane\"] The crane lifts 40 tonnes [d1 p1 \"lifts 40 tonnes\"].\n\n" +
		"```go\nfmt.Println(\"a. b. [d1 p1 \\\"x\\\"]\")\n```\nIt was built in 1970.\n- lifts 40 tonnes [d9 p1 \"lifts 40 tonnes\"]\n"
	want := ""
	for _, size := range []int{len(reply), 1, 2, 3, 7, 20} {
		k.emitted = ""
		r := testRun(k, "What does the crane lift?")
		r.evidence = []shown{{}}
		g := r.newGate(context.Background())
		for rest := reply; rest != ""; {
			n := min(size, len(rest))
			if err := g.write(rest[:n]); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := g.finish(); err != nil {
			t.Fatal(err)
		}
		if want == "" {
			want = k.emitted
		}
		if k.emitted != want || len(g.cited) != 2 {
			t.Errorf("chunks of %d: %q, %d citations", size, k.emitted, len(g.cited))
		}
	}
	for _, part := range []string{"three terminals. [1]", "40 tonnes [2].", "fmt.Println(\"a. b. [d1 p1 \\\"x\\\"]\")"} {
		if !strings.Contains(want, part) {
			t.Errorf("%q lacks %q", want, part)
		}
	}
	if !strings.Contains(want, "It was built in 1970. (unchecked)\n") || strings.Contains(want, "d9") || strings.Count(want, "lifts 40") != 1 {
		t.Errorf("unsupported text in %q", want)
	}
}

// A title in bold claims nothing, whatever stops and numbers of names it has; a sentence or a figure in bold does.
func TestATitleClaimsNothing(t *testing.T) {
	for title, marked := range map[string]bool{
		"**Northwind, Inc. – Annual Report (Form 10-K) 2015**": false,
		"**Risks, etc.**\nThe auditors.":                       true,
		"**Cash, debt and dividends**":                         false,
		"**The chairman left in anger.**":                      true,
		"**The chairman left in anger. Others followed**":      true,
		"**Salaries of 41.7 million euros**":                   true,
		"**The chairman left in anger after a long talk with all the others on the board of the firm in May**": true,
	} {
		k := newTalk(t, "otherwise:\nsay: ANSWER\n  "+strings.ReplaceAll(title, "\n", "\n  ")+"\n  \n  "+auditors)
		k.document("Northwind 2015.txt", income...)
		if r := k.turn("Ada", "Who are the auditors of Northwind?", ChoiceNone); strings.Contains(r.Text, "unchecked)") != marked {
			t.Errorf("%q: %s", title, r.Text)
		}
	}
}
