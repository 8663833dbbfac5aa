package slack

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"testing"
)

func TestLanesKeepTheOrderOfAChannel(t *testing.T) {
	l := newLanes()
	var mu sync.Mutex
	got := make(map[string][]int)
	for n := range 500 {
		lane := strconv.Itoa(n % 7)
		err := l.put(t.Context(), lane, func() {
			mu.Lock()
			defer mu.Unlock()
			got[lane] = append(got[lane], n)
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	l.wait()
	total := 0
	for lane, all := range got {
		total += len(all)
		if !slices.IsSorted(all) {
			t.Errorf("lane %s: %v", lane, all)
		}
	}
	if total != 500 || len(l.waiting) != 0 || len(l.room) != 0 {
		t.Errorf("%d done, %d lanes and %d places left", total, len(l.waiting), len(l.room))
	}
}

func TestASlowChannelDoesNotHoldOthersUp(t *testing.T) {
	l := newLanes()
	slow, done := make(chan struct{}), make(chan struct{})
	for _, work := range []struct {
		lane string
		do   func()
	}{{"slow", func() { <-slow }}, {"slow", func() {}}, {"other", func() { close(done) }}} {
		if err := l.put(t.Context(), work.lane, work.do); err != nil {
			t.Fatal(err)
		}
	}
	<-done
	close(slow)
	l.wait()
}

func TestLanesAreBounded(t *testing.T) {
	l := newLanes()
	slow := make(chan struct{})
	for range maxWaiting {
		if err := l.put(t.Context(), "a", func() { <-slow }); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.put(ctx, "b", func() { t.Error("done all the same") }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	close(slow)
	l.wait()
}
