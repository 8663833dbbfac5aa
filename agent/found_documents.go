package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"threadkeeper/agent/claims"
	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// What a search of the documents finds, and how it is quoted.

const (
	surely      = 0.6 // share of what is sought from which on a statement answers
	ownSurely   = 0.55  // the same of the statement and its title alone
	perhaps     = 0.2  // and from which on it is worth showing as the closest
	foundPages  = 12   // pages read for statements
	foundPieces = 3    // pieces shown at most
	alsoGood    = 0.8  // of the best score, from which on another piece is shown

	shortPlace, longPlace = 0.02, 0.12 // taken off for each page found before: the search knows little of short documents, much of long ones

	elsewhereGood = 0.6  // the same of the first piece of another document
	fairly        = 0.45 // share of what is sought that it has at least
	aroundLines   = 420  // runes of a piece with what stands around its statement
)

// piece is a place of a document that is quoted: some lines of a page.
type piece struct {
	document *memory.Document
	page     int
	title    string
	lines    []line
	score    float64
	cover    float64
	own      float64 // the same of the statement and its title alone
	lacks    bool
	value    bool      // it has one of the kind that is wanted, if any is
	holds    []float64 // of each part that is sought, how much the statement and its title hold
}

// line is a statement of a piece. Only what has a quote is cited.
type line struct {
	text, quote string
	items       []string
	bold        bool
}

// sure reports whether a piece answers, as far as words show.
func (p piece) sure() bool { return p.cover >= surely && p.own >= ownSurely && !p.lacks && p.value }

// surePieces reports whether pieces answer together: two that each answer one half of a question.
func (s sought) surePieces(all []piece) bool {
	held, sum, value := 0.0, 0.0, false
	for i, part := range s.parts {
		best := 0.0
		for _, p := range all {
			if len(p.holds) > 0 {
				best = max(best, p.holds[i])
			}
			value = value || p.value
		}
		held += best * part.weight
		sum += part.weight
	}
	return len(all) > 0 && (all[0].sure() || len(all) > 1 && value && held >= surely*sum && !slices.ContainsFunc(all, func(p piece) bool { return p.lacks }))
}

// findInDocuments returns the pieces of the documents that fit best, best first.
func (r *run) findInDocuments(ctx context.Context, s sought, of library) ([]piece, error) {
	total := 0
	for _, d := range of {
		n, err := r.Index.Pages(ctx, d.ID)
		if err != nil {
			return nil, fmt.Errorf("count pages of %s: %w", d.Name, err)
		}
		total += n
	}
	pages, err := r.likelyPages(ctx, s, of, total)
	if err != nil {
		return nil, err
	}
	var all []piece
	for i, p := range pages {
		behind := shortPlace
		if total > foundPages {
			behind = longPlace
		}
		all = append(all, s.piecesOf(p, behind*float64(i))...)
	}
	slices.SortStableFunc(all, func(a, b piece) int { return cmp.Compare(b.score, a.score) })
	return choosePieces(all, s, of), nil
}

// foundPage is a page that a search found.
type foundPage struct {
	readPage
	document *memory.Document
}

// likelyPages searches for a request in its own words and in words of the same meaning, and reads the pages found; of short
// documents all.
func (r *run) likelyPages(ctx context.Context, s sought, of library, total int) ([]foundPage, error) {
	scope := docs.Scope{Audience: r.turn.Audience, Documents: of.ids()}
	var pages []foundPage
	for _, others := range []bool{false, true} {
		passages, err := r.Index.Search(ctx, scope, s.query(others), passageCount)
		if err != nil {
			return nil, fmt.Errorf("search documents: %w", err)
		}
		for _, p := range passages {
			i := slices.IndexFunc(of, func(d *memory.Document) bool { return d.ID == p.DocumentID })
			if i < 0 || len(pages) == foundPages || slices.ContainsFunc(pages, func(f foundPage) bool { return f.document.ID == p.DocumentID && f.number == p.Page }) {
				continue
			}
			read, err := r.pagesOf(ctx, of[i], p.Page, p.Page)
			if err != nil {
				return nil, fmt.Errorf("read a page: %w", err)
			}
			for _, page := range read {
				pages = append(pages, foundPage{page, of[i]})
			}
		}
	}
	for _, d := range of {
		if total > foundPages {
			break
		}
		all, err := r.pagesOf(ctx, d, 1, foundPages)
		if err != nil {
			return nil, fmt.Errorf("read a page: %w", err)
		}
		for _, page := range all {
			if !slices.ContainsFunc(pages, func(f foundPage) bool { return f.document.ID == d.ID && f.number == page.number }) {
				pages = append(pages, foundPage{page, d})
			}
		}
	}
	return pages, nil
}

