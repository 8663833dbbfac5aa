package spend

import (
	"testing"

	"threadkeeper/memory"
)

func TestParseLimit(t *testing.T) {
	for text, want := range map[string]Limit{
		"": {}, "200000": {Tokens: 200_000}, "200k": {Tokens: 200_000}, "1.5M": {Tokens: 1_500_000}, "$2.50": {Micros: 2_500_000},
		"200k $2": {Tokens: 200_000, Micros: 2_000_000}, "$0.5, 10k": {Tokens: 10_000, Micros: 500_000},
	} {
		if got, err := ParseLimit(text); err != nil || got != want {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"much", "0", "-5", "$", "5 EUR", "NaN", "1e300"} {
		if got, err := ParseLimit(text); err == nil {
			t.Errorf("%q was read as %+v", text, got)
		}
	}
}

func TestParsePrices(t *testing.T) {
	got, err := ParsePrices("gpt-5-mini=0.25/2, claude-sonnet-4-5=3/15/0.30")
	if err != nil || len(got) != 2 || got["gpt-5-mini"] != (Price{0.25, 2, 0.25}) || got["claude-sonnet-4-5"] != (Price{3, 15, 0.3}) {
		t.Errorf("%+v, %v", got, err)
	}
	if n := got["claude-sonnet-4-5"].micros(1_000, 100, 500); n != 1_500+150+1_500 {
		t.Errorf("%d millionths", n)
	}
	for _, text := range []string{"gpt-5-mini", "gpt-5-mini=1", "=1/2", "a=1/2/3/4", "a=x/2", "a=-1/2"} {
		if got, err := ParsePrices(text); err == nil {
			t.Errorf("%q was read as %+v", text, got)
		}
	}
}

func TestPercentOfTheBudgetThatIsNearer(t *testing.T) {
	if p := (Limit{Tokens: 100, Micros: 1_000}).percent(memory.Spent{Tokens: 20, Micros: 900}); p != 90 {
		t.Errorf("%d %%", p)
	}
}
