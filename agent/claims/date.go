package claims

import (
	"slices"
	"time"

	"threadkeeper/memory/rank"
)

// dated reports whether a year is one that a place speaks of: it stands on the page or at the document's beginning, or
// the page names none.
func (r *Reply) dated(q quantity, e evidence) bool {
	if r.onPage(q, e) {
		return true
	}
	first, _ := r.Source.Text(e.place.Document, 1) // what cannot be read is cited nowhere
	years := yearsIn(rank.Fold(first))
	return slices.Contains(years, int(q.digits)) || len(years) == 0 && len(yearsIn(rank.Fold(e.page.text))) == 0
}

// ends reports whether a date is that of a place with a term added that stands there too.
func (r *Reply) ends(c *Claim, q quantity, e evidence) bool {
	if q.Day == 0 || q.Year == 0 {
		return false
	}
	at := time.Date(q.Year, time.Month(q.Month), q.Day, 0, 0, 0, 0, time.UTC)
	for _, s := range e.sentences {
		for _, d := range s.quantities() {
			for _, n := range s.quantities() {
				if d.Day == 0 || d.Year == 0 || n.unit == "" {
					continue
				}
				from := time.Date(d.Year, time.Month(d.Month), d.Day, 0, 0, 0, 0, time.UTC)
				to := from.AddDate(map[string]int{"year": int(n.digits)}[n.unit], map[string]int{"month": int(n.digits)}[n.unit],
					map[string]int{"day": int(n.digits), "week": 7 * int(n.digits)}[n.unit])
				if at.Equal(to) || at.Equal(to.AddDate(0, 0, -1)) {
					return true
				}
			}
		}
	}
	return false
}
