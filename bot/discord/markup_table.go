package discord

import (
	"regexp"
	"strings"

	"github.com/mattn/go-runewidth"
)

// widest is how many columns a table of code may have before it breaks on a screen.
const widest = 76

var (
	delimiter = regexp.MustCompile(`^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$`)
	masked    = regexp.MustCompile(`!?\[([^\]\n]*)\]\([^)\n]*\)`)
)

// isDelimiter reports whether a line separates a table's head from its rows.
func isDelimiter(line string) bool { return strings.Contains(line, "|") && delimiter.MatchString(line) }

// table is a table as Discord can show it: aligned code, or one list entry for each
// row where that is too wide. Its first line is the head, its second the delimiter.
func table(lines []string) []string {
	head, right := cells(lines[0]), make(map[int]bool)
	for i, d := range cells(lines[1]) {
		right[i] = strings.HasSuffix(d, ":") && !strings.HasPrefix(d, ":")
	}
	rows := [][]string{head}
	for _, l := range lines[2:] {
		rows = append(rows, cells(l))
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
		return records(rows)
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

// records are the rows of a wide table as a list.
func records(rows [][]string) []string {
	var out []string
	for _, row := range rows[1:] {
		var fields []string
		for i, text := range row {
			if text == "" || i >= len(rows[0]) {
				continue
			}
			if name := rows[0][i]; name != "" {
				text = "**" + name + "**: " + text
			}
			fields = append(fields, text)
		}
		out = append(out, "- "+strings.Join(fields, " · "))
	}
	return out
}

// cells are the texts of a row, without styles.
func cells(line string) []string {
	line = strings.TrimSpace(line)
	line = strings.TrimSuffix(strings.TrimPrefix(line, "|"), "|")
	line = strings.ReplaceAll(line, `\|`, "\x00")
	var out []string
	for _, c := range strings.Split(line, "|") {
		c = masked.ReplaceAllString(strings.ReplaceAll(c, "\x00", "|"), "$1")
		c = lineBreak.ReplaceAllString(c, " ")
		out = append(out, strings.TrimSpace(strings.NewReplacer("**", "", "__", "", "`", "").Replace(c)))
	}
	return out
}
