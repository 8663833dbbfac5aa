package pdfium

import "math"

// Landscape tables are often printed on turned pages, their lines running up or down. The engine
// finds the words of such lines but not the lines: the end of a row and the start of the next
// become one word.

// turn is where the lines of a page run.
type turn int

const (
	upright turn = iota
	upwards
	downwards
	upsideDown
)

const turnedSample = 64 // characters looked at to tell a turned page

// turned is how most of the page's text runs, n being its characters.
func (p *openPage) turned(n int) turn {
	step := max(1, n/turnedSample)
	looked, most := 0, [upsideDown + 1]int{}
	for i := 0; i < n; i += step {
		if p.in.Call("FPDFText_IsGenerated", p.text, uint64(i)) == 1 {
			continue
		}
		looked++
		most[p.direction(uint64(i))]++
	}
	for _, t := range []turn{upwards, downwards} {
		if 2*most[t] > looked {
			return t
		}
	}
	return upright
}

// direction is where the line of a character of the engine's list runs.
func (p *openPage) direction(char uint64) turn {
	angle := p.float("FPDFText_GetCharAngle", p.text, char) // clockwise
	switch sin, cos := math.Sincos(angle); {
	case cos > math.Sqrt2/2:
		return upright
	case sin > math.Sqrt2/2:
		return downwards
	case sin < -math.Sqrt2/2:
		return upwards
	}
	return upsideDown
}

func (g *glyphs) direction(i int) turn { return g.page.direction(g.char(i)) }

// frame turns a box so that lines of this direction run to the right.
func (t turn) frame(r Rect) Rect {
	switch t {
	case upwards:
		return Rect{Left: r.Bottom, Right: r.Top, Bottom: -r.Right, Top: -r.Left}
	case downwards:
		return Rect{Left: -r.Top, Right: -r.Bottom, Bottom: r.Left, Top: r.Right}
	}
	return r
}
