package docs

import (
	"cmp"
	"context"
	"strings"
	"unicode/utf8"

	"threadkeeper/docs/pdfium"
)

const (
	batchPages = 50      // stored in one transaction
	pageChars  = 200_000 // of one page; the longest of a real document seen has about 40,000
)

// ingest is one run over the pages of a file. Its content counts the stored pages.
type ingest struct {
	index    *Index
	content  *content
	file     *file
	name     string
	progress func(Progress)
	stored   int // pages that an earlier run has stored

	summary  summary
	tail     tail // of the last page
	pages    []*pageRow
	passages []*passageRow
}

// run stores the pages as they are extracted, by a worker that is some pages ahead. It returns why the file cannot be
// used, or what was left out of it.
func (r *ingest) run(ctx context.Context) (omissions string, err error) {
	err = r.extract(ctx, func(total int, p page) error { return r.add(ctx, total, p, nil) })
	if err == nil {
		err = r.flush(ctx)
	}
	if err != nil {
		return "", err
	}
	r.content.FirstTerms = firstTerms(r.summary.first.String())
	return r.summary.omissions(r.content.Pages), r.summary.fault()
}

// extract calls each with the pages of the file that the limits let through.
func (r *ingest) extract(ctx context.Context, each func(total int, p page) error) error {
	limits := r.index.Limits
	if r.file.kind == kindPDF {
		if r.index.Engine == nil {
			return pdfium.ErrNoEngine
		}
		_, err := r.index.Engine.Pages(ctx, r.file.data,
			pdfium.Limits{Pages: limits.Pages, Chars: limits.Chars, CharsPerPage: pageChars},
			func(total int, p pdfium.Page) error {
				p.Text = clean(p.Text)
				return each(total, p)
			})
		return ours(err)
	}
	if r.file.Kind == "" { // it was known, and its last document was removed meanwhile
		if err := r.index.readOther(ctx, r.file, r.name, false); err != nil {
			return err
		}
	}
	pages := r.file.Pages
	if limits.Pages > 0 {
		pages = pages[:min(limits.Pages, len(pages))]
	}
	for _, p := range pages {
		if err := each(r.file.Total, p); err != nil {
			return err
		}
	}
	return nil
}

// add takes the next page of so many, with the boxes of its words if it was read from a picture, and stores a batch when it is full.
func (r *ingest) add(ctx context.Context, total int, p page, boxes []byte) error {
	r.content.Pages = total
	if p.Scanned && r.file.kind == kindPPTX { // nothing reads its pictures
		boxes, r.summary.slides = []byte{}, true
	}
	row := &pageRow{ContentID: r.content.ID, Number: p.Number, Label: p.Label, Text: p.Text,
		Scanned: p.Scanned, Truncated: p.Truncated, Failed: p.Failed, Boxes: boxes, Headings: storedHeadings(p.Headings)}
	r.summary.count(row, r.index.ReadsScans())
	r.summary.omitted = cmp.Or(r.summary.omitted, p.Omitted)
	found := passages(p.Text)
	var above []string
	above, r.tail = heads(p.Text, found, r.tail)
	if p.Number <= r.stored {
		return nil
	}
	rows := passageRows(row, found, above)
	if r.file.kind == kindCSV {
		for _, x := range rows {
			x.Terms = wholeToo(x.Terms)
		}
	}
	r.passages = append(r.passages, rows...)
	r.pages = append(r.pages, row)
	if len(r.pages) == batchPages {
		return r.flush(ctx)
	}
	return nil
}

// passageRows are the passages of a page, found in its text, with the heads above them.
func passageRows(p *pageRow, found []span, above []string) []*passageRow {
	var rows []*passageRow
	for i, s := range found {
		rows = append(rows, &passageRow{ContentID: p.ContentID, Page: p.Number, StartAt: s.start, EndAt: s.end, Head: above[i],
			Terms: passageTerms(p.Text[s.start:s.end])})
	}
	return rows
}

// count adds a page; reads says whether pages that are pictures are read.
func (s *summary) count(p *pageRow, reads bool) {
	s.read++
	s.chars += utf8.RuneCountInString(p.Text)
	switch {
	case p.Failed != "":
		s.failed = append(s.failed, p.Number)
	case p.Scanned && p.Boxes == nil && reads:
		s.unread = append(s.unread, p.Number)
	case p.Scanned && strings.TrimSpace(p.Text) != "" && p.Boxes != nil:
		s.pictures = append(s.pictures, p.Number)
		s.text = append(s.text, p.Number)
	case p.Scanned:
		s.scanned = append(s.scanned, p.Number)
	case strings.TrimSpace(p.Text) != "":
		s.text = append(s.text, p.Number)
	}
	if p.Truncated {
		s.cut = append(s.cut, p.Number)
	}
	if s.first.Len() < partChars {
		text, _ := pdfium.Cut(p.Text, partChars)
		s.first.WriteString(text + "\n")
	}
}

// flush stores the pages at hand and reports them.
func (r *ingest) flush(ctx context.Context) error {
	c := r.content
	c.PagesDone, c.Chars = r.summary.read, r.summary.chars
	c.Scanned = len(r.summary.scanned) + len(r.summary.unread) + len(r.summary.pictures)
	if len(r.pages) == 0 {
		return nil
	}
	if err := r.index.store(ctx, c, r.pages, r.passages); err != nil {
		return err
	}
	r.pages, r.passages = nil, nil
	total := c.Pages
	if most := r.index.Limits.Pages; most > 0 {
		total = min(total, most)
	}
	r.progress(Progress{Document: r.name, Page: c.PagesDone, Pages: total})
	return nil
}
