package spend

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"io"
	"slices"
	"strconv"
	"time"

	"threadkeeper/memory"
)

// Total is the spending under one name.
type Total struct {
	Name   string
	Tokens int64
	Calls  int64
	Micros int64
}

// Sum adds up spending by a name, the largest first. Rows without a name are left out.
func Sum(rows []memory.Usage, name func(memory.Usage) string) []Total {
	var all []Total
	for _, r := range rows {
		n := name(r)
		if n == "" {
			continue
		}
		i := slices.IndexFunc(all, func(t Total) bool { return t.Name == n })
		if i < 0 {
			i, all = len(all), append(all, Total{Name: n})
		}
		t := &all[i]
		t.Tokens, t.Calls, t.Micros = t.Tokens+r.PromptTokens+r.CompletionTokens, t.Calls+r.Calls, t.Micros+r.Micros
	}
	slices.SortStableFunc(all, func(a, b Total) int {
		return cmp.Or(cmp.Compare(b.Micros, a.Micros), cmp.Compare(b.Tokens, a.Tokens))
	})
	return all
}

// By lists the ways in which spending is added up.
var By = []struct {
	Name string
	Of   func(memory.Usage) string
}{
	{"person", func(u memory.Usage) string { return u.Person }},
	{"channel", func(u memory.Usage) string { return u.Channel }},
	{"model", func(u memory.Usage) string { return u.Model }},
	{"purpose", func(u memory.Usage) string { return u.Purpose }},
}

// Money formats an amount in millionths: "$1.25", "$0.0031"; "" for nothing.
func Money(micros int64) string {
	digits := 2
	switch {
	case micros == 0:
		return ""
	case micros < 100_000:
		digits = 4
	}
	return "$" + strconv.FormatFloat(float64(micros)/1e6, 'f', digits, 64)
}

// WriteCSV writes the spending as CSV, with a header line.
func WriteCSV(w io.Writer, rows []memory.Usage) error {
	c := csv.NewWriter(w)
	lines := [][]string{{"day", "platform", "channel", "person", "model", "purpose", "calls", "prompt_tokens", "cached_tokens", "completion_tokens", "cost"}}
	for _, r := range rows {
		n := func(i int64) string { return strconv.FormatInt(i, 10) }
		lines = append(lines, []string{time.UnixMilli(r.Day).UTC().Format(time.DateOnly), r.Platform, plain(r.Channel), plain(r.Person), plain(r.Model), r.Purpose,
			n(r.Calls), n(r.PromptTokens), n(r.CachedTokens), n(r.CompletionTokens), strconv.FormatFloat(float64(r.Micros)/1e6, 'f', 6, 64)})
	}
	if err := c.WriteAll(lines); err != nil {
		return err
	}
	return c.Error()
}

// WriteJSON writes the spending as JSON lines, with the columns of WriteCSV.
func WriteJSON(w io.Writer, rows []memory.Usage) error {
	e := json.NewEncoder(w)
	for _, r := range rows {
		if err := e.Encode(map[string]any{"day": time.UnixMilli(r.Day).UTC().Format(time.DateOnly), "platform": r.Platform, "channel": r.Channel, "person": r.Person,
			"model": r.Model, "purpose": r.Purpose, "calls": r.Calls, "prompt_tokens": r.PromptTokens, "cached_tokens": r.CachedTokens,
			"completion_tokens": r.CompletionTokens, "cost": float64(r.Micros) / 1e6}); err != nil {
			return err
		}
	}
	return nil
}

// plain keeps a spreadsheet from taking a name for a formula.
func plain(name string) string {
	if name != "" && slices.Contains([]byte("=+-@\t\r"), name[0]) {
		return "'" + name
	}
	return name
}
