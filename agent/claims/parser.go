package claims

import (
	"math"
	"strconv"
)

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
