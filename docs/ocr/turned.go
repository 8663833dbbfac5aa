package ocr

import (
	"image"
	"slices"
	"unicode/utf8"
)

// The engine sees that the lines of a page run up or down, but not which way is up: on half of the pages that lie wrong
// what it reads makes no sense, with little confidence. Such a page is turned by half and read once more.

// doubtfulBelow is the certainty below which a picture is turned: print had 96 upright and 22 upside down.
const doubtfulBelow = 60

// doubtful reports whether words may be those of a turned page; of a picture without words there is nothing to doubt.
func doubtful(all []word) bool { return len(all) > 0 && certainty(all) < doubtfulBelow }

func certainty(all []word) float64 {
	sum, letters := 0.0, 0
	for _, w := range all {
		n := utf8.RuneCountInString(w.text)
		sum, letters = sum+w.confidence*float64(n), letters+n
	}
	return sum / float64(max(1, letters))
}

func (p Picture) turn() Picture {
	p.Pixels = slices.Clone(p.Pixels)
	slices.Reverse(p.Pixels)
	return p
}

// backFrom is words of a picture that was turned, with their boxes on the picture as it was.
func backFrom(all []word, p Picture) []word {
	for i := range all {
		b := all[i].box
		all[i].box = image.Rect(p.Width-b.Max.X, p.Height-b.Max.Y, p.Width-b.Min.X, p.Height-b.Min.Y)
	}
	return all
}
