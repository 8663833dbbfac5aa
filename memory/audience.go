package memory

import (
	"context"

	"github.com/uptrace/bun"
)

// Audience is who will read an answer: the people of one channel, in one of its
// sessions. Everything read from the store for an answer is narrowed to what
// this audience may see, in SQL.
type Audience struct {
	Channel Channel
	Session int64
	Person  int64 // who asks
}

// Audience is the audience of a session, with person asking.
func (s *Store) Audience(ctx context.Context, session, person int64) (Audience, error) {
	a := Audience{Session: session, Person: person}
	err := s.reader.NewSelect().Model(&a.Channel).
		Join("JOIN sessions AS s ON s.channel_id = c.id").
		Where("s.id = ?", session).Scan(ctx)
	return a, missing(err)
}

// Visible narrows a query to rows whose channel, named by column, this audience
// may see: its own channel, and unless that one is shared with another
// workspace, the public channels of its workspace that are not shared either.
func (a Audience) Visible(q *bun.SelectQuery, column string) *bun.SelectQuery {
	if a.Channel.External {
		return q.Where("? = ?", bun.Ident(column), a.Channel.ID)
	}
	return q.Where(`(? = ? OR ? IN (SELECT id FROM channels
		WHERE kind = ? AND platform = ? AND workspace = ? AND NOT external))`,
		bun.Ident(column), a.Channel.ID, bun.Ident(column),
		Public, a.Channel.Platform, a.Channel.Workspace)
}

// VisibleDocuments narrows a query over documents to those this audience may
// read: posted in its session, or shared in a channel it may see.
func (a Audience) VisibleDocuments(q *bun.SelectQuery) *bun.SelectQuery {
	return q.Where("d.removed_at = 0").WhereGroup(" AND ", func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("d.session_id = ?", a.Session).
			WhereGroup(" OR ", func(q *bun.SelectQuery) *bun.SelectQuery {
				return a.Visible(q.Where("d.shared"), "d.channel_id")
			})
	})
}
