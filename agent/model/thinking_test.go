package model

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/tmc/langchaingo/llms"
)

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
			if got += t1.end(false); got != want {
				t.Errorf("%q in pieces of %d: %q, want %q", text, size, got, want)
			}
		}
	}
}

// unopened is what a model writes whose prompt already ended with <think>.
const unopened = "Okay, ANSWER or ASK?\n\nSix, I think.\n</think>\n\nANSWER\nSix."

func TestThoughtsThatThePromptOpened(t *testing.T) {
	for text, want := range map[string][2]string{ // said when the text is complete, and when its length cut it off
		unopened:                {"ANSWER\nSix.", "ANSWER\nSix."},
		"hm</think>Six.":        {"Six.", "Six."},
		"</think>\n\nSix.":      {"Six.", "Six."},
		"<think>hm</think>Six.": {"Six.", "Six."},
		"<think>hm":             {"", ""},
		"No thought at all.":    {"No thought at all.", ""},
		"<thin":                 {"<thin", "<thin"},
	} {
		for size := 1; size <= len(text)+1; size += 4 {
			for i, cut := range []bool{false, true} {
				t1 := thinking{unopened: true}
				got := ""
				for part := range slices.Chunk([]byte(text), size) {
					got += t1.next(string(part))
				}
				if got += t1.end(cut); got != want[i] {
					t.Errorf("%q in pieces of %d, cut %v: %q", text, size, cut, got)
				}
			}
		}
	}
}

// A lone end of a thought ends one, where the text is whole; one that is spoken of does not.
func TestALoneEndOfAThought(t *testing.T) {
	for text, want := range map[string]string{
		unopened:                         "ANSWER\nSix.",
		"hm</think>Six.":                 "Six.",
		"The mark is `</think>` here.":   "The mark is `</think>` here.",
		`split("</think>") and more`:     `split("</think>") and more`,
		"A thought <think>x</think> so.": "A thought <think>x</think> so.",
	} {
		var t1 thinking
		if got := t1.next(text) + t1.end(false); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// wordsOf answers each request with the words of a text, one in each event, or whole if no stream is asked for.
func wordsOf(t *testing.T, text, finish string) string {
	return raw(t, func(w http.ResponseWriter, _ *http.Request, body string) {
		if !strings.Contains(body, `"stream":true`) {
			fmt.Fprintf(w, `{"choices":[{"message":{"content":%q},"finish_reason":%q}]}`, text, finish)
			return
		}
		for _, word := range strings.SplitAfter(text, " ") {
			fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":%q}}]}\n\n", word)
		}
		fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":%q}]}\n\ndata: [DONE]\n\n", finish)
	})
}

// A model whose name says that it thinks is heard out, until its thought ends or it is clear that the server takes thoughts out.
func TestUnopenedThoughtsOfAModelKnownToThink(t *testing.T) {
	for _, name := range []string{"Qwen/Qwen3-4B-Thinking-2507", "qwq-32b", "DeepSeek-R1-Distill-Qwen-7B"} {
		var streamed strings.Builder
		resp, err := open(t, Options{Model: name, OpenAIBaseURL: wordsOf(t, unopened, "stop")}).GenerateContent(t.Context(), hello, llms.WithTools(twoTools), into(&streamed))
		if err != nil || Text(resp) != "ANSWER\nSix." || streamed.String() != "ANSWER\nSix." || !strings.HasPrefix(resp.Choices[0].ReasoningContent, "Okay") {
			t.Errorf("%s: %v, streamed %q, %+v", name, err, streamed.String(), resp)
		}
	}
	var streamed strings.Builder
	resp, err := open(t, Options{Model: "qwq", OpenAIBaseURL: wordsOf(t, "A thought that is too long.", "length")}).GenerateContent(t.Context(), hello, llms.WithMaxTokens(20), into(&streamed))
	if failed(t, err, Truncated); Text(resp) != "" || streamed.Len() > 0 {
		t.Errorf("a thought that was cut off: %q, streamed %q", Text(resp), streamed.String())
	}
	var parts []string
	url := sse(t, `{"choices":[{"delta":{"reasoning_content":"hm"}}]}`, `{"choices":[{"delta":{"content":"Six "}}]}`, `{"choices":[{"delta":{"content":"of them."},"finish_reason":"stop"}]}`, "[DONE]")
	_, err = open(t, Options{Model: "qwq", OpenAIBaseURL: url}).GenerateContent(t.Context(), hello, llms.WithStreamingFunc(func(_ context.Context, b []byte) error {
		parts = append(parts, string(b))
		return nil
	}))
	if err != nil || len(parts) != 2 {
		t.Errorf("beside reasoning_content: %q, %v", parts, err)
	}
}

// What a model did once is remembered.
func TestUnopenedThoughtsAreRemembered(t *testing.T) {
	for _, first := range []bool{true, false} { // streamed
		m := open(t, Options{Model: "some-model", OpenAIBaseURL: wordsOf(t, unopened, "stop")})
		var options []llms.CallOption
		if first {
			options = append(options, into(&strings.Builder{}))
		}
		resp, err := m.GenerateContent(t.Context(), hello, options...)
		if err != nil || !first && Text(resp) != "ANSWER\nSix." {
			t.Errorf("%v %+v", err, resp)
		}
		var streamed strings.Builder
		if resp, err = m.GenerateContent(t.Context(), hello, into(&streamed)); err != nil || Text(resp) != "ANSWER\nSix." || streamed.String() != "ANSWER\nSix." {
			t.Errorf("streamed before %v: %v, then %q", first, err, streamed.String())
		}
	}
}
