package docs

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// documentPart is the member of a DOCX file that makes it one.
const documentPart = "word/document.xml"

// Limits on a DOCX file. Files of a thousand pages stay below half of each.
const (
	maxMembers = 10_000   // files in the archive
	maxXML     = 32 << 20 // bytes of a part, unpacked
	maxDepth   = 500      // elements inside one another
	maxTag     = 1 << 20  // bytes from one tag to the next
)

var errTagTooLong = errors.New("a tag is too long")

// readDOCX returns the text of a Word document: paragraphs and table rows as lines, cells separated
// by " | ", footnotes and endnotes at the end. Of tracked changes it has the insertions; hidden
// text is left out. Headings are paragraphs of a heading's style or outline level. It reads the XML
// as a stream, so that no part of a hostile file is ever held whole, and unpacks only the parts that
// have text, and the styles.
func readDOCX(data []byte) (text string, heads headings, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", ErrDamaged, p)
		}
	}()
	if bytes.Count(data, []byte("PK\x01\x02")) > maxMembers {
		return "", nil, ErrTooLarge
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "", nil, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	left := maxUnpacked
	w := wordReader{styles: officeFile{archive, &left}.styles()}
	for _, name := range []string{documentPart, "word/footnotes.xml", "word/endnotes.xml"} {
		w.set(w.text.Len(), "")
		if err := w.part(archive, name); err != nil {
			return "", nil, err
		}
	}
	return w.text.String(), w.headings, nil
}

// wordReader collects the text of WordprocessingML.
type wordReader struct {
	text  strings.Builder
	cells int  // table cells we are in
	run   bool // in a run: elsewhere a tab is the setting of a tab stop
	headings
	styles     styles
	paragraphs []paragraph // we are in: text boxes stand in one
	before     []string    // headings before the table and the text boxes we are in
}

// paragraph is one whose text begins at an offset.
type paragraph struct {
	at      int
	heading bool
}

func (w *wordReader) part(archive *zip.Reader, name string) error {
	f, err := archive.Open(name)
	if err != nil {
		return nil // notes are optional; the document itself was seen by kindOf
	}
	defer f.Close()
	limited := &io.LimitedReader{R: f, N: maxXML}
	err = w.read(xml.NewDecoder(&tagLimit{r: limited}))
	switch {
	case limited.N == 0, errors.Is(err, errTagTooLong):
		return ErrTooLarge
	case err != nil:
		return fmt.Errorf("%w: %s: %v", ErrDamaged, name, err)
	}
	return nil
}

// read walks the tokens of a part. Namespaces are not compared: the elements that matter have names
// that no other vocabulary inside a document has, except for t and p of DrawingML, which are text
// too.
func (w *wordReader) read(d *xml.Decoder) error {
	var hidden, inText bool
	for depth := 0; ; {
		token, err := d.RawToken()
		if err == io.EOF && depth == 0 {
			return nil
		}
		if err == io.EOF {
			return io.ErrUnexpectedEOF
		}
		if err != nil {
			return err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if depth++; depth > maxDepth {
				return fmt.Errorf("more than %d elements inside one another", maxDepth)
			}
			switch t.Name.Local {
			case "r":
				hidden, w.run = false, true
			case "vanish":
				hidden = on(t)
			case "t":
				inText = true
			case "pStyle":
				w.style(w.styles.heading(attr(t, "val")))
			case "outlineLvl":
				w.style(isOutline(attr(t, "val")))
			case "Fallback", "pPrChange": // the same again for older programs; the style before a change
				if err := skip(d); err != nil {
					return err
				}
				depth--
			default:
				w.open(t.Name.Local)
			}
		case xml.EndElement:
			depth--
			inText = false
			w.close(t.Name.Local)
		case xml.CharData:
			if inText && !hidden {
				w.text.Write(t)
			}
		}
	}
}

func (w *wordReader) open(name string) {
	switch {
	case name == "tc":
		w.cells++
	case name == "p" && len(w.paragraphs) < maxDepth:
		w.paragraphs = append(w.paragraphs, paragraph{at: w.text.Len()})
	case apart(name) && w.cells == 0 && len(w.before) < maxDepth:
		w.before = append(w.before, w.last())
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
	case "p":
		w.line()
		w.paragraph()
	case "tc":
		w.cells--
		w.text.WriteString("| ")
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

// style says whether the paragraph we are in is a heading.
func (w *wordReader) style(heading bool) {
	if n := len(w.paragraphs); n > 0 {
		w.paragraphs[n-1].heading = heading
	}
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

// skip reads to the end of the element that has just begun.
func skip(d *xml.Decoder) error {
	for depth := 1; depth > 0; {
		token, err := d.RawToken()
		if err != nil {
			return err
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	return nil
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
