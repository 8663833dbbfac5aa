package claims

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/memory/rank"
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
	mean := strings.Contains(rank.Fold(left), "average")
	folded, list := reading.Quantities(operator.Replace(left))
	s := sum{written: strings.TrimSpace(left)}
	var tokens []string
	at := 0
	symbols := func(text string) {
		for _, r := range text {
			if strings.ContainsRune("+-*/^()", r) || mean && r == ',' {
				tokens = append(tokens, string(r))
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
		v := q.Digits * math.Pow(10, float64(q.Scale))
		if q.Percent && strings.ContainsAny(left, "*/×÷") {
			v /= 100
		}
		q.Negative = false
		s.operands = append(s.operands, q)
		tokens = append(tokens, strconv.FormatFloat(v, 'g', -1, 64))
		at = q.To
	}
	symbols(folded[at:])
	p := parser{tokens: tokens}
	s.value = p.expression(0)
	if mean && len(s.operands) > 1 {
		s.value = 0
		for _, q := range s.operands {
			s.value += q.Amount() / float64(len(s.operands))
		}
		return s, true
	}
	return s, !p.failed && len(p.tokens) == 0 && len(s.operands) > 0 && !math.IsNaN(s.value) && !math.IsInf(s.value, 0)
}

// sumsIn are the computations of a claim: marked ones, and equations in its text.
func sumsIn(folded string, marks []mark) []sum {
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

// gives reports whether a number is the result of the computation, in whatever scale its operands are written.
func (s sum) gives(q reading.Quantity) bool {
	if q.Percent || q.Points {
		return slices.ContainsFunc([]float64{s.value, s.value * 100, (s.value - 1) * 100, (1 - s.value) * 100, s.value / 100}, func(v float64) bool { return q.Near(v, 1) })
	}
	if q.Near(s.value, pow(q.Scale)) {
		return true
	}
	scaled := slices.ContainsFunc(s.operands, func(o reading.Quantity) bool { return o.Scale > 0 })
	return !scaled && q.InSomeScale(s.value)
}

// constants are numbers that are no datum: counts, days, weeks, months, quarters, percent, thousands.
func constant(q reading.Quantity) bool {
	if q.Currency != "" || q.Percent {
		return q.Percent && q.Digits == 100
	}
	return q.Decimals == 0 && q.Digits <= 12 || slices.Contains([]float64{24, 30, 31, 52, 53, 60, 90, 91, 100, 180, 182, 250, 252, 360, 364, 365, 366, 1000, 10_000, 1_000_000, 1_000_000_000}, q.Amount()) ||
		slices.Contains([]float64{0.5, 0.25, 1.5, 0.01, 0.001, 365.25}, q.Amount())
}

// derives matches the words of a claim that has a number computed.
var derives = regexp.MustCompile(`% of|\b(?:by|differen\w+|change[sd]?|total\w*|sum|together|combined|average|mean|median|share|ratio|margin|times|twice|half|more|less|fewer|than|yearly|annual\w*|monthly|quarterly|rise|rose|risen|fell|fallen|up|down|gap|saving|cost|um|mehr|weniger|zusammen|insgesamt|summe|schnitt|durchschnitt\w*|anteil|plus|minus|de plus|moins|ensemble|moyenne|mas|menos|juntos|promedio|increase\w*|decrease\w*|grow\w*|grew|declin\w*)\b|増|減|合計|平均`)

// implied reports whether a number is a difference, sum, average, share or change of two of a few numbers that stand
// together. Of many, almost any result can be made.
func implied(q reading.Quantity, together []float64) bool {
	if len(together) < 2 || len(together) > 4 || q.IsYear() || q.Bare() && q.Digits < 10 && q.Decimals == 0 {
		return false
	}
	total := 0.0
	for i, a := range together {
		total += a
		for j, b := range together {
			if i == j {
				continue
			}
			if q.Percent || q.Points {
				if b != 0 && (q.Near(a/b*100, 1) || q.Near((a-b)/b*100, 1)) || q.Near(a-b, 1) && a < 100 && b < 100 {
					return true
				}
				continue
			}
			own := math.Pow(10, float64(q.Scale))
			if a > b && q.Near(a-b, own) || i < j && q.Near(a+b, own) {
				return true
			}
		}
	}
	return !q.Percent && !q.Points && q.Near(total, math.Pow(10, float64(q.Scale)))
}
