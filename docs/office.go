package docs

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"threadkeeper/docs/figures"
)

// The parts that make an archive an Office document, by their usual names; Word and Excel on the web write document2.xml.
const (
	documentPart     = "word/document.xml"
	workbookPart     = "xl/workbook.xml"
	presentationPart = "ppt/presentation.xml"
)

const maxValue = 128 << 10 // bytes of a cell, which may have 32,767 characters; the rest is left out

// maxUnpacked is how many bytes of a workbook or a presentation are unpacked, however often a part is named: some ten
// seconds' work. Tests lower it.
var maxUnpacked int64 = 256 << 20

// officeFile is an Office document whose parts are read as streams. Nothing in it is run, computed or followed.
type officeFile struct {
	*zip.Reader
	left *int64 // bytes that may still be unpacked
}

func openOffice(data []byte) (officeFile, error) {
	if bytes.Count(data, []byte("PK\x01\x02")) > maxMembers {
		return officeFile{}, ErrTooLarge
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return officeFile{}, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	left := maxUnpacked
	return officeFile{archive, &left}, nil
}

// errEnough ends a walk: what follows does not count.
var errEnough = errors.New("enough")

// walk calls visit with the tokens of a part of at most limit bytes; a missing part has none.
func (o officeFile) walk(name string, limit int64, visit func(xml.Token) error) error {
	f, err := o.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	limit = min(limit, *o.left)
	limited := &io.LimitedReader{R: f, N: limit}
	defer func() { *o.left -= limit - limited.N }()
	d := xml.NewDecoder(&tagLimit{r: limited})
	for depth := 0; ; {
		token, err := d.RawToken()
		if err == nil {
			switch token.(type) {
			case xml.StartElement:
				depth++
			case xml.EndElement:
				depth--
			}
			if err = ErrDamaged; depth <= maxDepth {
				err = visit(token)
			}
		}
		switch {
		case err == nil:
		case limited.N == 0, errors.Is(err, errTagTooLong):
			return ErrTooLarge
		case err == io.EOF, errors.Is(err, errEnough):
			return nil
		case errors.Is(err, ErrTooLarge):
			return err
		default:
			return fmt.Errorf("%w: %s: %v", ErrDamaged, name, err)
		}
	}
}

func attr(t xml.StartElement, name string) string {
	for _, a := range t.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// main is the name of the part that makes the archive an Office document, "" if there is none.
func (o officeFile) main() string {
	for _, f := range o.File {
		if f.Name == documentPart || f.Name == workbookPart || f.Name == presentationPart {
			return f.Name
		}
	}
	targets, _ := o.relations("") // what cannot be read names none
	return targets["officeDocument"]
}

// relations are the targets of a part's references by their ids and by their kinds ("styles"); those outside the file are left out.
func (o officeFile) relations(part string) (map[string]string, error) {
	dir, base := path.Split(part)
	targets := map[string]string{}
	err := o.walk(dir+"_rels/"+base+".rels", maxXML, func(token xml.Token) error {
		if t, is := token.(xml.StartElement); is && t.Name.Local == "Relationship" && attr(t, "TargetMode") != "External" {
			target := attr(t, "Target")
			if !strings.HasPrefix(target, "/") {
				target = path.Join(dir, target)
			}
			target = strings.TrimPrefix(target, "/")
			targets[attr(t, "Id")], targets[path.Base(attr(t, "Type"))] = target, target
		}
		return nil
	})
	return targets, err
}

// readXLSX returns the rows of a workbook that are not hidden, in parts whose labels say sheet and rows: values as they
// were stored, those of formulas too, and dates as dates. Only the first chars characters count, 0 for all.
func readXLSX(data []byte, chars int) (parts []page, cut bool, err error) {
	o, err := openOffice(data)
	if err != nil {
		return nil, false, err
	}
	main := o.main()
	targets, err := o.relations(main)
	if err != nil {
		return nil, false, err
	}
	w := workbook{officeFile: o}
	if err := w.strings(cmp.Or(targets["sharedStrings"], "xl/sharedStrings.xml")); err != nil {
		return nil, false, err
	}
	if err := w.formats(cmp.Or(targets["styles"], "xl/styles.xml")); err != nil {
		return nil, false, err
	}
	type sheet struct{ name, part string }
	var sheets []sheet
	if err := o.walk(main, maxXML, func(token xml.Token) error {
		t, is := token.(xml.StartElement)
		switch {
		case is && t.Name.Local == "workbookPr":
			w.since1904 = attr(t, "date1904") == "1" || attr(t, "date1904") == "true"
		case is && t.Name.Local == "sheet" && strings.Contains(strings.ToLower(attr(t, "state")), "hidden"):
			w.omitted = HiddenSheets
		case is && t.Name.Local == "sheet":
			sheets = append(sheets, sheet{attr(t, "name"), targets[attr(t, "id")]})
		}
		return nil
	}); err != nil {
		return nil, false, err
	}
	left := chars
	for _, s := range sheets {
		rows, over, err := w.rows(s.part, left, chars > 0)
		if err != nil {
			return nil, false, err
		}
		for _, p := range sheetParts(clean(s.name), rows) {
			p.Number = len(parts) + 1
			parts = append(parts, p)
		}
		for _, r := range rows {
			left -= utf8.RuneCountInString(r.text)
		}
		if cut = over; cut {
			break
		}
	}
	if w.filtered {
		w.omitted = strings.TrimPrefix(w.omitted+". "+FilteredRows, ". ")
	}
	if len(parts) > 0 {
		parts[0].Omitted = w.omitted
	}
	return parts, cut, nil
}

// workbook is what cells refer to.
type workbook struct {
	officeFile
	shared    []string
	styles    []format
	since1904 bool
	omitted   string // what was left out
	filtered  bool   // some rows are hidden by a filter alone
}

// sheetRow is a row that has text, with its number.
type sheetRow struct {
	number int
	text   string
	unseen bool
}

func (w *workbook) strings(part string) error {
	var b strings.Builder
	inText, phonetic := false, false
	return w.walk(part, maxUnpacked, func(token xml.Token) error {
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "si":
				b.Reset()
			case "rPh":
				phonetic = true
			case "t":
				inText = !phonetic
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "si":
				w.shared = append(w.shared, cell(b.String()))
			case "rPh":
				phonetic = false
			}
			inText = false
		case xml.CharData:
			if inText {
				b.Write(t)
			}
		}
		return nil
	})
}

