package claims

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// stands reports whether a number stands at a place as the claim says: in a row it names, in a column it names, or in
// the sentence that is cited. reason is what stands there instead, as far as that is clear.
func (r *Reply) stands(c *Claim, q quantity, w window, e evidence) (ok bool, reason Reason) {
	says := func(words string) Reason {
		return Reason{Cause: Says, Words: reading.Shorten(words, 160), Number: q.shown, Document: e.place.Document, Page: e.page.number}
	}
	if headed := slices.ContainsFunc(e.rows, func(x *row) bool { return len(x.heads) > 0 }); (q.isYear() || q.isDate()) && (headed || e.whole) {
		day := q
		day.Year = 0 // the heads give the years, the line above them the day
		if r.onPage(q, e) || q.isDate() && r.onPage(day, e) && slices.ContainsFunc(e.rows, func(x *row) bool { return slices.Contains(x.heads, strconv.Itoa(q.Year)) }) {
			return true, reason
		}
	}
	rows := slices.Clone(e.rows)
	if e.whole || len(rows) > 0 {
		for i := range e.page.rows {
			if x := &e.page.rows[i]; !slices.Contains(e.rows, x) {
				rows = append(rows, x)
			}
		}
	}
	var off, column, other Reason
	for _, x := range rows {
		cited := slices.Contains(e.rows, x)
		if !cited && (!named(x, w.terms) || column.Cause != NoCause || other.Cause != NoCause) {
			continue
		}
		for i, v := range x.values {
			switch q.fits(v, x.scale) {
			case offScale:
				if (cited || e.whole) && off.Cause == NoCause {
					off = says(x.says(i))
				}
			case fits:
				if v.mark && len(x.values) > 1 && q.digits == v.digits && !q.bare() {
					continue
				}
				if k := x.column(w); k >= 0 && k != i && !x.same(k, i) && q.fits(x.values[k], x.scale) != fits {
					column = says(x.says(k))
					continue
				}
				if y := e.page.better(x, w, c); y != nil && q.fits(y.values[0], y.scale) != fits {
					other = says(y.says(max(0, y.column(w))))
					continue
				}
				return true, Reason{}
			}
		}
		if cited && len(e.rows) == 1 && !q.isYear() && !q.isDate() && !q.Name && column.Cause == NoCause && other.Cause == NoCause && off.Cause == NoCause && named(x, w.terms) {
			other = says(x.says(max(0, x.column(w))))
			other.weak = true
		}
	}
	sentences := e.sentences
	if e.whole {
		sentences = nil
		terms := reading.ContentTerms(c.Text)
		for i := range e.page.sentences {
			if s := &e.page.sentences[i]; 2*hits(terms, s.terms()) >= len(terms) {
				sentences = append(sentences, s)
			}
		}
	}
	for _, s := range sentences {
		scale := e.page.scaleIn(s)
		for i, v := range s.quantities() {
			if v.mark && !q.mark && q.unit == "" {
				continue
			}
			if q.fits(v, scale) == fits && !inRow(e, s) && (scale == 0 || quoted(e, v)) {
				if years := yearsBeside(s.folded, s.quantities(), i); w.sure && len(years) > 0 && !slices.ContainsFunc(years, func(y int) bool { return slices.Contains(w.years, y) }) {
					column = says(s.text)
					continue
				}
				if c.cells == nil && (c.closer(q, s, i) || c.prior(q, s, i) || w.other(s, e, v)) {
					other = says(s.text)
					continue
				}
				return true, Reason{}
			}
		}
	}
	for _, x := range []Reason{column, other, off} {
		if x.Cause != NoCause {
			return false, x
		}
	}
	return false, r.sentenceSays(c, q, e)
}

// then matches what stands before a value of an earlier time.
var then = regexp.MustCompile(`\b(?:from|compared (?:with|to)|against|versus|vs\.?|than|after|previously|formerly|earlier \pL+ of|previous \pL+ of|von|nach|gegenuber|statt|vorjahr:?|contre|frente a|desde)\s*(?:about |approximately )?(?:[$€£¥]|eur |usd )*$`)

