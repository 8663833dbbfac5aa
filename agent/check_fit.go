package agent

// How far a place says what a statement says. A statement stands only where one place has all of it: its numbers, names, direction,
// denial and length of time, and most of its words. Numbers that stand in two places may be of two things.

import (
	"math"
	"slices"
	"strings"
	"sync"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// wording is what a part of a statement says, as far as words show.
type wording struct {
	folded   string
	terms    []string // that say what it is about: no numbers, directions, times and words that say little
	numbers  []reading.Quantity
	names    []string // stems
	up, down bool     // it says that something rises, falls
	steady   bool     // it says that nothing changed
	changes  bool     // it gives the values before and after
	denied   bool     // it denies something
	span     string   // see spanOf
}

// fit is how far a place says the same.
type fit struct {
	words   float64 // share of the words, with the place's heading and title
	itself  float64 // of those in the place itself
	numbers int     // of the statement that stand in it
	missing []reading.Quantity
	other   *reading.Quantity // a number of the missing one's kind
	unit    bool              // of the same unit: days, kilograms
	strange bool              // a name of the statement is not there
	turned  bool              // one rises where the other falls
	swapped bool              // two of its numbers are each other's there
	idle    bool              // the statement has something rise or fall, the place does not
	denies  bool              // one denies what the other says
	span    bool              // they are of times of other lengths
}

func (c *check) wordingOf(of statementPart) wording {
	text := of.text + " " + of.header
	x := wording{}
	x.folded, x.numbers = reading.Quantities(text)
	words := []byte(x.folded)
	blank := func(from, to int) {
		for i := from; i < to; i++ {
			words[i] = ' '
		}
	}
	for _, q := range x.numbers {
		blank(q.From, q.To)
	}
	for _, m := range word.FindAllStringIndex(x.folded, -1) {
		if w := x.folded[m[0]:m[1]]; slight[w] || moves(w) || strings.HasSuffix(w, "ly") {
			blank(m[0], m[1])
		}
	}
	x.terms = slices.DeleteFunc(reading.WordTerms(string(words)), func(t string) bool { return lasting()[t] })
	x.numbers = slices.DeleteFunc(x.numbers, func(q reading.Quantity) bool {
		return q.Mark || q.Word && q.Digits <= 1 || pageBefore.MatchString(x.folded[max(0, q.From-30):q.From])
	})
	if len(x.terms) == 0 {
		x.terms = reading.WordTerms(text + " " + c.heading)
	}
	if bare := c.source.withoutNames(x.terms); len(bare) > 0 {
		x.terms = bare
	}
	for _, name := range rank.Names(undotted.Replace(text)) {
		for w := range strings.FieldsSeq(name) {
			if t := reading.Stem(w); t != "" && len(w) > 2 && !rank.Stop(w) && !slight[w] && !strings.Contains(text, strings.ToUpper(w)) && !months[rank.Fold(w)] && !strings.ContainsAny(w, "0123456789") {
				x.names = append(x.names, t)
			}
		}
	}
	x.span = spanOf(x.folded)
	if x.span != "" {
		x.terms = slices.DeleteFunc(x.terms, func(t string) bool { return timeTerms()[t] })
		x.names = slices.DeleteFunc(x.names, func(t string) bool { return timeTerms()[t] })
	}
	x.up, x.down = reading.Moves(x.folded)
	x.changes = fromTo(x)
	x.steady = steady.MatchString(x.folded)
	x.denied = reading.Negated(yesNo.ReplaceAllString(of.text, ""))
	return x
}

var (
	pageBefore = reading.Lazy(`\b(?:pages?|pp?\.|seiten?|s\.|paginas?|pag\.|section|item|note|table|figure|chapter|step) ?$`)
	steady     = reading.Lazy(`\b(?:flat|unchanged|stable|steady|constant|(?:stay|stays|stayed|remain|remains|remained) the same|unverandert|stabil|gleich|inchange\w*|stables?|estables?|sin cambios)\b`)
	wholeYear  = reading.Lazy(`\b(?:full[- ]year|(?:for|of|in) the (?:fiscal |financial )?year|for the year|annual(?:ly)?|yearly|fiscal year|52 weeks|twelve months|(?:gesamt|geschafts)jahr\w*|jahrlich\w*|annee|annuel\w*|anual\w*|ano)\b`)
)

// undotted takes the full stops out of titles: the name behind one begins no sentence.
var undotted = strings.NewReplacer("Mr. ", "Mr ", "Mrs. ", "Mrs ", "Ms. ", "Ms ", "Dr. ", "Dr ", "Prof. ", "Prof ", "Fr. ", "Fr ", "Hr. ", "Hr ", "Sr. ", "Sr ", "Sra. ", "Sra ", "M. ", "M ")

// slight are folded words that say little by themselves: the place may say the same with others.
var slight = reading.WordSet(`come comes came coming get gets got getting go goes went gone make makes made take takes took taken give gives gave given reach reaches reached amount amounts amounted
	total totals totalled totaled stand stands stood remain remains remained stay stays stayed become becomes became keep keeps kept receive receives received use used uses
	mean means meant see saw seen due because thanks mainly partly about after before against under within during since while still now also only just even more most much many than
	year-end half kommt kam betragt betrug liegt lag erhalt erhielt wegen nach vor unter etwa noch mehr als atteint atteignait reste recoit apres avant sous plus alcanza alcanzo queda recibe despues antes bajo mas`)

// timeTerms say how long a time is, which spanOf reads.
var timeTerms = sync.OnceValue(func() map[string]bool {
	return reading.TermSet("full year quarter fiscal annual half month week full-year quarterly annually yearly jahr quartal")
})

// spanOf is how long a time a folded text is of, "" if it does not say so or names several.
func spanOf(folded string) string {
	span := reading.SpanOf(folded)
	if wholeYear.MatchString(folded) {
		if span != "" {
			return ""
		}
		return "year"
	}
	return span
}

// shareAlike is the share of some terms, in order, that a set has, as they are, in another form or as synonyms.
func shareAlike(in map[string]bool, terms []string) float64 {
	have := 0
	for i := 0; i < len(terms); {
		n, others := reading.Alike(terms[i:])
		all := !slices.ContainsFunc(terms[i:i+n], func(t string) bool { return !hasForm(in, t) })
		if all || slices.ContainsFunc(others, func(p reading.Phrase) bool { return p.Among(in) }) {
			have += n
		}
		i += n
	}
	return float64(have) / float64(max(len(terms), 1))
}

// hasForm reports whether a set has a term, another form of it, or a compound of it.
func hasForm(in map[string]bool, t string) bool {
	if reading.HasForm(in, t) {
		return true
	}
	for s := range in {
		if len(t) >= 6 && strings.Contains(s, t) || len(s) >= 6 && strings.Contains(t, s) {
			return true
		}
	}
	return false
}

func (c *check) fit(x wording, p *candidate) fit {
	f := fit{words: shareAlike(p.terms, x.terms), itself: shareAlike(p.own, x.terms)}
	if len(p.quote) > longQuote && !p.row {
		f.words = 0
		context := p.heading + " " + p.header + " " + c.title + " "
		for from := 0; from < len(p.quote); from += longQuote / 2 {
			from := reading.RuneBoundary(p.quote, from)
			window := p.quote[from:reading.RuneBoundary(p.quote, min(len(p.quote), from+longQuote))]
			f.words = max(f.words, shareAlike(reading.TermSet(context+window), x.terms))
		}
	}
	have := p.quantities()
	context := ""
	for _, q := range x.numbers {
		at := slices.IndexFunc(have, func(v reading.Quantity) bool {
			return q.Fits(v, p.scaleOf(v)) && (!p.row || v.Negative == q.Negative || !v.Negative || x.down || below.MatchString(x.folded))
		})
		switch {
		case at >= 0:
			f.numbers++
			continue
		case (q.IsYear() || q.IsDate()) && !slices.ContainsFunc(have, func(v reading.Quantity) bool { return v.IsYear() || v.IsDate() && v.Year > 0 }):
			if context == "" {
				context = p.heading + " " + p.header + " " + c.title
			}
			_, more := reading.Quantities(context)
			if slices.ContainsFunc(more, func(v reading.Quantity) bool { return q.Fits(v, -1) }) {
				f.numbers++
				continue
			}
		}
		if computed(q, x.numbers) || q.Percent && grows(q, have) {
			f.numbers++
			continue
		}
		f.missing = append(f.missing, q)
	}
	f.unit = slices.ContainsFunc(f.missing, func(q reading.Quantity) bool {
		return q.Unit != "" && slices.ContainsFunc(have, func(v reading.Quantity) bool { return v.Unit == q.Unit })
	})
	if len(f.missing) == 1 {
		q := f.missing[0]
		for i, v := range have {
			if (q.Alike(v) || q.IsYear() && v.IsYear()) && !v.Mark && !slices.ContainsFunc(x.numbers, func(n reading.Quantity) bool { return n.Fits(v, p.scaleOf(v)) }) {
				if clause := around(p.folded, v); shareAlike(reading.TermSet(clause), x.terms) < needBeside || moves(clause) != (x.up || x.down) {
					continue
				}
				f.other = &have[i]
				break
			}
		}
	}
	f.swapped = !p.row && swapped(x, p)
	for _, m := range ordinal.FindAllString(x.folded, -1) {
		f.swapped = f.swapped || !strings.Contains(p.folded, m)
	}
	f.strange = slices.ContainsFunc(x.names, func(t string) bool { return !hasForm(p.terms, t) && !hasForm(c.titleTerms, t) })
	clause := clauseLike(p.quote, x.terms)
	if x.up != x.down && !p.row {
		up, down := reading.Moves(rank.Fold(clause))
		for _, part := range clauseEnds.Split(p.folded, -1) {
			if up == down {
				up, down = reading.Moves(part)
			}
		}
		f.idle = !up && !down
		f.turned = up != down && up != x.up
	} else if x.up != x.down {
		f.idle = len(yearOf.FindAllString(p.header, -1)) < 2 && !x.changes
	}
	if x.steady && !p.row {
		up, down := reading.Moves(p.folded)
		f.turned = up != down && !steady.MatchString(p.folded)
	}
	f.denies = !p.row && reading.Negated(clause) != x.denied
	if s := spanOf(p.folded); x.span != "" {
		if s == "" {
			s = p.span
		}
		f.span = s != "" && s != x.span
	}
	return f
}

func (f fit) bears(x wording) bool {
	if len(f.missing) > 0 || f.strange || f.turned || f.idle || f.span || f.denies || f.swapped || f.itself == 0 && len(x.terms) > 0 {
		return false
	}
	need := needAlone
	switch {
	case f.numbers > 2:
		need = needMore
	case f.numbers > 1:
		need = needTwo
	case f.numbers == 1:
		need = needOne
	}
	return f.words >= need
}

// longQuote is a sentence so long, in bytes, that it is compared by its parts.
const longQuote = 300

// Shares of a statement's words that a place needs to bear it out, by how many of its numbers it has: the more, the fewer.
const (
	needAlone = 0.7
	needOne   = 0.55
	needTwo   = 0.35
	needMore  = 0.2
)

var yesNo = reading.Lazy(`^(?i:\W*(?:yes|no|ja|nein|oui|non|s[ií])[.,:;!]\s*)`)

// computed reports whether a number is the sum or the difference of two others that a wording gives.
func computed(q reading.Quantity, list []reading.Quantity) bool {
	for i, a := range list {
		for _, b := range list[i+1:] {
			if q.Measures() && a.Measures() && b.Measures() && a.From != q.From && b.From != q.From && a.Percent == b.Percent && a.Percent == q.Percent && a.Currency == b.Currency &&
				(q.Near(a.Amount()+b.Amount(), math.Pow10(q.Scale)) || q.Near(a.Amount()-b.Amount(), math.Pow10(q.Scale))) {
				return true
			}
		}
	}
	return false
}

// grows reports whether a percentage is the change from one number of a place to another.
func grows(q reading.Quantity, have []reading.Quantity) bool {
	for _, a := range have {
		for _, b := range have {
			if a.From != b.From && a.Measures() && b.Measures() && !a.Percent && !b.Percent && a.Currency == b.Currency && a.Amount() > 0 &&
				q.Near((b.Amount()/a.Amount()-1)*100, 1) {
				return true
			}
		}
	}
	return false
}

// below matches what says that a value is less than nothing.
var below = reading.Lazy(`\b(?:minus|negativ\w*|outflow\w*|loss(?:es)?|lost|deficit\w*|used|burn\w*|verlust\w*|perte\w*|perdid\w*|deficit)\b`)

// earlier matches what stands in front of the value that something had before.
var earlier = reading.Lazy(`\b(?:from|after|against|compared (?:to|with)|versus|vs\.?|von|nach|gegenuber|de|desde|contre|contra|frente a) [$€£]?$`)

// fromTo reports whether a wording gives two values of a kind, one of which was before, and they move as it says.
func fromTo(x wording) bool {
	for _, q := range x.numbers {
		if !q.Measures() || !earlier.MatchString(x.folded[max(0, q.From-30):q.From]) {
			continue
		}
		for _, o := range x.numbers {
			if o.Measures() && o.From != q.From && o.Percent == q.Percent && o.Currency == q.Currency && o.Amount() != q.Amount() && (o.Amount() > q.Amount()) == x.up {
				return true
			}
		}
	}
	return false
}

// clauseEnds parts what a sentence says of one from what it says of another.
var clauseEnds = reading.Lazy(`[;:()|]|, |\b(?:and|but|while|whereas|although|und|aber|wahrend|obwohl|et|mais|tandis que|y|pero|mientras|aunque)\b`)

// clauseLike is the part of a quote that shares most with some terms; the whole of it if no part has half of what it shares.
func clauseLike(quote string, terms []string) string {
	best, share := quote, shareAlike(reading.TermSet(quote), terms)*0.6
	for _, part := range clauseEnds.Split(quote, -1) {
		if n := shareAlike(reading.TermSet(part), terms); n > share {
			best, share = part, n
		}
	}
	return best
}

// around is the clause of a folded text that a number stands in.
func around(folded string, q reading.Quantity) string {
	from, to := 0, len(folded)
	for _, m := range clauseEnds.FindAllStringIndex(folded, -1) {
		if m[1] <= q.From {
			from = m[1]
		} else if m[0] >= q.To {
			to = m[0]
			break
		}
	}
	return folded[from:to]
}

func moves(folded string) bool {
	up, down := reading.Moves(folded)
	return up || down
}

// place is where a number or a word stands in a folded text, in bytes.
type place struct {
	from, to int
	form     string
}

func (p place) gap(o place) int { return max(p.from-o.to, o.from-p.to) }

var (
	word    = reading.Lazy(`\pL[\pL\pN]+`)
	ordinal = reading.Lazy(`\b\d+(?:st|nd|rd|th)\b`)
)

// placed are the numbers of a folded text, those that only count on ("3rd") too.
func placed(folded string, list []reading.Quantity) []place {
	var all []place
	for _, q := range list {
		if !q.IsYear() && !q.IsDate() {
			all = append(all, place{q.From, q.To, q.Shown})
		}
	}
	for _, m := range ordinal.FindAllStringIndex(folded, -1) {
		all = append(all, place{m[0], m[1], folded[m[0]:m[1]]})
	}
	return all
}

// nextTo is the search term of the word that stands nearest to a place, "" if none is near.
func nextTo(folded string, at place) string {
	best, term := nearby, ""
	for _, m := range word.FindAllStringIndex(folded, -1) {
		w := folded[m[0]:m[1]]
		if gap := at.gap(place{m[0], m[1], ""}); gap >= 0 && gap < best && !rank.Stop(w) {
			if t := reading.WordTerms(w); len(t) > 0 {
				best, term = gap, t[0]
			}
		}
	}
	return term
}

const (
	nearby        = 25 // bytes
	mostExchanged = 12 // numbers of a statement that are compared with each other
)

// gapTo is how far a number stands from the nearest word of a term.
func gapTo(folded, term string, at place) int {
	best := len(folded)
	for _, m := range word.FindAllStringIndex(folded, -1) {
		if gap := at.gap(place{m[0], m[1], ""}); gap >= 0 && gap < best && reading.Stem(folded[m[0]:m[1]]) == term {
			best = gap
		}
	}
	return best
}

// swapped reports whether two numbers of a statement are exchanged in a place: the word beside each stands beside the other.
func swapped(x wording, p *candidate) bool {
	mine, theirs := placed(x.folded, x.numbers), placed(p.folded, p.quantities())
	if len(mine) > mostExchanged {
		return false
	}
	for i, a := range mine {
		for _, b := range mine[i+1:] {
			ka := slices.IndexFunc(theirs, func(v place) bool { return v.form == a.form })
			kb := slices.IndexFunc(theirs, func(v place) bool { return v.form == b.form })
			wa, wb := nextTo(x.folded, a), nextTo(x.folded, b)
			if ka < 0 || kb < 0 || ka == kb || wa == wb || wa == "" || wb == "" {
				continue
			}
			va, vb := theirs[ka], theirs[kb]
			if gapTo(p.folded, wa, vb) < gapTo(p.folded, wa, va) && gapTo(p.folded, wb, va) < gapTo(p.folded, wb, vb) {
				return true
			}
		}
	}
	return false
}

// against reports whether a place with it says something else of the same: all but one number, a direction or a denial is the same.
func (f fit) against(x wording, p *candidate) bool {
	if f.strange || f.span || f.swapped || f.words < needAgainst || f.itself < needAgainstItself || f.numbers == 0 && len(x.terms) < 2 {
		return false
	}
	switch {
	case len(f.missing) == 1:
		return f.other != nil && !f.turned && !f.denies && !p.row
	case len(f.missing) > 1:
		return false
	}
	return f.turned != f.denies
}

// Shares of a statement's words that a place needs to say something else of the same.
const (
	needBeside        = 0.6 // of the words in the clause of a number that contradicts
	needAgainst       = 0.75
	needAgainstItself = 0.6
)

// scaleOf is the power of ten that a table multiplies a number of it by; a sentence says it with the number.
func (p *candidate) scaleOf(v reading.Quantity) int {
	if !p.row || v.Decimals == 2 {
		return 0
	}
	return p.scale
}
