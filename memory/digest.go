package memory

import (
	"context"
	"fmt"
	"slices"

	"threadkeeper/memory/reading"
)

// DigestQuery asks for the messages of a period.
type DigestQuery struct {
	Audience Audience
	Period   reading.Period
	Session  int64 // the only one, 0 for all that the audience may see
	Channel  int64 // the only one, 0 likewise
	Before   int64 // id of the message that asks; what was read because of it (see KeepRead) is told too
	Limit    int64 // lines at most, the newest
}

// Digest holds what people and programs said in a period, oldest first, and which of it decides, requests or leaves
// open something. Messages counts them all, including those that Lines leaves out.
type Digest struct {
	Lines    []DigestLine
	Points   []Claim
	Messages int64
}

// DigestLine is a message and its place.
type DigestLine struct {
	Message `bun:",extend"`
	Key     Key    `bun:"embed:key_"`
	Channel string // its name, "" if it has none
	Program bool   // by a bot
}

// Digest reads the messages of a period.
func (s *Store) Digest(ctx context.Context, in DigestQuery) (*Digest, error) {
	d := new(Digest)
	q := s.reader.NewSelect().Model(&d.Lines).Column("m.*").
		ColumnExpr("s.platform AS key_platform, s.workspace AS key_workspace, s.channel AS key_channel, s.thread AS key_thread").
		ColumnExpr("c.name AS channel, COALESCE(p.kind, '') = ? AS program", Bot).
		Join("JOIN sessions AS s ON s.id = m.session_id").Join("JOIN channels AS c ON c.id = m.channel_id").Join("LEFT JOIN people AS p ON p.id = m.person_id").
		Where("m.role = ? AND m.erased_at = 0 AND m.text <> '' AND (m.id < ? OR s.thread LIKE ?) AND m.at >= ? AND m.at < ?", User, in.Before, readThread+"%", in.Period.From, in.Period.To).
		Where(`NOT (s.thread LIKE ? AND EXISTS (SELECT 1 FROM messages AS said WHERE said.channel_id = m.channel_id AND said.platform_id = m.platform_id
			AND said.session_id <> m.session_id AND said.erased_at = 0))`, readThread+"%") // said to us since it was read
	if in.Session != 0 {
		q = q.Where("m.session_id = ?", in.Session)
	}
	if in.Channel != 0 {
		q = q.Where("m.channel_id = ?", in.Channel)
	}
	var err error
	if d.Messages, err = in.Audience.Visible(q, "m.channel_id").OrderExpr("m.at DESC, m.id DESC").Limit(in.Limit).ScanAndCount(ctx); err != nil {
		return nil, fmt.Errorf("memory: digest: %w", err)
	}
	slices.Reverse(d.Lines)
	var lines []Line
	for _, m := range d.Lines {
		lines = append(lines, Line{ID: m.ID, SessionID: m.SessionID, PersonID: m.PersonID, Role: User, Author: m.Author, At: m.At, Said: m.Text, Bot: m.Program})
	}
	markJokes(lines)
	for part := range slices.Chunk(lines, factsPerSlice) {
		d.Points = append(d.Points, extractClaims(&Slice{Lines: part})...)
	}
	d.Points = slices.DeleteFunc(d.Points, func(c Claim) bool {
		return c.Quarantined || c.Kind != Decision && c.Kind != Todo && c.Kind != OpenQuestion
	})
	return d, nil
}

// VisibleChannel returns the channel of this name that an audience may see, ErrNotFound if there is none.
func (s *Store) VisibleChannel(ctx context.Context, a Audience, name string) (*Channel, error) {
	c := new(Channel)
	q := s.reader.NewSelect().Model(c).Where("c.platform = ? AND c.workspace = ? AND LOWER(c.name) = LOWER(?)", a.Channel.Platform, a.Channel.Workspace, name)
	err := a.Visible(q, "c.id").OrderExpr("c.id = ? DESC", a.Channel.ID).Limit(1).Scan(ctx)
	return c, missing(err)
}

// BusyChannels returns the channels beside its own that an audience may see and that have something stored, where something was
// said to us last first, at most limit.
func (s *Store) BusyChannels(ctx context.Context, a Audience, limit int) (channels []Channel, err error) {
	q := s.reader.NewSelect().Model(&channels).Where("c.id <> ? AND c.kind <> ? AND c.name <> ''", a.Channel.ID, DM).
		Join("JOIN (SELECT channel_id, MAX(updated_at) AS at FROM sessions GROUP BY channel_id) AS last ON last.channel_id = c.id")
	err = a.Visible(q, "c.id").OrderExpr("last.at DESC, c.id").Limit(int64(limit)).Scan(ctx)
	return channels, wrap("look for channels", err)
}

// LastSpoke returns when a person last said something that an audience may see, before a message and outside its session, in
// milliseconds UTC; 0 if they did not.
func (s *Store) LastSpoke(ctx context.Context, a Audience, before int64) (at int64, err error) {
	q := s.reader.NewSelect().Model((*Message)(nil)).ColumnExpr("COALESCE(MAX(m.at), 0)").
		Where("m.person_id = ? AND m.id < ? AND m.session_id <> ?", a.Person, before, a.Session)
	err = a.Visible(q, "m.channel_id").Scan(ctx, &at)
	return at, err
}
