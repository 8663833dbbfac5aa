package docs

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/tmc/langchaingo/textsplitter"

	"threadkeeper/memory/rank"
)

// passageChars is how many characters a passage has at most. Of the sizes measured on company
// filings and manuals this one finds best.
const passageChars = 900

// splitter cuts a page into passages. Every one is a substring of the page.
var splitter = textsplitter.NewRecursiveCharacter(
	textsplitter.WithChunkSize(passageChars),
	textsplitter.WithChunkOverlap(0),
	textsplitter.WithSeparators([]string{"\n\n", "\n", " ", ""}),
	textsplitter.WithLenFunc(utf8.RuneCountInString),
	textsplitter.WithKeepSeparator(true),
)

// span is text[start:end] in bytes.
type span struct{ start, end int }

// passages returns where the passages of a page are, in order.
func passages(text string) ([]span, error) {
	chunks, err := splitter.SplitText(text)
	if err != nil {
		return nil, err
	}
	spans := make([]span, 0, len(chunks))
	at := 0
	for _, chunk := range chunks {
		chunk = strings.TrimSpace(chunk)
		if chunk == "" {
			continue
		}
		start := at + strings.Index(text[at:], chunk)
		at = start + len(chunk)
		spans = append(spans, span{start, at})
	}
	return merge(text, spans), nil
}

// merge joins neighbours that fit into one passage: the splitter leaves the end of a long paragraph
// alone.
func merge(text string, spans []span) []span {
	merged := spans[:0]
	for _, s := range spans {
		if n := len(merged); n > 0 && utf8.RuneCountInString(text[merged[n-1].start:s.end]) <= passageChars {
			merged[n-1].end = s.end
			continue
		}
		merged = append(merged, s)
	}
	return merged
}

// lineHyphen is a word divided at the end of a line.
var lineHyphen = regexp.MustCompile(`(\pL[\pL\pM]*)-\n[ \t]*(\p{Ll}[\pL\pM]*)`)

// passageTerms is what the full-text index holds of a passage. A word divided at the end of a line
// counts whole and in its two parts: the hyphen may have been its own.
func passageTerms(text string) string {
	return strings.Join(rank.Terms(undivided(text)), " ")
}

func undivided(text string) string {
	if strings.Contains(text, "-\n") {
		return lineHyphen.ReplaceAllString(text, "$1$2 $1 $2")
	}
	return text
}

// digits is the share of digits among the characters of text that are not white space.
func digits(text string) float64 {
	var all, found int
	for _, r := range text {
		if unicode.IsSpace(r) {
			continue
		}
		all++
		if unicode.IsDigit(r) {
			found++
		}
	}
	if all == 0 {
		return 0
	}
	return float64(found) / float64(all)
}

const maxHeading = 100 // characters

// headingForm: Markdown's #, a numbered section, or a named division.
var headingForm = regexp.MustCompile(`^(?:#{1,6}\s+\S|\d{1,2}(?:\.\d{1,2}){0,4}\.?\s+\p{Lu}|(?i:` +
	`(?:part|item|chapter|section|article|annex|appendix|schedule|note|kapitel|abschnitt|anhang|` +
	`chapitre|annexe|capítulo|sección|artículo|глава|раздел|статья)\s+[\dIVXA-C]))`)

// isHeading tells a title from other lines.
func isHeading(line string) bool {
	n := utf8.RuneCountInString(line)
	if n < 3 || n > maxHeading || strings.ContainsAny(line[len(line)-1:], ".,;") || strings.Contains(line, "....") {
		return false
	}
	return headingForm.MatchString(line) || isCapitals(line)
}

// isTitle tells the title of a page, its first line, from the middle of a paragraph.
func isTitle(line string) bool {
	r, _ := utf8.DecodeRuneInString(line)
	return unicode.IsUpper(r) && utf8.RuneCountInString(line) <= maxHeading*2/3 && !strings.ContainsAny(line[len(line)-1:], ".,;:-") &&
		digits(line) < 0.2
}

// isCapitals reports a line of two words or more, all in capitals, without figures.
func isCapitals(line string) bool {
	if len(strings.Fields(line)) < 2 {
		return false
	}
	letters := 0
	for _, r := range line {
		switch {
		case unicode.IsLower(r) || unicode.IsDigit(r):
			return false
		case unicode.IsUpper(r):
			letters++
		}
	}
	return letters > 5
}

// headings remembers the last title of a document that is read page by page.
type headings struct{ last string }

// at returns the title that the passage text[from:to] stands under: the last one that begins at or
// before its first line, "" if there was none. Passages must come in order.
func (h *headings) at(text string, from, to int) string {
	heading := h.last
	for i, line := range strings.Split(text[from:to], "\n") {
		line = strings.TrimSpace(line)
		top := i == 0 && strings.TrimSpace(text[:from]) == ""
		if line == "" || !isHeading(line) && !(top && isTitle(line)) {
			continue
		}
		h.last = strings.TrimSpace(strings.TrimLeft(line, "#"))
		if i == 0 {
			heading = h.last
		}
	}
	return heading
}
