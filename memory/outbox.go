package memory

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"
)

// OutboxState is the state of a post.
type OutboxState string

const (
	OutboxHeard OutboxState = "heard" // of an overheard turn: nothing is posted before it is OutboxNew
	OutboxNew   OutboxState = "new"   // a post may have been begun; what it will say is not known yet
	OutboxReady OutboxState = "ready" // payload holds the final content
	OutboxDone  OutboxState = "done"  // delivered and recorded
)

// Outbox is one post of ours. The row exists before anything is posted, so that after
// a crash Nonce finds the post; Ref is the platform's own reference to the post,
// "" until it is known.
type Outbox struct {
	bun.BaseModel `bun:"table:outbox,alias:ob"`
	ID            int64 `bun:",pk,autoincrement"`
	SessionID     int64
	InboxID       int64 // the last inbox row it answers, 0 if none
	MessageID     int64 // our stored message, once done
	DocumentID    int64 // the document whose page it shows, 0 if none
	Nonce         string
	Kind          PostKind
	State         OutboxState
	Ref           string
	Payload       string
	Attempts      int
	NextAt        int64
	Error         string
	CreatedAt     int64
	DoneAt        int64

	Shows Shown `bun:"-"` // of InboxCloseCommand and OutboxAdd
	Seen  bool  `bun:"-"` // of OutboxAdd: it is added only while the session's audience sees every message that it shows
}

// PostKind says what a post does. All kinds but PostNew only change the existing display, and
// have no payload.
type PostKind string

const (
	PostNew            PostKind = ""        // posts the payload
	PostErased         PostKind = "erased"  // edits the post: its message or document was erased
	PostQuestionClosed PostKind = "closed"  // edits the post: the question that it asks is closed, or its answer erased
	PostRetried        PostKind = "retried" // edits the post, which loses its buttons: what failed in it is asked again
	// PostTitle posts nothing: the name that the platform shows for a session's thread is
	// made from its first message, which is new or has changed.
	PostTitle PostKind = "title"
)

// TitleNonce returns the nonce of a session's PostTitle, so that there is at most one.
func TitleNonce(session int64) string { return fmt.Sprintf("title/%d", session) }

// retitle has the thread of a session named anew if it may be named after m: the
// message it began on, or the first that was said to us in it.
func (q *Queue) retitle(ctx context.Context, tx bun.IDB, m *Message) error {
	if m.Role != User {
		return nil
	}
	return exec(ctx, tx, `INSERT INTO outbox (session_id, nonce, kind, state, created_at)
		SELECT s.id, ?, ?, ?, ? FROM sessions AS s WHERE s.id = ? AND s.thread <> '' AND s.thread NOT LIKE ? AND (s.thread = ?
			OR ? = (SELECT MIN(x.id) FROM messages AS x WHERE x.session_id = s.id AND x.role = ?))
		ON CONFLICT (nonce) DO UPDATE SET kind = EXCLUDED.kind, state = EXCLUDED.state, attempts = 0, next_at = 0, error = ''`,
		TitleNonce(m.SessionID), PostTitle, OutboxReady, q.Now(), m.SessionID, pastThread+"%", m.PlatformID, m.ID, User)
}

// OutboxTitleText returns the text that the thread of a session is named after: that of the message it
// began on or, if that is not stored, of the first message in it; without a text the
// name of its first file, "" if it was erased.
func (q *Queue) OutboxTitleText(ctx context.Context, session int64) (text string, err error) {
	err = q.reader.NewRaw(`SELECT COALESCE(NULLIF(m.text, ''), (SELECT f.name FROM files AS f WHERE f.message_id = m.id AND f.name <> '' ORDER BY f.id LIMIT 1), '') FROM messages AS m JOIN sessions AS s ON s.id = m.session_id
		WHERE m.session_id = ? AND m.role = ? ORDER BY m.platform_id = s.thread DESC, m.id LIMIT 1`, session, User).Scan(ctx, &text)
	return text, wrap("what a thread began with", orNone(err))
}

