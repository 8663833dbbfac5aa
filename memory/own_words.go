package memory

import (
	"regexp"
	"slices"
	"strings"
)

// marker is a citation marker of an answer.
var marker = regexp.MustCompile(`\[\d{1,3}\]`)

// trailing matches markers that stand behind the end of their sentence.
var trailing = regexp.MustCompile(`([.!?…]+)[ \t]*(\[\d{1,3}\](?:[ \t]*\[\d{1,3}\])*)[ \t]*`)

// ownWords is an answer without what it quotes: block quotes, code, and
// sentences that carry a citation.
func ownWords(text string) string {
	text = plainLines(text)
	if !marker.MatchString(text) {
		return text
	}
	own := slices.DeleteFunc(Sentences(trailing.ReplaceAllString(text, "$2$1 ")), marker.MatchString)
	return strings.Join(own, "\n")
}

// plainLines is text without block quotes and fenced code.
func plainLines(text string) string {
	if !strings.Contains(text, ">") && !strings.Contains(text, "```") {
		return text
	}
	var (
		b    strings.Builder
		code bool
	)
	for line := range strings.Lines(text) {
		trimmed := strings.TrimSpace(line)
		if strings.HasPrefix(trimmed, "```") {
			code = !code
			continue
		}
		if !code && !strings.HasPrefix(trimmed, ">") {
			b.WriteString(line)
		}
	}
	return b.String()
}