// cell returns a value in one line, without the separators of cells.
func cell(s string) string {
	return strings.ReplaceAll(strings.Join(strings.Fields(clean(s)), " "), cellMark, " ¦ ")
}

func (w *workbook) formats(part string) error {
	codes := map[string]string{"9": "0%", "10": "0.00%", "45": "mm:ss", "46": "[h]:mm:ss", "47": "mm:ss"} // that are not written into files
	for _, id := range []int{14, 15, 16, 17, 22} {
		codes[strconv.Itoa(id)] = "d"
	}
	for _, id := range []int{18, 19, 20, 21} {
		codes[strconv.Itoa(id)] = "h:mm"
	}
	cells := false
	return w.walk(part, maxXML, func(token xml.Token) error {
		switch t := token.(type) {
		case xml.StartElement:
			switch t.Name.Local {
			case "numFmt":
				codes[attr(t, "numFmtId")] = attr(t, "formatCode")
			case "cellXfs":
				cells = true
			case "xf":
				if cells {
					w.styles = append(w.styles, formatOf(codes[attr(t, "numFmtId")]))
				}
			}
		case xml.EndElement:
			cells = cells && t.Name.Local != "cellXfs"
		}
		return nil
	})
}

// rows are those of a sheet that have text and are not hidden, up to most characters if they are limited. Groups of rows or
// columns that are folded, and rows that a filter hides, anybody can show again: they are not hidden.
func (w *workbook) rows(part string, most int, limited bool) (rows []sheetRow, cut bool, err error) {
	var row sheetRow
	var kind string
	var value, b strings.Builder
	var ranges []merged
	var filters filters
	shown, inValue, column, used, filled := format{}, false, 0, 0, false
	var unseen [maxColumn + 1]bool // columns
	err = w.walk(part, maxUnpacked, func(token xml.Token) error {
		switch t := token.(type) {
		case xml.StartElement:
			filters.add(t)
			switch t.Name.Local {
			case "row":
				number := row.number + 1
				if n, err := strconv.Atoi(attr(t, "r")); err == nil {
					number = n
				}
				row, column, filled = sheetRow{number: number, unseen: isHidden(t)}, 0, false
				b.Reset()
			case "col":
				from, _ := strconv.Atoi(attr(t, "min"))
				to, _ := strconv.Atoi(attr(t, "max"))
				for i := max(from, 1); isHidden(t) && i <= min(to, len(unseen)); i++ {
					unseen[i-1] = true
					*w.left--
				}
				if *w.left < 0 { // there can be any number of them
					return ErrTooLarge
				}
			case "c":
				style, _ := strconv.Atoi(attr(t, "s"))
				if kind, shown = attr(t, "t"), (format{}); style >= 0 && style < len(w.styles) {
					shown = w.styles[style]
				}
				value.Reset()
				at := columnOf(attr(t, "r"))
				if at < 0 {
					at = column
				}
				for column = max(column, at-maxGap); column < at; column++ { // empty cells
					b.WriteString(cellMark)
				}
				column = at
			case "v", "t":
				inValue = true
			case "mergeCell":
				if m, ok := mergedOf(attr(t, "ref")); ok {
					ranges = append(ranges, m)
				}
			}
		case xml.EndElement:
			switch t.Name.Local {
			case "v", "t":
				inValue = false
			case "c":
				v := w.value(kind, value.String(), shown)
				if v != "" && unseen[min(column, maxColumn)] {
					v, w.omitted = "", HiddenRows
				}
				if *w.left -= int64(len(v)); *w.left < 0 { // a string can be named by any number of cells
					return ErrTooLarge
				}
				filled = filled || v != ""
				b.WriteString(v + cellMark)
				column++
			case "row":
				if row.text = strings.TrimRight(b.String(), " |"); !filled {
					return nil
				}
				if used += utf8.RuneCountInString(row.text); limited && used > most {
					cut = true
					return errEnough
				}
				rows = append(rows, row)
			}
		case xml.CharData:
			if inValue && value.Len() < maxValue {
				value.Write(t)
			}
		}
		return nil
	})
	rows = w.withoutHidden(rows, part, filters)
	w.fill(rows, ranges)
	return rows, cut, err
}

