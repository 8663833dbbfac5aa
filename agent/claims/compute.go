package claims

import (
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"threadkeeper/memory/reading"
)

// computed reports whether a number is computed: by what the reply writes out, or from two numbers that stand together.
// reason is what is wrong with the computation.
func (r *Reply) computed(c *Claim, q reading.Quantity) (ok bool, reason Reason) {
	for k, list := range [][]sum{c.sums, r.sums} {
		for _, s := range list {
			unknown := r.unknown(s)
			switch {
			case k == 0 && s.uses(q) && (unknown == "" || !strings.Contains(q.Shown, unknown)):
				return true, Reason{}
			case s.gives(q) && unknown == "":
				r.results = append(r.results, q)
				return true, Reason{}
			case s.gives(q):
				reason = Reason{Cause: Nowhere, Number: unknown}
			case k == 0 && len(c.sums) == 1 && q.Measures() && !slices.ContainsFunc(c.numbers, s.gives) && reason.Cause == NoCause:
				reason = s.reason(q.Shown)
			}
		}
	}
	if pointNoun.MatchString(c.folded[q.To:]) {
		q.Percent = true
	}
	ok = c.multiple(q) || c.ends(q) || c.takes(q) || slices.ContainsFunc(c.together(q), func(t []float64) bool { return implied(q, t) })
	return ok, reason
}

// pointNoun matches what stands behind a difference of percentages.
var pointNoun = regexp.MustCompile(`^ (?:points?|punkte?n?|puntos?)\b`)

// reason says that a computation does not give the number shown.
func (s sum) reason(shown string) Reason {
	return Reason{Cause: Result, Words: s.written + " = " + strconv.FormatFloat(math.Round(s.value*1e4)/1e4, 'f', -1, 64), Number: shown}
}

// together are lists of numbers that stand together: the claim's others, a row or a sentence cited.
func (c *Claim) together(q reading.Quantity) (all [][]float64) {
	add := func(numbers []reading.Quantity, but, scale int) {
		var list, percents []float64 // only like numbers make another
		for _, v := range numbers {
			switch n := v.Whole().Amount(); {
			case !v.Measures() || v.From == but:
			case v.Percent:
				percents = append(percents, n)
			case scale > 0 && v.Scale == 0 && !q.Bare():
				list = append(list, n*pow(scale))
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

// citedNumbers are the numbers of the sentences that a claim cites.
func (c *Claim) citedNumbers() (all []reading.Quantity) {
	for _, e := range c.own {
		for _, s := range e.sentences {
			all = append(all, s.Quantities()...)
		}
	}
	return all
}

// multiple reports whether an amount is that of a quarter or a year for one of a month that the claim or its places
// give, or the other way round, or a percentage of it that they give, as of what has a unit.
func (c *Claim) multiple(q reading.Quantity) bool {
	all := append(c.citedNumbers(), c.numbers...)
	for _, v := range all {
		share := func(p reading.Quantity) bool { return p.Percent && q.Near(v.Amount()*p.Digits/100, pow(q.Scale)) }
		if q.Unit != "" && v.Unit == q.Unit && v.Digits != q.Digits && slices.ContainsFunc(all, share) {
			return true
		}
		if q.Currency == "" || v.Currency != q.Currency || v.Digits == q.Digits || q.Digits < 100*q.Step {
			continue
		}
		for _, k := range []float64{3, 4, 12, 52} {
			if q.Near(v.Amount()*k, pow(q.Scale)) || q.Near(v.Amount()/k, pow(q.Scale)) {
				return true
			}
		}
		if slices.ContainsFunc(all, share) {
			return true
		}
	}
	return false
}

// ends reports whether a date is one that is cited with a time added that is cited too.
func (c *Claim) ends(q reading.Quantity) bool {
	all := c.citedNumbers()
	for _, d := range all {
		for _, n := range all {
			span, k := map[string][3]int{"year": {1}, "month": {0, 1}, "week": {0, 0, 7}, "day": {0, 0, 1}}[n.Unit], int(n.Digits)
			if q.Month == 0 || q.Year == 0 || d.Day == 0 || d.Year == 0 || span == [3]int{} {
				continue
			}
			end := time.Date(d.Year, time.Month(d.Month), d.Day, 0, 0, 0, 0, time.UTC).AddDate(span[0]*k, span[1]*k, span[2]*k)
			for _, at := range []time.Time{end, end.AddDate(0, 0, -1)} {
				if at.Year() == q.Year && int(at.Month()) == q.Month && (q.Day == 0 || q.Day == at.Day()) {
					return true
				}
			}
		}
	}
	return false
}

// takes reports whether a number of minutes or hours is the time between two times of day that the claim gives, or one of
// years between two years beside each other that it gives or cites.
func (c *Claim) takes(q reading.Quantity) bool {
	for _, list := range [][]reading.Quantity{c.numbers, c.citedNumbers()} {
		for i := 1; i < len(list); i++ {
			if q.Unit == "year" && list[i].IsYear() && list[i-1].IsYear() && math.Abs(list[i].Digits-list[i-1].Digits) == q.Digits {
				return true
			}
		}
	}
	var times []time.Time
	for _, n := range c.numbers {
		if at, err := time.Parse("15:04", n.Shown); err == nil {
			times = append(times, at)
		}
	}
	unit := map[string]time.Duration{"minute": time.Minute, "hour": time.Hour}[q.Unit]
	for i := range times {
		if i > 0 && unit > 0 && q.Near(math.Abs(float64(times[i].Sub(times[i-1]))), float64(unit)) {
			return true
		}
	}
	return false
}

// unknown is the first operand of a computation that stands nowhere, "" if all are known: constants, numbers of the pages
// cited in whatever scale, of the request and what was said before, and results, of later computations too.
func (r *Reply) unknown(s sum) string {
	for _, o := range s.operands {
		same := func(v reading.Quantity) bool {
			part := v.Digits / 100
			return !v.Mark && (v.Form == o.Form || o.Near(v.Digits, 1) || o.InSomeScale(v.Amount()) || v.Percent && (o.Near(part, 1) || o.Near(1+part, 1) || o.Near(1-part, 1)))
		}
		result := func(x sum) bool { return x.written != s.written && o.Near(x.value, 1) }
		if !constant(o) && !slices.ContainsFunc(r.asked, same) && !slices.ContainsFunc(r.known, same) && !slices.ContainsFunc(r.results, same) && !slices.ContainsFunc(r.sums, result) &&
			!slices.ContainsFunc(r.evidence, func(e *evidence) bool { return e.page.Holds(same) }) {
			return o.Shown
		}
	}
	return ""
}

func pow(n int) float64 { return math.Pow10(n) }
