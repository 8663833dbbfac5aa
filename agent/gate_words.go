package agent

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Where only the asker and we wrote the prompt, and no document is in it, the words of a sentence are shown as they come.
// Held is what may become a deed, and all from the first sign that may need a check or a filter.

// special are characters of text that is checked or filtered: numbers, citations, links, code, tables, mentions.
const special = "0123456789[]<>|`@=*_#{}\\\"“”«»„:/"

const spareRoom = 2000 // characters: a sentence that may have no room in the answer is shown as a whole or not at all

// runAhead shows what can be shown of a sentence that has not come to its end.
func (g *gate) runAhead() error {
	if g.strict || g.untrusted || g.again || g.leaving || g.muted || g.fenced || g.keyed || g.implied && g.released.Len() == 0 ||
		len(g.queue) > 0 || utf8.RuneCountInString(g.released.String()) > longestAnswer-spareRoom {
		return nil
	}
	text := g.buffer
	if i := strings.IndexAny(text, special); i >= 0 {
		text = text[:i]
	}
	text = text[:1+strings.LastIndexByte(text, ' ')] // whole words
	first, _ := utf8.DecodeRuneInString(text)
	if !unicode.IsLetter(first) || deed(g.unended+g.buffer) {
		return nil
	}
	text = text[:beforeDeed(text)]
	if len(text) <= len(g.ahead) || g.clean(text, nil) != text {
		return nil
	}
	more := text[len(g.ahead):]
	g.ahead = text
	return g.release(more)
}

// behind returns the rest of a text whose beginning may have been shown ahead.
func (g *gate) behind(text string) string {
	if rest, ok := strings.CutPrefix(text, g.ahead); ok {
		return rest
	}
	return "…\n" + strings.TrimLeft(text, "\n") // the text has changed
}
