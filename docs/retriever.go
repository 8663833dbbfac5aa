package docs

import (
	"context"

	"github.com/tmc/langchaingo/schema"
)

// Retriever is the index as langchaingo sees it: it returns the K best passages of what Scope may look at.
// Each result's metadata has "document" (its name), "document_id", "page", "passage_id", "head"
// (of the table that it is cut from), and as "passage" the [Passage] itself.
type Retriever struct {
	Index *Index
	Scope Scope
	K     int
}

var _ schema.Retriever = Retriever{}

// GetRelevantDocuments searches for query.
func (r Retriever) GetRelevantDocuments(ctx context.Context, query string) ([]schema.Document, error) {
	found, err := r.Index.Search(ctx, r.Scope, query, r.K)
	if err != nil {
		return nil, err
	}
	list := make([]schema.Document, 0, len(found))
	for _, p := range found {
		list = append(list, schema.Document{
			PageContent: p.Text,
			Score:       float32(p.Score),
			Metadata:    map[string]any{"document": p.Document, "document_id": p.DocumentID, "page": p.Page, "passage_id": p.ID, "head": p.Head, "passage": p},
		})
	}
	return list, nil
}
