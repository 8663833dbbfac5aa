package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// How much of the documents the first prompt of a turn shows, in tokens; both at most a sixth of the model's window, and less
// or more if Budget.Usual is not the default.
const (
	libraryRoom = 8_000 // up to which all documents are shown whole
	pagesRoom   = 6_000 // else: of the passages and pages that fit best
	listenRoom  = 250   // of them, and of older lines, where it is to be decided whether a line is for us
)

const (
	searchDepth  = 24  // passages asked for
	bestPassages = 8   // of those, that say how many documents the request is about
	wholePages   = 3   // of the best that are shown whole
	fairLibrary  = 4   // documents up to which each has its share though none is named
	unsureCover  = 0.4 // share of the request's terms in what was found, below which pages from all over are shown as well
	vagueTerms   = 3   // of a request, up to which it may be about everything
	pageOverhead = 10  // tokens of the line above a passage
)

// shown is a passage or a page of a document that a prompt shows.
type shown struct {
	document int64
	page     int
	passage  int64 // 0 for a whole page
	text     string
	head     string // of the table that it begins within, "" if there is none
	quote    string // of the page, where text is a note on it
	place    int    // among what was chosen with it, the best first
}

// gatherEvidence chooses what of the documents the turn's prompts show. It is never withheld: with documents there is
// always some.
func (r *run) gatherEvidence(ctx context.Context) error {
	if len(r.library) == 0 {
		return nil
	}
	all, fits, err := r.everyPage(ctx, r.listening(r.documentRoom(libraryRoom)))
	if err != nil {
		return err
	}
	if fits {
		r.evidence, r.complete = all, true
		return r.placePages(ctx)
	}
	room := r.listening(r.documentRoom(pagesRoom))
	for _, share := range r.shares(room) {
		if err := r.gatherShare(ctx, share); err != nil {
			return err
		}
	}
	if !r.turn.Overheard {
		if err := r.addKeptNotes(ctx); err != nil {
			return err
		}
	}
	r.sortEvidence()
	return nil
}

// placePages finds out which pages of a library that is shown whole fit the request, for a prompt that has too little room.
func (r *run) placePages(ctx context.Context) error {
	found, err := r.searchIn(ctx, r.searchText(), r.library, searchDepth)
	if err != nil {
		return err
	}
	for i, s := range r.evidence {
		at := slices.IndexFunc(found, func(p docs.Passage) bool { return p.DocumentID == s.document && p.Page == s.page })
		if at < 0 {
			at = len(found)
		}
		r.evidence[i].place = at
	}
	return nil
}

// listening is how much of room an overheard line gets: most of them are for others, and each is read. The tools bring the
// rest.
func (r *run) listening(room int) int {
	if r.turn.Overheard {
		return min(room, listenRoom)
	}
	return room
}

// everyPage reads all documents; fits is false if they have more than room tokens.
func (r *run) everyPage(ctx context.Context, room int) (all []shown, fits bool, err error) {
	for _, d := range r.library {
		pages, err := r.Index.Pages(ctx, d.ID)
		if err != nil {
			return nil, false, fmt.Errorf("count pages: %w", err)
		}
		for n := 1; n <= pages; n++ {
			text, err := r.page(ctx, d.ID, n)
			if err != nil {
				return nil, false, err
			}
			if strings.TrimSpace(text) == "" {
				continue
			}
			if room -= memory.Count(text) + pageOverhead; room < 0 {
				return nil, false, nil
			}
			all = append(all, shown{document: d.ID, page: n, text: text})
		}
	}
	return all, true, nil
}

// page is the text of a page, "" if there is no such page.
func (r *run) page(ctx context.Context, document int64, page int) (string, error) {
	text, err := r.Index.Page(ctx, document, page)
	if errors.Is(err, docs.ErrNotFound) || errors.Is(err, memory.ErrNotFound) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read page %d: %w", page, err)
	}
	return text, nil
}

// wholePage is a page with the head of the table that it begins within, and what it takes in tokens.
func (r *run) wholePage(ctx context.Context, document int64, page int) (s shown, cost int, err error) {
	s = shown{document: document, page: page}
	if s.text, err = r.page(ctx, document, page); err != nil {
		return s, 0, err
	}
	if s.head, err = r.Index.Head(ctx, document, page); err != nil {
		return s, 0, fmt.Errorf("read the head of page %d: %w", page, err)
	}
	return s, memory.Count(s.head+s.text) + pageOverhead, nil
}

// share is a part of the room for evidence and the documents it is for.
type share struct {
	documents library
	room      int
}

