package main

import (
	"context"
	"slices"
	"strings"

	"threadkeeper/memory"
)

// measureChain asks every question of its conversation, as the next message there, and counts the turns of the evidence
// that the model's first prompt holds.
func (r *recall) measureChain(ctx context.Context, stored map[string]*remembered, questions []recallQuestion) ([]row, error) {
	var tokens []int
	rows, err := average(stored, questions, func(c *remembered, q recallQuestion) (map[string]float64, error) {
		calls, _, err := c.ask(ctx, q.Q, r.Window)
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
		return map[string]float64{"evidence": share(q.Ev, shown)}, err
	})
	if err == nil {
		rows[0].percentiles("recalled", tokens)
	}
	return rows, err
}

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
