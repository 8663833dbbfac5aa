package memory

import (
	"context"

	"github.com/uptrace/bun"
)

// shownChannels are the channels of what a post shows, as an SQL list.
const shownChannels = `(SELECT d.channel_id FROM documents AS d WHERE d.id = ob.document_id
	UNION ALL SELECT d.channel_id FROM shown AS sh JOIN documents AS d ON d.id = sh.document_id WHERE sh.outbox_id = ob.id
	UNION ALL SELECT m.channel_id FROM shown AS sh JOIN messages AS m ON m.id = sh.message_id WHERE sh.outbox_id = ob.id
	UNION ALL SELECT t.channel_id FROM shown AS sh JOIN sessions AS t ON t.id = sh.session_id WHERE sh.outbox_id = ob.id)`

// inDoubt is an SQL condition on posts that are new and show something of another channel whose readers are not known at
// present. Once they are, CheckChannels has withdrawn the post if they have become fewer.
const inDoubt = `(ob.kind = '' AND EXISTS (SELECT 1 FROM channels AS c WHERE c.unchecked
	AND c.id <> (SELECT own.channel_id FROM sessions AS own WHERE own.id = ob.session_id) AND c.id IN ` + shownChannels + `))`

// OutboxTakeBackDoubted drops the complete answer of a turn, of which nothing was posted, if its prompts held something of
// another channel whose readers are not known at present; then it is to be answered again, without that.
func (q *Queue) OutboxTakeBackDoubted(ctx context.Context, o *Outbox) (again bool, err error) {
	err = q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		again, err = tx.NewSelect().Model((*Outbox)(nil)).Where("ob.id = ? AND ob.ref = ''", o.ID).Where(inDoubt).Exists(ctx)
		if err != nil || !again {
			return err
		}
		o.State, o.Payload = OutboxNew, ""
		if _, err := tx.NewUpdate().Model(o).Column("state", "payload").WherePK().Exec(ctx); err != nil {
			return err
		}
		return exec(ctx, tx, `DELETE FROM shown WHERE outbox_id = ?`, o.ID)
	})
	return again && err == nil, wrap("take back an answer", err)
}

// OutboxWithdrawShowing takes back the posts that wait and show, elsewhere, something of a channel that we may not see any
// more; see Withdrawn.
func (q *Queue) OutboxWithdrawShowing(ctx context.Context, channel int64) error {
	err := q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		var shows []int64
		err := tx.NewSelect().Model((*Outbox)(nil)).Column("id").
			Where("ob.state = ? AND ob.state <> 'done' AND ob.kind = ?", OutboxReady, PostNew).
			Where("ob.session_id NOT IN (SELECT id FROM sessions WHERE channel_id = ?0) AND ?0 IN "+shownChannels, channel).Scan(ctx, &shows)
		for i := 0; i < len(shows) && err == nil; i++ {
			err = q.erasePosts(ctx, tx, "id", shows[i])
		}
		return err
	})
	return wrap("withdraw posts", err)
}