// shares divides the room: documents that are named have equal parts, those posted with the request come before others,
// and of a few documents each has at least something.
func (r *run) shares(room int) []share {
	focus := r.library.named(r.request)
	if len(focus) == 0 {
		focus = r.library.of(r.turn.New)
	}
	var all []share
	switch {
	case len(focus) == 0 && len(r.library) > 1 && len(r.library) <= fairLibrary:
		all = append(all, share{r.library, room / 2})
		focus, room = r.library, room/2
	case len(focus) == 0 || len(focus) > 2*fairLibrary:
		return []share{{r.library, room}}
	}
	for _, d := range focus {
		all = append(all, share{library{d}, room / len(focus)})
	}
	return all
}

// gatherShare adds the best passages of some documents, the best pages of them whole. Where the search of
// a request of few words is unsure, part of the room goes to pages from all over, so that one for a summary sees what there is.
func (r *run) gatherShare(ctx context.Context, s share) error {
	query := r.searchText()
	found, err := r.searchIn(ctx, query, s.documents, searchDepth)
	if err != nil {
		return err
	}
	room := s.room
	terms := s.documents.withoutNames(reading.ContentTerms(reading.QuestionOf(query)))
	if len(terms) == 0 || len(terms) <= vagueTerms && covers(found, terms) < unsureCover {
		if room, err = r.spread(ctx, s.documents, room/2, room); err != nil {
			return err
		}
	}
	return r.addBest(ctx, found, room)
}

// addBest adds found passages, best first, as far as room tokens go; the pages of the best are shown whole, as far as they leave
// room for the other documents among the best.
func (r *run) addBest(ctx context.Context, found []docs.Passage, room int) error {
	whole, from, first := 0, map[int64]bool{}, len(r.evidence)
	for _, p := range found[:min(len(found), bestPassages)] {
		from[p.DocumentID] = true
	}
	longest := room / max(2, len(from))
	for _, p := range found {
		if whole < wholePages && !r.showsPage(p.DocumentID, p.Page) {
			s, cost, err := r.wholePage(ctx, p.DocumentID, p.Page)
			if err != nil {
				return err
			}
			if cost <= min(longest, room/2) && !saysLittle(s.text, r.request) {
				s.place = len(r.evidence) - first
				r.evidence = append(r.evidence, s)
				room -= cost
				whole++
				continue
			}
		}
		cost := memory.Count(p.Head+p.Text) + pageOverhead
		if holdsPassage(r.evidence, p) || cost > room {
			continue
		}
		r.evidence = append(r.evidence, shown{document: p.DocumentID, page: p.Page, passage: p.ID, text: p.Text, head: p.Head, place: len(r.evidence) - first})
		room -= cost
	}
	return nil
}

// saysLittle reports whether a page is one that every document of a kind has: signatures, certifications, contents. One that the
// request names is none.
func saysLittle(page, request string) bool {
	if reading.HasPhrase(request, signing+`|contents|certified|signed|sign|signs|exhibit|sections|chapters|inhalt|inhaltsverzeichnis|kapitel|unterschrieben|unterzeichnet|sommaire|chapitres|signe|indice|capitulos|firmado|firmo`) {
		return false
	}
	return listsPages(page) || slices.ContainsFunc(reading.TitleLines(page[:reading.RuneBoundary(page, titledWithin)]), func(title string) bool {
		_, certifies := opens(title, certifying)
		return certifies || only(title, signing, 0)
	})
}

const (
	titledWithin = 400 // bytes of a page that say what it is
	fewEntries   = 8   // of a table of contents at least

	signing    = `signature|signatures|signature page|certification|certifications|exhibit index|index to exhibits|unterschriften|firmas`
	certifying = `certification pursuant|certification of|certifications pursuant|certification by`
)

// listsPages reports whether most lines of a page end in the numbers of pages, in order.
func listsPages(page string) bool {
	entries, others, last := 0, 0, 0
	for line := range strings.Lines(page) {
		fields := strings.Fields(line)
		if len(fields) < 2 {
			continue
		}
		if n, err := strconv.Atoi(fields[len(fields)-1]); err == nil && n >= last && n < 1000 {
			entries, last = entries+1, n
		} else {
			others++
		}
	}
	return entries >= fewEntries && entries > others
}

