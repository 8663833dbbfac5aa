package claims

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/memory/reading"
)

// sum is a computation that a reply writes out.
type sum struct {
	written  string
	value    float64
	operands []reading.Quantity
}

var (
	operator = strings.NewReplacer("×", "*", "÷", "/", "−", "-", "–", "-", "·", "*", " x ", " * ", "[", "(", "]", ")", "**", "^")
	// equation matches the left side of one in running text, on folded text.
	equation = reading.Lazy(`((?:[$€£(]*\d[\d.,]*(?: (?:thousand|million|billion|tsd|mio|mrd)\.?)?[)%]*\s*(?:[-+*/×÷−–x]|\*\*)\s*)+[$€£(]*\d[\d.,]*(?: (?:thousand|million|billion|tsd|mio|mrd)\.?)?[)%]*)\s*[=≈]`)
)

// readSum reads a computation: numbers, + - * / ^, brackets, average(a, b). Words beside the numbers are passed over.
func readSum(written string) (sum, bool) {
	left, _, _ := strings.Cut(strings.TrimLeft(strings.TrimSpace(written), "="), "=")
	left, _, _ = strings.Cut(left, "≈")
	folded, list := reading.Quantities(reading.JoinThousands(operator.Replace(left)))
	s, p, at := sum{written: strings.TrimSpace(left)}, parser{}, 0
	symbols := func(text string) {
		for _, r := range text {
			if strings.ContainsRune("+-*/^()", r) {
				p.tokens = append(p.tokens, string(r))
			}
		}
	}
	for _, q := range list {
		if q.From < at || q.Word {
			continue
		}
		if q.IsDate() || q.Name {
			return s, false
		}
		symbols(folded[at:q.From])
		v := q.Digits * math.Pow10(q.Scale)
		if q.Percent && strings.ContainsAny(left, "*/×÷") {
			v /= 100
		}
		s.operands = append(s.operands, q)
		s.value += v
		p.tokens = append(p.tokens, strconv.FormatFloat(v, 'g', -1, 64))
		at = q.To
	}
	if strings.Contains(folded, "average") {
		s.value /= float64(len(s.operands))
		return s, len(s.operands) > 1
	}
	symbols(folded[at:])
	s.value = p.expression(0)
	return s, !p.failed && len(p.tokens) == 0 && len(s.operands) > 0 && !math.IsNaN(s.value) && !math.IsInf(s.value, 0)
}

// sumsIn are the computations of a claim: marked ones, and equations in its text.
func sumsIn(folded string, marks []*mark) []sum {
	var all []sum
	for _, m := range marks {
		if s, ok := readSum(m.sum); ok && m.sum != "" {
			all = append(all, s)
		}
	}
	for _, m := range equation.FindAllStringSubmatch(folded, -1) {
		if s, ok := readSum(m[1]); ok {
			all = append(all, s)
		}
	}
	return all
}

// uses reports whether a number is an operand of the computation, in whatever scale.
func (s sum) uses(q reading.Quantity) bool {
	return slices.ContainsFunc(s.operands, func(o reading.Quantity) bool {
		return o.Form == q.Form || o.Digits == q.Whole().Digits && o.Percent == q.Percent && o.Bare()
	})
}

// gives reports whether a number is the result of the computation, in whatever scale its operands are written.
func (s sum) gives(q reading.Quantity) bool {
	if q.Percent || q.Points {
		return slices.ContainsFunc([]float64{s.value, s.value * 100, (s.value - 1) * 100, (1 - s.value) * 100, s.value / 100}, func(v float64) bool { return q.Near(v, 1) })
	}
	return q.Near(s.value, math.Pow10(q.Scale)) || !slices.ContainsFunc(s.operands, func(o reading.Quantity) bool { return o.Scale > 0 }) && q.InSomeScale(s.value)
}

// parser reads an expression of tokens: numbers, + - * / ^ and brackets.
type parser struct {
	tokens []string
	failed bool
}

func (p *parser) next() (t string) {
	if len(p.tokens) > 0 {
		t, p.tokens = p.tokens[0], p.tokens[1:]
	}
	return t
}

// binds returns an operator's precedence, 0 for other characters.
var binds = map[string]int{"+": 1, "-": 1, "*": 2, "/": 2, "^": 3}

// expression reads operators that bind more tightly than above.
func (p *parser) expression(above int) float64 {
	v := p.value()
	for len(p.tokens) > 0 && binds[p.tokens[0]] > above {
		op := p.next()
		switch w := p.expression(binds[op]); op {
		case "+":
			v += w
		case "-":
			v -= w
		case "*":
			v *= w
		case "/":
			v /= w
		case "^":
			v = math.Pow(v, w)
		}
	}
	return v
}

func (p *parser) value() float64 {
	t := p.next()
	switch t {
	case "-":
		return -p.value()
	case "(":
		v := p.expression(0)
		p.failed = p.next() != ")" || p.failed
		return v
	}
	v, err := strconv.ParseFloat(t, 64)
	p.failed = p.failed || err != nil
	return v
}
