package docs

import (
	"context"
	"errors"
	"image"

	"threadkeeper/memory"
)

var errStub = errors.New("stub")

// Add reads a document. The row is there even when err says why it could not be read (State failed).
func (x *Index) Add(ctx context.Context, in Upload, progress func(Progress)) (*memory.Document, error) {
	return nil, errStub
}

// Verify corrects the page, snaps the quote, or returns ErrNotFound.
func (x *Index) Verify(ctx context.Context, c Citation) (Citation, error) { return c, errStub }

// Picture draws the citation's page with the quote highlighted.
func (x *Index) Picture(ctx context.Context, c Citation, dpi int) (image.Image, error) {
	return nil, errStub
}

// List: documents an audience may read (also failed ones of its own session), oldest first.
func (x *Index) List(ctx context.Context, a memory.Audience) ([]*memory.Document, error) {
	return nil, errStub
}
func (x *Index) Remove(ctx context.Context, a memory.Audience, id int64) error { return errStub }
func (x *Index) Share(ctx context.Context, a memory.Audience, id int64) error  { return errStub }

// Page is the text of one page of a document.
func (x *Index) Page(ctx context.Context, document int64, page int) (string, error) {
	return "", errStub
}

// Pages is how many pages a document has; also its content row's numbers.
func (x *Index) Pages(ctx context.Context, document int64) (int, error) { return 0, errStub }
