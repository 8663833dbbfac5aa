package memory

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"threadkeeper/memory/rank"
)

// OpenQuestion returns the unanswered clarifying question of a session, or ErrNotFound.
func (q *Queue) OpenQuestion(ctx context.Context, session int64) (*Question, error) {
	return q.question(ctx, "session_id = ? AND state = ?", session, QuestionOpen)
}

// QuestionByToken returns the question a button belongs to, or ErrNotFound.
func (q *Queue) QuestionByToken(ctx context.Context, token string) (*Question, error) {
	return q.question(ctx, "token = ?", token)
}

// Question returns the question with this id, or ErrNotFound.
func (q *Queue) Question(ctx context.Context, id int64) (*Question, error) {
	return q.question(ctx, "id = ?", id)
}

// QuestionBefore returns the question that a message answers, or ErrNotFound.
func (q *Queue) QuestionBefore(ctx context.Context, m *Message) (*Question, error) {
	return q.question(ctx, "interaction_id = ? AND message_id < ? AND state = ?", m.InteractionID, m.ID, QuestionAnswered)
}

// What a question keeps of the answer that it is to be answered as it is, and of one in free words.
const (
	AnswerJust    = "just answer"
	AnswerInWords = "text"
)

// choiceHolds is how long the answer to a question stands for the same words, in milliseconds: a conversation may last for years.
const choiceHolds = 30 * 24 * 3600 * 1000

// AskedBefore is the last closed question of a session in 30 days that was about the same words, whatever became of it; one
// that nobody answered only if this person had been asked. ErrNotFound for none.
func (q *Queue) AskedBefore(ctx context.Context, session, person int64, words string) (*Question, error) {
	var closed []*struct {
		Question  `bun:",extend"`
		Requested string
	}
	err := q.reader.NewSelect().Model(&closed).ColumnExpr("q.*, m.text AS requested").
		Join("JOIN messages AS m ON m.id = q.message_id AND m.erased_at = 0").
		Where("q.session_id = ? AND q.created_at > ? AND q.text <> '' AND (q.state = ? OR q.state = ? AND q.person_id = ?)",
			session, q.Now()-choiceHolds, QuestionAnswered, QuestionCancelled, person).Order("q.id DESC").Scan(ctx)
	same := rank.Words(words)
	for _, c := range closed {
		if len(same) > 0 && slices.Equal(rank.Words(c.Requested), same) {
			for _, last := range closed { // it may have been asked again, after a number that it did not offer
				if last.InteractionID == c.InteractionID {
					return &last.Question, nil
				}
			}
		}
	}
	return nil, cmp.Or(wrap("look for a question of the same words", err), ErrNotFound)
}

// quietFor is how long a person is asked nothing who has left ignoredQuestions without an answer.
const (
	quietFor         = 7 * 24 * 3600 * 1000 // milliseconds
	ignoredQuestions = 2
)

// LeavesQuestions reports whether a person left our last two closed questions of seven days without an answer, or wanted none.
func (q *Queue) LeavesQuestions(ctx context.Context, person int64) (bool, error) {
	var last []*Question
	err := q.reader.NewSelect().Model(&last).Where("person_id = ? AND created_at > ? AND text <> '' AND state <> ?", person, q.Now()-quietFor, QuestionOpen).
		Order("id DESC").Limit(ignoredQuestions).Scan(ctx)
	answered := func(l *Question) bool { return l.State == QuestionAnswered && l.Answer != AnswerJust }
	return len(last) == ignoredQuestions && !slices.ContainsFunc(last, answered), wrap("look at the last questions", err)
}

func (q *Queue) question(ctx context.Context, condition string, args ...any) (*Question, error) {
	question := new(Question)
	err := q.reader.NewSelect().Model(question).Where(condition, args...).Order("id DESC").Limit(1).Scan(ctx)
	return question, missing(err)
}

// CloseQuestion closes a question; false if it was closed before. It also ends the
// interaction of a cancelled one, unless another message of it still waits.
func (q *Queue) CloseQuestion(ctx context.Context, id int64, answer string, state QuestionState) (done bool, err error) {
	err = q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		done, err = q.closeQuestion(ctx, tx, id, answer, state)
		return err
	})
	return done, err
}

func (q *Queue) closeQuestion(ctx context.Context, tx bun.Tx, id int64, answer string, state QuestionState) (bool, error) {
	done, err := affects(tx.NewUpdate().Model((*Question)(nil)).
		Set("state = ?, answer = ?, answered_at = ?", state, Clean(answer), q.Now()).
		Where("id = ? AND state = ?", id, QuestionOpen).Exec(ctx))
	if err != nil || !done {
		return false, err
	}
	if err := q.showClosed(ctx, tx, "q.id = ?", id); err != nil || state != QuestionCancelled {
		return true, err
	}
	_, err = tx.NewRaw(`UPDATE interactions SET state = ?, closed_at = ?
		WHERE id = (SELECT interaction_id FROM questions WHERE id = ?) AND state = ?
		AND NOT EXISTS (SELECT 1 FROM messages AS m JOIN inbox AS ib ON ib.message_id = m.id
			WHERE m.interaction_id = interactions.id AND ib.state = ?)`,
		InteractionCancelled, q.Now(), id, InteractionOpen, InboxNew).Exec(ctx)
	return true, err
}

