package memory

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"
)

// Locate finds or creates the session of a key, its channel and a person, and
// updates them with what the platform says. Empty fields of channel and person
// leave the stored ones as they are. A new channel is stored as the platform
// describes it, unchecked without a kind. A known channel is only narrowed: events may arrive
// late, so if an event describes its channel differently, the channel is narrowed and
// unchecked until the platform has been asked (see UncheckedChannels).
func (s *Store) Locate(ctx context.Context, key Key, channel Channel, person Person) (*Session, *Person, error) {
	var (
		session *Session
		who     *Person
	)
	err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		at, err := s.locate(ctx, tx, key, channel, person)
		session, who = at.session, at.person
		return err
	})
	return session, who, wrap("locate session", err)
}

// located is the place and the author of a message, nil for nobody.
type located struct {
	session   *Session
	person    *Person
	unchecked bool // the channel is
}

// place makes a message one of this place and author.
func (at located) place(m *Message) {
	if m.SessionID, m.ChannelID = at.session.ID, at.session.ChannelID; at.person != nil {
		m.PersonID = at.person.ID
	}
}

func (s *Store) locate(ctx context.Context, db bun.IDB, key Key, channel Channel, person Person) (located, error) {
	if at, err := s.found(ctx, db, key, channel, person); at.session != nil || err != nil {
		return at, err
	}
	now := s.Now()
	stored := channel
	stored.Platform, stored.Workspace, stored.Channel, stored.UpdatedAt = key.Platform, key.Workspace, key.Channel, now
	switch stored.Kind {
	case "":
		stored.Kind, stored.Unchecked = Private, true
	case DM: // which it stays
		stored.Unchecked = false
	}
	stored.WasPublic = stored.Kind == Public
	_, err := db.NewInsert().Model(&stored).ExcludeColumn("id").
		On("CONFLICT (platform, workspace, channel) DO UPDATE").
		Set("updated_at = EXCLUDED.updated_at").
		Set("name = CASE WHEN EXCLUDED.name <> '' THEN EXCLUDED.name ELSE c.name END").
		Returning("*").Exec(ctx)
	if err != nil {
		return located{}, err
	}
	at := located{unchecked: stored.Unchecked}
	if stored.contradicts(channel) {
		at.unchecked = stored.narrowedBy(channel).Kind != DM
		if err := s.doubt(ctx, db, stored, channel); err != nil {
			return located{}, err
		}
	}
	at.session = &Session{ChannelID: stored.ID, Key: key, CreatedAt: now, UpdatedAt: now}
	_, err = db.NewInsert().Model(at.session).ExcludeColumn("id").
		On("CONFLICT (platform, workspace, channel, thread) DO UPDATE").
		Set("updated_at = EXCLUDED.updated_at").
		Returning("*").Exec(ctx)
	if err != nil {
		return located{}, err
	}
	if person.PlatformID == "" {
		return at, nil
	}
	person.Platform, person.Workspace, person.CreatedAt = key.Platform, key.Workspace, now
	if person.Kind == "" {
		person.Kind = Human
	}
	status := "kind = EXCLUDED.kind, admin = EXCLUDED.admin"
	if person.Kind == Unknown {
		person.Kind, person.Admin, status = Guest, false, "kind = p.kind"
	}
	_, err = db.NewInsert().Model(&person).ExcludeColumn("id").
		On("CONFLICT (platform, workspace, platform_id) DO UPDATE").
		Set("name = CASE WHEN EXCLUDED.name <> '' THEN EXCLUDED.name ELSE p.name END").
		Set("time_zone = CASE WHEN EXCLUDED.time_zone <> '' THEN EXCLUDED.time_zone ELSE p.time_zone END").
		Set(status).
		Returning("*").Exec(ctx)
	if err != nil {
		return located{}, err
	}
	at.person = &person
	return at, nil
}

