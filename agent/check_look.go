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

// The places a statement is compared with, and how similar they must be: the share of its words.
const (
	checkDepth    = 16  // passages asked for
	fewPages      = 12  // of all documents, up to which each page is read
	candidates    = 6   // sentences and rows compared with one statement
	sameNumbers   = 0.3 // of one that has all its numbers, and several
	bearsOut      = 0.5 // of one that bears a number out
	saysSo        = 0.6 // of one that bears out a statement without numbers, in its own words
	saysOther     = 0.6 // of one that says something else
	nearlyAll     = 0.8
	mostFigures   = 8    // of a place that bears a number out: with more it is a table whose rows were run together
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
	row            bool            // of a table
	numbers        []string
	score          float64
	cover, itself  float64 // share of a statement's words that are in terms, in own
	same           bool    // it contains all numbers of the statement, and several
}

// verdict is the result for a statement.
type verdict struct {
	finding Finding
	at      docs.Citation
	says    string
}

// look compares a part of a statement with the sentences and rows that are most like it.
func (c *check) look(of statementPart) (verdict, error) {
	text := of.text
	terms := reading.WordTerms(text + " " + of.header)
	if len(terms) == 0 {
		terms = reading.WordTerms(text + " " + c.heading)
	}
	if bare := c.source.withoutNames(terms); len(bare) > 0 {
		terms = bare
	}
	list, err := c.alike(of, terms)
	if err != nil || len(list) == 0 {
		return verdict{finding: NotFound}, err
	}
	var stands, differs, near verdict
	standing, differing, nearness := 0.0, 0.0, 0.0
	for _, p := range list {
		outcome, weak, at, says, err := c.compare(c.reply, of, p)
		if err == nil && outcome != claims.Verified && c.titled != nil && yearOf.MatchString(text) {
			var titled claims.Outcome
			if titled, _, _, _, err = c.compare(c.titled, of, p); titled == claims.Verified {
				outcome = titled
			}
		}
		if err != nil {
			return verdict{}, err
		}
		like := (p.cover+p.itself)/2 + 0.1*p.score
		switch {
		case at.Page == 0:
		case outcome == claims.Verified && p.enough(text, terms):
			if like > standing {
				stands, standing = verdict{Stands, at, ""}, like
			}
		case says != "" && p.cover >= saysOther && p.itself >= sameNumbers && (!weak || p.cover >= nearlyAll && (p.row || p.itself >= nearlyAll)) && (p.row || shareIn(p.own, terms[:1]) > 0 && p.itself >= saysOther || shareIn(reading.TermSet(text), reading.WordTerms(p.quote)) >= saysOther) && !p.narrower(text+" "+c.title):
			if like > differing {
				differs, differing = verdict{Differs, at, says}, like
			}
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

// compare judges a statement, in a text that was read so far, as if it cited a place. says is what the place says
// instead; it is weak if the place may speak of something else.
func (c *check) compare(read *claims.Reply, of statementPart, p candidate) (outcome claims.Outcome, weak bool, at docs.Citation, says string, err error) {
	mark := fmt.Sprintf(` [d%d p%d "%s"]`, p.document, p.page, unquoted.Replace(p.quote))
	text, header := of.text, of.header
	written := text + mark
	if header != "" {
		columns := strings.Count(header, "|") - 1
		written = header + "\n|" + strings.Repeat("---|", columns) + "\n" + strings.TrimRight(text, "| ") + mark + " |"
	}
	r := read.Again()
	r.Request = of.years
	if c.heading != "" {
		if _, err := r.Add(c.heading + "\n"); err != nil {
			return claims.Unchecked, false, at, "", err
		}
	}
	b, err := r.Add(written)
	if err != nil || len(b.Claims) == 0 {
		return claims.Unchecked, false, at, "", err
	}
	r.Judge(b, true)
	outcome = b.Outcome()
	for _, cl := range b.Claims { // a full stop inside may have made two of it
		if len(cl.Places) > 0 && at.Page == 0 {
			at = c.source.found[cl.Places[0]]
		}
		if cl.Outcome == outcome && outcome == claims.Contradicted && cl.Reason.Cause == claims.Says {
			says = cl.Reason.Words
		}
	}
	b.Doubt()
	return outcome, b.Outcome() != outcome, at, says, nil
}

// enough reports whether a place has so many words of a statement that it may bear it out.
func (p candidate) enough(text string, terms []string) bool {
	about := slices.DeleteFunc(slices.Clone(terms), func(t string) bool { return reading.SmallNumber(t) > 1 || lasting[t] })
	shared := shareIn(p.own, about) // "ten years" is shared by all that lasts so long
	switch {
	case len(about) > 0 && shared == 0:
		return false
	case !strings.ContainsAny(text, "0123456789"):
		return min(p.itself, shared) >= saysSo
	case p.same:
		return p.itself >= sameNumbers || p.cover >= bearsOut
	}
	return p.itself >= sameNumbers && p.cover >= bearsOut && len(p.numbers) <= mostFigures
}

// lasting are the units of time: what lasts as long need not be the same thing.
var lasting = reading.TermSet(`year years month months week weeks day days hour hours Jahr Jahre Monat Monate Woche Wochen Tag Tage Stunde Stunden
	an ans mois semaine semaines jour jours heure heures año años mes meses semana semanas día días hora horas`)

// unquoted takes the marks out of a quote that would end it; they are not compared.
var unquoted = strings.NewReplacer(`"`, "", "“", "", "”", "", "„", "")

// narrower reports whether a sentence names somebody or something that a statement, with the titles of the documents, does
// not: it is of a part or of another.
func (p candidate) narrower(text string) bool {
	if p.row {
		return false
	}
	have := rank.Words(text)
	for _, name := range rank.Names(p.quote) {
		for _, w := range rank.Words(name) {
			if !rank.Stop(w) && !slices.Contains(have, w) && !strings.ContainsAny(w, "0123456789") && !months[w] {
				return true
			}
		}
	}
	return false
}

var months = reading.WordSet(`january february march april may june july august september october november december januar februar marz mai juni juli oktober dezember`)

// alike are the sentences and rows of the documents that share most with a statement, best first.
func (c *check) alike(of statementPart, terms []string) ([]candidate, error) {
	pages := c.few
	if pages == nil {
		for _, query := range []string{of.text + " " + of.header + " " + of.years, "How much " + strings.Join(terms, " ")} {
			found, err := c.Index.Search(c.ctx, docs.Scope{Audience: c.Audience, Documents: c.source.ids()}, query, checkDepth)
			if err != nil {
				return nil, err
			}
			for _, p := range found {
				if at := [2]int64{p.DocumentID, int64(p.Page)}; !slices.Contains(pages, at) {
					pages = append(pages, at)
				}
			}
		}
		for _, p := range c.cited {
			if at := [2]int64{c.Documents[p.Document-1].ID, int64(p.Page)}; !slices.Contains(pages, at) {
				pages = append(pages, at)
			}
		}
	}
	numbers := rank.Numbers(of.text)
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
			p.score = p.itself * float64(len(terms)) / float64(len(terms)+len(p.own)) // long ones contain everything
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
		list = append(list, candidate{document: document, page: int(at[1]), quote: quote, own: reading.TermSet(quote), row: st.Row,
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

// shareIn returns the share of terms that are in a text, or have synonyms in it.
func shareIn(in map[string]bool, terms []string) float64 {
	n := 0
	for _, t := range terms {
		if in[t] || slices.ContainsFunc(reading.Synonyms(t), func(s string) bool { return in[s] }) {
			n++
		}
	}
	return float64(n) / float64(max(len(terms), 1))
}