// showClosed lets the posts of closed questions be edited, so that they show what
// became of them and no buttons; which questions, says a condition.
func (q *Queue) showClosed(ctx context.Context, tx bun.Tx, condition string, args ...any) error {
	return exec(ctx, tx, `INSERT INTO outbox (session_id, nonce, kind, state, ref, created_at)
		SELECT q.session_id, ? || q.token, ?, ?, o.ref, ? FROM questions AS q
			JOIN outbox AS o ON o.id = (SELECT MIN(id) FROM outbox WHERE message_id = q.asked_id AND message_id > 0)
			WHERE q.state <> ? AND o.ref <> '' AND `+condition+`
		ON CONFLICT (nonce) DO UPDATE SET kind = EXCLUDED.kind, state = EXCLUDED.state, attempts = 0, next_at = 0`,
		append([]any{closedNonce, PostQuestionClosed, OutboxReady, q.Now(), QuestionOpen}, args...)...)
}

const closedNonce = "closed:"

// OutboxClosedQuestion returns the closed question that a post of the kind PostQuestionClosed is about,
// our message that asks it, and the nonce it was posted under; ErrNotFound if it is no
// longer stored.
func (q *Queue) OutboxClosedQuestion(ctx context.Context, o *Outbox) (*Question, *Message, string, error) {
	question, err := q.QuestionByToken(ctx, strings.TrimPrefix(o.Nonce, closedNonce))
	if err != nil {
		return nil, nil, "", err
	}
	m, err := q.memory.Message(ctx, question.AskedID)
	if err != nil {
		return nil, nil, "", err
	}
	var nonce string
	err = q.reader.NewRaw(`SELECT nonce FROM outbox WHERE message_id = ? ORDER BY id LIMIT 1`, m.ID).Scan(ctx, &nonce)
	return question, m, nonce, missing(err)
}

// Awaited is the answer of an open question whose person chose none of
// the options: the next message is the answer, whatever it says.
const Awaited = "something else"

// AwaitFreeAnswer marks an open question Awaited.
func (q *Queue) AwaitFreeAnswer(ctx context.Context, id int64) error {
	return q.exec(ctx, "UPDATE questions SET answer = ? WHERE id = ? AND state = ?", Awaited, id, QuestionOpen)
}

// QuestionAnswer is the answer to a question.
type QuestionAnswer struct {
	Question *Question
	Row      int64  // the inbox row of the message or the click
	Answer   string // what the question keeps
	Payload  string // what the row is from then on
}

// AnswerByMessage closes a question with the answer in a message, and stores that
// in the payload of the message's inbox row, so that a restarted turn reads the
// message the same way. The message joins the question's interaction.
func (q *Queue) AnswerByMessage(ctx context.Context, l *Lease, a QuestionAnswer, m *Message) error {
	err := q.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		if err := q.fence(ctx, tx, l, "updated_at = ?", q.Now()); err != nil {
			return err
		}
		if done, err := q.closeQuestion(ctx, tx, a.Question.ID, a.Answer, QuestionAnswered); err != nil || !done {
			return err
		}
		if _, err := tx.NewUpdate().Model((*Inbox)(nil)).Set("payload = ?", a.Payload).
			Where("id = ? AND state = ?", a.Row, InboxNew).Exec(ctx); err != nil {
			return err
		}
		own, theirs := m.InteractionID, a.Question.InteractionID
		m.InteractionID = theirs
		if _, err := tx.NewUpdate().Model(m).Column("interaction_id").WherePK().Exec(ctx); err != nil {
			return err
		}
		if err := q.memory.setInteraction(ctx, tx, theirs, InteractionOpen); err != nil || own == theirs {
			return err
		}
		return exec(ctx, tx, `DELETE FROM interactions WHERE id = ? AND NOT EXISTS
			(SELECT 1 FROM messages WHERE interaction_id = ?)`, own, own)
	})
	return wrap("answer question", err)
}

// AnswerByClick answers a question by a click: the click's row becomes a request with
// a message; only its author and text are used. It returns false, and changes nothing, if the
// question or the row was closed before.
func (q *Queue) AnswerByClick(ctx context.Context, a QuestionAnswer, m Message) (bool, error) {
	question, done := a.Question, false
	err := q.Write(ctx, func(ctx context.Context, tx bun.Tx) (err error) {
		if done, err = q.closeQuestion(ctx, tx, question.ID, a.Answer, QuestionAnswered); err != nil || !done {
			return err
		}
		session := new(Session)
		if err := tx.NewSelect().Model(session).Where("id = ?", question.SessionID).Scan(ctx); err != nil {
			return missing(err)
		}
		m := &Message{SessionID: session.ID, ChannelID: session.ChannelID, InteractionID: question.InteractionID, PersonID: question.PersonID,
			Role: User, Author: m.Author, Text: m.Text, PlatformID: localID(localPrefixClick, a.Row)}
		if _, err := q.memory.append(ctx, tx, m, true); err != nil {
			return err
		}
		done, err = q.requeue(ctx, tx, a.Row, []int64{m.ID}, a.Payload)
		if err == nil && !done {
			return errDuplicate
		}
		return err
	})
	if errors.Is(err, errDuplicate) {
		return false, nil
	}
	return done && err == nil, wrap("answer question", err)
}

// OfferedOptions returns the options our questions of a session offered, by the id of our message that asked. None is no error.
func (q *Queue) OfferedOptions(ctx context.Context, session int64) (map[int64][]Option, error) {
	var all []*Question
	err := q.reader.NewSelect().Model(&all).Where("session_id = ? AND asked_id > 0", session).Scan(ctx)
	offered := map[int64][]Option{}
	for _, one := range all {
		offered[one.AskedID] = one.Options
	}
	return offered, wrap("offered options", err)
}
