package agent

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"threadkeeper/agent/claims"
	"threadkeeper/docs"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// What a statement is compared with, and how like it that has to be: the share of its words.
const (
	checkDepth    = 8    // passages asked for
	fewPages      = 12   // of all documents, up to which each page is read
	candidates    = 6    // sentences and rows compared with one statement
	sameNumbers   = 0.3  // of one that has all its numbers, and several
	bearsOut      = 0.5  // of one that bears a number out
	saysSo        = 0.6  // of one that bears out a statement without numbers, in its own words
	saysOther     = 0.6  // of one that says something else
	nearest       = 0.34 // of one that is shown where nothing was found
	betterElse    = 0.15 // how much more like it is what says something else, to win over what bears it out
	numbersWeight = 0.5  // of its numbers, in the choice of candidates
)

// candidate is a sentence or a row of a page.
type candidate struct {
	document, page int // as in claims.Place
	quote          string
	terms          map[string]bool // with its heading and its columns
	own            map[string]bool // of the quote alone
	numbers        []string
	score          float64
	cover, itself  float64 // share of a statement's words that are in terms, in own
	same           bool    // it holds all numbers of the statement, and several
}

// verdict is what was found for a statement.
type verdict struct {
	finding Finding
	at      docs.Citation
	says    string
}

// look compares a statement with the sentences and rows that are most like it. header is the first line of the table it
// is a row of; years are those of the sentence it is a part of.
func (c *check) look(text, header, years string) (verdict, error) {
	terms := wordsOf(text)
	if len(terms) == 0 {
		terms = wordsOf(text + " " + c.heading + " " + header)
	}
	list, err := c.alike(text, terms, years)
	if err != nil || len(list) == 0 {
		return verdict{finding: NotFound}, err
	}
	var stands, differs, near verdict
	standing, differing, nearness := 0.0, 0.0, 0.0
	for _, p := range list {
		outcome, reason, at, err := c.compare(text, header, years, p)
		if outcome == claims.Contradicted && (reason.Cause != claims.Says || !p.differs(text)) {
			outcome = claims.Unchecked
		}
		if err != nil {
			return verdict{}, err
		}
		like := (p.cover+p.itself)/2 + 0.1*p.score
		switch {
		case at.Page == 0:
		case outcome == claims.Verified && p.enough(text) && like > standing:
			stands, standing = verdict{Stands, at, ""}, like
		case outcome == claims.Contradicted && p.cover >= saysOther && p.itself >= nearest && like > differing:
			differs, differing = verdict{Differs, at, reason.Words}, like
		case p.itself >= max(nearest, nearness+0.01):
			near, nearness = verdict{NotFound, at, ""}, p.itself
		}
	}
	switch {
	case standing > 0 && standing+betterElse >= differing:
		return stands, nil
	case differing > 0:
		return differs, nil
	}
	near.finding = NotFound
	return near, nil
}

// compare judges a statement as if it cited a place.
func (c *check) compare(text, header, years string, p candidate) (claims.Outcome, claims.Reason, docs.Citation, error) {
	none := claims.Reason{}
	mark := fmt.Sprintf(` [d%d p%d "%s"]`, p.document, p.page, strings.ReplaceAll(p.quote, `"`, "'"))
	written := text + mark
	if header != "" {
		columns := strings.Count(strings.Trim(header, "| "), "|") + 1
		written = header + "\n|" + strings.Repeat("---|", columns) + "\n" + strings.TrimRight(text, "| ") + mark + " |"
	}
	r := c.reply.Again()
	r.Request = years
	if c.heading != "" {
		if _, err := r.Add(c.heading + "\n"); err != nil {
			return claims.Unchecked, none, docs.Citation{}, err
		}
	}
	b, err := r.Add(written)
	if err != nil || len(b.Claims) == 0 {
		return claims.Unchecked, none, docs.Citation{}, err
	}
	r.Judge(b, true)
	at, outcome := docs.Citation{}, b.Outcome()
	for _, cl := range b.Claims { // a full stop inside may have made two of it
		if len(cl.Places) > 0 && at.Page == 0 {
			at = c.source.found[cl.Places[0]]
		}
		if cl.Outcome == outcome {
			none = cl.Reason
		}
	}
	if b.Doubt(); outcome == claims.Contradicted && b.Outcome() != outcome && !p.replaced(text) {
		outcome = claims.Unchecked
	}
	return outcome, none, at, nil
}

// enough reports whether a place has so many words of a statement that it may bear it out.
func (p candidate) enough(text string) bool {
	switch {
	case p.same:
		return p.cover >= sameNumbers
	case strings.ContainsAny(text, "0123456789"):
		return p.cover >= bearsOut
	}
	return p.itself >= saysSo
}

// differs reports whether a place may say something else of what a statement speaks of: not if all its numbers are the
// statement's too, as it bears out a part then, nor if none of them is of about the size of one of the statement's.
func (p candidate) differs(text string) bool {
	const farther = 10 // times
	_, claimed := rank.Figures(text)
	_, have := rank.Figures(p.quote)
	ours, theirs := without(claimed, have), without(have, claimed)
	if len(have) > 0 && len(theirs) == 0 {
		return false
	}
	if len(ours) == 0 || len(theirs) == 0 {
		return true
	}
	for _, f := range ours {
		for _, o := range theirs {
			if f.Year+f.Month > 0 || o.Year+o.Month > 0 {
				if f.Year+f.Month > 0 && o.Year+o.Month > 0 {
					return true
				}
				continue
			}
			x, y := max(f.Value, o.Value), min(f.Value, o.Value)
			if y > 0 && x/y <= farther || strings.Trim(f.Form, "0%") == strings.Trim(o.Form, "0%") || f.Scale != o.Scale {
				return true
			}
		}
	}
	return false
}

