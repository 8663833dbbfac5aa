package claims

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/memory/reading"
)

var (
	itemStart  = reading.Lazy(`^ {0,8}(?:[-*+•–◦▪] |\(?\d{1,3}[.)] |\(?[a-z][.)] |\(?[A-Z]\) )`) // "B. Sen" is somebody's name
	headLine   = reading.Lazy(`^ {0,3}(?:#{1,6} |(?:-{3,}|\*{3,}|_{3,}|={3,})\s*$)`)
	separator  = reading.Lazy(`^[\s|:+=–—-]+$`)
	sourceWord = reading.Lazy(`^(?:[\s>*_(—–-]|(?i:sources?|quellen?|fuentes?|belege?|citations?|r[eé]f[eé]rences?|evidence|see|siehe|voir|ver|出典|出所)\b|[:：.])*`)
)

// itemHead is how long the sign of a list's item is with which a line begins, 0 for none.
func itemHead(line string) int { return len(itemStart.FindString(line)) }

// NextBlock returns the length of the first block of a reply: a paragraph, an item of a list, a table or a heading, with
// the empty lines and the lines of only citations after it. 0 means that more text is needed; with whole there is
// no more. Code fences are lines of their own, for the caller to read.
func NextBlock(text string, whole bool) int {
	end, table, empty := 0, false, true
	for end < len(text) {
		line, more := text[end:], false
		if i := strings.IndexByte(line, '\n'); i >= 0 {
			line, more = line[:i+1], true
		}
		if !more && !whole && (empty || !shows(line)) {
			return 0
		}
		bare := strings.TrimSpace(line)
		switch {
		case bare == "":
		case empty:
			empty, table = false, isTableLine(bare)
			if headLine.MatchString(line) || strings.HasPrefix(bare, "```") {
				if !more && !whole {
					return 0
				}
				return end + len(line)
			}
		case (whole || more) && onlyCites(bare):
		case endsBefore(text[:end], line, bare, table):
			return end
		}
		end += len(line)
	}
	return allIf(whole, text)
}

func allIf(whole bool, text string) int {
	if whole {
		return len(text)
	}
	return 0
}

// shows reports whether the beginning of a line is enough to tell that it is no line of citations.
func shows(line string) bool {
	rest := strings.TrimPrefix(line, sourceWord.FindString(line))
	return utf8.RuneCountInString(line) >= 16 && rest != "" && !beginsMark(rest)
}

func beginsMark(text string) bool { return strings.IndexAny(text, "[(【") == 0 }

func isTableLine(bare string) bool {
	if strings.HasPrefix(bare, "|") || strings.Count(bare, " | ") < 2 {
		return strings.HasPrefix(bare, "|")
	}
	skeleton, _ := marksOf(bare, nil) // quotes of a table have bars too
	return strings.Count(skeleton, " | ") >= 2
}

// endsBefore reports whether a line begins another block than the line before it.
func endsBefore(before, line, bare string, table bool) bool {
	if table {
		return !isTableLine(bare)
	}
	last := before[strings.LastIndexByte(strings.TrimSuffix(before, "\n"), '\n')+1:]
	return strings.TrimSpace(last) == "" || itemHead(line) > 0 || headLine.MatchString(line) || strings.HasPrefix(bare, "```") || isTableLine(bare)
}

// onlyCites reports whether a line contains nothing but citations, perhaps behind a word such as "Source:".
func onlyCites(bare string) bool {
	rest := strings.TrimPrefix(bare, sourceWord.FindString(bare))
	if !beginsMark(rest) {
		return false
	}
	skeleton, marks := marksOf(rest, nil)
	return len(marks) > 0 && !strings.ContainsFunc(skeleton, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// placeholder stands for mark i in a text; no reply holds such a character once it is visible text.
func placeholder(i int) rune { return rune(0xE000 + i) }

func isPlaceholder(r rune) bool { return r >= 0xE000 && r < 0xF000 }

var marksBehind = reading.Lazy(`^(?:[ .,;)]*[\x{E000}-\x{EFFF}]+[.;,]*)* *`)

// sentencesOf cuts a text with placeholders into sentences, each with the marks that follow it.
func sentencesOf(text string) (all []string) {
	for text != "" {
		end := len(letterHead.FindString(text))
		if end == 0 {
			end = reading.SentenceEnd(text, true)
		}
		end += len(marksBehind.FindString(text[end:]))
		all, text = append(all, text[:end]), text[end:]
	}
	return all
}
