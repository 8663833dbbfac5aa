package reading

import (
	"slices"
	"strings"
)

// CutQuote separates a message that opens with a quote from the quote, whose marks are
// removed. A message that is only a quote has none: it asks what the quote asks.
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

var citationNumber = Lazy(`\[[A-Z]?\d{1,3}\]`)

// WithoutCitations returns an answer without its citation markers.
func WithoutCitations(text string) string { return citationNumber.ReplaceAllString(text, "") }

// trailing matches markers that stand behind the end of their sentence.
var trailing = Lazy(`([.!?…]+)[ \t]*(\[[A-Z]?\d{1,3}\](?:[ \t]*\[[A-Z]?\d{1,3}\])*)[ \t]*`)

// OwnWords returns an answer without its quotes: block quotes, code, and
// sentences that carry a citation.
func OwnWords(text string) string {
	text = PlainLines(text)
	if !citationNumber.MatchString(text) {
		return text
	}
	own := slices.DeleteFunc(MessageSentences(trailing.ReplaceAllString(text, "$2$1 ")), citationNumber.MatchString)
	return strings.Join(own, "\n")
}

// CitedSentence is the sentence of an answer that carries a citation, without its markers, and its words before the first of
// them, as they stand in the answer; "" where that is none of the answer's own sentences.
func CitedSentence(text, label string) (sentence, begins string) {
	marker := "[" + label + "]"
	for _, s := range MessageSentences(trailing.ReplaceAllString(PlainLines(text), "$2$1 ")) {
		at := citationNumber.FindStringIndex(s)
		if !strings.Contains(s, marker) || strings.Contains(s, "|") || at[0] == 0 {
			continue // of a table: cells say little
		}
		sentence = CollapseSpace(strings.NewReplacer("**", "", " .", ".", " ,", ",").Replace(citationNumber.ReplaceAllString(s, "")))
		return strings.TrimLeft(sentence, "-*•# "), strings.TrimSpace(s[:at[0]])
	}
	return "", ""
}

// PlainLines is text without block quotes and fenced code.
func PlainLines(text string) string {
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

// Quotations returns the words of a text in quotation marks, two characters or more.
func Quotations(text string) []string {
	var words []string
	for _, q := range quotation.FindAllStringSubmatch(text, -1) {
		words = append(words, q[1])
	}
	return words
}

var quotation = Lazy(`["“„«]([^"”“»]{2,})["”“»]`)

// InQuotes reports whether a sentence of a message stands in quotation marks or in a block quote: its author repeats it.
func InQuotes(message, sentence string) bool {
	said := strings.Trim(CollapseSpace(sentence), ` "“”„«»`)
	for _, q := range Quotations(message) {
		if strings.Contains(CollapseSpace(q), said) {
			return true
		}
	}
	return !strings.Contains(CollapseSpace(PlainLines(message)), said)
}

// OutsideQuotes returns what a sentence of a message says outside quotation marks and block quotes.
func OutsideQuotes(message, sentence string) string {
	if !strings.ContainsAny(message, `"“„«>`) {
		return sentence
	}
	if InQuotes(message, sentence) {
		return ""
	}
	return quotation.ReplaceAllString(sentence, " ")
}

// WithoutQuotes returns a message without those of its quotes, whose marks are removed, that drop matches.
func WithoutQuotes(text string, drop func(quote string) bool) string {
	var kept, quote []string
	end := func() {
		var plain []string
		for _, l := range quote {
			plain = append(plain, strings.TrimLeft(strings.TrimSpace(l), "> "))
		}
		if len(quote) > 0 && !drop(strings.Join(plain, "\n")) {
			kept = append(kept, quote...)
		}
		quote = nil
	}
	for l := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(strings.TrimSpace(l), ">") {
			quote = append(quote, l)
			continue
		}
		end()
		kept = append(kept, l)
	}
	if end(); len(kept) == strings.Count(text, "\n")+1 {
		return text
	}
	return strings.TrimSpace(strings.Join(kept, "\n"))
}
