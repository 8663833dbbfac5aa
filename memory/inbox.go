package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/uptrace/bun"
)

// InboxState is the state of an inbox row.
type InboxState string

const (
	InboxNew       InboxState = "new"       // to be answered, in the order of its session
	InboxCommand   InboxState = "quick"     // a command or a click, to be applied at once
	InboxDone      InboxState = "done"      // answered and delivered, or nothing to answer
	InboxSilent    InboxState = "silent"    // overheard, and not for us: no answer
	InboxCancelled InboxState = "cancelled" // stopped, or its message was erased first
	InboxDead      InboxState = "dead"      // gave up after too many attempts
)

// Inbox is one stored event. Seq orders the rows of a session.
type Inbox struct {
	bun.BaseModel `bun:"table:inbox,alias:ib"`
	ID            int64 `bun:",pk,autoincrement"`
	SessionID     int64
	Seq           int64
	Platform      string
	EventID       string
	Kind          string
	MessageID     int64
	Answer        bool // this event asked for an answer
	Overheard     bool // maybe not for us: its turn can end in silence
	Payload       string
	State         InboxState
	Subject       string // platform id of the message with the command
	Stop          Stop
	Attempts      int // turns begun over it; ClaimTurn counts them
	Crashes       int // of those, how many ended with the process
	Error         string
	CreatedAt     int64
	DoneAt        int64
}

// Incoming is an event as Receive stores it. Message is nil for an event without
// an utterance; of Message the platform id, role, author, text and time are
// used. Answer asks for a turn; Overheard for one that may end in silence. Interaction, if not 0, is the interaction that the message
// continues (the answer to a clarifying question). Command puts an event without
// a message into the command lane; Subject then names the utterance it came in.
type Incoming struct {
	Platform    string
	EventID     string
	Kind        string
	Key         Key
	Channel     Channel
	Person      Person
	Message     *Message
	Files       []File
	Ref         string // how the platform names a message of ours, so that it can be changed: of Backfill and KeepSince, or one that shows what a person asked
	Interaction int64
	Answer      bool
	Overheard   bool
	Command     bool
	Subject     string
	Payload     string
	Quiet       bool // of an edit: its message is not answered again

	// Refuse, if not nil, is asked before an edit has its message answered again, and reports that it has not: its author
	// asked too much.
	Refuse func() (bool, error)
}

// Received is the outcome of an Incoming. New is false for an event that was
// stored before: nothing was changed. Inbox.State is InboxNew if a turn is due.
type Received struct {
	New       bool
	Known     bool // its message was stored before, because of another event
	Session   *Session
	Person    *Person
	Message   *Message
	Inbox     *Inbox
	Unchecked bool    // the channel is unchecked: ask the platform who may read it
	Changed   []int64 // sessions whose messages an edit or a deletion changed
	Due       bool    // a compaction of the session is
}

var errDuplicate = errors.New("duplicate event")

// Receive stores an event and its message in one transaction, once: by event
// id, and by (session, platform message id) for its message. The session's row is
// locked first, so Seq order is commit order. A message that was erased before
// it arrived stays erased and is not answered.
func (q *Queue) Receive(ctx context.Context, in Incoming) (*Received, error) {
	var r Received
	err := q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		at, err := q.memory.locate(ctx, tx, in.Key, in.Channel, in.Person)
		if err != nil {
			return err
		}
		if in.Person.Kind == Guest && in.Channel.Kind != DM { // who may read along in silence from now on
			if err := q.memory.guestIn(ctx, tx, in.Key, in.Person.PlatformID); err != nil {
				return err
			}
		}
		if err := q.receive(ctx, tx, in, at, &r); err != nil {
			return err
		}
		if err := q.advance(ctx, tx, &r); err != nil || r.Message == nil {
			return err
		}
		r.Due, err = q.memory.scheduleCompaction(ctx, tx, r.Session.ID)
		return err
	})
	if errors.Is(err, errDuplicate) {
		return &Received{Session: r.Session, Person: r.Person, Unchecked: r.Unchecked}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("memory: receive event %s: %w", in.EventID, err)
	}
	return &r, nil
}

// ReceiveAll receives messages of one conversation that ask for no answer and bring no files, the first of some at least, as
// Receive does, in one transaction: up to the first that makes a compaction due, and not those that were stored before or
// deleted unless the first is one.
func (q *Queue) ReceiveAll(ctx context.Context, all []Incoming) (received []*Received, err error) {
	said := make([]*Message, len(all))
	for i, in := range all {
		m := *in.Message
		q.memory.render(&m) // which takes longer than to store it
		said[i] = &m
	}
	err = q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		received, err = q.receiveAll(ctx, tx, all, said)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("memory: receive events from %s on: %w", all[0].EventID, err)
	}
	if len(received) > 0 {
		return received, nil
	}
	r, err := q.Receive(ctx, all[0])
	return []*Received{r}, err
}

