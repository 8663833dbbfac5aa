package spend

import (
	"context"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model"
	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/memory"
)

// answering is a model that says what its calls took.
type answering struct {
	prompt, completion int
	by                 string
	failure            error
	calls              int
	during             func()
}

func (a *answering) Call(context.Context, string, ...llms.CallOption) (string, error) { return "", nil }

func (a *answering) GenerateContent(context.Context, []llms.MessageContent, ...llms.CallOption) (*llms.ContentResponse, error) {
	a.calls++
	if a.during != nil {
		a.during()
	}
	if a.failure != nil {
		return nil, a.failure
	}
	return &llms.ContentResponse{Choices: []*llms.ContentChoice{{Content: "yes",
		GenerationInfo: map[string]any{"PromptTokens": a.prompt, "CompletionTokens": a.completion, "AnsweredBy": a.by}}}}, nil
}

func newMeter(t *testing.T, m llms.Model, b Budgets) *Meter {
	t.Helper()
	store, err := memory.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := store.Close(); err != nil {
			t.Error(err)
		}
	})
	now := time.Date(2026, 11, 23, 15, 0, 0, 0, time.UTC).UnixMilli()
	store.Now = func() int64 { return now }
	return &Meter{Model: m, Name: "main", Store: store, Budgets: b, Prices: map[string]Price{"main": {1, 2, 1}, "spare": {10, 20, 10}}}
}

func ask(t *testing.T, m *Meter, a Account) error {
	t.Helper()
	_, err := m.As(a).GenerateContent(t.Context(), []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, "one two three")}, llms.WithMaxTokens(50))
	return err
}

// Each budget ends the calls that belong to it, and no others, until the next day.
func TestEachBudgetIsKept(t *testing.T) {
	ada := Account{Person: 1, Channel: 7, Purpose: "answer"}
	for name, c := range map[string]struct {
		budgets Budgets
		other   Account // who still may
		of      Budget
	}{
		"person":  {Budgets{Person: Limit{Tokens: 200}}, Account{2, 7, "answer"}, OfPerson},
		"channel": {Budgets{Channel: Limit{Tokens: 200}}, Account{1, 8, "answer"}, OfChannel},
		"all":     {Budgets{All: Limit{Tokens: 200}}, Account{}, OfAll},
		"money":   {Budgets{Person: Limit{Micros: 250}}, Account{2, 7, "answer"}, OfPerson},
	} {
		t.Run(name, func(t *testing.T) {
			a := &answering{prompt: 100, completion: 60}
			m := newMeter(t, a, c.budgets)
			if err := ask(t, m, ada); err != nil {
				t.Fatal(err)
			}
			var over *OverError
			if err := ask(t, m, ada); !errors.As(err, &over) || over.Budget != c.of || !over.Opens.Equal(time.Date(2026, 11, 24, 0, 0, 0, 0, time.UTC)) {
				t.Fatalf("%v", err)
			}
			if a.calls != 1 {
				t.Errorf("%d calls", a.calls)
			}
			if c.other != (Account{}) {
				if err := ask(t, m, c.other); err != nil {
					t.Errorf("another account: %v", err)
				}
			}
			tomorrow := m.Store.Now() + (24 * time.Hour).Milliseconds()
			m.Store.Now = func() int64 { return tomorrow }
			if err := ask(t, m, ada); err != nil {
				t.Errorf("the next day: %v", err)
			}
		})
	}
}

// A call that is under way counts with what it may take at most.
func TestCallsUnderWayCount(t *testing.T) {
	a := &answering{prompt: 1, completion: 1}
	m := newMeter(t, a, Budgets{Person: Limit{Tokens: 100}})
	var during error
	a.during = func() {
		a.during = nil
		during = ask(t, m, Account{Person: 1})
	}
	if err := ask(t, m, Account{Person: 1}); err != nil {
		t.Fatal(err)
	}
	var over *OverError
	if !errors.As(during, &over) {
		t.Errorf("a second call beside the first: %v", during)
	}
	if err := ask(t, m, Account{Person: 1}); err != nil {
		t.Errorf("after it: %v", err)
	}
}

