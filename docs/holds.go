package docs

import (
	"context"
	"fmt"

	"threadkeeper/memory/rank"
)

// Holds reports for each of the words whether all its terms are somewhere in the documents that
// the scope may see; not necessarily side by side.
func (x *Index) Holds(ctx context.Context, scope Scope, words []string) ([]bool, error) {
	contents, err := x.contents(ctx, scope)
	if err != nil {
		return nil, fmt.Errorf("docs: look words up: %w", err)
	}
	held := make([]bool, len(words))
	for i, w := range words {
		held[i] = true
		for _, term := range rank.Terms(w) {
			found, err := x.dialect().holds(ctx, contents, term)
			if err != nil {
				return nil, fmt.Errorf("docs: look %q up: %w", w, err)
			}
			held[i] = held[i] && found
		}
	}
	return held, nil
}
