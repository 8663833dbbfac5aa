package memory

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/uptrace/bun"
)

// Finding is a model's statement about a page, with the words of the page that support it.
type Finding struct {
	Point int    `json:"point,omitempty"` // which of the points looked for it is about, from 0
	Page  int    `json:"page"`
	Place string `json:"place,omitempty"` // as in Citation
	Claim string `json:"claim,omitempty"` // "" where the quote speaks for itself
	Quote string `json:"quote"`
	// Unchecked says that the quote neither bears the claim out nor contradicts it.
	Unchecked bool `json:"unchecked,omitempty"`
}

// Findings are the findings of one part of a document's content.
type Findings struct {
	bun.BaseModel `bun:"table:findings,alias:fi"`
	ContentID     int64
	SessionID     int64  // of the conversation that asked; 0 if no person's words were looked for
	Hash          string // of the part's text, what was looked for, the model and the prompt
	Page          int    // the first of the part
	Found         string // JSON, a list of Finding
	ExpiresAt     int64
	Asked         int64 `bun:"-"` // the message that asked: nothing is kept once it is erased
}

const findingsKept = 30 * 24 * time.Hour

// KeepFindings stores the findings of a part of a document for 30 days, replacing those of the same hash. Found is
// written; ExpiresAt is set.
func (s *Store) KeepFindings(ctx context.Context, f *Findings, found any) error {
	text, err := json.Marshal(found)
	if err != nil {
		return fmt.Errorf("memory: write findings: %w", err)
	}
	f.Found, f.ExpiresAt = string(text), s.Now()+findingsKept.Milliseconds()
	err = s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		if _, err := tx.NewDelete().Model((*Findings)(nil)).Where("expires_at < ?", s.Now()).Exec(ctx); err != nil {
			return err
		}
		return exec(ctx, tx, `INSERT INTO findings (content_id, session_id, hash, page, found, expires_at) SELECT ?, ?, ?, ?, ?, ?
			WHERE EXISTS (SELECT 1 FROM contents WHERE id = ?) AND NOT EXISTS (SELECT 1 FROM messages WHERE id = ? AND erased_at > 0)
			ON CONFLICT (content_id, session_id, hash) DO UPDATE SET found = EXCLUDED.found, expires_at = EXCLUDED.expires_at`,
			f.ContentID, f.SessionID, f.Hash, f.Page, f.Found, f.ExpiresAt, f.ContentID, f.Asked)
	})
	return wrap("keep findings", err)
}

// FindingsIn returns the stored findings of some contents that a conversation may use: those it asked for, and those that no
// person's words asked for; in the order of the contents and pages. The caller checks that the conversation may read the contents.
func (s *Store) FindingsIn(ctx context.Context, session int64, contents []int64) (all []*Findings, err error) {
	err = s.reader.NewSelect().Model(&all).Where("fi.content_id IN (?) AND fi.session_id IN (0, ?) AND fi.expires_at >= ?", bun.List(contents), session, s.Now()).
		OrderExpr("fi.content_id, fi.page, fi.hash").Scan(ctx)
	return all, wrap("load findings", err)
}

// FindingsNamed returns a conversation's findings under a hash, ErrNotFound if there are none.
func (s *Store) FindingsNamed(ctx context.Context, session int64, hash string) (*Findings, error) {
	f, err := first[Findings](ctx, s.reader, "fi.session_id = ? AND fi.session_id > 0 AND fi.hash = ? AND fi.expires_at >= ?", session, hash, s.Now())
	return f, wrap("load findings", err)
}

// eraseFindings removes a conversation's findings: they may contain the words of a message.
func eraseFindings(ctx context.Context, tx bun.Tx, session int64) error {
	_, err := tx.NewDelete().Model((*Findings)(nil)).Where("session_id = ? AND session_id > 0", session).Exec(ctx)
	return err
}
