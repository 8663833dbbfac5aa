package pdfium

import (
	"cmp"
	"encoding/binary"
	"slices"
	"strings"
	"unicode/utf16"
)

// Additions that people made to a finished page: filled form fields, comments, text typed onto it and attached files. They are text
// of the page too, below its own, from top to bottom.

// note is one of them, with the line that stands for it.
type note struct {
	text string
	box  Rect
}

// Subtypes of annotations, and types of form fields.
const (
	annotText      = 1 // a comment
	annotFreeText  = 3
	annotInk       = 15 // between the two drawings and marks, which may have a comment
	annotFile      = 17
	annotWidget    = 20 // a form field
	fieldCheckbox  = 2
	fieldRadio     = 3
	fieldCombo     = 4
	fieldList      = 5
	fieldText      = 6
	flagHidden     = 1 << 1
	flagNoView     = 1 << 5
	fieldPassword  = 1 << 13
	mostNotes      = 2_000  // of a page that are read
	mostAttached   = 100    // files of a document that are named
	longestNote    = 20_000 // characters, about; a longer one is no note
	formInfoSize   = 256    // bytes; FPDF_FORMFILLINFO; only its version is set
	formInfoLatest = 2
)

// notes are those of a page that can be seen; more says that the page has others, which are not read.
func (p *openPage) notes() (all []note, more bool) {
	in := p.in
	count := int(int32(in.Call("FPDFPage_GetAnnotCount", p.handle)))
	for i := range min(count, mostNotes) {
		annot := in.Call("FPDFPage_GetAnnot", p.handle, uint64(i))
		if annot == 0 {
			continue
		}
		if in.Call("FPDFAnnot_GetSubtype", annot) == annotWidget && p.doc.tooManyFields() {
			more = true
		} else if n, ok := p.note(annot); ok {
			all = append(all, n)
		}
		in.Call("FPDFPage_CloseAnnot", annot)
	}
	slices.SortStableFunc(all, func(a, b note) int {
		return cmp.Or(cmp.Compare(b.box.Top, a.box.Top), cmp.Compare(a.box.Left, b.box.Left))
	})
	return all, more || count > mostNotes
}

func (p *openPage) note(annot uint64) (n note, ok bool) {
	in := p.in
	subtype := in.Call("FPDFAnnot_GetSubtype", annot)
	if subtype != annotText && subtype != annotWidget && subtype != annotFile && (subtype < annotFreeText || subtype > annotInk) {
		return n, false
	}
	// FS_RECTF: left, top, right, bottom.
	if in.Call("FPDFAnnot_GetFlags", annot)&(flagHidden|flagNoView) != 0 || in.Call("FPDFAnnot_GetRect", annot, in.out(0, 4)) == 0 {
		return n, false
	}
	n.box = Rect{Left: in.float32At(0), Top: in.float32At(1), Right: in.float32At(2), Bottom: in.float32At(3)}
	if !n.box.meets(p.box) {
		return n, false
	}
	switch subtype {
	case annotWidget:
		n.text = p.field(annot)
		return n, n.text != ""
	case annotFile:
		n.text = in.attachment(in.Call("FPDFAnnot_GetFileAttachment", annot))
		return n, n.text != ""
	}
	n.text = p.in.unicode("FPDFAnnot_GetStringValue", annot, p.key("Contents"))
	if n.text == "" || subtype == annotFreeText {
		return n, n.text != ""
	}
	if author := p.in.unicode("FPDFAnnot_GetStringValue", annot, p.key("T")); author != "" {
		n.text = "Comment by " + author + ": " + n.text
	} else {
		n.text = "Comment: " + n.text
	}
	return n, true
}

// attachments are the files in the document, which are not read.
func (d *document) attachments() (all []note) {
	count := int(int32(d.in.Call("FPDFDoc_GetAttachmentCount", d.handle)))
	for i := range min(count, mostAttached) {
		if text := d.in.attachment(d.in.Call("FPDFDoc_GetAttachment", d.handle, uint64(i))); text != "" {
			all = append(all, note{text: text})
		}
	}
	return all
}

