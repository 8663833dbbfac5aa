package console

import (
	"fmt"
	"strings"

	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// gaugeCells is the width of the bar in the memory line.
const gaugeCells = 12

// ANSI colours of 256, so that orange can be told from yellow.
const (
	green  = "\x1b[38;5;71m"
	yellow = "\x1b[38;5;178m"
	orange = "\x1b[38;5;208m"
	dim    = "\x1b[2m"
	bold   = "\x1b[1m"
	reset  = "\x1b[0m"
)

// gauge is the memory line: "context 612 / 10,000 tokens ▓░░░", green below half of the
// threshold, yellow to 83 %, orange above.
func gauge(st *memory.Status, color bool) string {
	text := fmt.Sprintf("context %s / %s tokens ", say.Thousands(st.Context), say.Thousands(st.Threshold))
	full := bar(st.Context, st.Threshold, gaugeCells)
	if !color {
		return text + full
	}
	shade := green
	switch {
	case st.Context*100 > st.Threshold*83:
		shade = orange
	case st.Context*2 >= st.Threshold:
		shade = yellow
	}
	return dim + text + reset + shade + full + reset
}

// bar is as full as n of all, rounded up; of numbers that make no sense, empty or full.
func bar(n, all, cells int) string {
	full := max(0, min(cells, (n*cells+all-1)/max(1, all)))
	return strings.Repeat("▓", full) + strings.Repeat("░", cells-full)
}

// compacted says what a compaction did: "compacted 1,284 → 540".
func compacted(c memory.Compaction) string {
	return fmt.Sprintf("compacted %s → %s", say.Thousands(c.TokensBefore), say.Thousands(c.TokensAfter))
}
