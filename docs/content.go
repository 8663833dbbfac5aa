package docs

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"threadkeeper/memory"
	"threadkeeper/memory/rank"
)

// extractor names the way in which a kind is read. Contents that were read in another way are read again when their file is
// next posted: change it when the text of its pages or the passages change.
func (k kind) extractor() string {
	if k == kindPDF {
		return "9"
	}
	return "12"
}

type contentState string

const (
	contentReading contentState = "reading"
	contentReady   contentState = "ready"
	contentFailed  contentState = "failed"
)

// content is the text read from some bytes. Pages is how many the file has, PagesDone how many of
// them are stored. Reason is the fault of a failed one, or what was left out of a ready one.
type content struct {
	bun.BaseModel `bun:"table:contents,alias:k"`
	ID            int64  `bun:",pk,autoincrement"`
	SHA256        string `bun:"sha256"`
	Media         kind
	Size          int64
	Pages         int
	PagesDone     int
	Chars         int
	Scanned       int
	FirstTerms    string
	State         contentState
	Reason        string
	Extractor     string
	CreatedAt     int64
}

type pageRow struct {
	bun.BaseModel `bun:"table:pages,alias:pg"`
	ID            int64 `bun:",pk,autoincrement"`
	ContentID     int64
	Number        int
	Label         string
	Text          string
	Scanned       bool
	Truncated     bool
	Failed        string
	Boxes         []byte // of the words of Text, if that was read from a picture; nil = not read, see marked
	Certainty     int    // of Text, if that was read from a picture; see ocr.Text
	Headings      string // that the PDF gives, each on a line; see storedHeadings
}

type passageRow struct {
	bun.BaseModel `bun:"table:passages,alias:ps"`
	ID            int64 `bun:",pk,autoincrement"`
	ContentID     int64
	Page          int
	StartAt       int
	EndAt         int
	Head          string // of the table that it begins within
	Terms         string
}

// open finds or creates the content of f and the document d for this upload of it. The
// content's state is contentReading if it has to be read, from PagesDone on; otherwise the document
// is settled.
func (x *Index) open(ctx context.Context, d *memory.Document, f *file) (*content, error) {
	c := new(content)
	err := x.Store.WriteRedone(ctx, func(ctx context.Context, tx bun.Tx) error {
		err := tx.NewSelect().Model(c).Where("sha256 = ?", f.sum).Scan(ctx)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			*c = content{SHA256: f.sum, Media: f.kind, Size: int64(len(f.data)), State: contentReading,
				Extractor: f.kind.extractor(), CreatedAt: x.Store.Now()}
			_, err = tx.NewInsert().Model(c).ExcludeColumn("id").Returning("id").Exec(ctx)
		case err == nil:
			err = x.reopen(ctx, tx, c, f)
		}
		if err != nil {
			return err
		}
		if c.State == contentReading {
			if err := x.dialect().keepBytes(ctx, tx, f.sum, f.data); err != nil {
				return err
			}
		}
		d.ContentID, d.State, d.Reason = c.ID, memory.DocumentState(c.State), ""
		if c.State != contentReading {
			d.Reason = c.Reason
		}
		return x.put(ctx, tx, d)
	})
	return c, err
}

// known is the kind of bytes whose whole text is stored as it would be read now, "" of others.
func (x *Index) known(ctx context.Context, sum string) (kind, error) {
	c := new(content)
	err := x.Store.Read().NewSelect().Model(c).Where("sha256 = ? AND state = ? AND pages_done = pages", sum, contentReady).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) || err == nil && (c.Extractor != c.Media.extractor() || c.Media.picture()) {
		return "", nil
	}
	return c.Media, err
}

// reopen decides whether a known content must be read (again): it was left unfinished, is of
// another extractor, timed out, or was cut by limits that now let more through.
func (x *Index) reopen(ctx context.Context, tx bun.Tx, c *content, f *file) error {
	afresh := c.Extractor != f.kind.extractor() || c.State == contentFailed && (c.Reason == ErrTimeout.Error() || c.Reason == ErrScanned.Error() && x.ReadsScans() && f.kind != kindPPTX)
	more := c.State == contentReady && c.PagesDone < c.Pages &&
		(x.Limits.Pages == 0 || c.PagesDone < x.Limits.Pages) && (x.Limits.Chars == 0 || c.Chars < x.Limits.Chars)
	switch {
	case afresh:
		if err := clear(ctx, tx, c.ID); err != nil {
			return err
		}
		c.Media, c.Extractor, c.PagesDone, c.Chars = f.kind, f.kind.extractor(), 0, 0
	case !more:
		return nil
	}
	c.State, c.Reason = contentReading, ""
	_, err := tx.NewUpdate().Model(c).Column("media", "extractor", "pages_done", "chars", "state", "reason").WherePK().Exec(ctx)
	return err
}

