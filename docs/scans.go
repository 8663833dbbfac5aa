package docs

import (
	"context"
	"database/sql"
	little "encoding/binary"
	"errors"
	"fmt"
	"image"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/uptrace/bun"

	"threadkeeper/docs/ocr"
	"threadkeeper/memory"
)

// scansAtOnce is how many pages that are pictures Add reads before it returns, some three seconds each; ReadOn or ReadScans
// reads the others.
const scansAtOnce = 10

// mostSlow is how many pages of a file may take longer than a page may, each minutes: where they do, the others are not tried.
const mostSlow = 2

// ReadsScans reports whether this build can read scanned pages and pictures with text.
func (x *Index) ReadsScans() bool { return x.Engine != nil && x.Engine.CanReadScans() == nil }

// ReadScans reads the scanned pages that Add has left, until ctx ends. After a crash it continues where it
// was. If a page cannot be read because of this machine, it is left until the next document is added.
func (x *Index) ReadScans(ctx context.Context) {
	if !x.ReadsScans() {
		return
	}
	for ctx.Err() == nil {
		c, err := x.unreadContent(ctx)
		if err == nil && c != nil {
			err = x.readScans(ctx, c, 1, nil)
		}
		if err != nil && ctx.Err() == nil {
			x.Log.WarnContext(ctx, "could not read a scan", "error", err)
		}
		if err != nil || c == nil {
			select {
			case <-x.unread():
			case <-ctx.Done():
			}
		}
	}
}

// ReadOn reads the scanned pages of a document that Add has left, until ctx ends; d is brought up to date. It returns one of
// this package's sentinels if no page of the file has text. progress, which may be nil, is called after each page.
func (x *Index) ReadOn(ctx context.Context, d *memory.Document, progress func(Progress)) error {
	if !x.ReadsScans() || d.State != memory.DocumentReady || d.Reason == "" { // which names the pages left
		return nil
	}
	c := &content{ID: d.ContentID}
	if err := x.Store.Read().NewSelect().Model(c).WherePK().Scan(ctx); err != nil {
		return fmt.Errorf("docs: read on in %s: %w", d.Name, missing(err))
	}
	err := x.readScans(ctx, c, c.Pages, func(unread int) {
		if progress != nil {
			progress(Progress{Document: d.Name, Page: c.PagesDone - unread, Pages: c.PagesDone})
		}
	})
	if err != nil {
		return err
	}
	if d.State, d.Reason = memory.DocumentState(c.State), c.Reason; c.State == contentFailed {
		return fmt.Errorf("docs: read %s: %w", d.Name, faultNamed(c.Reason))
	}
	return nil
}

// unread has an entry when Add has left pages to read.
func (x *Index) unread() chan struct{} {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.left == nil {
		x.left = make(chan struct{}, 1)
	}
	return x.left
}

// unreadContent returns the content with the fewest such pages, so that a long one keeps none waiting; nil if there is none.
func (x *Index) unreadContent(ctx context.Context) (*content, error) {
	c := new(content)
	err := unreadPages(x.Store.Read().NewSelect().Model(c).Join("JOIN pages AS pg ON pg.content_id = k.id")).
		Where("k.state = ? AND k.media = ?", contentReady, kindPDF).Group("k.id").OrderExpr("count(*), k.id").Limit(1).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	return c, err
}

func unreadPages(q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("pg.scanned AND pg.boxes IS NULL AND pg.failed = ''")
}

// readScans reads at most n pages of a content that are pictures.
func (x *Index) readScans(ctx context.Context, c *content, n int, progress func(unread int)) error {
	var pages []*pageRow
	if err := unreadPages(x.Store.Read().NewSelect().Model(&pages)).Where("pg.content_id = ?", c.ID).Order("pg.number").Scan(ctx); err != nil {
		return err
	}
	if len(pages) == 0 {
		return nil
	}
	slow, err := x.Store.Read().NewSelect().Model((*pageRow)(nil)).Where("content_id = ? AND scanned AND failed = ?", c.ID, ErrTimeout.Error()).Count(ctx)
	if err != nil {
		return err
	}
	data, err := x.bytes(ctx, c)
	if err != nil {
		return err
	}
	for i, p := range pages[:min(n, len(pages))] {
		if slow >= mostSlow {
			return x.giveUp(ctx, c)
		}
		if err := x.readScan(ctx, c, data, p); err != nil {
			return err
		}
		if p.Failed == ErrTimeout.Error() {
			slow++
		}
		if progress != nil {
			progress(len(pages) - i - 1)
		}
	}
	if len(pages) > n {
		select {
		case x.unread() <- struct{}{}:
		default:
		}
	}
	return nil
}

