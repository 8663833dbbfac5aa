package docs

import (
	"context"
	"fmt"

	"threadkeeper/docs/figures"
	"threadkeeper/memory"
)

// Compute answers a question by computing from a table, or from a report of coverage, dependencies or tests, that was
// read whole; false if the document is neither, or if the question's meaning is not certain. It trusts the document's id.
func (x *Index) Compute(ctx context.Context, d *memory.Document, question string) (figures.Answer, bool, error) {
	k, _, err := x.contentOf(ctx, d.ID)
	if err != nil {
		return figures.Answer{}, false, fmt.Errorf("docs: compute from document %d: %w", d.ID, err)
	}
	f := figures.File{Name: d.Name}
	switch k.Media {
	case kindCSV:
		f.Table = figures.CSV
	case kindXLSX:
		f.Table = figures.XLSX
	case kindJSON, kindText:
	default:
		return figures.Answer{}, false, nil
	}
	if k.State != contentReady || k.Reason != "" && k.Reason != HiddenSheets {
		return figures.Answer{}, false, nil
	}
	var pages []*pageRow
	err = x.Store.Read().NewSelect().Model(&pages).Column("number", "label", "text").Where("content_id = ?", k.ID).Order("number").Scan(ctx)
	if err != nil {
		return figures.Answer{}, false, fmt.Errorf("docs: compute from %s: %w", d.Name, err)
	}
	for _, p := range pages {
		f.Parts = append(f.Parts, figures.Part{Number: p.Number, Label: p.Label, Text: p.Text})
	}
	a, ok := figures.Compute(question, f)
	return a, ok, nil
}
