package model

import (
	"net/http"
	"strings"
	"testing"

	"github.com/tmc/langchaingo/llms"
)

// Chat templates of models people run themselves refuse roles that the API allows.
func TestRolesATemplateRefuses(t *testing.T) {
	messages := []llms.MessageContent{
		llms.TextParts(llms.ChatMessageTypeSystem, "Be short."),
		llms.TextParts(llms.ChatMessageTypeHuman, "the history"),
		llms.TextParts(llms.ChatMessageTypeHuman, "the request"),
	}
	for complaint, want := range map[string]string{
		`Conversation roles must alternate user/assistant/user/assistant/...`: `[{"role":"system","content":"Be short."},{"role":"user","content":"the history\n\nthe request"}]`,
		`System role not supported`: `[{"role":"user","content":"Be short.\n\nthe history\n\nthe request"}]`,
	} {
		for _, status := range []int{400, 500} {
			n, last := 0, ""
			url := raw(t, func(w http.ResponseWriter, _ *http.Request, body string) {
				if n++; n == 1 {
					w.WriteHeader(status)
					w.Write([]byte(`{"error":{"message":"` + complaint + `"}}`))
					return
				}
				last = body
				w.Write([]byte(`{"choices":[{"message":{"content":"ok"},"finish_reason":"stop"}]}`))
			})
			m := once(t, url)
			for range 2 {
				if _, err := m.GenerateContent(t.Context(), messages, llms.WithTools(twoTools)); err != nil {
					t.Fatalf("%s: %v", complaint, err)
				}
			}
			if got := fields(t, []byte(last), "messages")[0]; n != 3 || got != want || !strings.Contains(last, `"tools"`) {
				t.Errorf("%s: %d requests, %s", complaint, n, last)
			}
		}
	}
}