func (q *Queue) receiveAll(ctx context.Context, tx bun.Tx, all []Incoming, said []*Message) (received []*Received, err error) {
	authors := map[Person]located{}
	for i, in := range all {
		at, known := authors[in.Person]
		if !known {
			if at, err = q.memory.locate(ctx, tx, in.Key, in.Channel, in.Person); err != nil {
				return nil, err
			}
			authors[in.Person] = at
		}
		r := &Received{New: true, Session: at.session, Person: at.person, Unchecked: at.unchecked, Message: said[i]}
		if i > 0 {
			r.Session = received[0].Session
		}
		r.Inbox = &Inbox{SessionID: r.Session.ID, Seq: r.Session.Seq + int64(i) + 1, Platform: in.Platform, EventID: in.EventID,
			Kind: in.Kind, Subject: in.Subject, State: InboxDone, CreatedAt: q.Now()}
		at.place(r.Message)
		received = append(received, r)
	}
	fresh, err := q.memory.unknown(ctx, tx, all, received[0].Session)
	if err != nil || fresh == 0 {
		return nil, err
	}
	n, opened, due, err := q.memory.untilDue(ctx, tx, said[:fresh])
	if err != nil {
		return nil, err
	}
	received, said = received[:n], said[:n]
	if err := insertAll(ctx, tx, opened, func(i *Interaction) *int64 { return &i.ID }); err != nil {
		return nil, err
	}
	for _, m := range said {
		if m.InteractionID >= notStored {
			m.InteractionID = opened[m.InteractionID-notStored].ID
		}
	}
	if err := insertAll(ctx, tx, said, func(m *Message) *int64 { return &m.ID }); err != nil {
		return nil, err
	}
	var rows []*Inbox
	for _, r := range received {
		r.Inbox.MessageID = r.Message.ID
		rows = append(rows, r.Inbox)
	}
	if err := insertAll(ctx, tx, rows, func(i *Inbox) *int64 { return &i.ID }); err != nil {
		return nil, err
	}
	received[0].Session.Seq, received[n-1].Due = rows[n-1].Seq, due
	return received, q.advance(ctx, tx, received...)
}

// insertAll inserts rows and sets their ids, which grow in their order.
func insertAll[T any](ctx context.Context, tx bun.IDB, rows []*T, id func(*T) *int64) error {
	if len(rows) == 0 {
		return nil
	}
	var ids []int64
	if err := tx.NewInsert().Model(&rows).ExcludeColumn("id").Returning("id").Scan(ctx, &ids); err != nil {
		return err
	}
	slices.Sort(ids) // they are given in order, and returned in any
	for i, row := range rows {
		*id(row) = ids[i]
	}
	return nil
}

// receive stores an event and its message at its place.
func (q *Queue) receive(ctx context.Context, tx bun.Tx, in Incoming, at located, r *Received) error {
	r.Session, r.Person, r.Unchecked = at.session, at.person, at.unchecked
	r.Inbox = &Inbox{SessionID: r.Session.ID, Seq: r.Session.Seq + 1, Platform: in.Platform, EventID: in.EventID,
		Kind: in.Kind, Subject: in.Subject, State: InboxDone, CreatedAt: q.Now()}
	if in.Command {
		r.Inbox.State, r.Inbox.Payload = InboxCommand, in.Payload
	}
	if in.Message != nil {
		if err := q.receiveMessage(ctx, tx, in, r); err != nil {
			return err
		}
	}
	if err := q.insert(ctx, tx, r); err != nil {
		return err
	}
	r.New = true
	return nil
}

// receiveMessage stores the message of an event, or finds it if another event
// brought it, and decides whether a turn is due.
func (q *Queue) receiveMessage(ctx context.Context, tx bun.Tx, in Incoming, r *Received) error {
	m := *in.Message
	located{session: r.Session, person: r.Person}.place(&m)
	m.InteractionID = in.Interaction
	fresh, err := q.memory.append(ctx, tx, &m, in.Answer)
	if err != nil {
		return err
	}
	r.Message, r.Known = &m, !fresh
	r.Inbox.MessageID = m.ID
	if fresh && m.ErasedAt == 0 {
		if err := q.memory.attach(ctx, tx, &m, in.Files); err != nil {
			return err
		}
		if in.Ref != "" {
			if _, err := q.addPosted(ctx, tx, &m, in.Ref); err != nil {
				return err
			}
		}
	}
	if !in.Answer && !in.Overheard || m.ErasedAt > 0 {
		return nil
	}
	r.Inbox.Answer, r.Inbox.Overheard = in.Answer, !in.Answer
	if !fresh {
		if in.Answer {
			if err := q.answerOverheard(ctx, tx, "message_id = ?", m.ID); err != nil {
				return err
			}
		}
		asked, err := tx.NewSelect().Model((*Inbox)(nil)).Where("message_id = ? AND (answer OR overheard AND ?)", m.ID, in.Overheard).Exists(ctx)
		if err != nil || asked || in.Overheard {
			return err
		}
		if err := q.memory.setInteraction(ctx, tx, m.InteractionID, InteractionOpen); err != nil {
			return err
		}
	}
	r.Inbox.State, r.Inbox.Payload = InboxNew, in.Payload
	return nil
}

