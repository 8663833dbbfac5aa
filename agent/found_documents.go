package agent

import (
	"cmp"
	"context"
	"fmt"
	"slices"
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
	besideBonus  = 0.5  // for words that stand side by side
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
	whole    bool    // none of them that counts is missing in it or in the document's name
	sure     bool    // it answers, as far as words tell

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
	each := []library{of}
	if len(of) <= fewDocuments {
		each = slices.Collect(slices.Chunk(of, 1))
	}
	var places []docs.Passage
	for _, l := range each {
		found, err := r.searchIn(ctx, s.query(), l, passageCount)
		if err != nil {
			return nil, err
		}
		places = append(places, found...)
	}
	var short []docs.Passage
	for _, d := range of {
		total, err := r.Index.Pages(ctx, d.ID)
		if err != nil {
			return nil, fmt.Errorf("count pages of %s: %w", d.Name, err)
		}
		for n := range min(total, foundPages+1) {
			short = append(short, docs.Passage{DocumentID: d.ID, Page: n + 1})
		}
	}
	behind := longPlace
	if len(short) <= foundPages {
		places, behind = append(places, short...), shortPlace
	}
	seen, read := map[docs.Passage]bool{}, map[int]int{} // pages, and how many of which part of each
	var all []foundPiece
	for _, p := range places {
		i := slices.IndexFunc(of, func(d *memory.Document) bool { return d.ID == p.DocumentID })
		p = docs.Passage{DocumentID: p.DocumentID, Page: p.Page}
		share := i % len(each)
		if i < 0 || seen[p] || behind == longPlace && read[share] == foundPages/len(each) {
			continue
		}
		text, err := r.page(ctx, p.DocumentID, p.Page)
		if err != nil {
			return nil, err
		}
		all = append(all, s.piecesOf(foundPage{of[i], p.Page, text, statementsIn(of[i], text)}, behind*float64(read[share]))...)
		seen[p] = true
		read[share]++
	}
	slices.SortStableFunc(all, func(a, b foundPiece) int { return cmp.Compare(b.score, a.score) })
	chosen := s.choosePieces(all, len(of) > 1 && len(of) < len(r.library))
	if n := len(chosen); n > 0 && behind == shortPlace { // all pages were read
		last := &chosen[n-1]
		for _, p := range all {
			if p.row() && last.row() && p.document == last.document && slices.Equal(p.parts, last.parts) &&
				!slices.ContainsFunc(chosen, func(c foundPiece) bool { return &c.among[c.at] == &p.among[p.at] }) {
				last.more++
			}
		}
	}
	return chosen, nil
}

// takenBack are phrases of what says of the sentence before it that it holds no more.
const takenBack = correction + `|dropped|abolished|ended|expired|void|entfallt|entfallen|abgeschafft|aufgehoben|supprime|supprimee|abroge|suprimido|suprimida|derogado`

// piecesOf rates the statements of a page; behind is taken off.
func (s sought) piecesOf(p foundPage, behind float64) []foundPiece {
	var all []foundPiece
	l := layers{name: reading.PhraseSet(strings.Join(nameWords(p.document.Name), " ")), page: termsOf(p.text)}
	for i, st := range p.statements {
		text := st.Quote()
		heads := st.Row && st.Header == st.Text
		if reading.Extent(text) < 4 || reading.HasLeader(text) || reading.DirectsAssistant(text) ||
			heads && !s.isOnly(termsOf(text)) {
			continue
		}
		l.text, l.title = termsOf(text), termsOf(st.Heading+"\n"+st.Header)
		cover, own := s.cover(l)
		if own == 0 || cover < least || st.Row && !slices.ContainsFunc(s.parts, func(p part) bool { return !p.light && p.in(l.text) > 0 }) ||
			!slices.ContainsFunc(s.parts, func(p part) bool { return !p.digits && max(p.in(l.text), p.in(l.title)) > 0 }) && slices.ContainsFunc(s.parts, part.names) {
			continue // if only the names of its columns fit, it is a row like any other; so is what has a number only
		}
		f := foundPiece{document: p.document, page: p.number, title: st.Heading, cover: cover, score: cover + 0.3*own - behind, among: p.statements, at: i}
		if s.figure && reading.HoldsFigure(st.Text) {
			f.score += 0.2
		}
		if bonus := besideBonus; s.beside(l.text) || s.beside(l.title) {
			if st.Row { // it names more than it says
				bonus /= 2
			}
			f.score += bonus
		}
		switch {
		case reading.IsQuestion(text):
			f.score -= 0.3
		case isTitle(st):
			f.score -= 0.1
		}
		f.whole = !s.compares && (!s.amount || strings.ContainsAny(text, "0123456789")) && // a row may not meet the condition
			(i+1 == len(p.statements) || p.statements[i+1].Before != st.Text || !reading.HasPhrase(p.statements[i+1].Text, takenBack))
		words := len(slices.DeleteFunc(rank.Terms(st.Text), reading.HoldsFigure))
		byName := !st.Row // in a row, other words alone are too little, unless they are all of its name: "Deferred revenue" is no turnover
		for _, part := range s.parts {
			held := max(part.in(l.text), part.in(l.title))
			f.parts = append(f.parts, held > 0)
			f.whole = f.whole && (part.light || held > 0 || part.in(l.name) > 0)
			called := func(o reading.Phrase) bool { return o.In(l.text) && len(o) == words }
			byName = byName || held > 0 && held != asOther || slices.ContainsFunc(part.others, called)
		}
		f.whole = f.whole && byName
		f.sure = f.whole && s.answeredBy(text, st.Header)
		all = append(all, f)
	}
	return all
}

