package discord

import (
	"strings"

	"github.com/mattn/go-runewidth"

	"threadkeeper/bot/platform/kit"
)

// widest is how many columns a table of code may have before it breaks on a screen.
const widest = 76

// table is a table as Discord can show it: aligned code, or one list entry for each
// row where that is too wide. Its first line is the head, its second the delimiter.
func table(lines []string) []string {
	head, right := kit.Cells(lines[0]), make(map[int]bool)
	for i, d := range kit.Cells(lines[1]) {
		right[i] = strings.HasSuffix(d, ":") && !strings.HasPrefix(d, ":")
	}
	rows := [][]string{head}
	for _, l := range lines[2:] {
		rows = append(rows, kit.Cells(l))
	}
	widths, total := make([]int, len(head)), 0
	for _, row := range rows {
		for i := range min(len(row), len(head)) {
			widths[i] = max(widths[i], runewidth.StringWidth(row[i]))
		}
	}
	for _, w := range widths {
		total += w + 2
	}
	if total-2 > widest && len(rows) > 1 {
		return kit.Records(rows)
	}
	out := []string{"```"}
	for n, row := range rows {
		out = append(out, aligned(row, widths, right))
		if n == 0 {
			out = append(out, strings.Repeat("─", total-2))
		}
	}
	return append(out, "```")
}

func aligned(row []string, widths []int, right map[int]bool) string {
	var b strings.Builder
	for i, w := range widths {
		text := ""
		if i < len(row) {
			text = row[i]
		}
		space := strings.Repeat(" ", w-runewidth.StringWidth(text))
		switch {
		case right[i]:
			text = space + text
		default:
			text += space
		}
		if i > 0 {
			b.WriteString("  ")
		}
		b.WriteString(text)
	}
	return strings.TrimRight(b.String(), " ")
}
