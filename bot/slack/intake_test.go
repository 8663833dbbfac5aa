package slack

import (
	"context"
	"errors"
	"testing"
)

func TestTheQueueIsBounded(t *testing.T) {
	in := &intake{room: make(chan struct{}, maxWaiting)}
	slow := make(chan struct{})
	for range maxWaiting {
		if err := in.enqueue(t.Context(), "a", func() { <-slow }); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := in.enqueue(ctx, "b", func() { t.Error("done all the same") }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	close(slow)
	in.lanes.Join()
	if len(in.room) != 0 {
		t.Errorf("%d places left", len(in.room))
	}
}
