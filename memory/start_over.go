package memory

import (
	"context"
	"fmt"
	"strings"

	"github.com/uptrace/bun"
)

// A direct message without threads is one place on its platform, in which people may start over: the conversation so far
// becomes a past one, and the next message begins another. Past sessions are stored under a thread of their own, which
// nobody outside of this package sees: to the platform all of them are the same place.

// pastThread begins the stored thread of a past session. No platform has such an id.
const pastThread = "\x1fpast/"

// place hides how a past session is stored.
func (k *Key) place() {
	if thread, replies := strings.CutPrefix(k.Thread, readReplies); replies {
		k.Thread = thread
	} else if strings.HasPrefix(k.Thread, pastThread) {
		k.Thread = ""
	}
}

// AfterScanRow makes the key of a past session that of its place.
func (s *Session) AfterScanRow(context.Context) error {
	s.place()
	return nil
}

// AfterScanRow does the same for the place of a line.
func (l *DigestLine) AfterScanRow(context.Context) error {
	l.Key.place()
	return nil
}

// AfterScanRow does the same for the place of a document.
func (d *Shelved) AfterScanRow(context.Context) error {
	d.place()
	return nil
}

// StartOver ends the conversation of a place without threads: the next message there begins another. While a message waits
// for its answer it changes nothing and returns false. Done twice, or where nothing was said, it changes nothing more.
func (s *Store) StartOver(ctx context.Context, session int64) (done bool, err error) {
	err = s.Write(ctx, func(ctx context.Context, tx bun.Tx) (err error) {
		done, err = affects(tx.NewRaw(`UPDATE sessions AS s SET thread = CASE WHEN EXISTS (SELECT 1 FROM messages WHERE session_id = s.id) THEN ?0 ELSE s.thread END
			WHERE s.id = ?1 AND s.pending = 0 AND (s.thread = '' OR s.thread = ?0)`, fmt.Sprint(pastThread, session), session).Exec(ctx))
		return err
	})
	return done && err == nil, wrap("start over", err)
}

// Here returns the sessions of the place of a session: itself and, where people started over, those of the past, the oldest first.
func (s *Store) Here(ctx context.Context, session int64) ([]int64, error) {
	return s.here(ctx, s.reader, session)
}

func (s *Store) here(ctx context.Context, db bun.IDB, session int64) (ids []int64, err error) {
	err = db.NewRaw(`SELECT s.id FROM sessions AS s JOIN sessions AS o ON o.id = ?0 AND o.channel_id = s.channel_id
		WHERE s.id = ?0 OR (o.thread = '' OR o.thread LIKE ?1 AND o.thread NOT LIKE ?2) AND (s.thread = '' OR s.thread LIKE ?1 AND s.thread NOT LIKE ?2) ORDER BY s.id`,
		session, pastThread+"%", readReplies+"%").Scan(ctx, &ids)
	return ids, wrap("look for the conversations of a place", err)
}

// joinPlaces makes one of the conversations at the same place: their messages follow each other.
func joinPlaces(all []Conversation) []Conversation {
	var joined []Conversation
	at := make(map[Key]int)
	for _, c := range all {
		i, seen := at[c.Key]
		if !seen {
			at[c.Key] = len(joined)
			joined = append(joined, c)
			continue
		}
		j := &joined[i]
		j.Messages, j.Posts = append(j.Messages, c.Messages...), append(j.Posts, c.Posts...)
	}
	return joined
}
