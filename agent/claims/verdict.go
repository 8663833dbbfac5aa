package claims

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Judge says what became of each claim of a block. It waits, without a word on the block, while citations that come
// later may bear out a claim; with whole none comes.
func (r *Reply) Judge(b *Block, whole bool) (waits bool) {
	for _, c := range b.Claims {
		if c.Outcome, c.Reason = r.judge(c); !whole && (c.Outcome == Contradicted || c.Outcome == Unchecked) && c.open(len(r.evidence) > 0) {
			waits = true
		}
	}
	if waits {
		for _, c := range b.Claims {
			c.Outcome, c.Reason = Plain, Reason{}
		}
	}
	return waits
}

// open reports whether later citations may still bear a claim out.
func (c *Claim) open(cited bool) bool {
	return !c.cited && (len(c.numbers) > 0 || !cited) || len(c.sums) > 0
}

// judge compares a claim with what it cites.
func (r *Reply) judge(c *Claim) (Outcome, Reason) {
	if c.plain || !c.cited && (!r.Strict && len(c.sums) == 0 || r.said(c)) {
		return Plain, Reason{}
	}
	own := c.own
	if c.cited && len(own) == 0 && len(c.missing) > 0 {
		return Contradicted, Reason{Cause: Invented, Words: c.missing[0]}
	}
	if c.cited && len(own) == 0 {
		return Contradicted, Reason{Cause: Invented, Words: c.Text}
	}
	worst, why, checked := Verified, Reason{}, 0
	take := func(o Outcome, reason Reason) {
		if o > worst {
			worst, why = o, reason
		}
	}
	for i, q := range c.numbers {
		if c.passes(i) {
			continue
		}
		if q.word && q.unit == "" {
			if reason := r.miscounts(c, q); reason.Cause != NoCause {
				take(Contradicted, reason)
			}
			continue
		}
		o, reason := r.number(c, i, q)
		if o == Verified {
			checked++
		}
		take(o, reason)
	}
	if worst == Contradicted {
		return worst, why
	}
	o, reason := r.words(c, checked)
	take(o, reason)
	if worst == Verified && len(c.missing) > 0 && checked == 0 {
		return Unchecked, Reason{Cause: Invented, Words: c.missing[0]}
	}
	return worst, why
}

// said reports whether a claim repeats what stands in the conversation.
func (r *Reply) said(c *Claim) bool {
	terms := reading.ContentTerms(c.Text)
	if len(terms) == 0 || len(c.own) > 0 {
		return false
	}
	for _, known := range r.Known {
		if reading.Coverage(terms, known) < alone {
			continue
		}
		_, have := quantities(known)
		if !slices.ContainsFunc(c.numbers, func(q quantity) bool {
			return !q.word && !slices.ContainsFunc(have, func(h quantity) bool { return q.fits(h, -1) == fits })
		}) && denials(c.Text)%2 == denials(known)%2 {
			return true
		}
	}
	return false
}

// passes reports whether number i of a claim is not one to check: the page it refers to.
func (c *Claim) passes(i int) bool {
	q := c.numbers[i]
	before := c.folded[:q.From]
	if pageWord.MatchString(before) || q.mark {
		return true
	}
	inside := slices.ContainsFunc(c.numbers[:i], func(o quantity) bool { return !o.word && q.word && o.From >= q.From && o.To <= q.To })
	if inside {
		return true
	}
	for _, s := range c.sums { // the left side of an equation is checked as operands
		if strings.Contains(c.folded, s.written) {
			if at := strings.Index(c.folded, s.written); q.From >= at && q.To <= at+len(s.written) {
				return true
			}
		}
	}
	return false
}

var pageWord = regexp.MustCompile(`(?:\b(?:pages?|pp?\.?|seiten?|s\.|paginas?|pag\.|note|notes|item|section|clause|article|artikel|abschnitt|ziffer|nr\.|no\.|exhibit|appendix|table|tabelle|figure|chapter|kapitel|footnote|step|point|part|form|articulo|clausula|seccion)|§|第) ?$`)