// beginPost finds or creates the outbox row of a nonce. One that is there already
// (resumed) tells how far an earlier attempt came.
func (q *Queue) beginPost(ctx context.Context, tx bun.Tx, o Outbox) (row *Outbox, resumed bool, err error) {
	o.CreatedAt = q.Now()
	_, err = tx.NewInsert().Model(&o).ExcludeColumn("id").On("CONFLICT (nonce) DO NOTHING").Returning("id").Exec(ctx)
	if orNone(err) != nil {
		return nil, false, err
	}
	if err == nil && o.ID > 0 {
		return &o, false, nil
	}
	err = tx.NewSelect().Model(&o).Where("nonce = ?", o.Nonce).Scan(ctx)
	return &o, true, err
}

// OutboxSetRef records the Ref of a post.
func (q *Queue) OutboxSetRef(ctx context.Context, id int64, ref string) error {
	return q.exec(ctx, "UPDATE outbox SET ref = ? WHERE id = ?", ref, id)
}

// OutboxChangeRef gives a post another Ref, wherever it is stored with the one it has in o, and
// adds the platform's messages that the post shows to the answer.
func (q *Queue) OutboxChangeRef(ctx context.Context, o *Outbox, ref string, messages []string) error {
	err := q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		var answers []*Message
		if err := tx.NewSelect().Model(&answers).
			Where("m.id IN (SELECT message_id FROM outbox WHERE session_id = ? AND ref = ?)", o.SessionID, o.Ref).Scan(ctx); err != nil {
			return err
		}
		for _, m := range answers {
			if err := postedAs(ctx, tx, m, messages); err != nil {
				return err
			}
		}
		_, err := tx.NewUpdate().Model((*Outbox)(nil)).Set("ref = ?", ref).Where("session_id = ? AND ref = ?", o.SessionID, o.Ref).Exec(ctx)
		return err
	})
	if err != nil {
		return fmt.Errorf("memory: rename post: %w", err)
	}
	o.Ref = ref
	return nil
}

// postedAs records what the platform calls the messages an answer is shown as, but for
// those that were deleted.
func postedAs(ctx context.Context, tx bun.Tx, m *Message, messages []string) error {
	for _, name := range messages {
		if err := exec(ctx, tx, `INSERT INTO posts (channel_id, platform_id, message_id) SELECT ?0, ?1, ?2
			WHERE NOT EXISTS (SELECT 1 FROM tombstones AS t JOIN channels AS c ON c.platform = t.platform AND c.workspace = t.workspace AND c.channel = t.channel
				WHERE c.id = ?0 AND t.platform_id = ?1) ON CONFLICT DO NOTHING`, m.ChannelID, name, m.ID); err != nil {
			return err
		}
	}
	return nil
}

// OutboxMakeReady stores the final content of a turn's post, before it is
// delivered, with its Ref if that is known. It is fenced: ErrFenced, and nothing
// stored, if the lease was lost; ErrInterrupted likewise if the turn over rows must end. The last post of a turn that ends
// anyway has none.
func (q *Queue) OutboxMakeReady(ctx context.Context, l *Lease, o *Outbox, rows ...int64) error {
	return q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		if err := q.mayContinue(ctx, tx, rows); err != nil {
			return err
		}
		if err := q.fence(ctx, tx, l, "updated_at = ?", q.Now()); err != nil {
			return err
		}
		_, err := tx.NewUpdate().Model((*Outbox)(nil)).
			Set("state = ?, payload = ?, ref = ?", OutboxReady, o.Payload, o.Ref).Where("id = ? AND state <> ?", o.ID, OutboxDone).Exec(ctx)
		return err
	})
}

// OutboxAdd stores a post that nothing asked for, ready to be delivered, once by
// its nonce. It returns false if it was stored before.
func (q *Queue) OutboxAdd(ctx context.Context, o Outbox) (bool, error) {
	known, err := q.reader.NewSelect().Model((*Outbox)(nil)).Where("nonce = ?", o.Nonce).Exists(ctx)
	if err == nil && !known {
		err = q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
			if o.Seen {
				if err := q.memory.seen(ctx, tx, o.SessionID, o.Shows.Messages); err != nil {
					return err
				}
			}
			added, err := q.addPost(ctx, tx, o)
			known = !added
			return err
		})
	}
	return !known && err == nil, wrap("announce", err)
}

// addPost adds a post, ready to be delivered, with what it shows, unless one of its nonce is there.
func (q *Queue) addPost(ctx context.Context, tx bun.Tx, o Outbox) (bool, error) {
	o.State, o.CreatedAt = OutboxReady, q.Now()
	added, err := affects(tx.NewInsert().Model(&o).ExcludeColumn("id").On("CONFLICT (nonce) DO NOTHING").Returning("NULL").Exec(ctx))
	if err != nil || !added {
		return false, err
	}
	return true, q.setShown(ctx, tx, o.Nonce, o.Shows)
}

