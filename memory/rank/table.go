package rank

import "math"

// Query is a text prepared for scoring others against it. It may be used by several
// goroutines at once.
type Query struct {
	terms  []string
	weight []float64  // square root of how often the term stands in the query
	slot   [256]uint8 // by slotOf: one more than the first term that falls there, 0 if none
	next   []uint8    // by term: one more than the next term in its slot, 0 if none
	pair   []int      // len(terms)²: the number of a pair of terms near each other in the query, or -1
	pairs  int
}

// maxTerms bounds the distinct terms of a query, and with it the work for a pasted page.
const maxTerms = 64

// pairReach is how many terms apart two terms of a query may stand to count as a pair.
const pairReach = 2

// NewQuery prepares text. Only its first 64 distinct terms count.
func NewQuery(text string) *Query { return NewTermQuery(Terms(text)) }

// NewTermQuery prepares a query of terms that [Terms] returned.
func NewTermQuery(terms []string) *Query {
	q := &Query{}
	order := make([]int, 0, len(terms))
	for _, t := range terms {
		i := q.find(t)
		if i < 0 {
			if len(q.terms) == maxTerms {
				continue
			}
			i = len(q.terms)
			slot := slotOf(t)
			q.terms = append(q.terms, t)
			q.weight = append(q.weight, 0)
			q.next = append(q.next, q.slot[slot])
			q.slot[slot] = uint8(i + 1)
		}
		q.weight[i]++
		order = append(order, i)
	}
	for i, n := range q.weight {
		q.weight[i] = math.Sqrt(n)
	}
	q.addPairs(order)
	return q
}

// find returns the number of a term, or -1. Most words of a text fall into an empty slot, so
// that reading one costs a few comparisons rather than a map.
func (q *Query) find(term string) int {
	for i := int(q.slot[slotOf(term)]) - 1; i >= 0; i = int(q.next[i]) - 1 {
		if q.terms[i] == term {
			return i
		}
	}
	return -1
}

// slotOf spreads terms, which are never empty, over the slots.
func slotOf(term string) uint8 {
	n := len(term)
	return term[0] + 5*term[n-1] + 37*term[n/2] + 101*uint8(n)
}

func (q *Query) addPairs(order []int) {
	n := len(q.terms)
	q.pair = make([]int, n*n)
	for i := range q.pair {
		q.pair[i] = -1
	}
	for i, a := range order {
		for _, b := range order[i+1 : min(i+1+pairReach, len(order))] {
			if a != b && q.pair[a*n+b] < 0 {
				q.pair[a*n+b], q.pair[b*n+a] = q.pairs, q.pairs
				q.pairs++
			}
		}
	}
}

// Terms returns the distinct terms in order of first appearance; the caller must not change it.
func (q *Query) Terms() []string { return q.terms }

// Stats are the figures about a whole collection of texts that a score needs.
type Stats struct {
	N   int     // texts
	DF  []int   // by term of the query: texts that have it
	Avg float64 // terms in a text
}

// IDF returns the weight of term i: the rarer, the higher, never below zero.
func (s Stats) IDF(i int) float64 {
	df := float64(s.DF[i])
	return math.Log(1 + (math.Max(float64(s.N), df)-df+0.5)/(df+0.5))
}

// Table counts the terms of one query in many texts, read once each. It takes about
// 4·(terms + pairs) bytes a text.
type Table struct {
	query  *Query
	reach  int
	count  []uint16 // texts × terms
	near   []uint16 // texts × pairs
	length []int
	number []int // terms that are numbers
}

// NewTable returns an empty table with room for size texts. Two terms count as near each
// other if they are at most reach terms apart; reach 0 leaves out pairs.
func (q *Query) NewTable(size, reach int) *Table {
	t := &Table{query: q, reach: min(reach, maxReach), length: make([]int, 0, size), number: make([]int, 0, size)}
	t.count = make([]uint16, 0, size*len(q.terms))
	if reach > 0 {
		t.near = make([]uint16, 0, size*q.pairs)
	}
	return t
}

const maxReach = 8

// Len returns the number of texts.
func (t *Table) Len() int { return len(t.length) }

// Add reads a stored text, its terms joined by spaces, as the next row.
func (t *Table) Add(terms string) {
	q := t.query
	t.count = extend(t.count, len(q.terms))
	row := t.count[len(t.count)-len(q.terms):]
	var pairs []uint16
	if t.reach > 0 {
		t.near = extend(t.near, q.pairs)
		pairs = t.near[len(t.near)-q.pairs:]
	}
	var seen [maxReach]struct{ term, at int } // the last matches, by at modulo reach
	for i := range seen {
		seen[i].at = -maxReach - 1
	}
	at, numbers := 0, 0
	for start := 0; start < len(terms); at++ {
		end := start
		for end < len(terms) && terms[end] != ' ' {
			end++
		}
		if isDigit(terms[start]) {
			numbers++
		}
		if i := q.find(terms[start:end]); i >= 0 {
			bump(&row[i])
			if t.reach > 0 {
				for _, s := range seen[:t.reach] {
					if p := q.pair[i*len(q.terms)+s.term]; p >= 0 && at-s.at <= t.reach {
						bump(&pairs[p])
					}
				}
				seen[at%t.reach].term, seen[at%t.reach].at = i, at
			}
		}
		start = end + 1
	}
	t.length = append(t.length, at)
	t.number = append(t.number, numbers)
}

