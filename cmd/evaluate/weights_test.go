package main

import (
	"fmt"
	"strings"
	"testing"
)

func TestWeightsAreMeasuredOnDocumentsTheyWereNotFittedOn(t *testing.T) {
	var pages, questions strings.Builder
	for i := range 6 {
		fmt.Fprintf(&pages, "{\"doc\": \"d%d\", \"pages\": [\"Harbour\\nThe crane lifts %d tons.\", \"The market sells fish.\", \"The tug has a crew of 7.\"]}\n", i, i+40)
		fmt.Fprintf(&questions, "{\"id\": \"%da\", \"doc\": \"d%d\", \"question\": \"What does the crane lift?\", \"pages\": [0]}\n", i, i)
		fmt.Fprintf(&questions, "{\"id\": \"%db\", \"doc\": \"d%d\", \"question\": \"How large is a zeppelin?\", \"pages\": [1]}\n", i, i)
	}
	command := weights{Pages: []string{write(t, "set.jsonl", pages.String())}, Questions: []string{write(t, "questions.jsonl", questions.String())}, Parts: 3, JSON: true}
	rows := output(t, func() error { return command.Run(t.Context()) })
	for _, name := range []string{"set, as they are", "set, fitted", "set, cross-validated"} {
		r, ok := rows[name]
		if !ok || r.Records != 12 {
			t.Fatalf("%s: %+v of %v", name, r, rows)
		}
		if m := r.Measures; m["R@5"] != .5 || m["MRR"] != .5 || m["from"] != .5 || m["to"] != .5 {
			t.Errorf("%s: %+v, want half of each document's questions found", name, m)
		}
	}
	command.Questions = nil
	if err := command.Run(t.Context()); err == nil {
		t.Error("a set without questions was taken")
	}
}
