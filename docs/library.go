package docs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"image"

	"github.com/uptrace/bun"

	"threadkeeper/docs/pdfium"
	"threadkeeper/memory"
)

// ErrNotYours reports that only the person who posted a document, or an administrator, may share
// or remove it.
var ErrNotYours = errors.New("posted by somebody else")

// List returns the documents an audience may read, oldest first, including failed ones and those still being
// read. A document posted several times in a session is listed once, as it was posted last.
func (x *Index) List(ctx context.Context, a memory.Audience) ([]*memory.Document, error) {
	var list []*memory.Document
	err := a.VisibleDocuments(x.Store.Read().NewSelect().Model(&list)).Where(memory.PostedLast).OrderExpr("d.id").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("docs: list documents: %w", err)
	}
	return list, nil
}

// Visible returns the document with this id, or memory.ErrNotFound if the audience may not read it.
func (x *Index) Visible(ctx context.Context, a memory.Audience, id int64) (*memory.Document, error) {
	d, err := visible(ctx, x.Store.Read(), a, id)
	if err != nil {
		return nil, fmt.Errorf("docs: document %d: %w", id, err)
	}
	return d, nil
}

// visible is the document with this id, or memory.ErrNotFound if a may not see it.
func visible(ctx context.Context, db bun.IDB, a memory.Audience, id int64) (*memory.Document, error) {
	d := new(memory.Document)
	err := a.VisibleDocuments(db.NewSelect().Model(d)).Where("d.id = ?", id).Scan(ctx)
	return d, missing(err)
}

// Remove removes a document wherever it was posted in its session and erases the answers that cite
// it; with the last document of the same bytes it removes those bytes and everything read from them. Only the
// person who posted it, or an administrator of its workspace, may do so: ErrNotYours; memory.ErrNotFound if
// the audience may not see it.
func (x *Index) Remove(ctx context.Context, a memory.Audience, id int64) error {
	_, err := visible(ctx, x.Store.Read(), a, id)
	var posts []int64
	if err == nil {
		posts, err = x.yours(ctx, a, id)
	}
	if err == nil {
		err = x.Store.RemoveDocument(ctx, a.Person, posts...)
	}
	if err != nil {
		return fmt.Errorf("docs: remove document %d: %w", id, err)
	}
	return nil
}

// yours are the documents that stand for the same bytes in the session of one, if the one who
// asks has posted any of them or is an administrator, else ErrNotYours.
func (x *Index) yours(ctx context.Context, a memory.Audience, id int64) ([]int64, error) {
	posts, err := x.Store.DocumentCopies(ctx, id)
	if err != nil {
		return nil, err
	}
	var ids []int64
	posted := false
	for _, d := range posts {
		ids = append(ids, d.ID)
		posted = posted || d.PersonID == a.Person
	}
	if posted {
		return ids, nil
	}
	person, err := x.Store.Person(ctx, a.Person)
	if errors.Is(err, memory.ErrNotFound) {
		return nil, ErrNotYours
	}
	if err != nil {
		return nil, err
	}
	if !person.Admin || person.Platform != a.Channel.Platform || person.Workspace != a.Channel.Workspace {
		return nil, ErrNotYours
	}
	return ids, nil
}

// Share makes a document of one session readable in its whole channel, and that of
// a public channel in the whole workspace. Only the person who posted it, or an administrator of its
// workspace, may do so: ErrNotYours; memory.ErrNotFound if the audience may not see it or is in another channel.
func (x *Index) Share(ctx context.Context, a memory.Audience, id int64) error {
	d, err := visible(ctx, x.Store.Read(), a, id)
	if err == nil && d.ChannelID != a.Channel.ID {
		err = memory.ErrNotFound
	}
	var posts []int64
	if err == nil {
		posts, err = x.yours(ctx, a, id)
	}
	if err == nil {
		err = x.Store.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
			_, err := tx.NewUpdate().Model((*memory.Document)(nil)).Set("shared = ?", true).Where("id IN (?) AND removed_at = 0", bun.List(posts)).Exec(ctx)
			return err
		})
	}
	if err != nil {
		return fmt.Errorf("docs: share document %d: %w", id, err)
	}
	return nil
}

