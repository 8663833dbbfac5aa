package memory

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"threadkeeper/memory/reading"
)

// MessagesBetween returns the newest messages of people in a period that an audience may see and
// that are older than the message before, at most limit, oldest first.
func (s *Store) MessagesBetween(ctx context.Context, a Audience, p reading.Period, before int64, limit int) ([]*Message, error) {
	var list []*Message
	q := s.reader.NewSelect().Model(&list).ExcludeColumn("terms").
		Where("m.role = ? AND m.erased_at = 0 AND m.text <> '' AND m.id < ? AND m.at >= ? AND m.at < ?", User, before, p.From, p.To)
	err := a.Visible(q, "m.channel_id").OrderExpr("m.id DESC").Limit(int64(limit)).Scan(ctx)
	slices.Reverse(list)
	return list, wrap("what was said", err)
}

// posted is the answer that was posted under a nonce, or ErrNotFound.
func (s *Store) posted(ctx context.Context, nonce string) (*Message, error) {
	return first[Message](ctx, s.reader, "m.erased_at = 0 AND m.id IN (SELECT message_id FROM outbox WHERE nonce = ?)", nonce)
}

// IsOurPost reports whether a message of a channel is part of an answer of
// ours.
func (s *Store) IsOurPost(ctx context.Context, key Key, platformID string) (bool, error) {
	return s.reader.NewSelect().Table("posts").Where(`platform_id = ? AND channel_id = (SELECT id FROM channels
		WHERE platform = ? AND workspace = ? AND channel = ?)`, platformID, key.Platform, key.Workspace, key.Channel).Exists(ctx)
}

// HasMessage reports whether any session of a channel contains a message or a post of ours with
// this platform id.
func (s *Store) HasMessage(ctx context.Context, key Key, platformID string) (bool, error) {
	found, err := s.byPlatformID(ctx, s.reader, key, platformID)
	return len(found) > 0, err
}

// TextOf returns what a message of a channel says now, "" if it is not stored.
func (s *Store) TextOf(ctx context.Context, key Key, platformID string) (string, error) {
	found, err := s.byPlatformID(ctx, s.reader, key, platformID)
	if err != nil || len(found) == 0 {
		return "", err
	}
	return found[0].Text, nil
}

// AskedBy reports whether the message of a session with this platform id asked for a turn.
func (s *Store) AskedBy(ctx context.Context, session int64, platformID string) (bool, error) {
	return s.reader.NewSelect().Model((*Message)(nil)).Join("JOIN inbox AS ib ON ib.message_id = m.id AND ib.answer").
		Where("m.session_id = ? AND m.platform_id = ?", session, platformID).Exists(ctx)
}

// SaidBefore returns the ids of the last messages of people in a session before a message, at most limit.
func (s *Store) SaidBefore(ctx context.Context, m *Message, limit int) ([]int64, error) {
	ids := []int64{}
	err := s.reader.NewSelect().Model((*Message)(nil)).Column("id").Where("session_id = ? AND id < ? AND role = ? AND erased_at = 0", m.SessionID, m.ID, User).
		OrderExpr("id DESC").Limit(int64(limit)).Scan(ctx, &ids)
	return ids, wrap("what was said last", err)
}

// SaidAfter returns the messages of people in a session between two messages that an audience may see, oldest first, at most limit.
func (s *Store) SaidAfter(ctx context.Context, a Audience, m *Message, before int64, limit int) (list []*Message, err error) {
	q := s.reader.NewSelect().Model(&list).ExcludeColumn("terms").
		Where("m.session_id = ? AND m.id > ? AND m.id < ? AND m.role = ? AND m.erased_at = 0 AND m.text <> ''", m.SessionID, m.ID, before, User)
	err = a.Visible(q, "m.channel_id").Order("m.id").Limit(int64(limit)).Scan(ctx)
	return list, wrap("what was said after a message", err)
}

// UnansweredBefore returns the messages that one person said last in a session before a
// message, oldest first, at most limit, if nobody else, nor we, spoke since and no
// turn was asked for.
func (s *Store) UnansweredBefore(ctx context.Context, m *Message, limit int) ([]*Message, error) {
	var last []struct {
		Message `bun:",extend"`
		Asked   bool
	}
	err := s.reader.NewSelect().Model(&last).Column("m.*").
		ColumnExpr("EXISTS (SELECT 1 FROM inbox AS ib WHERE ib.message_id = m.id AND ib.answer) AS asked").
		Where("session_id = ? AND id < ? AND erased_at = 0", m.SessionID, m.ID).OrderExpr("id DESC").Limit(int64(limit)).Scan(ctx)
	var own []*Message
	for _, x := range last {
		if x.Role != User || x.PersonID != m.PersonID || x.Asked {
			break
		}
		own = append(own, &x.Message)
	}
	slices.Reverse(own)
	return own, wrap("what was said last", err)
}

