package pdfium

import "math"

// A page is a scan when images cover at least scanCover of it and it has fewer than scanLetters visible characters (a page
// number may be real text), or fewer than stampLetters that all stand in its margins, as the stamp of a court or a
// footer.
const (
	scanLetters  = 20
	stampLetters = 300
	margin       = 0.08 // of the page's width and height
	scanCover    = 0.5

	maxPageObjects = 5000 // looked at per page; a scan has one, or some hundred strips
	maxFormDepth   = 3
	coverGrid      = 64 // cells per side
)

// Kinds of page objects (FPDF_PAGEOBJ_*).
const (
	objectImage = 3
	objectForm  = 5
)

func (p *openPage) inMargins() bool {
	b := p.box
	x, y := margin*(b.Right-b.Left), margin*(b.Top-b.Bottom)
	g := p.glyphs(2 * stampLetters)
	for i := range g.units {
		c := g.box(i)
		h, v := (c.Left+c.Right)/2, (c.Bottom+c.Top)/2
		if !g.blank(i) && c.meets(b) && h > b.Left+x && h < b.Right-x && v > b.Bottom+y && v < b.Top-y {
			return false
		}
	}
	return true
}

// images calls f with each image of the page, and each form that shows one, and its bounds; those that are not known are empty.
func (p *openPage) images(f func(object uint64, bounds Rect)) {
	in := p.in
	n := min(in.Call("FPDFPage_CountObjects", p.handle), maxPageObjects)
	for i := range n {
		o := in.Call("FPDFPage_GetObject", p.handle, i)
		if !p.showsImage(o, maxFormDepth) {
			continue
		}
		var bounds Rect
		// left, bottom, right, top
		if in.Call("FPDFPageObj_GetBounds", o, in.out(0, 4), in.out(1, 4), in.out(2, 4), in.out(3, 4)) != 0 {
			bounds = Rect{Left: in.float32At(0), Bottom: in.float32At(1), Right: in.float32At(2), Top: in.float32At(3)}
		}
		f(o, bounds)
	}
}

// imageCover is the share of the visible page that images cover, 0 to 1; where they overlap they
// count once. An image inside a form counts with the form's bounds.
func (p *openPage) imageCover() float64 {
	var covered [coverGrid][coverGrid]bool
	p.images(func(_ uint64, bounds Rect) { p.cover(&covered, bounds) })
	cells := 0
	for _, row := range covered {
		for _, cell := range row {
			if cell {
				cells++
			}
		}
	}
	return float64(cells) / (coverGrid * coverGrid)
}

// imageDPI is the finest resolution of the page's images in pixels an inch, at most most; that too if one stands in a form, whose scale
// is not looked for. 0 without images.
func (p *openPage) imageDPI(most int) int {
	in := p.in
	finest := 0.0
	p.images(func(o uint64, b Rect) {
		pixels := math.Inf(1)
		if in.Call("FPDFImageObj_GetImagePixelSize", o, in.out(0, 4), in.out(1, 4)) != 0 {
			pixels = float64(in.int32At(0)) * float64(in.int32At(1))
		}
		inches := (b.Right - b.Left) * (b.Top - b.Bottom) / (72 * 72)
		finest = math.Max(finest, math.Sqrt(pixels/inches)) // of both sides: it may lie on one
	})
	if !(finest < float64(most)) {
		return most
	}
	return int(math.Round(finest))
}

func (p *openPage) showsImage(object uint64, depth int) bool {
	in := p.in
	switch in.Call("FPDFPageObj_GetType", object) {
	case objectImage:
		return true
	case objectForm:
		if depth == 0 {
			return false
		}
		n := min(int32(in.Call("FPDFFormObj_CountObjects", object)), maxPageObjects)
		for i := range n {
			if p.showsImage(in.Call("FPDFFormObj_GetObject", object, uint64(i)), depth-1) {
				return true
			}
		}
	}
	return false
}

// cover marks the cells of the page whose centre lies in r.
func (p *openPage) cover(cells *[coverGrid][coverGrid]bool, r Rect) {
	left, right := span(r.Left, r.Right, p.box.Left, p.box.Right)
	bottom, top := span(r.Bottom, r.Top, p.box.Bottom, p.box.Top)
	for y := bottom; y < top; y++ {
		for x := left; x < right; x++ {
			cells[y][x] = true
		}
	}
}

// span is the range of cells whose centres lie between from and to, on an axis that runs from
// start to end.
func span(from, to, start, end float64) (first, last int) {
	cell := (end - start) / coverGrid
	if !(cell > 0) {
		return 0, 0
	}
	at := func(v float64) int {
		return int(math.Round(max(0, min(coverGrid, (v-start)/cell))))
	}
	return at(min(from, to)), at(max(from, to))
}
