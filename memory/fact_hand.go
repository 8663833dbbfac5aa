package memory

import (
	"cmp"
	"context"
	"slices"

	"github.com/uptrace/bun"
)

// Origins of a fact that somebody gave a command for: it survives the rebuilding of its segment.
const (
	Remembered = "remembered" // somebody asked to have it remembered
	Corrected  = "corrected"  // somebody put another right
)

// Known is a fact as people see it: with the first message it rests on, and that message's words.
type Known struct {
	Fact      `bun:",extend"`
	MessageID int64
	Quote     string
}

// knownFacts is the most facts of a kind in a list, and of those held back: the heaviest of them.
const knownFacts = 60

// mostFacts is the most facts of a list: six kinds, and those held back.
const mostFacts = 7 * knownFacts

// Facts returns the active facts of a session in the order of its snapshot, what was only said the newest first, then those that are held back. The caller
// checks that the audience may see the session.
func (v *Views) Facts(ctx context.Context, session int64) ([]Known, error) {
	return v.facts(ctx, "fa.id IN ("+heaviest+` UNION ALL
		SELECT id FROM (SELECT id FROM facts WHERE session_id = ?0 AND state = ?2 AND text <> '' ORDER BY weight DESC, id DESC LIMIT ?1))`, session, knownFacts, FactQuarantined)
}

func (v *Views) facts(ctx context.Context, condition string, args ...any) (facts []Known, err error) {
	err = v.reader.NewSelect().Model(&facts).ColumnExpr("fa.*").ColumnExpr("fs.message_id, fs.quote").
		Join("JOIN fact_sources AS fs ON fs.fact_id = fa.id AND fs.message_id = (SELECT MIN(message_id) FROM fact_sources WHERE fact_id = fa.id)").
		Where(condition, args...).Where("(fa.valid_to = 0 OR fa.valid_to > ?) AND fa.text <> ''", v.Now()).
		OrderExpr("fa.state, fa.pinned DESC, fa.weight DESC, fa.id DESC").Limit(mostFacts).Scan(ctx)
	return asListed(facts), wrap("list facts", err)
}

// Stated returns the facts of a session, and what its messages state that are not folded yet: an ID of 0.
func (v *Views) Stated(ctx context.Context, session int64) ([]Known, error) {
	facts, err := v.Facts(ctx, session)
	if err != nil {
		return nil, err
	}
	return v.withUnfolded(ctx, session, facts)
}

// New is Stated without what was said before the messages that the last fold took.
func (v *Views) New(ctx context.Context, session int64) ([]Known, error) {
	facts, err := v.facts(ctx, `fa.session_id = ?0 AND fa.state IN (?1, ?2) AND fs.message_id >= (SELECT COALESCE(MAX(from_id), 0) FROM compactions
		WHERE session_id = ?0 AND state = 'done' AND kind = ?3 AND reason <> ?4)`, session, FactActive, FactQuarantined, Fold, goesOn)
	if err != nil {
		return nil, err
	}
	return v.withUnfolded(ctx, session, facts)
}

func (v *Views) withUnfolded(ctx context.Context, session int64, facts []Known) ([]Known, error) {
	fresh, err := v.memory.Unfolded(ctx, session)
	for _, k := range fresh {
		if k.ID == 0 {
			facts = append(facts, k.Known)
		}
	}
	return asListed(facts), err
}

func asListed(facts []Known) []Known {
	slices.SortStableFunc(facts, func(a, b Known) int {
		if place := factPlace(a); place != factPlace(b) || a.Heading() != Said {
			return place - factPlace(b)
		}
		return cmp.Compare(b.AssertedAt, a.AssertedAt)
	})
	return facts
}

// factPlace is the place of a fact's kind in a list: as in a snapshot, and held-back facts last.
func factPlace(k Known) int {
	if k.State == FactQuarantined {
		return 100
	}
	return slices.Index([]FactKind{Preference, Constraint, Todo, OpenQuestion, Decision, KeyFact, Said}, k.Heading())
}

// Said returns the messages that a fact rests on, and the one with an id, oldest first, as far as an audience may see them.
func (v *Views) Said(ctx context.Context, a Audience, fact, message int64) (messages []*Message, err error) {
	q := v.reader.NewSelect().Model(&messages).Where("m.erased_at = 0").
		Where("(m.id = ? OR m.id IN (SELECT message_id FROM fact_sources WHERE fact_id = ?))", message, fact).Order("m.id")
	err = a.VisibleMessages(q).Scan(ctx)
	return messages, wrap("load what a fact rests on", err)
}

// PinFact pins a fact, so that it comes before others of its kind, or unpins it; it returns which. ErrNotFound if it is not an
// active one of the session.
func (s *Store) PinFact(ctx context.Context, session, fact int64) (pinned bool, err error) {
	err = s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		err := tx.NewRaw("UPDATE facts SET pinned = NOT pinned WHERE id = ? AND session_id = ? AND state = ? RETURNING pinned",
			fact, session, FactActive).Scan(ctx, &pinned)
		if err != nil {
			return missing(err)
		}
		return s.renderSnapshot(ctx, tx, session)
	})
	return pinned, err
}

// Note is text that a person wants to keep in a session: a fact of its own, or the correction of the fact
// Corrects. It is also stored as a message of theirs, which it rests on, so that it is erased with that message.
type Note struct {
	Session    *Session
	Person     *Person
	ID         string // the same note twice is one, which says what the second says; the platform id of the message it was typed in, if there is one: it is erased with that
	Text       string
	Corrects   int64 // 0 for none
	ForChannel bool
}