// OutboxDeferAnswer postpones the answer of a turn until next (milliseconds UTC), with the reason.
func (q *Queue) OutboxDeferAnswer(ctx context.Context, id, next int64, reason string) error {
	return q.exec(ctx, "UPDATE outbox SET next_at = ?, error = ?, attempts = attempts + 1 WHERE id = ?", next, reason, id)
}

// OutboxBeginAttempt counts an attempt to deliver a post without a turn. If the attempt does
// not finish, the next one is due at next (milliseconds UTC). It returns false, and
// changes nothing, if the post has changed since o was read: it was delivered,
// has another content, or waits until its audience is known.
func (q *Queue) OutboxBeginAttempt(ctx context.Context, o *Outbox, next int64) (bool, error) {
	same := false
	err := q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		held, err := tx.NewSelect().Model((*Outbox)(nil)).Where("ob.id = ?", o.ID).Where(inDoubt).Exists(ctx)
		if err != nil || held {
			return err
		}
		same, err = q.updateUnchanged(ctx, tx, o, "attempts = attempts + 1, next_at = ?, error = 'interrupted'", next)
		return err
	})
	if err != nil {
		return false, fmt.Errorf("memory: begin a post: %w", err)
	}
	if same {
		o.Attempts++
	}
	return same, nil
}

// OutboxDefer sets the time of the next attempt.
func (q *Queue) OutboxDefer(ctx context.Context, o *Outbox, next int64, reason string) error {
	return q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		_, err := q.updateUnchanged(ctx, tx, o, "next_at = ?, error = ?", next, reason)
		return err
	})
}

// OutboxFinish ends a post without a turn. With a reason it was given up. If its content
// changed since o was read, it keeps its Ref and is due again.
func (q *Queue) OutboxFinish(ctx context.Context, o *Outbox, ref, reason string) error {
	err := q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		same, err := q.updateUnchanged(ctx, tx, o, "state = ?, ref = ?, payload = '', error = ?, done_at = ?", OutboxDone, ref, reason, q.Now())
		if err != nil || same || ref == "" {
			return err
		}
		_, err = tx.NewUpdate().Model((*Outbox)(nil)).Set("ref = ?, next_at = 0", ref).Where("id = ? AND state = ?", o.ID, OutboxReady).Exec(ctx)
		return err
	})
	return wrap("record post", err)
}

// OutboxWithdraw takes back a post before it is posted; see Withdrawn.
func (q *Queue) OutboxWithdraw(ctx context.Context, o *Outbox) error {
	err := q.Write(ctx, func(ctx context.Context, tx bun.Tx) error { return q.withdraw(ctx, tx, o) })
	return wrap("withdraw post", err)
}

// updateUnchanged updates a post that is as it was when o was read, or attempted; false if it
// is not.
func (q *Queue) updateUnchanged(ctx context.Context, tx bun.Tx, o *Outbox, set string, args ...any) (bool, error) {
	return affects(tx.NewUpdate().Model((*Outbox)(nil)).Set(set, args...).
		Where("id = ? AND state = ? AND attempts = ? AND kind = ? AND payload = ?", o.ID, OutboxReady, o.Attempts, o.Kind, o.Payload).Exec(ctx))
}