// number says whether a number of a claim is borne out.
func (r *Reply) number(c *Claim, i int, q quantity) (Outcome, Reason) {
	hint := Reason{}
	note := func(reason Reason) {
		if hint.Cause == NoCause || hint.weak && !reason.weak {
			hint = reason
		}
	}
	w := r.window(c, i)
	for _, own := range []bool{true, false} {
		list := c.own
		if !own {
			list = r.evidence
		}
		for _, e := range list {
			if ok, reason := r.stands(c, q, w, e); ok {
				return Verified, Reason{}
			} else if reason.Cause != NoCause && (own || !c.cited) {
				note(reason)
			}
		}
		if own && hint.Cause == Says && !hint.weak {
			break
		}
		if own && r.derived(c, q, &hint) {
			return Verified, Reason{}
		}
	}
	for _, a := range r.asked {
		if a.Form == q.Form || q.fits(a, -1) == fits && a.fits(q, -1) == fits {
			return Verified, Reason{}
		}
	}
	for _, a := range r.results {
		if q.fits(a, -1) == fits || q.near(a.value(), q.value()/nonZero(q.digits)) {
			return Verified, Reason{}
		}
	}
	if hint.Cause != NoCause {
		return Contradicted, hint
	}
	list := c.own
	if len(list) == 0 {
		list = r.evidence
	}
	place := Place{}
	for _, e := range list {
		place = e.place
		if r.onPage(q, e) {
			return Unchecked, Reason{Cause: Elsewhere, Number: q.shown, Document: e.place.Document, Page: e.place.Page}
		}
	}
	if q.bare() && q.Decimals == 0 && q.digits <= 12 && q.unit == "" && !q.isDate() { // a count
		if r.counted(c, q) {
			return Verified, Reason{}
		}
		return Unchecked, Reason{Cause: Elsewhere, Number: q.shown, Document: place.Document, Page: place.Page}
	}
	if !c.cited && len(c.own) == 0 {
		return Unchecked, Reason{Cause: Uncited, Number: q.shown}
	}
	if q.Name {
		return Unchecked, Reason{Cause: Nowhere, Number: q.shown, Document: place.Document, Page: place.Page}
	}
	return Contradicted, Reason{Cause: Nowhere, Number: q.shown, Document: place.Document, Page: place.Page}
}

func nonZero(v float64) float64 {
	if v == 0 {
		return 1
	}
	return v
}

// window is the part of a claim that speaks of one number: from the number before it to the one behind it.
type window struct {
	before, after, all string // folded
	years              []int  // in before and after; else those of the claim, of its heading or of the request
	loose              bool   // the years may be another's: the claim compares
	sure               bool   // the year stands with the number, or over its column
	terms              map[string]bool
	beforeTerms        map[string]bool
}

var compares = regexp.MustCompile(`\b(?:prior|previous(?:ly)?|earlier|ago|last year|preceding|from|up from|down from|compared|versus|vs\.?|than|against|vorjahr\w*|zuvor|vorher\w*|gegenuber|verglichen|von|precedente?|anterior|contre|contra|frente|desde|depuis|previo)\b|前年|前期|昨年|上年`)

func (r *Reply) window(c *Claim, i int) window {
	q := c.numbers[i]
	before, after := beside(c.folded, c.numbers, i)
	w := window{before: before, after: after, all: c.folded}
	if c.cells != nil {
		column := strings.Count(strings.Trim(c.Text[:min(len(c.Text), byteOf(c.Text, c.folded, q.From))], "|"), "|")
		if column < len(c.cells) {
			head := rank.Fold(c.cells[column])
			w.before, w.after = rank.Fold(c.context)+" "+head+" ", ""
			w.all = w.before
		}
	}
	w.years = yearsIn(w.before + " " + w.after)
	w.sure = len(w.years) > 0
	if m := r.respectively(c, i); m > 0 {
		w.years, w.sure = []int{m}, true
	}
	if len(w.years) == 0 {
		w.years = yearsIn(c.folded)
		w.loose = len(w.years) > 1 || compares.MatchString(c.folded)
	}
	if len(w.years) == 0 {
		if w.years = yearsIn(rank.Fold(c.context)); len(w.years) == 0 {
			w.years = yearsIn(rank.Fold(r.Request))
		}
		w.loose = len(w.years) != 1 || compares.MatchString(c.folded)
	}
	w.terms = reading.TermSet(w.before + " " + w.after)
	w.beforeTerms = reading.TermSet(w.before)
	return w
}

// datum reports whether a number is a value, and not a date or a name.
func (q quantity) datum() bool {
	return !q.isYear() && !q.isDate() && !q.word && !q.Name && !q.mark
}

