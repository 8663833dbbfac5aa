package claims

import (
	"slices"
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// turned is what a cited row says against a clause that has something rise where it falls, or the other way round.
func (c *Claim) turned() Reason {
	text := yesNo.ReplaceAllString(c.folded, "") // "No. It fell." denies no fall
	for _, clause := range clauses.Split(strings.ReplaceAll(text, ", ", " ; "), -1) {
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
		before := x.Values[k].Whole().Digits
		if change := now.Whole().Digits - before; now.Negative == x.Values[k].Negative && change != 0 && up == (change < 0) {
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

// moved matches what stands before a percentage by which something rises or falls.
var moved = reading.Lazy(`\b(?:up|down|by|grew|grown|growing|rose|risen|rising|increas\w+|gained|climbed|fell|fallen|falling|declin\w+|decreas\w+|dropped|um|de|stieg|sank|wuchs)(?: (?:only|just|about|approximately|nearly|over|rund))? [-+−–]?$`)
