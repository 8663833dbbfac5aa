package claims

import (
	"math"
	"slices"
	"strconv"
)

// parser is a recursive descent over tokens.
type parser struct {
	tokens []string
	failed bool
}

func (p *parser) take(options ...string) string {
	if len(p.tokens) > 0 && slices.Contains(options, p.tokens[0]) {
		t := p.tokens[0]
		p.tokens = p.tokens[1:]
		return t
	}
	return ""
}

func (p *parser) sum() float64 {
	v := p.product()
	for op := p.take("+", "-"); op != ""; op = p.take("+", "-") {
		if w := p.product(); op == "+" {
			v += w
		} else {
			v -= w
		}
	}
	return v
}

func (p *parser) product() float64 {
	v := p.power()
	for op := p.take("*", "/"); op != ""; op = p.take("*", "/") {
		if w := p.power(); op == "*" {
			v *= w
		} else {
			v /= w
		}
	}
	return v
}

func (p *parser) power() float64 {
	v := p.value()
	if p.take("^") != "" {
		return math.Pow(v, p.power())
	}
	return v
}

func (p *parser) value() float64 {
	switch {
	case p.take("-") != "":
		return -p.value()
	case p.take("(") != "":
		v := p.sum()
		p.failed = p.failed || p.take(")") == ""
		return v
	case len(p.tokens) == 0:
		p.failed = true
		return 0
	}
	v, err := strconv.ParseFloat(p.tokens[0], 64)
	p.failed = p.failed || err != nil
	p.tokens = p.tokens[1:]
	return v
}