// spread adds the beginnings of pages from all over some documents, for at most limit tokens. It returns what is left of
// room.
func (r *run) spread(ctx context.Context, documents library, limit, room int) (int, error) {
	const opening = 220 // tokens of 900 bytes of text, about
	first := len(r.evidence)
	notes, err := r.keptNotes(ctx, documents[:min(len(documents), mostWhole)])
	if err != nil {
		return room, err
	}
	for i, d := range documents {
		each := limit / (len(documents) - i) / opening
		if all := notes[d.ID]; len(all) > each {
			n := min(len(all), 3*each) // shorter than openings of pages
			for i := range n {
				f := all[i*len(all)/n]
				cost := memory.Count(f.Quote) + pageOverhead
				if cost > limit {
					return room, nil
				}
				limit, room = limit-cost, room-cost
				r.evidence = append(r.evidence, shown{document: d.ID, page: f.Page, passage: -1, text: f.Quote, place: len(r.evidence) - first})
			}
			continue
		}
		pages, _, err := sample(ctx, r.Index, d, max(each, 1))
		if err != nil {
			return room, err
		}
		for _, p := range pages {
			text := p.text[:reading.RuneBoundary(p.text, pieceLength)]
			cost := memory.Count(text) + pageOverhead
			if cost > limit {
				return room, nil
			}
			limit, room = limit-cost, room-cost
			r.evidence = append(r.evidence, shown{document: d.ID, page: p.number, passage: -1, text: text, place: len(r.evidence) - first})
		}
	}
	return room, nil
}

// holdsPassage reports whether a passage is shown, alone or with its page.
func holdsPassage(all []shown, p docs.Passage) bool {
	return slices.ContainsFunc(all, func(s shown) bool {
		return s.document == p.DocumentID && s.page == p.Page && (s.passage == 0 || s.passage == p.ID)
	})
}

func (r *run) showsPage(document int64, page int) bool {
	return slices.ContainsFunc(r.evidence, func(s shown) bool { return s.document == document && s.page == page && s.passage == 0 })
}

// sortEvidence orders the evidence by document, and leaves out passages that a whole page repeats.
func (r *run) sortEvidence() {
	r.evidence = slices.DeleteFunc(r.evidence, func(s shown) bool { return s.passage != 0 && r.showsPage(s.document, s.page) })
	slices.SortStableFunc(r.evidence, func(a, b shown) int {
		return cmp.Or(cmp.Compare(a.document, b.document), cmp.Compare(a.page, b.page), cmp.Compare(a.passage, b.passage))
	})
}

func (l library) line(s shown) string {
	head := fmt.Sprintf("[%s p%d]", l.alias(s.document), s.page)
	if s.passage == 0 {
		head = fmt.Sprintf("[%s p%d, the whole page]", l.alias(s.document), s.page)
	}
	return head + s.below()
}

// below is the text behind the head of the table that it begins within.
func (s shown) below() string {
	if above := headOnly(s.head); above != "" && s.fits() {
		return "\n(from above, perhaps the head of this table: " + above + ")\n" + s.text
	}
	return "\n" + s.text
}

// fits reports whether a head that names years has as many as one of the first rows has values.
func (s shown) fits() bool {
	if years := yearsIn.FindAllString(s.head, 2); len(years) < 2 {
		return true
	}
	rows := slices.DeleteFunc(reading.ReadPage(s.head+"\n"+s.text).Rows, func(x reading.Row) bool {
		return len(x.Values) < 2 || !strings.Contains(reading.CollapseSpace(s.text), x.Text)
	})
	return len(rows) == 0 || slices.ContainsFunc(rows[:min(len(rows), firstRows)], func(x reading.Row) bool { return x.Heads != nil })
}

var yearsIn = reading.Lazy(`\b(?:19|20)\d\d`)

// firstRows are how many rows of a passage tell whether a head is theirs.
const firstRows = 3

// headOnly are the lines of a table's head in one, without those that tell amounts: prose, or rows.
func headOnly(head string) string {
	var lines []string
	for line := range strings.Lines(head) {
		_, all := reading.Quantities(line)
		if line = strings.TrimSpace(line); line != "" && !slices.ContainsFunc(all, func(q reading.Quantity) bool {
			return (q.Currency != "" || q.Percent) && !(q.Digits >= 1900 && q.Digits < 2100)
		}) {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, " | ")
}

// evidenceTexts are the passages and pages that all prompts of the turn show.
func (r *run) evidenceTexts() []string {
	texts := make([]string, len(r.evidence))
	for i, s := range r.evidence {
		texts[i] = s.text
	}
	return texts
}

// evidenceLines renders what is shown, passages of one page under one name.
func (l library) evidenceLines(all []shown) (lines []string) {
	for i, s := range all {
		if i == 0 || s.passage <= 0 || all[i-1].passage <= 0 || s.document != all[i-1].document || s.page != all[i-1].page {
			lines = append(lines, l.line(s))
			continue
		}
		between := "\n[…]" + s.below()
		if s.passage == all[i-1].passage+1 { // it stands right below
			between = "\n" + s.text
		}
		lines[len(lines)-1] += between
	}
	return lines
}
