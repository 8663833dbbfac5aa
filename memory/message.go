package memory

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/uptrace/bun"

	"threadkeeper/memory/rank"
)

// Clean makes text storable: valid UTF-8 without NUL, which no database takes.
func Clean(text string) string {
	return strings.ReplaceAll(strings.ToValidUTF8(text, string(utf8.RuneError)), "\x00", "")
}

// SpokenTerms is what the full-text index holds of a message: the terms of its
// author, its date and its text.
func SpokenTerms(author string, at int64, text string) string {
	date := time.UnixMilli(at).UTC().Format("2 January 2006")
	return strings.Join(rank.Stored(author+" "+date+" "+text), " ")
}

// append stores m, or loads the message with the same platform id into it.
// Without an interaction a user message opens one (closed at once unless it is
// to be answered), an assistant message joins the latest.
func (s *Store) append(ctx context.Context, tx bun.IDB, m *Message, answer bool) (fresh bool, err error) {
	old := new(Message)
	err = tx.NewSelect().Model(old).Where("session_id = ? AND platform_id = ?", m.SessionID, m.PlatformID).Scan(ctx)
	if err == nil {
		*m = *old
		return false, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return false, err
	}
	if m.InteractionID == 0 {
		if err := s.joinInteraction(ctx, tx, m, answer); err != nil {
			return false, err
		}
	}
	if m.At == 0 {
		m.At = s.Now()
	}
	m.Text = Clean(m.Text)
	m.Terms = SpokenTerms(m.Author, m.At, m.Text)
	m.Tokens = CountMessage(m.Role, m.Text)
	m.Rev = 1
	_, err = tx.NewInsert().Model(m).ExcludeColumn("id").Returning("id").Exec(ctx)
	return err == nil, err
}

func (s *Store) joinInteraction(ctx context.Context, tx bun.IDB, m *Message, answer bool) error {
	if m.Role == Assistant {
		err := tx.NewSelect().Model((*Interaction)(nil)).ColumnExpr("MAX(id)").
			Where("session_id = ?", m.SessionID).Having("MAX(id) > 0").Scan(ctx, &m.InteractionID)
		if !errors.Is(err, sql.ErrNoRows) {
			return err
		}
	}
	i := Interaction{SessionID: m.SessionID, PersonID: m.PersonID, State: InteractionClosed, CreatedAt: s.Now()}
	if answer {
		i.State = InteractionOpen
	}
	_, err := tx.NewInsert().Model(&i).ExcludeColumn("id").Returning("id").Exec(ctx)
	m.InteractionID = i.ID
	return err
}

func (s *Store) setInteraction(ctx context.Context, tx bun.IDB, id int64, state InteractionState) error {
	closed := int64(0)
	if state != InteractionOpen {
		closed = s.Now()
	}
	_, err := tx.NewUpdate().Model((*Interaction)(nil)).Set("state = ?, closed_at = ?", state, closed).Where("id = ?", id).Exec(ctx)
	return err
}

// Message is the message with this id, or ErrNotFound.
func (s *Store) Message(ctx context.Context, id int64) (*Message, error) {
	m := new(Message)
	err := s.reader.NewSelect().Model(m).Where("id = ?", id).Scan(ctx)
	return m, missing(err)
}

// Edit replaces the text of a message and keeps the old one as a revision. It
// reports false when nothing changed: the text is the same, the message was
// erased, or it is not known.
func (s *Store) Edit(ctx context.Context, key Key, platformID, text string) (changed bool, err error) {
	text = Clean(text)
	err = s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		m, err := s.byPlatformID(ctx, tx, key, platformID)
		if err != nil || m.ErasedAt > 0 || m.Text == text {
			return err
		}
		changed = true
		return s.edit(ctx, tx, m, text)
	})
	if errors.Is(err, ErrNotFound) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("memory: edit message: %w", err)
	}
	return changed, nil
}

// edit replaces the text of m and keeps the old one as a revision.
func (s *Store) edit(ctx context.Context, tx bun.Tx, m *Message, text string) error {
	old := Revision{MessageID: m.ID, Rev: m.Rev, Text: m.Text, At: s.Now()}
	if _, err := tx.NewInsert().Model(&old).ExcludeColumn("id").Returning("NULL").Exec(ctx); err != nil {
		return err
	}
	m.Text, m.Rev = text, m.Rev+1
	m.Terms, m.Tokens = SpokenTerms(m.Author, m.At, text), CountMessage(m.Role, text)
	if _, err := tx.NewUpdate().Model(m).Column("text", "rev", "terms", "tokens").WherePK().Exec(ctx); err != nil {
		return err
	}
	return s.rederive(ctx, tx, m)
}

// byPlatformID finds a message by what the platform calls it. Some platforms do not
// say the thread of an edited message, so the channel is enough.
func (s *Store) byPlatformID(ctx context.Context, tx bun.IDB, key Key, platformID string) (*Message, error) {
	m := new(Message)
	err := tx.NewSelect().Model(m).
		Join("JOIN channels AS c ON c.id = m.channel_id").
		Where("c.platform = ? AND c.workspace = ? AND c.channel = ? AND m.platform_id = ?",
			key.Platform, key.Workspace, key.Channel, platformID).
		OrderExpr("m.id").Limit(1).Scan(ctx)
	return m, missing(err)
}

// localID is a platform id for a message that no platform named.
func localID(prefix string, n int64) string { return prefix + strconv.FormatInt(n, 10) }