// piecesOf rates the statements of a page; behind is taken off, the more the later the search found it.
func (s sought) piecesOf(p foundPage, behind float64) []piece {
	var all []piece
	around := layers{name: reading.TermSet(strings.Join(nameWords(p.document.Name), " ")), page: reading.TermSet(p.text)}
	for i, st := range p.statements {
		text := st.Quote()
		if reading.Extent(text) < 4 || reading.HasLeader(text) || reading.DirectsAssistant(text) || isTitle(st) && i+1 < len(p.statements) && !s.tells(st.Text) {
			continue
		}
		l := around
		l.text, l.title = reading.TermSet(text), reading.TermSet(st.Heading+"\n"+st.Header)
		l.value = s.value != reading.AnyValue && s.value.Holds(text, st.Row)
		cover, own, lacks := s.cover(l)
		if own == 0 || cover < perhaps {
			continue
		}
		f := piece{document: p.document, page: p.number, title: st.Heading, cover: cover, own: own, lacks: lacks, value: true}
		f.score = cover + 0.3*own - behind
		if s.value != reading.AnyValue {
			if f.value = l.value; f.value {
				f.score += 0.2
			}
			if (s.value == reading.AName || s.value == reading.AFullName) && s.explains(text) {
				f.score += 0.15
			}
		}
		switch {
		case reading.IsQuestion(text):
			f.score -= 0.3
		case st.Row && !strings.ContainsAny(text, "0123456789"):
			f.score -= 0.25
		case isTitle(st):
			f.score -= 0.1
		case st.Broken && !st.Row:
			f.score -= 0.05
		}
		f.lines = inParagraph(p.statements, i)
		for _, part := range s.parts {
			f.holds = append(f.holds, max(part.in(l.text), inTitle*part.in(l.title)))
		}
		all = append(all, f)
	}
	return all
}

// tells reports whether a title says more than what is sought: "Ada Lovelace, chief engineer".
func (s sought) tells(title string) bool {
	more := 0
	for t := range reading.TermSet(title) {
		if !slices.ContainsFunc(s.parts, func(p part) bool {
			return slices.Contains(p.phrase, t) || slices.ContainsFunc(p.others, func(o reading.Phrase) bool { return slices.Contains(o, t) })
		}) {
			more++
		}
	}
	return more >= 2
}

// explains reports whether what is sought stands in brackets behind what it explains: "Marchetti Ltd (the landlord)".
func (s sought) explains(text string) bool {
	_, inside, ok := strings.Cut(text, "(")
	return ok && slices.ContainsFunc(s.parts, func(p part) bool { return p.in(reading.TermSet(inside)) > 0 })
}

// inParagraph are the lines of a piece: a statement, bold, with what stands before it if it leans on that, and with what follows
// in the same paragraph; a row of a table with the names of its columns.
func inParagraph(all []reading.Statement, i int) []line {
	s := all[i]
	text := s.Text
	quote := s.Quote()
	if utf8.RuneCountInString(quote) > reading.QuoteLength {
		text = reading.AroundTerms(text, nil)
		quote = text
	}
	lines := []line{{text: text, quote: quote, items: s.Items, bold: true}}
	if s.Row {
		if s.Header != "" && s.Header != s.Text {
			lines = slices.Insert(lines, 0, line{text: s.Header})
		}
		return lines
	}
	left := aroundLines - utf8.RuneCountInString(quote)
	take := func(n reading.Statement) bool {
		left -= utf8.RuneCountInString(n.Text)
		return left >= 0 && !n.Row && !isTitle(n) && len(n.Items) == 0 && showable(n.Text)
	}
	if i > 0 && s.Before != "" && s.Before == all[i-1].Text && leans(s.Text) && take(all[i-1]) {
		lines = slices.Insert(lines, 0, line{text: s.Before})
	}
	if i+1 < len(all) && all[i+1].Heading == s.Heading && len(s.Items) == 0 && !endsList(s.Text) && take(all[i+1]) {
		lines = append(lines, line{text: all[i+1].Text})
	}
	return lines
}

// showable reports whether a text that nobody looked for may be shown beside what somebody did: it neither directs the
// assistant nor asks the reader for secrets.
func showable(text string) bool {
	return !reading.DirectsAssistant(text) && !claims.Solicits(text)
}

// leans reports whether a sentence opens with a word that points at the one before it.
func leans(s string) bool {
	first, _, _ := strings.Cut(s, " ")
	return leaning[rank.Fold(strings.Trim(first, ",."))]
}

var leaning = reading.WordSet(`it they this these that those he she however therefore also but and such its their es sie dies diese dieser er doch aber il elle ils elles cela ce cette mais esto esta este pero`)

func endsList(s string) bool { return strings.HasSuffix(s, ":") }

