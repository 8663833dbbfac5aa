package docs

import (
	"fmt"
	"strings"

	"threadkeeper/docs/figures"
)

// cellRange returns the cells of a sheet that s touches ("B3:D17", "B3"), rows being the offsets of the lines of text in
// which s stands, and number that of the first row. It is false if a column is not known.
func cellRange(text string, s span, rows []int, number int) (cells string, known bool) {
	left, right := maxColumn+1, -1
	for _, start := range rows {
		line, _, _ := strings.Cut(text[start:], "\n")
		column, empty := 0, 0
		for cell := range strings.SplitSeq(line, " | ") {
			if start >= s.end {
				break
			}
			end := start + len(cell)
			switch {
			case cell == "":
				empty++
			case empty >= maxGap: // more may have been left out
				return "", false
			default:
				empty = 0
				if end > s.start {
					left, right = min(left, column), max(right, column)
				}
			}
			start = end + len(" | ")
			column++
		}
	}
	if right < 0 || right >= maxColumn {
		return "", false
	}
	from, to := figures.Letters(left)+fmt.Sprint(number), figures.Letters(right)+fmt.Sprint(number+len(rows)-1)
	if from == to {
		return from, true
	}
	return from + ":" + to, true
}
