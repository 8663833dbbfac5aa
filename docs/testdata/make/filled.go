package main

import (
	"fmt"
	"strings"
)

func filled() []byte {
	f := newFile()
	p := f.page()
	p.text(left, 770, "B", 20, navy, "Application for a berth")
	y := 730.0
	for _, label := range []string{"Name of the boat", "Owner", "Insured", "Quay"} {
		p.text(left, y, "R", 10, ink, label)
		y -= 30
	}
	at := func(y float64) string { return fmt.Sprintf("/Rect [200 %g 400 %g]", y-4, y+14) }
	mark := f.stream("/Type /XObject /Subtype /Form /BBox [0 0 18 18]", "4 4 10 10 re f")
	owner := len(f.objects) + 2 // the field that the widget before it belongs to
	fields := []int{
		f.add("<< /Type /Annot /Subtype /Widget /F 4 /FT /Tx /T (boat) /TU (Name of the boat) /V (Puffin) " + at(730) + " >>"),
	}
	widget := f.add(fmt.Sprintf("<< /Type /Annot /Subtype /Widget /F 4 /Parent %d 0 R %s >>", owner+1, at(700)))
	fields = append(fields, f.add(fmt.Sprintf("<< /FT /Tx /T (Owner) /V (Ada Quill) /Kids [%d 0 R] >>", widget)))
	button := fmt.Sprintf("/AP << /N << /Yes %d 0 R /Off %d 0 R >> >>", mark, mark)
	for _, body := range []string{
		"/F 4 /FT /Btn /T (Insured) /V /Yes /AS /Yes " + button + at(670),
		"/F 4 /FT /Btn /T (Commercial) /V /Off /AS /Off " + button + at(670),
		"/F 4 /FT /Ch /Ff 131072 /T (Quay) /Opt [(North) (South)] /V (South) " + at(640),
		"/F 4 /FT /Tx /Ff 8192 /T (Password) /V (hunter2) " + at(610),
		"/F 4 /FT /Tx /T (Empty) /V () " + at(580),
		"/F 2 /FT /Tx /T (Secret) /V (nobody sees this field) " + at(550),
		"/F 4 /FT /Tx /T (Outside) /V (beyond the page) /Rect [900 900 950 950]",
	} {
		fields = append(fields, f.add("<< /Type /Annot /Subtype /Widget "+body+" >>"))
	}
	shown := append([]int{fields[0], widget}, fields[2:]...)
	for _, body := range []string{
		"/Subtype /Text /F 4 /T (Bob) /Contents (The fee was paid in May.) /Rect [420 700 440 720]",
		"/Subtype /FreeText /F 4 /DA (/R 12 Tf) /Contents (APPROVED by the harbour master) /Rect [60 500 300 530]",
		"/Subtype /Text /F 2 /Contents (A hidden comment) /Rect [420 600 440 620]",
		"/Subtype /Link /F 4 /Contents (A link is no comment) /Rect [60 760 300 790]",
	} {
		shown = append(shown, f.add("<< /Type /Annot "+body+" >>"))
	}
	p.box += " /Annots [" + references(shown) + "]"
	f.catalog = " /AcroForm << /DR << " + fontResources + " >> /DA (/R 10 Tf) /Fields [" + references(fields) + "] >>"
	return f.bytes()
}

func references(objects []int) string {
	var list []string
	for _, n := range objects {
		list = append(list, fmt.Sprintf("%d 0 R", n))
	}
	return strings.Join(list, " ")
}