// prior reports whether number i of a sentence is one of an earlier time, which a claim takes for the present one; or
// whether the claim has it rise where it falls.
func (c *Claim) prior(q quantity, s *sentence, i int) bool {
	all := s.quantities()
	v := all[i]
	alike := func(o quantity) bool {
		return o.Percent == v.Percent && o.Currency == v.Currency && o.unit == v.unit && o.Scale == v.Scale && o.datum() && v.datum()
	}
	if i > 0 && then.MatchString(s.folded[:v.From]) && slices.ContainsFunc(all[:i], alike) && !compares.MatchString(c.folded) {
		behind := reading.ContentTerms(s.folded[v.To:])
		return len(behind) == 0 || hits(behind, reading.TermSet(c.Text)) == 0
	}
	n := i + 1
	for n < len(all) && !alike(all[n]) {
		n++
	}
	if n < len(all) && then.MatchString(s.folded[:all[n].From]) && all[n].From-v.To < 60 {
		up, down := upward.MatchString(c.folded), downward.MatchString(c.folded)
		if denies(c.folded) {
			up, down = down, up
		}
		return up && !down && v.digits < all[n].digits || down && !up && v.digits > all[n].digits
	}
	return false
}

// other reports whether the words at a number are those of another sentence that is cited, with a number of the same kind.
func (w window) other(s *sentence, e evidence, v quantity) bool {
	terms := reading.ContentTerms(w.before + " " + w.after)
	mine := hits(terms, s.terms())
	return slices.ContainsFunc(e.sentences, func(o *sentence) bool {
		return o != s && hits(terms, o.terms()) > mine && slices.ContainsFunc(o.quantities(), func(n quantity) bool {
			return n.datum() && n.Percent == v.Percent && n.Currency == v.Currency && n.unit == v.unit
		}) &&
			!slices.ContainsFunc(o.quantities(), func(n quantity) bool { return n.fits(v, -1) == fits })
	})
}

var behindUnit = regexp.MustCompile(`^(?:'s|s'|[\s-]|per cent|percent|(?:` + unitWords() + `)\b|(?:per|of|a|an|the|each|pro|je)\b|')*(\pL{4,})`)

// behind is the stem of the word that a number and its unit are said of, "" for none.
func behind(folded string, q quantity) string {
	if m := behindUnit.FindStringSubmatch(folded[q.To:]); m != nil {
		return stemOf(m[1])
	}
	return ""
}

var apartBy = regexp.MustCompile(`;|,|\b(?:and|or|but|und|oder|aber|et|ou|mais|y|o|pero|bzw)\b`)

// closer reports whether a claim's words are those that a sentence says of another number of the same kind, and none of
// them those that it says of number i.
func (c *Claim) closer(q quantity, s *sentence, i int) bool {
	all := s.quantities()
	v := all[i]
	claim := reading.TermSet(c.Text)
	for k, o := range all {
		same := v.unit != "" && v.unit == o.unit || v.Percent && o.Percent || v.Currency != "" && v.Currency == o.Currency || v.bare() && o.bare() && v.datum() && o.datum() && v.unit == "" && o.unit == ""
		if k == i || !same || max(o.From, v.From) < min(o.To, v.To) || slices.ContainsFunc(c.numbers, func(n quantity) bool { return n.fits(o, -1) == fits }) {
			continue
		}
		a, b := min(o.To, v.To), max(o.From, v.From)
		if slices.ContainsFunc(all, func(n quantity) bool {
			return n.From > a && n.To < b && n.Percent == v.Percent && n.Currency == v.Currency && n.unit == v.unit
		}) {
			continue // not beside it
		}
		if b := behind(c.folded, q); b != "" && q.unit+q.Currency != "" && b == behind(s.folded, o) && behind(s.folded, v) != "" && b != behind(s.folded, v) {
			return true
		}
		at := apartBy.FindAllStringIndex(s.folded[a:max(a, b)], -1)
		if at == nil {
			continue
		}
		mid := a + at[len(at)-1][0]
		if x := strings.IndexByte(s.folded[a:b], ';'); x >= 0 {
			mid = a + x
		}
		left, right := s.folded[:mid], s.folded[mid:]
		if s.folded[mid] != ';' { // what stands before the first number is said of both
			left = s.folded[min(o.From, v.From):mid]
		}
		if x := strings.IndexByte(right[1:], ';'); x >= 0 {
			right = right[:x+1]
		}
		mine, others := left, right
		if v.From > o.From {
			mine, others = right, left
		}
		only := func(text, not string) []string {
			in := reading.TermSet(not)
			return slices.DeleteFunc(reading.ContentTerms(text), func(t string) bool {
				return in[t] || strings.ContainsAny(t, "0123456789") || unitOf[t] != "" && unitOf[t] == v.unit
			})
		}
		if m := only(mine, others); len(m) > 0 && hits(m, claim) == 0 && hits(only(others, mine), claim) > 0 {
			return true
		}
	}
	return false
}

