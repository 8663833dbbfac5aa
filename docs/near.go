package docs

import (
	"slices"
	"strings"
	"unicode/utf8"

	"threadkeeper/memory/rank"
)

const (
	// minSimilarity is from where on a quote is taken for a slip of the pen. Below it lie
	// paraphrases, which a citation must not be.
	minSimilarity = 0.92
	// maxNear is the longest quote, in bytes, that is compared letter by letter.
	maxNear = 2000
)

// near returns the place that is most like quote, with the number of letters that differ. It is
// false when none is like enough. quoted is the quote as it was given: its numbers and negations
// must be those of the place, and its words but for slips of the pen.
func (p *plain) near(quote, quoted string) (s span, distance int, ok bool) {
	limit := int(float64(len(quote)) * (1 - minSimilarity))
	if limit == 0 || len(quote) > maxNear {
		return span{}, 0, false
	}
	from, to, distance, ok := closest(p.text, quote, limit)
	if !ok || from == to {
		return span{}, 0, false
	}
	s = p.words(p.span(from, to))
	found := p.source[s.start:s.end]
	if !slices.Equal(numbers(quoted), numbers(found)) || !slices.Equal(negations(quoted), negations(found)) || !onlySlips(quoted, found) {
		return span{}, 0, false
	}
	return s, distance, true
}

// closest returns the part text[from:to] that the fewest changes turn into pattern, if at most
// limit do, counted in bytes (Sellers' algorithm with Ukkonen's cut-off: about len(text) · limit
// steps).
func closest(text, pattern string, limit int) (from, to, distance int, ok bool) {
	m := len(pattern)
	changes := make([]int, m+1) // from pattern[:i] to the best part that ends here
	starts := make([]int, m+1)  // where that part starts
	for i := range changes {
		changes[i] = i
	}
	active := min(limit, m) // changes[i] > limit for all i above
	distance = limit + 1
	for j := range len(text) {
		diagonal, diagonalStart := 0, j
		starts[0] = j + 1
		if active < m {
			active++
			changes[active] = limit + 1
		}
		for i := 1; i <= active; i++ {
			best, start := diagonal, diagonalStart
			if text[j] != pattern[i-1] {
				best++
			}
			diagonal, diagonalStart = changes[i], starts[i]
			if n := changes[i] + 1; n < best {
				best, start = n, starts[i]
			}
			if n := changes[i-1] + 1; n < best {
				best, start = n, starts[i-1]
			}
			changes[i], starts[i] = best, start
		}
		for changes[active] > limit {
			active--
		}
		if active == m && changes[m] < distance {
			from, to, distance, ok = starts[m], j+1, changes[m], true
		}
	}
	return from, to, distance, ok
}

func (p *plain) words(s span) span {
	for {
		edge, _ := utf8.DecodeRuneInString(p.source[s.start:])
		outer, size := utf8.DecodeLastRuneInString(p.source[:s.start])
		further, more := utf8.DecodeLastRuneInString(p.source[:s.start-size])
		if !divides(edge, outer, further, false) {
			break
		}
		if s.start -= size; !isWord(outer) { // the mark inside a number
			s.start -= more
		}
	}
	for {
		edge, _ := utf8.DecodeLastRuneInString(p.source[:s.end])
		outer, size := utf8.DecodeRuneInString(p.source[s.end:])
		further, more := utf8.DecodeRuneInString(p.source[s.end+size:])
		if !divides(edge, outer, further, false) {
			return s
		}
		if s.end += size; !isWord(outer) {
			s.end += more
		}
	}
}

// numbers are the numbers, dates and identifiers of text, and every run of digits once more by
// itself.
func numbers(text string) []string {
	text = verbatim(text, "")
	found := rank.Numbers(text)
	for _, w := range rank.Words(text) {
		if isDigit(w[0]) {
			found = append(found, w)
		}
	}
	slices.Sort(found)
	return found
}

// negationWords turn a sentence into its opposite, in the languages the stop words are of. "t" is
// what rank.Words leaves of n't.
var negationWords = strings.Fields(`no not t none never neither nor nothing nobody nowhere without cannot unless except
	nicht nichts nie niemals kein keine keinen keinem keiner keines ohne weder
	ne pas jamais sans aucun aucune rien ni nunca sin ningun ninguna nada tampoco non mai senza nessun nessuna niente
	nao sem nenhum nenhuma niet geen nooit zonder не нет ни без никогда`)

// negationMarks do so in scripts without spaces.
var negationMarks = []string{"不", "没", "沒", "未", "无", "無", "非", "ない", "ません", "않", "없", "아니"}

func negations(text string) []string {
	var found []string
	for _, w := range rank.Words(text) {
		if slices.Contains(negationWords, w) {
			found = append(found, w)
		}
	}
	for _, mark := range negationMarks {
		for range strings.Count(text, mark) {
			found = append(found, mark)
		}
	}
	slices.Sort(found)
	return found
}