// giveUp notes that the other pages of a content would take too long, too.
func (x *Index) giveUp(ctx context.Context, c *content) error {
	return x.Store.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewUpdate().Model((*pageRow)(nil)).Set("failed = ?", ErrTimeout.Error()).
			Where("content_id = ? AND scanned AND boxes IS NULL AND failed = ''", c.ID).Exec(ctx)
		if err != nil {
			return err
		}
		return x.tellScans(ctx, tx, c)
	})
}

const leastNotes = 20 // characters

func (x *Index) readScan(ctx context.Context, c *content, data []byte, p *pageRow) error {
	text, err := x.Engine.ReadScan(ctx, data, p.Number)
	if err = ours(err); err != nil {
		if p.Failed = faultOf(err); p.Failed == "" {
			return fmt.Errorf("docs: read page %d of content %d: %w", p.Number, c.ID, err)
		}
	}
	notes := p.Text // of people, on the picture; less of it is a stamp, which is read with the picture
	p.Certainty = text.Certainty
	if p.Text, p.Boxes = scannedText(text); utf8.RuneCountInString(notes) >= leastNotes {
		p.Text = strings.TrimLeft(p.Text+"\n\n"+notes, "\n")
	}
	spans := passages(p.Text)
	above, _ := heads(p.Text, spans, tail{})
	found := passageRows(p, spans, above)
	err = x.Store.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		res, err := tx.NewUpdate().Model(p).Column("text", "boxes", "certainty", "failed").WherePK().Where("boxes IS NULL").Exec(ctx)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return err // removed, or read by another process
		}
		if _, err := tx.NewDelete().Model((*passageRow)(nil)).Where("content_id = ? AND page = ?", c.ID, p.Number).Exec(ctx); err != nil {
			return err // those of the notes
		}
		if err := insert(ctx, tx, nil, found); err != nil {
			return err
		}
		return x.tellScans(ctx, tx, c)
	})
	x.mu.Lock()
	delete(x.periods, c.ID)
	x.mu.Unlock()
	return err
}

// tellScans brings a content and its documents up to date after a page of it was read.
func (x *Index) tellScans(ctx context.Context, tx bun.Tx, c *content) error {
	if err := tx.NewSelect().Model(c).WherePK().Scan(ctx); err != nil {
		return missing(err)
	}
	s, err := summaryOf(ctx, tx, c.ID)
	if err != nil {
		return err
	}
	c.Chars, c.FirstTerms, c.Reason = s.chars, firstTerms(s.first.String()), s.omissions(c.Pages)
	if len(s.unread) == 0 {
		if fault := s.fault(); fault != nil {
			c.State, c.Reason = contentFailed, fault.Error()
		}
	}
	return settled(ctx, tx, c)
}

func summaryOf(ctx context.Context, tx bun.IDB, content int64) (*summary, error) {
	var pages []*pageRow
	if err := tx.NewSelect().Model(&pages).Where("content_id = ?", content).Order("number").Scan(ctx); err != nil {
		return nil, err
	}
	s := new(summary)
	for _, p := range pages {
		s.count(p, true)
	}
	return s, nil
}

// PoorScans returns the pages of a document that were badly read from their pictures.
func (x *Index) PoorScans(ctx context.Context, document int64) (pages []int, err error) {
	err = x.Store.Read().NewSelect().Model((*pageRow)(nil)).Column("pg.number").Join("JOIN documents AS d ON d.content_id = pg.content_id").
		Where("d.id = ? AND d.removed_at = 0 AND pg.certainty > 0 AND pg.certainty < ?", document, ocr.PoorBelow).Order("pg.number").Scan(ctx, &pages)
	if err != nil {
		return nil, fmt.Errorf("docs: poor scans of document %d: %w", document, err)
	}
	return pages, nil
}