// NotePrefix begins the platform id of a message made for a note, before the note's: the platform does not know it.
const NotePrefix = "note:"

// Remember stores a note. ErrNotFound if the fact to correct is not active.
func (s *Store) Remember(ctx context.Context, n Note) error {
	err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		f := &Fact{SessionID: n.Session.ID, ChannelID: n.Session.ChannelID, PersonID: n.Person.ID, Kind: KeyFact, Subject: n.Person.Name,
			State: FactActive, Origin: Remembered, Pinned: n.Corrects == 0, ForChannel: n.ForChannel, RecordedAt: s.Now(), Weight: salience(n.Text)}
		if c, ok := claimOf(Line{Author: n.Person.Name, Role: User, At: s.Now(), Said: n.Text}, n.Text); ok && !c.Quarantined {
			f.Kind, f.ValidTo = c.Kind, c.ExpiresAt
		}
		m := &Message{SessionID: n.Session.ID, ChannelID: n.Session.ChannelID, PersonID: n.Person.ID, Role: User, Author: n.Person.Name,
			PlatformID: NotePrefix + n.ID, Text: n.Text}
		fresh, err := s.append(ctx, tx, m, false)
		if err == nil && !fresh && m.ErasedAt == 0 && m.Text != Clean(n.Text) { // it was edited while it was stored
			return s.editNote(ctx, tx, m, Clean(n.Text), n.ForChannel)
		}
		if err != nil || !fresh || m.ErasedAt > 0 {
			return err
		}
		if n.Corrects != 0 {
			if err := s.replaceFact(ctx, tx, n, f); err != nil {
				return err
			}
		}
		f.Text, f.AssertedAt = (Line{Author: n.Person.Name, Role: User}).Name()+": "+m.Text, max(m.At, f.AssertedAt)
		if _, err := tx.NewInsert().Model(f).ExcludeColumn("id").Returning("id").Exec(ctx); err != nil {
			return err
		}
		source := FactSource{FactID: f.ID, MessageID: m.ID, Rev: m.Rev, Quote: m.Text}
		if _, err := tx.NewInsert().Model(&source).Returning("NULL").Exec(ctx); err != nil {
			return err
		}
		if err := replacedBy(ctx, tx, n.Corrects, f); err != nil {
			return err
		}
		if err := s.decideSlots(ctx, tx, n.Session.ID, []string{f.Slot}); err != nil {
			return err
		}
		return s.renderSnapshot(ctx, tx, n.Session.ID)
	})
	return wrap("remember", err)
}

// editNote gives a note, and the fact that it made, another text.
func (s *Store) editNote(ctx context.Context, tx bun.Tx, m *Message, text string, forChannel bool) error {
	author := (Line{Author: m.Author, Role: User}).Name()
	var made []*Fact
	err := tx.NewSelect().Model(&made).Where("state = ? AND origin IN (?, ?) AND text = ?", FactActive, Remembered, Corrected, author+": "+m.Text).
		Where("id IN (SELECT fact_id FROM fact_sources WHERE message_id = ?)", m.ID).Scan(ctx)
	if err != nil {
		return err
	}
	if _, err := s.edit(ctx, tx, m, text, nil, leavingOf([]*Message{m}), false); err != nil {
		return err
	}
	for _, f := range made { // which the edit emptied
		f.Text, f.ForChannel, f.Weight = author+": "+m.Text, forChannel, salience(m.Text)
		if f.Origin == Remembered { // a correction holds for ever
			c, _ := claimOf(Line{Author: m.Author, Role: User, At: m.At, Said: m.Text}, m.Text)
			f.ValidTo = c.ExpiresAt
		}
		if _, err := tx.NewUpdate().Model(f).WherePK().Exec(ctx); err != nil {
			return err
		}
		source := FactSource{FactID: f.ID, MessageID: m.ID, Rev: m.Rev, Quote: m.Text}
		if _, err := tx.NewDelete().Model(&source).WherePK().Exec(ctx); err != nil {
			return err
		}
		if _, err := tx.NewInsert().Model(&source).Returning("NULL").Exec(ctx); err != nil {
			return err
		}
		if err := s.decideSlots(ctx, tx, f.SessionID, []string{f.Slot}); err != nil {
			return err
		}
	}
	return s.renderSnapshot(ctx, tx, m.SessionID)
}

// replaceFact makes a fact the successor of the one that a note corrects: of its kind, person and slot, and pinned as it is.
func (s *Store) replaceFact(ctx context.Context, tx bun.IDB, n Note, f *Fact) error {
	old, err := first[Fact](ctx, tx, "id = ? AND session_id = ? AND state = ?", n.Corrects, n.Session.ID, FactActive)
	if err == nil {
		err = ownSlot(ctx, tx, old)
	}
	if err != nil {
		return err
	}
	f.Kind, f.PersonID, f.Subject, f.Slot, f.SlotName = old.Kind, old.PersonID, old.Subject, old.Slot, old.SlotName
	f.AssertedAt = old.AssertedAt + 1 // it counts as later, whatever the clocks say
	f.ValidTo = 0                     // what it corrects does not come back
	f.Origin, f.Pinned, f.ForChannel, f.Weight = Corrected, old.Pinned, old.ForChannel, max(f.Weight, old.Weight)
	return nil
}
