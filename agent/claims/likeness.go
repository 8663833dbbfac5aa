package claims

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// like is the share of a claim's words that what it cites has to hold; alone is the same where no words are cited.
const (
	like  = 0.34
	alone = 0.6
)

// words compares the words of a claim with those of what it cites.
func (r *Reply) words(c *Claim, numbers int) (Outcome, Reason) {
	plain := yesNo.ReplaceAllString(c.folded, "")
	for _, q := range c.numbers {
		plain = strings.ReplaceAll(plain, q.shown, " ")
	}
	plain = reading.ReplaceAddresses(plain, func(string) string { return "" })
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
			share, n := r.share(terms, candidate.terms, len(c.own) == 0, numbers > 0)
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
	number := numbers > 0
	switch {
	case len(list) == 0 && number && len(c.sums) > 0:
		return Verified, Reason{}
	case len(list) == 0, len(terms) == 0 && !number && len(c.own) == 0:
		return Unchecked, Reason{Cause: Uncited}
	case number && (len(c.sums) > 0 || c.derived):
		return Verified, Reason{}
	case len(c.own) == 0 && bestShare < like, !number && len(c.own) == 0 && (bestShare < least || best == 0):
		return Unchecked, Reason{Cause: Uncited}
	case number && (len(terms) == 0 || foreign(c.Text, ctx) || len(terms) <= 2 && bestShare <= 0 && len(c.own) > 0 && len(c.own[0].rows) == 0 && !c.own[0].whole):
	case number && bestShare <= 0, !number && (bestShare < least || best == 0 && len(terms) > 0):
		return Unchecked, reason(Unlike)
	}
	switch {
	case opposed(c.Text, ctx, where):
		if bestShare >= alone || number && bestShare >= like {
			return Contradicted, reason(Says)
		}
		return Unchecked, reason(Unlike)
	case !number && none.MatchString(plain) && slices.ContainsFunc(where.rows, func(x *row) bool {
		return hits(x.terms, reading.TermSet(plain)) > 0 && !slices.ContainsFunc(x.values, func(v quantity) bool { return v.digits == 0 })
	}):
		return Unchecked, reason(Unlike) // "no debt", of a row that gives some
	case len(c.own) > 0 && len(where.rows) == 0 && (r.swapped(c, terms, ctx, where) || unfounded(c, r.ownText(c)) || !c.derived && len(c.sums) == 0 && otherPeriod(c.folded, r.ownText(c))):
		return Unchecked, reason(Unlike)
	}
	if name := r.stranger(c, list); name != "" && !number {
		return Unchecked, Reason{Cause: Nowhere, Number: name, Document: place.Document, Page: place.Page}
	}
	return Verified, Reason{}
}

// ownText is all that the places of a claim say.
func (r *Reply) ownText(c *Claim) (text string) {
	for _, e := range c.own {
		for _, p := range r.contexts(e) {
			text += p.text + "\n"
		}
	}
	return text
}

var periods = regexp.MustCompile(`\b(?:every|each|per|once a|twice a|a|pro|je|jede[nrs]?|par|chaque|al|cada) (?:single |calendar |business |working )?(day|night|week|month|quarter|year|hour|tag|nacht|woche|monat|quartal|jahr|jour|semaine|mois|trimestre|an|dia|semana|mes|ano)\b|\b(daily|weekly|monthly|quarterly|yearly|annual)(?:ly)?\b`)

// otherPeriod reports whether a claim names how often, and a passage another.
func otherPeriod(claim, text string) bool {
	mine, theirs := map[string]bool{}, periods.FindAllStringSubmatch(rank.Fold(text), -1)
	for _, m := range periods.FindAllStringSubmatch(claim, -1) {
		mine[periodOf(m)] = true
	}
	return len(mine) > 0 && len(theirs) > 0 && !slices.ContainsFunc(theirs, func(m []string) bool { return mine[periodOf(m)] })
}

// periodOf is the unit of a period, in the language of the text.
func periodOf(m []string) string {
	for word, unit := range map[string]string{"daily": "day", "weekly": "week", "monthly": "month", "quarterly": "quarter", "yearly": "year", "annual": "year", "night": "day"} {
		if m[1]+m[2] == word {
			return unit
		}
	}
	if unit := unitOf[m[1]]; unit != "" {
		return unit
	}
	return m[1]
}

var pronoun = regexp.MustCompile(`^(?:\PL*\pL+){0,2}\PL*\b(?:he|she|they|his|her|their|er|sie|ihr\w*|sein\w*|il|elle|ils|elles|ella|ellos|ellas)\b`)

