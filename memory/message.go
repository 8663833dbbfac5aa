package memory

import (
	"context"
	"slices"
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

// SpokenTerms returns what the full-text index stores for a message: the terms of its
// author, its date and its text.
func SpokenTerms(author string, at int64, text string) string {
	date := time.UnixMilli(at).UTC().Format("2 January 2006")
	return strings.Join(rank.Stored(author+" "+date+" "+text), " ")
}

// append stores m, or loads the message with the same platform id into it.
// Without an interaction a user message opens one (closed at once unless it is
// to be answered), an assistant message joins the latest.
func (s *Store) append(ctx context.Context, tx bun.IDB, m *Message, answer bool) (fresh bool, err error) {
	var known struct {
		ID      int64 // it is stored, perhaps as a part of an answer that is stored as one
		Deleted int64 // when it was, before it came
	}
	err = tx.NewRaw(`SELECT COALESCE((SELECT id FROM messages WHERE session_id = ?0 AND platform_id = ?1),
			(SELECT m.id FROM posts AS p JOIN messages AS m ON m.id = p.message_id WHERE ?2 AND p.channel_id = ?3 AND p.platform_id = ?1 AND m.session_id = ?0 LIMIT 1), 0) AS id,
		COALESCE((SELECT t.created_at FROM tombstones AS t JOIN channels AS c ON c.platform = t.platform AND c.workspace = t.workspace AND c.channel = t.channel
			WHERE c.id = ?3 AND t.platform_id = ?4), 0) AS deleted`,
		m.SessionID, m.PlatformID, m.Role == Assistant, m.ChannelID, strings.TrimPrefix(m.PlatformID, NotePrefix)).Scan(ctx, &known)
	if err != nil {
		return false, err
	}
	if known.ID > 0 {
		*m = Message{}
		return false, tx.NewSelect().Model(m).Where("id = ?", known.ID).Scan(ctx)
	}
	if m.InteractionID == 0 {
		if err := s.joinInteraction(ctx, tx, m, answer); err != nil {
			return false, err
		}
	}
	if known.Deleted > 0 {
		m.Text, m.ErasedAt = "", known.Deleted
	}
	s.render(m)
	_, err = tx.NewInsert().Model(m).ExcludeColumn("id").Returning("id").Exec(ctx)
	return err == nil, err
}

// render sets what is stored of a new message beside its text.
func (s *Store) render(m *Message) {
	if m.At == 0 {
		m.At = s.Now()
	}
	m.Text, m.Rev = Clean(m.Text), 1
	if m.ErasedAt == 0 {
		m.Terms, m.Tokens = SpokenTerms(m.Author, m.At, m.Text), CountMessage(m.Role, m.Text)
	}
}

// unknown is how many of the first messages were not stored or deleted before.
func (s *Store) unknown(ctx context.Context, tx bun.IDB, all []Incoming, session *Session) (int, error) {
	var ids, noted, events []string
	for _, in := range all {
		ids, noted = append(ids, in.Message.PlatformID), append(noted, strings.TrimPrefix(in.Message.PlatformID, NotePrefix))
		events = append(events, in.EventID)
	}
	var stored []string
	err := tx.NewRaw(`SELECT platform_id FROM messages WHERE session_id = ?0 AND platform_id IN (?1)
		UNION ALL SELECT platform_id FROM posts WHERE channel_id = ?2 AND platform_id IN (?1)
		UNION ALL SELECT t.platform_id FROM tombstones AS t JOIN channels AS c ON c.platform = t.platform AND c.workspace = t.workspace AND c.channel = t.channel
			WHERE c.id = ?2 AND t.platform_id IN (?3)
		UNION ALL SELECT event_id FROM inbox WHERE platform = ?4 AND event_id IN (?5)`,
		session.ID, bun.List(ids), session.ChannelID, bun.List(noted), all[0].Platform, bun.List(events)).Scan(ctx, &stored)
	seen := map[string]bool{}
	for _, id := range stored {
		seen[id] = true
	}
	for i := range all {
		if seen[ids[i]] || seen[noted[i]] || seen[events[i]] {
			return i, err
		}
		seen[ids[i]], seen[events[i]] = true, true
	}
	return len(all), err
}

func (s *Store) joinInteraction(ctx context.Context, tx bun.IDB, m *Message, answer bool) (err error) {
	if m.Role == Assistant {
		if m.InteractionID, err = lastInteraction(ctx, tx, m.SessionID); err != nil || m.InteractionID > 0 {
			return err
		}
	}
	i := Interaction{SessionID: m.SessionID, PersonID: m.PersonID, State: InteractionClosed, CreatedAt: s.Now()}
	if answer {
		i.State = InteractionOpen
	}
	_, err = tx.NewInsert().Model(&i).ExcludeColumn("id").Returning("id").Exec(ctx)
	m.InteractionID = i.ID
	return err
}

// lastInteraction is the latest interaction of a session, 0 for none.
func lastInteraction(ctx context.Context, tx bun.IDB, session int64) (id int64, err error) {
	err = tx.NewSelect().Model((*Interaction)(nil)).Column("id").Where("session_id = ?", session).OrderExpr("id DESC").Limit(1).Scan(ctx, &id)
	return id, orNone(err)
}

func (s *Store) setInteraction(ctx context.Context, tx bun.IDB, id int64, state InteractionState) error {
	closed := int64(0)
	if state != InteractionOpen {
		closed = s.Now()
	}
	_, err := tx.NewUpdate().Model((*Interaction)(nil)).Set("state = ?, closed_at = ?", state, closed).Where("id = ?", id).Exec(ctx)
	return err
}

// Message returns the message with this id, or ErrNotFound.
func (s *Store) Message(ctx context.Context, id int64) (*Message, error) {
	return first[Message](ctx, s.reader, "id = ?", id)
}

// editable are the messages that a new text changes.
func (s *Store) editable(ctx context.Context, tx bun.IDB, key Key, platformID, text string) ([]*Message, error) {
	found, err := s.byPlatformID(ctx, tx, key, platformID)
	return slices.DeleteFunc(found, func(m *Message) bool { return m.Role != User || m.ErasedAt > 0 || m.Text == text }), err
}

// byPlatformID finds a message by what the platform calls it, whichever sessions
// of the channel hold it: an event about a message need not know its session.
func (s *Store) byPlatformID(ctx context.Context, tx bun.IDB, key Key, platformID string) (found []*Message, err error) {
	err = tx.NewSelect().Model(&found).
		Where(`m.id IN (SELECT x.id FROM messages AS x JOIN channels AS c ON c.id = x.channel_id
				WHERE c.platform = ?0 AND c.workspace = ?1 AND c.channel = ?2 AND x.platform_id = ?3
			UNION SELECT p.message_id FROM posts AS p JOIN channels AS c ON c.id = p.channel_id
				WHERE c.platform = ?0 AND c.workspace = ?1 AND c.channel = ?2 AND p.platform_id = ?3)`,
			key.Platform, key.Workspace, key.Channel, platformID).
		OrderExpr("m.id").Scan(ctx)
	return found, err
}

// entomb records that a message we do not have is gone.
func (s *Store) entomb(ctx context.Context, tx bun.IDB, key Key, platformID string) error {
	return exec(ctx, tx, `INSERT INTO tombstones (platform, workspace, channel, platform_id, created_at) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT DO NOTHING`, key.Platform, key.Workspace, key.Channel, platformID, s.Now())
}

// WithdrawPost removes a message of ours from its answer: we are about to
// delete it, and its absence says nothing about the answer.
func (s *Store) WithdrawPost(ctx context.Context, session int64, platformID string) error {
	err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		return execAll(ctx, tx, []string{`DELETE FROM posts WHERE platform_id = ?0 AND channel_id = (SELECT channel_id FROM sessions WHERE id = ?2)`,
			`INSERT INTO tombstones (platform, workspace, channel, platform_id, created_at)
				SELECT c.platform, c.workspace, c.channel, ?0, ?1 FROM channels AS c JOIN sessions AS s ON s.channel_id = c.id WHERE s.id = ?2
				ON CONFLICT DO NOTHING`}, platformID, s.Now(), session)
	})
	return wrap("withdraw post", err)
}

// localPrefixClick begins the platform ids of messages that stand for a click.
const localPrefixClick = "click:"

// localID is a platform id for a message that no platform named.
func localID(prefix string, n int64) string { return prefix + strconv.FormatInt(n, 10) }
