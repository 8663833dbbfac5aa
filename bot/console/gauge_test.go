package console

import (
	"strings"
	"testing"

	"threadkeeper/memory"
)

func TestGauge(t *testing.T) {
	for _, c := range []struct {
		tokens int
		text   string
		colour string
	}{
		{0, "context 0 / 10,000 tokens ░░░░░░░░░░░░", green},
		{612, "context 612 / 10,000 tokens ▓░░░░░░░░░░░", green},
		{4_999, "context 4,999 / 10,000 tokens ▓▓▓▓▓▓░░░░░░", green},
		{5_000, "context 5,000 / 10,000 tokens ▓▓▓▓▓▓░░░░░░", yellow},
		{8_300, "context 8,300 / 10,000 tokens ▓▓▓▓▓▓▓▓▓▓░░", yellow},
		{8_301, "context 8,301 / 10,000 tokens ▓▓▓▓▓▓▓▓▓▓░░", orange},
		{1_234_567, "context 1,234,567 / 10,000 tokens ▓▓▓▓▓▓▓▓▓▓▓▓", orange},
	} {
		st := &memory.Status{Context: c.tokens, Threshold: 10_000}
		if got := gauge(st, false); got != c.text {
			t.Errorf("%d: got %q", c.tokens, got)
		}
		if got := gauge(st, true); !strings.Contains(got, c.colour) {
			t.Errorf("%d: got %q, want colour %q", c.tokens, got, c.colour)
		}
	}
	if got := compacted(memory.Compaction{TokensBefore: 1284, TokensAfter: 540}); got != "compacted 1,284 → 540" {
		t.Errorf("got %q", got)
	}
}
