package agent

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"threadkeeper/docs"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

const (
	cardPages    = 40 // read for a card; of a longer document that many, evenly apart
	cardHeadings = 3
)

// sample reads at most n pages of a document: all, or the first and others evenly apart.
func sample(ctx context.Context, index *docs.Index, d *memory.Document, n int) ([]foundPage, int, error) {
	total, err := index.Pages(ctx, d.ID)
	if err != nil {
		return nil, 0, fmt.Errorf("count pages of %s: %w", d.Name, err)
	}
	var pages []foundPage
	for i := range min(n, total) {
		number := 1 + i*total/min(n, total)
		text, err := index.Page(ctx, d.ID, number)
		if errors.Is(err, memory.ErrNotFound) {
			continue
		}
		if err != nil {
			return nil, 0, fmt.Errorf("read %s page %d: %w", d.Name, number, err)
		}
		pages = append(pages, foundPage{document: d, number: number, text: text})
	}
	return pages, total, nil
}

// uploadCard introduces new documents that came without a question; "" when none could be read.
func (r *run) uploadCard(ctx context.Context) string {
	var cards []string
	for _, d := range r.turn.New {
		if d.State != memory.DocumentReady {
			continue
		}
		if d.Picture {
			cards = append(cards, fmt.Sprintf("**%s** – %s", plainName(d.Name), r.say.pictureHere))
			continue
		}
		card, extent := "", ""
		pages, _, err := sample(ctx, r.Index, d, cardPages)
		if err == nil {
			extent, err = r.extent(ctx, d)
		}
		if err == nil {
			card, err = r.card(ctx, d, pages, extent)
		}
		if err != nil {
			r.Log.WarnContext(ctx, "could not make a document's card", "document", d.ID, "error", err)
			continue
		}
		cards, r.tooled = append(cards, card), append(r.tooled, shown{document: d.ID, text: card})
	}
	return strings.Join(cards, "\n\n")
}

// card says what a document is, from what its pages say, and suggests questions about its parts.
func (r *run) card(ctx context.Context, d *memory.Document, pages []foundPage, extent string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** – %s", plainName(d.Name), extent)
	var text strings.Builder
	for _, p := range pages {
		text.WriteString(p.text + "\n")
	}
	if reading.Language(text.String()) != "" && len(r.history.Messages) == 0 {
		r.say = speak(text.String()).at(r.turn, r.Model != nil)
	}
	if len(pages) > 0 {
		if facts := cardFacts(pages[0].text); len(facts) > 0 {
			b.WriteString("\n" + fenceLinks(strings.Join(facts, " · ")))
		}
	}
	given, err := r.Index.Outline(ctx, d.ID)
	if err != nil {
		return "", err
	}
	own, sections := r.headingsToShow(pages, given, cardHeadings)
	about, err := r.about(ctx, d.ID, own, sections, len(pages) > 1)
	if err != nil {
		return "", err
	}
	if len(about) > 0 {
		fmt.Fprintf(&b, "\n%s %s", r.say.card, strings.Join(about, " · "))
	}
	if len(sections) == 0 {
		return b.String(), nil
	}
	b.WriteString("\n" + r.say.try)
	for _, s := range sections {
		b.WriteString("\n- " + fmt.Sprintf(r.say.suggest, plainName(s.title)))
	}
	return b.String(), nil
}

// about are a document's own title and its sections, with their places if it has several pages.
func (r *run) about(ctx context.Context, document int64, own string, sections []section, placed bool) (all []string, err error) {
	if own != "" {
		all = append(all, plainName(own))
	}
	for _, s := range sections {
		line := plainName(s.title)
		if placed {
			place, err := r.Index.Place(ctx, document, s.page, s.title)
			if err != nil {
				return nil, fmt.Errorf("find a heading: %w", err)
			}
			if at := r.say.places.Of(docs.Citation{Page: s.page, Place: place}); !strings.Contains(at, s.title) {
				line += " (" + plainName(at) + ")"
			}
		}
		all = append(all, line)
	}
	return all, nil
}

// headings are the document's own title, "" if its first page begins with none, and at most n sections: those with most text
// under them, in order.
func headings(pages []foundPage, given []docs.Heading, n int) (own string, sections []section) {
	for i := range pages {
		pages[i].statements = reading.Statements(pages[i].text, false)
	}
	if len(pages) > 0 {
		if lines := reading.TitleLines(pages[0].text); len(lines) > 0 && names(lines[0]) {
			own = lines[0]
		}
	}
	seen := map[string]bool{reading.FoldTitle(own): true, "": true}
	parts := ownSections(given)
	if len(parts) < leastOwn {
		parts = sectionsOf(pages, given)
	}
	parts = slices.DeleteFunc(parts, func(s section) bool {
		again := seen[reading.FoldTitle(s.title)]
		seen[reading.FoldTitle(s.title)] = true
		return again
	})
	return own, choose(parts, n)
}

// headingsToShow are those headings that people may be shown.
func (r *run) headingsToShow(pages []foundPage, given []docs.Heading, n int) (own string, sections []section) {
	if own, sections = headings(pages, given, n); !showable(own, r.request) {
		own = ""
	}
	return own, slices.DeleteFunc(sections, func(s section) bool { return !showable(s.title, r.request) })
}

