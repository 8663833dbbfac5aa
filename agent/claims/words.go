package claims

import (
	"regexp"
	"slices"
	"strings"
	"unicode"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Words that turn a claim into another: negations and directions. The patterns see folded text.
var (
	idiom    = regexp.MustCompile(`\b(?:no|not) (?:later|more|less|fewer|earlier|longer|sooner|greater|lower|higher) than\b|\bnot only\b|\bno\. ?\d|\bnicht nur\b|\bnicht (?:spater|mehr|weniger|langer|fruher) als\b|\bpas plus (?:de|tard)\b|\bne .{0,20} que\b|\bno (?:solo|mas de|mas tarde)\b|\bpas moins\b|\bwithout limitation\b|\bnon-\w+`)
	forbids  = regexp.MustCompile(`\b(?:prohibit\w*|forbid\w*|excluded?|excludes|excluding|exclusion|waived?|refus\w*|fail(?:s|ed|ure)?|miss(?:es|ed)?|den(?:y|ies|ied)|declin\w* to|lack(?:s|ed|ing)?|absent|unable|unpermitted|disallow\w*|bann?(?:s|ed)?|verbot\w*|untersag\w*|ausgeschlossen|ausschluss|entfall\w*|verweiger\w*|unzulassig|verfehl\w*|interdi\w*|exclu\w*|refus\w*|prohib\w*|excluy\w*|exclui\w*|ausser|except|unless)\b|禁止|除く|除き|ことはでき|不得|禁止`)
	upward   = regexp.MustCompile(`\b(?:rais(?:e|es|ed|ing)|rose|rises?|risen|rising|increas\w*|grew|grow(?:s|n|th|ing)?|gained?|higher|climb\w*|improv\w*|up (?:from|by|\d)|stieg(?:en)?|gestiegen|steig\w*|erhoht\w*|zunahme|zugenommen|wuchs\w*|augment\w*|hausse|progresse\w*|aument\w*|subio|crecio|crec\w*|incremen\w*)\b|増加|上昇|増え|增长|上升`)
	downward = regexp.MustCompile(`\b(?:fell|falls?|fallen|falling|decreas\w*|declin\w*|drop(?:s|ped)?|lower(?:s|ed|ing)?|shr[aiu]nk\w*|reduc\w*|down (?:from|by|\d)|sank(?:en)?|gesunken|sink\w*|ruckgang|zuruck\w*|verringer\w*|fiel(?:en)?|gefallen|baiss\w*|recul\w*|diminu\w*|disminu\w*|cayo|baj[oó]|descen\w*|reduj\w*)\b|減少|低下|下落|減り|下降`)
	yesNo    = regexp.MustCompile(`^\W*(?:yes|no|ja|nein|oui|non|si)[.,:;!]\s*`)
	lack     = regexp.MustCompile(`^(?:without|ohne|sans|sin|senza|sem|zonder|more|less|later|earlier|only)$`)
	lackWord = regexp.MustCompile(`\b(?:without|ohne|sans|sin|senza|sem|zonder)\b`)
	intends  = regexp.MustCompile(`^(?:inten|plan|expect|beabsicht|geplant|pretend)`)
	clauses  = regexp.MustCompile(`[;:()]|, (?:and|while|whereas|but|und|wahrend|aber|et|tandis que|mais|y|mientras|pero)\b|\b(?:but|while|whereas|although|though|aber|obwohl|mais|bien que|pero|aunque)\b`)
)

// Shares of words in common: alone is what a claim that cites nothing needs without a number that is borne out, like what
// two clauses need to be compared.
const (
	like  = 0.3
	alone = 0.6
)

// denies reports whether a text denies, or forbids: two such words cancel out.
func denies(text string) bool { return denials(text, false)%2 == 1 }

// denials is how many words of a text deny or forbid. "Without" counts behind another, as in "prohibited without
// consent", or if lacks.
func denials(text string, lacks bool) (n int) {
	folded := idiom.ReplaceAllString(rank.Fold(text), " ")
	if packed(text) {
		return reading.Denials(folded) + len(forbids.FindAllString(folded, -1))
	}
	for w := range strings.FieldsSeq(folded) {
		w = strings.Trim(w, `.,;:!?"()`)
		if (reading.Denies(w) || forbids.MatchString(w)) && (lacks || n > 0 || !lack.MatchString(w)) {
			n++
		}
	}
	return n
}

// words compares the words of a claim with those of what it cites; borne is how many of its numbers are borne out. What
// is cited and says the same in other words is not told from what says another thing: only a negation, a direction, a
// name and a subject are judged.
func (r *Reply) words(c *Claim, borne int) (Outcome, Reason) {
	list := c.own
	if len(list) == 0 {
		list = r.evidence
	}
	terms := wordTerms(yesNo.ReplaceAllString(c.folded, "") + " " + c.context)
	if len(list) == 0 || len(c.own) == 0 && borne == 0 && !r.tells(terms) {
		return Unchecked, Reason{Cause: Uncited}
	}
	place := list[0].place
	reason := Reason{Document: place.Document, Page: place.Page}
	if said := r.turned(c); said.Cause != NoCause {
		return Contradicted, said
	}
	if against := opposed(c, list); against != "" {
		reason.Cause, reason.Words = Says, reading.Shorten(against, 160)
		return Contradicted, reason
	}
	if c.cited && r.swapped(c, terms) {
		reason.Cause = Unlike
		return Unchecked, reason
	}
	if name := r.stranger(c, list); name != "" && borne == 0 {
		reason.Cause, reason.Number = Nowhere, name
		return Unchecked, reason
	}
	return Verified, Reason{}
}

// tells reports whether something that the reply cites holds most of some terms.
func (r *Reply) tells(terms []string) bool {
	return len(terms) > 0 && slices.ContainsFunc(r.evidence, func(e evidence) bool {
		return slices.ContainsFunc(e.passages(), func(p passage) bool { return shareOf(terms, p.terms) >= alone })
	})
}

// wordTerms are the content terms of a text that are no numbers.
func wordTerms(text string) []string {
	return slices.DeleteFunc(reading.ContentTerms(text), func(t string) bool { return strings.ContainsAny(t, "0123456789") })
}

// opposed is a sentence that is cited, a clause of which denies what a clause of the claim says, or the other way round, or
// has it rise where it falls; "" for none.
func opposed(c *Claim, list []evidence) string {
	claim := yesNo.ReplaceAllString(c.folded, "")
	for _, mine := range clauses.Split(claim, -1) {
		terms := wordTerms(mine)
		best, share, quote := "", 0.0, ""
		for _, e := range list {
			for _, s := range e.sentences {
				if e.whole || s.InRow || packed(c.Text) != packed(s.Text) {
					continue
				}
				for _, theirs := range clauses.Split(rank.Fold(s.Text), -1) {
					if x := shareOf(terms, reading.TermSet(theirs)); x > share || x == share && x > 0 && denies(theirs) == denies(mine) {
						best, share, quote = theirs, x, s.Text
					}
				}
			}
		}
		if len(terms) == 0 || share < like {
			continue
		}
		if up, down := upward.MatchString(mine), downward.MatchString(mine); up != down && share >= 0.5 {
			said := rank.Fold(quote)
			if u, d := upward.MatchString(said), downward.MatchString(said); u != d && u != up && denies(mine) == denies(best) {
				return quote
			}
		}
		lacks := lackWord.MatchString(mine) && lackWord.MatchString(best)
		a, b := denials(mine, lacks), denials(best, lacks)
		switch {
		case a%2 == b%2, (a > 0 && b > 0 || lacks) && share < 0.9:
			continue
		case a > 0 && b > 0 || lacks:
		case b > 0 && (denials(claim, lacks) > 0 || !packed(best) && !holdsAny(mine, denied(best))), b == 0 && denies(quote):
			continue
		}
		return quote
	}
	return ""
}

// holdsAny reports whether a text holds one of some terms.
func holdsAny(text string, terms []string) bool {
	in := reading.TermSet(text)
	return slices.ContainsFunc(terms, func(t string) bool { return holds(in, t) })
}

// denied are the words that a text denies: the first behind each negation, in German also the one before, and those
// before a word that forbids.
func denied(text string) (terms []string) {
	words := rank.Words(idiom.ReplaceAllString(rank.Fold(text), " "))
	add := func(list []string) {
		list = slices.DeleteFunc(slices.Clone(list), func(w string) bool { return stemOf(w) == "" || rank.Stop(w) })
		if len(list) > 1 && intends.MatchString(list[0]) {
			list = list[1:]
		}
		if len(list) > 0 {
			terms = append(terms, stemOf(list[0]))
		}
	}
	for i, w := range words {
		switch {
		case lack.MatchString(w):
		case forbids.MatchString(w):
			back := slices.Clone(words[max(0, i-4):i])
			slices.Reverse(back)
			add(back)
		case reading.Denies(w):
			if add(words[i+1 : min(i+5, len(words))]); i > 0 && reading.Language(text) == "de" {
				add(words[i-1 : i])
			}
		}
	}
	return terms
}

// earlier matches what stands between a value and the one of the time before.
var earlier = regexp.MustCompile(`^.{0,40}?(?:\b(?:compared (?:with|to)|against|versus|vs\.?|after|previously|gegenuber|vorjahr|prior year|previous year|contre|frente a)\b[:(\s]*|\(\s*(?:19|20)\d\d: *)(?:about |approximately )?(?:[$€£¥]|eur |usd )*$`)

// turned is what a row or a sentence says whose value rises where a claim has it fall, or the other way round.
func (r *Reply) turned(c *Claim) Reason {
	for _, e := range c.own {
		for _, s := range e.sentences {
			all := slices.DeleteFunc(slices.Clone(s.Quantities()), func(q reading.Quantity) bool { return !q.Measures() })
			for i := 1; i < len(all); i++ {
				now, then := all[i-1], all[i]
				if !earlier.MatchString(s.Folded()[now.To:then.From]) || now.Percent != then.Percent || now.Currency != then.Currency || !slices.ContainsFunc(c.numbers, func(q reading.Quantity) bool { return q.Measures() && q.Fits(now, -1) }) {
					continue
				}
				up, down := upward.MatchString(c.folded), downward.MatchString(c.folded)
				if up && upward.MatchString(s.Folded()) || down && downward.MatchString(s.Folded()) {
					continue // it is the change that is told
				}
				if up && !down && now.Amount() < then.Amount() || down && !up && now.Amount() > then.Amount() {
					return Reason{Cause: Says, Words: reading.Shorten(s.Text, 160), Number: now.Shown, Document: e.place.Document, Page: e.place.Page}
				}
			}
		}
		for _, x := range e.rows {
			part, most := "", 0
			for _, clause := range clauses.Split(c.folded, -1) {
				in := reading.TermSet(clause)
				if n := len(x.Terms) - len(slices.DeleteFunc(slices.Clone(x.Terms), func(t string) bool { return holds(in, t) })); n > most {
					part, most = clause, n
				}
			}
			up, down := upward.MatchString(part), downward.MatchString(part)
			if up == down || upward.MatchString(rank.Fold(x.Label)) || downward.MatchString(rank.Fold(x.Label)) {
				continue
			}
			if denies(part) {
				up, down = down, up
			}
			for i, now := range x.Values {
				k := x.YearBefore(i)
				if k < 0 || !slices.ContainsFunc(c.numbers, func(q reading.Quantity) bool {
					return q.Measures() && q.Fits(now, x.Scale) || q.IsYear() && int(q.Digits) == x.YearOf(i)
				}) {
					continue
				}
				then := x.Values[k]
				if now.Negative == then.Negative && (up && now.Digits < then.Digits || down && now.Digits > then.Digits) {
					return Reason{Cause: Says, Words: x.Says(i) + ", " + x.Says(k), Number: now.Shown, Document: e.place.Document, Page: e.place.Page}
				}
				break
			}
		}
	}
	return Reason{}
}

// passage is a text with the terms that stand in and around it.
type passage struct {
	text  string
	terms map[string]bool
}

// passages are what a place says: its words with their sentences and rows; of a whole page each sentence and row.
func (e evidence) passages() (all []passage) {
	if e.whole {
		for i := range e.page.Sentences {
			all = append(all, passage{e.page.Sentences[i].Text, e.page.Sentences[i].Terms()})
		}
		for _, x := range e.page.Rows {
			all = append(all, passage{x.Text, reading.TermSet(x.Text + " " + x.Title)})
		}
		return all
	}
	text := e.place.Quote
	for _, s := range e.sentences {
		text += " " + s.Text
	}
	around := text
	for _, x := range e.rows {
		around += " " + x.Label + " " + x.Title + " " + strings.Join(x.Heads, " ")
	}
	return []passage{{text, reading.TermSet(around)}}
}

// shareOf is that of some terms which a set holds, 1 of none.
func shareOf(terms []string, in map[string]bool) float64 {
	n := 0
	for _, t := range terms {
		if holds(in, t) {
			n++
		}
	}
	if len(terms) == 0 {
		return 1
	}
	return float64(n) / float64(len(terms))
}

// holds reports whether a term, one of the same stem or a word used for it stands in a set.
func holds(in map[string]bool, t string) bool {
	if in[t] || slices.ContainsFunc(reading.Synonyms(t), func(s string) bool { return in[s] }) {
		return true
	}
	for s := range in {
		if n := common(t, s); n >= 5 && n*10 >= 7*min(len(t), len(s)) {
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

// packed reports whether a text is in a script without spaces.
func packed(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
	})
}

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
	own, in, theirs := reading.TermSet(c.Text+" "+c.context), reading.TermSet(cited), wordTerms(quoted)
	if len(theirs) == 0 {
		return false
	}
	if len(terms) >= 3 && !holds(in, terms[0]) && !r.terms[terms[0]] && reading.TermSet(page)[terms[0]] && !holds(own, theirs[0]) {
		return true
	}
	if reading.Language(c.Text) == "de" { // all nouns are written like names
		return false
	}
	elsewhere := capitals(page)
	for name := range capitals(quoted) {
		for w := range strings.FieldsSeq(c.Text) {
			mine := strings.Trim(strings.TrimSuffix(w, "'s"), "*(\"“',.;:)")
			if !holds(own, stemOf(name)) && elsewhere[mine] && !holds(in, stemOf(mine)) {
				return true
			}
		}
	}
	return false
}

var (
	capital = regexp.MustCompile(`(?:[\pL\pN,;)-] |\b\p{Lu}\. |\()(\p{Lu}\pL{2,})`)
)

// capitals are the words of a text that are written like names within its sentences.
func capitals(text string) map[string]bool {
	all := map[string]bool{}
	for _, m := range capital.FindAllStringSubmatch(text, -1) {
		all[m[1]] = true
	}
	return all
}

// stranger is the first name or address of a claim that neither its pages nor the request hold, "" for none.
func (r *Reply) stranger(c *Claim, list []evidence) string {
	text := r.Request + "\n" + strings.Join(r.Known, "\n") + "\n" + c.context
	for _, e := range list {
		first, _ := r.Source.Text(e.place.Document, 1) // what cannot be read holds no name
		text += "\n" + e.page.Text + "\n" + first
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

func stemOf(word string) string {
	if terms := rank.Terms(word); len(terms) > 0 {
		return terms[0]
	}
	return ""
}
