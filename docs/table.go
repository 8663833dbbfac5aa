package docs

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A table is rows of a page that end in figures, with the section titles between them. Its head is what stands above
// the first row: caption, units and the columns' titles. It is stored with each passage that begins in the middle of
// the table, and is no part of its text: quotes stand on the page itself.

const (
	maxHeadLine  = 100 // characters; a longer line is prose
	maxHead      = 600 // characters; of a longer head the middle is left out
	captionLines = 4   // the first lines are kept
	maxRowsGap   = 3   // lines without figures between two rows of one table
	openHead     = 6   // a table with at most so many lines above it may have begun on the page before
)

// table is part of a page, in bytes.
type table struct {
	head   []span // lines
	rows   span   // from the first row to the last
	first  int    // figures of the first row,
	last   int    // and of the last
	titled bool   // the head has the titles of columns, or units
	above  int    // lines of the page above the rows
}

func tables(text string) []table {
	var all []table
	var t table
	var lines []span // since the last row, or the last prose
	rows, above := 0, 0
	end := func() {
		if rows > 1 {
			all = append(all, t)
		}
		t, rows = table{}, 0
	}
	for at := 0; at < len(text); {
		s := span{at, len(text)}
		if length := strings.IndexByte(text[at:], '\n'); length >= 0 {
			s.end = at + length
		}
		at = s.end + 1
		line := text[s.start:s.end]
		if strings.TrimSpace(line) == "" {
			continue
		}
		figures := lineFigures(line)
		if figures == 1 && strings.TrimSpace(text[s.end:]) == "" && strings.Trim(line, " \r0123456789") == "" { // the page's number
			figures = 0
		}
		switch {
		case figures > 0:
			if rows > 0 && (len(lines) > maxRowsGap || titled(text, lines)) {
				end()
			}
			if rows == 0 {
				t = table{head: lines, first: figures, titled: titled(text, lines), above: above}
				t.rows.start = s.start
			}
			t.rows.end, t.last, lines = s.end, figures, nil
			rows++
		case isProse(line):
			if lines = nil; strings.HasSuffix(line, ":") { // it may name the table and its units
				lines = []span{s}
			}
		default:
			lines = append(lines, s)
		}
		above++
	}
	end()
	return all
}

// isProse reports a line that ends a paragraph or is as long as the page is wide.
func isProse(line string) bool {
	return utf8.RuneCountInString(line) > maxHeadLine || strings.ContainsAny(line[len(line)-1:], ".:;") && strings.Count(line, " ") > 3
}

// titled reports whether lines are titles of columns or units.
func titled(text string, lines []span) bool {
	for _, s := range lines {
		line := strings.ToLower(text[s.start:s.end])
		for _, f := range strings.Fields(line) {
			if isYear(strings.Trim(f, "(),:")) {
				return true
			}
		}
		for _, unit := range []string{"thousand", "million", "billion", "tausend", "milli", "$000", "€000"} {
			if strings.Contains(line, unit) {
				return true
			}
		}
	}
	return false
}

// lineFigures counts the figures that a row of a table ends in; 0 if the line is not one: it ends in words, in years and
// days, or in one number of two digits, as that of a page.
func lineFigures(line string) int {
	fields := strings.Fields(line)
	figures, large := 0, 0
	for i := len(fields) - 1; i >= 0; i-- {
		f := strings.Trim(fields[i], "$€£()+-–−—*,;:")
		switch {
		case f == "" && strings.ContainsAny(fields[i], "—–-"):
			figures, large = figures+1, large+1
		case f == "%":
			large++
		case f == "", strings.Trim(f, "⁰¹²³⁴⁵⁶⁷⁸⁹,") == "":
		case !isDigit(f[0]) || strings.ContainsFunc(f, unicode.IsLetter):
			i = 0
		default:
			if figures++; (len(f) > 2 || strings.ContainsAny(fields[i], "$€£%")) && !isYear(f) {
				large++
			}
		}
	}
	if large == 0 && (figures < 3 || hasYear(fields)) || figures == 1 && isProse(line) {
		return 0
	}
	return figures
}

func hasYear(fields []string) bool {
	return slices.ContainsFunc(fields, func(f string) bool { return isYear(strings.Trim(f, ",")) })
}

func isYear(f string) bool {
	return len(f) == 4 && (f[:2] == "19" || f[:2] == "20") && isDigit(f[2]) && isDigit(f[3])
}

// headText is the head of a table as far as it stands before at.
func (t *table) headText(text string, at int) string {
	var lines []string
	size := 0
	for _, s := range t.head {
		if s.start >= at {
			break
		}
		lines = append(lines, strings.TrimSpace(text[s.start:min(s.end, at)]))
		size += s.end - s.start
	}
	for size > maxHead && len(lines) > captionLines {
		size -= len(lines[captionLines-1])
		lines = slices.Delete(lines, captionLines-1, captionLines)
	}
	return strings.Join(lines, "\n")
}

// open reports whether the table may have begun on the page before.
func (t *table) open() bool { return !t.titled && t.above <= openHead }

// tableAt is the table in which text[at:] begins, nil if it begins in none or in front of one.
func tableAt(all []table, at int) *table {
	for i := range all {
		t := &all[i]
		from := t.rows.start
		if len(t.head) > 0 {
			from = t.head[0].start
		}
		if at < t.rows.end && (at > from || t.open()) {
			return t
		}
	}
	return nil
}

// tail is the table with which a page ends; its head is "" if it ends with none.
type tail struct {
	head        string
	first, last int // figures of its rows
}

// continues reports whether t, on the next page, is the rest of the table.
func (l tail) continues(t *table) bool {
	return l.head != "" && t.open() && (away(l.first, t.first) <= 1 || away(l.last, t.first) <= 1)
}

// heads returns for each passage of a page the head of the table that it begins within, "" if there is none,
// and with what table the page ends. before is the end of the page before.
func heads(text string, passages []span, before tail) ([]string, tail) {
	all := tables(text)
	head := func(t *table, at int) string {
		own := t.headText(text, at)
		if before.continues(t) {
			own = strings.TrimSpace(before.head + "\n" + own)
		}
		return own
	}
	list := make([]string, len(passages))
	for i, s := range passages {
		if t := tableAt(all, s.start); t != nil {
			list[i] = head(t, s.start)
		}
	}
	if len(all) == 0 {
		return list, tail{}
	}
	t := &all[len(all)-1]
	if strings.Count(strings.TrimSpace(text[t.rows.end:]), "\n") > maxRowsGap {
		return list, tail{}
	}
	return list, tail{head(t, len(text)), t.first, t.last}
}
