package agent

import (
	"context"
	"errors"
)

var errStub = errors.New("stub")

// Next takes one due compaction and does it. It is false, nil when none is due.
func (c *Compactor) Next(ctx context.Context, owner string) (worked bool, err error) {
	return false, errStub
}
