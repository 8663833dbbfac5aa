package memory

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// sliceTokens is how many tokens of messages one segment covers at most, unless
// one interaction alone is longer.
const sliceTokens = 6000

// Slice is a run of whole interactions of one session, the source of one
// segment. FromID and ToID are its first and last message; Lines leaves out erased ones.
type Slice struct {
	SessionID    int64
	FromID, ToID int64
	Messages     int // erased ones included
	Lines        []Line
	Hash         string // of the live revisions
}

func (sl *Slice) byID() map[int64]Line {
	lines := make(map[int64]Line, len(sl.Lines))
	for _, l := range sl.Lines {
		lines[l.ID] = l
	}
	return lines
}

// Line is a message as compaction reads it. What an answer took from documents
// is theirs to say, not the conversation's: Said leaves cited sentences and block
// quotes out, Documents names what was cited and Found keeps it.
type Line struct {
	ID            int64
	SessionID     int64
	InteractionID int64
	PersonID      int64
	Role          Role
	Author        string
	At            int64
	Zone          *time.Location // its author's, of an answer the asker's; nil for UTC
	Rev           int64
	Said          string
	Documents     []string
	Found         []Claim // what it took from them, with document and page
	Bot           bool    // said by a program
	Joking        bool    // not meant, as its author says in it or after it
	Apart         bool    // others of its session, which are not here, were said between the line before and this one
}

// Human reports whether a person wrote it.
func (l Line) Human() bool { return l.Role == User }

// Time returns when it was said, on the clock of those who talk.
func (l Line) Time() time.Time { return inZone(l.At, l.Zone) }

func inZone(at int64, zone *time.Location) time.Time {
	if zone == nil {
		zone = time.UTC
	}
	return time.UnixMilli(at).In(zone)
}

// Name returns the author's name, or a stand-in for an author without one.
func (l Line) Name() string {
	switch {
	case l.Author != "":
		return l.Author
	case l.Role == Assistant:
		return "Assistant"
	}
	return "User"
}

// slice loads the messages from first to last of a session.
func slice(ctx context.Context, db bun.IDB, session, first, last int64) (*Slice, error) {
	var rows []*Message
	if err := db.NewSelect().Model(&rows).ExcludeColumn("terms").
		Where("session_id = ? AND id BETWEEN ? AND ?", session, first, last).Order("id").Scan(ctx); err != nil {
		return nil, err
	}
	if len(rows) == 0 {
		return nil, ErrNotFound
	}
	people := make([]int64, len(rows))
	for i, m := range rows {
		people[i] = m.PersonID
	}
	authors, err := authorsAmong(ctx, db, people)
	if err != nil {
		return nil, err
	}
	cited, err := citedIn(ctx, db, rows)
	if err != nil {
		return nil, err
	}
	sl := &Slice{SessionID: session, FromID: rows[0].ID, ToID: rows[len(rows)-1].ID, Messages: len(rows), Hash: hashOf(rows, cited)}
	var zone *time.Location
	for _, m := range rows {
		if m.ErasedAt > 0 || m.Text == "" {
			continue
		}
		author := authors[m.PersonID]
		if m.Role == User {
			zone = author.zone
		}
		l := Line{ID: m.ID, SessionID: m.SessionID, InteractionID: m.InteractionID, PersonID: m.PersonID, Role: m.Role, Author: m.Author,
			At: m.At, Zone: zone, Rev: m.Rev, Said: m.Text, Bot: m.Role != User || author.bot}
		if m.Role == Assistant {
			l.Said, l.Found = reading.OwnWords(m.Text), foundIn(m, cited[m.ID])
			for _, c := range cited[m.ID] {
				if !slices.Contains(l.Documents, c.Document) {
					l.Documents = append(l.Documents, c.Document)
				}
			}
		}
		sl.Lines = append(sl.Lines, l)
	}
	return sl, markJokesIn(ctx, db, sl)
}

// takenBackIn is how many lines behind a slice may say that something in it was a joke.
const takenBackIn = 6

func markJokesIn(ctx context.Context, db bun.IDB, sl *Slice) error {
	var behind []Line
	err := db.NewSelect().Model((*Message)(nil)).ColumnExpr("m.id, m.session_id, m.person_id, m.role, m.text AS said").
		Where("m.session_id = ? AND m.id > ? AND m.erased_at = 0", sl.SessionID, sl.ToID).Order("m.id").Limit(takenBackIn).Scan(ctx, &behind)
	lines := append(sl.Lines, behind...)
	markJokes(lines)
	sl.Lines = lines[:len(sl.Lines)]
	return err
}

