package model

import "strings"

// thoughts are the marks that self-hosted reasoning models put around what they think, at the beginning of
// their text, when the server does not take it out: Qwen and DeepSeek, others after them, and gpt-oss.
var thoughts = [][2]string{
	{"<think>", "</think>"},
	{"<thinking>", "</thinking>"},
	{"<thought>", "</thought>"},
	{"<reasoning>", "</reasoning>"},
	{"<|channel|>analysis<|message|>", "<|channel|>final<|message|>"},
}

// thinking parts streamed text into what was thought and what is said.
type thinking struct {
	held  string // may yet turn out to begin a mark
	until string // the mark that ends the thought; "" outside of one
	over  bool   // the rest is said
	trim  bool   // but for the space before it

	thought string // what was thought, once it is over
}

// next takes a piece of text and returns the part of it that is said.
func (t *thinking) next(text string) string {
	if t.over {
		return t.trimmed(text)
	}
	t.held += text
	if t.until == "" && !t.begin() {
		return t.said()
	}
	if thought, rest, ok := strings.Cut(t.held, t.until); ok && t.until != "" {
		t.over, t.trim, t.held, t.thought = true, true, "", thought
		return t.trimmed(rest)
	}
	return ""
}

// trimmed drops the space between a thought and what is said.
func (t *thinking) trimmed(text string) string {
	if t.trim {
		text = strings.TrimLeft(text, " \t\r\n")
		t.trim = text == ""
	}
	return text
}

// begin reports whether the text begins with a thought, or may do so.
func (t *thinking) begin() bool {
	head := strings.TrimLeft(t.held, " \t\r\n")
	for _, mark := range thoughts {
		if strings.HasPrefix(head, mark[0]) {
			t.until, t.held = mark[1], head[len(mark[0]):]
			return true
		}
		if strings.HasPrefix(mark[0], head) {
			return true
		}
	}
	return false
}

// said releases what was held and turned out to be no mark.
func (t *thinking) said() string {
	text := t.held
	t.over, t.held = true, ""
	return text
}

// end returns what is still held when the text is complete: a thought that never ended says nothing.
func (t *thinking) end() string {
	if !t.over && t.until != "" {
		t.thought = t.held
	}
	if t.over || t.until != "" {
		return ""
	}
	return t.said()
}
