package docs

import (
	"encoding/xml"
	"strings"
)

// odtType is what an OpenDocument text begins with, behind the head of its first member.
const odtType = "mimetypeapplication/vnd.oasis.opendocument.text"

// odtNames are the elements of an OpenDocument text by those that mean the same in Word's.
var odtNames = map[string]string{"p": "p", "h": "p", "table": "tbl", "table-row": "tr", "table-cell": "tc", "tab": "tab", "line-break": "br", "text-box": "txbxContent"}

// readODT returns the text of an OpenDocument text as readDOCX does that of a Word document: notes and comments at the end,
// without what is hidden and what tracked changes have deleted.
func readODT(data []byte) (string, headings, error) {
	o, err := openOffice(data)
	if err != nil {
		return "", nil, err
	}
	encrypted := false
	_ = o.walk("META-INF/manifest.xml", maxXML, func(token xml.Token) error {
		t, is := token.(xml.StartElement)
		encrypted = encrypted || is && t.Name.Local == "encryption-data"
		return nil
	})
	if encrypted {
		return "", nil, ErrEncrypted
	}
	r := odtReader{hiding: map[string]bool{}, lists: odtLists{numbering: newNumbering(), newest: map[string]string{}}}
	_ = o.walk("styles.xml", maxXML, r.lists.define) // without them, headings have no numbers
	for _, r.inNotes = range []bool{false, true} {
		if err := o.walk("content.xml", maxXML, r.token); err != nil {
			return "", nil, err
		}
		r.set(r.text.Len(), "")
	}
	if r.depth != 0 {
		return "", nil, ErrDamaged
	}
	return r.text.String(), r.headings, nil
}

// odtReader reads the text, and then the notes and comments in it.
type odtReader struct {
	wordReader
	lists   odtLists
	inNotes bool
	note    int             // elements we are in of a note or comment
	named   string          // style that is defined
	hiding  map[string]bool // styles whose text is hidden
}

// leavesOut reports whether an element is hidden, or describes a picture. Styles stand in front of the text.
func (r *odtReader) leavesOut(t xml.StartElement) bool {
	none := attr(t, "display") == "none"
	switch {
	case t.Name.Local == "style":
		r.named = attr(t, "name")
	case t.Name.Local == "text-properties" && none:
		r.hiding[r.named] = true
	}
	return none || t.Name.Space == "svg" || attr(t, "is-hidden") == "true" || r.hiding[attr(t, "style-name")]
}

func (r *odtReader) token(token xml.Token) error {
	switch t := token.(type) {
	case xml.StartElement:
		r.depth++
		name := t.Name.Local
		isNote := name == "note" || name == "annotation"
		switch {
		case r.again > 0, name == "tracked-changes", isNote && !r.inNotes, r.leavesOut(t):
			r.again++
			return nil
		case r.note > 0 || isNote:
			r.note++
		case r.inNotes:
			return nil
		}
		r.run = len(r.paragraphs) > 0
		r.open(odtNames[name])
		switch {
		case name == "s":
			r.text.WriteByte(' ')
		case r.inNotes:
		case name == "h", name == "p":
			r.style(name == "h")
			r.paragraphOf(func(p *paragraph) { p.number = r.lists.numberOf(t) })
		case name == "list":
			r.lists.begin(t)
		case name == "list-item":
			r.lists.item = true
			if n := len(r.lists.within); n > 0 {
				r.lists.anew(r.lists.within[n-1], n, attr(t, "start-value"))
			}
		default:
			_ = r.lists.define(t)
		}
		if name == "creator" && r.note > 0 { // elsewhere it is a field of the text
			r.text.WriteString("Comment by ")
		}
		r.inText = r.note > 0 && (name == "creator" || name == "note-citation")
	case xml.EndElement:
		r.depth--
		switch {
		case r.again > 0:
			r.again--
			return nil
		case r.note > 0:
			r.note--
		case r.inNotes:
			return nil
		}
		if r.inText {
			r.text.WriteString(map[string]string{"creator": ": ", "note-citation": " "}[t.Name.Local])
		}
		r.inText = false
		if n := len(r.lists.within); n > 0 && !r.inNotes && t.Name.Local == "list" {
			r.lists.within = r.lists.within[:n-1]
		}
		r.close(odtNames[t.Name.Local])
	case xml.CharData:
		if r.again == 0 && (r.inText || len(r.paragraphs) > 0) {
			r.writeNumber()
			r.text.WriteString(strings.NewReplacer("\n", " ", "\t", " ").Replace(string(t)))
		}
	}
	return nil
}
