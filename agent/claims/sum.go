package claims

import (
	"math"
	"regexp"
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
	equation = regexp.MustCompile(`((?:[$€£(]*\d[\d.,]*(?: (?:thousand|million|billion|tsd|mio|mrd)\.?)?[)%]*\s*(?:[-+*/×÷−–x]|\*\*)\s*)+[$€£(]*\d[\d.,]*(?: (?:thousand|million|billion|tsd|mio|mrd)\.?)?[)%]*)\s*[=≈]`)
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
		v := q.Digits * pow(q.Scale)
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
		return o.Form == q.Form || o.Digits == q.Digits && o.Percent == q.Percent && o.Bare()
	})
}

// gives reports whether a number is the result of the computation, in whatever scale its operands are written.
func (s sum) gives(q reading.Quantity) bool {
	if q.Percent || q.Points {
		return slices.ContainsFunc([]float64{s.value, s.value * 100, (s.value - 1) * 100, (1 - s.value) * 100, s.value / 100}, func(v float64) bool { return q.Near(v, 1) })
	}
	if q.Near(s.value, pow(q.Scale)) || percent.MatchString(s.written) && q.Bare() && q.Near(s.value/100, 1) {
		return true
	}
	return !slices.ContainsFunc(s.operands, func(o reading.Quantity) bool { return o.Scale > 0 }) && q.InSomeScale(s.value)
}

// percent matches a computation that gives hundredths.
var percent = regexp.MustCompile(`\* ?100$`)

// constants are numbers that are no datum: counts, days, weeks, months, quarters, percent, thousands.
func constant(q reading.Quantity) bool {
	if q.Currency != "" || q.Percent {
		return q.Percent && q.Digits == 100
	}
	return q.Decimals == 0 && q.Digits <= 12 || slices.Contains([]float64{0.001, 0.01, 0.25, 0.5, 1.5, 24, 30, 31, 52, 53, 60, 90, 91, 100, 180, 182, 250, 252, 360, 364, 365, 366, 1000, 10_000, 1_000_000, 1_000_000_000}, q.Amount())
}

// implied reports whether a number is a difference, sum or change of two of a few numbers that stand together, or the sum
// of all. Of many, almost any result can be made.
func implied(q reading.Quantity, together []float64) bool {
	if len(together) < 2 || len(together) > 4 || q.IsYear() || (q.Bare() || q.Scale > 0) && q.Digits < 10*q.Step {
		return false
	}
	total, unit := 0.0, pow(q.Scale)
	for i, a := range together {
		total += a
		for j, b := range together {
			switch {
			case i == j:
			case q.Percent || q.Points:
				if b != 0 && q.Near((a-b)/b*100, 1) || a < 100 && b < 100 && q.Near(a-b, 1) {
					return true
				}
			case a > b && q.Near(a-b, unit) || q.Near(a+b, unit):
				return true
			}
		}
	}
	return !q.Percent && !q.Points && q.Near(total, unit)
}
