package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
)

type retrieval struct {
	Pages     string `required:"" type:"existingfile" help:"Documents: {doc, pages[]}, the text of each page."`
	Questions string `required:"" type:"existingfile" help:"Questions: {id, doc, question, pages[] (0-based), evidence[{page, text}]}."`
	Pool      bool   `help:"Search all documents at once instead of the question's own."`
	JSON      bool   `name:"json" help:"Print JSON."`
}

type pagedDocument struct {
	Doc   string
	Pages []string
}

type retrievalQuestion struct {
	ID, Doc, Question string
	Pages             []int
	Evidence          []struct {
		Page int
		Text string
	}
	Unanswerable bool
	Textual      *bool // nil: all questions of the file are
}

// depth is how many passages are asked for: enough to fill 16,000 characters.
const depth = 60

type library struct {
	index    *docs.Index
	audience memory.Audience
	ids      map[string]int64 // document name → id
}

func (r *retrieval) Run(ctx context.Context) error {
	documents, err := readRecords[pagedDocument](r.Pages)
	if err != nil {
		return err
	}
	questions, err := readRecords[retrievalQuestion](r.Questions)
	if err != nil {
		return err
	}
	store, closeStore, err := tempStore(ctx)
	if err != nil {
		return err
	}
	defer closeStore()
	l, err := shelve(ctx, store, documents)
	if err != nil {
		return err
	}
	rows, err := r.measure(ctx, l, questions)
	if err != nil {
		return err
	}
	return show(os.Stdout, r.JSON, []string{"R@1", "R@3", "R@5", "R@10", "MRR", "R@8k", "R@16k", "cov8k", "doc@1", "p50 ms", "p95 ms", "CPU ms", "FTS5"}, rows)
}

// shelve ingests every document as a text file.
func shelve(ctx context.Context, store *memory.Store, documents []pagedDocument) (*library, error) {
	session, person, err := store.Locate(ctx, memory.Key{Platform: "evaluate", Workspace: "w", Channel: "c"},
		memory.Channel{Kind: memory.Public}, memory.Person{PlatformID: "p", Name: "p"})
	if err != nil {
		return nil, err
	}
	l := &library{index: &docs.Index{Store: store}, ids: map[string]int64{}}
	if l.audience, err = store.Audience(ctx, session.ID, person.ID); err != nil {
		return nil, err
	}
	for _, d := range documents {
		added, err := l.index.Add(ctx, docs.Upload{Session: session, PersonID: person.ID, Name: d.Doc + ".txt",
			Media: "text/plain", Data: strings.NewReader(d.text())}, nil)
		if added == nil {
			return nil, err
		}
		if err != nil { // listed as failed: its questions find nothing
			fmt.Fprintln(os.Stderr, err)
		}
		l.ids[d.Doc] = added.ID
	}
	return l, nil
}

// text is a file whose pages end in form feeds.
func (d pagedDocument) text() string {
	var b strings.Builder
	for _, p := range d.Pages {
		b.WriteString(strings.Map(plain, p) + "\f")
	}
	return b.String()
}

// plain replaces control characters, which no text file has.
func plain(r rune) rune {
	if unicode.IsControl(r) && r != '\n' && r != '\t' {
		return ' '
	}
	return r
}

func (r *retrieval) measure(ctx context.Context, l *library, questions []retrievalQuestion) ([]row, error) {
	all, textual := newMean(), newMean()
	var took times
	var ours, plain time.Duration // processor time
	searches := 0
	for _, q := range questions {
		if q.Unanswerable || len(q.Pages) == 0 {
			continue
		}
		id, ok := l.ids[q.Doc]
		if !ok {
			return nil, fmt.Errorf("question %s: no document %q", q.ID, q.Doc)
		}
		scope := docs.Scope{Audience: l.audience}
		if !r.Pool {
			scope.Documents = []int64{id}
		}
		start, before := time.Now(), ownTime()
		found, err := l.index.Search(ctx, scope, q.Question, depth)
		if err != nil {
			return nil, err
		}
		took = append(took, time.Since(start))
		between := ownTime()
		if r.Pool {
			id = 0
		}
		if err := l.fullText(ctx, id, q.Question); err != nil {
			return nil, err
		}
		ours, plain, searches = ours+between-before, plain+ownTime()-between, searches+1
		for name, value := range judge(q, l.ids[q.Doc], found) {
			all.add(name, value)
			if q.Textual == nil || *q.Textual {
				textual.add(name, value)
			}
		}
	}
	rows := []row{textual.row("answerable from text"), all.row("all answerable")}
	if textual.all == all.all {
		rows = rows[:1]
	}
	last := rows[len(rows)-1]
	took.measure(last)
	if plain > 0 {
		last.Measures["CPU ms"] = ours.Seconds() * 1000 / float64(searches)
		last.Measures["FTS5"] = plain.Seconds() * 1000 / float64(searches)
	}
	return rows, nil
}

// judge measures one result. A unit is a passage; its page counts.
func judge(q retrievalQuestion, document int64, found []docs.Passage) map[string]float64 {
	m := map[string]float64{"MRR": 0, "doc@1": 0}
	for _, k := range []int{1, 3, 5, 10} {
		m[fmt.Sprint("R@", k)] = evidenceShare(q, document, found[:min(k, len(found))])
	}
	m["R@8k"] = evidenceShare(q, document, within(found, 8000))
	m["R@16k"] = evidenceShare(q, document, within(found, 16000))
	for i, p := range found {
		if p.DocumentID == document && slices.Contains(q.Pages, p.Page-1) {
			m["MRR"] = 1 / float64(i+1)
			break
		}
	}
	if len(found) > 0 && found[0].DocumentID == document {
		m["doc@1"] = 1
	}
	if len(q.Evidence) > 0 {
		var text strings.Builder
		for _, p := range within(found, 8000) {
			if p.DocumentID == document {
				text.WriteString(p.Text + "\n")
			}
		}
		m["cov8k"] = cover(q, text.String())
	}
	return m
}

// evidenceShare returns the part of the evidence pages that the passages touch.
func evidenceShare(q retrievalQuestion, document int64, found []docs.Passage) float64 {
	n := 0
	for _, page := range q.Pages {
		if slices.ContainsFunc(found, func(p docs.Passage) bool { return p.DocumentID == document && p.Page-1 == page }) {
			n++
		}
	}
	return float64(n) / float64(len(q.Pages))
}

// within returns the first passages that fit into so many characters, at least one.
func within(found []docs.Passage, chars int) []docs.Passage {
	for i, p := range found {
		if chars -= utf8.RuneCountInString(p.Text); chars < 0 && i > 0 {
			return found[:i]
		}
	}
	return found
}

// cover returns the share of the words of the evidence texts that stand in a text.
func cover(q retrievalQuestion, text string) float64 {
	have := map[string]int{}
	for _, w := range rank.Words(text) {
		have[w]++
	}
	all, got := 0, 0
	for _, e := range q.Evidence {
		want := map[string]int{}
		for _, w := range rank.Words(e.Text) {
			want[w]++
		}
		for w, n := range want {
			all += n
			got += min(n, have[w])
		}
	}
	return float64(got) / float64(max(all, 1))
}
