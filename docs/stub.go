package docs

import (
	"context"
	"errors"
)

func (x *Index) Search(ctx context.Context, scope Scope, query string, k int) ([]Passage, error) {
	return nil, errors.New("stub")
}