// enqueue inserts the inbox row of an event and moves the session's counters, or returns
// errDuplicate.
func (q *Queue) enqueue(ctx context.Context, tx bun.Tx, r *Received) error {
	if err := q.insert(ctx, tx, r); err != nil {
		return err
	}
	return q.advance(ctx, tx, r)
}

func (q *Queue) insert(ctx context.Context, tx bun.Tx, r *Received) error {
	res, err := tx.NewInsert().Model(r.Inbox).ExcludeColumn("id").
		On("CONFLICT DO NOTHING").Returning("id").Exec(ctx) // by event id, or by subject
	if orNone(err) != nil {
		return err
	}
	if res != nil {
		if n, _ := res.RowsAffected(); n == 0 {
			return errDuplicate
		}
	}
	r.Session.Seq = r.Inbox.Seq
	return nil
}

// advance moves the counters of the session of events whose inbox rows were inserted.
func (q *Queue) advance(ctx context.Context, tx bun.Tx, events ...*Received) error {
	pending, joined := 0, false
	for _, r := range events {
		if r.Inbox.State == InboxNew {
			pending++
		}
		joined = joined || r.Inbox.Answer
	}
	session := events[0].Session
	_, err := tx.NewUpdate().Model(session).WherePK().
		Set("seq = ?, updated_at = ?", session.Seq, q.Now()).
		Set("pending = pending + ?, joined = joined OR ?", pending, joined).
		Set("ready_at = CASE WHEN lease_owner = '' AND ready_at > ? THEN ? ELSE ready_at END", q.Now(), q.Now()).
		Returning("*").Exec(ctx)
	return err
}

// Waiting returns how many messages of a person, by their platform id, wait for an answer in the workspace of a key.
func (q *Queue) Waiting(ctx context.Context, key Key, person string) (n int, err error) {
	err = q.reader.NewRaw(`SELECT COUNT(*) FROM inbox AS ib JOIN messages AS m ON m.id = ib.message_id JOIN people AS p ON p.id = m.person_id
		WHERE ib.state = ? AND ib.answer AND p.platform = ? AND p.workspace = ? AND p.platform_id = ?`, InboxNew, key.Platform, key.Workspace, person).Scan(ctx, &n)
	return n, err
}

// AskedByPrograms returns how many messages of programs in the channel of a key have asked for an answer since a time
// in milliseconds UTC, and how many of these came after the last message of a person there.
func (q *Queue) AskedByPrograms(ctx context.Context, channel Key, since int64) (all, row int, err error) {
	var n struct{ Total, InRow int }
	err = q.reader.NewRaw(`WITH place AS (SELECT id FROM channels WHERE platform = ? AND workspace = ? AND channel = ?)
		SELECT COUNT(*) AS total, COALESCE(SUM(CASE WHEN m.id > (SELECT COALESCE(MAX(h.id), 0) FROM messages AS h LEFT JOIN people AS p ON p.id = h.person_id
			WHERE h.channel_id = (SELECT id FROM place) AND h.role = ? AND COALESCE(p.kind, '') <> ?) THEN 1 ELSE 0 END), 0) AS in_row
		FROM inbox AS ib JOIN messages AS m ON m.id = ib.message_id JOIN people AS p ON p.id = m.person_id AND p.kind = ?
		WHERE m.channel_id = (SELECT id FROM place) AND ib.created_at >= ? AND (ib.answer OR ib.overheard)`,
		channel.Platform, channel.Workspace, channel.Channel, User, Bot, Bot, since).Scan(ctx, &n)
	return n.Total, n.InRow, wrap("count what programs asked", err)
}

// closeRows moves inbox rows out of InboxNew and counts them off their session.
func (q *Queue) closeRows(ctx context.Context, tx bun.Tx, session int64, rows []int64, state InboxState, reason string) error {
	if len(rows) == 0 {
		return nil
	}
	res, err := tx.NewUpdate().Model((*Inbox)(nil)).
		Set("state = ?, error = ?, payload = '', done_at = ?", state, reason, q.Now()).
		Where("id IN (?) AND session_id = ? AND state = ?", bun.List(rows), session, InboxNew).Exec(ctx)
	if err != nil {
		return err
	}
	n, _ := res.RowsAffected()
	_, err = tx.NewUpdate().Model((*Session)(nil)).Set("pending = pending - ?", n).Where("id = ?", session).Exec(ctx)
	return err
}

// InboxRows returns the inbox rows with these ids, in order.
func (q *Queue) InboxRows(ctx context.Context, ids []int64) (rows []*Inbox, err error) {
	err = q.reader.NewSelect().Model(&rows).Where("id IN (?)", bun.List(ids)).Order("seq").Scan(ctx)
	return rows, err
}
