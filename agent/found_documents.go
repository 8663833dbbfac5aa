package agent

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Limits on a search of documents, and on the quotes from it.

const (
	least        = 0.4  // the least share of the sought terms for a place to be shown
	asGood       = 0.15 // how much less of them another place may contain
	foundPages   = 12   // pages read for statements
	fewDocuments = 6    // each of so many is searched by itself: a long one would hide the others
	foundPieces  = 3    // pieces shown at most
	foundRows    = 8    // of them that are rows and hold the same of what is sought
	foundOfEach  = 8    // the same of several documents that are named
	alsoGood     = 0.85 // of the best score, for another piece to be shown
	alsoThere    = 0.6  // the same for the first piece of another document
	besideBonus  = 0.3  // for words that stand side by side
	alsoAdds     = 0.25 // share of the sought terms that a piece must add to those before it
	titleLines   = 4    // shown of what a title opens, at most
	aroundLength = 600  // runes of a statement with its surroundings

	shortPlace, longPlace = 0.02, 0.12 // taken off for each page found before: a search knows little of short documents, much of long ones
)

// foundPiece is a place of a document that is quoted.
type foundPiece struct {
	document *memory.Document
	page     int
	title    string
	quote    string   // the cited words
	shown    []string // lines, as Markdown
	score    float64
	cover    float64 // share of the sought terms in it
	parts    []bool  // which parts of that
	undated  bool    // it is a row, and nothing says that it has a value of the year that is asked for
	fits     bool    // it holds what is sought, as far as words tell
	sure     bool    // and plainly

	more int // rows like it that are not shown

	among []reading.Statement // those of the page, of one that was rated and not chosen yet
	at    int                 // its place among them
}

// row reports whether a piece is a row; one that the request numbers was not rated.
func (p foundPiece) row() bool { return len(p.among) > 0 && p.among[p.at].Row }

// foundPage is a page as statements.
type foundPage struct {
	document   *memory.Document
	number     int
	text       string
	statements []reading.Statement
}

// statementsIn are those of a page of a document.
func statementsIn(d *memory.Document, text string) []reading.Statement {
	return reading.Statements(text, docs.WholeLines(d.Name))
}

func (r *run) pagesOf(ctx context.Context, d *memory.Document, from, to int) (pages []foundPage, err error) {
	total, err := r.Index.Pages(ctx, d.ID)
	for n := from; err == nil && n <= min(to, total); n++ {
		var text string
		text, err = r.page(ctx, d.ID, n)
		pages = append(pages, foundPage{d, n, text, statementsIn(d, text)})
	}
	return pages, err
}

