package main

import (
	"os"
	"slices"

	"threadkeeper/agent"
)

type clarify struct {
	File string `required:"" type:"existingfile" help:"Requests: {set, id, text, label}; label 0 is clear, 1 ambiguous, null neither."`
	JSON bool   `name:"json" help:"Print JSON."`
}

type request struct {
	Set, Text string
	Label     *int
}

type gated struct {
	clear, ambiguous             []float64 // scores
	clearPassed, ambiguousPassed int
}

func (c *clarify) Run() error {
	requests, err := readRecords[request](c.File)
	if err != nil {
		return err
	}
	all := &gated{}
	sets := map[string]*gated{}
	var names []string
	for _, r := range requests {
		if r.Label == nil {
			continue
		}
		if sets[r.Set] == nil {
			sets[r.Set] = &gated{}
			names = append(names, r.Set)
		}
		passed, score := agent.ClearEnough(r.Text)
		all.add(*r.Label, passed, score)
		sets[r.Set].add(*r.Label, passed, score)
	}
	rows := []row{all.row("all")}
	for _, name := range names {
		rows = append(rows, sets[name].row(name))
	}
	return show(os.Stdout, c.JSON, []string{"clear passed", "ambiguous passed", "passed at 6%", "AUC"}, rows)
}

func (g *gated) add(label int, passed bool, score float64) {
	scores, n := &g.clear, &g.clearPassed
	if label == 1 {
		scores, n = &g.ambiguous, &g.ambiguousPassed
	}
	*scores = append(*scores, score)
	if passed {
		*n++
	}
}

// falsePasses is the share of ambiguous requests that "passed at 6%" lets through.
const falsePasses = 0.06

func (g *gated) row(name string) row {
	return row{Name: name, Records: len(g.clear) + len(g.ambiguous), Measures: map[string]float64{
		"clear passed":     float64(g.clearPassed) / float64(max(len(g.clear), 1)),
		"ambiguous passed": float64(g.ambiguousPassed) / float64(max(len(g.ambiguous), 1)),
		"passed at 6%":     g.passedAt(falsePasses),
		"AUC":              g.area(),
	}}
}

// passedAt returns the share of clear requests above the threshold that lets at most this
// share of the ambiguous ones through.
func (g *gated) passedAt(share float64) float64 {
	if len(g.clear) == 0 {
		return 0
	}
	threshold := -1.0
	ambiguous := slices.Sorted(slices.Values(g.ambiguous))
	if through := int(share * float64(len(ambiguous))); through < len(ambiguous) {
		threshold = ambiguous[len(ambiguous)-1-through]
	}
	n := 0
	for _, s := range g.clear {
		if s > threshold {
			n++
		}
	}
	return float64(n) / float64(len(g.clear))
}

// area returns how often a clear request scores above an ambiguous one, ties by half.
func (g *gated) area() float64 {
	sum := 0.0
	for _, c := range g.clear {
		for _, a := range g.ambiguous {
			switch {
			case c > a:
				sum++
			case c == a:
				sum += 0.5
			}
		}
	}
	return sum / float64(max(len(g.clear)*len(g.ambiguous), 1))
}
