package main

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"threadkeeper/memory"
)

// measureChain asks every question of its conversation, as the next message there, and counts the turns of the evidence
// that the model's first prompt holds.
func (r *recall) measureChain(ctx context.Context, stored map[string]*remembered, questions []recallQuestion) ([]row, error) {
	whole, byCategory := newMean(), map[int]*mean{}
	var tokens []int
	for _, q := range questions {
		if len(q.Ev) == 0 {
			continue
		}
		c := stored[q.Conv]
		if c == nil {
			return nil, fmt.Errorf("question %s: no conversation %q", q.ID, q.Conv)
		}
		calls, _, err := c.ask(ctx, q.Q, r.Window)
		if err != nil {
			return nil, err
		}
		shown := map[string]bool{}
		if len(calls) > 0 {
			prompt := calls[0].text()
			for _, m := range c.newest {
				if strings.Contains(prompt, "] "+m.Text) {
					shown[c.turn[m.ID]] = true
				}
			}
			tokens = append(tokens, memory.Count(calls[0].recalled()))
		}
		if byCategory[q.Cat] == nil {
			byCategory[q.Cat] = newMean()
		}
		byCategory[q.Cat].add("evidence", share(q.Ev, shown))
		if q.Cat != adversarial {
			whole.add("evidence", share(q.Ev, shown))
		}
	}
	first := whole.row("categories 1-4")
	first.percentiles("recalled", tokens)
	rows := []row{first}
	for _, c := range slices.Sorted(maps.Keys(byCategory)) {
		rows = append(rows, byCategory[c].row(categories[c]))
	}
	return rows, nil
}

// percentiles adds the median and the 95th percentile of counts.
func (r row) percentiles(name string, counts []int) {
	if len(counts) == 0 {
		return
	}
	slices.Sort(counts)
	r.Measures[name+" p50"] = float64(counts[len(counts)/2])
	r.Measures[name+" p95"] = float64(counts[len(counts)*95/100])
}

// compare adds to each measure what it is under load, and by how much it fell.
func compare(rows, under []row) {
	for i, r := range rows {
		for name, v := range under[i].Measures {
			before := r.Measures[name]
			r.Measures[name+" under"] = v
			r.Measures[name+" lost"] = before - v
		}
	}
}