func clear(ctx context.Context, tx bun.IDB, id int64) error {
	if _, err := tx.NewDelete().Model((*pageRow)(nil)).Where("content_id = ?", id).Exec(ctx); err != nil {
		return err
	}
	_, err := tx.NewDelete().Model((*passageRow)(nil)).Where("content_id = ?", id).Exec(ctx)
	return err
}

// put inserts a document. If the same message brought the same file before, it takes that row over:
// the message is being worked on again after a crash or a failure.
func (x *Index) put(ctx context.Context, tx bun.Tx, d *memory.Document) error {
	if d.ID == 0 && d.MessageID != 0 {
		old := new(memory.Document)
		err := tx.NewSelect().Model(old).Where("session_id = ? AND message_id = ? AND name = ? AND removed_at = 0",
			d.SessionID, d.MessageID, d.Name).Where("content_id IN (0, ?)", d.ContentID).OrderExpr("id").Limit(1).Scan(ctx)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		if err == nil {
			d.ID, d.CreatedAt, d.Shared = old.ID, old.CreatedAt, old.Shared
		}
	}
	if d.ID != 0 {
		_, err := tx.NewUpdate().Model(d).Column("content_id", "picture", "state", "reason").WherePK().Exec(ctx)
		return err
	}
	if !d.Shared && d.ContentID != 0 { // a document posted again stays shared
		var err error
		if d.Shared, err = tx.NewSelect().Model((*memory.Document)(nil)).Where("content_id = ? AND session_id = ? AND shared AND removed_at = 0",
			d.ContentID, d.SessionID).Exists(ctx); err != nil {
			return err
		}
	}
	d.CreatedAt = x.Store.Now()
	_, err := tx.NewInsert().Model(d).ExcludeColumn("id").Returning("id").Exec(ctx)
	return err
}

// store adds a batch of pages and their passages to a content, which then has chars characters in
// total.
func (x *Index) store(ctx context.Context, c *content, pages []*pageRow, found []*passageRow) error {
	return x.Store.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		if err := update(ctx, tx, c, "pages", "pages_done", "chars", "scanned"); err != nil {
			return err
		}
		return insert(ctx, tx, pages, found)
	})
}

func insert(ctx context.Context, tx bun.IDB, pages []*pageRow, found []*passageRow) error {
	for some := range slices.Chunk(pages, batchPages) {
		if _, err := tx.NewInsert().Model(&some).ExcludeColumn("id").Returning("NULL").Exec(ctx); err != nil {
			return err
		}
	}
	for some := range slices.Chunk(found, 10*batchPages) {
		if _, err := tx.NewInsert().Model(&some).ExcludeColumn("id").Returning("NULL").Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// settle ends the reading of a content: every document that waits for it has the same state and
// reason. Unreadable bytes are not stored.
func (x *Index) settle(ctx context.Context, c *content, state contentState, reason string) error {
	c.State, c.Reason = state, reason
	return x.Store.Write(ctx, func(ctx context.Context, tx bun.Tx) error { return settled(ctx, tx, c) })
}

func settled(ctx context.Context, tx bun.Tx, c *content) error {
	if err := update(ctx, tx, c, "state", "reason", "pages", "pages_done", "chars", "scanned", "first_terms"); err != nil {
		return err
	}
	if c.State == contentFailed {
		if err := clear(ctx, tx, c.ID); err != nil {
			return err
		}
		if _, err := tx.NewDelete().Table("blobs").Where("sha256 = ?", c.SHA256).Exec(ctx); err != nil {
			return err
		}
	}
	_, err := tx.NewUpdate().Model((*memory.Document)(nil)).Set("state = ?, reason = ?", c.State, c.Reason).
		Where("content_id = ? AND removed_at = 0", c.ID).Exec(ctx)
	return err
}

// update writes columns of a content, or returns memory.ErrNotFound if the last document that had
// it was removed meanwhile.
func update(ctx context.Context, tx bun.Tx, c *content, columns ...string) error {
	res, err := tx.NewUpdate().Model(c).Column(columns...).WherePK().Exec(ctx)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return errors.Join(memory.ErrNotFound, err)
	}
	return nil
}

// contentOf is the content of a document that was not removed, and the document's name.
func (x *Index) contentOf(ctx context.Context, document int64) (*content, string, error) {
	d := new(memory.Document)
	err := x.Store.Read().NewSelect().Model(d).Where("id = ? AND removed_at = 0", document).Scan(ctx)
	if err != nil {
		return nil, "", missing(err)
	}
	c := new(content)
	err = x.Store.Read().NewSelect().Model(c).Where("id = ?", d.ContentID).Scan(ctx)
	return c, d.Name, missing(err)
}

// missing turns "no rows" into memory.ErrNotFound.
func missing(err error) error {
	if errors.Is(err, sql.ErrNoRows) {
		return memory.ErrNotFound
	}
	return err
}

func firstTerms(text string) string {
	seen := map[string]bool{}
	var terms []string
	for _, t := range rank.Terms(undivided(text)) {
		if !seen[t] {
			seen[t] = true
			terms = append(terms, t)
		}
	}
	return strings.Join(terms, " ")
}