// beside is the text before and behind number i, as far as it speaks of that number alone.
func beside(folded string, numbers []quantity, i int) (before, after string) {
	q := numbers[i]
	from, to := 0, len(folded)
	for _, o := range numbers {
		if o.datum() && o.To <= q.From && o.To > from {
			from = o.To
		}
		if o.datum() && o.From >= q.To && o.From < to {
			to = o.From
		}
	}
	before, after = folded[from:q.From], folded[q.To:to]
	both := yearWord.MatchString(before) && yearWord.MatchString(after)
	if m := clauseEnd.FindAllStringIndex(before, -1); m != nil && from > 0 {
		before = before[m[len(m)-1][1]:]
	} else if m := joint.FindAllStringIndex(before, -1); m != nil && both && from > 0 {
		before = before[m[len(m)-1][1]:]
	}
	if m := clauseEnd.FindStringIndex(after); m != nil && to < len(folded) {
		after = after[:m[0]]
	} else if m := joint.FindStringIndex(after); m != nil && both {
		after = after[:m[0]]
	}
	return before, after
}

func yearsBeside(folded string, numbers []quantity, i int) []int {
	before, after := beside(folded, numbers, i)
	return yearsIn(before + " " + after)
}

var joint = regexp.MustCompile(`[,;]|\b(?:and|und|et|y|e|bzw)\b`)

var clauseEnd = regexp.MustCompile(`[;|]|, (?:and|while|whereas|but|und|wahrend|et|tandis que|y|mientras)\b`)

// byteOf is where byte at of the folded form stands in a text, as near as the share of its length says.
func byteOf(text, folded string, at int) int {
	bars := strings.Count(folded[:at], "|")
	for i, x := range text {
		if x == '|' {
			if bars--; bars < 0 {
				return i
			}
		}
	}
	return len(text)
}

func yearsIn(folded string) []int {
	var all []int
	for _, m := range yearWord.FindAllStringSubmatch(folded, -1) {
		n, _ := strconv.Atoi(m[1] + m[2]) // digits by the pattern
		if n < 100 {
			n += 2000
		}
		all = append(all, n)
	}
	return all
}

var (
	yearWord  = regexp.MustCompile(`(?:^|[^\d.,$€£])(?:fy ?|cy ?)?((?:19|20)\d\d)(?:$|[^\d,%]|,\D)|\bfy ?'?(\d\d)\b`)
	respectly = regexp.MustCompile(`\b(?:respectively|bzw\.?|beziehungsweise|jeweils|respectivement|respectivamente)\b|それぞれ`)
)

// respectively is the year of number i where as many years and numbers stand in one order, 0 if they do not.
func (r *Reply) respectively(c *Claim, i int) int {
	if !respectly.MatchString(c.folded) {
		return 0
	}
	var data []int
	for k, q := range c.numbers {
		if q.datum() {
			data = append(data, k)
		}
	}
	years := yearsIn(c.folded)
	if at := slices.Index(data, i); at >= 0 && len(years) == len(data) {
		return years[at]
	}
	return 0
}

