package claims

import (
	"math"
	"regexp"
	"slices"
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// turned is what a cited row says against a clause that has something rise where it falls, or the other way round.
func (c *Claim) turned() Reason {
	for _, clause := range clauses.Split(strings.ReplaceAll(c.folded, ", ", " ; "), -1) {
		up, down := reading.Moves(clause)
		if reading.Negated(clause) {
			up, down = down, up
		}
		if up == down {
			continue
		}
		_, numbers := reading.Quantities(clause)
		numbers = slices.DeleteFunc(numbers, func(q reading.Quantity) bool { return !q.Measures() })
		for _, e := range c.own {
			for _, x := range e.rows {
				if rises, falls := reading.Moves(rank.Fold(x.Label)); rises || falls {
					continue
				}
				if says := c.rowAgainst(x, clause, numbers, up); says != "" {
					return Reason{Cause: Says, Words: says, Document: e.place.Document, Page: e.place.Page}
				}
			}
		}
	}
	return Reason{}
}

// rowAgainst is what a row says against a clause that gives one of its values: that of the year before is greater, or less; or
// the value is a change, and negative. "" for nothing.
func (c *Claim) rowAgainst(x *reading.Row, clause string, numbers []reading.Quantity, up bool) string {
	if len(numbers) == 0 && shareOf(x.Terms, reading.TermSet(clause)) == 1 {
		numbers = c.numbers
	}
	gives := func(v reading.Quantity, change bool) bool {
		return slices.ContainsFunc(numbers, func(q reading.Quantity) bool {
			return q.Fits(v, x.Scale) && change == (q.Percent && !q.Negative && moved.MatchString(clause[:min(q.From, len(clause))]))
		})
	}
	for i, now := range x.Values {
		if up && (now.Negative || strings.Contains(now.Shown, ")")) && gives(now, true) {
			return x.Says(i)
		}
		k := x.YearBefore(i)
		if k < 0 || !gives(now, false) || slices.ContainsFunc(x.Values, func(v reading.Quantity) bool {
			return v != now && v != x.Values[k] && c.names(value{Quantity: v, scale: x.Scale})
		}) {
			continue // it compares with that
		}
		if against(up, x.Values[k], now) {
			return x.Says(i) + ", " + x.Says(k)
		}
	}
	return ""
}

// turns reports whether one folded text has something rise and the other has it fall.
func turns(a, b string) bool {
	up, down := reading.Moves(a)
	rises, falls := reading.Moves(b)
	return up != down && rises != falls && up != rises
}

// against reports whether a value falls that is said to rise, or rises that is said to fall, by more than the change that
// is called none.
func against(up bool, then, now reading.Quantity) bool {
	before := then.Whole().Digits
	change := now.Whole().Digits - before
	return now.Negative == then.Negative && math.Abs(change) > flat*before && up == (change < 0)
}

const flat = 0.01

// past reports whether a value is one that its sentence gives of an earlier time, behind the present one or as in "from 5 to
// 6", where a claim names no time and compares nothing.
func (c *Claim) past(v value, w window) bool {
	list := slices.DeleteFunc(slices.Clone(v.sentence.Quantities()), func(q reading.Quantity) bool {
		return !q.Measures() || !q.Alike(v.Quantity) && !(q.Bare() && v.Bare() && q.Unit == v.Unit)
	})
	i := slices.IndexFunc(list, func(q reading.Quantity) bool { return q.From == v.From })
	if i < 0 || w.sure || compares.MatchString(c.folded) {
		return false
	}
	folded := v.sentence.Folded()
	before := func(end int) string { return folded[max(end, v.From-besideNumber):v.From] }
	now := func(k int) bool { return !c.names(value{Quantity: list[k], scale: -1}) }
	return i+1 < len(list) && now(i+1) && from.MatchString(before(0)) && to.MatchString(folded[v.To:list[i+1].From]) ||
		i > 0 && now(i-1) && earlier.MatchString(before(list[i-1].To))
}

// earlier matches the text between a value and its earlier value.
var earlier = regexp.MustCompile(`^.{0,40}?(?:\b(?:compared (?:with|to)|against|versus|vs\.?|after|(?:up|down) from|instead of|(?:fewer|less|more|lower|higher) than|previously|gegenuber|vorjahr|prior year|previous year|contre|frente a)\b[:(\s]*|\(\s*(?:q[1-4] )?(?:19|20)\d\d: *)(?:about |approximately |the |just |only )?(?:[$€£¥]|\pL{2,3}\.? )*$`)

// from and to match what stands around the first of two values of which the second is the present one. moved matches what stands before a percentage by which something rises or falls.
var (
	from  = regexp.MustCompile(`\b(?:from|von|de|desde) [$€£¥]?$`)
	to    = regexp.MustCompile(`^(?: \pL+)? (?:to|auf|a) [$€£¥]?$`)
	moved = regexp.MustCompile(`\b(?:up|down|by|grew|grown|growing|rose|risen|rising|increas\w+|gained|climbed|fell|fallen|falling|declin\w+|decreas\w+|dropped|um|de|stieg|sank|wuchs)(?: (?:only|just|about|approximately|nearly|over|rund))? [-+−–]?$`)
)
