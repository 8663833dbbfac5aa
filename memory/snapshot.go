package memory

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"math"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// SnapshotJSON is the shape of Snapshot.JSON.
type SnapshotJSON struct {
	UserProfile struct {
		Preferences []string `json:"preferences"`
		Constraints []string `json:"constraints"`
	} `json:"user_profile"`
	KeyFacts      []string `json:"key_facts"`
	Decisions     []string `json:"decisions"`
	Said          []string `json:"said"` // without a model: what may be either, the newest first
	OpenQuestions []string `json:"open_questions"`
	Todos         []string `json:"todos"`
	Narrative     string   `json:"narrative"`
}

// formerFor is how long a fact's former value is shown beside it.
const formerFor = 30 * 24 * 3600 * 1000

// renderSnapshot puts a new version in the place of the snapshot of a session, if it has a
// segment.
func (s *Store) renderSnapshot(ctx context.Context, tx bun.IDB, session int64) error {
	segments, err := newestSegments(ctx, tx, session, math.MaxInt64)
	if err != nil || len(segments) == 0 {
		return err
	}
	var earlier int // messages in older segments
	if err := tx.NewRaw("SELECT COALESCE(SUM(messages), 0) FROM segments WHERE session_id = ? AND from_id < ?", session, segments[0].FromID).Scan(ctx, &earlier); err != nil {
		return err
	}
	facts, err := heaviestFacts(ctx, tx, session)
	if err != nil {
		return err
	}
	watermark := segments[len(segments)-1].ToID
	present, err := speakersAfter(ctx, tx, session, watermark)
	if err != nil {
		return err
	}
	p, err := s.policyOf(ctx, tx, session)
	if err != nil {
		return err
	}
	people := make([]int64, len(facts))
	for i, f := range facts {
		people[i] = f.PersonID
	}
	authors, err := authorsAmong(ctx, tx, people)
	if err != nil {
		return err
	}
	for _, f := range facts {
		f.Zone = authors[f.PersonID].zone
	}
	sn := compose(factLines(facts, present, s.Now()), segments, earlier, p.summaryRoom())
	var version int64
	if err := tx.NewRaw("SELECT COALESCE(MAX(version), 0) FROM snapshots WHERE session_id = ?", session).Scan(ctx, &version); err != nil {
		return err
	}
	sn.SessionID, sn.Version, sn.Watermark, sn.CreatedAt = session, version+1, watermark, s.Now()
	if _, err = tx.NewInsert().Model(sn).ExcludeColumn("id").Returning("NULL").Exec(ctx); err != nil {
		return err
	}
	return exec(ctx, tx, "DELETE FROM snapshots WHERE session_id = ? AND version < ?", session, sn.Version)
}

// factColumns are what a fact is rendered and compared by: a fold reads many.
const factColumns = "id, kind, person_id, slot, text, state, origin, pinned, weight, asserted_at, valid_to, superseded_by"

// factsPerKind is how many facts of a kind are considered for a snapshot, the heaviest.
const factsPerKind = 120

// heaviestFacts are the facts of a session that may be rendered: the heaviest active ones of each kind, and the
// newest that each of them replaced.
func heaviestFacts(ctx context.Context, tx bun.IDB, session int64) (facts []*Fact, err error) {
	err = tx.NewRaw("SELECT "+factColumns+" FROM facts WHERE id IN ("+mayBeRendered+") ORDER BY id", session, factsPerKind).Scan(ctx, &facts)
	return facts, err
}

// heaviest is an SQL query for the ids of the ?1 heaviest active facts of each kind of session ?0, and mayBeRendered
// for those and what they replaced. Both read as many rows, however many facts there are.
var (
	heaviest      = heaviestOf(Preference, Constraint, KeyFact, Decision, OpenQuestion, Todo)
	mayBeRendered = heaviest + ` UNION ALL SELECT id FROM facts WHERE superseded_by > 0 AND state = 'superseded' AND superseded_by IN (` + heaviest + `)`
)

func heaviestOf(kinds ...FactKind) string {
	var each []string
	for _, kind := range kinds {
		each = append(each, `SELECT id FROM (SELECT id FROM facts WHERE session_id = ?0 AND state = 'active' AND kind = '`+string(kind)+`'
			ORDER BY pinned DESC, weight DESC, id DESC LIMIT ?1)`)
	}
	return strings.Join(each, " UNION ALL ")
}

