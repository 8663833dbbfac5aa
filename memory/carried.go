package memory

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Settings that keep text from other conversations out of a new one; the value is "off".
const (
	ProfileSetting   = "profile"   // of a person, in PersonScope: what they said about themselves
	CarryoverSetting = "carryover" // of a channel, in ChannelScope: nothing comes in, and nothing goes out; in scope "" of all
)

// PersonScope returns the scope of a person's settings.
func PersonScope(person int64) string { return fmt.Sprintf("person:%d", person) }

// ChannelScope returns the scope of a channel's settings.
func ChannelScope(k Key) string {
	return "channel:" + strings.Join([]string{k.Platform, k.Workspace, k.Channel}, "/")
}

// WorkspaceScope is the scope of a workspace's settings.
func WorkspaceScope(k Key) string { return "workspace:" + k.Platform + "/" + k.Workspace }

// AllowSetting and DenySetting are who may use us in a workspace and who may not, in WorkspaceScope: entries like
// "channel:C17" with a space before and after each.
const (
	AllowSetting = "allow"
	DenySetting  = "deny"
)

// carries is the condition that nothing was set against carrying over, for the channel that c stands for.
const carries = `COALESCE((SELECT NULLIF(value, '') FROM settings WHERE name = ?0 AND scope = 'channel:' || c.platform || '/' || c.workspace || '/' || c.channel),
	(SELECT value FROM settings WHERE name = ?0 AND scope = ''), '') <> 'off'`

// Carried is a fact of another conversation that follows into this one. ID is 0 if its message is not folded yet.
type Carried struct {
	Known   `bun:",extend"`
	Speaker string // the author's name
	Place   string // the channel's name; "" for a direct message
}

// Limits on how much is considered for one prompt.
const (
	carriedFacts    = 120
	carriedMessages = 1000 // the newest that mayState: those that are not folded are looked at
)

// mayState is an SQL condition on messages AS said that may state something, or take it back: those that are more than a question.
const mayState = "(said.text NOT LIKE '%\\?' OR said.text LIKE '%.%' OR said.text LIKE '%!%' OR said.text LIKE '%。%' OR said.text LIKE '%…%' OR said.text LIKE '%\n%')"

// Carried returns what follows from other visible conversations into the session of an audience: what the asking person
// has said about themselves (Profile), in turn with the decisions of the channel and what was remembered for it: neither takes the
// other's room. The best come first.
func (s *Store) Carried(ctx context.Context, a Audience) ([]Carried, error) {
	off, err := s.Setting(ctx, PersonScope(a.Person), ProfileSetting)
	if err != nil {
		return nil, err
	}
	var profile []Carried
	if off != "off" {
		if profile, err = s.Profile(ctx, a); err != nil {
			return nil, err
		}
	}
	channel, err := s.carried(ctx, a, "fa.channel_id = ? AND (fa.kind = ? OR fa.for_channel)", []any{a.Channel.ID, Decision},
		`m.id IN (SELECT said.id FROM sessions AS other JOIN messages AS said ON said.session_id = other.id AND said.id > other.watermark
			WHERE other.channel_id = ? AND said.role = ? AND `+mayState+` ORDER BY other.id DESC LIMIT ?)`, []any{a.Channel.ID, User, carriedMessages},
		deciding.MatchString, func(k Carried) bool { return k.Kind == Decision || k.ForChannel })
	if err != nil {
		return nil, fmt.Errorf("memory: what a channel keeps: %w", err)
	}
	channel = slices.DeleteFunc(channel, func(k Carried) bool {
		return slices.ContainsFunc(profile, func(p Carried) bool { return p.MessageID == k.MessageID && p.Quote == k.Quote })
	})
	return inTurn(profile, channel), nil
}

// Profile returns what the person of an audience has said about themselves in other conversations it may see: preferences,
// constraints, who they are; without a session, in all of them.
func (s *Store) Profile(ctx context.Context, a Audience) ([]Carried, error) {
	if a.Person == 0 {
		return nil, nil
	}
	profile, err := s.carried(ctx, a, "fa.person_id = ? AND m.person_id = fa.person_id AND (fa.kind IN (?, ?, ?) OR fa.origin = ?) AND NOT fa.for_channel",
		[]any{a.Person, Preference, Constraint, KeyFact, Remembered},
		`m.id IN (SELECT said.id FROM messages AS said WHERE said.person_id = ? AND `+mayState+` ORDER BY said.id DESC LIMIT ?)`, []any{a.Person, carriedMessages}, mayTellOfThemselves, ofThemselves)
	return profile, wrap("load a profile", err)
}

