package main

import (
	"testing"

	"threadkeeper/memory"
)

func TestRecallAsTheChainDoesIt(t *testing.T) {
	conversations := write(t, "c.jsonl", `{"conv": "a", "turns": [{"id": "D1", "date": "1:56 pm on 8 May, 2023", "who": "Ada", "text": "The crane lifts 40 tons."}, {"id": "D2", "who": "Bob", "text": "Fine."}]}
{"conv": "b", "turns": [{"id": "D1", "who": "Cy", "text": "Herons eat fish."}]}`)
	questions := write(t, "q.jsonl", `{"id": "1", "conv": "a", "q": "What does the crane lift?", "cat": 4, "ev": ["D1", "D9"]}
{"id": "2", "conv": "b", "q": "What do herons eat?", "cat": 5, "ev": ["D1"]}`)
	for _, pool := range []bool{false, true} {
		rows := output(t, func() error {
			return (&recall{Conversations: conversations, Questions: questions, AsChain: true, Under: 100, Pool: pool, JSON: true}).Run(t.Context())
		})
		all := rows["categories 1-4"]
		if all.Records != 1 || all.Measures["evidence"] != .5 || all.Measures["evidence under"] != .5 || all.Measures["evidence lost"] != 0 ||
			rows["adversarial"].Measures["evidence"] != 1 {
			t.Errorf("pool %v: %+v", pool, rows)
		}
	}
}

func TestRecallUnderLaterMessages(t *testing.T) {
	conversations := write(t, "c.jsonl", `{"conv": "a", "turns": [{"id": "D1", "who": "Ada", "text": "The crane lifts 40 tons."}, {"id": "D2", "who": "Bob", "text": "Fine."}]}
{"conv": "b", "turns": [{"id": "D1", "who": "Cy", "text": "Ask the harbour office who may lift what, and when."}]}`)
	questions := write(t, "q.jsonl", `{"id": "1", "conv": "a", "q": "What does the crane lift?", "cat": 4, "ev": ["D1"]}`)
	m := output(t, func() error {
		return (&recall{Conversations: conversations, Questions: questions, Budgets: []int{60}, Under: 300, JSON: true}).Run(t.Context())
	})["categories 1-4"].Measures
	if m["60"] != 1 || m["60 under"] != 1 || m["60 lost"] != 0 {
		t.Errorf("measures %v", m)
	}
}

// TestARoomKeepsToItsTokens: a day costs its date once, and what is too long gives way to what is short.
func TestARoomKeepsToItsTokens(t *testing.T) {
	r := room{tokens: 40}
	long := &memory.Message{SessionID: 1, Author: "Ada", Tokens: 60}
	short := &memory.Message{SessionID: 1, Author: "Ada", Tokens: 12}
	other := &memory.Message{SessionID: 2, Author: "Ada", Tokens: 12}
	for i, c := range []struct {
		m    *memory.Message
		fits bool
		used int
	}{{long, false, 0}, {short, true, 18}, {short, true, 28}, {other, false, 28}, {short, true, 38}} {
		if fits := r.take(c.m); fits != c.fits || r.used != c.used {
			t.Errorf("%d: %v, %d tokens", i, fits, r.used)
		}
	}
}