// without are the figures of a list that another has not.
func without(list, other []rank.Figure) (all []rank.Figure) {
	for _, f := range list {
		if !slices.ContainsFunc(other, func(o rank.Figure) bool { return o.Form == f.Form }) {
			all = append(all, f)
		}
	}
	return all
}

// replaced reports whether a place says nearly the same, with one amount, percentage or date in place of another.
func (p candidate) replaced(text string) bool {
	const same = 0.7
	_, claimed := rank.Figures(text)
	_, have := rank.Figures(p.quote)
	kind := func(f rank.Figure) string {
		switch {
		case f.Currency != "":
			return f.Currency
		case f.Percent:
			return "%"
		case f.Month > 0:
			return "date"
		}
		return ""
	}
	kinds := func(list []rank.Figure) (all []string) {
		for _, f := range list {
			if k := kind(f); k != "" {
				all = append(all, k)
			}
		}
		return all
	}
	ours, theirs := kinds(without(claimed, have)), kinds(without(have, claimed))
	theirs = slices.DeleteFunc(theirs, func(k string) bool { return !slices.Contains(ours, k) })
	return p.cover >= same && len(ours) == 1 && len(theirs) == 1
}

// alike are the sentences and rows of the documents that share most with a statement, best first.
func (c *check) alike(text string, terms []string, years string) ([]candidate, error) {
	pages := c.few
	if pages == nil {
		found, err := c.Index.Search(c.ctx, docs.Scope{Audience: c.Audience, Documents: c.source.ids()}, text+" "+years, checkDepth)
		if err != nil {
			return nil, err
		}
		for _, p := range found {
			if at := [2]int64{p.DocumentID, int64(p.Page)}; !slices.Contains(pages, at) {
				pages = append(pages, at)
			}
		}
		for _, p := range c.cited {
			if at := [2]int64{c.Documents[p.Document-1].ID, int64(p.Page)}; !slices.Contains(pages, at) {
				pages = append(pages, at)
			}
		}
	}
	numbers := rank.Numbers(text)
	var all []candidate
	for _, at := range pages {
		list, err := c.page(at)
		if err != nil {
			return nil, err
		}
		for _, p := range list {
			if p.cover, p.itself = shareIn(p.terms, terms), shareIn(p.own, terms); p.cover == 0 {
				continue
			}
			same := 0
			for _, n := range numbers {
				if slices.Contains(p.numbers, n) {
					same++
				}
			}
			p.score = p.itself * float64(len(terms)) / float64(len(terms)+len(p.own)) // long ones hold everything
			if p.score += (p.cover + p.itself) / 2; len(numbers) > 0 {
				p.score += numbersWeight * float64(same) / float64(len(numbers))
			}
			p.same = same == len(numbers) && same > 1
			all = append(all, p)
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	return all[:min(len(all), candidates)], nil
}

// page is a page as what statements are compared with.
func (c *check) page(at [2]int64) ([]candidate, error) {
	if list, ok := c.pages[at]; ok {
		return list, nil
	}
	document := slices.Index(c.source.ids(), at[0]) + 1
	text, err := c.source.Text(document, int(at[1]))
	if err != nil {
		return nil, err
	}
	var list []candidate
	for _, st := range reading.Statements(text) {
		quote := st.Quote()
		if quote = quote[:reading.RuneBoundary(quote, longestStatement)]; reading.Extent(quote) < 4 {
			continue
		}
		list = append(list, candidate{document: document, page: int(at[1]), quote: quote, own: reading.TermSet(quote),
			terms: reading.TermSet(quote + "\n" + st.Heading + "\n" + st.Header + "\n" + st.Before), numbers: rank.Numbers(quote)})
	}
	c.pages[at] = list
	return list, nil
}

// listFew lists all pages where they are few: no search is needed.
func (c *check) listFew() error {
	var all [][2]int64
	for _, d := range c.Documents {
		n, err := c.Index.Pages(c.ctx, d.ID)
		if err != nil {
			return fmt.Errorf("count pages of %s: %w", d.Name, err)
		}
		if len(all)+n > fewPages {
			return nil
		}
		for page := 1; page <= n; page++ {
			all = append(all, [2]int64{d.ID, int64(page)})
		}
	}
	c.few = all
	return nil
}

// wordsOf are the terms of a text that are no numbers.
func wordsOf(text string) []string {
	return slices.DeleteFunc(reading.ContentTerms(text), func(t string) bool { return strings.ContainsAny(t, "0123456789") })
}

// shareIn is the share of terms that stand in a text, in the same words or others for them.
func shareIn(in map[string]bool, terms []string) float64 {
	n := 0
	for _, t := range terms {
		if in[t] || slices.ContainsFunc(reading.Synonyms(t), func(s string) bool { return in[s] }) {
			n++
		}
	}
	return float64(n) / float64(max(len(terms), 1))
}
