package model

import (
	"strings"
	"testing"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/agent/model/fakemodel"
)

// Claude behind a gateway is marked as at Anthropic; others are left alone.
func TestGatewayCacheMarks(t *testing.T) {
	const mark = `"cache_control":{"type":"ephemeral"}`
	history := strings.Repeat("[1 | Ada] The crane lifts forty tonnes, and the press is blue.\n", 40)
	turns := []llms.MessageContent{
		llms.TextParts(llms.ChatMessageTypeSystem, "Be short."),
		llms.TextParts(llms.ChatMessageTypeHuman, history),
		llms.TextParts(llms.ChatMessageTypeHuman, "the request"),
	}
	for name, want := range map[string]int{"anthropic/claude-sonnet-4-5": 3, "gpt-4o": 0} {
		s := fake(t, fakemodel.Options{Script: say("ok")})
		if _, err := open(t, Options{Model: name, OpenAIBaseURL: s.URL()}).GenerateContent(t.Context(), turns); err != nil {
			t.Fatal(err)
		}
		r := s.Requests()[0]
		if n := strings.Count(string(r.Body), mark); n != want || strings.ReplaceAll(r.Messages[1].Text, "\n\n", "\n") != history || r.User() != "the request" {
			t.Errorf("%s: %d marks in %s", name, n, r.Body)
		}
	}
}