// isOnly reports whether a word or two are sought, and all of them are among some terms: "Total?" is a column.
func (s sought) isOnly(terms map[string]bool) bool {
	return len(rank.Words(s.request)) <= 2 && !slices.ContainsFunc(s.parts, func(p part) bool { return p.in(terms) == 0 })
}

// isTitle reports whether a statement is a title rather than a sentence or a row.
func isTitle(s reading.Statement) bool { return !s.Row && reading.TitleLike(s.Text) }

// inParagraph is a piece's statement as it is cited, and as it is shown: between the sentences around it, bold if it is sure to
// answer; a row of a table with the names of its columns, the opening of a list with its items, a title with its text.
func (s sought) inParagraph(p foundPiece) (quote string, shown []string) {
	all, i, bold := p.among, p.at, bold
	if !p.sure {
		bold = shownText
	}
	st := all[i]
	text, quote := st.Text, strings.TrimLeft(st.Quote(), "-•*–◦▪# ") // behind a title, a mark may be taken for a hyphen
	if utf8.RuneCountInString(quote) > reading.QuoteLength {
		text = reading.Quotable(text)
		quote = text
	}
	if st.Row {
		if st.Header != "" && st.Header != st.Text {
			shown = []string{shownText(st.Header)}
		}
		shown = append(shown, bold(text))
		for _, row := range all[i+1:] { // those below the names of columns
			if st.Header != st.Text || row.Header != st.Text || len(shown) > titleLines || !showable(row.Text, s.request) {
				break
			}
			shown = append(shown, shownText(row.Text))
		}
		return quote, shown
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
		alike := func(c foundPiece) bool {
			return p.row() && c.row() && c.document == p.document && slices.Equal(c.parts, p.parts)
		}
		better := func(c foundPiece) bool { return c.whole && !p.whole && c.document == p.document }
		if slices.ContainsFunc(chosen, better) || len(chosen) >= most && !(len(chosen) < foundRows && slices.ContainsFunc(chosen, alike)) {
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
		if s.adds(p, shown) >= alsoAdds {
			take(p)
		}
	}
	for _, p := range all {
		if !each && p.score >= alsoGood*all[0].score {
			take(p)
		}
	}
	return chosen
}

// adds is the share of what is sought that a piece holds and the chosen ones do not.
func (s sought) adds(p foundPiece, chosen []foundPiece) float64 {
	adds, sum := 0.0, 0.0
	for i, part := range s.parts {
		if sum += part.weight; p.parts[i] && !slices.ContainsFunc(chosen, func(c foundPiece) bool { return c.parts[i] }) {
			adds += part.weight
		}
	}
	return adds / max(sum, 1e-9)
}

// repeats reports whether a piece shows what another one of its document shows.
func (p foundPiece) repeats(c foundPiece) bool {
	return p.document == c.document && (rank.Fold(c.quote) == rank.Fold(p.quote) || c.page == p.page &&
		(strings.Contains(strings.Join(c.shown, "\n"), p.quote) || strings.Contains(strings.Join(p.shown, "\n"), c.quote)))
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
		if written := reply.Citations[len(reply.Citations)-1].Quote; withoutSpace(written) == withoutSpace(p.quote) { // as the file has it
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

func withoutSpace(text string) string { return strings.Join(strings.Fields(text), "") }

func documentsOf(pieces []foundPiece) library {
	var l library
	for _, p := range pieces {
		if !slices.Contains(l, p.document) {
			l = append(l, p.document)
		}
	}
	return l
}
