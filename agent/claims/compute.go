package claims

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/memory/reading"
)

// computed reports whether a number is computed: by what the reply writes out, or from two numbers that stand together.
// reason is what is wrong with the computation.
func (r *Reply) computed(c *Claim, q reading.Quantity) (ok bool, reason Reason) {
	for k, list := range [][]sum{c.sums, r.sums} {
		for _, s := range list {
			unknown := r.unknown(s)
			switch {
			case k == 0 && s.uses(q) && (unknown == "" || !strings.Contains(q.Shown, unknown)), s.gives(q) && unknown == "":
				return true, Reason{}
			case s.gives(q):
				reason = Reason{Cause: Nowhere, Number: unknown}
			case k == 0 && len(c.sums) == 1 && q.Measures() && !r.shows(s) && reason.Cause == NoCause:
				reason = s.reason(q.Shown)
			}
		}
	}
	if pointNoun.MatchString(c.folded[q.To:]) {
		q.Percent = true
	}
	lists, results := c.together(q), []float64{} // "11.9% and 11.0%, 0.9 points more"
	for _, s := range r.sums[max(0, len(r.sums)-4):] {
		v := s.value
		if (q.Percent || q.Points) && math.Abs(v) < 1 {
			v *= 100
		}
		results = append(results, v)
	}
	lists = append(lists, results)
	return slices.ContainsFunc(lists, func(t []float64) bool { return (c.cells != nil || !small(q)) && implied(q, t) }), reason
}

// small reports whether a number is one that two others give by chance.
func small(q reading.Quantity) bool { return (q.Bare() || q.Scale > 0) && q.Digits < 10*q.Step }

// shows reports whether a number of the reply is the result of a computation.
func (r *Reply) shows(s sum) bool {
	return slices.ContainsFunc(r.blocks, func(b *Block) bool {
		return slices.ContainsFunc(b.Claims, func(c *Claim) bool { return slices.ContainsFunc(c.numbers, s.gives) })
	})
}

// pointNoun matches what stands behind a difference of percentages.
var pointNoun = reading.Lazy(`^ (?:points?|punkte?n?|puntos?)\b`)

// reason says that a computation does not give the number shown.
func (s sum) reason(shown string) Reason {
	return Reason{Cause: Result, Words: s.written + " = " + strconv.FormatFloat(math.Round(s.value*1e4)/1e4, 'f', -1, 64), Number: shown}
}

// together are lists of like numbers that stand together: the claim's others, a row or a sentence cited.
func (c *Claim) together(q reading.Quantity) (all [][]float64) {
	add := func(numbers []reading.Quantity, but, scale int) {
		var list, percents []float64
		for _, v := range numbers {
			switch n := v.Whole().Amount(); {
			case !v.Measures() || v.From == but:
			case v.Percent:
				percents = append(percents, n)
			case scale > 0 && v.Scale == 0 && !q.Bare():
				list = append(list, n*math.Pow10(scale))
			default:
				list = append(list, n)
			}
		}
		if all = append(all, list); but < 0 {
			all = append(all, percents)
		}
	}
	add(c.numbers, q.From, 0)
	for _, e := range c.own {
		for _, x := range e.rows {
			add(x.Values, -1, x.Scale)
		}
		for _, s := range e.sentences {
			add(s.Quantities(), -1, 0)
		}
	}
	return all
}

// implied reports whether a number is a difference, sum, change or share of two of a few numbers that stand together, or the sum
// of all. Of many, almost any result can be made.
func implied(q reading.Quantity, together []float64) bool {
	if len(together) < 2 || q.IsYear() {
		return false
	}
	total, unit, ratio := 0.0, math.Pow10(q.Scale), q.Percent || q.Points
	for i, a := range together {
		if total += a; len(together) > 4 {
			continue
		}
		for j, b := range together {
			switch {
			case i == j:
			case ratio && (b != 0 && (q.Near((a-b)/b*100, 1) || q.Near(a/b*100, 1)) || a < 100 && b < 100 && q.Near(a-b, 1)):
				return true
			case !ratio && (a > b && q.Near(a-b, unit) || q.Near(a+b, unit)):
				return true
			}
		}
	}
	return !ratio && q.Near(total, unit)
}

// unknown is the first operand of a computation that stands nowhere, "" if all are known: constants, numbers of the pages
// cited in whatever scale, of the request and what was said before, and results of other computations.
func (r *Reply) unknown(s sum) string {
	for _, o := range s.operands {
		same := func(v reading.Quantity) bool {
			part := v.Digits / 100
			return !v.Mark && (v.Form == o.Form || o.Near(v.Digits, 1) || o.InSomeScale(v.Amount()) || v.Percent && (o.Near(part, 1) || o.Near(1+part, 1) || o.Near(1-part, 1)))
		}
		result := func(x sum) bool { return x.written != s.written && x.gives(o) }
		if !constant(o) && !slices.ContainsFunc(r.asked, same) && !slices.ContainsFunc(r.known(), same) && !slices.ContainsFunc(r.sums, result) &&
			!slices.ContainsFunc(r.evidence, func(e *evidence) bool { return e.page.Holds(same) }) {
			return o.Shown
		}
	}
	return ""
}

// constant reports whether a number is no datum: a count, days, weeks, months, quarters, percent, thousands.
func constant(q reading.Quantity) bool {
	if q.Currency != "" || q.Percent {
		return q.Percent && q.Digits == 100
	}
	return q.Decimals == 0 && q.Digits <= 12 || slices.Contains([]float64{0.001, 0.01, 0.25, 0.5, 1.5, 24, 30, 31, 52, 53, 60, 90, 91, 100, 180, 182, 250, 252, 360, 364, 365, 366, 1000, 10_000, 1_000_000, 1_000_000_000}, q.Amount())
}