// OutboxDue returns the ready posts whose time has come, on the platforms (on all,
// if none is named), and that no turn will deliver (a turn does while its inbox row is
// open). The first of every session come first, those that only change an older post last. A
// post waits for earlier ones of its session that must be retried, and while it shows something of another channel
// that is unchecked.
func (q *Queue) OutboxDue(ctx context.Context, limit int, platforms ...string) (rows []*Outbox, err error) {
	if due, err := q.anyDue(ctx, "outbox", string(OutboxReady)); err != nil || !due {
		return nil, err
	}
	err = q.reader.NewSelect().Model(&rows).Join("JOIN sessions AS s ON s.id = ob.session_id").
		Where("ob.state = ? AND ob.state <> 'done' AND ob.next_at <= ?", OutboxReady, q.Now()). // as the index has it
		Where("? OR s.platform IN (?)", len(platforms) == 0, bun.List(platforms)).Where("?", q.mine("s.id")).
		Where("ob.inbox_id NOT IN (SELECT id FROM inbox WHERE state = ?)", InboxNew).Where("NOT "+inDoubt).
		Where(`ob.kind <> ?0 OR NOT EXISTS (SELECT 1 FROM outbox AS o WHERE o.session_id = ob.session_id AND o.id < ob.id
			AND o.state = ?1 AND o.state <> 'done' AND o.attempts > 0 AND o.next_at > ?2 AND o.kind = ?0)`, PostNew, OutboxReady, q.Now()).
		OrderExpr("ob.kind <> ?0, ROW_NUMBER() OVER (PARTITION BY ob.session_id, ob.kind <> ?0 ORDER BY ob.id), ob.id", PostNew).
		Limit(int64(limit)).Scan(ctx)
	return rows, err
}

// Changes reports whether the post only changes an older post, or a name.
func (o *Outbox) Changes() bool { return o.Kind != PostNew }

// OutboxByNonce returns the post with this nonce, or ErrNotFound.
func (q *Queue) OutboxByNonce(ctx context.Context, nonce string) (*Outbox, error) {
	return first[Outbox](ctx, q.reader, "nonce = ?", nonce)
}

// OutboxHasUnrecorded reports whether a turn in a channel is about to record a post with
// this nonce, or whose payload contains mark: people may see the post already.
func (q *Queue) OutboxHasUnrecorded(ctx context.Context, channel int64, nonce, mark string) (bool, error) {
	return q.reader.NewSelect().Model((*Outbox)(nil)).
		Join("JOIN sessions AS s ON s.id = ob.session_id AND s.channel_id = ?", channel).
		Join("JOIN inbox AS ib ON ib.id = ob.inbox_id AND ib.state = ?", InboxNew).
		Where("ob.state = ? AND ob.state <> 'done' AND (ob.nonce = ? OR ?)", OutboxReady, nonce, q.dialect.contains("ob.payload", mark)).Exists(ctx)
}

// Answer is what a turn stores once it was delivered.
type Answer struct {
	Outbox        int64
	Ref           string
	Posts         []string   // what the platform calls the messages it was posted as
	Inbox         []int64    // the rows it answers
	InboxState    InboxState // their final state; "" is InboxDone
	Interactions  []int64    // closed by it; empty when it is a clarifying question
	State         InteractionState
	Message       Message                 // role assistant; ids and tokens are filled in; without a text none is stored
	Whole         string                  // the whole answer, if its text is only the beginning
	Understanding map[int64]Understanding // by user message id
	Ledger        Ledger
	Citations     []Citation
	Rests         *Shown // what the answer rests on besides its citations; nil for everything in its prompts
	Question      *Question
	Follow        *Outbox // posted after it, and erased with it; nil for nothing
}

// FinishTurn records a delivered answer in one transaction: message, citations,
// understanding, ledger and question stored, interactions closed, inbox and outbox rows
// done, compaction made due by the policy, the session released. It is fenced by the
// lease, and done once per outbox row. The error is ErrInterrupted, and nothing is
// stored, if a message that it answers was erased or reworded meanwhile, or its text may
// no longer be shown. An answer that cites or rests on something erased meanwhile is erased
// at once.
func (q *Queue) FinishTurn(ctx context.Context, l *Lease, a Answer) (*Message, error) {
	m := a.Message
	err := q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		if err := q.fence(ctx, tx, l, "updated_at = ?, lease_owner = '', ready_at = ?", q.Now(), q.Now()); err != nil {
			return err
		}
		o := new(Outbox)
		if err := tx.NewSelect().Model(o).Where("id = ?", a.Outbox).Scan(ctx); err != nil {
			return missing(err)
		}
		if a.InboxState != InboxCancelled {
			query := tx.NewSelect().Model((*Inbox)(nil)).Where("id IN (?) AND (stop = ? OR stop = ? AND ? OR stop = ? AND ?)", bun.List(a.Inbox),
				StopErased, StopEdited, o.State == OutboxNew, // see retakeTurn
				StopAudience, a.InboxState != InboxDead)
			outdated, err := query.Exists(ctx)
			if err != nil {
				return err
			}
			if outdated {
				return ErrInterrupted
			}
		}
		if o.State != OutboxDone {
			if err := q.setRests(ctx, tx, o, a.Rests); err != nil {
				return err
			}
			if err := q.storeAnswer(ctx, tx, &m, a); err != nil {
				return err
			}
			if _, err := tx.NewUpdate().Model(o).WherePK().
				Set("state = ?, ref = ?, message_id = ?, payload = '', done_at = ?", OutboxDone, a.Ref, m.ID, q.Now()).Exec(ctx); err != nil {
				return err
			}
			if err := q.follow(ctx, tx, &m, o, a.Follow); err != nil {
				return err
			}
			if err := q.memory.eraseIfRestsOnErased(ctx, tx, &m); err != nil {
				return err
			}
		}
		if err := q.endRows(ctx, tx, l.SessionID, a); err != nil {
			return err
		}
		_, err := q.memory.scheduleCompaction(ctx, tx, l.SessionID)
		return err
	})
	return &m, wrap("record answer", err)
}