// presentIn is how many of the last messages are looked at for who is present.
const presentIn = 500

// speakersAfter returns the people who have spoken in a session after a message.
func speakersAfter(ctx context.Context, tx bun.IDB, session, message int64) (map[int64]bool, error) {
	var ids []int64
	err := tx.NewRaw("SELECT DISTINCT person_id FROM (SELECT person_id FROM messages WHERE session_id = ? AND id > ? ORDER BY id DESC LIMIT ?)", session, message, presentIn).Scan(ctx, &ids)
	people := map[int64]bool{}
	for _, id := range ids {
		people[id] = true
	}
	return people, err
}

// Shares of a snapshot in percent that the groups of facts may take before the others have had theirs, in the
// order in which they get what is left: preferences and constraints, todos and open questions, decisions, key
// facts. The narrative gets narrativeShare at least.
var groupShares = []int{40, 20, 15, 15}

const narrativeShare = 15

// compose renders fact lines and narratives as a snapshot whose text, as a message, takes at most room tokens; before the
// segments there were as many messages as earlier says. No
// fact is rendered in part: those that do not fit are left out, the least important first.
func compose(lines []factLine, segments []*Segment, earlier, room int) *Snapshot {
	budget := room - Count(string(User)) - messageOverhead - headingTokens
	told := 0                                                                                  // reserved for the narrative
	if slices.ContainsFunc(segments, func(sg *Segment) bool { return sg.Method == ByModel }) { // an extractive one has the sentences of the facts
		told = budget * narrativeShare / 100
	}
	kept := chooseLines(lines, budget-told, budget)
	parts := narratives(segments, earlier, kept, lines)
	used := 0
	for _, l := range kept {
		used += l.tokens
	}
	for left := budget - used; ; {
		sn := assemble(kept, parts.fit(left))
		switch {
		case sn.Tokens <= room:
			return sn
		case left > 0:
			left -= max(sn.Tokens-room, 8)
		case len(kept) > 0:
			kept = kept[:len(kept)-1]
		default:
			return &Snapshot{JSON: assemble(nil, "").JSON}
		}
	}
}

// headingTokens is what the headings around facts and narrative cost.
const headingTokens = 24

// chooseLines takes the best lines of each group within its share of budget, then of all that is left the best that fit
// room; they stay in order.
func chooseLines(lines []factLine, room, budget int) []factLine {
	taken, seen := make([]bool, len(lines)), map[string]bool{}
	for group, percent := range groupShares {
		share := budget * percent / 100
		for i, l := range lines {
			if l.group != group || !lines[i].fits(min(share, room)) {
				continue
			}
			if form := string(l.kind) + digits.ReplaceAllString(l.text, "0"); !seen[form] {
				seen[form], taken[i], share, room = true, true, share-lines[i].tokens, room-lines[i].tokens
			}
		}
	}
	byWorth := make([]int, len(lines))
	for i := range byWorth {
		byWorth[i] = i
	}
	slices.SortStableFunc(byWorth, func(a, b int) int { return cmp.Compare(lines[b].worth, lines[a].worth) })
	for _, i := range byWorth {
		if !taken[i] && lines[i].fits(room) {
			taken[i], room = true, room-lines[i].tokens
		}
	}
	var kept []factLine
	for i, l := range lines {
		if taken[i] {
			kept = append(kept, l)
		}
	}
	return kept
}

// digits are the only difference between lines of one form: "room 1 is booked", "room 2 is booked". One of them comes first.
var digits = reading.Lazy(`\d+`)

// factLine is a fact as a snapshot shows it. Group is its place in groupShares.
type factLine struct {
	kind   FactKind // see Fact.Heading
	group  int
	at     int64
	text   string
	former []*Fact // what it replaced
	tokens int     // with the dash and the line's end; 0 until somebody asks, since counting takes time
	worth  float64 // see worth
}

// lineCounts are the tokens of lines, most of which the next snapshot has too.
var lineCounts rank.Cache[int]

