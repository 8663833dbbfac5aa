// Package leaktest fails tests that leave goroutines behind. It waits for them longer than goleak's half second, which is not
// enough on a busy machine.
package leaktest

import (
	"fmt"
	"os"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// Exit ends a test program with the code of its tests, or with 1 if goroutines are left.
func Exit(code int) {
	if code == 0 {
		if err := find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// Check fails a test at its end if goroutines are left that were not there when Check was called.
func Check(t *testing.T) {
	before := goleak.IgnoreCurrent()
	t.Cleanup(func() {
		if err := find(before); err != nil {
			t.Error(err)
		}
	})
}

func find(options ...goleak.Option) error {
	for end := time.Now().Add(time.Minute); ; {
		if err := goleak.Find(options...); err == nil || time.Now().After(end) {
			return err
		}
	}
}