// quoted reports whether a number stands in the words cited.
func quoted(e evidence, v quantity) bool {
	_, list := quantities(e.place.Quote)
	return slices.ContainsFunc(list, func(o quantity) bool { return o.Form == v.Form })
}

// sameNoun reports whether two stems are one word, perhaps with another ending.
func sameNoun(a, b string) bool {
	return a != "" && b != "" && (a == b || min(len(a), len(b)) >= 4 && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a)))
}

func pow(n int) float64 {
	v := 1.0
	for range n {
		v *= 10
	}
	return v
}

// inRow reports whether a sentence is made of rows of a table, whose values are compared as such.
func inRow(e evidence, s *sentence) bool {
	covered := 0
	for i := range e.page.rows {
		x := &e.page.rows[i]
		if len(x.values) > 1 || len(strings.Fields(x.label)) <= 6 {
			covered += max(0, min(x.to, s.to)-max(x.from, s.from))
		}
	}
	return 10*covered >= 6*(s.to-s.from) && covered > 0
}

// miscounts is what the cited words say where they count the same things otherwise than a claim does in a word.
func (r *Reply) miscounts(c *Claim, q quantity) (reason Reason) {
	for _, e := range c.own {
		for _, s := range e.sentences {
			if slices.ContainsFunc(s.quantities(), func(v quantity) bool { return q.fits(v, -1) == fits }) {
				return Reason{}
			}
		}
		if reason.Cause == NoCause {
			reason = r.sentenceSays(c, q, e)
		}
	}
	return reason
}

// sentenceSays is what the cited words, or the only sentence that speaks of the claim, say in place of a number.
func (r *Reply) sentenceSays(c *Claim, q quantity, e evidence) Reason {
	if e.whole {
		return Reason{}
	}
	for _, s := range e.sentences {
		if inRow(e, s) {
			continue
		}
		said, data := Reason{}, 0
		for _, v := range s.quantities() {
			if v.datum() {
				data++
			}
			sameKind := sameNoun(q.noun, v.noun) && q.bare() && v.bare() || q.unit != "" && v.unit != "" || q.Percent && v.Percent || q.Currency != "" && v.Currency != "" || q.isDate() && v.isDate()
			if sameKind && q.fits(v, -1) != fits && !slices.ContainsFunc(c.sums, func(s sum) bool { return true }) {
				said = Reason{Cause: Says, Words: reading.Shorten(s.text, 160), Number: q.shown, Document: e.place.Document, Page: e.page.number}
			}
		}
		if said.Cause != NoCause {
			said.weak = data > 1 // it may be made of these
			return said
		}
	}
	return Reason{}
}

// named reports whether all words of a row's label stand in a window.
func named(x *row, terms map[string]bool) bool {
	return len(x.terms) > 0 && hits(x.terms, terms) == len(x.terms)
}

// better is a row of the page that a claim names in full where it does not name x, nil if there is none.
func (p *page) better(x *row, w window, c *Claim) *row {
	if named(x, w.terms) || named(x, reading.TermSet(c.context)) && c.cells != nil {
		return nil
	}
	var found *row
	for i := range p.rows {
		y := &p.rows[i]
		if y == x || lastOf(w.before, x.terms) > lastOf(w.before, y.terms) || !named(y, w.beforeTerms) && !(len(y.terms) > 1 && strings.Contains(w.before+w.after, rank.Fold(y.label))) || hits(y.terms, w.terms) < hits(x.terms, w.terms) {
			continue
		}
		if found == nil || len(y.terms) > len(found.terms) {
			found = y
		}
	}
	return found
}

// lastOf is where the last of some terms stands in a text, -1 for nowhere.
func lastOf(text string, terms []string) (at int) {
	at = -1
	for _, t := range terms {
		at = max(at, strings.LastIndex(text, t))
	}
	return at
}

func hits(terms []string, in map[string]bool) int {
	n := 0
	for _, t := range terms {
		if in[t] {
			n++
		}
	}
	return n
}

