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
	bearsOut      = 0.5  // of one that bears it out
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
	own            int             // terms of its own
	numbers        []string
	score, cover   float64
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
	standing, differing := 0.0, 0.0
	for _, p := range list {
		outcome, reason, at, err := c.compare(text, header, years, p)
		if err != nil {
			return verdict{}, err
		}
		like := p.cover + 0.1*p.score
		switch {
		case at.Page == 0:
		case outcome == claims.Verified && p.cover >= bearsOut && like > standing:
			stands, standing = verdict{Stands, at, ""}, like
		case outcome == claims.Contradicted && reason.Cause == claims.Says && p.cover >= saysOther && like > differing:
			differs, differing = verdict{Differs, at, reason.Words}, like
		case near.at.Page == 0 && p.cover >= nearest:
			near = verdict{NotFound, at, ""}
		}
	}
	switch {
	case standing > 0 && standing+betterElse >= differing:
		return stands, nil
	case differing > 0:
		return differs, nil
	}
	near.finding = NotFound
	all := list[:min(len(list), 3)]
	if outcome, _, at, err := c.compare(text, header, years, all...); err != nil {
		return verdict{}, err
	} else if outcome == claims.Verified && at.Page > 0 && coverOf(terms, all...) >= saysOther {
		return verdict{Stands, at, ""}, nil
	}
	return near, nil
}

// compare judges a statement as if it cited some places. at is the first of them.
func (c *check) compare(text, header, years string, places ...candidate) (claims.Outcome, claims.Reason, docs.Citation, error) {
	marks := ""
	for _, p := range places {
		marks += fmt.Sprintf(` [d%d p%d "%s"]`, p.document, p.page, strings.ReplaceAll(p.quote, `"`, "'"))
	}
	written := text + marks
	if header != "" {
		columns := strings.Count(strings.Trim(header, "| "), "|") + 1
		written = header + "\n|" + strings.Repeat("---|", columns) + "\n" + strings.TrimRight(text, "| ") + marks + " |"
	}
	r := c.reply.Again()
	r.Request = years
	if c.heading != "" {
		if _, err := r.Add(c.heading + "\n"); err != nil {
			return 0, claims.Reason{}, docs.Citation{}, err
		}
	}
	b, err := r.Add(written)
	if err != nil || len(b.Claims) == 0 {
		return claims.Unchecked, claims.Reason{}, docs.Citation{}, err
	}
	r.Judge(b, true)
	b.Doubt()
	last := b.Claims[len(b.Claims)-1]
	at := docs.Citation{}
	if len(last.Places) > 0 {
		at = c.source.found[last.Places[0]]
	}
	outcome := b.Outcome() // a full stop inside may have made two of it
	for _, cl := range b.Claims {
		if cl.Outcome == outcome {
			return outcome, cl.Reason, at, nil
		}
	}
	return outcome, claims.Reason{}, at, nil
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
			if p.cover = coverOf(terms, p); p.cover == 0 {
				continue
			}
			same := 0
			for _, n := range numbers {
				if slices.Contains(p.numbers, n) {
					same++
				}
			}
			p.score = p.cover * float64(len(terms)) / float64(len(terms)+p.own) // long ones hold everything
			if p.score += p.cover; len(numbers) > 0 {
				p.score += numbersWeight * float64(same) / float64(len(numbers))
			}
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
		list = append(list, candidate{document: document, page: int(at[1]), quote: quote, own: len(reading.TermSet(quote)),
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

// coverOf is the share of terms that places hold, in the same words or others for them.
func coverOf(terms []string, places ...candidate) float64 {
	n := 0
	for _, t := range terms {
		for _, p := range places {
			if p.terms[t] || slices.ContainsFunc(reading.Synonyms(t), func(s string) bool { return p.terms[s] }) {
				n++
				break
			}
		}
	}
	return float64(n) / float64(max(len(terms), 1))
}
