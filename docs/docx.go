package docs

import (
	"bytes"
	"cmp"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"path"
	"slices"
	"strings"
	"unicode"
)

// Limits on a DOCX file. Files of a thousand pages stay below half of each. Tests lower them.
var (
	maxMembers       = 10_000   // files in the archive
	maxXML     int64 = 32 << 20 // bytes of a part, unpacked
	maxDepth         = 500      // elements inside one another
	maxTag           = 1 << 20  // bytes from one tag to the next
)

var errTagTooLong = errors.New("a tag is too long")

// readDOCX returns the text of a Word document: paragraphs and table rows as lines, cells separated
// by " | ", footnotes, endnotes, comments, headers and footers at the end. Of tracked changes it has the insertions; hidden
// text is left out. Headings are paragraphs of a heading's style or outline level. It unpacks only the parts that
// have text, and the styles.
func readDOCX(data []byte) (text string, heads headings, err error) {
	o, err := openOffice(data)
	if err != nil {
		return "", nil, err
	}
	main := o.main()
	targets, _ := o.relations(main) // what cannot be read names no parts: they have their usual names
	targets["document"] = main
	w := wordReader{styles: o.styles(cmp.Or(targets["styles"], "word/styles.xml")), numbering: o.numbering(cmp.Or(targets["numbering"], "word/numbering.xml"))}
	for _, part := range []string{"document", "footnotes", "endnotes", "comments"} {
		w.set(w.text.Len(), "")
		if err := o.walk(cmp.Or(targets[part], "word/"+part+".xml"), maxXML, w.token); err != nil {
			return "", nil, err
		}
		if w.depth != 0 {
			return "", nil, ErrDamaged
		}
	}
	w.set(w.text.Len(), "")
	return w.text.String() + o.margins(targets), w.headings, nil
}

// margins are the headers and footers of a document, each text once; those without words, as a page's number, are left out, and
// those that cannot be read: the document can.
func (o officeFile) margins(targets map[string]string) string {
	var text strings.Builder
	known := map[string]bool{}
	for _, part := range slices.Compact(slices.Sorted(maps.Values(targets))) {
		kind := strings.TrimRight(strings.TrimSuffix(path.Base(part), ".xml"), "0123456789")
		if kind != "header" && kind != "footer" {
			continue
		}
		w := wordReader{numbering: o.numbering("")}
		if err := o.walk(part, maxXML, w.token); errors.Is(err, ErrTooLarge) {
			break
		} else if err != nil {
			continue
		}
		words := strings.Join(strings.Fields(w.text.String()), " ")
		line := "\n" + strings.ToUpper(kind[:1]) + kind[1:] + ": " + words + "\n"
		if strings.ContainsFunc(words, unicode.IsLetter) && !known[line] {
			known[line] = true
			text.WriteString(line)
		}
	}
	return text.String()
}

type wordReader struct {
	text           strings.Builder
	cells          int  // table cells we are in
	inner          bool // a table inside the cell has ended
	run            bool // in a run: elsewhere a tab is the setting of a tab stop
	inText, hidden bool
	depth          int
	again          int // elements we are in of one that is left out
	headings
	styles     styles
	numbering  *numbering
	paragraphs []paragraph // we are in: text boxes stand in one
	before     []string    // headings before the table and the text boxes we are in
}

// paragraph is one whose text begins at an offset.
type paragraph struct {
	at      int
	heading bool
	style   string
	numbered
	number  string // that is not written yet
	deleted bool   // so that it is not counted: a change that was tracked
}

// token takes the next token of a part. Namespaces are not compared: the elements that matter have names
// that no other vocabulary inside a document has, except for t and p of DrawingML, which are text
// too.
func (w *wordReader) token(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		w.depth++
		if name := t.Name.Local; name == "del" || name == "moveFrom" { // of its mark; those of its text follow its number
			w.paragraphOf(func(p *paragraph) { p.deleted = true })
		}
		if w.again > 0 || t.Name.Local == "Fallback" || t.Name.Local == "pPrChange" || t.Name.Local == "moveFrom" { // the same again for older programs; the style before a change; what stands elsewhere now
			w.again++
			return nil
		}
		switch t.Name.Local {
		case "r":
			w.hidden, w.run = false, true
		case "vanish":
			w.hidden = on(t)
		case "t":
			w.inText = true
		case "comment":
			w.text.WriteString("Comment by " + attr(t, "author") + ": ")
		case "pStyle":
			w.style(w.styles.heading(attr(t, "val")))
			w.paragraphOf(func(p *paragraph) { p.style = attr(t, "val") })
		case "numId":
			w.paragraphOf(func(p *paragraph) { p.list = attr(t, "val") })
		case "ilvl":
			w.paragraphOf(func(p *paragraph) { p.level = attr(t, "val") })
		case "outlineLvl":
			w.style(isOutline(attr(t, "val")))
		default:
			w.open(t.Name.Local)
		}
	case xml.EndElement:
		w.depth--
		if w.again > 0 {
			w.again--
			return nil
		}
		w.inText = false
		w.close(t.Name.Local)
	case xml.CharData:
		if w.inText && !w.hidden && w.again == 0 {
			w.writeNumber()
			w.text.Write(t)
		}
	}
	return nil
}

