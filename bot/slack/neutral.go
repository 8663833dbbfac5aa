package slack

import (
	"strings"

	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory/reading"
)

// zeroWidthSpace parts what Slack would read as one: it takes no room and is not seen.
const zeroWidthSpace = "\u200b"

// maxRun is the most backticks or tildes in a row.
const maxRun = 32

var (
	// everybody are the names that notify a channel where names are linked.
	everybody = reading.Lazy(`(?i)(^|[^\p{L}\p{N}_])@(channel|here|everyone)\b`)
	// token is the head of what Slack reads as a mention, a channel or a date, also in code.
	token = reading.Lazy(`<([!@#])`)
	// address is a link as Markdown writes it without a text.
	address = reading.Lazy(`<(https?://[^\s<>|]+)>`)
	// longRun is more than any code needs; a fence must leave room for its content.
	longRun = reading.Lazy("`{33,}|~{33,}")
	// spelt is the same with its bracket spelt out.
	spelt = reading.Lazy(`(?i)(&(?:lt|#0*60|#x0*3c);?)([!@#])`)
	// unclosed matches a link at the end of a line that may continue.
	unclosed = reading.Lazy(`\[[^\[\]]*(?:\](?:\([^\s()]*(?:\([^\s()]*\)?[^\s()]*)?(?:[ \t]+[^)]*)?)?)?$`)
	ticks    = reading.Lazy("`+")
)

// neutral is Markdown that mentions nobody and links only where it says so. Slack reads
// its own tokens (<!channel>, <@U…>, <url|text>) in Markdown too, and shows &lt; as the
// character; in code, where that is not so, tokens are parted instead.
func neutral(markdown string) string {
	var out strings.Builder
	var f kit.Fence
	for line := range strings.Lines(longRun.ReplaceAllStringFunc(kit.Clean(markdown), func(run string) string { return run[:maxRun] })) {
		if inside := f.Inside(); f.Next(line) || inside {
			out.WriteString(neutralCode(line))
		} else {
			neutralLine(&out, line)
		}
	}
	return out.String()
}

// neutralLine is for a line outside a fence: what stands between equal runs of
// backticks is code.
func neutralLine(out *strings.Builder, line string) {
	for line != "" {
		from, to := codeSpan(line)
		if from < 0 {
			out.WriteString(neutralText(line))
			return
		}
		out.WriteString(neutralText(line[:from]))
		out.WriteString(neutralCode(line[from:to]))
		line = line[to:]
	}
}

// codeSpan is where the first code span of a line begins and ends, -1 if there is
// none.
func codeSpan(line string) (int, int) {
	runs := ticks.FindAllStringIndex(line, -1)
	for i, open := range runs {
		for _, end := range runs[i+1:] {
			if end[1]-end[0] == open[1]-open[0] {
				return open[0], end[1]
			}
		}
	}
	return -1, -1
}

func neutralText(text string) string {
	text = address.ReplaceAllString(kit.HonestLinks(text), "$1")
	text = spelt.ReplaceAllString(text, "$1"+zeroWidthSpace+"$2")
	return unnamed(strings.ReplaceAll(text, "<", "&lt;"))
}

func neutralCode(text string) string {
	return unnamed(token.ReplaceAllString(text, "<"+zeroWidthSpace+"$1"))
}

func unnamed(text string) string { return everybody.ReplaceAllString(text, "$1@"+zeroWidthSpace+"$2") }

// escape is plain text for mrkdwn, where nothing in it is read as a token.
func escape(text string) string {
	return unnamed(strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;").Replace(kit.Clean(text)))
}

// plainLabel is text for a button or a file name: one line without mentions.
func plainLabel(text string) string {
	return strings.Join(strings.Fields(unnamed(token.ReplaceAllString(kit.Clean(text), "<"+zeroWidthSpace+"$1"))), " ")
}

// stable is how much of Markdown that still grows can be shown now: no later text
// changes what neutral makes of it.
func stable(markdown string) int {
	last := strings.LastIndexByte(markdown, '\n') + 1
	var f kit.Fence
	for line := range strings.Lines(markdown[:last]) {
		f.Next(line)
	}
	line := markdown[last:]
	if trimmed := strings.TrimLeft(line, " \t"); trimmed == "" || strings.HasPrefix(trimmed, "`") || strings.HasPrefix(trimmed, "~") {
		return last // a fence may open or close here
	}
	if f.Inside() {
		return last + afterWord(line)
	}
	if at := unclosed.FindStringIndex(line); at != nil {
		line = line[:at[0]]
	}
	return last + afterWords(strings.TrimRight(line, "`")) // a last run of backticks may still grow
}

func afterWord(line string) int { return strings.LastIndexAny(line, " \t") + 1 }

// afterWords is after the last whole word of a line that is not in code, and before
// backticks that are not closed yet.
func afterWords(line string) int {
	safe, at := 0, 0
	for {
		open := ticks.FindStringIndex(line[at:])
		if open == nil {
			return max(safe, at+afterWord(line[at:]))
		}
		safe = max(safe, at+afterWord(line[at:at+open[0]]))
		from, to := codeSpan(line[at:])
		if from != open[0] {
			return safe
		}
		at += to
	}
}
