package ocr

import (
	"image"
	"strconv"
	"strings"
	"unicode"
)

// Text is the text read from a picture.
type Text struct {
	Text  string // in reading order; Unsure stands behind numbers that may be wrong
	Boxes []Box  // where its words are: one for each of strings.Fields(Text)

	Certainty int // the mean confidence in its letters, 0 to 100; 0 without any
}

// PoorBelow is the certainty below which a page is badly read.
const PoorBelow = 75

// Poor reports whether what was read is likely to miss or distort much of the picture.
func (t Text) Poor() bool { return t.Certainty > 0 && t.Certainty < PoorBelow }

// Unsure marks a number that was read with little confidence.
const Unsure = "(?)"

// unsureBelow is the confidence below which a number is marked. Of 100 numbers below it about half are wrong.
const unsureBelow = 60

// Box is an area of a picture, in shares of its width and height: 65,535 is all of it. The upper left corner is 0, 0.
type Box struct{ Left, Top, Right, Bottom uint16 }

const whole = 65_535

// On returns the box on a picture of that many pixels.
func (b Box) On(width, height int) image.Rectangle {
	x := func(v uint16) int { return int(v) * width / whole }
	y := func(v uint16) int { return int(v) * height / whole }
	return image.Rect(x(b.Left), y(b.Top), x(b.Right), y(b.Bottom)).Inset(-1)
}

type word struct {
	text            string
	box             image.Rectangle // in pixels of the picture
	confidence      float64         // 0 to 100
	line, paragraph int             // numbered over the page, as read
}

// words reads Tesseract's table: level, page, block, paragraph, line, word, left, top, width, height, confidence
// and text, separated by tabs.
func words(table string) []word {
	const levelWord, levelLine, levelParagraph = "5", "4", "3"
	var all []word
	lines, paragraphs := 0, 0
	for row := range strings.Lines(table) {
		f := strings.SplitN(strings.TrimRight(row, "\r\n"), "\t", 12)
		switch {
		case len(f) < 11:
		case f[0] == levelParagraph:
			paragraphs++
		case f[0] == levelLine:
			lines++
		case f[0] == levelWord && len(f) == 12:
			text := strings.Map(visible, f[11])
			if text == "" {
				continue
			}
			left, top, wide, high := number(f[6]), number(f[7]), number(f[8]), number(f[9])
			confidence, _ := strconv.ParseFloat(f[10], 64)
			all = append(all, word{text: text, box: image.Rect(left, top, left+wide, top+high), confidence: confidence,
				line: lines, paragraph: paragraphs})
		}
	}
	return all
}

func number(s string) int {
	v, _ := strconv.Atoi(s)
	return v
}

// visible drops what would divide a word or not be seen.
func visible(r rune) rune {
	if unicode.IsSpace(r) || unicode.IsControl(r) || !unicode.IsGraphic(r) {
		return -1
	}
	return r
}

func textOf(all []word, width, height int) Text {
	var t Text
	var b strings.Builder
	share := func(v, all int) uint16 { return uint16(max(0, min(whole, v*whole/all))) }
	for i, w := range all {
		switch {
		case i == 0:
		case all[i-1].paragraph != w.paragraph:
			b.WriteString("\n\n")
		case all[i-1].line != w.line:
			b.WriteByte('\n')
		default:
			b.WriteByte(' ')
		}
		b.WriteString(w.text)
		if w.confidence < unsureBelow && strings.ContainsFunc(w.text, unicode.IsDigit) {
			b.WriteString(Unsure)
		}
		t.Boxes = append(t.Boxes, Box{share(w.box.Min.X, width), share(w.box.Min.Y, height), share(w.box.Max.X, width), share(w.box.Max.Y, height)})
	}
	t.Text, t.Certainty = b.String(), int(certainty(all))
	return t
}