var none = regexp.MustCompile(`\b(?:no|none|zero|kein\w*|aucune?|ningun\w*)\b`)

var causes = regexp.MustCompile(`\b(?:because(?: of)?|due to|owing to|thanks to|driven by|caused by|on account of|weil|wegen|aufgrund|infolge|dank|a cause de|en raison d\w*|grace a|parce que|porque|debido a|gracias a)\b`)

// unfounded reports whether a claim gives a reason of which the passage says nothing, though it gives one.
func unfounded(c *Claim, text string) bool {
	parts := causes.Split(c.folded, 2)
	if len(parts) < 2 || foreign(c.Text, text) {
		return false
	}
	in, n := reading.TermSet(text), 0
	terms := reading.ContentTerms(parts[1])
	for _, t := range terms {
		if holds(in, t) {
			n++
		}
	}
	return len(terms) > 1 && float64(n) < like*float64(len(terms))
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
		if len(e.sentences) > 0 { // what a short sentence speaks of may stand before it
			if i := slices.IndexFunc(e.page.sentences, func(s sentence) bool { return s.from == e.sentences[0].from }); i > 0 {
				around += " " + e.page.sentences[i-1].text
			}
		}
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

// share is that of a claim's terms which a passage holds, and how many these are. Words that only repeat the request
// weigh half, and nothing where numbers are borne out; a claim without a citation has to hold its own.
func (r *Reply) share(terms []string, in map[string]bool, uncited, numbers bool) (share float64, n int) {
	weight := 0.5
	switch {
	case uncited:
		weight = 1
	case numbers:
		weight = 0
	}
	total := 0.0
	for _, t := range terms {
		switch {
		case holds(in, t):
			n++
			total++
		case r.terms[t]:
			total += weight
		default:
			total++
		}
	}
	if total == 0 {
		return 1, n
	}
	return float64(n) / total, n
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

// swapped reports whether a claim says of one what the passage says of another, who stands on the page too: its subject,
// or a name.
func (r *Reply) swapped(c *Claim, terms []string, text string, e evidence) bool {
	theirs := reading.ContentTerms(clause(text, e.place.Quote))
	if len(theirs) == 0 || foreign(c.Text, text) || pronoun.MatchString(rank.Fold(clause(text, e.place.Quote))) { // it may be the name
		return false
	}
	own, in, page := reading.TermSet(c.Text), reading.TermSet(r.ownText(c)), reading.TermSet(e.page.text)
	if len(terms) >= 3 && !holds(in, terms[0]) && page[terms[0]] && !holds(own, theirs[0]) {
		return true
	}
	first, _ := r.Source.Text(e.place.Document, 1) // what cannot be read excuses nothing
	title := reading.TermSet(reading.Shorten(first, 120))
	strange := func(name string, in map[string]bool) bool {
		list := slices.DeleteFunc(rank.Terms(name), func(t string) bool { return title[t] })
		return len(list) > 0 && hits(list, in) == 0
	}
	if reading.Language(c.Text) == "de" { // all nouns are written like names
		return false
	}
	page = capitals(e.page.text)
	for name := range capitals(clause(text, e.place.Quote)) {
		if !strange(name, own) {
			continue
		}
		for w := range strings.FieldsSeq(c.Text) {
			if w = strings.Trim(strings.TrimSuffix(w, "'s"), "*(\"“',.;:)"); unicode.IsUpper(firstRune(w)) && page[w] && strange(w, in) {
				return true
			}
		}
	}
	return false
}

var capital = regexp.MustCompile(`(?:[\pL\pN,;)-] |\b\p{Lu}\. |\()(\p{Lu}\pL{2,})`)

// capitals are the words of a text that are written like names within its sentences.
func capitals(text string) map[string]bool {
	all := map[string]bool{}
	for _, m := range capital.FindAllStringSubmatch(text, -1) {
		all[m[1]] = true
	}
	return all
}

// stranger is the first name of a claim that neither its pages nor the request hold, "" for none.
func (r *Reply) stranger(c *Claim, list []evidence) string {
	text := r.Request + "\n" + strings.Join(r.Known, "\n") + "\n" + c.context
	for _, e := range list {
		text += "\n" + e.page.text
		if first, err := r.Source.Text(e.place.Document, 1); err == nil {
			text += "\n" + first
		}
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
			if !rank.Stop(w) && len(w) > 2 && !strings.Contains(have, " "+strings.Join(rank.Words(w), " ")) && r.Source.Named(w) == 0 {
				return w
			}
		}
	}
	return ""
}
