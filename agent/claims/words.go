package claims

import (
	"cmp"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

var (
	yesNo   = regexp.MustCompile(`^\W*(?:yes|no|ja|nein|oui|non|si)[.,:;!]\s*`)
	clauses = regexp.MustCompile(`[;:()|]|, (?:and|so|as|because|with|without|while|whereas|but|und|wahrend|aber|et|tandis que|mais|y|mientras|pero)\b|\b(?:but|while|whereas|although|though|aber|obwohl|mais|bien que|pero|aunque)\b`)
)

// Shares of words in common: cover is what a cited claim needs without a number that is borne out, alone what one needs that
// cites nothing, like what two clauses need to be compared, certainly what they need for it to be certain that one denies the
// other, same what they need to be compared in how often they deny.
const (
	like      = 0.3
	cover     = 0.4
	alone     = 0.6
	certainly = 0.75
	same      = 0.9
)

const longPart = 5 // content words of a part of a claim that must not all be new

// words compares the words of a claim with those of what it cites; borne is how many of its numbers are borne out. What
// is cited and says the same in other words is not told from what says another thing: only a negation, a direction, a
// name and a subject are judged.
func (r *Reply) words(c *Claim, borne int) (Outcome, Reason) {
	list := c.own
	if len(list) == 0 {
		list = r.evidence
	}
	terms := reading.WordTerms(yesNo.ReplaceAllString(c.folded, "") + " " + c.context)
	if len(list) == 0 || len(c.own) == 0 && borne == 0 && len(terms) == 0 {
		return Unchecked, Reason{Cause: Uncited}
	}
	place := list[0].place
	reason := Reason{Document: place.Document, Page: place.Page}
	if said := r.turned(c); said.Cause != NoCause {
		return Contradicted, said
	}
	if against, certain := opposed(c, list); certain {
		reason.Cause, reason.Words = Says, reading.Shorten(against, 160)
		return Contradicted, reason
	} else if against != "" {
		reason.Cause = Unlike
		return Unchecked, reason
	}
	if c.otherKind() || !r.covered(c, list, borne) {
		if reason.Cause = Unlike; len(c.own) == 0 {
			reason = Reason{Cause: Uncited}
		}
		return Unchecked, reason
	}
	if c.cited && (c.mixes() || r.swapped(c, terms)) {
		reason.Cause = Unlike
		return Unchecked, reason
	}
	if name := r.stranger(c, list); name != "" && borne == 0 {
		reason.Cause, reason.Number = Nowhere, name
		return Unchecked, reason
	}
	return Verified, Reason{}
}

// covered reports whether what is cited has enough of a claim's words, with the request and the heading, unless numbers are
// borne out; and some of each long part without a number. In another language nothing is compared, nor in German,
// whose compounds hide words. What cites nothing needs more.
func (r *Reply) covered(c *Claim, list []*evidence, borne int) bool {
	claim := yesNo.ReplaceAllString(c.folded, "")
	terms, in := reading.WordTerms(claim), map[string]bool{}
	for _, e := range list {
		best := map[string]bool{}
		for _, p := range e.passages() { // of a page what is most like the claim
			if shareOf(terms, p.terms) >= shareOf(terms, best) {
				best = p.terms
			}
		}
		maps.Copy(in, best)
	}
	switch language := reading.Language(c.Text); {
	case len(c.own) == 0 && borne == 0 && shareOf(terms, in) == 0: // the request's words alone say nothing
		return false
	case len(c.own) > 0 && (language == "de" || language != reading.Language(list[0].page.Text) || len(terms) < 2):
		return true
	}
	maps.Copy(in, r.terms)
	maps.Copy(in, reading.TermSet(c.context))
	if len(c.own) == 0 && borne == 0 {
		return shareOf(terms, in) >= alone
	}
	rows := slices.ContainsFunc(list, func(e *evidence) bool { return len(e.rows) > 0 })
	return (borne > 0 || shareOf(terms, in) >= cover) && (rows || !slices.ContainsFunc(segment.Split(claim, -1), func(part string) bool {
		terms := reading.WordTerms(part)
		return len(terms) >= longPart && shareOf(terms, in) == 0 && !strings.ContainsAny(part, "0123456789")
	}))
}

// otherKind reports whether a claim has a word of a kind of which what it cites has another: a title, a day, how many.
func (c *Claim) otherKind() bool {
	quoted, around := "", ""
	for _, e := range c.own {
		if e.whole {
			return false
		}
		quoted += rank.Fold(e.place.Quote) + "\n"
		for _, p := range e.passages() {
			around += rank.Fold(p.text) + "\n"
		}
	}
	return opposite(c.folded, around) != nil && opposite(c.folded, quoted) != nil
}

// opposed is a sentence that is cited, a clause of which denies what a clause of the claim says, or the other way round, or
// has it rise where it falls; "" for none. It is certain if the two clauses have nearly the same words.
func opposed(c *Claim, list []*evidence) (quote string, certain bool) {
	claim := yesNo.ReplaceAllString(c.folded, "")
	for _, mine := range clauses.Split(claim, -1) {
		terms := reading.WordTerms(mine)
		denied := reading.Denied(mine)
		denied.Words += c.undone(mine, list)
		best, share, quote, cited := "", 0.0, "", ""
		for _, e := range list {
			for _, s := range e.sentences {
				if e.whole || s.InRow || reading.Packed(c.Text) != reading.Packed(s.Text) || c.shares(s) == 1 {
					continue
				}
				for _, theirs := range clauses.Split(rank.Fold(s.Text), -1) {
					if x := shareOf(terms, reading.TermSet(theirs)); x > share || x == share && x > 0 && reading.Denied(theirs).Words == denied.Words {
						best, share, quote, cited = theirs, x, s.Text, rank.Fold(e.place.Quote)
					}
				}
			}
		}
		if len(terms) == 0 || share < like {
			continue
		}
		if denied.Words == 0 {
			for _, e := range list {
				said := rank.Fold(e.place.Quote)
				if x := opposite(mine, said); x != nil && !e.whole && len(e.rows) == 0 && reading.Denied(said).Words == 0 {
					if of := shareOf(reading.WordTerms(x.ReplaceAllString(mine, " ")), reading.TermSet(said)); of >= like {
						return e.place.Quote, of >= certainly
					}
				}
			}
		}
		if up, down := reading.Moves(mine); up != down {
			u, d := false, false
			for _, text := range []string{best, cited, rank.Fold(quote)} {
				if u == d {
					u, d = reading.Moves(text)
				}
			}
			what := slices.DeleteFunc(slices.Clone(terms), func(t string) bool { u, d := reading.Moves(t); return u || d })
			if u != d && u != up && shareOf(what, reading.TermSet(best)) >= 0.5 {
				return quote, share >= certainly
			}
		}
		if share >= alone && done.MatchString(mine) && !planned.MatchString(claim) && planned.MatchString(best) && !done.MatchString(best) {
			return quote, false // what is planned is not done yet
		}
		theirs := reading.Denied(best)
		switch {
		case theirs.Words == 0 && denied.Words == 0:
			continue
		case theirs.Words > 0 && denied.Words > 0:
			if share < same || theirs.Words%2 == denied.Words%2 {
				continue
			}
		case denied.Words > 0:
			if reading.Denied(quote).Words > 0 || strings.Contains(rank.Fold(quote), "non-") || float64(hits(terms, reading.TermSet(best))) < alone*float64(len(terms)) && !denies(denied, best, share) {
				continue
			}
		case reading.Denied(claim).Words > 0 || !denies(theirs, mine, share):
			continue
		}
		return quote, share >= certainly
	}
	return "", false
}

// undone is how many words of a part of a claim deny one that is cited: "untested".
func (c *Claim) undone(part string, list []*evidence) (n int) {
	for w := range strings.FieldsSeq(part) {
		if bare, ok := strings.CutPrefix(strings.Trim(w, ".,"), "un"); ok && len(bare) > 3 && slices.ContainsFunc(list, func(e *evidence) bool {
			words := rank.Words(e.place.Quote)
			return slices.Contains(words, bare) && !slices.Contains(words, "un"+bare)
		}) {
			n++
		}
	}
	return n
}

// planned and done match what is to come and what was.
var (
	planned = regexp.MustCompile(`\b(?:will|shall|(?:is|are) (?:to|planned|expected|scheduled|proposed|due)|plans?|intends?|expects?|proposes?|soll|sollen|geplant|vorgesehen|prevoit|prevu|devra|planea|previsto)\b`)
	done    = regexp.MustCompile(`\b(?:(?:has|have|had) (?:not |already |since )?(?:been|\pL+(?:ed|en))|was|were|wurden?|worden|a ete|ont ete|ha sido|fue|fueron)\b`)
)

// denies reports whether a denial is of what a text says that has a share of its words. A verb that forbids may itself be
// what is said otherwise.
func denies(d reading.Denial, text string, share float64) bool {
	in := reading.TermSet(text)
	return reading.Packed(text) || (!d.Forbids || share >= alone) && slices.ContainsFunc(d.Phrases, func(p []string) bool {
		return !slices.ContainsFunc(p, func(t string) bool { return !has(in, t) })
	})
}

// earlier matches the text between a value and its earlier value.
var earlier = regexp.MustCompile(`^.{0,40}?(?:\b(?:compared (?:with|to)|against|versus|vs\.?|after|(?:up|down) from|instead of|(?:fewer|less|more|lower|higher) than|previously|gegenuber|vorjahr|prior year|previous year|contre|frente a)\b[:(\s]*|\(\s*(?:19|20)\d\d: *)(?:about |approximately |the |just |only )?(?:[$€£¥]|\pL{2,3}\.? )*$`)

// turned is what a row says whose value rises where a claim has it fall, or the other way round.
func (r *Reply) turned(c *Claim) Reason {
	if reason := c.against(); reason.Cause != NoCause {
		return reason
	}
	for _, e := range c.own {
		for _, x := range e.rows {
			about := func(clause string) float64 { // most of all the one that gives a number of the row
				share := shareOf(x.Terms, reading.TermSet(clause))
				if slices.ContainsFunc(c.numbers, func(q reading.Quantity) bool {
					return q.Measures() && strings.Contains(clause, q.Shown) && slices.ContainsFunc(x.Values, func(v reading.Quantity) bool { return q.Fits(v, x.Scale) })
				}) {
					share++
				}
				return share
			}
			part := slices.MaxFunc(clauses.Split(c.folded, -1), func(a, b string) int { return cmp.Compare(about(a), about(b)) })
			up, down := reading.Moves(part)
			if rises, falls := reading.Moves(rank.Fold(x.Label)); up == down || rises || falls || about(part) == 0 {
				continue
			}
			if reading.Negated(part) {
				up, down = down, up
			}
			for i, now := range x.Values {
				if up && (now.Negative || strings.Contains(now.Shown, ")")) && slices.ContainsFunc(c.numbers, func(q reading.Quantity) bool { // "grew by 0.6%" of (0.6)%
					return q.Percent && !q.Negative && q.Fits(now, x.Scale) && strings.Contains(part, q.Shown) && moved.MatchString(c.folded[:q.From])
				}) {
					return Reason{Cause: Says, Words: x.Says(i), Number: now.Shown, Document: e.place.Document, Page: e.place.Page}
				}
				k := x.YearBefore(i)
				if k < 0 || !slices.ContainsFunc(c.numbers, func(q reading.Quantity) bool { // "grew 6.9%" is the change itself
					return q.Measures() && q.Fits(now, x.Scale) && (!q.Percent || !moved.MatchString(c.folded[:q.From]))
				}) {
					continue
				}
				then := x.Values[k]
				if slices.ContainsFunc(c.numbers, func(q reading.Quantity) bool { // it compares with that
					return q.Measures() && !q.Fits(now, x.Scale) && !q.Fits(then, x.Scale) && slices.ContainsFunc(x.Values, func(v reading.Quantity) bool { return q.Fits(v, x.Scale) })
				}) {
					break
				}
				if now.Negative == then.Negative && (up && now.Digits < then.Digits || down && now.Digits > then.Digits) {
					return Reason{Cause: Says, Words: x.Says(i) + ", " + x.Says(k), Number: now.Shown, Document: e.place.Document, Page: e.place.Page}
				}
				break
			}
		}
	}
	return Reason{}
}

// moved matches what stands before a percentage by which something rises or falls.
var moved = regexp.MustCompile(`\b(?:up|down|by|grew|grown|growing|rose|risen|rising|increas\w+|gained|climbed|fell|fallen|falling|declin\w+|decreas\w+|dropped|um|de|stieg|sank|wuchs)(?: (?:only|just|about|approximately|nearly|over|rund))? [-+−–]?$`)

// against is a sentence cited whose only such percentage rises where the claim's falls, or the other way round.
func (c *Claim) against() Reason {
	turned, meant := make([]Reason, len(c.numbers)), make([]bool, len(c.numbers))
	for _, e := range c.own {
		for _, s := range e.sentences {
			if e.whole || s.InRow {
				continue
			}
			says := Reason{Cause: Says, Words: reading.Shorten(s.Text, 160), Document: e.place.Document, Page: e.place.Page}
			if c.shares(s) < 0 && shareOf(reading.WordTerms(c.folded), s.Terms()) >= certainly {
				says.Number = reading.Fractions(c.folded)[0].Shown
				return says
			}
			for i, q := range c.numbers {
				up, down := moves(c.folded, c.numbers, i)
				for k, v := range s.Quantities() {
					if !q.Percent || !v.Percent || !q.Fits(v, -1) {
						continue
					}
					if rises, falls := moves(s.Folded(), s.Quantities(), k); up == down || rises == falls || up == rises {
						meant[i] = true // this one may be
					}
					turned[i] = says
				}
			}
		}
	}
	for i, reason := range turned {
		if reason.Cause != NoCause && !meant[i] {
			return reason
		}
	}
	return Reason{}
}

// shares compares the one share that a claim and a sentence each give in words: -1 if it is another, 1 if one is what the
// other leaves (two thirds are let, a third is not), else 0.
func (c *Claim) shares(s *reading.Sentence) int {
	mine, theirs := reading.Fractions(c.folded), reading.Fractions(s.Folded())
	if len(mine) != 1 || len(theirs) != 1 {
		return 0
	}
	near := func(share float64) bool { return math.Abs(mine[0].Digits-share) <= 1 }
	switch denied := reading.Negated(c.Text) != reading.Negated(s.Text); {
	case denied && near(100-theirs[0].Digits):
		return 1
	case !denied && !near(theirs[0].Digits):
		return -1
	}
	return 0
}

// moves reports whether the part of a text that speaks of number i has something rise, and whether fall; neither if it
// denies, or speaks of a loss.
func moves(folded string, numbers []reading.Quantity, i int) (up, down bool) {
	before, after := part(folded, numbers, i)
	parts := clauses.Split(before, -1)
	after = clauses.Split(after, 2)[0]
	text := parts[len(parts)-1] + " " + after
	if reading.Denied(text).Words > 0 || lossWord.MatchString(text) {
		return false, false
	}
	up, down = reading.Moves(text)
	return up || more.MatchString(after), down || fewer.MatchString(after)
}

// more and fewer match what stands behind a number by which something is more or less.
var (
	more  = regexp.MustCompile(`^ ?(?:more|greater|higher|above|mehr|hoher|(?:de )?plus|mas)\b`)
	fewer = regexp.MustCompile(`^ ?(?:fewer|less|lower|below|weniger|niedriger|geringer|tiefer|(?:de )?moins|menos)\b`)
)

// swapped reports whether a claim says of one what is cited of another, who stands on the page too: its subject, or a name.
func (r *Reply) swapped(c *Claim, terms []string) bool {
	cited, page, quoted := "", "", ""
	for _, e := range c.own {
		if len(e.rows) > 0 || e.whole {
			return false
		}
		for _, p := range e.passages() {
			cited += p.text + "\n"
		}
		quoted, page = quoted+e.place.Quote+"\n", page+e.page.Text
	}
	for _, m := range inQuotes.FindAllStringSubmatch(c.Text, -1) {
		if strings.Contains(reading.Squash(cited), reading.Squash(m[1])) {
			return false // its own words
		}
	}
	own, in, theirs := reading.TermSet(c.Text+" "+c.context), reading.TermSet(cited), reading.WordTerms(quoted)
	if len(theirs) == 0 {
		return false
	}
	subject := slices.IndexFunc(terms, func(t string) bool { _, number := reading.NumberWord(t); return len(t) > 2 && !number }) // "U.S." is none
	if subject >= 0 && len(terms) >= 3 && !pronoun.MatchString(rank.Fold(quoted)) && !pronoun.MatchString(yesNo.ReplaceAllString(c.folded, "")) &&
		!holds(in, terms[subject]) && !r.terms[terms[subject]] && reading.TermSet(page)[terms[subject]] && !holds(own, theirs[0]) && shareOf(terms[subject+1:], in) >= certainly {
		return true
	}
	if reading.Language(c.Text) == "de" || reading.Packed(c.Text) { // all nouns are written like names, or words are not parted
		return false
	}
	first, _ := r.Source.Text(c.own[0].place.Document, 1) // an unreadable page contains no name
	titled := reading.TermSet(reading.Shorten(first, besideTitle))
	elsewhere := capitals(page)
	lost := func(name string) bool { return !holds(own, reading.Stem(name)) && name != strings.ToUpper(name) } // "BDS" is Defense, Space & Security
	gained := func(word string) bool {
		return slices.Contains(elsewhere, word) && !holds(in, reading.Stem(word)) && !(r.terms[reading.Stem(word)] && titled[reading.Stem(word)])
	}
	return slices.ContainsFunc(capitals(quoted), lost) && slices.ContainsFunc(strings.FieldsFunc(c.Text, func(x rune) bool { return !unicode.IsLetter(x) }), gained)
}

const besideTitle = 600 // characters at a document's beginning that name whom it is about

// pronoun matches a text that does not name its subject first.
var pronoun = regexp.MustCompile(`^\W*(?:only|also|just|still|nur|auch|seulement|solo|there|we|you|it|they|he|she|this|these|i|wir|er|es|sie|nous|il|elle|ils|elles|on|nosotros|ellos|ella)\b`)

// inQuotes matches words that a claim copies.
var inQuotes = regexp.MustCompile(`["“„«]([^"“”„«»]{15,})["”“»]`)

// capitals are the words of a text that are written like names within its sentences.
func capitals(text string) (all []string) {
	for _, m := range capital.FindAllStringIndex(text, -1) {
		word := text[m[0]:m[1]]
		if !insideSentence.MatchString(text[max(0, m[0]-4):m[0]]) || rank.Stop(rank.Fold(word)) {
			continue
		}
		if _, read := reading.Quantities(word + " 2020"); !read[0].IsDate() { // a month is no name
			all = append(all, word)
		}
	}
	return all
}

var (
	capital        = regexp.MustCompile(`\p{Lu}\pL{2,}`)
	insideSentence = regexp.MustCompile(`(?:[\pL\pN,;)-] |\b\p{Lu}\. |\()$`)
)

// stranger returns the first name or address of a claim that is neither on its pages nor in the request, "" for none.
func (r *Reply) stranger(c *Claim, list []*evidence) string {
	text := r.Request + "\n" + strings.Join(r.Known, "\n") + "\n" + c.context
	for _, e := range list {
		first, _ := r.Source.Text(e.place.Document, 1) // an unreadable page contains no name
		text += "\n" + e.page.Text + "\n" + first
	}
	for _, a := range reading.Addresses(c.Text) {
		if !strings.Contains(text, a) {
			return a
		}
	}
	if reading.Language(c.Text) == "de" || reading.Packed(c.Text) { // all nouns are written like names, or words are not parted
		return ""
	}
	have := " " + strings.Join(rank.Words(text), " ") + " "
	for _, name := range rank.Names(strings.ReplaceAll(c.Text, ": ", ". ")) {
		for w := range strings.FieldsSeq(name) {
			if !rank.Stop(w) && len(w) > 2 && !strings.Contains(have, " "+strings.Join(rank.Words(w), " ")) && r.Source.Named(w) == 0 {
				if _, others := reading.Alike([]string{reading.Stem(w)}); !slices.ContainsFunc(others, func(p reading.Phrase) bool { return p.Among(reading.TermSet(text)) }) {
					return w
				}
			}
		}
	}
	return ""
}