// writeNumber writes the number of the paragraph we are in, in front of its text.
func (w *wordReader) writeNumber() {
	w.paragraphOf(func(p *paragraph) {
		if p.number != "" {
			w.text.WriteString(p.number + " ")
		}
		p.number = ""
	})
}

func (w *wordReader) open(name string) {
	switch {
	case name == "tc":
		w.cells++
	case name == "p" && len(w.paragraphs) < maxDepth:
		w.paragraphs = append(w.paragraphs, paragraph{at: w.text.Len()})
	case apart(name) && w.cells == 0 && len(w.before) < maxDepth:
		w.before = append(w.before, w.last())
	case name == "tbl": // inside a cell: its rows have lines of their own
		w.text.WriteByte('\n')
	case !w.run:
	case name == "tab":
		w.text.WriteByte('\t')
	case name == "br", name == "cr":
		w.line()
	case name == "noBreakHyphen":
		w.text.WriteByte('-')
	}
}

func (w *wordReader) close(name string) {
	switch name {
	case "r":
		w.run = false
	case "pPr":
		w.paragraphOf(func(p *paragraph) {
			if !p.deleted {
				p.number = w.numbering.next(p.numbered.or(w.styles.number(p.style)), p.style)
			}
		})
	case "p":
		w.line()
		w.paragraph()
	case "tc":
		if w.cells--; !w.inner || !strings.HasSuffix(strings.TrimRight(w.text.String(), " "), "\n") {
			w.text.WriteString("| ")
		}
		w.inner = false
	case "tbl":
		w.inner = w.cells > 0
	case "tr":
		w.text.WriteByte('\n')
	}
	if n := len(w.before); n > 0 && apart(name) && w.cells == 0 {
		w.set(w.text.Len(), w.before[n-1])
		w.before = w.before[:n-1]
	}
}

// apart are elements whose headings say nothing of what follows.
func apart(name string) bool { return name == "tbl" || name == "txbxContent" }

// paragraphOf changes the paragraph we are in, if we are in one.
func (w *wordReader) paragraphOf(change func(*paragraph)) {
	if n := len(w.paragraphs); n > 0 {
		change(&w.paragraphs[n-1])
	}
}

// style says whether the paragraph we are in is a heading.
func (w *wordReader) style(heading bool) {
	w.paragraphOf(func(p *paragraph) { p.heading = heading })
}

// paragraph ends the paragraph we are in. The one around it continues behind it.
func (w *wordReader) paragraph() {
	n := len(w.paragraphs)
	if n == 0 {
		return
	}
	p := w.paragraphs[n-1]
	if p.heading {
		w.add(p.at, w.text.String()[p.at:], w.cells > 0)
	}
	if w.paragraphs = w.paragraphs[:n-1]; n > 1 {
		w.paragraphs[n-2].at = w.text.Len()
	}
}

// line ends a line; inside a table that is a space, so that a row stays in one line.
func (w *wordReader) line() {
	if w.cells > 0 {
		w.text.WriteByte(' ')
	} else {
		w.text.WriteByte('\n')
	}
}

// on reads a switch such as <w:vanish/> or <w:vanish w:val="false"/>.
func on(t xml.StartElement) bool {
	for _, a := range t.Attr {
		if a.Name.Local == "val" {
			return a.Value != "0" && a.Value != "false" && a.Value != "off"
		}
	}
	return true
}

// tagLimit fails when more than maxTag bytes pass without a "<": one such tag could hold attributes
// by the million.
type tagLimit struct {
	r   io.Reader
	run int
}

func (l *tagLimit) Read(p []byte) (int, error) {
	n, err := l.r.Read(p)
	if i := bytes.LastIndexByte(p[:n], '<'); i >= 0 {
		l.run = n - i
	} else {
		l.run += n
	}
	if l.run > maxTag {
		return 0, errTagTooLong
	}
	return n, err
}
