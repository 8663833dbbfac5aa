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
// text is left out. It reads the XML as a stream, so that no part of a hostile file is ever held
// whole, and unpacks only the parts that have text.
func readDOCX(data []byte) (text string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", ErrDamaged, p)
		}
	}()
	if bytes.Count(data, []byte("PK\x01\x02")) > maxMembers {
		return "", ErrTooLarge
	}
	archive, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "", fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	var w wordReader
	for _, name := range []string{documentPart, "word/footnotes.xml", "word/endnotes.xml"} {
		if err := w.part(archive, name); err != nil {
			return "", err
		}
	}
	return w.text.String(), nil
}

// wordReader collects the text of WordprocessingML.
type wordReader struct {
	text  strings.Builder
	cells int  // table cells we are in
	run   bool // in a run: elsewhere a tab is the setting of a tab stop
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
			case "Fallback": // the same again for older programs
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
	case "tc":
		w.cells--
		w.text.WriteString("| ")
	case "tr":
		w.text.WriteByte('\n')
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
