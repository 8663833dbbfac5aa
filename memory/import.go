package memory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/uptrace/bun"
)

// ErrNotEmpty is returned by Import for a thread that has messages.
var ErrNotEmpty = errors.New("the thread has messages")

// notImported is the Reason of a document whose name an export has, and not its content.
const notImported = "only its name was imported"

// Import restores a conversation that Export wrote into a thread without messages, else ErrNotEmpty: including its
// summaries, and its ids where they are free. who is the person behind an author's name. No imported message
// waits for an answer, and only the names of its documents are restored.
func (s *Store) Import(ctx context.Context, key Key, channel Channel, who func(author string) Person, r io.Reader) (*Session, error) {
	i := &importing{store: s, channel: channel, who: who, people: map[string]int64{}, documents: map[string]int64{}}
	err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		i.tx = tx
		at, err := s.locate(ctx, tx, key, channel, Person{})
		if err != nil {
			return err
		}
		i.session = at.session
		if has, err := tx.NewSelect().Model((*Message)(nil)).Where("session_id = ?", i.session.ID).Exists(ctx); has || err != nil {
			return errors.Join(err, ErrNotEmpty)
		}
		if err := i.lines(ctx, json.NewDecoder(r)); err != nil {
			return err
		}
		// In the exports of older programs what was replaced holds until the other was said.
		if err := exec(ctx, tx, `UPDATE facts SET valid_to = 0 WHERE session_id = ? AND superseded_by > 0
			AND valid_to = (SELECT later.asserted_at FROM facts AS later WHERE later.id = facts.superseded_by)`, i.session.ID); err != nil {
			return err
		}
		_, err = s.scheduleCompaction(ctx, tx, i.session.ID)
		return err
	})
	return i.session, wrap("import", err)
}

type importing struct {
	store     *Store
	channel   Channel
	tx        bun.Tx
	who       func(author string) Person
	session   *Session
	messages  int64            // added to the ids of messages
	requests  int64            // to those of interactions
	facts     int64            // to those of facts
	last      int64            // message of the file
	opened    int64            // interaction of the file, the last one
	people    map[string]int64 // by author
	documents map[string]int64 // the last of each name
}

