package access

import (
	"slices"
	"strconv"
	"testing"
	"time"
)

func TestRateOfAMinute(t *testing.T) {
	r := Rate{PerMinute: 2}
	const second = 1_000
	for i, c := range []struct {
		person, message string
		at              int64
		wait            time.Duration
	}{
		{"ada", "1", 0, 0}, {"ada", "2", 10 * second, 0}, {"ada", "1", 11 * second, 0}, {"ada", "3", 20 * second, 40 * time.Second}, {"bob", "4", 20 * second, 0},
		{"ada", "5", 60 * second, 0}, {"ada", "6", 61 * second, 9 * time.Second}, {"ada", "2", 61 * second, 0},
	} {
		if wait := r.Take(c.person, c.message, c.at); wait != c.wait {
			t.Errorf("%d: %s waits %s, want %s", i, c.person, wait, c.wait)
		}
	}
	r = Rate{}
	for i := range 3 {
		if wait := r.Take("ada", strconv.Itoa(i), 0); wait != 0 {
			t.Errorf("no limit makes people wait %s", wait)
		}
	}
}

func TestShareOfTheTurns(t *testing.T) {
	s := Share{Most: 2}
	end := s.Begin(7)
	s.Begin(8)
	if len(s.Full()) != 0 {
		t.Error(s.Full())
	}
	again := s.Begin(7)
	if !slices.Equal(s.Full(), []int64{7}) {
		t.Error(s.Full())
	}
	again()
	end()
	if len(s.Full()) != 0 {
		t.Error(s.Full())
	}
}