// isHidden reports whether a row or column is hidden, and not only folded.
func isHidden(t xml.StartElement) bool {
	level := attr(t, "outlineLevel")
	return (attr(t, "hidden") == "1" || attr(t, "hidden") == "true") && (level == "" || level == "0")
}

const cellMark = " | " // between cells

const maxGap = 64 // empty cells that are written

const maxColumn = 16_383

// columnOf returns the 0-based column of a reference such as BC12, -1 if it is not a reference.
func columnOf(ref string) int {
	n := 0
	for _, c := range ref {
		if c < 'A' || c > 'Z' || n > maxColumn {
			break
		}
		n = 26*n + int(c-'A') + 1
	}
	return min(n-1, maxColumn)
}

func (w *workbook) value(kind, v string, f format) string {
	number, err := strconv.ParseFloat(v, 64)
	switch {
	case kind == "s":
		if i := int(number); err == nil && i >= 0 && i < len(w.shared) {
			return w.shared[i]
		}
		return ""
	case kind == "b":
		return map[string]string{"1": "TRUE", "0": "FALSE"}[v]
	case kind == "" || kind == "n":
		if err == nil {
			return w.number(number, f)
		}
	}
	return cell(v)
}

const maxBlank = 20 // rows between two others that are kept as blank lines

// sheetParts splits a sheet between its rows, as rowParts does a table.
func sheetParts(name string, rows []sheetRow) []page {
	if len(rows) == 0 {
		return nil
	}
	var cells [][]string
	for _, row := range rows[:min(figures.HeadWithin, len(rows))] {
		cells = append(cells, strings.Split(row.text, cellMark))
	}
	lead, header, rest := rows[0].text+"\n", rows[max(0, figures.Head(cells))].text+"\n", rows[1:]
	top := max(utf8.RuneCountInString(lead), utf8.RuneCountInString(header))
	if len(rest) == 0 || top > maxHeader {
		lead, header, rest = "", "", rows
	}
	var parts []page
	for len(rest) > 0 {
		text, n := lead, 0
		lead = header
		for n < len(rest) && (n == 0 || utf8.RuneCountInString(text)+utf8.RuneCountInString(rest[n].text) < partChars) {
			if n > 0 {
				text += strings.Repeat("\n", max(0, min(rest[n].number-rest[n-1].number-1, maxBlank)))
			}
			text += rest[n].text + "\n"
			n++
		}
		label := name + ", " + rowLabel(rest[0].number, rest[n-1].number)
		for piece := range pieces(text, 2*partChars) {
			parts = append(parts, page{Label: label, Text: piece})
		}
		rest = rest[n:]
	}
	return parts
}