// stands reports whether a number stands at a place as the claim says: in a row it names, in a column it names, or in
// the sentence that is cited. reason is what stands there instead, as far as that is clear.
func (r *Reply) stands(c *Claim, q quantity, w window, e evidence) (ok bool, reason Reason) {
	says := func(words string) Reason {
		return Reason{Cause: Says, Words: reading.Shorten(words, 160), Number: q.shown, Document: e.place.Document, Page: e.page.number}
	}
	if (q.isYear() || q.isDate() && q.Day == 0) && (slices.ContainsFunc(e.rows, func(x *row) bool { return len(x.heads) > 0 }) || e.whole) && r.onPage(q, e) {
		return true, reason
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
				if cited && off.Cause == NoCause {
					off = says(x.says(i))
				}
			case fits:
				if v.mark && len(x.values) > 1 && q.digits == v.digits && q.bare() == false {
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
				if q.Currency != "" && q.Scale == 0 && x.scale > 0 && q.near(v.digits, 1) && v.Scale == 0 && !r.scaleSaid(x.scale) && !v.Percent && v.digits != 0 {
					off = says(x.says(i))
					continue
				}
				if k := x.before(i); k >= 0 && !upward.MatchString(rank.Fold(x.label)) && !downward.MatchString(rank.Fold(x.label)) && w.turned(x.values[i], x.values[k]) {
					column = says(x.says(i) + ", " + x.says(k))
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
		for i, v := range s.quantities() {
			if v.mark && !q.mark && q.unit == "" {
				continue
			}
			if q.fits(v, -1) == fits && !inRow(e, s) {
				if q.Scale > 0 && v.Scale == 0 && v.Currency == "" && !q.near(v.digits, pow(q.Scale)) {
					continue
				}
				if years := yearsBeside(s.folded, s.quantities(), i); w.sure && len(years) > 0 && !slices.ContainsFunc(years, func(y int) bool { return slices.Contains(w.years, y) }) {
					column = says(s.text)
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

func pow(n int) float64 {
	v := 1.0
	for range n {
		v *= 10
	}
	return v
}

// inRow reports whether a sentence is a row of the evidence, whose values were compared.
func inRow(e evidence, s *sentence) bool {
	return slices.ContainsFunc(e.rows, func(x *row) bool { return x.from < s.to && s.from < x.to })
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
		for _, v := range s.quantities() {
			sameKind := q.noun != "" && q.noun == v.noun && q.bare() && v.bare() || q.unit != "" && v.unit != "" || q.Percent && v.Percent || q.Currency != "" && v.Currency != "" || q.isDate() && v.isDate()
			if sameKind && q.fits(v, -1) != fits && !slices.ContainsFunc(c.sums, func(s sum) bool { return true }) {
				return Reason{Cause: Says, Words: reading.Shorten(s.text, 160), Number: q.shown, Document: e.place.Document, Page: e.page.number, weak: true}
			}
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
		if y == x || !named(y, w.beforeTerms) && !(named(y, w.terms) && len(y.terms) > 1) || hits(y.terms, w.terms) < hits(x.terms, w.terms) {
			continue
		}
		if found == nil || len(y.terms) > len(found.terms) {
			found = y
		}
	}
	return found
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
		if y := x.yearOf(i); y > 0 && slices.Contains(w.years, y) {
			if found >= 0 {
				return -1
			}
			found = i
		}
	}
	if found >= 0 || x.yearOf(0) > 0 {
		return found
	}
	for i, h := range x.heads {
		if terms := rank.Terms(h); len(terms) > 0 && i < len(x.values) && hits(terms, w.terms) == len(terms) && hits(terms, reading.TermSet(x.label)) == 0 {
			if found >= 0 {
				return -1
			}
			found = i
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

// turned reports whether a claim has a value rise that fell, or the other way round.
func (w window) turned(now, then quantity) bool {
	up, down := upward.MatchString(w.before), downward.MatchString(w.before)
	return up != down && now.negative == then.negative && !now.negative && (up && now.digits < then.digits || down && now.digits > then.digits) && !strings.Contains(w.before, " from ")
}

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

// scaleSaid reports whether the reply says anywhere what its numbers are counted in.
func (r *Reply) scaleSaid(scale int) bool { return slices.Contains(r.scales, scale) }

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
				if k == 0 && len(c.sums) == 1 && !q.isYear() && !q.isDate() {
					wrong = Reason{Cause: Result, Words: s.written + " = " + strconv.FormatFloat(s.value, 'f', -1, 64), Number: q.shown}
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
				if !v.isYear() && !v.isDate() && !v.word {
					list = append(list, v.value())
				}
			}
			together = append(together, list)
		}
	}
	together = append(together, columns(c.own)...)
	if slices.ContainsFunc(together, func(t []float64) bool { return implied(q, t) }) {
		return true
	}
	if hint.Cause == NoCause && wrong.Cause != NoCause && !r.anywhere(c, q) {
		*hint = wrong
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
					if o.fits(v, x.scale) == fits {
						known = true
						if x.scale > 0 && o.Scale == 0 && o.near(v.digits, 1) {
							scales = append(scales, x.scale)
						}
					}
				}
			}
			known = known || e.page.holds(func(v quantity) bool { return !v.mark && o.fits(v, -1) == fits })
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

// like is the share of a claim's words that what it cites has to hold; alone is the same where no words are cited.
const (
	like  = 0.34
	alone = 0.6
)

// words compares the words of a claim with those of what it cites.
func (r *Reply) words(c *Claim, numbers int) (Outcome, Reason) {
	plain := reading.ReplaceAddresses(c.Text, func(string) string { return "" })
	terms := slices.DeleteFunc(reading.ContentTerms(plain+" "+c.context), func(t string) bool { return strings.ContainsAny(t, "0123456789") })
	list, least := c.own, like
	if len(list) == 0 {
		list, least = r.evidence, alone
	}
	place := Place{}
	bestShare, best, ctx := -1.0, 0, ""
	var where evidence
	for _, e := range list {
		if place.Document == 0 {
			place = e.place
		}
		for _, candidate := range r.contexts(e) {
			n, total := overlap(terms, candidate.terms, r.terms)
			share := 1.0
			if total > 0 {
				share = float64(n) / float64(total)
			}
			if e.whole && share < alone {
				continue
			}
			if share > bestShare {
				bestShare, best, ctx, where = share, n, candidate.text, e
			}
		}
	}
	reason := func(cause Cause) Reason {
		return Reason{Cause: cause, Words: reading.Shorten(ctx, 160), Document: place.Document, Page: place.Page}
	}
	switch {
	case len(list) == 0:
		if numbers > 0 && len(c.sums) > 0 {
			return Verified, Reason{}
		}
		return Unchecked, Reason{Cause: Uncited}
	case numbers > 0 && (bestShare > 0 || len(terms) == 0 || foreign(c.Text, ctx)):
		if o := opposed(c.Text, ctx, where); o && bestShare >= like {
			return Contradicted, reason(Says)
		}
		if len(c.own) == 0 && len(c.sums) == 0 && bestShare < like {
			return Unchecked, Reason{Cause: Uncited}
		}
		return Verified, Reason{}
	case numbers > 0 && len(c.sums) > 0:
		return Verified, Reason{}
	case bestShare < least || best == 0 && len(terms) > 0:
		if len(c.own) == 0 {
			return Unchecked, Reason{Cause: Uncited}
		}
		return Unchecked, reason(Unlike)
	case opposed(c.Text, ctx, where):
		if bestShare >= alone {
			return Contradicted, reason(Says)
		}
		return Unchecked, reason(Unlike)
	case plans(c.Text) && !plans(ctx):
		return Unchecked, reason(Unlike)
	}
	if name := r.stranger(c, list); name != "" {
		return Unchecked, Reason{Cause: Nowhere, Number: name, Document: place.Document, Page: place.Page}
	}
	return Verified, Reason{}
}

// passage is what stands around a quote.
type passage struct {
	text  string
	terms map[string]bool
}

// contexts are what a place says: its words with their sentences and rows; of a whole page each sentence and row.
func (r *Reply) contexts(e evidence) []passage {
	if !e.whole {
		text := ""
		for _, s := range e.sentences {
			text += " " + s.text
		}
		if text = strings.TrimSpace(text); !strings.Contains(squash(text), squash(e.place.Quote)) {
			text = e.place.Quote + " " + text
		}
		around := text
		for _, x := range e.rows {
			around += " " + x.label + " " + x.title + " " + strings.Join(x.heads, " ")
		}
		return []passage{{text, reading.TermSet(around)}}
	}
	var all []passage
	for i := range e.page.sentences {
		all = append(all, passage{e.page.sentences[i].text, e.page.sentences[i].terms()})
	}
	for _, x := range e.page.rows {
		all = append(all, passage{x.text, reading.TermSet(x.text + " " + x.title)})
	}
	return all
}

// overlap is how many of a claim's terms stand in a passage, of those that the request does not give.
func overlap(terms []string, in, asked map[string]bool) (n, total int) {
	for _, t := range terms {
		switch {
		case holds(in, t):
			n, total = n+1, total+1
		case !asked[t]:
			total++
		}
	}
	return n, total
}

// holds reports whether a term, one of the same stem or a word used for it stands in a set.
func holds(in map[string]bool, t string) bool {
	if in[t] {
		return true
	}
	for _, s := range reading.Synonyms(t) {
		if in[s] {
			return true
		}
	}
	if len(t) < 5 {
		return false
	}
	for s := range in {
		if len(s) >= 5 && t[0] == s[0] && common(t, s)*10 >= 7*min(len(t), len(s)) && common(t, s) >= 5 {
			return true
		}
	}
	return false
}

func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n
}

// foreign reports whether two texts are in different languages, so that their words cannot be compared.
func foreign(a, b string) bool {
	x, y := reading.Language(a), reading.Language(b)
	return x != "" && y != "" && x != y || packed(a) != packed(b)
}

func packed(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
	})
}

// stranger is the first name of a claim that neither its pages nor the request hold, "" for none.
func (r *Reply) stranger(c *Claim, list []evidence) string {
	text := r.Request + "\n" + strings.Join(r.Known, "\n") + "\n" + c.context
	for _, e := range list {
		text += "\n" + e.page.text
	}
	for _, a := range reading.Addresses(c.Text) {
		if !strings.Contains(text, a) {
			return a
		}
	}
	if reading.Language(c.Text) == "de" { // all nouns are written like names
		return ""
	}
	have := " " + strings.Join(rank.Words(text), " ") + " "
	for _, name := range rank.Names(c.Text) {
		for w := range strings.FieldsSeq(name) {
			if !rank.Stop(w) && len(w) > 2 && !strings.Contains(have, " "+strings.Join(rank.Words(w), " ")) {
				return w
			}
		}
	}
	return ""
}
