package main

import (
	"encoding/json"
	"testing"
)

// TestUnixSecondsAreATime as milliseconds are, and not a day in 1970.
func TestUnixSecondsAreATime(t *testing.T) {
	for text, want := range map[string]moment{
		`1700000000`: 1_700_000_000_000, `1700000000.25`: 1_700_000_000_250, `"1700000000"`: 1_700_000_000_000, `1700000000123`: 1_700_000_000_123, `0`: 0, `""`: 0,
		`"2023-11-14T22:13:20Z"`: 1_700_000_000_000,
	} {
		var at moment
		if err := json.Unmarshal([]byte(text), &at); err != nil || at != want {
			t.Errorf("%s: %d, %v", text, at, err)
		}
	}
}
