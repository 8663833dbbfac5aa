package reading

import "strings"

// CutQuote parts a message that opens by quoting another from the quote, whose marks are
// taken off. A message that is all quote has none: it asks what the quote asks.
func CutQuote(text string) (quote, rest string) {
	var quoted []string
	lines := strings.Split(strings.TrimSpace(text), "\n")
	n := 0
	for ; n < len(lines); n++ {
		line, marked := strings.CutPrefix(strings.TrimSpace(lines[n]), ">")
		if !marked && line != "" {
			break
		}
		quoted = append(quoted, strings.TrimPrefix(line, " "))
	}
	quote, rest = strings.TrimSpace(strings.Join(quoted, "\n")), strings.TrimSpace(strings.Join(lines[n:], "\n"))
	if quote == "" || rest == "" {
		return "", text
	}
	return quote, rest
}
