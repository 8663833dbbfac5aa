package ocr

import (
	"slices"
	"strings"
	"testing"
)

func TestWords(t *testing.T) {
	row := func(fields ...string) string { return strings.Join(fields, "\t") + "\n" }
	table := row("1", "1", "0", "0", "0", "0", "0", "0", "1000", "500", "-1", "") +
		row("3", "1", "1", "1", "0", "0", "0", "0", "900", "100", "-1", "") +
		row("4", "1", "1", "1", "1", "0", "0", "0", "900", "50", "-1", "") +
		row("5", "1", "1", "1", "1", "1", "100", "50", "100", "50", "96.2", "Cost") +
		row("5", "1", "1", "1", "1", "2", "300", "50", "100", "50", "41.9", "1,234") +
		row("5", "1", "1", "1", "1", "3", "500", "50", "100", "50", "95", " ") +
		row("4", "1", "1", "1", "2", "0", "0", "50", "900", "50", "-1", "") +
		row("5", "1", "1", "1", "2", "1", "100", "100", "100", "50", "12", "smudge") +
		row("3", "1", "1", "2", "0", "0", "0", "0", "900", "100", "-1", "") +
		row("4", "1", "1", "2", "1", "0", "0", "0", "900", "50", "-1", "") +
		row("5", "1", "1", "2", "1", "1", "0", "400", "1000", "100", "90", "end") + "broken\trow\n"
	text := textOf(words(table), 1000, 500)
	if want := "Cost 1,234(?)\nsmudge\n\nend"; text.Text != want {
		t.Errorf("%q, want %q", text.Text, want)
	}
	want := Box{Left: 0, Top: 52428, Right: 65535, Bottom: 65535}
	if len(text.Boxes) != 4 || text.Boxes[3] != want || !slices.Contains(text.Boxes, Box{6553, 6553, 13107, 13107}) {
		t.Errorf("boxes %v", text.Boxes)
	}
}
