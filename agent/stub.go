package agent

import (
	"context"
	"errors"
)

var errStub = errors.New("stub")

// Respond takes a turn. emit may be called until Respond returns, from one goroutine.
func (c *Chain) Respond(ctx context.Context, t Turn, emit func(Progress)) (*Reply, error) {
	return nil, errStub
}