// Page returns the text of one page of a document; memory.ErrNotFound if there is none. Like Pages,
// Verify and Picture it trusts the id: call List for what an audience may read.
func (x *Index) Page(ctx context.Context, document int64, page int) (string, error) {
	var text string
	err := x.Store.Read().NewSelect().Model((*pageRow)(nil)).Column("pg.text").
		Join("JOIN documents AS d ON d.content_id = pg.content_id").
		Where("d.id = ? AND d.removed_at = 0 AND pg.number = ?", document, page).Scan(ctx, &text)
	if err != nil {
		return "", fmt.Errorf("docs: page %d of document %d: %w", page, document, missing(err))
	}
	return text, nil
}

// Head returns the head of the table that a page begins within, from the pages before: its caption, units and
// column titles. "" if the page begins otherwise, or does not exist.
func (x *Index) Head(ctx context.Context, document int64, page int) (string, error) {
	var head string
	err := x.Store.Read().NewSelect().Model((*passageRow)(nil)).Column("ps.head").
		Join("JOIN documents AS d ON d.content_id = ps.content_id").
		Where("d.id = ? AND d.removed_at = 0 AND ps.page = ?", document, page).OrderExpr("ps.id").Limit(1).Scan(ctx, &head)
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return "", fmt.Errorf("docs: head of page %d of document %d: %w", page, document, err)
	}
	return head, nil
}

// Pages returns how many pages of a document can be read: those that are stored. For a file without
// pages it is the number of its parts, for a failed document 0.
func (x *Index) Pages(ctx context.Context, document int64) (int, error) {
	c, _, err := x.contentOf(ctx, document)
	if err != nil {
		return 0, fmt.Errorf("docs: pages of document %d: %w", document, err)
	}
	if c.State == contentFailed {
		return 0, nil
	}
	return c.PagesDone, nil
}

// WhollyRead reports whether all pages of contents are read, and none of their scans is still to be.
func (x *Index) WhollyRead(ctx context.Context, contents []int64) (bool, error) {
	partly, err := x.Store.Read().NewSelect().Model((*content)(nil)).Where("k.id IN (?) AND (k.pages_done < k.pages OR ? AND EXISTS "+
		"(SELECT 1 FROM pages AS pg WHERE pg.content_id = k.id AND pg.scanned AND pg.failed = '' AND pg.boxes IS NULL))", bun.List(contents), x.ReadsScans()).Exists(ctx)
	if err != nil {
		return false, fmt.Errorf("docs: look for pages that are not read: %w", err)
	}
	return !partly, nil
}

// Picture draws the page of a citation at dpi pixels per inch, 0 for a readable default, with the
// quote highlighted if it is found. The error is ErrUnsupported for a document that is not a PDF,
// pdfium.ErrNoPage for a page it does not have, memory.ErrNotFound for a missing
// document.
func (x *Index) Picture(ctx context.Context, c Citation, dpi int) (image.Image, error) {
	k, name, err := x.contentOf(ctx, c.DocumentID)
	if err != nil {
		return nil, fmt.Errorf("docs: draw page %d of document %d: %w", c.Page, c.DocumentID, err)
	}
	picture, err := x.draw(ctx, k, c, dpi)
	if err != nil {
		return nil, fmt.Errorf("docs: draw page %d of %s: %w", c.Page, name, err)
	}
	return picture, nil
}

func (x *Index) draw(ctx context.Context, k *content, c Citation, dpi int) (image.Image, error) {
	switch {
	case k.Media != kindPDF:
		return nil, ErrUnsupported
	case x.Engine == nil:
		return nil, pdfium.ErrNoEngine
	}
	data, err := x.bytes(ctx, k)
	if err != nil {
		return nil, err
	}
	if scan, err := x.drawScan(ctx, k, data, c, dpi); scan != nil || err != nil {
		return scan, ours(err)
	}
	picture, _, err := x.Engine.Picture(ctx, data, c.Page, c.Quote, dpi)
	if err != nil {
		return nil, ours(err)
	}
	return picture, nil
}
