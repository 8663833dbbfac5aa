package memory

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"
)

// purgeBatch is how many rows of a table one transaction of Purge deletes.
const purgeBatch = 500

// Purge deletes finished rows of events and posts from before
// a time (milliseconds UTC), a batch in each transaction, and returns their
// number. A platform repeats a delivery within hours, so the id of an event need not
// be kept longer. Posts that show messages, a memory or a document, and notices that are given only
// once, are kept.
func (q *Queue) Purge(ctx context.Context, before int64) (total int, err error) {
	for _, statement := range []string{
		`DELETE FROM inbox WHERE id IN (SELECT id FROM inbox WHERE state NOT IN ('new', 'quick') AND created_at < ?0 AND done_at < ?0 ORDER BY id LIMIT ?1)`,
		`DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE state = 'done' AND message_id = 0 AND document_id = 0 AND inbox_id > 0
			AND done_at < ?0 AND id NOT IN (SELECT outbox_id FROM shown) ORDER BY id LIMIT ?1)`,
		`DELETE FROM tombstones WHERE (platform, workspace, channel, platform_id) IN
			(SELECT platform, workspace, channel, platform_id FROM tombstones WHERE created_at < ?0 LIMIT ?1)`,
	} {
		for n := int64(purgeBatch); n == purgeBatch; {
			err := q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
				res, err := tx.NewRaw(statement, before, purgeBatch).Exec(ctx)
				if err == nil {
					n, err = res.RowsAffected()
				}
				return err
			})
			if err != nil {
				return total, fmt.Errorf("memory: purge: %w", err)
			}
			total += int(n)
		}
	}
	return total, nil
}

// Queue is the pending work: events to answer or apply, the leases of workers,
// clarifying questions and posts to deliver.
type Queue struct {
	*core
	memory *Store

	// Withdrawn is what is posted in the place of a payload that was taken back before it was posted, "" for
	// nothing. Nil posts nothing.
	Withdrawn func(payload string) string
}

// anyDue reports whether a row of a queue in a state is due. It is asked four times a second: what looks for the rows themselves takes
// several times as long, or takes the writer.
func (c *core) anyDue(ctx context.Context, queue, state string) (bool, error) {
	return c.reader.NewSelect().Table(queue).ColumnExpr("1").Where("state = ? AND state <> 'done' AND next_at <= ?", state, c.Now()).Exists(ctx)
}

// CountOpen returns the number of unfinished events and posts in the sessions of the platforms (of all, if
// none is named).
func (q *Queue) CountOpen(ctx context.Context, platforms ...string) (n int, err error) {
	err = q.reader.NewRaw(`SELECT (SELECT COALESCE(SUM(pending), 0) FROM sessions WHERE pending > 0 AND (?0 OR platform IN (?1)) AND ?4)
		+ (SELECT COUNT(*) FROM inbox AS ib WHERE state = ?2 AND (?0 OR platform IN (?1)) AND ?5)
		+ (SELECT COUNT(*) FROM outbox AS o JOIN sessions AS s ON s.id = o.session_id
			WHERE o.state = ?3 AND o.state <> 'done' AND (?0 OR s.platform IN (?1)) AND ?6)`,
		len(platforms) == 0, bun.List(platforms), InboxCommand, OutboxReady, q.mine("id"), q.mine("session_id"), q.mine("s.id")).Scan(ctx, &n)
	return n, err
}

// ResetDelays makes all waiting retries due at once: answers, posts and compactions. It is for
// the start of the only process, and for a clock that was set
// back.
func (q *Queue) ResetDelays(ctx context.Context) error {
	return q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		return execAll(ctx, tx, []string{
			`UPDATE outbox SET next_at = 0 WHERE state = 'ready' AND state <> 'done' AND next_at > 0`, // as the index has it
			`UPDATE sessions SET ready_at = 0 WHERE pending > 0 AND lease_owner = ''`,
			`UPDATE compactions SET next_at = 0 WHERE state = 'due' AND lease_owner = ''`,
		})
	})
}
