package console

import "strings"

// markdownBlocks cuts Markdown that arrives in pieces into blocks that can be rendered
// one by one: paragraphs, lists, tables, fenced code. A block ends at a blank line
// outside a fence, unless the next line continues with an indented part of it.
type markdownBlocks struct{ pending string }

// add takes a piece and returns the blocks that are complete now.
func (b *markdownBlocks) add(text string) []string {
	b.pending += text
	var done []string
	for {
		end := blockEnd(b.pending)
		if end < 0 {
			return done
		}
		if block := strings.Trim(b.pending[:end], "\n"); strings.TrimSpace(block) != "" {
			done = append(done, block)
		}
		b.pending = b.pending[end:]
	}
}

// rest is what has not ended with a blank line.
func (b *markdownBlocks) rest() string {
	text := strings.Trim(b.pending, "\n")
	b.pending = ""
	return text
}

// decisive is how many bytes of a line goesOn needs to see.
const decisive = 8

// blockEnd is where the first block of text ends for certain, or -1.
func blockEnd(text string) int {
	fence, pos, started := "", 0, false
	for {
		n := strings.IndexByte(text[pos:], '\n')
		if n < 0 {
			return -1
		}
		line := text[pos : pos+n]
		pos += n + 1
		trimmed := strings.TrimSpace(line)
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) && strings.Trim(trimmed, fence[:1]) == "" {
				fence = ""
			}
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fence, started = trimmed[:3], true
		case trimmed != "":
			started = true
		case started:
			next := strings.TrimLeft(text[pos:], "\n")
			if len(next) < decisive && !strings.Contains(next, "\n") {
				return -1 // the next line decides
			}
			if !goesOn(next) {
				return pos
			}
		}
	}
}

// goesOn reports whether what follows a blank line belongs to the block before
// it: an indented part or the next item of a list.
func goesOn(next string) bool {
	return strings.HasPrefix(next, "  ") || strings.HasPrefix(next, "\t") ||
		strings.HasPrefix(next, "- ") || strings.HasPrefix(next, "* ") || numbered(next)
}

func numbered(line string) bool {
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	return digits > 0 && strings.HasPrefix(line[digits:], ". ")
}