// Unfolded returns what people state in the messages of a session above its watermark: what was taken in hand, and what the cues
// find, with an ID of 0; preferences and constraints first.
func (s *Store) Unfolded(ctx context.Context, session int64) ([]Carried, error) {
	found, err := s.stated(ctx, func(q *bun.SelectQuery) *bun.SelectQuery { return q.Where("m.session_id = ?", session) },
		"m.id > (SELECT watermark FROM sessions WHERE id = m.session_id)", nil,
		"m.id IN (SELECT id FROM messages WHERE session_id = ? ORDER BY id DESC LIMIT ?)", []any{session, carriedMessages},
		func(string) bool { return true }, func(Carried) bool { return true })
	return found, wrap("find what is not folded yet", err)
}

// carried are facts of other conversations of an audience, and what the messages state that are not folded yet.
func (s *Store) carried(ctx context.Context, a Audience, facts string, factArgs []any, messages string, messageArgs []any, may func(string) bool, keep func(Carried) bool) ([]Carried, error) {
	return s.stated(ctx, func(q *bun.SelectQuery) *bun.SelectQuery {
		return a.VisibleMessages(q.ColumnExpr("CASE c.kind WHEN ? THEN '' ELSE c.name END AS place", DM).Join("JOIN channels AS c ON c.id = m.channel_id").
			Where("m.session_id <> ?", a.Session).Where(carries, CarryoverSetting).
			Where("EXISTS (SELECT 1 FROM channels AS c WHERE c.id = ?1 AND "+carries+")", CarryoverSetting, a.Channel.ID))
	}, facts, factArgs, messages, messageArgs, may, keep)
}

// stated are facts that rest on what people said, and what their messages state that are not folded yet, of the messages that
// among leaves; no facts if facts is "". May reports whether a folded message may state what keep wants: to look closely at all takes too long.
func (s *Store) stated(ctx context.Context, among func(*bun.SelectQuery) *bun.SelectQuery, facts string, factArgs []any, messages string, messageArgs []any, may func(string) bool, keep func(Carried) bool) ([]Carried, error) {
	said := func(q *bun.SelectQuery) *bun.SelectQuery {
		return among(q.Where("m.role = ? AND m.erased_at = 0", User))
	}
	var found []Carried
	q := s.reader.NewSelect().Model(&found).ColumnExpr("fa.*").ColumnExpr("fs.message_id, fs.quote, m.author AS speaker").
		Join("JOIN fact_sources AS fs ON fs.fact_id = fa.id AND fs.message_id = (SELECT MIN(message_id) FROM fact_sources WHERE fact_id = fa.id)").
		Join("JOIN messages AS m ON m.id = fs.message_id").
		Where("fa.state = ? AND fa.text <> '' AND fa.origin <> 'assistant'", FactActive).Where(facts, factArgs...).
		OrderExpr("fa.pinned DESC, fa.kind NOT IN (?, ?), fa.slot_name NOT LIKE m.author || ' %', fa.weight DESC, fa.id DESC", Preference, Constraint).Limit(carriedFacts)
	if facts != "" {
		if err := said(q).Scan(ctx); err != nil {
			return nil, err
		}
	}
	var fresh []struct {
		Message `bun:",extend"`
		Place   string
		Before  int64 // the message before it in its session
	}
	q = s.reader.NewSelect().Model(&fresh).Column("m.id", "m.session_id", "m.channel_id", "m.person_id", "m.role", "m.author", "m.text", "m.rev", "m.at").
		ColumnExpr("COALESCE((SELECT id FROM messages WHERE session_id = m.session_id AND id < m.id AND erased_at = 0 ORDER BY id DESC LIMIT 1), 0) AS before").Join("JOIN sessions AS s ON s.id = m.session_id AND m.id > s.watermark").
		Join("LEFT JOIN people AS p ON p.id = m.person_id").Where("COALESCE(p.kind, '') <> ? AND m.platform_id NOT LIKE ?", Bot, NotePrefix+"%").
		Where(messages, messageArgs...).Order("m.session_id", "m.id")
	if err := said(q).Scan(ctx); err != nil {
		return nil, err
	}
	lines := make([]Line, len(fresh))
	for i, m := range fresh {
		lines[i] = Line{ID: m.ID, SessionID: m.SessionID, PersonID: m.PersonID, Role: m.Role, Author: m.Author, At: m.At, Rev: m.Rev, Said: m.Text,
			Apart: i > 0 && m.Before != fresh[i-1].ID}
	}
	markJokes(lines)
	for i, m := range fresh {
		if !may(rank.Fold(m.Text)) {
			continue
		}
		stated := statedIn(lines[i])
		for _, claim := range append(stated, takenBack(lines[i], stated)...) {
			f := newFact(claim, lines[i])
			f.SessionID, f.ChannelID = m.SessionID, m.ChannelID
			found = append(found, Carried{Known{*f, m.ID, claim.Quote}, m.Author, m.Place})
		}
	}
	return stillHeld(found, s.Now(), keep), nil
}