// follow prepares the post that follows an answer, and shows what the answer rests on.
func (q *Queue) follow(ctx context.Context, tx bun.Tx, m *Message, answer, post *Outbox) error {
	if post == nil {
		return nil
	}
	o := *post
	o.SessionID, o.MessageID = m.SessionID, m.ID
	if _, err := q.addPost(ctx, tx, o); err != nil {
		return err
	}
	return exec(ctx, tx, `INSERT INTO shown (outbox_id, message_id, session_id, document_id)
		SELECT o.id, sh.message_id, sh.session_id, sh.document_id FROM outbox AS o JOIN shown AS sh ON sh.outbox_id = ?0 WHERE o.nonce = ?1
		UNION SELECT o.id, 0, 0, ci.document_id FROM outbox AS o JOIN citations AS ci ON ci.message_id = ?2 WHERE o.nonce = ?1
		ON CONFLICT DO NOTHING`, answer.ID, o.Nonce, m.ID)
}

// endRows settles the rows of an answer.
func (q *Queue) endRows(ctx context.Context, tx bun.Tx, session int64, a Answer) error {
	switch a.InboxState {
	case InboxCancelled:
		return q.cancelOpen(ctx, tx, session, a.Inbox, "")
	case "":
		a.InboxState = InboxDone
	}
	return q.closeRows(ctx, tx, session, a.Inbox, a.InboxState, "")
}

// storeAnswer stores an answer and everything known of it.
func (q *Queue) storeAnswer(ctx context.Context, tx bun.Tx, m *Message, a Answer) error {
	if m.Text == "" {
		return nil
	}
	m.Role = Assistant
	if m.PlatformID == "" {
		m.PlatformID = localID("answer:", a.Outbox)
	}
	if _, err := q.memory.append(ctx, tx, m, false); err != nil {
		return err
	}
	if err := postedAs(ctx, tx, m, a.Posts); err != nil {
		return err
	}
	for id, u := range a.Understanding {
		if err := q.memory.setUnderstanding(ctx, tx, id, u); err != nil {
			return err
		}
	}
	if a.Whole != "" {
		if err := exec(ctx, tx, `INSERT INTO wholes (message_id, text) VALUES (?, ?) ON CONFLICT DO NOTHING`, m.ID, a.Whole); err != nil {
			return err
		}
	}
	if err := setLedger(ctx, tx, m.ID, a.Ledger); err != nil {
		return err
	}
	for _, c := range a.Citations {
		c.MessageID = m.ID
		if _, err := tx.NewInsert().Model(&c).ExcludeColumn("id").Returning("NULL").Exec(ctx); err != nil {
			return err
		}
	}
	if a.Question != nil {
		question := *a.Question
		question.SessionID, question.AskedID, question.State, question.CreatedAt = m.SessionID, m.ID, QuestionOpen, q.Now()
		if _, err := tx.NewInsert().Model(&question).ExcludeColumn("id").Returning("NULL").Exec(ctx); err != nil {
			return err
		}
	}
	for _, id := range a.Interactions {
		if err := q.memory.setInteraction(ctx, tx, id, a.State); err != nil {
			return err
		}
		with := a.Message.InteractionID
		if id == with {
			with = 0
		}
		if _, err := tx.NewUpdate().Model((*Interaction)(nil)).Set("answered_with = ?", with).Where("id = ?", id).Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}
