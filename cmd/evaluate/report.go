package main

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"text/tabwriter"
	"time"
)

// row is one line of the result: how many records it is made of and its measures.
type row struct {
	Name     string             `json:"name"`
	Records  int                `json:"records"`
	Measures map[string]float64 `json:"measures"`
}

// show prints rows as a table whose columns are the measures, or as one JSON array.
func show(w io.Writer, asJSON bool, columns []string, rows []row) error {
	if asJSON {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(rows)
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(t, "\trecords")
	for _, c := range columns {
		fmt.Fprint(t, "\t", c)
	}
	fmt.Fprintln(t, "\t")
	for _, r := range rows {
		fmt.Fprint(t, r.Name, "\t", r.Records)
		for _, c := range columns {
			if v, ok := r.Measures[c]; ok {
				fmt.Fprintf(t, "\t%.3f", v)
			} else {
				fmt.Fprint(t, "\t")
			}
		}
		fmt.Fprintln(t, "\t")
	}
	return t.Flush()
}

// mean collects measures record by record.
type mean struct {
	sum map[string]float64
	n   map[string]int
	all int
}

func newMean() *mean { return &mean{sum: map[string]float64{}, n: map[string]int{}} }

func (m *mean) add(measure string, v float64) {
	m.sum[measure] += v
	m.n[measure]++
	m.all = max(m.all, m.n[measure])
}

func (m *mean) row(name string) row {
	r := row{Name: name, Records: m.all, Measures: map[string]float64{}}
	for measure, sum := range m.sum {
		r.Measures[measure] = sum / float64(m.n[measure])
	}
	return r
}

// times are the durations of one operation over all records.
type times []time.Duration

// measure adds the median and the 95th percentile in milliseconds to r.
func (t times) measure(r row) {
	if len(t) == 0 {
		return
	}
	slices.Sort(t)
	r.Measures["p50 ms"] = t[len(t)/2].Seconds() * 1000
	r.Measures["p95 ms"] = t[len(t)*95/100].Seconds() * 1000
}
