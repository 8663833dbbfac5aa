package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"testing"

	"threadkeeper/docs/pdfium"
)

// TestMain serves as the worker that reads files, when it is started as one.
func TestMain(m *testing.M) {
	pdfium.ServeIfWorker()
	os.Exit(m.Run())
}

// printedBy is what fn prints. It is read while fn runs: a pipe holds only so much.
func printedBy(t *testing.T, fn func() error) []byte {
	t.Helper()
	stdout := os.Stdout
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	printed := make(chan []byte)
	go func() {
		all, _ := io.ReadAll(r)
		printed <- all
	}()
	os.Stdout = w
	err = fn()
	os.Stdout = stdout
	w.Close()
	all := <-printed
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// output runs fn and returns the rows that it prints as JSON, by name.
func output(t *testing.T, fn func() error) map[string]row {
	t.Helper()
	printed := printedBy(t, fn)
	var rows []row
	if err := json.Unmarshal(printed, &rows); err != nil {
		t.Fatalf("%v in %s", err, printed)
	}
	byName := map[string]row{}
	for _, r := range rows {
		byName[r.Name] = r
	}
	return byName
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	data := []byte(text)
	if filepath.Ext(name) == ".gz" {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write(data)
		z.Close()
		data = b.Bytes()
	}
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRetrievalMeasures(t *testing.T) {
	pages := write(t, "pages.jsonl.gz", `{"doc": "ships", "pages": ["Harbour\nThe crane lifts 40 tons.", "", "Crew\nThe tug has a crew of 7."]}
{"doc": "birds", "pages": ["The heron eats fish."]}`)
	questions := write(t, "questions.jsonl", `{"id": "1", "doc": "ships", "question": "How many people are in the crew of the tug?", "pages": [2], "evidence": [{"page": 2, "text": "The tug has a crew of 7."}]}
{"id": "2", "doc": "birds", "question": "What does the heron eat?", "pages": [0], "evidence": [{"page": 0, "text": "fish"}]}
{"id": "3", "doc": "birds", "question": "Who pays?", "pages": [], "unanswerable": true}
{"id": "4", "doc": "birds", "question": "How long is a zeppelin?", "pages": [0]}`)
	for _, pool := range []bool{false, true} {
		r := output(t, func() error {
			return (&retrieval{Pages: pages, Questions: questions, Pool: pool, JSON: true}).Run(context.Background())
		})["answerable from text"]
		if r.Records != 3 || r.Measures["cov8k"] != 1 {
			t.Errorf("pool %v: %+v", pool, r)
		}
		for _, m := range []string{"R@1", "R@5", "MRR", "R@8k", "doc@1"} {
			if got := r.Measures[m]; got < 0.66 || got > 0.67 {
				t.Errorf("pool %v: %s = %v, want two of three", pool, m, got)
			}
		}
	}
}

func TestRecallMeasures(t *testing.T) {
	conversations := write(t, "c.jsonl", `{"conv": "a", "turns": [{"id": "D1", "s": 1, "date": "1:56 pm on 8 May, 2023", "who": "Ada", "text": "The crane lifts 40 tons."}, {"id": "D2", "s": 1, "who": "Bob", "text": "Fine."}]}
{"conv": "b", "turns": [{"id": "D1", "s": 1, "who": "Cy", "text": "Herons eat fish."}]}`)
	questions := write(t, "q.jsonl", `{"id": "1", "conv": "a", "q": "What does the crane lift?", "cat": 4, "ev": ["D1"]}
{"id": "2", "conv": "a", "q": "Who flies the zeppelin?", "cat": 1, "ev": ["D1"]}
{"id": "3", "conv": "b", "q": "What do herons eat?", "cat": 5, "ev": ["D1"]}`)
	for _, pool := range []bool{false, true} {
		rows := output(t, func() error {
			return (&recall{Conversations: conversations, Questions: questions, Budgets: []int{5, 60}, Pool: pool, JSON: true}).Run(context.Background())
		})
		all := rows["categories 1-4"]
		if all.Records != 2 || all.Measures["5"] != 0 || all.Measures["60"] != 0.5 || rows["adversarial"].Measures["60"] != 1 {
			t.Errorf("pool %v: %+v", pool, rows)
		}
	}
}

func TestClarifyMeasures(t *testing.T) {
	g := &gated{}
	for _, s := range []float64{.9, .8, .3} {
		g.add(0, s > .5, s)
	}
	for _, s := range []float64{.6, .2} {
		g.add(1, s > .5, s)
	}
	m := g.row("x").Measures
	if m["AUC"] != 5.0/6 || m["ambiguous passed"] != .5 || m["clear passed"] != 2.0/3 {
		t.Errorf("measures %v", m)
	}
	file := write(t, "f.jsonl", `{"set": "s", "text": "What is the capital of France?", "label": 0}
{"set": "s", "text": "it", "label": 1}
{"set": "s", "text": "hm", "label": null}`)
	if r := output(t, func() error { return (&clarify{File: file, JSON: true}).Run() })["s"]; r.Records != 2 || r.Measures["AUC"] != 1 {
		t.Errorf("row %+v", r)
	}
}

func TestRecordsSayWhatIsWrong(t *testing.T) {
	if _, err := readRecords[request](write(t, "f.jsonl", `{"set": "s"}`+"\n"+`{"set": 1}`)); err == nil {
		t.Error("a broken record is read")
	}
}