// ownSections are the sections by which a document divides itself, as long as they have pages.
func ownSections(given []docs.Heading) (all []section) {
	for i, h := range given {
		if h.Level > 0 || reading.HasPhrase(h.Title, boilerplate) || reading.HasPhrase(h.Title, apparatus) {
			continue
		}
		s := section{title: strings.TrimRight(h.Title, ". "), page: h.Page, size: 1}
		if next := slices.IndexFunc(given[i+1:], func(n docs.Heading) bool { return n.Level == 0 }); next >= 0 {
			s.size += given[i+1+next].Page - h.Page
		}
		all = append(all, s)
	}
	return all
}

// titles are the document's own title and its headings for a model, with their pages as it cites them, at most n.
func titles(pages []foundPage, given []docs.Heading, n int) []string {
	own, sections := headings(pages, given, n)
	var all []string
	if own != "" {
		all = append(all, own)
	}
	for _, s := range sections {
		if len(pages) > 1 {
			s.title += fmt.Sprintf(" p%d", s.page)
		}
		all = append(all, s.title)
	}
	return all[:min(n, len(all))]
}

// plainName is the name of a file, a person or a section without marks that Markdown or a chat service would act on. Of an address in
// it that is more than a host, as "report.pdf" is one, the host is left, as code.
func plainName(name string) string {
	name = settled(name, func(name string) string {
		return strings.Map(func(c rune) rune {
			if strings.ContainsRune("*`[]<>|\\\n\r", c) {
				return -1
			}
			return c
		}, neutral(name))
	})
	name = asCode(plainlySpelt(name), func(address string) (string, bool) {
		host := reading.HostOf(address)
		return host, host == address && !strings.ContainsAny(host, "@/")
	})
	return eachSpan(name, reading.Literal, func(code string) string { return code })
}

// extent says how many pages a document has, if not all of them were read, how many were, and what else was left out.
func (r *run) extent(ctx context.Context, d *memory.Document) (string, error) {
	e, err := r.Index.Extent(ctx, d.ID)
	if err != nil {
		return "", err
	}
	extent := r.say.pageCount(e.Pages)
	if e.Read < e.Pages {
		extent = r.say.readOf(e)
	}
	return strings.Join(append([]string{extent}, r.say.leftOut(e)...), ", "), nil
}

// LeftOut says in a language ("de"), in English if we have no phrases in it, which pages of a document were read from
// their pictures, not read, or only in part, and what of what it hides was read. That not all pages were read is no part of it.
func LeftOut(code string, e docs.Extent) []string { return cmp.Or(phrasesIn[code], english).leftOut(e) }

func (p *phrases) leftOut(e docs.Extent) (notes []string) {
	for _, part := range []struct {
		form  string
		pages []int
	}{{p.fromScan, e.Scans}, {p.scansLeft, e.Unread}, {p.noText, e.Blank}, {p.readCut, e.Cut}, {p.unreadable, e.Failed}} {
		if len(part.pages) > 0 {
			notes = append(notes, fmt.Sprintf(part.form, docs.PageList(part.pages)))
		}
	}
	for _, hidden := range e.Hides {
		notes = append(notes, p.hides[hidden])
	}
	return notes
}

// readOf says how much of a document was read that was not read whole.
func (p *phrases) readOf(e docs.Extent) string {
	if e.Parts {
		return fmt.Sprintf(p.firstShare, 100*e.Read/e.Pages)
	}
	return fmt.Sprintf(p.partly, e.Read, e.Pages)
}

// tellPartly adds to an answer what was left out of the documents it cites, which pages the model saw as pictures, and which cited
// pages were read from theirs; where nothing was found, what was left out of all documents, and which pages are pictures without text.
func (r *run) tellPartly(ctx context.Context, reply *Reply) {
	names := map[int64]string{}
	for _, c := range reply.Citations {
		names[c.DocumentID] = c.Document
	}
	if reply.Checks.Unchecked > 0 { // what only a picture shows cannot be cited
		for _, at := range r.poor {
			names[at.document] = r.library.name(at.document)
		}
	}
	if r.spent.NotFound {
		for _, d := range r.library[:min(len(r.library), fairLibrary)] {
			names[d.ID] = d.Name
		}
	}
	for _, id := range slices.Sorted(maps.Keys(names)) {
		e, err := r.Index.Extent(ctx, id)
		if err != nil { // removed meanwhile: its citation is removed as well
			continue
		}
		reply.Unread = reply.Unread || !e.Whole()
		var notes []string
		if e.Read < e.Pages {
			notes = append(notes, r.say.readOf(e))
		}
		var seen []int
		for _, at := range r.poor {
			if at.document == id {
				seen = append(seen, at.page)
			}
		}
		if len(seen) > 0 {
			slices.Sort(seen)
			notes = append(notes, fmt.Sprintf(r.say.poorScan, docs.PageList(seen)))
		}
		e.Scans = slices.DeleteFunc(e.Scans, func(page int) bool {
			return !slices.ContainsFunc(reply.Citations, func(c memory.Citation) bool { return c.DocumentID == id && c.Page == page })
		})
		if !r.spent.NotFound {
			e.Blank = nil
		}
		if notes = append(notes, r.say.leftOut(e)...); len(notes) == 0 {
			continue
		}
		r.add(reply, fmt.Sprintf("\n\n(%s: %s)", plainName(names[id]), strings.Join(notes, "; ")))
	}
}

func (p *phrases) pageCount(n int) string {
	if n == 1 {
		return p.onePage
	}
	return fmt.Sprintf(p.pages, n)
}
