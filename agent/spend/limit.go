// Package spend limits the cost of model calls and records it. A Meter stands between the program and its model, so that no call
// bypasses it: it checks the budgets before a call and records the usage afterwards. Budgets are for one day in UTC. The table
// belongs to package memory.
package spend

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"threadkeeper/memory"
)

// Limit is the most that may be spent in a day; 0 is no limit.
type Limit struct {
	Tokens int64
	Micros int64 // millionths of the currency that prices are in
}

// Budgets are the limits for a day.
type Budgets struct {
	Person  Limit // of each person
	Channel Limit // of each channel
	All     Limit // of all together
}

// ParseLimit reads "200000", "200k", "1.5M" (tokens), "$2.50" (money), or one of each: "200k $2". "" is no limit.
func ParseLimit(text string) (Limit, error) {
	var l Limit
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }) {
		amount, money := strings.CutPrefix(word, "$")
		factor := 1.0
		switch {
		case money:
			factor = 1e6
		case strings.HasSuffix(amount, "k"):
			amount, factor = amount[:len(amount)-1], 1e3
		case strings.HasSuffix(amount, "M"):
			amount, factor = amount[:len(amount)-1], 1e6
		}
		n, err := strconv.ParseFloat(amount, 64)
		if err != nil || !(n > 0) || n*factor > 1e15 {
			return Limit{}, fmt.Errorf("%q is neither tokens like 200000, 200k or 1.5M nor money like $2.50", word)
		}
		if value := int64(math.Round(n * factor)); money {
			l.Micros = value
		} else {
			l.Tokens = value
		}
	}
	return l, nil
}

// Price is the price of a million tokens.
type Price struct {
	Prompt, Completion float64
	Cached             float64 // of the prompt, read from the provider's cache
}

func (p Price) micros(prompt, completion, cached int) int64 {
	cost := float64(prompt-cached)*p.Prompt + float64(cached)*p.Cached + float64(completion)*p.Completion
	return int64(math.Ceil(cost))
}

// ParsePrices reads prices by model: "gpt-5-mini=0.25/2, claude-sonnet-4-5=3/15/0.30" for prompt, completion and, if it is cheaper, the
// cached part of a prompt.
func ParsePrices(text string) (map[string]Price, error) {
	prices := map[string]Price{}
	for _, word := range strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' }) {
		name, list, _ := strings.Cut(word, "=")
		var n []float64
		for _, figure := range strings.Split(list, "/") {
			f, err := strconv.ParseFloat(strings.TrimPrefix(figure, "$"), 64)
			if err != nil || !(f >= 0) || f > 1e6 {
				return nil, fmt.Errorf("%q is not a price like gpt-5-mini=0.25/2 (per million tokens of prompt and of completion)", word)
			}
			n = append(n, f)
		}
		switch {
		case name == "" || len(n) < 2 || len(n) > 3:
			return nil, fmt.Errorf("%q is not a price like gpt-5-mini=0.25/2 (per million tokens of prompt and of completion)", word)
		case len(n) == 2:
			n = append(n, n[0])
		}
		prices[name] = Price{n[0], n[1], n[2]}
	}
	return prices, nil
}

// Budget names one of the Budgets.
type Budget string

const (
	OfPerson  Budget = "person"
	OfChannel Budget = "channel"
	OfAll     Budget = "all"
)

// OverError reports that a call was not made because a budget is used up.
type OverError struct {
	Budget Budget
	Opens  time.Time     // when the next day's begins
	Wait   time.Duration // until then
}

func (e *OverError) Error() string {
	return fmt.Sprintf("the budget (%s) is spent until %s", e.Budget, e.Opens.UTC().Format(time.RFC3339))
}

// Warning names a budget that is mostly used up.
type Warning struct {
	Budget  Budget
	Percent int // 80 to 100
	Day     int64
	Opens   time.Time
}

// warnAt is the percentage of a budget from which people are warned.
const warnAt = 80

// percent is how much of l was spent, by tokens or by money, whatever is more; 0 without a limit.
func (l Limit) percent(s memory.Spent) int64 {
	var p int64
	if l.Tokens > 0 {
		p = s.Tokens * 100 / l.Tokens
	}
	if l.Micros > 0 {
		p = max(p, s.Micros*100/l.Micros)
	}
	return p
}

func (l Limit) takes(spent, call memory.Spent) bool {
	return (l.Tokens == 0 || spent.Tokens+call.Tokens <= l.Tokens) && (l.Micros == 0 || spent.Micros+call.Micros <= l.Micros)
}

func plus(a, b memory.Spent) memory.Spent {
	return memory.Spent{Tokens: a.Tokens + b.Tokens, Micros: a.Micros + b.Micros}
}