// column is that of a row that a window names by its year or its head, -1 if it names none or it is not certain.
func (x *row) column(w window) int {
	if x.heads == nil {
		return -1
	}
	found := -1
	for i := range x.values {
		if w.loose {
			break
		}
		if y := x.yearOf(i); y > 0 && slices.Contains(w.years, y) && w.spans(x.heads[i]) {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	if found >= 0 || x.yearOf(0) > 0 {
		return found
	}
	for n, in := range []map[string]bool{w.terms, reading.TermSet(w.all)} { // a head of one word may be of another number
		for i, h := range x.heads {
			if terms := rank.Terms(h); len(terms) > n && i < len(x.values) && hits(terms, in) == len(terms) && hits(terms, reading.TermSet(x.label)) == 0 {
				if found >= 0 {
					return -1
				}
				found = i
			}
		}
		if found >= 0 {
			break
		}
	}
	return found
}

// before is the column of the year before that of column i, -1 if there is none.
func (x *row) before(i int) int {
	for k := range x.values {
		if y := x.yearOf(i); y > 0 && x.yearOf(k) == y-1 {
			return k
		}
	}
	return -1
}

// shares matches what moves otherwise than the values of its row.
var shares = regexp.MustCompile(`% of |percentage|\bmargin|\bratio\b|\brate\b|\banteil|\bquote\b|\bpart d|% (?:vo[nm]|de[rs]?|du) |\bexpected\b| from .{0,40} to `)

// turned is what a row says whose value rises where a claim has it fall, or the other way round.
func (r *Reply) turned(c *Claim) Reason {
	for _, e := range c.own {
		for _, x := range e.rows {
			part := ""
			like := func(text string) (n int) {
				in := reading.TermSet(text)
				for _, t := range x.terms {
					if holds(in, t) || slices.ContainsFunc(strings.Fields(text), func(w string) bool { return len(w) > 4 && strings.HasPrefix(t, w) }) {
						n++
					}
				}
				return n
			}
			for _, clause := range clauses.Split(c.folded, -1) {
				if like(clause) > max(0, like(part)) {
					part = clause
				}
			}
			up, down := upward.MatchString(part), downward.MatchString(part)
			if up == down || shares.MatchString(part) || upward.MatchString(rank.Fold(x.label)) || downward.MatchString(rank.Fold(x.label)) {
				continue
			}
			if denies(part) {
				up, down = down, up
			}
			years := yearsIn(part)
			for i, now := range x.values {
				k := x.before(i)
				if k < 0 || !slices.Contains(years, x.yearOf(i)) && !slices.ContainsFunc(c.numbers, func(q quantity) bool { return q.datum() && q.fits(now, x.scale) == fits }) {
					continue
				}
				then := x.values[k]
				if now.negative == then.negative && (up && now.digits < then.digits || down && now.digits > then.digits) {
					return Reason{Cause: Says, Words: x.says(i) + ", " + x.says(k), Number: now.shown, Document: e.place.Document, Page: e.page.number}
				}
				break
			}
		}
	}
	return Reason{}
}

var clauses = regexp.MustCompile(`[;:()]|, (?:and|while|whereas|but|und|wahrend|aber|et|tandis que|mais|y|mientras|pero)\b|\b(?:but|while|whereas|aber|mais|pero)\b`)

// same reports whether two columns have the same head: one of them may be meant.
func (x *row) same(i, k int) bool { return x.heads[i] == x.heads[k] }

// says is the row's value i in words.
func (x *row) says(i int) string {
	i = min(i, len(x.values)-1)
	said := fmt.Sprintf("%s: %s", x.label, x.values[i].shown)
	if x.values[i].negative {
		said = fmt.Sprintf("%s: (%s)", x.label, x.values[i].shown)
	}
	if i < len(x.heads) && x.heads[i] != "" {
		said += " (" + x.heads[i] + ")"
	}
	if word := map[int]string{3: "thousands", 6: "millions", 8: "億", 9: "billions"}[x.scale]; word != "" {
		said += ", in " + word
	}
	return said
}

// onPage reports whether a number stands anywhere on a page.
func (r *Reply) onPage(q quantity, e evidence) bool {
	scale := -1
	for i := range e.page.rows {
		x := &e.page.rows[i]
		scale = max(scale, x.scale)
		for _, v := range x.values {
			if q.fits(v, x.scale) == fits && !v.mark {
				return true
			}
		}
	}
	return e.page.holds(func(v quantity) bool { return !v.mark && q.fits(v, 0) == fits })
}

// counted reports whether a small number is that of the items or rows cited, or of the claim's own list.
func (r *Reply) counted(c *Claim, q quantity) bool {
	for _, e := range c.own {
		items := len(listed.FindAllString(e.place.Quote, -1)) + 1
		if float64(items) == q.digits || float64(items+1) == q.digits || float64(len(e.rows)) == q.digits {
			return true
		}
	}
	return float64(len(c.own)) == q.digits && q.digits > 1
}

var listed = regexp.MustCompile(`[,;、•]|\b(?:and|or|und|oder|et|ou|y|o)\b`)
