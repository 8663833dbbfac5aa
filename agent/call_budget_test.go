package agent

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/agent/spend"
	"threadkeeper/memory"
)

// metered has the chain's calls counted, within budgets.
func (k *talk) metered(b spend.Budgets) {
	k.chain.Model = &spend.Meter{Model: k.chain.Model, Name: "fake", Store: k.store, Budgets: b}
}

// purposes are what calls were made for, each once, in the order of the alphabet.
func purposes(t *testing.T, store *memory.Store) (all []string) {
	t.Helper()
	rows, err := store.Views.Usage(t.Context(), memory.UsageOf{})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if r.ChannelID == 0 || r.PromptTokens == 0 || r.Model != "fake" {
			t.Errorf("%+v", r)
		}
		all = append(all, r.Purpose)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// A person whose budget is spent is answered by search, which says so; nobody else has to be.
func TestASpentBudgetIsAnsweredWithoutTheModel(t *testing.T) {
	k := newTalk(t, otherwise)
	k.say("Ben", "The walrus project ships on Tuesday.")
	k.metered(spend.Budgets{Person: spend.Limit{Tokens: 600}})
	r := k.turn("Ada", "When does the walrus project ship?", ChoiceNone)
	var over *spend.OverError
	if !errors.As(r.Err, &over) || over.Budget != spend.OfPerson || !r.Partial {
		t.Fatalf("%+v", r)
	}
	if !strings.HasPrefix(r.Text, "A search result, without the model:") || !strings.Contains(r.Text, "ships on Tuesday") {
		t.Errorf("%s", r.Text)
	}
	if r := k.turn("Ada", "Thanks!", ChoiceNone); r.Text != "You're welcome." || r.Err != nil || r.Partial {
		t.Errorf("thanks: %+v", r)
	}
	if r := k.turn("Ada", "Write a poem about the ferry", ChoiceNone); !strings.Contains(r.Text, "That takes a model; without one") {
		t.Errorf("a poem: %s", r.Text)
	}
	if n := len(k.server.Requests()); n != 0 || r.Ledger.ModelCalls != 0 || r.Ledger.PromptTokens != 0 {
		t.Errorf("%d requests, %+v", n, r.Ledger)
	}
	if k.overheard = true; !k.turn("Ada", "And the seal project?", ChoiceNone).Silent {
		t.Error("what was overheard is answered without a model")
	}
	if got := purposes(t, k.store); len(got) != 0 {
		t.Errorf("spent on %q", got)
	}
}

// Whatever a turn calls the model for is counted.
func TestEveryCallOfATurnIsCounted(t *testing.T) {
	k := newTalk(t, "when /./ times=1:\nsay: {}\n\nwhen /./ times=1:\nsay: ANSWER\n\n"+otherwise)
	k.metered(spend.Budgets{})
	k.chain.Clarify = ClarifyAlways
	k.turn("Ada", "Explain how tides come about, please", ChoiceNone)
	k.overheard = true
	k.turn("Ada", "Is the tide late today?", ChoiceNone)
	if got := purposes(t, k.store); !slices.Equal(got, []string{"answer", "clarify", "listen", "repair"}) {
		t.Errorf("counted for %q, of %d requests", got, len(k.server.Requests()))
	}
}

// Without a budget a summary is made of what was said, and again when there is one.
func TestASummaryKeepsTheBudget(t *testing.T) {
	m := newMinutes(t, []fakemodel.Rule{{Say: "no summary"}})
	meter := &spend.Meter{Model: m.c.Model, Name: "fake", Store: m.store, Budgets: spend.Budgets{All: spend.Limit{Tokens: 100}}}
	m.c.Model = meter
	for m.next() {
	}
	if n := len(m.server.Requests()); n != 0 {
		t.Errorf("%d calls without a budget", n)
	}
	s := m.segments()
	if len(s) == 0 || s[0].Method == memory.ByModel || !s[0].Stale {
		t.Fatalf("%+v", s)
	}
	m.now += 25 * 60 * 60 * 1000
	meter.Budgets = spend.Budgets{}
	for m.next() {
	}
	if got := purposes(t, m.store); !slices.Equal(got, []string{"summary"}) {
		t.Errorf("the next day: %q", got)
	}
}