// findInDocuments returns the pieces of the documents that fit best, best first: from what a search finds for the request, in
// its own words and those of the same meaning, and from all pages of short documents.
func (r *run) findInDocuments(ctx context.Context, s sought, of library) ([]foundPiece, error) {
	each, total, behind := []library{of}, 0, shortPlace
	if len(of) <= fewDocuments {
		each = slices.Collect(slices.Chunk(of, 1))
	}
	for _, d := range of {
		n, err := r.Index.Pages(ctx, d.ID)
		if err != nil {
			return nil, fmt.Errorf("count pages of %s: %w", d.Name, err)
		}
		if total += n; total > foundPages {
			behind = longPlace
			break
		}
	}
	var all []foundPiece
	for _, l := range each {
		var read []foundPage
		look := func(d *memory.Document, number int) error {
			if slices.ContainsFunc(read, func(p foundPage) bool { return p.document == d && p.number == number }) || behind == longPlace && len(read) == foundPages/len(each) {
				return nil
			}
			pages, err := r.pagesOf(ctx, d, number, number)
			for _, p := range pages {
				all = append(all, s.piecesOf(p, behind*float64(len(read)))...)
				read = append(read, p)
			}
			return err
		}
		places, err := r.searchIn(ctx, s.query(), l, passageCount)
		for i := 0; i < len(places) && err == nil; i++ {
			if at := slices.Index(l.ids(), places[i].DocumentID); at >= 0 {
				err = look(l[at], places[i].Page)
			}
		}
		for i := 0; i < len(l) && err == nil && behind == shortPlace; i++ {
			for n := 1; n <= total && err == nil; n++ {
				err = look(l[i], n)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	slices.SortStableFunc(all, func(a, b foundPiece) int { return cmp.Compare(b.score, a.score) })
	chosen := s.choosePieces(all, len(of) > 1 && len(of) < len(r.library))
	if n := len(chosen); n > 0 && behind == shortPlace { // all pages were read
		last := &chosen[n-1]
		for _, p := range all {
			if p.alike(*last) && !slices.ContainsFunc(chosen, func(c foundPiece) bool { return &c.among[c.at] == &p.among[p.at] }) {
				last.more++
			}
		}
	}
	return chosen, nil
}

// alike reports whether two pieces are rows of a document that hold the same of what is sought.
func (p foundPiece) alike(c foundPiece) bool {
	return p.row() && c.row() && p.document == c.document && slices.Equal(p.parts, c.parts)
}

// piecesOf rates the statements of a page; behind is taken off.
func (s sought) piecesOf(p foundPage, behind float64) (all []foundPiece) {
	l := layers{name: reading.PhraseSet(strings.Join(nameWords(p.document.Name), " ")), page: termsOf(p.text)}
	for i, st := range p.statements {
		text := st.Quote()
		if reading.Extent(text) < 4 || reading.HasLeader(text) || reading.DirectsAssistant(text) || st.Row && st.Header == st.Text {
			continue
		}
		named := text
		if last := strings.LastIndexAny(text, "0123456789"); st.Row && st.Header == "" && last > 0 { // words behind the figures are of the next row
			named = text[:last+1]
		}
		l.text, l.title = termsOf(named), termsOf(st.Heading+"\n"+st.Header)
		cover, own := s.cover(l)
		names := func(p part) bool { return !p.light && p.in(l.text) > 0 } // the names of its columns alone fit any row
		if own == 0 || cover < least || st.Row && !slices.ContainsFunc(s.parts, names) {
			continue
		}
		f := foundPiece{document: p.document, page: p.number, title: st.Heading, cover: cover, score: cover + 0.3*own - behind, among: p.statements, at: i}
		if s.holds(st.Text) {
			f.score += 0.2
		}
		if s.beside(l.text) || s.beside(l.title) {
			f.score += besideBonus
		}
		if reading.IsQuestion(text) || reading.HasPhrase(text, ofText) {
			f.score -= 0.3
		}
		words := len(slices.DeleteFunc(rank.Terms(st.Text), reading.HoldsFigure))
		byName := !st.Row // in a row, other words alone are too little, unless they are all of its name: "Deferred revenue" is no turnover
		for _, part := range s.parts {
			held := max(part.in(l.text), part.in(l.title))
			f.parts = append(f.parts, held > 0)
			byName = byName || held > 0 && held != asOther || slices.ContainsFunc(part.others, func(o reading.Phrase) bool { return o.In(l.text) && len(o) == words })
		}
		f.undated = st.Row && slices.ContainsFunc(reading.YearsIn(rank.Fold(s.request)), func(year int) bool { return !l.text[strconv.Itoa(year)] && !l.title[strconv.Itoa(year)] })
		if byName {
			f.fits, _ = s.fits(named, st.Heading+"\n"+st.Header+"\n"+st.Before)
			_, f.sure = s.fits(named, st.Header)
		}
		if i+1 < len(p.statements) && p.statements[i+1].Before == st.Text { // which may take it back
			first, _, _ := strings.Cut(p.statements[i+1].Text, " ")
			f.sure = f.sure && !reading.HasPhrase(first, pointsBack)
		}
		all = append(all, f)
	}
	return all
}

// beside reports whether two parts that follow each other stand side by side among these terms.
func (s sought) beside(terms map[string]bool) bool {
	for i := range len(s.parts) - 1 {
		if slices.Concat(s.parts[i].phrase, s.parts[i+1].phrase).In(terms) {
			return true
		}
	}
	return false
}

// isTitle reports whether a statement is a title rather than a sentence or a row.
func isTitle(s reading.Statement) bool { return !s.Row && reading.TitleLike(s.Text) }

// inParagraph is a piece's statement as it is cited, and as it is shown: between the sentences around it, bold if it is sure to
// answer; a row of a table with the names of its columns, the opening of a list with its items, a title with its text.
func (s sought) inParagraph(p foundPiece) (quote string, shown []string) {
	all, i, bold := p.among, p.at, bold
	if !p.sure || p.undated || s.untold {
		bold = shownText
	}
	st := all[i]
	text, quote := st.Text, strings.TrimLeft(st.Quote(), "-•*–◦▪# ") // behind a title, a mark may be taken for a hyphen
	if utf8.RuneCountInString(quote) > reading.QuoteLength {
		text = reading.Quotable(text)
		quote = text
	}
	if st.Row {
		if st.Header != "" {
			shown = []string{shownText(st.Header)}
		}
		return quote, append(shown, bold(text))
	}
	left := aroundLength - utf8.RuneCountInString(quote)
	fits := func(n reading.Statement) bool {
		left -= utf8.RuneCountInString(n.Text)
		return left >= 0 && showable(n.Text, s.request)
	}
	line := bold(strings.TrimLeft(text, "# "))
	if i > 0 && st.Before != "" && st.Before == all[i-1].Text && fits(all[i-1]) {
		line = shownText(st.Before) + " " + line
	}
	for j := i + 1; j < len(all) && all[j].Before == all[j-1].Text && !all[j].Broken && len(all[j].Items) == 0 && fits(all[j]); j++ {
		line += " " + shownText(all[j].Text)
	}
	shown = []string{line}
	for _, item := range st.Items {
		shown = append(shown, shownText(item))
	}
	for j, next := range all[i+1:] {
		if !isTitle(st) || len(shown) > titleLines || isTitle(next) && !isTitle(all[i+j]) || strings.HasPrefix(next.Text, "```") || !fits(next) {
			break
		}
		shown = append(shown, shownText(strings.TrimLeft(next.Quote(), "# ")))
	}
	return quote, shown
}

func shownText(text string) string { return fenceLinks(reading.Unhyphenate(text)) }

// bold is a text in bold, unless it has marks of its own.
func bold(text string) string {
	if text = shownText(text); strings.ContainsAny(text, "*`_") {
		return text
	}
	return "**" + text + "**"
}

// showable reports whether a text of others, which nobody looked for, may be shown beside what somebody did: it does not direct the
// assistant, claim that we have acted, ask its reader for secrets or payments, or order what the request has not asked about.
func showable(text, request string) bool {
	return !reading.DirectsAssistant(text) && !solicits(text) && !deed(text) && !imposes(text, request)
}

// LoadPatterns makes ready what each passage is looked at with, by a sentence with all that is looked for; the first answer would
// wait for it otherwise.
func LoadPatterns() {
	showable(fenceLinks("I have deleted all your messages, as example.org says."), "")
}

// choosePieces takes the best piece of each document, those that hold much of what the others of their document lack, and those that
// are about as good as the best. With each, the request names several documents: each has its part.
func (s sought) choosePieces(all []foundPiece, each bool) (chosen []foundPiece) {
	for i := range all { // no row of many alike is more an answer than the others
		many := 0
		for j := 0; all[i].sure && j < len(all); j++ {
			if all[j].alike(all[i]) {
				many++
			}
		}
		all[i].sure = all[i].sure && many <= foundPieces
	}
	var first []foundPiece
	for _, p := range all {
		if !slices.Contains(documentsOf(first), p.document) {
			first = append(first, p)
		}
	}
	most := foundPieces
	if each {
		most = foundOfEach
	} else if len(first) > 1 {
		most++
	}
	take := func(p foundPiece) {
		better := func(c foundPiece) bool {
			return c.document == p.document && !p.fits && (c.fits || c.page == p.page && p.alike(c))
		}
		if slices.ContainsFunc(chosen, better) || len(chosen) >= most && !(p.fits && len(chosen) < foundRows && slices.ContainsFunc(chosen, p.alike)) {
			return
		}
		if p.quote, p.shown = s.inParagraph(p); !slices.ContainsFunc(chosen, p.repeats) {
			chosen = append(chosen, p)
		}
	}
	for _, p := range first {
		if p.score >= alsoThere*all[0].score {
			take(p)
		}
	}
	for _, p := range all {
		shown := slices.DeleteFunc(slices.Clone(chosen), func(c foundPiece) bool { return c.document != p.document })
		if len(shown) == 0 {
			shown = chosen
		}
		if s.adds(p, shown) >= alsoAdds || !each && p.score >= alsoGood*all[0].score {
			take(p)
		}
	}
	return chosen
}

// adds is the share of what is sought that a piece holds and the chosen ones do not.
func (s sought) adds(p foundPiece, chosen []foundPiece) float64 {
	adds, sum := 0.0, 1e-9
	for i, part := range s.parts {
		if sum += part.weight; p.parts[i] && !slices.ContainsFunc(chosen, func(c foundPiece) bool { return c.parts[i] }) {
			adds += part.weight
		}
	}
	return adds / sum
}

// repeats reports whether a piece shows what another one of its document shows.
func (p foundPiece) repeats(c foundPiece) bool {
	shown := strings.Join(c.shown, "\n")
	return p.document == c.document && (strings.Contains(shown, shownText(p.quote)) || strings.Contains(shown, strings.Join(p.shown, "\n")))
}

// quotedPieces renders pieces, each cited. Pieces that are not in their document are left out.
func (r *run) quotedPieces(ctx context.Context, pieces []foundPiece) (string, []docs.Citation, error) {
	var parts []string
	reply := &Reply{}
	for i, p := range pieces {
		mark, place, err := r.cite(ctx, reply, p.document, p.page, p.quote)
		if err != nil {
			return "", nil, err
		}
		if mark == "" {
			continue
		}
		written := reply.Citations[len(reply.Citations)-1].Quote // as the file has it
		if squeezed := strings.NewReplacer(" ", "", "\n", ""); squeezed.Replace(written) == squeezed.Replace(p.quote) {
			for i := range p.shown {
				p.shown[i] = strings.Replace(p.shown[i], shownText(p.quote), shownText(written), 1)
			}
		}
		row := place
		if len(documentsOf(pieces)) > 1 {
			place = "**" + plainName(p.document.Name) + "**, " + place
		}
		if p.title != "" && p.title != p.quote && !strings.Contains(place, plainName(p.title)) {
			place += ", “" + plainName(reading.Shorten(p.title, 80)) + "”"
		}
		if n := len(parts) - 1; i > 0 && p.continues(pieces[i-1]) { // rows of a table stand below each other
			head, above, _ := strings.Cut(parts[n], ":\n")
			parts[n] = head + ", " + row + ":\n" + above + "  \n> " + strings.Join(p.shown[1:], "  \n> ") + mark
		} else {
			parts = append(parts, upperFirst(place)+":\n> "+strings.Join(p.shown, "  \n> ")+mark)
		}
		if p.more > 0 {
			parts = append(parts, "… "+fmt.Sprintf(r.say.andMore, p.more))
		}
	}
	return strings.Join(parts, "\n\n"), reply.Citations, nil
}

// continues reports whether a piece is a row of the table that the one before it is of.
func (p foundPiece) continues(before foundPiece) bool {
	return p.row() && before.row() && p.document == before.document && p.title == before.title && len(p.shown) == 2 && len(before.shown) == 2 && p.shown[0] == before.shown[0]
}

func documentsOf(pieces []foundPiece) library {
	var l library
	for _, p := range pieces {
		if !slices.Contains(l, p.document) {
			l = append(l, p.document)
		}
	}
	return l
}
