package docs

import (
	"sort"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	maxMerged = 100     // characters of a value that is repeated
	maxFilled = 200_000 // cells of a sheet
)

// merged is a range of cells that show the value of the first one.
type merged struct{ column, from, to int }

// mergedOf reads the reference of a range over several rows, such as A2:B6; false for any other.
func mergedOf(ref string) (merged, bool) {
	first, last, _ := strings.Cut(ref, ":")
	row := func(cell string) int {
		n, _ := strconv.Atoi(strings.TrimLeftFunc(cell, unicode.IsLetter))
		return n
	}
	m := merged{columnOf(first), row(first), row(last)}
	return m, m.column >= 0 && m.column <= maxGap && m.from > 0 && m.to > m.from
}

// fill repeats the words in the first cell of each range for the rows below; numbers would be added up.
func (w *workbook) fill(rows []sheetRow, all []merged) {
	filled := 0
	for _, m := range all {
		at := sort.Search(len(rows), func(i int) bool { return rows[i].number >= m.from })
		if at == len(rows) || rows[at].number != m.from {
			continue
		}
		cells := strings.Split(rows[at].text, cellMark)
		if m.column >= len(cells) {
			continue
		}
		value := cells[m.column]
		if !strings.ContainsFunc(value, unicode.IsLetter) || utf8.RuneCountInString(value) > maxMerged {
			continue
		}
		for at++; at < len(rows) && rows[at].number <= m.to; at++ {
			if filled++; filled > maxFilled || *w.left < 0 {
				return
			}
			cells := strings.Split(rows[at].text, cellMark)
			if m.column < len(cells) && cells[m.column] == "" {
				cells[m.column] = value
				rows[at].text = strings.Join(cells, cellMark)
				*w.left -= int64(len(value))
			}
		}
	}
}
