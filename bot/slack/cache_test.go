package slack

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func TestOneLookUpServesAll(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var asked atomic.Int32
		d := cache[string]{maxAge: time.Hour, maxEntries: 10, fetch: func(context.Context, string) (string, error) {
			asked.Add(1)
			time.Sleep(time.Second)
			return "Ada", nil
		}}
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				if name, err := d.get(t.Context(), "U1", true); name != "Ada" || err != nil {
					t.Errorf("%q %v", name, err)
				}
			})
		}
		all.Wait()
		if asked.Load() != 1 {
			t.Errorf("asked %d times", asked.Load())
		}
	})
}

func TestAWaitForALookUpEndsWithItsContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := cache[string]{maxAge: time.Hour, maxEntries: 10, fetch: func(ctx context.Context, _ string) (string, error) {
			<-ctx.Done()
			return "", ctx.Err()
		}}
		go func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			_, _ = d.get(ctx, "U1", true)
		}()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		begin := time.Now()
		if _, err := d.get(ctx, "U1", true); !errors.Is(err, context.DeadlineExceeded) || time.Since(begin) != time.Second {
			t.Errorf("%v after %s", err, time.Since(begin))
		}
		synctest.Wait()
		time.Sleep(2 * time.Minute)
	})
}

func TestAFailedLookUpIsNotMadeByEveryEvent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		asked, fail := 0, true
		d := cache[string]{maxAge: time.Hour, maxEntries: 10, fetch: func(context.Context, string) (string, error) {
			if asked++; fail {
				return "", errors.New("down")
			}
			return fmt.Sprint("Ada ", asked), nil
		}}
		for range 5 {
			if _, err := d.get(t.Context(), "U1", true); err == nil {
				t.Error("no error")
			}
		}
		if asked != 1 {
			t.Errorf("asked %d times", asked)
		}
		fail = false
		time.Sleep(retryFailedAfter)
		if name, err := d.get(t.Context(), "U1", true); name != "Ada 2" || err != nil {
			t.Errorf("%q %v", name, err)
		}
		fail = true
		time.Sleep(time.Hour)
		if name, err := d.get(t.Context(), "U1", true); name != "Ada 2" || err != nil {
			t.Errorf("what was known is lost when Slack is down: %q %v", name, err)
		}
		fail = false
		d.drop("U1")
		if name, _ := d.get(t.Context(), "U1", true); name != "Ada 4" {
			t.Errorf("after a change: %q", name)
		}
	})
}

func TestALookUpThatTookTooLongIsMadeBeside(t *testing.T) {
	var slow atomic.Bool
	slow.Store(true)
	d := cache[string]{maxAge: time.Hour, maxEntries: 10, fetch: func(ctx context.Context, id string) (string, error) {
		if slow.Load() {
			<-ctx.Done()
			return "", ctx.Err()
		}
		return "name of " + id, nil
	}}
	short, cancel := context.WithTimeout(t.Context(), time.Millisecond)
	defer cancel()
	if _, err := d.get(short, "U1", true); err == nil {
		t.Fatal("it was in time")
	}
	slow.Store(false)
	if _, err := d.retry(t.Context(), "U1"); err != nil {
		t.Fatal(err)
	}
	if name, err := d.get(t.Context(), "U1", true); name != "name of U1" || err != nil {
		t.Errorf("%q, %v", name, err)
	}
}

func TestARushSkipsBackgroundWork(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		end := make(chan struct{})
		d := cache[string]{maxAge: time.Hour, maxEntries: 100, fetch: func(context.Context, string) (string, error) {
			<-end
			return "x", nil
		}}
		var all sync.WaitGroup
		for n := range maxOptional {
			all.Go(func() { _, _ = d.get(t.Context(), fmt.Sprint(n), false) })
		}
		synctest.Wait()
		if _, err := d.get(t.Context(), "late", false); !errors.Is(err, errTooManyLookups) {
			t.Errorf("%v", err)
		}
		all.Go(func() {
			if _, err := d.get(t.Context(), "urgent", true); err != nil {
				t.Error(err)
			}
		})
		synctest.Wait()
		close(end)
		all.Wait()
	})
}

func TestDirectoryIsBounded(t *testing.T) {
	d := cache[string]{maxAge: time.Hour, maxEntries: 10, fetch: func(_ context.Context, id string) (string, error) { return id, nil }}
	for n := range 1000 {
		if name, err := d.get(t.Context(), fmt.Sprint(n), true); name != fmt.Sprint(n) || err != nil {
			t.Fatal(name, err)
		}
	}
	if len(d.entries) > 10 {
		t.Errorf("%d entries", len(d.entries))
	}
}
