package model

import (
	"strings"

	"threadkeeper/memory/reading"
)

// thoughts are the marks that self-hosted reasoning models put around what they think, at the beginning of
// their text, when the server does not take it out: Qwen and DeepSeek, others after them, and gpt-oss.
var thoughts = [][2]string{
	{"<think>", "</think>"},
	{"<thinking>", "</thinking>"},
	{"<thought>", "</thought>"},
	{"<reasoning>", "</reasoning>"},
	{"<|channel|>analysis<|message|>", "<|channel|>final<|message|>"},
}

// openers are models whose prompt ends with <think>, so that their text begins within a thought.
var openers = reading.Lazy(`(?i)thinking|qwq|deepseek-r|-r1`)

func opensThought(name string) bool { return openers.MatchString(name) && !plainOnes.MatchString(name) }

// thinking parts streamed text into what was thought and what is said.
type thinking struct {
	unopened bool   // the text begins within a thought, if the model thinks at all
	held     string // may yet turn out to begin a mark, or to be thought
	until    string // the mark that ends the thought; "" outside of one
	over     bool   // the rest is said
	trim     bool   // but for the space before it

	thought string // what was thought, once it is over
	lone    bool   // its end had no beginning
}

func (t *thinking) next(text string) string {
	if t.over {
		return t.trimmed(text)
	}
	t.held += text
	if t.until == "" && !t.begin() {
		if t.lone = endsLone(t.held); !t.lone && !t.unopened {
			return t.said()
		}
		t.until = thoughts[0][1]
	}
	if thought, rest, ok := strings.Cut(t.held, t.until); ok && t.until != "" {
		t.over, t.trim, t.held, t.thought, t.lone = true, true, "", thought, t.lone || t.unopened
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
			t.until, t.held, t.unopened = mark[1], head[len(mark[0]):], false
			return true
		}
		if strings.HasPrefix(mark[0], head) {
			return true
		}
	}
	return false
}

func (t *thinking) said() string {
	text := t.held
	t.over, t.held = true, ""
	return text
}

// end returns what is still held when the text is complete, or was cut off. A thought that never ended says nothing.
func (t *thinking) end(cut bool) string {
	switch {
	case t.over:
		return ""
	case t.until == "", t.unopened && !cut:
		return t.said()
	}
	t.thought = t.held
	return ""
}

// apart says that the server takes thoughts out of the text.
func (t *thinking) apart() {
	if t.unopened {
		t.unopened, t.until = false, ""
	}
}

// endsLone reports whether a thought ends in the text that did not begin in it. One in quotes is spoken of.
func endsLone(text string) bool {
	before, after, ok := strings.Cut(text, thoughts[0][1])
	return ok && !strings.Contains(before, thoughts[0][0]) && !strings.HasPrefix(after, "`") && !strings.HasPrefix(after, `"`) && !strings.HasPrefix(after, "'")
}