func (i *importing) lines(ctx context.Context, in *json.Decoder) error {
	take := map[string]func(context.Context, json.RawMessage) error{"session": parsed(i.head), "message": parsed(i.message), "segment": parsed(i.segment),
		"fact": parsed(i.fact), "snapshot": parsed(i.snapshot), "compaction": parsed(i.compaction)}
	for n := 1; ; n++ {
		var line json.RawMessage
		err := in.Decode(&line)
		if errors.Is(err, io.EOF) {
			return nil
		}
		var is struct{ Type string }
		if err == nil {
			err = json.Unmarshal(line, &is)
		}
		switch {
		case err != nil:
			return fmt.Errorf("line %d is not a JSON object of an export: %w", n, err)
		case n > 1 && is.Type == "session":
			return fmt.Errorf("line %d begins another conversation: import it from a file of its own", n)
		case take[is.Type] == nil, (n == 1) != (is.Type == "session"):
			return fmt.Errorf("line %d: a %q does not stand here in an export", n, is.Type)
		}
		if err := take[is.Type](ctx, line); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
}

// parsed reads a line before it is taken.
func parsed[T any](take func(context.Context, T) error) func(context.Context, json.RawMessage) error {
	return func(ctx context.Context, line json.RawMessage) error {
		var in T
		if err := json.Unmarshal(line, &in); err != nil {
			return err
		}
		return take(ctx, in)
	}
}

// head sets the session's own values, and finds out which ids are taken.
func (i *importing) head(ctx context.Context, in exportedSession) error {
	taken := true
	if in.ID > 0 {
		var err error
		if taken, err = i.tx.NewSelect().Model((*Session)(nil)).Where("id = ?", in.ID).Exists(ctx); err != nil {
			return err
		}
	}
	id := i.session.ID
	if !taken {
		i.session.ID = in.ID
	}
	err := i.tx.NewRaw(`SELECT (SELECT COALESCE(MAX(id), 0) FROM messages), (SELECT COALESCE(MAX(id), 0) FROM interactions), (SELECT COALESCE(MAX(id), 0) FROM facts)`).
		Scan(ctx, &i.messages, &i.requests, &i.facts)
	if err != nil {
		return err
	}
	if in.Watermark > 0 {
		i.session.Watermark = in.Watermark + i.messages
	}
	_, err = i.tx.NewRaw(`UPDATE sessions SET id = ?, title = ?, watermark = ?, threshold = ? WHERE id = ?`,
		i.session.ID, in.Title, i.session.Watermark, in.Threshold, id).Exec(ctx)
	if err != nil {
		return err
	}
	// Forks of this thread that were taken in before it.
	_, err = i.tx.NewRaw("UPDATE sessions SET parent_id = ?, parent_upto = parent_upto + ? WHERE parent_id = ?", i.session.ID, i.messages, id).Exec(ctx)
	if err != nil || in.Forked == nil || in.Key.Platform != i.session.Platform || in.Key.Workspace != i.session.Workspace || in.Key.Channel != i.session.Channel {
		return err
	}
	return i.forked(ctx, *in.Forked)
}

// forked makes the session go on from the thread it was forked from. If that is not here yet, it is there without messages
// and waits for its export; another thread of that name is not its past.
func (i *importing) forked(ctx context.Context, from exportedAt) error {
	key := i.session.Key
	if from.Thread == key.Thread {
		return nil
	}
	key.Thread = from.Thread
	parent, err := i.store.locate(ctx, i.tx, key, i.channel, Person{})
	if err != nil {
		return err
	}
	var said []struct {
		ID         int64
		PlatformID string
	}
	err = i.tx.NewRaw("SELECT id, platform_id FROM messages WHERE session_id = ? ORDER BY platform_id = ? DESC LIMIT 1",
		parent.session.ID, importedID(key, from.Message)).Scan(ctx, &said)
	switch {
	case err != nil:
		return err
	case len(said) > 0 && said[0].PlatformID != importedID(key, from.Message):
		return nil
	case len(said) > 0:
		from.Message = said[0].ID
	}
	_, err = i.tx.NewRaw("UPDATE sessions SET parent_id = ?, parent_upto = ? WHERE id = ?", parent.session.ID, from.Message, i.session.ID).Exec(ctx)
	return err
}

// importedID is the platform id of a message that is imported, by its id in the file.
func importedID(key Key, message int64) string {
	return fmt.Sprintf("import:%s:%d", key.Thread, message)
}

func (i *importing) message(ctx context.Context, in exportedMessage) error {
	at, err := time.Parse(time.RFC3339Nano, in.At)
	switch {
	case err != nil:
		return fmt.Errorf("at: %q is not an RFC 3339 time", in.At)
	case in.Role != User && in.Role != Assistant:
		return fmt.Errorf("role: %q is neither user nor assistant", in.Role)
	case in.ID <= i.last || in.Interaction < i.opened:
		return fmt.Errorf("the messages are not in their order at id %d", in.ID)
	}
	m := &Message{ID: in.ID + i.messages, SessionID: i.session.ID, ChannelID: i.session.ChannelID, InteractionID: in.Interaction + i.requests,
		Role: in.Role, Author: in.Author, At: at.UnixMilli(), Rev: in.Rev, PlatformID: importedID(i.session.Key, in.ID)}
	if in.ReplyTo > 0 {
		m.ReplyTo = in.ReplyTo + i.messages
	}
	if m.Role == User {
		if m.PersonID, err = i.person(ctx, in.Author); err != nil {
			return err
		}
	}
	if in.Interaction > i.opened {
		asked := Interaction{ID: m.InteractionID, SessionID: m.SessionID, PersonID: m.PersonID, State: InteractionClosed, CreatedAt: m.At, ClosedAt: m.At}
		if _, err := i.tx.NewInsert().Model(&asked).Exec(ctx); err != nil {
			return err
		}
	}
	i.last, i.opened = in.ID, in.Interaction
	if in.Erased {
		m.ErasedAt, m.Tokens = i.store.Now(), in.Tokens
	} else {
		m.Text = Clean(in.Text)
		m.Terms, m.Tokens = SpokenTerms(m.Author, m.At, m.Text), CountMessage(m.Role, m.Text)
	}
	if _, err := i.tx.NewInsert().Model(m).Exec(ctx); err != nil {
		return err
	}
	return i.belongings(ctx, m, in)
}

// belongings are what an export keeps with a message.
func (i *importing) belongings(ctx context.Context, m *Message, in exportedMessage) error {
	if in.Understanding != nil {
		if err := i.store.setUnderstanding(ctx, i.tx, m.ID, *in.Understanding); err != nil {
			return err
		}
	}
	if in.Ledger != nil {
		in.Ledger.Answers = ""
		if err := setLedger(ctx, i.tx, m.ID, *in.Ledger); err != nil {
			return err
		}
	}
	for n, f := range in.Files {
		document, err := i.document(ctx, m, f.Name)
		if err != nil {
			return err
		}
		row := File{SessionID: m.SessionID, MessageID: m.ID, PlatformID: fmt.Sprintf("%s:%d", m.PlatformID, n+1), Name: f.Name, Media: f.Media,
			Size: f.Size, Link: f.Link, DocumentID: document, State: FileFailed, Reason: notImported}
		if _, err := i.tx.NewInsert().Model(&row).ExcludeColumn("id").Exec(ctx); err != nil {
			return err
		}
	}
	for _, c := range in.Citations {
		var err error
		if c.DocumentID = i.documents[c.Document]; c.DocumentID == 0 { // it was posted elsewhere
			if c.DocumentID, err = i.document(ctx, m, c.Document); err != nil {
				return err
			}
		}
		c.MessageID = m.ID
		if _, err := i.tx.NewInsert().Model(&c).ExcludeColumn("id").Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// document is a document that has only a name.
func (i *importing) document(ctx context.Context, m *Message, name string) (int64, error) {
	d := Document{SessionID: m.SessionID, ChannelID: m.ChannelID, MessageID: m.ID, PersonID: m.PersonID, Name: name,
		State: DocumentFailed, Reason: notImported, CreatedAt: m.At}
	_, err := i.tx.NewInsert().Model(&d).ExcludeColumn("id").Returning("id").Exec(ctx)
	i.documents[name] = d.ID
	return d.ID, err
}

func (i *importing) person(ctx context.Context, author string) (int64, error) {
	if id, known := i.people[author]; known {
		return id, nil
	}
	at, err := i.store.locate(ctx, i.tx, i.session.Key, i.channel, i.who(author))
	if err != nil {
		return 0, err
	}
	i.people[author] = at.person.ID
	return at.person.ID, nil
}

func (i *importing) segment(ctx context.Context, in exportedSegment) error {
	sg := Segment{SessionID: i.session.ID, FromID: in.From + i.messages, ToID: in.To + i.messages, Messages: in.Messages, Narrative: in.Narrative,
		Tokens: in.Tokens, Method: in.Method, Stale: in.Stale, CreatedAt: i.store.Now()}
	sl, err := slice(ctx, i.tx, sg.SessionID, sg.FromID, sg.ToID)
	if err != nil {
		return err
	}
	sg.SourceHash = sl.Hash
	_, err = i.tx.NewInsert().Model(&sg).ExcludeColumn("id").Exec(ctx)
	return err
}

func (i *importing) fact(ctx context.Context, in exportedFact) error {
	f := Fact{ID: in.ID + i.facts, SessionID: i.session.ID, ChannelID: i.session.ChannelID, Kind: in.Kind, Subject: in.Subject, Slot: in.Slot, SlotName: in.SlotName,
		Text: in.Text, State: in.State, Origin: in.Origin, Pinned: in.Pinned, ForChannel: in.ForChannel, Weight: in.Weight}
	if in.SupersededBy > 0 {
		f.SupersededBy = in.SupersededBy + i.facts
	}
	at, err := time.Parse(time.RFC3339Nano, in.At)
	if err != nil {
		return fmt.Errorf("at: %q is not an RFC 3339 time", in.At)
	}
	f.AssertedAt, f.RecordedAt = at.UnixMilli(), i.store.Now()
	if in.ValidTo != "" {
		if at, err = time.Parse(time.RFC3339Nano, in.ValidTo); err != nil {
			return fmt.Errorf("valid_to: %q is not an RFC 3339 time", in.ValidTo)
		}
		f.ValidTo = at.UnixMilli()
	}
	var sources []FactSource
	for n, src := range in.Sources {
		m := new(Message)
		if err := i.tx.NewSelect().Model(m).Where("id = ? AND session_id = ?", src.Message+i.messages, f.SessionID).Scan(ctx); err != nil {
			return fmt.Errorf("its source %d: %w", src.Message, missing(err))
		}
		if n == 0 {
			f.PersonID = m.PersonID
			err := i.tx.NewSelect().Model((*Segment)(nil)).Column("id").Where("session_id = ? AND ? BETWEEN from_id AND to_id", f.SessionID, m.ID).Scan(ctx, &f.SegmentID)
			if orNone(err) != nil {
				return err
			}
		}
		sources = append(sources, FactSource{FactID: f.ID, MessageID: m.ID, Rev: m.Rev, Quote: src.Quote})
	}
	if _, err := i.tx.NewInsert().Model(&f).Exec(ctx); err != nil || len(sources) == 0 {
		return err
	}
	_, err = i.tx.NewInsert().Model(&sources).Exec(ctx)
	return err
}

func (i *importing) snapshot(ctx context.Context, in exportedSnapshot) error {
	sn := Snapshot{SessionID: i.session.ID, Version: in.Version, Watermark: in.Watermark + i.messages, JSON: string(in.Summary), Rendered: in.Rendered,
		Tokens: in.Tokens, CreatedAt: i.store.Now()}
	_, err := i.tx.NewInsert().Model(&sn).ExcludeColumn("id").Exec(ctx)
	return err
}

func (i *importing) compaction(ctx context.Context, in exportedCompaction) error {
	c := in.Compaction
	c.SessionID, c.State, c.CreatedAt, c.DoneAt = i.session.ID, "done", i.store.Now(), i.store.Now()
	c.FromID, c.ToID = c.FromID+i.messages, c.ToID+i.messages
	taken, err := i.tx.NewSelect().Model((*Compaction)(nil)).Where("id >= ?", c.ID).Exists(ctx)
	if err != nil {
		return err
	}
	q := i.tx.NewInsert().Model(&c)
	if taken {
		q = q.ExcludeColumn("id")
	}
	_, err = q.Exec(ctx)
	return err
}
