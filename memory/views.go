package memory

import (
	"cmp"
	"context"

	"github.com/uptrace/bun"

	"threadkeeper/memory/reading"
)

// Thread is a session in an overview.
type Thread struct {
	Session  `bun:",extend"`
	Name     string      // of the channel
	Kind     ChannelKind // of the channel
	External bool        // or it is not certain that its platform shows the channel as we store it
	Epoch    int64       // of the channel
	Began    string      // its first message, whole, or the name of its first file
	BeganID  int64       // of that message, 0 for a file
	Ref      string      // our last post in it, "" if none
	At       int64       // of its last message
}

// Headline is the title of a thread, or what it began with, as one line; "" if that is not known.
func (t *Thread) Headline() string { return cmp.Or(t.Title, reading.CollapseSpace(t.Began)) }

// threads is a query for the sessions in which anything is stored, the latest first.
func (v *Views) threads(threads *[]Thread, limit int) *bun.SelectQuery {
	return v.reader.NewSelect().Model(threads).Column("s.*", "c.name", "c.kind", "c.epoch").ColumnExpr("c.id NOT IN (SELECT id FROM channels WHERE " + heldOpen + ") AS external").Where("NOT c.stale").
		ColumnExpr(`COALESCE((SELECT m.text FROM messages AS m WHERE m.session_id = s.id AND m.role = 'user' AND m.text <> ''
			ORDER BY m.id LIMIT 1), (SELECT f.name FROM files AS f WHERE f.session_id = s.id AND f.reason <> 'deleted'
			AND NOT EXISTS (SELECT 1 FROM documents AS d WHERE d.id = f.document_id AND d.removed_at > 0) ORDER BY f.id LIMIT 1), '') AS began`).
		ColumnExpr(`COALESCE((SELECT MIN(m.id) FROM messages AS m WHERE m.session_id = s.id AND m.role = 'user' AND m.text <> ''), 0) AS began_id`).
		ColumnExpr(`COALESCE((SELECT o.ref FROM messages AS m JOIN outbox AS o ON o.message_id = m.id AND o.ref <> ''
			WHERE m.session_id = s.id AND m.role = 'assistant' AND m.erased_at = 0 ORDER BY m.id DESC LIMIT 1), '') AS ref`).
		ColumnExpr(`last.at AS at`).
		Join("JOIN channels AS c ON c.id = s.channel_id").
		Join(`JOIN messages AS last ON last.id = (SELECT MAX(m.id) FROM messages AS m WHERE m.session_id = s.id AND m.erased_at = 0)`).
		OrderExpr("last.id DESC").Limit(int64(limit))
}

// Threads returns the sessions of an audience's own channel in which anything is
// stored, the latest first, at most limit.
func (v *Views) Threads(ctx context.Context, a Audience, limit int) (threads []Thread, err error) {
	err = v.threads(&threads, limit).Where("s.channel_id = ? AND s.thread NOT LIKE ?", a.Channel.ID, readReplies+"%").Scan(ctx)
	return threads, wrap("list threads", err)
}

// ThreadsHolding returns those of some sessions that an audience may see and in which people talk with us, in no order. The name
// of a file alone is no beginning that others may see.
func (v *Views) ThreadsHolding(ctx context.Context, a Audience, sessions []int64) (threads []Thread, err error) {
	q := v.threads(&threads, len(sessions)).Where("s.id IN (?) AND s.thread NOT LIKE ?", bun.List(sessions), readThread+"%").
		Where("EXISTS (SELECT 1 FROM messages AS m WHERE m.session_id = s.id AND m.role = ? AND m.text <> '')", User)
	err = a.Visible(q, "s.channel_id").Scan(ctx)
	return threads, wrap("look up threads", err)
}

// ThreadsOf returns the sessions a person has spoken in, the latest first, at most limit.
func (v *Views) ThreadsOf(ctx context.Context, person int64, limit int) (threads []Thread, err error) {
	err = v.threads(&threads, limit).
		Where("s.thread NOT LIKE ? AND EXISTS (SELECT 1 FROM interactions AS i WHERE i.session_id = s.id AND i.person_id = ?)", readThread+"%", person).Scan(ctx)
	return threads, wrap("list threads", err)
}

// Shelved is a document in an overview. Pages is how many of its pages can be read.
type Shelved struct {
	Document `bun:",extend"`
	Key                  // of its session
	Kind     ChannelKind // of its channel
	External bool        // or it is not certain that its platform shows the channel as we store it
	Epoch    int64       // of its channel
	Link     string
	Pages    int
}

