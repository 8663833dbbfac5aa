package docs

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// What a file hides, as the Reason of its document says it.
const (
	HiddenSheets = "hidden sheets were left out"
	HiddenRows   = "hidden rows, columns or sheets were left out"
	HiddenSlides = "hidden slides were left out"
	FilteredRows = "rows that a filter hides were read too"
)

// Extent is how much of a document was read, with the numbers of pages that were not, or not whole.
type Extent struct {
	Read, Pages int      // pages that can be read, of how many; 0 are read of a failed document
	Parts       bool     // the file has no pages: its parts are counted
	Scans       []int    // read from their pictures,
	Unread      []int    // that will still be,
	Blank       []int    // pictures whose text is not read, or that have none
	Cut         []int    // read only to a limit
	Failed      []int    // that could not be read
	Hides       []string // of HiddenSheets, HiddenRows, HiddenSlides and FilteredRows
}

// Whole reports whether nothing of the document was left unread.
func (e Extent) Whole() bool { return e.Read >= e.Pages && len(e.Unread)+len(e.Cut)+len(e.Failed) == 0 }

// Extent returns how much of a document was read.
func (x *Index) Extent(ctx context.Context, document int64) (Extent, error) {
	k, name, err := x.contentOf(ctx, document)
	if err != nil {
		return Extent{}, fmt.Errorf("docs: extent of document %d: %w", document, err)
	}
	e := Extent{Read: k.PagesDone, Pages: max(k.Pages, k.PagesDone)}
	if k.State == contentFailed {
		return Extent{Pages: k.Pages}, nil
	}
	e.Hides = slices.DeleteFunc([]string{HiddenSheets, HiddenRows, HiddenSlides, FilteredRows}, func(hidden string) bool { return !strings.Contains(k.Reason, hidden) })
	var first string
	if err := x.Store.Read().NewSelect().Model((*pageRow)(nil)).Column("pg.label").Where("content_id = ?", k.ID).Order("number").Limit(1).Scan(ctx, &first); err != nil && !errors.Is(err, sql.ErrNoRows) {
		return Extent{}, fmt.Errorf("docs: extent of %s: %w", name, err)
	}
	own, _, _ := strings.Cut(first, "\n")
	l, _ := parseLabel(own)
	e.Parts = own != "" && l.of != "page" && l.of != "slide"
	var pages []struct {
		Number                            int
		Scanned, Truncated, Looked, Empty bool
		Failed                            string
	}
	err = x.Store.Read().NewSelect().Model((*pageRow)(nil)).Column("pg.number", "pg.scanned", "pg.truncated", "pg.failed").
		ColumnExpr("pg.boxes IS NOT NULL AS looked").ColumnExpr("pg.text = '' AS empty").
		Where("content_id = ? AND (scanned OR truncated OR failed <> '')", k.ID).Order("number").Scan(ctx, &pages)
	if err != nil {
		return Extent{}, fmt.Errorf("docs: extent of %s: %w", name, err)
	}
	reads := x.ReadsScans()
	for _, p := range pages {
		switch {
		case p.Failed != "":
			e.Failed = append(e.Failed, p.Number)
		case p.Scanned && !p.Looked && reads:
			e.Unread = append(e.Unread, p.Number)
		case p.Scanned && p.Looked && !p.Empty:
			e.Scans = append(e.Scans, p.Number)
		case p.Scanned:
			e.Blank = append(e.Blank, p.Number)
		}
		if p.Truncated {
			e.Cut = append(e.Cut, p.Number)
		}
	}
	return e, nil
}
