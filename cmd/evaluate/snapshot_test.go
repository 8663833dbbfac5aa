package main

import "testing"

func TestStandingClaims(t *testing.T) {
	for _, c := range []struct {
		must, text string
		want       bool
	}{
		{"33,180", "It is £33180 now.", true}, {"130", "fined £130 for it", true}, {"130", "1300", false}, {"5", "1.5 m", false},
		{"3 May", "due by 2026-05-03", true}, {"3 May", "May 3", true}, {"3 May", "13 May", false}, {"3 May", "(3 May)", true},
		{"loan", "no loans", true}, {"Dele", "it was deleted", false}, {"vegan", "eine veganen", true}, {"60%", "60 % is kept", true},
	} {
		if got := stands(c.must, c.text); got != c.want {
			t.Errorf("%q in %q: %v", c.must, c.text, got)
		}
	}
}

func TestSnapshotHoldsWhatWasFolded(t *testing.T) {
	conversations := `{"conversation": "a", "role": "user", "author": "Ada", "at": "2026-03-04T09:00:00Z", "text": "The crane lifts 40 tons.", "id": "1"}`
	for i := range 12 {
		conversations += "\n" + `{"conversation": "a", "role": "user", "author": "Bob", "at": "2026-03-04T10:00:00Z", "text": "Fine.", "id": "b` + string(rune('a'+i)) + `"}`
	}
	file := write(t, "c.jsonl", conversations)
	questions := write(t, "q.jsonl", `{"conversation": "a", "question": "What does it lift?", "asker": "Bob", "kind": "fact", "evidence": ["1"], "must_hold": ["40 tons", "Ada"]}
{"conversation": "a", "question": "And how far?", "asker": "Bob", "kind": "fact", "evidence": ["1"], "must_hold": ["metres"]}
{"conversation": "a", "question": "Who painted it?", "asker": "Ada", "kind": "never said", "must_hold": []}`)
	rows := output(t, func() error {
		return (&snapshot{Conversations: file, Questions: questions, Thresholds: []int{1200}, JSON: true}).Run(t.Context())
	})
	if m := rows["at 1200"].Measures; m["held"] != .5 || m["shown"] != .5 || m["evidence"] != 1 || m["tokens"] == 0 || rows["fact"].Measures["sure"] != .5 || rows["never said"].Measures["sure"] != 0 {
		t.Errorf("%+v", rows)
	}
}
