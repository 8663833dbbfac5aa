package memory

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"
)

// Audience is the people who will read an answer: those of one channel, in one of its
// sessions. SQL limits everything read from the store for an answer to what
// this audience may see.
type Audience struct {
	Channel     Channel
	Session     int64
	Person      int64 // the person who asks
	Guest       bool  // the asker is one: they see nothing from other channels
	Guests      bool  // guests are in the channel, or have spoken there: nothing from other channels is shown there
	NoDocuments bool  // no document is known here
}

// Audience returns the audience of a session, with person asking. An external channel
// and a guest see no documents unless the caller allows it.
func (s *Store) Audience(ctx context.Context, session, person int64) (Audience, error) {
	a := Audience{Session: session, Person: person}
	err := s.reader.NewSelect().Model(&a.Channel).
		Join("JOIN sessions AS s ON s.channel_id = c.id").
		Where("s.id = ?", session).Scan(ctx)
	if err != nil {
		return a, missing(err)
	}
	if a.Guest, err = s.guest(ctx, person); err != nil {
		return a, err
	}
	if a.Guests, err = s.dialect.hasGuests(ctx, s.reader, a.Channel.ID); err != nil {
		return a, err
	}
	a.NoDocuments = a.Guest || a.Channel.External
	return a, nil
}

// seen is ErrNotFound unless the audience of a session sees all of some messages. It is asked in the transaction that
// is to show them, for a channel may have been closed since they were read.
func (s *Store) seen(ctx context.Context, tx bun.Tx, session int64, messages []int64) error {
	a, err := s.Audience(ctx, session, 0) // changes wait for this transaction to end
	if err != nil {
		return err
	}
	n, err := a.VisibleMessages(tx.NewSelect().Model((*Message)(nil)).Where("m.id IN (?)", bun.List(messages))).Count(ctx)
	if err == nil && int(n) < len(messages) {
		err = fmt.Errorf("what is shown: %w", ErrNotFound)
	}
	return err
}

func (s *Store) guest(ctx context.Context, person int64) (bool, error) {
	if person == 0 {
		return false, nil
	}
	return s.reader.NewSelect().Model((*Person)(nil)).Where("id = ? AND kind = ?", person, Guest).Exists(ctx)
}

// Visible limits a query to rows whose channel, named by column, this audience
// may see: its own channel, and the public channels of its workspace that are neither shared nor
// unchecked, that we were never out of, and where nothing is suspected to be gone. It is only its own
// channel if that one is shared with another workspace or unchecked, if a guest asks, or if guests take
// part. Of a stale channel nothing is visible.
func (a Audience) Visible(q *bun.SelectQuery, column string) *bun.SelectQuery {
	if a.Channel.Stale {
		return q.Where("FALSE")
	}
	return q.Where("? IN (?)", bun.Ident(column), a.channels(q.NewSelect()))
}

// channels narrows a query to the ids of the channels this audience may see, if its own is not stale.
func (a Audience) channels(q *bun.SelectQuery) *bun.SelectQuery {
	q = q.Table("channels").Column("id")
	if a.alone() {
		return q.Where("id = ?", a.Channel.ID)
	}
	return q.Where("(id = ? OR kind = ? AND platform = ? AND workspace = ? AND "+heldOpen+")", a.Channel.ID, Public, a.Channel.Platform, a.Channel.Workspace)
}

// heldOpen is true for channels known to be as we store them, and not shared with another workspace.
const heldOpen = "NOT external AND NOT unchecked AND NOT stale AND NOT unheard" +
	" AND NOT EXISTS (SELECT 1 FROM suspicions AS su WHERE su.platform = channels.platform AND su.workspace = channels.workspace AND su.channel = channels.channel)"

// alone reports whether this audience sees nothing from other channels.
func (a Audience) alone() bool {
	return a.Channel.External || a.Channel.Unchecked || a.Guest || a.Guests
}

// VisibleMessages limits a query over messages to those this audience may see: messages in visible channels, except
// answers from other channels that cite or rest on something it may not see.
func (a Audience) VisibleMessages(q *bun.SelectQuery) *bun.SelectQuery {
	q = a.Visible(q, "m.channel_id")
	if a.alone() {
		return q
	}
	return q.Where(`(m.channel_id = ?0 OR m.role = ?1 OR NOT EXISTS (SELECT 1 FROM citations AS ci JOIN documents AS d ON d.id = ci.document_id
			WHERE ci.message_id = m.id AND d.channel_id NOT IN (?2))
		AND NOT EXISTS (SELECT 1 FROM outbox AS o JOIN shown AS sh ON sh.outbox_id = o.id
			LEFT JOIN documents AS d ON d.id = sh.document_id LEFT JOIN messages AS said ON said.id = sh.message_id
			WHERE o.message_id = m.id AND (d.channel_id NOT IN (?2) OR said.channel_id NOT IN (?2))))`,
		a.Channel.ID, User, a.channels(q.NewSelect()))
}

// VisibleDocuments narrows a query over documents to those this audience may
// read: posted in its session or in the past of that, or shared in a channel it may see. Of a stale channel none are visible.
func (a Audience) VisibleDocuments(q *bun.SelectQuery) *bun.SelectQuery {
	if a.NoDocuments || a.Channel.Stale {
		return q.Where("FALSE")
	}
	return q.Where("d.removed_at = 0").WhereGroup(" AND ", func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("d.session_id = ?", a.Session).
			WhereOr("d.session_id IN ("+pastOf+" SELECT id FROM past) AND d.channel_id = ? AND d.message_id <= ("+pastOf+" SELECT upto FROM past WHERE past.id = d.session_id)",
				a.Session, a.Channel.ID, a.Session).
			WhereGroup(" OR ", func(q *bun.SelectQuery) *bun.SelectQuery {
				return a.Visible(q.Where("d.shared"), "d.channel_id")
			})
	})
}