// scannedText is a text as it is stored, with where its words are.
func scannedText(t ocr.Text) (text string, boxes []byte) {
	text = clean(t.Text)
	boxes = []byte{}
	if len(strings.Fields(text)) != len(t.Boxes) {
		return text, boxes
	}
	for _, b := range t.Boxes {
		for _, v := range []uint16{b.Left, b.Top, b.Right, b.Bottom} {
			boxes = little.LittleEndian.AppendUint16(boxes, v)
		}
	}
	return text, boxes
}

const boxSize = 8 // bytes

// marked are the boxes of a quote on a page that was read from its picture, one a line; nil if it is not there.
func (p *pageRow) marked(quote string) []ocr.Box {
	if quote == "" { // the page alone
		return nil
	}
	at, ok := newPlain(p.Text).find(newQuote(quote))
	words := len(p.Boxes) / boxSize // notes may follow them, which have no boxes
	if !ok || words == 0 || words < len(strings.Fields(p.Text[:at.end])) {
		return nil
	}
	first := len(strings.Fields(p.Text[:at.start]))
	if before, _ := utf8.DecodeLastRuneInString(p.Text[:at.start]); first > 0 && !unicode.IsSpace(before) {
		first-- // it begins inside a word
	}
	var lines []ocr.Box
	for i := range strings.Fields(p.Text[at.start:at.end]) {
		var v [4]uint16
		for j := range v {
			v[j] = little.LittleEndian.Uint16(p.Boxes[(first+i)*boxSize+2*j:])
		}
		b := ocr.Box{Left: v[0], Top: v[1], Right: v[2], Bottom: v[3]}
		if n := len(lines); n > 0 && b.Left >= lines[n-1].Left && b.Top < lines[n-1].Bottom && b.Bottom > lines[n-1].Top {
			l := &lines[n-1]
			l.Right, l.Top, l.Bottom = max(l.Right, b.Right), min(l.Top, b.Top), max(l.Bottom, b.Bottom)
			continue
		}
		lines = append(lines, b)
	}
	return lines
}

// drawScan draws a page that was read from its picture; nil if it was not.
func (x *Index) drawScan(ctx context.Context, k *content, data []byte, c Citation, dpi int) (image.Image, error) {
	p := new(pageRow)
	err := x.Store.Read().NewSelect().Model(p).Where("content_id = ? AND number = ? AND length(boxes) > 0", k.ID, c.Page).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return x.Engine.MarkedPicture(ctx, data, c.Page, p.marked(c.Quote), dpi)
}

// readPicture stores the text of a picture that no model looks at, as the one page of d. read is false if there is none.
func (x *Index) readPicture(ctx context.Context, d *memory.Document, f *file) (read bool, err error) {
	if !x.ReadsScans() {
		return false, nil
	}
	text, err := x.Engine.ReadPicture(ctx, f.Picture)
	if err = ours(err); err != nil && faultOf(err) == "" {
		return false, err
	}
	page := page{Number: 1, Scanned: true}
	var boxes []byte
	page.Text, boxes = scannedText(text)
	if len(strings.Fields(page.Text)) < minPictureWords {
		return false, nil
	}
	c, err := x.open(ctx, d, f)
	if err != nil || c.State == contentReady && c.Pages > 0 {
		return err == nil, err
	}
	r := &ingest{index: x, content: c, file: f, name: d.Name, progress: func(Progress) {}}
	if err := r.add(ctx, 1, page, boxes); err != nil {
		return false, err
	}
	if err := r.flush(ctx); err != nil {
		return false, err
	}
	c.FirstTerms = firstTerms(page.Text)
	d.State, d.Reason = memory.DocumentReady, r.summary.omissions(1)
	return true, x.settle(ctx, c, contentReady, d.Reason)
}

// minPictureWords is how many words make a picture one of text.
const minPictureWords = 3
