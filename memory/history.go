package memory

import (
	"context"
	"strings"
	"unicode"
)

// History is the part of a session that the model sees: the newest snapshot and
// every message above the watermark, in order. Snapshot is nil before the first
// compaction. Of a fork the messages begin with those of its past, which are other sessions'.
type History struct {
	Session  *Session
	Snapshot *Snapshot
	Messages []*Message
}

// History loads the history of a session up to and including message last; 0
// means all. Erased messages are left out.
func (s *Store) History(ctx context.Context, session, last int64) (*History, error) {
	h := &History{}
	var err error
	if h.Session, err = s.Session(ctx, session); err != nil {
		return nil, err
	}
	q := s.reader.NewSelect().Model(&h.Messages).ExcludeColumn("terms").
		Where("session_id = ? AND id > ? AND erased_at = 0", session, h.Session.Watermark).Order("id")
	if last > 0 {
		q = q.Where("id <= ?", last)
	}
	if err := q.Scan(ctx); err != nil {
		return nil, err
	}
	past, err := s.past(ctx, h.Session)
	if err != nil {
		return nil, err
	}
	h.Messages = append(past, h.Messages...)
	h.Snapshot, err = s.Snapshot(ctx, session)
	return h, orNone(err)
}

// OthersSpoke reports whether anybody except a person and us has spoken in a session.
func (s *Store) OthersSpoke(ctx context.Context, session, person int64) (bool, error) {
	return s.reader.NewSelect().Model((*Message)(nil)).
		Where("session_id = ? AND role <> ? AND person_id <> ?", session, Assistant, person).Exists(ctx)
}

// IsOnlySpeaker reports whether nobody except the person with a platform id has spoken in a session, besides us
// and other programs.
func (s *Store) IsOnlySpeaker(ctx context.Context, session int64, platformID string) (bool, error) {
	others, err := s.reader.NewSelect().Model((*Message)(nil)).Join("LEFT JOIN people AS p ON p.id = m.person_id").
		Where("m.session_id = ? AND m.role = ? AND COALESCE(p.platform_id, '') <> ? AND COALESCE(p.kind, '') <> ?", session, User, platformID, Bot).Exists(ctx)
	return !others && err == nil, err
}

// AskedBeforeOthers returns the name of a person if somebody else has spoken in a message's session since: the message is
// followed by one that is neither theirs nor our answer to them. Otherwise since is false.
func (s *Store) AskedBeforeOthers(ctx context.Context, message, person int64) (name string, since bool, err error) {
	err = s.reader.NewSelect().Model((*Person)(nil)).Column("name").Where("id = ?", person).
		Where(`EXISTS (SELECT 1 FROM messages AS m JOIN messages AS later ON later.session_id = m.session_id AND later.id > m.id AND later.erased_at = 0
			LEFT JOIN messages AS asked ON asked.id = later.reply_to
			WHERE m.id = ? AND CASE WHEN later.role = ? THEN COALESCE(asked.person_id, ?) ELSE later.person_id END <> ?)`, message, Assistant, person, person).
		Scan(ctx, &name)
	return name, err == nil, orNone(err)
}

// Spoken is the author of one of the last lines of a session.
type Spoken struct {
	Ours   bool
	Person string // platform id of the author; for our lines, of the person answered; "" if unknown
	Name   string // what its author is called
	Asks   bool   // it ends with a question mark
}

// LastLines returns the last lines of a session that are not erased, newest first, at most limit, without those of
// other programs: the last ones before a message, if it is stored there.
func (s *Store) LastLines(ctx context.Context, session int64, before string, limit int64) ([]Spoken, error) {
	var rows []struct {
		Role                   Role
		Author, Person, Answer string
		Ending                 string
	}
	err := s.reader.NewSelect().Model((*Message)(nil)).
		ColumnExpr("m.role, m.author, COALESCE(p.platform_id, '') AS person, COALESCE(a.platform_id, '') AS answer, SUBSTR(RTRIM(m.text), -4) AS ending").
		Join("LEFT JOIN people AS p ON p.id = m.person_id").
		Join("LEFT JOIN messages AS q ON q.id = m.reply_to").Join("LEFT JOIN people AS a ON a.id = q.person_id").
		Where("m.session_id = ?0 AND m.erased_at = 0 AND COALESCE(p.kind, '') <> ?1 AND m.id < COALESCE((SELECT id FROM messages WHERE session_id = ?0 AND platform_id = ?2), m.id + 1)", session, Bot, before).
		Order("m.id DESC").Limit(limit).Scan(ctx, &rows)
	lines := make([]Spoken, 0, len(rows))
	for _, r := range rows {
		l := Spoken{Ours: r.Role == Assistant, Person: r.Person, Name: r.Author, Asks: asksAtEnd(r.Ending)}
		if l.Ours {
			l.Person = r.Answer
		}
		lines = append(lines, l)
	}
	return lines, err
}