// stillHeld are those of some facts that keep wants and that hold now, the best first: of a slot the newest, of what was
// said more than once the last.
func stillHeld(found []Carried, now int64, keep func(Carried) bool) []Carried {
	slices.SortStableFunc(found, func(a, b Carried) int {
		return cmp.Or(cmp.Compare(b.AssertedAt, a.AssertedAt), cmp.Compare(b.MessageID, a.MessageID))
	})
	var kept, ended []Carried
	slots := map[string]bool{}
	for _, k := range found {
		if k.State != FactActive || k.ValidTo > 0 && k.ValidTo <= now || slices.ContainsFunc(ended, func(e Carried) bool { return e.PersonID == k.PersonID && ends(e.Quote, k.Quote) }) {
			continue
		}
		if takesBack(k.Quote) {
			ended = append(ended, k)
		}
		if k.Kind == "" || !keep(k) {
			continue
		}
		if slot := slotKey(&k.Fact); k.Slot != "" && k.ValidTo == 0 {
			if slots[slot] {
				continue
			}
			slots[slot] = true
		}
		if !slices.ContainsFunc(kept, func(o Carried) bool { return sameStatement(&o.Fact, &k.Fact) }) {
			kept = append(kept, k)
		}
	}
	slices.SortStableFunc(kept, func(a, b Carried) int {
		return cmp.Or(cmp.Compare(one(b.Pinned), one(a.Pinned)), cmp.Compare(factGroup(a.Kind), factGroup(b.Kind)), cmp.Compare(worth(&b.Fact), worth(&a.Fact)))
	})
	return kept
}

// mayTellOfThemselves reports whether a folded message may hold what ofThemselves takes.
func mayTellOfThemselves(folded string) bool {
	return lasting.MatchString(folded) || slices.ContainsFunc(ownArticles, func(own string) bool { return strings.Contains(folded, own+" ") })
}

// ofThemselves reports whether a fact is about the person who stated it, and not only of what their conversation was about.
func ofThemselves(k Carried) bool {
	folded := rank.Fold(k.Quote)
	reworded := !strings.HasSuffix(k.Text, k.Quote) // by a model, which knows whose fact it is
	switch {
	case k.Origin == Remembered:
		return true
	case k.Kind == Preference || k.Kind == Constraint:
		return reworded || lasting.MatchString(folded)
	case k.Kind == KeyFact && reworded:
		return rank.Fold(k.Subject) == rank.Fold(k.Speaker)
	}
	return k.Kind == KeyFact && strings.HasPrefix(k.Slot, Slot(k.Speaker)+" ") && !passing.MatchString(folded)
}

// lasting matches, in a folded sentence, what somebody says of what they are and how they want things done, whatever the
// conversation is about; English, German, French, Spanish, Italian.
var lasting = reading.NewPattern(`\b(i|we) (would |'d )?(strongly |really |usually |always |never |no longer )?(prefer|rather|favou?r|like|love|hate|dislike|insist|avoid|work|live|use|speak|read|eat|drink|write)\b` +
	`|\b(my|our) (favou?rite|preferred|preference)\b|\b(i'm|i am|i can'?t|i cannot|i don't|i do not|for me|call me|tell me|give me|send me|from now on|in future)\b|\b(always|never|please|don't|do not|only) ` +
	`|\b(ich (bin|bevorzuge|mag|hasse|lebe|arbeite|esse|trinke|kann nicht|mochte)|am liebsten|mir|immer|nie|niemals|bitte|ab jetzt|kunftig)\b` +
	`|\b(je (ne )?(suis|prefere|deteste|vis|travaille|ne peux|mange|bois)|j'(aime|adore|habite)|moi|toujours|jamais|desormais)\b` +
	`|\b((yo )?(soy|prefiero|odio|vivo|trabajo|no puedo|no como)|me gusta|siempre|nunca|a partir de ahora)\b` +
	`|\b(sono|preferisco|odio|vivo|lavoro|non posso|mi piace|sempre|mai|d'ora in poi)\b`)

// passing matches what belongs to a person in one conversation only: "my question is", "my guess is".
var passing = reading.NewPattern(`\b(my|mein|meine|ma|mon|mi|mia|mio) (\w+ )?(question|problem|issue|concern|idea|guess|point|plan|opinion|answer|vote|mistake|frage|idee|meinung|fehler|idee|pregunta|duda|domanda)\b`)
