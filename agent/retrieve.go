package agent

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"threadkeeper/docs"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

const (
	recallLimit  = 30    // lines that a model is shown
	recallTokens = 2_500 // of them; less for a small window
	passageCount = 8
	pieceLength  = 900  // bytes of a piece of a long message, as of a passage
	longMessage  = 1200 // tokens from which on a message of the history is shown shortened
)

// query returns the request as a search: of a long one only the end, where the question is.
func (r *run) query() string {
	text := r.request
	if len(text) > 2000 {
		text = asked(text)
	}
	if r.quoted != "" && len(reading.ContentTerms(reading.QuestionOf(text))) == 0 { // "Is that true?"
		text = asked(r.quoted) + "\n" + text
	}
	return text
}

// asked is the part of a long message that asks: its last paragraph that is short, else
// its first, else its last 500 bytes.
func asked(text string) string {
	paragraphs := strings.Split(strings.TrimSpace(text), "\n")
	for _, p := range []string{paragraphs[len(paragraphs)-1], paragraphs[0]} {
		if p = strings.TrimSpace(p); len(p) > 0 && len(p) <= 500 {
			return p
		}
	}
	return text[reading.RuneBoundary(text, len(text)-500):]
}

// searchIn finds the k best passages of some documents, seen by the callbacks.
func (r *run) searchIn(ctx context.Context, query string, in library, k int) ([]docs.Passage, error) {
	retriever := docs.Retriever{Index: r.Index, Scope: docs.Scope{Audience: r.turn.Audience, Documents: in.ids()}, K: k}
	seen := r.callbacks()
	seen.HandleRetrieverStart(ctx, query)
	found, err := retriever.GetRelevantDocuments(ctx, query)
	if err != nil {
		return nil, fmt.Errorf("search documents: %w", err)
	}
	seen.HandleRetrieverEnd(ctx, query, found)
	passages := make([]docs.Passage, len(found))
	for i, d := range found {
		passages[i], _ = d.Metadata["passage"].(docs.Passage)
	}
	return passages, nil
}

// covers is the share of terms that the best three passages and their documents' names contain.
func covers(found []docs.Passage, terms []string) float64 {
	var text strings.Builder
	for _, p := range found[:min(len(found), 3)] {
		text.WriteString(p.Text + "\n" + strings.Join(nameWords(p.Document), " ") + "\n")
	}
	return reading.Coverage(terms, text.String())
}

// pieces are the k parts of a long text that fit a query best, in the text's order.
func pieces(text, query string, k int) []string {
	all := split(text)
	q := rank.NewQuery(query)
	if len(q.Terms()) == 0 || len(all) <= k {
		return all[:min(k, len(all))]
	}
	table := q.NewTable(len(all), 3)
	for _, p := range all {
		table.Add(strings.Join(rank.Stored(p), " "))
	}
	scores := table.BM25(table.Stats(), 0.6, 0.2)
	order := make([]int, len(all))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(scores[b], scores[a]) })
	order = slices.DeleteFunc(order[:k], func(i int) bool { return scores[i] == 0 })
	slices.Sort(order)
	best := make([]string, len(order))
	for i, at := range order {
		best[i] = all[at]
	}
	return best
}

// split cuts a text into pieces of about pieceLength bytes, at line ends or spaces.
func split(text string) []string {
	var all []string
	for len(text) > pieceLength {
		at := strings.LastIndexByte(text[:pieceLength], '\n')
		if at < pieceLength/2 {
			at = strings.LastIndexByte(text[:pieceLength], ' ')
		}
		if at < pieceLength/2 {
			at = reading.RuneBoundary(text, pieceLength)
		}
		if p := strings.TrimSpace(text[:at]); p != "" {
			all = append(all, p)
		}
		text = text[at:]
	}
	if p := strings.TrimSpace(text); p != "" {
		all = append(all, p)
	}
	return all
}
