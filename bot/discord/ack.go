package discord

import (
	"context"
	"sync"
	"time"
)

// respondWithin is how long an interaction can be acknowledged after it came, three
// seconds less what the way takes
// (discord.com/developers/docs/interactions/receiving-and-responding).
const respondWithin = 2600 * time.Millisecond

// storeFirst is how long the acknowledgement of an interaction waits until it is
// stored: one that is lost with the process then shows its person that it failed.
const storeFirst = time.Second

// toRespond is how long an interaction can still be acknowledged. One that the gateway delivers again after a resume may be
// older: Discord refuses it.
func (a *Adapter) toRespond(i wireInteraction) time.Duration {
	return a.timing.respond - time.Since(i.came)
}

// acks are the interactions that are about to be acknowledged. What answers them
// has to wait until they are.
type acks struct {
	mu   sync.Mutex
	open map[string]chan struct{} // by the interaction's id
}

// begin opens an interaction; end says that Discord has its acknowledgement, or will
// have none.
func (k *acks) begin(id string) (end func()) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.open == nil {
		k.open = make(map[string]chan struct{})
	}
	over := make(chan struct{})
	k.open[id] = over
	return func() {
		k.mu.Lock()
		defer k.mu.Unlock()
		close(over)
		delete(k.open, id)
	}
}

// wait returns when an interaction can be answered.
func (k *acks) wait(ctx context.Context, id string) error {
	k.mu.Lock()
	over := k.open[id]
	k.mu.Unlock()
	if over == nil {
		return nil
	}
	select {
	case <-over:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
