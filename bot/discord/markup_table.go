package discord

import (
	"slices"
	"strings"

	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory/reading"
)

var masked = reading.Lazy(`!?\[([^\]\n]*)\]\([^)\n]*\)`)

// table is a table as Discord can show it: aligned code, or one list entry for each
// row where that is too wide. Its first line is the head, its second the delimiter.
func table(lines []string) []string {
	right := make(map[int]bool)
	for i, d := range cells(lines[1]) {
		right[i] = strings.HasSuffix(d, ":") && !strings.HasPrefix(d, ":")
	}
	rows := [][]string{cells(lines[0])}
	for _, l := range lines[2:] {
		rows = append(rows, cells(l))
	}
	if drawn := kit.Table(rows, right, "──", kit.Widest); drawn != nil {
		return slices.Concat([]string{"```"}, drawn, []string{"```"})
	}
	records := kit.Records(rows, func(head, text string) string {
		if head == "" {
			return text
		}
		return "**" + head + "**: " + text
	})
	for i := range records {
		records[i] = "- " + records[i]
	}
	return records
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
