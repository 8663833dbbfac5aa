package memory

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/uptrace/bun"
)

// SnapshotJSON is the shape of Snapshot.JSON.
type SnapshotJSON struct {
	UserProfile struct {
		Preferences []string `json:"preferences"`
		Constraints []string `json:"constraints"`
	} `json:"user_profile"`
	KeyFacts      []string `json:"key_facts"`
	Decisions     []string `json:"decisions"`
	OpenQuestions []string `json:"open_questions"`
	Todos         []string `json:"todos"`
	Narrative     string   `json:"narrative"`
}

// factsShare is the percentage of the snapshot that facts may take when the
// narrative needs the rest.
const factsShare = 60

// summaryOfFolded is the percentage of the folded messages' tokens that the snapshot may take:
// a fold of short messages frees something too.
const summaryOfFolded = 75

// leastSummary is how many tokens it may take whatever was folded: a few facts.
const leastSummary = 160

// formerFor is how long the value a fact replaced is shown beside it.
const formerFor = 30 * 24 * 3600 * 1000

// renderSnapshot stores a new version of the snapshot of a session, if it has a
// segment.
func (s *Store) renderSnapshot(ctx context.Context, tx bun.IDB, session int64) error {
	var segments []*Segment
	if err := tx.NewSelect().Model(&segments).Where("session_id = ?", session).Order("from_id").Scan(ctx); err != nil {
		return err
	}
	if len(segments) == 0 {
		return nil
	}
	var facts []*Fact
	if err := tx.NewSelect().Model(&facts).Where("session_id = ? AND state IN (?, ?)", session, FactActive, FactSuperseded).
		Order("id").Scan(ctx); err != nil {
		return err
	}
	watermark := segments[len(segments)-1].ToID
	var above, below int
	if err := tx.NewRaw(`SELECT COALESCE(SUM(tokens) FILTER (WHERE id > ?1), 0), COALESCE(SUM(tokens) FILTER (WHERE id <= ?1), 0)
		FROM messages WHERE session_id = ?0`, session, watermark).Scan(ctx, &above, &below); err != nil {
		return err
	}
	room := min(s.Policy.summaryRoom(above), max(below*summaryOfFolded/100, leastSummary))
	sn := compose(facts, segments, room, s.Now())
	var version int64
	if err := tx.NewRaw("SELECT COALESCE(MAX(version), 0) FROM snapshots WHERE session_id = ?", session).Scan(ctx, &version); err != nil {
		return err
	}
	sn.SessionID, sn.Version, sn.Watermark, sn.CreatedAt = session, version+1, watermark, s.Now()
	_, err := tx.NewInsert().Model(sn).ExcludeColumn("id").Returning("NULL").Exec(ctx)
	return err
}

// compose renders facts and narratives as a snapshot whose text (as a message)
// and JSON take at most room tokens each. No fact is rendered in part: those that do not
// fit are left out, the least important first. Older narratives are shortened first.
func compose(facts []*Fact, segments []*Segment, room int, now int64) *Snapshot {
	lines := factLines(facts, now)
	parts := narratives(segments)
	budget := room - Count(string(User)) - messageOverhead - headingTokens
	share := budget - min(parts.tokens(), budget*(100-factsShare)/100)
	used := 0
	for i, l := range lines {
		cost := Count(l.text) + 5 // the dash or the quotes and comma, and the line's end
		if used+cost > share {
			lines = lines[:i]
			break
		}
		used += cost
	}
	for left := budget - used; ; left -= 8 {
		sn := assemble(lines, parts.fit(left))
		switch {
		case sn.Tokens <= room && Count(sn.JSON) <= room:
			return sn
		case left > budget/4 && left > 0:
		case len(lines) > 0:
			lines = lines[:len(lines)-1]
		case left <= 0:
			return &Snapshot{JSON: sn.JSON}
		}
	}
}

// headingTokens is what the headings and the JSON around facts and narrative cost.
const headingTokens = 44

type factLine struct {
	kind FactKind
	text string
}

// factLines are the rendered facts that hold now: constraints, then decisions,
// then the others, key facts without a slot last; newer first.
func factLines(facts []*Fact, now int64) []factLine {
	former := map[int64]*Fact{} // what a fact replaced, the latest
	var active []*Fact
	for _, f := range facts {
		switch {
		case f.State == FactActive && (f.ValidTo == 0 || f.ValidTo > now):
			active = append(active, f)
		case f.State == FactSuperseded && now-f.ValidTo < formerFor:
			former[f.SupersededBy] = f
		}
	}
	slices.SortStableFunc(active, func(a, b *Fact) int {
		if d := precedence(a) - precedence(b); d != 0 {
			return d
		}
		return int(max(-1, min(1, b.AssertedAt-a.AssertedAt)))
	})
	var lines []factLine
	for _, f := range active {
		l := factLine{kind: f.Kind, text: withDate(f, f.Text)}
		if f.ValidTo > 0 {
			l.text += " until " + shortDate(f.ValidTo)
		}
		if old := former[f.ID]; old != nil {
			l.text += " [latest; before: " + withDate(old, old.Text) + "]"
		}
		lines = append(lines, l)
	}
	return lines
}

// precedence is the rank of a fact, 0 first. A number without a name for what it
// is comes last.
func precedence(f *Fact) int {
	switch {
	case f.Kind == Constraint:
		return 0
	case f.Kind == Decision:
		return 1
	case f.Kind == KeyFact && f.Slot == "":
		return 3
	}
	return 2
}

func withDate(f *Fact, text string) string { return text + " (" + shortDate(f.AssertedAt) + ")" }

func assemble(lines []factLine, narrative string) *Snapshot {
	var j SnapshotJSON
	headings := []struct {
		kind  FactKind
		title string
		list  *[]string
	}{
		{Preference, "Preferences:", &j.UserProfile.Preferences}, {Constraint, "Constraints:", &j.UserProfile.Constraints},
		{KeyFact, "Key facts:", &j.KeyFacts}, {Decision, "Decisions:", &j.Decisions},
		{OpenQuestion, "Open questions:", &j.OpenQuestions}, {Todo, "To do:", &j.Todos},
	}
	var b strings.Builder
	for _, h := range headings {
		*h.list = []string{}
		for _, l := range lines {
			if l.kind == h.kind {
				*h.list = append(*h.list, l.text)
			}
		}
		if len(*h.list) > 0 {
			b.WriteString(h.title + "\n- " + strings.Join(*h.list, "\n- ") + "\n")
		}
	}
	j.Narrative = narrative
	if narrative != "" {
		b.WriteString("Earlier:\n" + narrative)
	}
	rendered := strings.TrimSpace(b.String())
	sn := &Snapshot{JSON: encode(j), Rendered: rendered}
	if rendered != "" {
		sn.Tokens = CountMessage(User, rendered)
	}
	return sn
}

// encode is v as JSON without the escapes that only HTML needs.
func encode(v SnapshotJSON) string {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic("memory: a snapshot does not encode: " + err.Error()) // it holds strings only
	}
	return strings.TrimSpace(b.String())
}
