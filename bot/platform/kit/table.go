package kit

import (
	"regexp"
	"strings"
)

var (
	delimiterRow = regexp.MustCompile(`^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$`)
	masked       = regexp.MustCompile(`!?\[([^\]\n]*)\]\([^)\n]*\)`)
	lineBreak    = regexp.MustCompile(`(?i)<br\s*/?>`)
)

// IsDelimiter reports whether a line separates a Markdown table's head from its rows.
func IsDelimiter(line string) bool {
	return strings.Contains(line, "|") && delimiterRow.MatchString(line)
}

// Cells returns the texts of a table's row, without styles.
func Cells(line string) []string {
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

// Records returns the rows of a wide table as items of a list; the first row is the head.
func Records(rows [][]string) []string {
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