// attachment is the line with the name of one, "" if it has none.
func (in *instance) attachment(file uint64) string {
	if file == 0 {
		return ""
	}
	if name := in.unicode("FPDFAttachment_GetName", file); name != "" {
		return "Attachment: " + name
	}
	return ""
}

// field is a filled form field: its name and its value; "" for an empty one, a button and a password.
func (p *openPage) field(annot uint64) string {
	in, form := p.in, p.doc.form()
	if form == 0 || in.Call("FPDFAnnot_GetFormFieldFlags", form, annot)&fieldPassword != 0 && in.Call("FPDFAnnot_GetFormFieldType", form, annot) == fieldText {
		return ""
	}
	name := p.in.unicode("FPDFAnnot_GetFormFieldAlternateName", form, annot)
	if name == "" {
		name = p.in.unicode("FPDFAnnot_GetFormFieldName", form, annot)
		name = name[strings.LastIndexByte(name, '.')+1:]
	}
	switch in.Call("FPDFAnnot_GetFormFieldType", form, annot) {
	case fieldCheckbox, fieldRadio:
		switch state := p.in.unicode("FPDFAnnot_GetStringValue", annot, p.key("AS")); state {
		case "", "Off":
		case "Yes", "On":
			return "☑ " + name
		default:
			return "☑ " + name + ": " + state
		}
	case fieldText, fieldCombo, fieldList:
		if value := p.in.unicode("FPDFAnnot_GetFormFieldValue", form, annot); value != "" {
			return name + ": " + value
		}
	}
	return ""
}

// tooManyFields reports whether the fields of the file are left out.
func (d *document) tooManyFields() bool {
	if d.fields == nil {
		many := manyFields(d.data)
		d.fields = &many
	}
	return *d.fields
}

func (d *document) form() uint64 {
	if d.formInfo == 0 {
		in := d.in
		d.formInfo = in.Alloc(formInfoSize)
		for version := uint32(formInfoLatest); version > 0 && d.formHandle == 0 && in.Err() == nil; version-- {
			if b := in.View(d.formInfo, formInfoSize); b != nil {
				clear(b)
			}
			in.PutUint32(d.formInfo, version)
			d.formHandle = in.Call("FPDFDOC_InitFormFillEnvironment", d.handle, uint64(d.formInfo))
		}
	}
	return d.formHandle
}

// key is the address of a name for the engine, in the scratch memory behind what a rectangle takes.
func (p *openPage) key(name string) uint64 {
	const at = 32
	if b := p.in.View(p.in.scratch+at, scratchSize-at); b != nil {
		copy(b, name+"\x00")
	}
	return uint64(p.in.scratch) + at
}

// unicode is a text that a function of the engine writes in UTF-16 to a buffer, in one line.
func (in *instance) unicode(function string, args ...uint64) string {
	size := uint32(in.Call(function, slices.Concat(args, []uint64{0, 0})...)) // in bytes, with the NUL
	if size <= 2 || size > 4*longestNote || in.Err() != nil {
		return ""
	}
	buffer := in.Alloc(size)
	in.Call(function, slices.Concat(args, []uint64{uint64(buffer), uint64(size)})...)
	b := in.View(buffer, size)
	units := make([]uint16, 0, len(b)/2)
	for i := 0; i+1 < len(b); i += 2 {
		if u := binary.LittleEndian.Uint16(b[i:]); u != 0 {
			units = append(units, u)
		}
	}
	in.Free(buffer)
	return strings.Join(strings.Fields(clean(string(utf16.Decode(units)))), " ")
}

// findNote is where the note stands that holds a folded quote; nil if none does.
func (p *openPage) findNote(quote string) []Rect {
	all, _ := p.notes()
	for _, n := range all {
		if strings.Contains(fold(n.text), quote) {
			return []Rect{n.box}
		}
	}
	return nil
}

// withNotes is the text of a page with its notes below it, at most maxChars characters of both.
func withNotes(text string, notes []note, maxChars int) (string, bool) {
	if len(notes) == 0 {
		return text, false
	}
	all := []string{strings.TrimRight(text, "\n"), ""}
	for _, n := range notes {
		all = append(all, n.text)
	}
	return Cut(strings.TrimLeft(strings.Join(all, "\n"), "\n"), maxChars)
}
