package model

import "testing"

func TestThoughtsAreNotSaid(t *testing.T) {
	for text, want := range map[string]string{
		"Plain words.": "Plain words.",
		"<think>\nIs it ANSWER?\n</think>\n\nANSWER\nSix.":                                         "ANSWER\nSix.",
		"  <thinking>hm</thinking>Six.":                                                            "Six.",
		"<reasoning>a < b</reasoning> Six.":                                                        "Six.",
		"<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Six.": "Six.",
		"<think>never ends":                                                                        "",
		"<thin":                                                                                    "<thin",
		"<table><tr>6</tr>":                                                                        "<table><tr>6</tr>",
		"Use <think>x</think> so":                                                                  "Use <think>x</think> so",
		"":                                                                                         "",
	} {
		for size := 1; size <= len(text)+1; size += 4 {
			var t1 thinking
			got := ""
			for rest := text; rest != ""; {
				n := min(size, len(rest))
				got += t1.next(rest[:n])
				rest = rest[n:]
			}
			if got += t1.end(); got != want {
				t.Errorf("%q in pieces of %d: %q, want %q", text, size, got, want)
			}
		}
	}
}
