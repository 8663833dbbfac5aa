package model

import "strings"

// windows lists context sizes by the beginning of the name, as the vendors' model pages state them; the longest match counts.
var windows = map[string]int{
	"gpt-3.5-turbo":    16_385,
	"gpt-4":            8_192,
	"gpt-4-32k":        32_768,
	"gpt-4-turbo":      128_000,
	"gpt-4o":           128_000,
	"chatgpt-4o":       128_000,
	"gpt-4.1":          1_047_576,
	"gpt-5":            400_000,
	"gpt-5-chat":       128_000,
	"o1":               200_000,
	"o1-mini":          128_000,
	"o1-preview":       128_000,
	"o3":               200_000,
	"o4-mini":          200_000,
	"claude-":          200_000,
	"claude-2.0":       100_000,
	"claude-instant":   100_000,
	"gemini-1.5-pro":   2_097_152,
	"gemini-1.5-flash": 1_048_576,
	"gemini-2":         1_048_576,
	"gemini-3":         1_048_576,
	"gpt-oss":          131_072,
	"llama-3.1-":       131_072,
	"llama-3.2-":       131_072,
	"llama-3.3-":       131_072,
	"llama-4-":         131_072,
	"gemma-3-":         131_072,
	"mistral-large":    131_072,
	"mistral-medium":   131_072,
	"mistral-small":    131_072,
	"ministral-":       131_072,
	"magistral-":       40_960,
	"deepseek-chat":    131_072,
	"deepseek-reason":  131_072,
	"grok-3":           131_072,
	"grok-4":           256_000,
	"grok-code":        256_000,
	"qwen3-max":        262_144,
	"qwen-max":         32_768,
	"qwen-plus":        131_072,
	"kimi-k2":          131_072,
	"glm-4.5":          131_072,
	"glm-4.6":          200_000,
	"command-r":        128_000,
	"command-a":        256_000,
}

// ContextSize returns how many tokens prompt and answer may have together; 0 if unknown. A model with a tag ("llama3.1:8b") is
// self-hosted, and its size depends on how its server was started.
func ContextSize(model string) int {
	name := strings.TrimPrefix(strings.ToLower(model), "ft:")
	if name != strings.ToLower(model) {
		name, _, _ = strings.Cut(name, ":")
	}
	name = name[strings.LastIndexByte(name, '/')+1:]
	if strings.Contains(name, ":") {
		return 0
	}
	size, longest := 0, 0
	for prefix, n := range windows {
		if len(prefix) > longest && strings.HasPrefix(name, prefix) {
			size, longest = n, len(prefix)
		}
	}
	return size
}