// found is what locate returns when all of it is stored already as the platform
// tells it, as it nearly always is. The session is nil otherwise.
func (s *Store) found(ctx context.Context, db bun.IDB, key Key, c Channel, p Person) (located, error) {
	var session struct {
		Session   `bun:",extend"`
		Name      string
		Kind      ChannelKind
		External  bool
		Unchecked bool
	}
	err := db.NewSelect().Model(&session).Column("s.*", "c.name", "c.kind", "c.external", "c.unchecked").
		Join("JOIN channels AS c ON c.id = s.channel_id").
		Where("s.platform = ? AND s.workspace = ? AND s.channel = ? AND s.thread = ?", key.Platform, key.Workspace, key.Channel, key.Thread).
		Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return located{}, nil
	}
	if err != nil {
		return located{}, err
	}
	stored := Channel{Kind: session.Kind, External: session.External, Unchecked: session.Unchecked}
	if stored.contradicts(c) || c.Name != "" && c.Name != session.Name {
		return located{}, nil
	}
	if p.PlatformID == "" {
		return located{session: &session.Session, unchecked: session.Unchecked}, nil
	}
	if p.Kind == "" {
		p.Kind = Human
	}
	known, err := personKnown(ctx, db, key, p.PlatformID)
	if errors.Is(err, ErrNotFound) {
		return located{}, nil
	}
	if err != nil {
		return located{}, err
	}
	if p.Name != "" && p.Name != known.Name || p.TimeZone != "" && p.TimeZone != known.TimeZone || p.Kind != Unknown && (p.Kind != known.Kind || p.Admin != known.Admin) {
		return located{}, nil
	}
	return located{&session.Session, known, session.Unchecked}, nil
}

// Session returns the session with this id, or ErrNotFound.
func (s *Store) Session(ctx context.Context, id int64) (*Session, error) {
	return first[Session](ctx, s.reader, "id = ?", id)
}

// SessionByKey returns the session of this key, or ErrNotFound.
func (s *Store) SessionByKey(ctx context.Context, key Key) (*Session, error) {
	return first[Session](ctx, s.reader, "platform = ? AND workspace = ? AND channel = ? AND thread = ?", key.Platform, key.Workspace, key.Channel, key.Thread)
}

// ChannelByKey returns the channel of this key, or ErrNotFound.
func (s *Store) ChannelByKey(ctx context.Context, key Key) (*Channel, error) {
	return channelByKey(ctx, s.reader, key)
}

// Person returns the person with this id, or ErrNotFound.
func (s *Store) Person(ctx context.Context, id int64) (*Person, error) {
	return first[Person](ctx, s.reader, "id = ?", id)
}

// PersonByPlatformID returns the person a workspace knows by this id, or ErrNotFound.
func (s *Store) PersonByPlatformID(ctx context.Context, key Key, platformID string) (*Person, error) {
	return personKnown(ctx, s.reader, key, platformID)
}

func personKnown(ctx context.Context, db bun.IDB, key Key, platformID string) (*Person, error) {
	return first[Person](ctx, db, "platform = ? AND workspace = ? AND platform_id = ?", key.Platform, key.Workspace, platformID)
}

// Setting returns a stored setting, "" if it was
// never set; scope is "" or like "session:12".
func (s *Store) Setting(ctx context.Context, scope, name string) (value string, err error) {
	err = s.reader.NewSelect().Table("settings").Column("value").
		Where("scope = ? AND name = ?", scope, name).Scan(ctx, &value)
	return value, orNone(err)
}

// SetSetting stores a setting.
func (s *Store) SetSetting(ctx context.Context, scope, name, value string) error {
	return s.Write(ctx, func(ctx context.Context, tx bun.Tx) error { return setSetting(ctx, tx, scope, name, value) })
}

func setSetting(ctx context.Context, tx bun.IDB, scope, name, value string) error {
	return exec(ctx, tx, `INSERT INTO settings (scope, name, value) VALUES (?, ?, ?)
		ON CONFLICT (scope, name) DO UPDATE SET value = EXCLUDED.value`, scope, name, value)
}
