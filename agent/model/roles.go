package model

import (
	"slices"

	"github.com/tmc/langchaingo/llms"
)

// roles writes messages for a chat template that knows fewer roles than the API: some take no system message, some none after another
// of its role.
func (h habit) roles(messages []llms.MessageContent) []llms.MessageContent {
	if !h.alternate && !h.noSystem {
		return messages
	}
	var out []llms.MessageContent
	for _, m := range messages {
		if h.noSystem && m.Role == llms.ChatMessageTypeSystem {
			m.Role = llms.ChatMessageTypeHuman
		}
		if last := len(out) - 1; last >= 0 && out[last].Role == m.Role {
			out[last].Parts = slices.Concat(out[last].Parts, m.Parts)
			continue
		}
		out = append(out, m)
	}
	return out
}