// hashOf is that of the live revisions of messages, and of what they cite.
func hashOf(rows []*Message, cited map[int64][]Citation) string {
	hash := sha256.New()
	for _, m := range rows {
		fmt.Fprintf(hash, "%d %d %d %q\n", m.ID, m.Rev, m.ErasedAt, m.Text)
		for _, c := range cited[m.ID] {
			fmt.Fprintf(hash, "%d %d %q\n", c.DocumentID, c.Page, c.Quote)
		}
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// Unchanged returns ErrChanged if a message of a slice was edited or erased, or something it cites removed, since the slice was loaded.
func (s *Store) Unchanged(ctx context.Context, sl *Slice) error { return unchanged(ctx, s.reader, sl) }

func unchanged(ctx context.Context, db bun.IDB, sl *Slice) error {
	var rows []*Message
	err := db.NewSelect().Model(&rows).Column("id", "role", "rev", "erased_at", "text").
		Where("session_id = ? AND id BETWEEN ? AND ?", sl.SessionID, sl.FromID, sl.ToID).Order("id").Scan(ctx)
	if err != nil {
		return err
	}
	cited, err := citedIn(ctx, db, rows)
	if err == nil && hashOf(rows, cited) != sl.Hash {
		err = ErrChanged
	}
	return err
}

// markJokes marks the lines whose authors say, in them or after them, that they were joking.
func markJokes(lines []Line) {
	for i, l := range lines {
		if !l.Human() {
			continue
		}
		joking, laughing := reading.TakesBack(l.Said)
		for j := i - 1; joking && j >= 0 && (!laughing || j == i-1 && !l.Apart); j-- {
			if lines[j].PersonID == l.PersonID && lines[j].SessionID == l.SessionID && lines[j].Human() {
				lines[j].Joking = true
				break
			}
		}
		lines[i].Joking = lines[i].Joking || reading.Jest(l.Said)
	}
}

// author is what a summary has to know of one.
type author struct {
	bot  bool
	zone *time.Location // nil if it is not known
}

func authorsAmong(ctx context.Context, db bun.IDB, ids []int64) (map[int64]author, error) {
	var people []Person
	err := db.NewSelect().Model(&people).Column("id", "kind", "time_zone").Where("id IN (?)", bun.List(ids)).Scan(ctx)
	authors := map[int64]author{}
	for _, p := range people {
		a := author{bot: p.Kind == Bot}
		if zone, err := time.LoadLocation(p.TimeZone); err == nil && p.TimeZone != "" {
			a.zone = zone
		}
		authors[p.ID] = a
	}
	return authors, err
}

const (
	foundPerAnswer = 3   // findings kept of one answer
	foundRunes     = 240 // of one
)

// foundIn is what an answer took from documents: of each citation the sentence that carries it, else the words of the page,
// with document and page. Both stand in the answer, and go with it.
func foundIn(m *Message, cited []Citation) (found []Claim) {
	text := rank.Fold(m.Text)
	for _, c := range cited {
		said, quote := reading.CitedSentence(m.Text, c.Label())
		if said == "" {
			said, quote = "“"+reading.Shorten(c.Quote, foundRunes)+"”", c.Quote
		}
		if reading.Risky(said) || !strings.Contains(text, rank.Fold(quote)) {
			continue
		}
		place := cmp.Or(c.Place, fmt.Sprintf("page %d", c.Page))
		found = append(found, Claim{Kind: KeyFact, Subject: c.Document, Text: fmt.Sprintf("From %s, %s: %s", c.Document, place, reading.Shorten(said, foundRunes)),
			MessageID: m.ID, Quote: quote, found: true, weight: max(salience(said)/2, 1)}) // people's own words come first
	}
	return mostTelling(found, foundPerAnswer)
}

// firstRange is the first and the last message of the first run of whole blocks of at most sliceTokens before message cut, zero
// if there is none, and whether there are more.
func firstRange(rows []weight, cut int64) (span [2]int64, more bool) {
	tokens := 0
	for _, b := range blocks(rows) {
		first, last := rows[b.from].ID, rows[b.to-1].ID
		if first >= cut {
			break
		}
		if tokens += b.tokens; span[0] != 0 && tokens > sliceTokens {
			return span, true
		}
		span = [2]int64{cmp.Or(span[0], first), last}
	}
	return span, false
}
