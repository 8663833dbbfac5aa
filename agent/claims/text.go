package claims

import (
	"bytes"
	"slices"
	"strings"

	"threadkeeper/memory/reading"
)

// Text returns a block as people see it: with the number of each place instead of its citation, a computation where its
// numbers do not stand beside it, and without citations in a form that nothing can check. Claims that leave rejects are left
// out. unchecked is the mark for how many unchecked claims follow each other, behind the last of them; below a table if all its
// rows are. nil is none.
func (b *Block) Text(number func(Place) string, leave func(*Claim) bool, unchecked func(n int) string) string {
	w := writer{block: b, number: number}
	at, left, run := 0, 0, 0
	all := b.table && !slices.ContainsFunc(b.Claims, func(c *Claim) bool { return c.Outcome == Verified || c.Outcome == Contradicted })
	for i, c := range b.Claims {
		if b.table {
			w.write(b.skeleton[at:c.from]) // lines that claim nothing
			at = c.from
		}
		if leave(c) {
			if left++; at == 0 && !b.table && left < len(b.Claims) {
				w.write(b.skeleton[:c.from])
			}
			at = c.to
			continue
		}
		w.write(b.skeleton[at:c.to])
		at = c.to
		if c.Outcome != Unchecked || unchecked == nil {
			continue
		}
		if run++; b.table && !all || !b.table && (i+1 == len(b.Claims) || b.Claims[i+1].Outcome != Unchecked) {
			w.mark(" ", unchecked(run))
			run = 0
		}
	}
	if left > 0 && left == len(b.Claims) {
		return ""
	}
	if w.write(b.skeleton[at:]); run > 0 {
		w.mark("\n\n", unchecked(run))
	}
	if end := b.skeleton[len(strings.TrimRight(b.skeleton, "\n")):]; left > 0 && !bytes.HasSuffix(w.out, []byte(end)) { // it went with the last claim
		w.out = append(bytes.TrimRight(w.out, " \n"), end...)
	}
	return brokenBehind.ReplaceAllString(string(w.out), "$1")
}

var brokenBehind = reading.Lazy(` *` + brokenMark + `(?: +([.,;:]))?`)

// writer writes the text of a block.
type writer struct {
	block  *Block
	number func(Place) string
	out    []byte
	gap    bool // a mark that shows nothing stood behind a blank
}

func (w *writer) write(skeleton string) {
	for _, x := range skeleton {
		if !isPlaceholder(x) {
			if w.gap && strings.ContainsRune(".,;:", x) {
				w.out = bytes.TrimRight(w.out, " ")
			}
			if x != ' ' || !w.gap {
				w.out = append(w.out, string(x)...)
			}
			w.gap = w.gap && x == ' '
			continue
		}
		m := w.block.marks[x-0xE000]
		if s := w.block.working(m); s != "" {
			if !bytes.HasSuffix(w.out, []byte(" ")) {
				w.out = append(w.out, ' ')
			}
			w.out = append(w.out, "(= "+s+")"...)
		}
		for _, e := range m.found {
			if e.place.Quote == "" {
				continue
			}
			if n := w.number(e.place); !bytes.HasSuffix(w.out, []byte(n)) {
				w.out = append(w.out, n...)
			}
		}
		w.gap = bytes.HasSuffix(w.out, []byte(" "))
	}
}

// mark puts words behind the last that were written, in the last cell of a row, with what parts them.
func (w *writer) mark(parting, words string) {
	end := len(bytes.TrimRight(w.out, " \n"))
	if parting == " " && w.block.table && bytes.HasSuffix(w.out[:end], []byte("|")) {
		end = len(bytes.TrimRight(w.out[:end-1], " "))
	}
	w.out = slices.Insert(w.out, end, []byte(parting+words)...)
}

// working is a computation as people read it, "" if its numbers stand in the block anyway.
func (b *Block) working(m *mark) string {
	s, ok := readSum(m.sum)
	if !ok || !figures.MatchString(m.sum) || len(s.written) > longestWorking || !slices.ContainsFunc(s.operands, func(o reading.Quantity) bool {
		return !constant(o) && !slices.ContainsFunc(b.Claims, func(c *Claim) bool {
			return slices.ContainsFunc(c.numbers, func(n reading.Quantity) bool { return n.Form == o.Form || n.Near(o.Amount(), 1) })
		})
	}) {
		return ""
	}
	return reading.CollapseSpace(readable.Replace(s.written))
}

const longestWorking = 150 // bytes

var (
	// figures matches a computation without words of its own.
	figures  = reading.Lazy(`^(?:[\d\s.,+*/×÷−–^()$€£%=-]|average|thousand|million|billion)+$`)
	readable = strings.NewReplacer("**", "^", "*", " × ", "/", " / ", "+", " + ")
)
