package docs

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/docs/figures"
	"threadkeeper/docs/pdfium"
	"threadkeeper/memory/reading"
)

// page is one page of a document, or one part of a file that has no pages.
type page = pdfium.Page

const (
	partChars = 3000 // characters of a part, about a printed page
	maxHeader = partChars / 3
	mostCells = 1000 // of a row that are looked at to find the names of columns
)

// readParts reads a file that has no pages. Only the first chars characters count, 0 for all; cut
// says that there were more.
func readParts(k kind, data []byte, chars int) (parts []page, cut bool, err error) {
	switch k {
	case kindXLSX:
		return readXLSX(data, chars)
	case kindPPTX:
		return readPPTX(data, chars)
	}
	var text string
	var heads headings
	switch k {
	case kindDOCX:
		text, heads, err = readDOCX(data)
	case kindODT:
		text, heads, err = readODT(data)
	case kindHTML:
		text, _ = decode(data)
		text, heads, err = readHTML(text)
	case kindMail:
		text, heads, err = readMail(data)
	default:
		text, _ = decode(data) // kindOf has decoded it before
	}
	if err != nil {
		return nil, false, err
	}
	if k == kindText && strings.Contains(text, "\f") {
		parts, cut = printed(text, chars)
		return parts, cut, nil
	}
	heads = heads.lines(text)
	over := false
	if chars > 0 && k != kindJSON {
		text, over = pdfium.Cut(text, 2*chars) // of the rest nothing counts, unless half of this is invisible
	}
	above := linesAbove(text)
	if text = clean(text); k == kindCSV {
		text = cellsApart(text)
	}
	asWritten := k == kindText || k == kindJSON // its lines are the file's
	if k == kindJSON {
		written := len(text)
		text = unfold(text)
		asWritten = len(text) == written
	}
	if chars > 0 {
		text, cut = pdfium.Cut(text, chars)
		cut = cut || over
	}
	if k == kindCSV {
		return rowParts(text, above), cut, nil
	}
	if asWritten {
		return lineParts(text, above), cut, nil
	}
	return headedParts(text, above, heads), cut, nil
}

// linesAbove returns how many lines clean removes from the beginning of text: those without visible characters.
func linesAbove(text string) int {
	at := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsSpace(r) && reading.Visible(string(r)) != "" })
	return strings.Count(lineEnds.Replace(text[:max(at, 0)]), "\n")
}

// lineParts splits text between its lines; labels say which each part holds, above being the number of those before text.
func lineParts(text string, above int) []page {
	var parts []page
	for piece, from := range linedPieces(text, above) {
		label := rangeLabel("line", from, from+strings.Count(piece, "\n"))
		parts = append(parts, page{Number: len(parts) + 1, Label: label, Text: piece})
	}
	return parts
}

// linedPieces yields the pieces of parts with the numbers of their first lines.
func linedPieces(text string, above int) func(yield func(string, int) bool) {
	return func(yield func(string, int) bool) {
		at, line := 0, above+1
		for piece := range pieces(text, partChars) {
			begins := at + strings.Index(text[at:], piece)
			line += strings.Count(text[at:begins], "\n")
			at = begins + len(piece)
			if !yield(piece, line) {
				return
			}
			line += strings.Count(piece, "\n")
		}
	}
}

// printed reads text made for a printer, whose pages end in form feeds. A label says that a page has no picture.
func printed(text string, chars int) (pages []page, cut bool) {
	left := chars
	for p := range strings.SplitSeq(strings.TrimSuffix(text, "\f"), "\f") {
		p = clean(p)
		if chars > 0 {
			if left == 0 {
				return pages, true
			}
			p, cut = pdfium.Cut(p, left)
			left -= utf8.RuneCountInString(p)
		}
		number := len(pages) + 1
		pages = append(pages, page{Number: number, Label: rangeLabel("page", number, number), Text: p})
		if cut {
			return pages, true
		}
	}
	return pages, false
}

// pieces yields text in pieces of at most n characters, which end before an unindented paragraph if one
// begins in the second half of the piece, as a function does in source code, else with a paragraph, a
// line, a sentence or a word. Blank pieces are left out.
func pieces(text string, n int) func(yield func(string) bool) {
	return func(yield func(string) bool) {
		for text != "" {
			piece, more := pdfium.Cut(text, n)
			if more {
				piece = piece[:lastBreak(piece)]
			}
			text = text[len(piece):]
			piece = strings.Trim(piece, "\n")
			if strings.TrimSpace(piece) != "" && !yield(piece) {
				return
			}
		}
	}
}

func lastBreak(piece string) int {
	for i := strings.LastIndex(piece, "\n\n"); i > len(piece)/2; i = strings.LastIndex(piece[:i], "\n\n") {
		if next := strings.TrimLeft(piece[i:], "\n"); next != "" && next[0] != ' ' && next[0] != '\t' {
			return i + len("\n\n")
		}
	}
	for _, mark := range []string{"\n\n", "\n", ". ", "。", " "} {
		if i := strings.LastIndex(piece, mark); i > len(piece)/2 {
			return i + len(mark)
		}
	}
	return len(piece)
}

