package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

func TestEvidenceJudgesTheFirstPrompt(t *testing.T) {
	pages := write(t, "pages.jsonl", `{"doc": "ships", "pages": ["Harbour\nThe crane lifts 40 tons.", "", "Crew\nThe tug has a crew of 7."]}`)
	questions := write(t, "questions.jsonl", `{"id": "1", "doc": "ships", "question": "How many people are in the crew of the tug?", "pages": [2], "evidence": [{"page": 2, "text": "The tug has a crew of 7."}]}
{"id": "2", "doc": "ships", "question": "What does the crane lift?", "pages": [0, 7]}
{"id": "3", "doc": "birds", "question": "Who pays?", "pages": [0]}`)
	printed := printedBy(t, func() error {
		return (&evidence{Pages: pages, Questions: questions, JSON: true}).Run(t.Context())
	})
	lines := bufio.NewScanner(bytes.NewReader(printed))
	var all []asked
	for range 2 {
		lines.Scan()
		var a asked
		if err := json.Unmarshal(lines.Bytes(), &a); err != nil {
			t.Fatalf("%v in %s", err, lines.Bytes())
		}
		all = append(all, a)
	}
	if a := all[0]; len(a.Shown) != 1 || a.Shown[0] != 3 || a.Changed || a.AskedBy || !a.Reach || a.Cover != 1 || a.Tokens == 0 || a.Calls == 0 {
		t.Errorf("the tug: %+v", a)
	}
	if a := all[1]; len(a.Shown) != 1 || a.Shown[0] != 1 || len(a.Gold) != 2 {
		t.Errorf("the crane: %+v", a)
	}
	var summary row
	lines.Scan()
	if err := json.Unmarshal(lines.Bytes(), &summary); err != nil || summary.Records != 2 ||
		summary.Measures["any page"] != 1 || summary.Measures["all pages"] != .5 || summary.Measures["reachable"] != 1 {
		t.Errorf("summary %+v, %v", summary, err)
	}
}

func TestAPageIsKnownByItsHeadAndByItsText(t *testing.T) {
	q := retrievalQuestion{Question: "Who steers?", Pages: []int{11}}
	q.Evidence = append(q.Evidence, struct {
		Page int
		Text string
	}{11, "Ada steers the tug."})
	for _, c := range []struct {
		name, prompt string
		shown        int
	}{
		{"a passage", "[d1 p12]\nOn Monday", 1},
		{"a passage on one line", "[d1 p12] On Monday", 1},
		{"a whole page", "[d1 p12, the whole page]\nOn Monday", 1},
		{"another page", "[d1 p1]\n[d1 p2] and [d1 p12] in a sentence", 0},
		{"the text alone", "Page twelve\nAda steers\nthe tug.", 1},
		{"nothing", "", 0},
	} {
		a := judgeTurn(q, []sent{{messages: []string{c.prompt, "<request x>\ncalls left: 0\ntext:\nWho steers?\n</request x>"}}}, nil)
		if len(a.Shown) != c.shown || a.Changed || a.MayLook || a.Reach != (c.shown > 0) {
			t.Errorf("%s: %+v", c.name, a)
		}
	}
	for _, s := range []sent{{tools: true}, {messages: []string{"<request x>\nsearches left: 2\n"}}, {messages: []string{"<request x>\ncalls left: 1\n"}}} {
		if a := judgeTurn(q, []sent{s}, nil); !a.MayLook || !a.Reach || !a.Changed {
			t.Errorf("%+v: %+v", s, a)
		}
	}
}

func TestEvidenceCountsWhatTheModelsSearchFinds(t *testing.T) {
	pages := make([]string, 80)
	for i := range pages {
		pages[i] = strings.Repeat(fmt.Sprintf("Berth %d takes barges with coal, timber and grain from the north quay. ", i), 3)
	}
	pages[70] = "Captain Ada holds the helm, with two mates beside her."
	record, err := json.Marshal(map[string]any{"doc": "ships", "pages": pages})
	if err != nil {
		t.Fatal(err)
	}
	run := evidence{
		Pages:     write(t, "pages.jsonl", string(record)),
		Questions: write(t, "questions.jsonl", `{"id": "1", "doc": "ships", "question": "Who steers among coal, timber and grain?", "pages": [70]}`),
		Queries:   write(t, "queries.jsonl", `{"id": "1", "queries": ["captain at the helm"]}`),
		JSON:      true,
	}
	var a asked
	first, _, _ := bytes.Cut(printedBy(t, func() error { return run.Run(t.Context()) }), []byte("\n"))
	if err := json.Unmarshal(first, &a); err != nil {
		t.Fatalf("%v in %s", err, first)
	}
	if len(a.Shown) != 0 || len(a.Found) != 1 || a.Found[0] != 71 || a.Calls < 2 {
		t.Errorf("%+v: want page 71 found by the search, not by the first prompt", a)
	}
}
