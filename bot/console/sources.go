package console

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// byNumber are citations in the order of their numbers.
func byNumber(citations []memory.Citation) []memory.Citation {
	return slices.SortedStableFunc(slices.Values(citations), func(a, b memory.Citation) int { return cmp.Compare(a.N, b.N) })
}

// sourceOf is where a quote stands, as it is written before the quote: "[1] report.pdf, page 6: ".
func sourceOf(c memory.Citation, language string) string {
	return fmt.Sprintf("[%s] %s, %s: ", c.Label(), plain(c.Document), plain(say.Place(language, c)))
}

// withoutMarks is Markdown in one line, without the marks of bold text and of quotes.
func withoutMarks(markdown string) string {
	text := strings.NewReplacer("**", "", "\n> ", " ", "\\", "").Replace("\n" + plain(markdown))
	return strings.Join(strings.Fields(text), " ")
}

// quoteOf is a quote in one line.
func quoteOf(c memory.Citation) string { return strings.Join(strings.Fields(plain(c.Quote)), " ") }
