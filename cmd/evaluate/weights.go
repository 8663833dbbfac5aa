package main

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"threadkeeper/docs"
)

// weights fits the weights of the search anew and says what to expect on documents that they were not fitted on.
type weights struct {
	Pages     []string `required:"" type:"existingfile" help:"Sets of documents: {doc, pages[]}, the text of each page. Each set has the same weight."`
	Questions []string `required:"" type:"existingfile" help:"Their questions, one file for each set."`
	Pool      bool     `help:"Search all documents of a set at once instead of the question's own, and fit the weights that choose documents too."`
	Parts     int      `default:"10" help:"Documents are divided into so many parts; each is measured with the weights fitted on the others."`
	JSON      bool     `name:"json" help:"Print JSON."`
}

type trial struct {
	name      string
	library   *library
	questions []retrievalQuestion
	pool      bool
	results   map[docs.Weights][]outcome
}

type outcome struct{ recall, rank float64 } // R@5, MRR

const (
	trialDepth = 20   // passages searched for
	resamples  = 2000 // of the documents, for an interval
)

func (c *weights) Run(ctx context.Context) error {
	if len(c.Pages) != len(c.Questions) {
		return errors.New("give as many --questions as --pages")
	}
	var trials []*trial
	for i, pages := range c.Pages {
		t, done, err := c.open(ctx, pages, c.Questions[i])
		if err != nil {
			return err
		}
		defer done()
		trials = append(trials, t)
	}
	everything := func(string) bool { return true }
	fitted, err := c.fit(ctx, trials, everything)
	if err != nil {
		return err
	}
	held := make([][]outcome, len(trials)) // of each question, by weights that did not see its document
	for i, t := range trials {
		held[i] = make([]outcome, len(t.questions))
	}
	for part := range c.Parts {
		without := func(doc string) bool { return partOf(doc, c.Parts) != part }
		w, err := c.fit(ctx, trials, without)
		if err != nil {
			return err
		}
		for i, t := range trials {
			results, err := t.search(ctx, w)
			if err != nil {
				return err
			}
			for j, q := range t.questions {
				if !without(q.Doc) {
					held[i][j] = results[j]
				}
			}
		}
	}
	var rows []row
	for i, t := range trials {
		shipped, err := t.search(ctx, docs.Fitted)
		if err != nil {
			return err
		}
		again, err := t.search(ctx, fitted)
		if err != nil {
			return err
		}
		rows = append(rows, t.row("as they are", shipped), t.row("fitted", again), t.row("cross-validated", held[i]))
	}
	if !c.JSON {
		fmt.Printf("fitted: %+v\n", fitted)
	}
	return show(os.Stdout, c.JSON, []string{"R@5", "from", "to", "MRR", "MRR from", "MRR to"}, rows)
}

func (c *weights) open(ctx context.Context, pages, questions string) (*trial, func(), error) {
	documents, err := readRecords[pagedDocument](pages)
	if err != nil {
		return nil, nil, err
	}
	all, err := readRecords[retrievalQuestion](questions)
	if err != nil {
		return nil, nil, err
	}
	store, done, err := tempStore(ctx)
	if err != nil {
		return nil, nil, err
	}
	t := &trial{pool: c.Pool, results: map[docs.Weights][]outcome{}}
	t.name, _, _ = strings.Cut(filepath.Base(pages), ".")
	if t.library, err = shelve(ctx, store, documents); err != nil {
		done()
		return nil, nil, err
	}
	for _, q := range all {
		if !q.Unanswerable && len(q.Pages) > 0 && (q.Textual == nil || *q.Textual) {
			if _, ok := t.library.ids[q.Doc]; !ok {
				done()
				return nil, nil, fmt.Errorf("question %s: no document %q", q.ID, q.Doc)
			}
			t.questions = append(t.questions, q)
		}
	}
	return t, done, nil
}

// partOf is the part of a document, from its name alone, so that runs can be compared.
func partOf(doc string, parts int) int {
	h := fnv.New32a()
	h.Write([]byte(doc))
	return int(h.Sum32() % uint32(parts))
}