// How a model counts is learnt from its own count of one prompt: not from the sum of several requests, nor from the fallback's.
func TestTheWindowIsThatOfOneRequest(t *testing.T) {
	prompt := []llms.MessageContent{llms.TextParts(llms.ChatMessageTypeHuman, strings.Repeat("word ", 3_000))}
	const text = "Six of them are red and four are blue."
	for name, script := range map[string][]fakemodel.Rule{
		"an answer that is continued": {{Say: text, Fault: fakemodel.Fault{Kind: fakemodel.Truncated, After: 20}, Times: 1}, {Say: "are red and four are blue."}},
		"more room to reason":         {{Say: text, Think: 3_000}},
		"the fallback":                {{Fault: fakemodel.Fault{Kind: fakemodel.HTTPError, Status: 503}, Times: 1}, {Say: text}},
	} {
		count := memory.Count
		if name == "the fallback" {
			count = func(s string) int { return 2 * memory.Count(s) }
		}
		s, err := fakemodel.Start(fakemodel.Options{Script: script, Count: count})
		if err != nil {
			t.Fatal(err)
		}
		opened, err := model.Open(model.Options{Model: "gpt-4o", Fallback: "gpt-4o-mini", OpenAIKey: "sk-test", OpenAIBaseURL: s.URL(), Retries: -1})
		if err != nil {
			t.Fatal(err)
		}
		m := newMeter(t, opened, Budgets{})
		if _, err := m.GenerateContent(t.Context(), prompt, llms.WithMaxTokens(300)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if n := len(s.Requests()); n != 2 {
			t.Errorf("%s: %d requests", name, n)
		}
		if got := m.Limits(t.Context()); got.Window != 128_000 {
			t.Errorf("%s: %+v", name, got)
		}
		s.Close()
	}
}

// Another model within the same budgets counts too, under its own name.
func TestModelsShareTheBudgets(t *testing.T) {
	a, b := &answering{prompt: 1, completion: 1}, &answering{prompt: 1, completion: 1}
	m := newMeter(t, a, Budgets{Person: Limit{Tokens: 100}})
	other := m.With(b, "spare")
	var during error
	a.during = func() { during = ask(t, other, Account{Person: 1}) }
	if err := ask(t, m, Account{Person: 1}); err != nil {
		t.Fatal(err)
	}
	var over *OverError
	if !errors.As(during, &over) {
		t.Errorf("a call of the other beside the first: %v", during)
	}
	if err := ask(t, other, Account{Person: 1}); err != nil || b.calls != 1 {
		t.Errorf("after it: %d calls, %v", b.calls, err)
	}
}

// What is entered: the fallback under its own name and price, a cut call by our count, one that nobody answered not at all.
func TestFindingsEntered(t *testing.T) {
	a := &answering{prompt: 100, completion: 10}
	m := newMeter(t, a, Budgets{})
	entered := func() []memory.Usage {
		t.Helper()
		rows, err := m.Store.Views.Usage(t.Context(), memory.UsageOf{})
		if err != nil {
			t.Fatal(err)
		}
		return rows
	}
	for _, failure := range []error{&model.Error{Kind: model.Unreachable}, &model.Error{Kind: model.RateLimit}} {
		a.failure = failure
		if err := ask(t, m, Account{Person: 1}); !errors.Is(err, failure) || len(entered()) != 0 {
			t.Errorf("%v: %+v", failure, entered())
		}
	}
	a.failure = &model.Error{Kind: model.Truncated, Partial: "half an answer"}
	if err := ask(t, m, Account{Person: 1, Purpose: "cut"}); err == nil {
		t.Error("no error")
	}
	a.failure, a.by = nil, "spare"
	if err := ask(t, m, Account{Person: 1, Channel: 3, Purpose: "answer"}); err != nil {
		t.Fatal(err)
	}
	rows := entered()
	if len(rows) != 2 {
		t.Fatalf("%+v", rows)
	}
	if r := rows[0]; r.Model != "spare" || r.Purpose != "answer" || r.ChannelID != 3 || r.PromptTokens != 100 || r.Micros != 1_200 || r.Calls != 1 {
		t.Errorf("%+v", r)
	}
	if r := rows[1]; r.Model != "main" || r.Purpose != "cut" || r.PromptTokens < 3 || r.CompletionTokens != 3 || r.Micros == 0 {
		t.Errorf("%+v", r)
	}
}

func TestWarningAtFourFifths(t *testing.T) {
	a := &answering{prompt: 390, completion: 0}
	m := newMeter(t, a, Budgets{Person: Limit{Tokens: 1_000}, All: Limit{Tokens: 900}})
	for calls, want := range [][]Budget{{}, {}, {OfAll}} {
		if calls > 0 {
			if err := ask(t, m, Account{Person: 1}); err != nil {
				t.Fatal(err)
			}
		}
		got, err := m.Warnings(t.Context(), Account{Person: 1})
		if err != nil || len(got) != len(want) || len(got) > 0 && got[0].Budget != want[0] {
			t.Errorf("after %d calls: %+v, %v", calls, got, err)
		}
	}
}
