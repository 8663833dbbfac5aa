package model

import (
	"context"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tmc/langchaingo/llms"
)

// goOnRequest asks for the rest of an answer. The repeated words show where the two belong together.
const goOnRequest = "(Your reply was cut off by its length. Write the rest of it and nothing else. Begin by repeating the last few words it ended with, so that the two can be joined.)"

// cutByLength reports whether a text was cut off by the limit the caller set, and can be continued.
func cutByLength(c *call, r *llms.ContentResponse, failure *Error) bool {
	return failure.Kind == Truncated && (failure.Code == "length" || failure.Code == "max_tokens") && strings.TrimSpace(failure.Partial) != "" &&
		c.opts.MaxTokens > 0 && c.schema == nil && r != nil && len(r.Choices) == 1 && len(r.Choices[0].ToolCalls) == 0
}

// goOn asks once for the rest of an answer that was cut off, streams it and joins the two. Where that fails the first part and its
// failure stand.
func (e *endpoint) goOn(ctx context.Context, c *call, first *llms.ContentResponse, failure *Error) (*llms.ContentResponse, *Error) {
	s := &seam{before: failure.Partial}
	rest := &call{opts: c.opts, pictures: c.pictures, room: c.room}
	rest.messages = append(slices.Clone(c.messages), llms.TextParts(llms.ChatMessageTypeAI, failure.Partial), llms.TextParts(llms.ChatMessageTypeHuman, goOnRequest))
	if len(c.opts.Tools) > 0 {
		rest.opts.ToolChoice = "none"
	}
	var after strings.Builder
	show := func(text string) error {
		after.WriteString(text)
		if c.stream == nil || text == "" {
			return nil
		}
		c.partial.WriteString(text)
		return c.stream(text)
	}
	rest.stream = func(text string) error { return show(s.next(text)) }
	second, again := e.attempt(ctx, rest)
	if again != nil && (again.Kind == Canceled || ctx.Err() != nil) {
		return first, again
	}
	if err := show(s.end()); err != nil {
		return first, &Error{Kind: Canceled, Message: "the streaming function ended the call", Partial: failure.Partial + after.String(), Err: err}
	}
	addUsage(first, second)
	first.Choices[0].Content = failure.Partial + after.String()
	failure.Partial = first.Choices[0].Content
	if again != nil || s.lost || after.Len() == 0 {
		return first, failure
	}
	first.Choices[0].StopReason = "stop"
	return first, nil
}

// seam joins the rest of a text to what came before, without saying anything twice.
type seam struct {
	before string
	held   string // of the rest, until it is long enough to be joined
	joined bool
	lost   bool // it began again, in other words
}

const (
	seamHold    = 200 // bytes of the rest that are looked at
	seamRestart = 40  // bytes that show that it began again
)

func (s *seam) next(text string) string {
	switch {
	case s.lost:
		return ""
	case s.joined:
		return text
	}
	s.held += text
	if len(s.held) < seamHold || s.restarts() && len(s.held) < len(s.before) {
		return ""
	}
	return s.join()
}

// end returns what is still held.
func (s *seam) end() string {
	if s.joined || s.held == "" {
		return ""
	}
	return s.join()
}

func (s *seam) restarts() bool {
	n := min(seamRestart, len(s.before))
	return n == seamRestart && strings.HasPrefix(strings.TrimLeft(s.held, " \n"), strings.TrimLeft(s.before[:n], " \n"))
}

func (s *seam) join() string {
	s.joined = true
	if s.restarts() {
		rest, ok := strings.CutPrefix(strings.TrimLeft(s.held, " \n"), strings.TrimLeft(s.before, " \n"))
		s.lost = !ok
		if s.lost {
			return ""
		}
		return rest
	}
	text := s.held
	if head, body, _ := strings.Cut(s.before, "\n"); strings.TrimSpace(body) != "" && len(head) < 20 { // ANSWER, once more
		text = strings.TrimPrefix(text, head+"\n")
	}
	before := strings.TrimRight(s.before, " \n")
	for _, tried := range []string{text, strings.TrimLeft(text, " \n")} { // often without the space the repeated words began with
		n := overlap(before, tried)
		switch {
		case n == 0:
		case len(before) < len(s.before):
			return strings.TrimLeft(tried[n:], " \n")
		default:
			return tried[n:]
		}
	}
	last, _ := utf8.DecodeLastRuneInString(s.before)
	first, _ := utf8.DecodeRuneInString(text)
	if inWord(last) && inWord(first) {
		return " " + text
	}
	return text
}

// overlap is how many bytes of after repeat the end of before, from the beginning of a word on.
func overlap(before, after string) int {
	for n := min(len(before), len(after)); n >= 2; n-- {
		at := len(before) - n
		if before[at:] != after[:n] || !utf8.RuneStart(before[at]) {
			continue
		}
		if last, _ := utf8.DecodeLastRuneInString(before[:at]); at == 0 || !inWord(last) {
			return n
		}
	}
	return 0
}

// inWord reports whether r belongs to a word, in scripts that part words by spaces.
func inWord(r rune) bool {
	return (unicode.IsLetter(r) || unicode.IsDigit(r)) && !unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer)
}
