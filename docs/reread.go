package docs

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"threadkeeper/memory"
)

// Reread rereads, one after the other, documents that an earlier version of this program read differently. Until a
// document has been reread, and if it can no longer be read, its old text stays. The error is the store's or
// the context's.
func (x *Index) Reread(ctx context.Context) error {
	var old []*content
	if err := x.Store.Read().NewSelect().Model(&old).Where("state = ?", contentReady).
		Where("extractor <> CASE media WHEN ? THEN ? ELSE ? END", kindPDF, kindPDF.extractor(), kindText.extractor()).OrderExpr("id").Scan(ctx); err != nil {
		return fmt.Errorf("docs: read documents again: %w", err)
	}
	for _, c := range old {
		if c.Media.picture() {
			continue
		}
		err := x.reread(ctx, c)
		if ctx.Err() != nil {
			return fmt.Errorf("docs: read documents again: %w", context.Cause(ctx))
		}
		if err != nil {
			x.Log.WarnContext(ctx, "could not reread a document; it keeps its old text", "content", c.ID, "error", err)
		}
	}
	return nil
}

func (x *Index) reread(ctx context.Context, old *content) error {
	unlock, err := x.lock(ctx, old.SHA256)
	if err != nil {
		return err
	}
	defer unlock()
	data, err := x.bytes(ctx, old)
	if err != nil {
		return err
	}
	k, plain, err := x.recognise(ctx, data, "", string(old.Media), false)
	if err != nil {
		return err
	}
	c := *old
	c.Media, c.Extractor = k, k.extractor()
	r := &ingest{index: x, content: &c, file: &file{data: data, sum: old.SHA256, kind: k, Plain: plain}, keep: true}
	if r.scans, err = x.readBefore(ctx, old.ID); err != nil {
		return err
	}
	if c.Reason, err = r.run(ctx); err != nil {
		return err
	}
	return x.replace(ctx, old.Extractor, r)
}

// readBefore are the pages of a content that were read from their pictures.
func (x *Index) readBefore(ctx context.Context, content int64) (map[int]*pageRow, error) {
	var pages []*pageRow
	err := x.Store.Read().NewSelect().Model(&pages).Where("content_id = ? AND boxes IS NOT NULL", content).Scan(ctx)
	byNumber := map[int]*pageRow{}
	for _, p := range pages {
		byNumber[p.Number] = p
	}
	return byNumber, err
}

// replace puts what r has read in the place of what extractor last read, unless another process has done so.
func (x *Index) replace(ctx context.Context, last string, r *ingest) error {
	c := r.content
	return x.Store.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		res, err := tx.NewUpdate().Model(c).Column("media", "pages", "pages_done", "chars", "scanned", "first_terms", "reason", "extractor").
			WherePK().Where("extractor = ? AND state = ?", last, contentReady).Exec(ctx)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return err
		}
		if err := clear(ctx, tx, c.ID); err != nil {
			return err
		}
		if err := insert(ctx, tx, r.pages, r.passages); err != nil {
			return err
		}
		_, err = tx.NewUpdate().Model((*memory.Document)(nil)).Set("reason = ?", c.Reason).
			Where("content_id = ? AND removed_at = 0", c.ID).Exec(ctx)
		return err
	})
}