// asksAtEnd reports whether a text ends with a question mark, or with one and signs: a link may have one near its end.
func asksAtEnd(text string) bool {
	i := strings.LastIndexAny(text, "?？؟")
	return i >= 0 && !strings.ContainsFunc(text[i:], func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) })
}

// Snapshot returns the newest snapshot of a session, or nil and ErrNotFound.
func (s *Store) Snapshot(ctx context.Context, session int64) (*Snapshot, error) {
	sn := new(Snapshot)
	if err := s.reader.NewSelect().Model(sn).Where("session_id = ?", session).
		Order("version DESC").Limit(1).Scan(ctx); err != nil {
		return nil, missing(err)
	}
	return sn, nil
}

// Segments returns the segments of a session in order.
func (s *Store) Segments(ctx context.Context, session int64) (segments []*Segment, err error) {
	err = s.reader.NewSelect().Model(&segments).Where("session_id = ?", session).Order("from_id").Scan(ctx)
	return segments, err
}

// Folded is a narrative or fact in a snapshot, with the answers it was made from that cite
// or rest on something, and the messages in its range.
type Folded struct {
	Text     string
	Reworded bool // a model wrote it
	Said     []string
	Answers  []*Message
}

// Folded returns those of a snapshot that were made from such answers and whose text passes tells. It reads messages for these only.
func (s *Store) Folded(ctx context.Context, sn *Snapshot, tells func(text string) bool) (all []Folded, err error) {
	session := sn.SessionID
	answers := func(where string, args ...any) (found []*Message, err error) {
		err = s.reader.NewSelect().Model(&found).ExcludeColumn("terms").
			Where("m.session_id = ? AND m.role = ? AND m.erased_at = 0", session, Assistant).Where(where, args...).
			Where(`(EXISTS (SELECT 1 FROM citations AS ci WHERE ci.message_id = m.id)
				OR EXISTS (SELECT 1 FROM outbox AS o JOIN shown AS sh ON sh.outbox_id = o.id WHERE o.message_id = m.id))`).
			Order("m.id").Scan(ctx)
		return found, err
	}
	segments, err := newestSegments(ctx, s.reader, session, sn.Watermark)
	if err != nil {
		return nil, err
	}
	for _, sg := range segments {
		if !tells(sg.Narrative) {
			continue
		}
		f := Folded{Text: sg.Narrative, Reworded: sg.Method == ByModel}
		if f.Answers, err = answers("m.id BETWEEN ? AND ?", sg.FromID, sg.ToID); err != nil {
			return nil, err
		}
		if len(f.Answers) == 0 {
			continue
		}
		err := s.reader.NewSelect().Model((*Message)(nil)).Column("text").
			Where("session_id = ? AND id BETWEEN ? AND ? AND role = ? AND erased_at = 0", session, sg.FromID, sg.ToID, User).Scan(ctx, &f.Said)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	var facts []*Fact
	q := s.reader.NewSelect().Model(&facts).Column("id", "text").
		Where(`session_id = ? AND EXISTS (SELECT 1 FROM fact_sources AS fs JOIN messages AS m ON m.id = fs.message_id WHERE fs.fact_id = fa.id AND m.role = ?)`,
			session, Assistant)
	if newest, err := s.Snapshot(ctx, session); err == nil && newest.ID == sn.ID { // else it may hold others
		q = q.Where("id IN ("+mayBeRendered+")", session, factsPerKind)
	}
	if err := q.Scan(ctx); err != nil {
		return nil, err
	}
	for _, fact := range facts {
		if !tells(fact.Text) {
			continue
		}
		from, err := answers("m.id IN (SELECT message_id FROM fact_sources WHERE fact_id = ?)", fact.ID)
		if err != nil {
			return nil, err
		}
		if len(from) > 0 {
			all = append(all, Folded{Text: fact.Text, Reworded: true, Answers: from})
		}
	}
	return all, nil
}
