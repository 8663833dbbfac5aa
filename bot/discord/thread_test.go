package discord

import (
	"strings"
	"testing"
)

func TestThreadNames(t *testing.T) {
	for in, want := range map[string]string{
		"<@5> what is the notice period?":                       "what is the notice period?",
		"\n  \n**Summarise** [this](https://e.org) <:yes:1>\nx": "Summarise this yes",
		"Hi. Can you help me with my contract? It is long.":     "Hi. Can you help me with my contract?",
		"Tell me a story. A long one.":                          "Tell me a story",
		"wait ...":                                              "wait ...",
		"> a question that came as a command":                   "a question that came as a command",
		"-# A fork of [another thread](https://e.org)":          "A fork of another thread",
		"<@5>":                      "",
		"":                          "",
		strings.Repeat("word ", 60): strings.TrimSpace(strings.Repeat("word ", 19)) + "…",
		strings.Repeat("🎉", 80):     strings.Repeat("🎉", 49) + "…",
	} {
		if got := threadName(in, nil); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
	if got := threadName("<@5>", []wireAttachment{{Filename: "a_b.pdf", Title: "a b"}, {Filename: "c.txt"}}); got != "a b.pdf" {
		t.Errorf("a file alone names the thread %q", got)
	}
}
