package docs

import (
	"context"
	"errors"
	"fmt"

	"threadkeeper/memory"
)

// Verify finds a citation's quote in its document: on the page it names or running on to the next
// one, else on another page, else, if similar enough and with the same numbers and negations, anywhere.
// It returns the citation with the page where the quote begins, its place in a file without pages, the exact quote
// (white space as single spaces), the document's name and link; or ErrNotFound.
func (x *Index) Verify(ctx context.Context, c Citation) (Citation, error) {
	k, name, err := x.contentOf(ctx, c.DocumentID)
	if errors.Is(err, memory.ErrNotFound) {
		return c, fmt.Errorf("docs: %w: document %d does not exist", ErrNotFound, c.DocumentID)
	}
	if err != nil {
		return c, fmt.Errorf("docs: verify a quote of document %d: %w", c.DocumentID, err)
	}
	quote := newQuote(c.Quote)
	if quote == "" {
		return c, fmt.Errorf("docs: %w: the quote of %s has no words", ErrNotFound, name)
	}
	around, err := x.texts(ctx, k.ID, c.Page-1, c.Page+1)
	if err != nil {
		return c, fmt.Errorf("docs: verify a quote of %s: %w", name, err)
	}
	f, ok := findQuote(around, c.Page, quote)
	if !ok {
		all, err := x.texts(ctx, k.ID, 1, k.Pages)
		if err != nil {
			return c, fmt.Errorf("docs: verify a quote of %s: %w", name, err)
		}
		if f, ok = findQuote(all, c.Page, quote); !ok {
			f, ok = findNear(all, c.Page, quote, c.Quote)
		}
	}
	if !ok {
		return c, fmt.Errorf("docs: %w: %s", ErrNotFound, name)
	}
	c.Document, c.Page, c.Place, c.Quote = name, f.page, f.place, f.text
	if c.Link, err = x.Store.DocumentLink(ctx, c.DocumentID); err != nil {
		return c, fmt.Errorf("docs: link of %s: %w", name, err)
	}
	return c, nil
}

type finding struct {
	page  int
	place string // in a file without pages
	text  string
}

// findQuote returns the place nearest to page with the quote letter by letter, on one page if
// it is anywhere near, or over a page break.
func findQuote(pages []*pageRow, page int, quote string) (finding, bool) {
	best, ok := finding{}, false
	take := func(f finding) {
		if !ok || away(f.page, page) < away(best.page, page) {
			best, ok = f, true
		}
	}
	var before *plain
	for i, p := range pages {
		text := newPlain(p.Text)
		if s, is := text.find(quote); is {
			take(finding{p.Number, p.place(s), verbatim(p.Text[s.start:s.end], p.Text[s.end:])})
		} else if before != nil && pages[i-1].Number == p.Number-1 {
			if l, r, is := before.across(text, quote); is {
				place := through(pages[i-1].place(l), p.place(r))
				take(finding{p.Number - 1, place, verbatim(pages[i-1].Text[l.start:l.end]+" "+p.Text[r.start:r.end], p.Text[r.end:])})
			}
		}
		before = text
	}
	return best, ok
}

// findNear returns the place most like quote, of equals the one nearest to page.
func findNear(pages []*pageRow, page int, quote, quoted string) (finding, bool) {
	best, ok, least := finding{}, false, 0
	for _, p := range pages {
		s, distance, is := newPlain(p.Text).near(quote, quoted)
		if is && (!ok || distance < least || distance == least && away(p.Number, page) < away(best.page, page)) {
			best, ok, least = finding{p.Number, p.place(s), verbatim(p.Text[s.start:s.end], p.Text[s.end:])}, true, distance
		}
	}
	return best, ok
}

func away(a, b int) int { return max(a-b, b-a) }

// texts are the pages from to to, both included, of a content.
func (x *Index) texts(ctx context.Context, content int64, from, to int) ([]*pageRow, error) {
	var pages []*pageRow
	err := x.Store.Read().NewSelect().Model(&pages).Column("number", "label", "text").
		Where("content_id = ? AND number BETWEEN ? AND ?", content, from, to).Order("number").Scan(ctx)
	return pages, err
}