func extend(s []uint16, n int) []uint16 {
	for range n {
		s = append(s, 0)
	}
	return s
}

func bump(n *uint16) {
	if *n < math.MaxUint16 {
		*n++
	}
}

// Group returns a table whose row g is the sum of the rows i with of[i] == g; groups is one
// more than the largest of them.
func (t *Table) Group(of []int, groups int) *Table {
	g := &Table{query: t.query, reach: t.reach, length: make([]int, groups), number: make([]int, groups)}
	g.count = make([]uint16, groups*len(t.query.terms))
	if t.reach > 0 {
		g.near = make([]uint16, groups*t.query.pairs)
	}
	for i, to := range of {
		g.length[to] += t.length[i]
		g.number[to] += t.number[i]
		addRow(g.count, t.count, to, i, len(t.query.terms))
		if t.reach > 0 {
			addRow(g.near, t.near, to, i, t.query.pairs)
		}
	}
	return g
}

func addRow(dst, src []uint16, to, from, width int) {
	d := dst[to*width : (to+1)*width]
	for i, n := range src[from*width : (from+1)*width] {
		d[i] = uint16(min(int(d[i])+int(n), math.MaxUint16))
	}
}

// Stats returns the statistics of the table's own texts.
func (t *Table) Stats() Stats {
	total := 0
	for _, n := range t.length {
		total += n
	}
	return Stats{N: t.Len(), DF: frequencies(t.count, len(t.query.terms)), Avg: float64(total) / float64(max(t.Len(), 1))}
}

func frequencies(count []uint16, width int) []int {
	df := make([]int, width)
	for start := 0; start < len(count); start += width {
		for i, n := range count[start : start+width] {
			if n > 0 {
				df[i]++
			}
		}
	}
	return df
}

// BM25 returns a score for each text: Okapi's, with k1 for how slowly repetition saturates
// and b for how much length counts.
func (t *Table) BM25(s Stats, k1, b float64) []float64 {
	scores, _ := t.score(t.count, s, t.query.weight, k1, b)
	return scores
}

// BM25Share is BM25 as the share of the score of a text with all terms in unlimited number, 0 to 1:
// it can be compared with that of other queries and texts.
func (t *Table) BM25Share(s Stats, k1, b float64) []float64 {
	return shares(t.score(t.count, s, t.query.weight, k1, b))
}

// Near returns for each text the BM25 of its pairs of terms that are near each other in it
// and in the query, by the table's own statistics; nil if the table was made without reach.
func (t *Table) Near(k1, b float64) []float64 {
	scores, _ := t.nearScore(k1, b)
	return scores
}

// NearShare is Near as a share like that of BM25Share.
func (t *Table) NearShare(k1, b float64) []float64 { return shares(t.nearScore(k1, b)) }

func (t *Table) nearScore(k1, b float64) (scores []float64, ideal float64) {
	if t.reach == 0 {
		return nil, 0
	}
	s := Stats{N: t.Len(), DF: frequencies(t.near, t.query.pairs), Avg: t.Stats().Avg}
	weight := make([]float64, t.query.pairs)
	for i := range weight {
		weight[i] = 1
	}
	return t.score(t.near, s, weight, k1, b)
}

// score returns the BM25 of each row of count, and that of an endless text with all of it.
func (t *Table) score(count []uint16, s Stats, weight []float64, k1, b float64) (scores []float64, ideal float64) {
	idf := make([]float64, len(weight))
	for i := range idf {
		idf[i] = s.IDF(i) * weight[i] * (k1 + 1)
		ideal += idf[i]
	}
	avg := math.Max(s.Avg, 1)
	scores = make([]float64, t.Len())
	for row := range scores {
		norm := k1 * (1 - b + b*float64(t.length[row])/avg)
		for i, n := range count[row*len(weight) : (row+1)*len(weight)] {
			if n > 0 {
				scores[row] += idf[i] * float64(n) / (float64(n) + norm)
			}
		}
	}
	return scores, ideal
}

func shares(scores []float64, ideal float64) []float64 {
	if ideal > 0 {
		for i := range scores {
			scores[i] /= ideal
		}
	}
	return scores
}

// Cover returns for each text the share of the query's weight whose terms it has, 0 to 1.
func (t *Table) Cover(s Stats) []float64 {
	width := len(t.query.terms)
	total := 0.0
	for i := range width {
		total += s.IDF(i)
	}
	cover := make([]float64, t.Len())
	if total == 0 {
		return cover
	}
	for row := range cover {
		for i, n := range t.count[row*width : (row+1)*width] {
			if n > 0 {
				cover[row] += s.IDF(i) / total
			}
		}
	}
	return cover
}

// Digits returns for each text the share of its terms that are numbers, 0 to 1.
func (t *Table) Digits() []float64 {
	share := make([]float64, t.Len())
	for i, n := range t.number {
		share[i] = float64(n) / float64(max(t.length[i], 1))
	}
	return share
}
