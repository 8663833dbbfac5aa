package docs

import (
	"context"
	"fmt"
	"strings"

	"github.com/uptrace/bun"
)

// vocabularyPassages is how many passages of a scope are read for its vocabulary at most.
const vocabularyPassages = 20_000

// Vocabulary holds the search terms of documents.
type Vocabulary struct {
	Passages int            // that were read
	Holding  map[string]int // for each term, the passages that contain it
}

// Vocabulary returns the terms of the documents that the scope may see; of a very large number, only those of the first
// passages. It is empty if there are none.
func (x *Index) Vocabulary(ctx context.Context, scope Scope) (Vocabulary, error) {
	v := Vocabulary{Holding: map[string]int{}}
	contents, err := x.contents(ctx, scope)
	if err != nil {
		return v, fmt.Errorf("docs: read the vocabulary: %w", err)
	}
	var terms string
	err = x.each(ctx, []any{&terms}, func() {
		v.Passages++
		seen := map[string]bool{}
		for t := range strings.SplitSeq(terms, " ") {
			if !seen[t] {
				seen[t] = true
				v.Holding[t]++
			}
		}
	}, `SELECT terms FROM passages WHERE content_id IN (?) LIMIT ?`, bun.List(contents), vocabularyPassages)
	if err != nil {
		return v, fmt.Errorf("docs: read the vocabulary: %w", err)
	}
	return v, nil
}
