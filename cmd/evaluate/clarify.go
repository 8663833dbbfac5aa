package main

import (
	"os"

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
	return show(os.Stdout, c.JSON, []string{"clear passed", "ambiguous passed", "AUC"}, rows)
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

func (g *gated) row(name string) row {
	return row{Name: name, Records: len(g.clear) + len(g.ambiguous), Measures: map[string]float64{
		"clear passed":     float64(g.clearPassed) / float64(max(len(g.clear), 1)),
		"ambiguous passed": float64(g.ambiguousPassed) / float64(max(len(g.ambiguous), 1)),
		"AUC":              g.area(),
	}}
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