func (v *Views) shelf(documents *[]Shelved, limit int) *bun.SelectQuery {
	return v.reader.NewSelect().Model(documents).Column("d.*", "s.platform", "s.workspace", "s.channel", "s.thread", "c.kind", "c.epoch").ColumnExpr("NOT EXISTS (SELECT 1 FROM channels WHERE channels.id = c.id AND "+heldOpen+") AS external").Where("NOT c.stale").ColumnExpr(FileLink+" AS link").
		ColumnExpr("COALESCE(k.pages_done, 0) AS pages").
		Join("JOIN sessions AS s ON s.id = d.session_id").Join("JOIN channels AS c ON c.id = d.channel_id").
		Join("LEFT JOIN contents AS k ON k.id = d.content_id").
		Where("d.removed_at = 0 AND d.state = ?", DocumentReady).Where(PostedLast).OrderExpr("d.id DESC").Limit(int64(limit))
}

// Shelf returns the documents that were posted in the threads of an audience's own
// channel, the latest first, at most limit.
func (v *Views) Shelf(ctx context.Context, a Audience, limit int) ([]Shelved, error) {
	if a.NoDocuments {
		return nil, nil
	}
	var documents []Shelved
	err := v.shelf(&documents, limit).Where("d.channel_id = ?", a.Channel.ID).Scan(ctx)
	return documents, wrap("list documents", err)
}

// ShelfOf returns the documents a person may read: those of the sessions they have
// spoken in, and those shared in public channels of their workspace; external
// says whether external channels and guests may use documents.
func (v *Views) ShelfOf(ctx context.Context, person *Person, external bool, limit int) ([]Shelved, error) {
	if person.Kind == Guest && !external {
		return nil, nil
	}
	var documents []Shelved
	q := v.shelf(&documents, limit).Where("? OR NOT c.external", external).
		WhereGroup(" AND ", func(q *bun.SelectQuery) *bun.SelectQuery {
			q = q.Where("EXISTS (SELECT 1 FROM interactions AS i WHERE i.session_id = d.session_id AND i.person_id = ?)", person.ID)
			if person.Kind == Guest {
				return q
			}
			return q.WhereOr("d.shared AND d.channel_id IN (SELECT id FROM channels WHERE kind = ? AND platform = ? AND workspace = ? AND "+heldOpen+")", Public, person.Platform, person.Workspace)
		})
	err := q.Scan(ctx)
	return documents, wrap("list documents", err)
}

// LastPostRef returns our last post in a session, "" if there is none.
func (v *Views) LastPostRef(ctx context.Context, session int64) (ref string, err error) {
	err = v.reader.NewRaw(`SELECT o.ref FROM messages AS m JOIN outbox AS o ON o.message_id = m.id AND o.ref <> ''
		WHERE m.session_id = ? AND m.role = 'assistant' AND m.erased_at = 0 ORDER BY m.id DESC LIMIT 1`, session).Scan(ctx, &ref)
	return ref, orNone(err)
}

// Views reads what people see of the memory: lists, figures, the last answer, an export.
type Views struct {
	*core
	memory *Store
}

// Sessions returns the sessions an audience may see, newest activity first, at most limit.
func (v *Views) Sessions(ctx context.Context, a Audience, limit int) (sessions []*Session, err error) {
	q := v.reader.NewSelect().Model(&sessions).OrderExpr("updated_at DESC, id DESC").Limit(int64(limit))
	err = a.Visible(q, "s.channel_id").Scan(ctx)
	return sessions, err
}

// LastUnderstanding returns the last user message of a session that a turn has read, preferably
// one of person's, and how it was read, or ErrNotFound.
func (v *Views) LastUnderstanding(ctx context.Context, session, person int64) (*Message, Understanding, error) {
	m := new(Message)
	err := v.reader.NewSelect().Model(m).
		Join("JOIN understandings AS u ON u.message_id = m.id").
		Where("m.session_id = ?", session).OrderExpr("m.person_id = ? DESC, m.id DESC", person).Limit(1).Scan(ctx)
	if err != nil {
		return nil, Understanding{}, missing(err)
	}
	u, err := v.memory.understandingOf(ctx, m.ID)
	return m, u, err
}

// AnswersOf returns the ids of the answers to a request.
func (v *Views) AnswersOf(ctx context.Context, m *Message) (ids []int64, err error) {
	err = v.reader.NewSelect().Model((*Message)(nil)).Column("id").
		Where("interaction_id = ? AND interaction_id > 0 AND role = ? AND erased_at = 0", m.InteractionID, Assistant).Order("id").Scan(ctx, &ids)
	return ids, err
}

// LastLedger returns the ledger of the last answer of a session, or ErrNotFound.
func (v *Views) LastLedger(ctx context.Context, session int64) (Ledger, error) {
	var id int64
	err := v.reader.NewRaw(`SELECT m.id FROM messages AS m JOIN ledgers AS l ON l.message_id = m.id
		WHERE m.session_id = ? AND m.role = ? ORDER BY m.id DESC LIMIT 1`, session, Assistant).Scan(ctx, &id)
	if err != nil {
		return Ledger{}, missing(err)
	}
	return v.memory.ledgerOf(ctx, id)
}