// rowParts splits a table between its rows; the first part begins with the table's first row, the others with the one that names its
// columns. Blank lines are counted as rows, as spreadsheets do, above being the number of those before text; those between
// the rows of a part are kept.
func rowParts(text string, above int) []page {
	rows := splitRows(text)
	if len(rows) == 0 {
		return nil
	}
	var cells [][]string
	for _, row := range rows[:min(figures.HeadWithin, len(rows))] {
		cells = append(cells, row.cells)
	}
	lead, header, rest := rows[0].text, rows[max(0, figures.Head(cells))].text, rows[1:]
	top := max(utf8.RuneCountInString(lead), utf8.RuneCountInString(header))
	if len(rest) == 0 || top > maxHeader {
		lead, header, rest, top = "", "", rows, 0
	}
	var parts []page
	var b strings.Builder
	size, from, to := 0, 0, 0
	flush := func() {
		if b.Len() > 0 {
			parts = append(parts, page{Number: len(parts) + 1, Label: rowLabel(from, to), Text: strings.Trim(lead+b.String(), "\n")})
			lead = header
		}
		b.Reset()
		size = 0
	}
	room := partChars - top
	for _, row := range rest {
		n, number := utf8.RuneCountInString(row.text), above+row.number
		if blank := number - to - 1; b.Len() > 0 && size+blank+n <= room {
			b.WriteString(strings.Repeat("\n", blank))
			size += blank
		} else {
			flush()
			from = number
		}
		to = number
		if n > room { // a row of its own, in several parts
			for piece := range pieces(row.text, room) {
				b.WriteString(piece)
				flush()
			}
			continue
		}
		b.WriteString(row.text)
		size += n
	}
	flush()
	return parts
}

func rowLabel(from, to int) string { return rangeLabel("row", from, to) }

func rangeLabel(of string, from, to int) string {
	if from == to {
		return fmt.Sprintf("%s %d", of, from)
	}
	return fmt.Sprintf("%ss %d–%d", of, from, to)
}

// tableRow is a row of a table as it is written, line end included.
type tableRow struct {
	text   string
	number int      // 1-based, blank lines counted
	at     int      // its offset
	cells  []string // of the first rows
}

// splitRows returns the rows of a table. A field in quotation marks may run over several lines.
func splitRows(text string) []tableRow {
	r := csv.NewReader(strings.NewReader(text))
	r.Comma, r.LazyQuotes, r.FieldsPerRecord, r.ReuseRecord = figures.Separator(text), true, -1, true
	var rows []tableRow
	number, start := 0, 0
	add := func(end int, cells []string) {
		row := strings.TrimLeft(text[start:end], "\n")
		number += end - start - len(row)
		if row != "" {
			number++
		}
		if strings.TrimSpace(row) != "" {
			if len(rows) >= figures.HeadWithin {
				cells = nil
			}
			rows = append(rows, tableRow{row, number, end - len(row), slices.Clone(cells[:min(len(cells), mostCells)])})
		}
		start = end
	}
	for {
		cells, err := r.Read()
		if end := int(r.InputOffset()); end > start {
			add(end, cells)
		}
		if err != nil { // io.EOF: LazyQuotes leaves no other
			add(len(text), nil)
			return rows
		}
	}
}

// cellsApart puts a space between cells that would be read as one number ("7,79" is 7 and 79 in a row). Numbers in
// quotation marks stay as they are.
func cellsApart(text string) string {
	if figures.Separator(text) != ',' {
		return text
	}
	var b strings.Builder
	at := 0
	for i := range cellCommas(text) {
		if i > 0 && i+1 < len(text) && isDigit(text[i-1]) && isDigit(text[i+1]) {
			b.WriteString(text[at:i+1] + " ")
			at = i + 1
		}
	}
	return b.String() + text[at:]
}

// asWritten is a span of a part of a table without the blanks that cellsApart has put in. A table that has one behind each comma has
// them of its own.
func asWritten(text string, s span) string {
	var b strings.Builder
	at, tight := s.start, false
	for i := range cellCommas(text) {
		switch {
		case i+1 == len(text):
		case text[i+1] != ' ':
			tight = true
		case i > at && i+2 < s.end && isDigit(text[i-1]) && isDigit(text[i+2]):
			b.WriteString(text[at : i+1])
			at = i + 2
		}
	}
	if !tight || figures.Separator(text) != ',' {
		return text[s.start:s.end]
	}
	return b.String() + text[at:s.end]
}

// cellCommas yields where the commas between the cells of a table stand: those in quotation marks are of a cell.
func cellCommas(text string) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		quoted := false
		for i := range len(text) {
			switch {
			case text[i] == '"' && quoted: // a field ends with it; inside there are pairs
				quoted = false
			case text[i] == '"':
				quoted = i == 0 || strings.IndexByte("\n,\"", text[i-1]) >= 0
			case text[i] == ',' && !quoted && !yield(i):
				return
			}
		}
	}
}

// maxUnfolded is how many times longer than the file its indented form may be: deep nesting makes
// it grow without bound.
const maxUnfolded = 8

const longLine = 200 // characters; a longer line of JSON has more than one value

// unfold indents JSON that is written in long lines, so that it can be split between them.
func unfold(text string) string {
	long := false
	for line := range strings.SplitSeq(text, "\n") {
		long = long || len(line) > longLine
	}
	if !long || indented(text) > maxUnfolded*len(text) {
		return text
	}
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(text), "", " "); err != nil {
		return text // removing invisible characters can break it
	}
	return b.String()
}

// indented is about the length of JSON text with one space of indentation a level.
func indented(text string) int {
	size, depth, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		size++
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			size += depth + 1
		case c == '}' || c == ']':
			depth--
			size += depth + 1
		case c == ',':
			size += depth + 1
		}
	}
	return size
}
