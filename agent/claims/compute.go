package claims

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/memory/rank"
)

// computed reports whether a number is the result of a computation over cited numbers: one
// that was written out, or a sum, difference, product, quotient or percentage of two numbers
// of the sentence's own citations.
func computed(number string, written, cited, own []string) bool {
	for _, w := range written {
		w, _, _ = strings.Cut(w, "=")
		if slices.ContainsFunc(rank.Numbers(w), func(n string) bool { return !slices.Contains(cited, n) && n != "100" }) {
			continue
		}
		if v, ok := evaluate(w); ok && rounds(v, number) {
			return true
		}
	}
	if len(own) > 8 { // so many numbers give almost any result
		return false
	}
	for i, a := range values(own) {
		for j, b := range values(own) {
			if i == j {
				continue
			}
			if rounds(a-b, number) || i < j && (rounds(a+b, number) || rounds(a*b, number)) {
				return true
			}
			if b != 0 && (rounds(a/b, number) || strings.HasSuffix(number, "%") && (rounds(a/b*100, number) || rounds((a-b)/b*100, number) || rounds((b-a)/b*100, number))) {
				return true
			}
		}
	}
	return false
}

func values(numbers []string) []float64 {
	var list []float64
	for _, n := range numbers {
		if v, err := strconv.ParseFloat(strings.TrimSuffix(n, "%"), 64); err == nil {
			list = append(list, v)
		}
	}
	return list
}

// rounds reports whether v is the number as far as its decimals show.
func rounds(v float64, number string) bool {
	number = strings.TrimSuffix(number, "%")
	want, err := strconv.ParseFloat(number, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return false
	}
	_, decimals, _ := strings.Cut(number, ".")
	return math.Abs(v-want) <= 0.5*math.Pow(10, -float64(len(decimals)))+1e-9
}

var token = regexp.MustCompile(`\d+(?:[.,]\d+)*%?|[-+*/()×÷−]`)

// evaluate computes an arithmetic expression of numbers, + - * / and brackets. Numbers are read as rank.Numbers reads them.
func evaluate(expression string) (float64, bool) {
	expression = strings.NewReplacer("×", "*", "÷", "/", "−", "-").Replace(expression)
	p := parser{tokens: token.FindAllString(expression, -1)}
	v := p.sum()
	return v, !p.failed && len(p.tokens) == 0
}

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
	if err != nil {
		list := values(rank.Numbers(p.tokens[0]))
		if len(list) != 1 {
			p.failed = true
			return 0
		}
		v = list[0]
	}
	p.tokens = p.tokens[1:]
	return v
}
