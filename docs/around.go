package docs

import (
	"slices"
	"strings"
)

const (
	linesAround = 2   // shown on either side
	bytesAround = 240 // of them
)

// Around returns which lines of a page, from 0, show what words on it are about: their own, up to two on either side, and the head of
// the table they stand in. nil means that the page does not have the words.
func Around(page, words string) []int {
	quote := newQuote(words)
	if quote == "" {
		return nil
	}
	at, found := newPlain(page).find(quote)
	if !found {
		return nil
	}
	lines := strings.Split(page, "\n")
	number := func(at int) int { return strings.Count(page[:at], "\n") }
	first, last := number(at.start), number(at.end)
	var shown []int
	for n := first; n <= last; n++ {
		shown = append(shown, n)
	}
	beside := func(n, step int) {
		for count, size := 0, 0; n >= 0 && n < len(lines) && count < linesAround; n += step {
			if strings.TrimSpace(lines[n]) == "" {
				continue
			}
			if size += len(lines[n]); size > bytesAround {
				return
			}
			shown = append(shown, n)
			count++
		}
	}
	beside(first-1, -1)
	beside(last+1, 1)
	for _, t := range tables(page) {
		if t.rows.start >= at.end || t.rows.end <= at.start {
			continue
		}
		size := 0
		for _, s := range slices.Backward(t.head) { // the heads of the columns stand last
			if size += s.end - s.start; size <= maxHead {
				shown = append(shown, number(s.start))
			}
		}
	}
	slices.Sort(shown)
	return slices.Compact(shown)
}
