package main

import (
	"context"
	"regexp"
	"testing"

	"threadkeeper/agent/model/fakemodel"
)

const talk = `{"id": "talk", "lines": [{"who": "Ada", "text": "@Threadkeeper which day did we say?", "label": "meant"}, {"who": "Threadkeeper", "text": "Thursday."},
 {"who": "Bob", "text": "lunch at noon, Ada and me", "label": "not"}, {"who": "Ada", "text": "and who wrote it down?", "label": "meant"}, {"who": "Threadkeeper", "text": "Bob did."},
 {"who": "Sentry", "text": "disk full"}, {"who": "Bob", "text": "@Ada lunch?", "label": "not"}, {"who": "Ada", "text": "we should say that, is it so?", "label": "either"}]}`

func TestSpeakMeasures(t *testing.T) {
	file := write(t, "talk.jsonl", talk)
	rules := output(t, func() error { return (&speak{File: file, JSON: true}).Run(context.Background()) })["all"]
	if m := rules.Measures; rules.Records != 5 || m["wrong"] != 0 || m["undecided"] != 0.4 || m["missed"] != 0.5 {
		t.Errorf("by the rules alone: %+v", rules)
	}
	server, err := fakemodel.Start(fakemodel.Options{Script: []fakemodel.Rule{{Match: regexp.MustCompile("who wrote it down"), Say: "SPEAK\nBob did."}, {Match: regexp.MustCompile("is it so"), Say: "SILENT"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	by := output(t, func() error {
		return (&speak{File: file, JSON: true, Model: "m", Endpoint: server.URL(), Key: "k"}).Run(context.Background())
	})["talk"]
	if m := by.Measures; m["undecided"] != 0.4 || m["missed"] != 0 || m["out of turn"] != 0 {
		t.Errorf("with a model: %+v", by)
	}
}
