package claims

import (
	"math"
	"slices"
	"strconv"
)

// derived reports whether a number is computed: by what the reply writes out, or from two numbers that stand together.
func (r *Reply) derived(c *Claim, q quantity, hint *Reason) bool {
	wrong := Reason{}
	for _, s := range c.sums {
		_, unknown := r.operands(c, s)
		if slices.ContainsFunc(s.operands, func(o quantity) bool { return o.Form == q.Form && o.shown != unknown }) {
			return true
		}
	}
	for k, list := range [][]sum{c.sums, r.sums} {
		for _, s := range list {
			scales, unknown := r.operands(c, s)
			if !s.gives(q, scales) {
				if k == 0 && len(c.sums) == 1 && !slices.ContainsFunc(c.numbers, func(o quantity) bool { return s.gives(o, scales) }) && !q.isYear() && !q.isDate() && !q.Name {
					wrong = Reason{Cause: Result, Words: s.written + " = " + strconv.FormatFloat(math.Round(s.value*1e4)/1e4, 'f', -1, 64), Number: q.shown}
				}
				continue
			}
			if unknown == "" {
				r.results = append(r.results, q)
				return true
			}
			*hint = Reason{Cause: Nowhere, Number: unknown}
		}
	}
	together := [][]float64{nil}
	for _, o := range c.numbers {
		if o.From != q.From && !o.isYear() && !o.isDate() && !o.word && !o.Percent {
			together[0] = append(together[0], o.value())
		}
	}
	for _, e := range c.own {
		for _, x := range e.rows {
			var list []float64
			for _, v := range x.values {
				scale := 0
				if x.scale > 0 && v.Scale == 0 && !q.bare() {
					scale = x.scale
				}
				list = append(list, v.value()*pow(scale))
			}
			together = append(together, list)
		}
		for _, s := range e.sentences {
			var list []float64
			for _, v := range s.quantities() {
				if !v.isYear() && !v.isDate() && !v.word && !(v.From == 0 && v.bare()) { // "2.1 The fee"
					list = append(list, v.value())
				}
			}
			together = append(together, list)
		}
	}
	together = append(together, columns(c.own)...)
	if (c.cells != nil || derives.MatchString(c.folded)) && slices.ContainsFunc(together, func(t []float64) bool { return implied(q, t) }) {
		return true
	}
	if hint.Cause == NoCause && wrong.Cause != NoCause && !r.anywhere(c, q) {
		*hint = wrong
	}
	return false
}

// multiple reports whether an amount is that of a year, a quarter or a month for one that the claim or its places give,
// or a percentage of it that they give.
func (c *Claim) multiple(q quantity) bool {
	var all []quantity
	for _, e := range c.own {
		for _, s := range e.sentences {
			all = append(all, s.quantities()...)
		}
	}
	all = append(all, c.numbers...)
	for _, v := range all {
		if q.Currency == "" || v.Currency != q.Currency || v.digits == q.digits || q.digits < 100*q.step {
			continue
		}
		for _, k := range []float64{3, 4, 12, 52, 1. / 3, 1. / 4, 1. / 12, 1. / 52} {
			if q.near(v.value()*k, pow(q.Scale)) {
				return true
			}
		}
		if slices.ContainsFunc(all, func(p quantity) bool { return p.Percent && q.near(v.value()*p.digits/100, pow(q.Scale)) }) {
			return true
		}
	}
	return false
}

// columns are the values of the rows cited that stand in one column.
func columns(list []evidence) [][]float64 {
	var all [][]float64
	for _, e := range list {
		for _, x := range e.rows {
			for i, v := range x.values {
				if i == len(all) {
					all = append(all, nil)
				}
				if n := v.value() * pow(max(x.scale, 0)); !slices.Contains(all[i], n) {
					all[i] = append(all[i], n)
				}
			}
		}
	}
	return all
}

// anywhere reports whether a number stands on a page that the reply cites, or in the request.
func (r *Reply) anywhere(c *Claim, q quantity) bool {
	return slices.ContainsFunc(r.evidence, func(e evidence) bool { return r.onPage(q, e) }) || slices.ContainsFunc(r.asked, func(a quantity) bool { return a.Form == q.Form })
}

// operands are the scales of the tables that a computation's operands stand in, and the first operand that stands
// nowhere, "" for none.
func (r *Reply) operands(c *Claim, s sum) (scales []int, unknown string) {
	for _, o := range s.operands {
		known := constant(o)
		for _, e := range r.evidence {
			for i := range e.page.rows {
				x := &e.page.rows[i]
				for _, v := range x.values {
					if f := o.fits(v, x.scale); f == offScale {
						known = true // in another scale than the table's
					} else if f == fits {
						known = true
						if x.scale > 0 && o.Scale == 0 && o.near(v.digits, 1) {
							scales = append(scales, x.scale)
						}
					}
				}
			}
			known = known || e.page.holds(func(v quantity) bool {
				part := v.digits / 100
				return !v.mark && o.fits(v, -1) == fits || v.Percent && (o.near(part, 1) || o.near(1+part, 1) || o.near(1-part, 1))
			})
		}
		known = known || slices.ContainsFunc(r.asked, func(a quantity) bool { return o.fits(a, -1) == fits || a.fits(o, -1) == fits })
		known = known || slices.ContainsFunc(r.results, func(a quantity) bool { return o.near(a.value(), pow(o.Scale)) || o.near(a.digits, 1) })
		for _, a := range r.stated {
			if o.Form == a.Form || o.near(a.digits, 1) && a.Decimals == o.Decimals {
				if known = true; a.Scale > 0 && o.Scale == 0 {
					scales = append(scales, a.Scale)
				}
			}
		}
		known = known || slices.ContainsFunc(r.sums, func(x sum) bool { return x.written != s.written && (o.near(x.value, 1) || o.near(x.value*100, 1)) })
		if !known && unknown == "" {
			unknown = o.shown
		}
	}
	return scales, unknown
}