// Messages returns all messages of a session in order, including erased ones.
func (s *Store) Messages(ctx context.Context, session int64) (messages []*Message, err error) {
	err = s.reader.NewSelect().Model(&messages).ExcludeColumn("terms").
		Where("session_id = ?", session).Order("id").Scan(ctx)
	return messages, err
}

// KeptTexts returns those of the texts that people said in a channel and nobody has erased.
func (s *Store) KeptTexts(ctx context.Context, channel Key, texts []string) (map[string]bool, error) {
	kept := make(map[string]bool)
	for batch := range slices.Chunk(texts, 500) {
		var found []string
		err := s.reader.NewSelect().Model((*Message)(nil)).Column("text").
			Where("channel_id = (SELECT id FROM channels WHERE platform = ? AND workspace = ? AND channel = ?)", channel.Platform, channel.Workspace, channel.Channel).
			Where("role = ? AND erased_at = 0 AND text IN (?)", User, bun.List(batch)).Scan(ctx, &found)
		if err != nil {
			return nil, fmt.Errorf("memory: look for texts: %w", err)
		}
		for _, text := range found {
			kept[text] = true
		}
	}
	return kept, nil
}

// LastErased returns when a message of a person in a channel was last erased, in milliseconds UTC; 0 if
// none was.
func (s *Store) LastErased(ctx context.Context, channel Key) (at int64, err error) {
	err = s.reader.NewSelect().Model((*Message)(nil)).ColumnExpr("COALESCE(MAX(erased_at), 0)").
		Where("channel_id = (SELECT id FROM channels WHERE platform = ? AND workspace = ? AND channel = ?) AND erased_at > 0",
			channel.Platform, channel.Workspace, channel.Channel).Scan(ctx, &at)
	return at, wrap("look for what was erased", err)
}

const saidLength = 1000

// LastTexts returns the beginnings of the texts of a person, and of others, in the last
// limit messages of a session, newest first.
func (s *Store) LastTexts(ctx context.Context, session, person int64, limit int) (own, others []string, err error) {
	var last []Message
	err = s.reader.NewSelect().Model(&last).Column("person_id").ColumnExpr("SUBSTR(text, 1, ?) AS text", saidLength).
		Where("session_id = ? AND role = ? AND erased_at = 0", session, User).OrderExpr("id DESC").Limit(int64(limit)).Scan(ctx)
	for _, m := range last {
		if m.PersonID == person {
			own = append(own, m.Text)
		} else {
			others = append(others, m.Text)
		}
	}
	return own, others, err
}

// Conversation is a session, or several of one place, the platform ids of people's messages and those of the
// messages that show our answers, newest first.
type Conversation struct {
	Key      Key
	Messages []string
	Posts    []string
}

// RecentQuery limits RecentConversations.
type RecentQuery struct {
	Platform string
	Within   time.Duration // of the last conversation of all
	Sessions int           // at most
	Messages int           // at most, of each session those of people and of ours
}

// RecentConversations returns the latest conversations of a platform with messages in them,
// with the latest messages of people and of ours that were not erased.
func (s *Store) RecentConversations(ctx context.Context, q RecentQuery) ([]Conversation, error) {
	var latest []*Session
	err := s.reader.NewSelect().Model(&latest).
		Where("platform = ?0 AND updated_at >= (SELECT MAX(updated_at) FROM sessions WHERE platform = ?0) - ?1", q.Platform, q.Within.Milliseconds()).
		OrderExpr("updated_at DESC, id DESC").Limit(int64(q.Sessions)).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("memory: look up conversations: %w", err)
	}
	return s.conversations(ctx, latest, q.Messages)
}

// conversations are sessions with their messages, those at the same place one after the other; see conversation.
func (s *Store) conversations(ctx context.Context, sessions []*Session, limit int) ([]Conversation, error) {
	said := make([]Conversation, len(sessions))
	for i, session := range sessions {
		var err error
		if said[i], err = s.conversation(ctx, session, limit); err != nil {
			return nil, err
		}
	}
	return joinPlaces(said), nil
}

// conversation returns the messages of a session, at most limit messages of people and of ours; -1 for all.
func (s *Store) conversation(ctx context.Context, session *Session, limit int) (Conversation, error) {
	c := Conversation{Key: session.Key}
	said := s.reader.NewSelect().Model((*Message)(nil)).Column("platform_id").
		Where("session_id = ? AND role = ? AND erased_at = 0 AND platform_id NOT LIKE ?", session.ID, User, NotePrefix+"%").OrderExpr("id DESC")
	posted := s.reader.NewSelect().Table("posts").Column("posts.platform_id").
		Join("JOIN messages AS m ON m.id = posts.message_id AND m.erased_at = 0").
		Where("m.session_id = ?", session.ID).OrderExpr("m.id DESC")
	if limit >= 0 {
		said, posted = said.Limit(int64(limit)), posted.Limit(int64(limit))
	}
	err := said.Scan(ctx, &c.Messages)
	if err == nil {
		err = posted.Scan(ctx, &c.Posts)
	}
	return c, wrap("look up what was said", err)
}
