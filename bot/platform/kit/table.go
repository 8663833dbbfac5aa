package kit

import (
	"strings"

	"github.com/mattn/go-runewidth"
)

// Widest is how many columns a line of code may have in a chat before it breaks on a screen.
const Widest = 76

// Table returns a table, its head first, in columns of equal width, as lines of code; those that right names end with
// their text. Under the head stands a line, with rule between its columns. It is nil if a line would be wider than widest.
func Table(rows [][]string, right map[int]bool, rule string, widest int) []string {
	widths, total := make([]int, len(rows[0])), -2
	for i := range widths {
		for _, row := range rows {
			if i < len(row) {
				widths[i] = max(widths[i], runewidth.StringWidth(row[i]))
			}
		}
		total += widths[i] + 2
	}
	if total > widest && len(rows) > 1 {
		return nil
	}
	var lines, under []string
	for _, row := range rows {
		var b strings.Builder
		for i, w := range widths {
			text := ""
			if i < len(row) {
				text = row[i]
			}
			space := strings.Repeat(" ", w-runewidth.StringWidth(text))
			if right[i] {
				text = space + text
			} else {
				text += space
			}
			if i > 0 {
				b.WriteString("  ")
			}
			b.WriteString(text)
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
	}
	for _, w := range widths {
		under = append(under, strings.Repeat("─", w))
	}
	return append([]string{lines[0], strings.Join(under, rule)}, lines[1:]...)
}

// Records returns the rows of a table that is too wide to show, each as one line. field is a cell that is not empty, under its head.
func Records(rows [][]string, field func(head, text string) string) []string {
	var lines []string
	for _, row := range rows[1:] {
		var fields []string
		for i, text := range row[:min(len(row), len(rows[0]))] {
			if text != "" {
				fields = append(fields, field(rows[0][i], text))
			}
		}
		lines = append(lines, strings.Join(fields, " · "))
	}
	return lines
}
