package memory

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"
)

// purgeBatch is how many rows of a table one transaction of Purge deletes.
const purgeBatch = 500

// Purge deletes what the queues hold of events and posts that were done with
// before a time (milliseconds UTC), a batch in each transaction, and returns how many rows
// it were. A platform delivers an event again within hours, so that its id need not
// be kept for longer. Posts that show a message or a page, and notices that are given only
// once, are kept.
func (q *Queue) Purge(ctx context.Context, before int64) (total int, err error) {
	for _, statement := range []string{
		`DELETE FROM inbox WHERE id IN (SELECT id FROM inbox WHERE state NOT IN ('new', 'quick') AND created_at < ?0 AND done_at < ?0 ORDER BY id LIMIT ?1)`,
		`DELETE FROM outbox WHERE id IN (SELECT id FROM outbox WHERE state = 'done' AND message_id = 0 AND document_id = 0 AND inbox_id > 0
			AND done_at < ?0 ORDER BY id LIMIT ?1)`,
		`DELETE FROM tombstones WHERE (platform, workspace, channel, platform_id) IN
			(SELECT platform, workspace, channel, platform_id FROM tombstones WHERE created_at < ?0 LIMIT ?1)`,
	} {
		for n := int64(purgeBatch); n == purgeBatch; {
			err := q.write(ctx, func(ctx context.Context, tx bun.Tx) error {
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