// fits reports whether a line takes at most room tokens. Most lines are too long for what is left by far: a word takes one at least.
func (l *factLine) fits(room int) bool {
	if l.tokens == 0 && len(l.text) <= room*8 && strings.Count(l.text, " ")+3 <= room {
		l.tokens = lineCounts.Get(l.text, Count) + 2
	}
	return l.tokens > 0 && l.tokens <= room
}

// factLines are the rendered facts that hold now, group by group: of the people present first, the pinned, then
// those that tell most, the newer of equals.
func factLines(facts []*Fact, present map[int64]bool, now int64) []factLine {
	former := map[int64][]*Fact{} // what a fact replaced, the latest last
	var active []*Fact
	for _, f := range facts {
		switch {
		case f.State == FactActive && (f.ValidTo == 0 || f.ValidTo > now):
			active = append(active, f)
		case f.State == FactSuperseded:
			former[f.SupersededBy] = append(former[f.SupersededBy], f)
		}
	}
	absent := func(f *Fact) int { return one(factGroup(f.Kind) == 0 && !present[f.PersonID]) }
	slices.SortStableFunc(active, func(a, b *Fact) int {
		return cmp.Or(cmp.Compare(factGroup(a.Kind), factGroup(b.Kind)), cmp.Compare(one(b.Pinned), one(a.Pinned)), cmp.Compare(absent(a), absent(b)),
			cmp.Compare(worth(b), worth(a)), cmp.Compare(b.AssertedAt, a.AssertedAt), cmp.Compare(b.ID, a.ID))
	})
	var lines []factLine
	for _, f := range active {
		l := factLine{kind: f.Heading(), group: factGroup(f.Kind), at: f.AssertedAt, worth: worth(f), former: former[f.ID], text: f.Text + " (" + f.day(f.AssertedAt, now)}
		if f.ValidTo > 0 {
			l.text += ", until " + f.day(f.ValidTo-1, now) // the last day it is true
		}
		if n := len(l.former); n > 0 && now-f.AssertedAt < formerFor {
			old := l.former[n-1]
			l.text += ", latest; before: " + strings.TrimRight(old.Text, ".") + ", " + old.day(old.AssertedAt, now)
		}
		l.text += ")"
		lines = append(lines, l)
	}
	return lines
}

// worth is how informative a fact is for its length; a pinned one comes first. A constraint counts twice: who is about to
// break it asks no question that would find it.
func worth(f *Fact) float64 {
	if f.Pinned {
		return math.Inf(1)
	}
	w := float64(f.Weight) / math.Sqrt(float64(20+len(f.Text)))
	if f.Kind == Constraint {
		w *= 2
	}
	return w
}

// one is 1 for true and 0 for false, to sort by.
func one(b bool) int {
	if b {
		return 1
	}
	return 0
}

// factGroup is the place of a kind in groupShares.
func factGroup(kind FactKind) int {
	switch kind {
	case Preference, Constraint:
		return 0
	case Todo, OpenQuestion:
		return 1
	case Decision:
		return 2
	}
	return 3
}

// day is a day of whom a fact is of, as in "3 May", with its year unless that is the present one.
func (f *Fact) day(at, now int64) string {
	day := inZone(at, f.Zone)
	if day.Year() == inZone(now, f.Zone).Year() {
		return day.Format("2 Jan")
	}
	return day.Format("2 Jan 2006")
}

func assemble(lines []factLine, narrative string) *Snapshot {
	var j SnapshotJSON
	lines = slices.Clone(lines)
	slices.SortStableFunc(lines, func(a, b factLine) int {
		if a.kind == Said && b.kind == Said {
			return cmp.Compare(b.at, a.at)
		}
		return cmp.Compare(a.kind, b.kind)
	})
	headings := []struct {
		kind  FactKind
		title string
		list  *[]string
	}{
		{Preference, "Preferences:", &j.UserProfile.Preferences}, {Constraint, "Constraints:", &j.UserProfile.Constraints},
		{Todo, "To do:", &j.Todos}, {OpenQuestion, "Open questions:", &j.OpenQuestions},
		{Decision, "Decisions:", &j.Decisions}, {KeyFact, "Key facts:", &j.KeyFacts}, {Said, "Said, the newest first:", &j.Said},
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
		panic("memory: a snapshot does not encode: " + err.Error()) // it contains only strings
	}
	return strings.TrimSpace(b.String())
}
