package model

import (
	"encoding/json"

	"github.com/tmc/langchaingo/llms"

	"threadkeeper/memory"
)

const pictureTokens = 1_500 // of one picture, about the most that models take for it

// PromptTokens is about how many tokens a prompt takes.
func PromptTokens(messages []llms.MessageContent, tools []llms.Tool) int {
	n := 0
	for _, m := range messages {
		for _, p := range m.Parts {
			switch p := p.(type) {
			case llms.TextContent:
				n += memory.Count(p.Text)
			case llms.BinaryContent, llms.ImageURLContent:
				n += pictureTokens
			}
		}
	}
	if len(tools) > 0 {
		listed, _ := json.Marshal(tools) // maps, lists and strings
		n += memory.Count(string(listed))
	}
	return n
}
