package pdfium

import (
	"math"
	"strings"
)

// Landscape tables are often printed on turned pages, their lines running up or down. The engine
// finds the words of such lines but not the lines: the end of a row and the start of the next
// become one word. On these pages the breaks are found here.

const (
	turnedSample = 64  // characters looked at to tell a turned page
	lineShift    = 0.5 // share of a line's height by which a character must be off to be on the next
)

// turned reports whether most of the page's text runs up or down.
func (p *openPage) turned() bool {
	n := int(int32(p.in.call("FPDFText_CountChars", p.text)))
	step := max(1, n/turnedSample)
	looked, upright := 0, 0
	for i := 0; i < n; i += step {
		if p.in.call("FPDFText_IsGenerated", p.text, uint64(i)) == 1 {
			continue
		}
		looked++
		if angle := p.float("FPDFText_GetCharAngle", p.text, uint64(i)); math.Abs(math.Sin(angle)) < math.Sqrt2/2 {
			upright++
		}
	}
	return looked > 0 && 2*upright < looked
}

// turnedText is visibleText for such pages, character by character.
func (p *openPage) turnedText(maxChars int) (text string, truncated bool) {
	in := p.in
	n := int(int32(in.call("FPDFText_CountChars", p.text)))
	var b strings.Builder
	var high rune
	var line Rect // of the last visible character
	for i, written := 0, 0; i < n; i++ {
		if written > maxChars {
			truncated = true
			break
		}
		r := rune(in.call("FPDFText_GetUnicode", p.text, uint64(i)))
		r, high = joinSurrogates(high, r)
		if r == 0 {
			continue
		}
		if in.call("FPDFText_IsGenerated", p.text, uint64(i)) != 1 {
			// FS_RECTF: left, top, right, bottom. The loose box spans the line's full height.
			if in.call("FPDFText_GetLooseCharBox", p.text, uint64(i), in.out(0, 4)) == 0 {
				continue
			}
			box := Rect{Left: in.float32At(0), Top: in.float32At(1), Right: in.float32At(2), Bottom: in.float32At(3)}
			if !box.meets(p.box) {
				continue
			}
			height := line.Right - line.Left
			if math.Abs(box.Left+box.Right-line.Left-line.Right)/2 > lineShift*height && height > 0 {
				b.WriteByte('\n')
			}
			line = box
		}
		b.WriteRune(r)
		written++
	}
	text, over := cut(clean(spaceBreaks.Replace(lineEnds.Replace(b.String()))), maxChars)
	return text, truncated || over
}

var spaceBreaks = strings.NewReplacer("-\n\n", "-\n", " \n", "\n", "\r\n\n", "\n")
