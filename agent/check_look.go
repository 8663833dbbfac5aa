package agent

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"threadkeeper/agent/claims"
	"threadkeeper/docs"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// The places a statement is compared with. The shares are of its words.
const (
	checkDepth    = 16   // passages asked for
	fewPages      = 12   // of all documents, up to which each page is read
	candidates    = 10   // sentences and rows compared with one statement
	saysOther     = 0.6  // share that a row has which says something else, or a sentence that gives another number of days
	nearlyAll     = 0.8  // share of a row that may be of something else
	prose         = 0.1  // more than its share: a sentence says more than a row
	nearest       = 0.34 // share of one that is shown where nothing was found
	betterElse    = 0.15 // how much more like it is what says something else, to win over what bears it out
	captionLength = 90   // bytes of a line above a table at most
	halfAlike     = 0.45 // share from which a place with all numbers is of the same
	numbersWeight = 1.0  // of its numbers, in the choice of candidates
)

// candidate is a sentence or a row of a page.
type candidate struct {
	document, page int // as in claims.Place
	quote          string
	row            bool            // of a table, or several that were run together
	heading        string          // it stands under
	header         string          // names the columns of a row
	span           string          // how long a time its part of the page is of: see spanOf
	terms          map[string]bool // with its heading, its columns and the sentence before it
	own            map[string]bool // of the quote alone
	scale          int             // power of ten of the page's tables
	spaced         bool            // the page parts thousands by blanks

	read          bool
	folded        string // where the numbers stand
	have          []reading.Quantity
	score         float64
	cover, itself float64 // share of a statement's words that are in terms, in own
}

func (p *candidate) quantities() []reading.Quantity {
	if !p.read {
		p.read = true
		quote := p.quote
		if p.spaced {
			quote = reading.JoinThousands(quote)
		}
		p.folded, p.have = reading.Quantities(quote)
	}
	return p.have
}

// verdict is the result for a statement.
type verdict struct {
	finding  Finding
	at       docs.Citation
	says     string
	disputed bool // a place with all its numbers says otherwise, so its parts prove nothing
}

// look compares a part of a statement with the sentences and rows that are most like it.
func (c *check) look(of statementPart) (verdict, error) {
	text := of.text
	x := c.wordingOf(of)
	list, err := c.alike(of, x.terms)
	if err != nil || len(list) == 0 {
		return verdict{finding: NotFound}, err
	}
	for _, p := range list[:min(len(list), mostNear)] {
		c.near = append(c.near, Material{p.document, p.page, p.quote})
	}
	var stands, differs, near verdict
	standing, differing, nearness := 0.0, 0.0, 0.0
	disputed := false // see verdict
	given := false    // a place has all the numbers beside such words, so another number elsewhere is of something else
	fits := make([]fit, len(list))
	for i := range list {
		fits[i] = c.fit(x, &list[i])
		disputed = disputed || fits[i].words >= halfAlike && len(fits[i].missing) == 0 && (fits[i].swapped || fits[i].turned || fits[i].denies)
		given = given || fits[i].numbers > 0 && len(fits[i].missing) == 0 && !fits[i].span && fits[i].words >= halfAlike
	}
	for i := range list {
		p, f := &list[i], fits[i]
		outcome, weak, at, says, err := c.compare(c.reply, of, *p)
		if err == nil && outcome != claims.Verified && c.titled != nil && yearOf.MatchString(text) {
			var titled claims.Outcome
			if titled, _, _, _, err = c.compare(c.titled, of, *p); titled == claims.Verified {
				outcome = titled
			}
		}
		if err != nil {
			return verdict{}, err
		}
		like := (p.cover+p.itself)/2 + 0.1*p.score
		if !p.row {
			like += prose
		}
		switch {
		case at.Page == 0:
		case stated(p.quote, text):
			return verdict{finding: Stands, at: at}, nil
		case f.bears(x) && (outcome == claims.Verified || outcome == claims.Unchecked && !p.row):
			if like > standing {
				stands, standing = verdict{finding: Stands, at: at}, like
			}
		case (p.row || f.unit) && says != "" && (!weak || p.row && f.words >= nearlyAll) && f.words >= saysOther && !given:
			if like > differing {
				differs, differing = verdict{finding: Differs, at: at, says: says}, like
			}
		case f.against(x, p) && (len(f.missing) == 0 || !given):
			if like > differing {
				differs, differing = verdict{finding: Differs, at: at, says: p.quote}, like
			}
		case p.itself >= max(nearest, nearness+0.01):
			near, nearness = verdict{finding: NotFound, at: at}, p.itself
		}
	}
	switch {
	case standing > 0 && standing+betterElse >= differing:
		return stands, nil
	case differing > 0:
		return differs, nil
	}
	near.finding, near.disputed = NotFound, disputed
	return near, nil
}

