package model

import (
	"encoding/json"
	"strings"

	"threadkeeper/memory/reading"
)

const blockSize = 1_000 // bytes of a block at least

// stableBlocks cuts a text at ends of lines that stay where they are when the text grows.
func stableBlocks(text string) []string {
	var blocks []string
	for len(text) > blockSize {
		end := strings.IndexByte(text[blockSize:], '\n')
		if end < 0 || strings.TrimSpace(text[blockSize+end:]) == "" {
			break
		}
		end += blockSize + 1
		blocks, text = append(blocks, text[:end]), text[end:]
	}
	return append(blocks, text)
}

// marked matches the models whose gateways (OpenRouter, LiteLLM) keep only what is marked, as Anthropic does.
var marked = reading.Lazy(`(?i)claude`)

// markMessages marks the messages of a chat completions request as markStable does; what is not as expected stays as it is.
func markMessages(raw json.RawMessage) json.RawMessage {
	var messages []map[string]json.RawMessage
	if json.Unmarshal(raw, &messages) != nil {
		return raw
	}
	system := -1
	for i, m := range messages {
		if string(m["role"]) == `"system"` {
			system = i
		}
	}
	for _, i := range []int{system, len(messages) - 2} {
		var text string
		if i < 0 || json.Unmarshal(messages[i]["content"], &text) != nil || text == "" {
			continue
		}
		cut := []string{text}
		if i != system {
			cut = stableBlocks(text)
		}
		var parts []map[string]any
		for k, block := range cut {
			part := map[string]any{"type": "text", "text": block}
			if k >= len(cut)-2 {
				part["cache_control"] = map[string]string{"type": "ephemeral"}
			}
			parts = append(parts, part)
		}
		messages[i]["content"], _ = json.Marshal(parts) // strings
	}
	out, err := json.Marshal(messages)
	if err != nil {
		return raw
	}
	return out
}