// fit returns the weights that are best for the questions about the chosen documents. It begins with weights that are all
// alike, and changes one at a time as long as that helps: coarsely first, then finely.
func (c *weights) fit(ctx context.Context, trials []*trial, chosen func(doc string) bool) (docs.Weights, error) {
	value := func(w docs.Weights) (float64, error) {
		sum := 0.0
		for _, t := range trials {
			results, err := t.search(ctx, w)
			if err != nil {
				return 0, err
			}
			n, of := 0, 0.0
			for i, q := range t.questions {
				if chosen(q.Doc) {
					n++
					of += results[i].recall + results[i].rank
				}
			}
			sum += of / float64(max(n, 1))
		}
		return sum, nil
	}
	w := docs.Weights{Passage: 4, Page: 4, Near: 4, Head: 4, Neighbour: 4, Cover: 4, Place: 4, Document: 4, Named: 4, Kind: 4, Best: 4}
	knobs := []*float64{&w.Passage, &w.Page, &w.Near, &w.Head, &w.Neighbour, &w.Cover, &w.Place}
	if c.Pool {
		knobs = append(knobs, &w.Document, &w.Named, &w.Kind, &w.Best)
	}
	best, err := value(w)
	if err != nil {
		return w, err
	}
	for _, factors := range [][]float64{{0.5, 2}, {0.5, 2}, {0.8, 1.25}} {
		for _, knob := range knobs {
			was, keep := *knob, *knob
			for _, f := range factors {
				*knob = was * f
				v, err := value(w)
				if err != nil {
					return w, err
				}
				if v > best+1e-9 {
					best, keep = v, *knob
				}
			}
			*knob = keep
		}
	}
	return w, nil
}

// search answers every question with the given weights; what was measured once is kept.
func (t *trial) search(ctx context.Context, w docs.Weights) ([]outcome, error) {
	if r, ok := t.results[w]; ok {
		return r, nil
	}
	index := &docs.Index{Store: t.library.index.Store, Weights: &w}
	results := make([]outcome, len(t.questions))
	errs := make([]error, runtime.GOMAXPROCS(0))
	var all sync.WaitGroup
	for worker := range errs {
		all.Go(func() {
			for i := worker; i < len(t.questions) && errs[worker] == nil; i += len(errs) {
				q := t.questions[i]
				scope := docs.Scope{Audience: t.library.audience}
				if id := t.library.ids[q.Doc]; !t.pool {
					scope.Documents = []int64{id}
				}
				found, err := index.Search(ctx, scope, q.Question, trialDepth)
				m := judge(q, t.library.ids[q.Doc], found)
				results[i], errs[worker] = outcome{m["R@5"], m["MRR"]}, err
			}
		})
	}
	all.Wait()
	t.results[w] = results
	return results, errors.Join(errs...)
}

// row is the mean of outcomes, and between what it lies for 95 of 100 draws of as many documents from these.
func (t *trial) row(name string, results []outcome) row {
	r := row{Name: t.name + ", " + name, Records: len(results), Measures: map[string]float64{}}
	byDoc := map[string][]outcome{}
	for i, q := range t.questions {
		byDoc[q.Doc] = append(byDoc[q.Doc], results[i])
	}
	var groups [][]outcome
	for _, doc := range slices.Sorted(maps.Keys(byDoc)) {
		groups = append(groups, byDoc[doc])
	}
	whole := meanOf(groups)
	r.Measures["R@5"], r.Measures["MRR"] = whole.recall, whole.rank
	draw := rand.New(rand.NewPCG(1, 2))
	var recalls, ranks []float64
	for range resamples {
		drawn := make([][]outcome, len(groups))
		for i := range drawn {
			drawn[i] = groups[draw.IntN(len(groups))]
		}
		m := meanOf(drawn)
		recalls, ranks = append(recalls, m.recall), append(ranks, m.rank)
	}
	slices.Sort(recalls)
	slices.Sort(ranks)
	low, high := resamples*25/1000, resamples*975/1000
	r.Measures["from"], r.Measures["to"] = recalls[low], recalls[high]
	r.Measures["MRR from"], r.Measures["MRR to"] = ranks[low], ranks[high]
	return r
}

func meanOf(documents [][]outcome) outcome {
	var sum outcome
	n := 0.0
	for _, results := range documents {
		for _, o := range results {
			sum.recall, sum.rank, n = sum.recall+o.recall, sum.rank+o.rank, n+1
		}
	}
	return outcome{sum.recall / max(n, 1), sum.rank / max(n, 1)}
}