// choosePieces takes the best piece and those that are about as good: of a question for one value only from other
// documents or if they are as good.
func choosePieces(all []piece, s sought, of library) []piece {
	var chosen []piece
	for _, p := range all {
		elsewhere := !slices.ContainsFunc(chosen, func(c piece) bool { return c.document == p.document })
		good := p.score >= all[0].score*alsoGood && p.sure() == all[0].sure()
		if len(chosen) == foundPieces || !good && !(elsewhere && p.score >= all[0].score*elsewhereGood && p.cover >= fairly) || slices.ContainsFunc(chosen, func(c piece) bool { return c.repeats(p) }) {
			continue
		}
		if s.value != reading.AnyValue && !elsewhere && p.score < all[0].score*0.97 {
			continue
		}
		chosen = append(chosen, p)
	}
	if len(chosen) == 1 {
		if p, ok := s.otherHalf(chosen[0], all); ok {
			chosen = append(chosen, p)
		}
	}
	return chosen
}

// otherHalf is the best piece that holds most of what the first lacks, where that is at least two words.
func (s sought) otherHalf(first piece, all []piece) (piece, bool) {
	var left []int
	sum := 0.0
	for i, part := range s.parts {
		if first.holds[i] == 0 && !part.light {
			left = append(left, i)
			sum += part.weight
		}
	}
	if len(left) < 2 {
		return piece{}, false
	}
	for _, p := range all {
		held := 0.0
		for _, i := range left {
			held += p.holds[i] * s.parts[i].weight
		}
		if held >= surely*sum && !p.lacks {
			return p, true
		}
	}
	return piece{}, false
}

// repeats reports whether a piece shows the statement of another.
func (p piece) repeats(o piece) bool {
	main := func(p piece) string {
		i := slices.IndexFunc(p.lines, func(l line) bool { return l.quote != "" })
		return rank.Fold(p.lines[i].text)
	}
	return main(p) == main(o) || p.document == o.document && p.page == o.page && slices.ContainsFunc(p.lines, func(l line) bool { return rank.Fold(l.text) == main(o) })
}

// quoted renders pieces, each cited. What does not stand in its document is left out.
func (r *run) quotedPieces(ctx context.Context, pieces []piece, cited []docs.Citation) (string, []docs.Citation, error) {
	var parts []string
	for _, p := range pieces {
		i := slices.IndexFunc(p.lines, func(l line) bool { return l.quote != "" })
		c, err := r.Index.Verify(ctx, docs.Citation{DocumentID: p.document.ID, Document: p.document.Name, Page: p.page, Quote: p.lines[i].quote})
		if errors.Is(err, docs.ErrNotFound) {
			continue
		}
		if err != nil {
			return "", nil, fmt.Errorf("check a quote: %w", err)
		}
		c.N = len(cited) + 1
		cited = append(cited, c)
		parts = append(parts, r.placeOf(p, len(documentsOf(pieces)) > 1)+"\n"+p.render()+fmt.Sprintf(" [%d]", c.N))
	}
	return strings.Join(parts, "\n\n"), cited, nil
}

// placeOf says where a piece stands.
func (r *run) placeOf(p piece, named bool) string {
	place := fmt.Sprintf(r.say.onPage, p.page)
	if title := plainName(reading.Shorten(reading.CollapseSpace(p.title), 80)); title != "" && len(p.lines) > 0 && p.lines[0].text != p.title {
		place += ", “" + title + "”"
	}
	if named {
		place = "**" + plainName(p.document.Name) + "**, " + place
	}
	return upperFirst(place) + ":"
}

// render is the text of a piece as a block quote.
func (p piece) render() string {
	var b strings.Builder
	for i, l := range p.lines {
		text := fenceLinks(reading.Unhyphenate(l.text))
		if l.bold && len(l.text) > 0 && !strings.ContainsAny(text, "*`_") {
			text = "**" + text + "**"
		}
		joined := i > 0 && !l.rowLike() && !p.lines[i-1].rowLike()
		switch {
		case i == 0:
			b.WriteString("> " + text)
		case joined:
			b.WriteString(" " + text)
		default:
			b.WriteString("  \n> " + text)
		}
		for _, item := range l.items {
			b.WriteString("  \n> " + fenceLinks(item))
		}
	}
	return b.String()
}

// rowLike reports whether a line stands alone: a title or a row.
func (l line) rowLike() bool {
	last, _ := utf8.DecodeLastRuneInString(l.text)
	return len(l.items) > 0 || unicode.IsLetter(last) || unicode.IsDigit(last)
}

// notThere reports whether what is looked for was removed meanwhile.
func notThere(err error) bool {
	return errors.Is(err, docs.ErrNotFound) || errors.Is(err, memory.ErrNotFound)
}
