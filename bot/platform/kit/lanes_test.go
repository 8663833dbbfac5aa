package kit

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"sync"
	"testing"
)

func TestALaneKeepsTheOrderOfAChannelAndItsThreads(t *testing.T) {
	t.Parallel()
	var (
		l    Lanes
		mu   sync.Mutex
		got  []string
		gate = make(chan struct{})
	)
	do := func(what string) func() {
		return func() {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, what)
		}
	}
	l.Put("g", "thread", "thread", func() { <-gate; do("in a thread not known yet")() })
	l.Put("g", "thread", "channel", do("in the thread"))
	l.Put("g", "other", "other", func() { do("elsewhere")(); close(gate) })
	if err := l.Wait(t.Context(), ""); err != nil {
		t.Fatal(err)
	}
	l.Put("g", "channel", "channel", do("in the channel"))
	l.Put("g", "thread", "channel", do("in its thread"))
	l.Join()
	if want := []string{"elsewhere", "in a thread not known yet", "in the thread", "in the channel", "in its thread"}; !slices.Equal(got, want) {
		t.Errorf("done %q", got)
	}
	if len(l.lanes) != 0 || len(l.bound) != 0 {
		t.Errorf("left %v, %v", l.lanes, l.bound)
	}
}

func TestOnlyTheGuildsLanesAreAwaited(t *testing.T) {
	t.Parallel()
	var l Lanes
	gate := make(chan struct{})
	l.Put("one", "a", "a", func() { <-gate })
	if err := l.Wait(t.Context(), "two"); err != nil {
		t.Error(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := l.Wait(ctx, "one"); !errors.Is(err, context.Canceled) {
		t.Errorf("waited for a lane that is busy: %v", err)
	}
	close(gate)
	l.Join()
}

func TestLanesKeepTheOrderOfAChannel(t *testing.T) {
	var l Lanes
	var mu sync.Mutex
	got := make(map[string][]int)
	for n := range 500 {
		lane := strconv.Itoa(n % 7)
		l.Put("", lane, lane, func() {
			mu.Lock()
			defer mu.Unlock()
			got[lane] = append(got[lane], n)
		})
	}
	l.Join()
	total := 0
	for lane, all := range got {
		total += len(all)
		if !slices.IsSorted(all) {
			t.Errorf("lane %s: %v", lane, all)
		}
	}
	if total != 500 || len(l.lanes) != 0 {
		t.Errorf("%d done, %d lanes left", total, len(l.lanes))
	}
}

func TestASlowChannelDoesNotHoldOthersUp(t *testing.T) {
	var l Lanes
	slow, done := make(chan struct{}), make(chan struct{})
	for _, work := range []struct {
		lane string
		do   func()
	}{{"slow", func() { <-slow }}, {"slow", func() {}}, {"other", func() { close(done) }}} {
		l.Put("", work.lane, work.lane, work.do)
	}
	<-done
	close(slow)
	l.Join()
}