// stated reports whether a place says a statement word by word, from the beginning of a sentence to the end of one: a part of one may
// be what it denies.
func stated(place, statement string) bool {
	const ends = ".!?;"
	statement = strings.TrimRight(reading.CollapseSpace(unmarked(statement)), ends+" ")
	before, behind, is := strings.Cut(reading.CollapseSpace(unmarked(place)), statement)
	n := len(before)
	opens := n == 0 || n > 1 && before[n-1] == ' ' && strings.ContainsRune(ends, rune(before[n-2]))
	return is && statement != "" && opens && (behind == "" || strings.ContainsRune(ends, rune(behind[0])) && (behind + " ")[1] == ' ') // 5.5 has no end in it
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

// lasting are the units of time: what lasts as long need not be the same thing.
var lasting = sync.OnceValue(func() map[string]bool {
	return reading.TermSet(`year years month months week weeks day days hour hours Jahr Jahre Monat Monate Woche Wochen Tag Tage Stunde Stunden
	an ans mois semaine semaines jour jours heure heures año años mes meses semana semanas día días hora horas`)
})

// unquoted takes the marks out of a quote that would end it; they are not compared.
var unquoted = strings.NewReplacer(`"`, "", "“", "", "”", "", "„", "")

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
	_, numbers := reading.Quantities(of.text)
	var all []candidate
	for _, at := range pages {
		list, err := c.page(at)
		if err != nil {
			return nil, err
		}
		for _, p := range list {
			if p.cover, p.itself = shareAlike(p.terms, terms), shareAlike(p.own, terms); p.cover == 0 {
				continue
			}
			same := 0
			if len(numbers) > 0 {
				have := p.quantities()
				for _, q := range numbers {
					if slices.ContainsFunc(have, func(v reading.Quantity) bool { return q.Fits(v, p.scaleOf(v)) }) {
						same++
					}
				}
			}
			p.score = p.itself * float64(len(terms)) / float64(len(terms)+len(p.own)) // long ones contain everything
			if p.score += (p.cover + p.itself) / 2; len(numbers) > 0 {
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
	span, caption := "", ""
	spaced := slices.Contains([]string{"fr", "es", "it", "pt"}, reading.Language(text))
	scale := 0
	for _, st := range reading.Statements(text, false) {
		if t := rank.Fold(st.Text); len(t) < captionLength {
			if s := reading.ScaleOf(t); s >= 0 {
				scale = s
			}
			if s := spanOf(t); s != "" && !st.Row {
				span = s
			}
		}
		if !st.Row {
			caption = ""
			if len(st.Text) < captionLength {
				caption = st.Text
			}
		} else {
			st.Before = caption
		}
		quote := st.Quote()
		if quote = quote[:reading.RuneBoundary(quote, longestStatement)]; reading.Extent(quote) < 4 {
			continue
		}
		list = append(list, candidate{document: document, page: int(at[1]), quote: quote, own: reading.TermSet(quote), row: st.Row || tabular(quote), spaced: spaced,
			terms: reading.TermSet(quote + "\n" + st.Heading + "\n" + st.Header + "\n" + st.Before), scale: scale, heading: st.Heading, header: st.Header, span: span})
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

// tabular reports whether a text is figures rather than words: rows of a table that were run together.
func tabular(quote string) bool {
	digits, letters := 0, 0
	for _, r := range quote {
		switch {
		case unicode.IsDigit(r):
			digits++
		case unicode.IsLetter(r):
			letters++
		}
	}
	return digits*3 > letters && !strings.HasSuffix(quote, ".")
}
