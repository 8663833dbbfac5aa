package memory

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

// Origins of a fact that no model stated.
const (
	FoundIn = "found" // an answer took it from a document
	Quoted  = "said"  // a person's sentence, whose kind is guessed from its words
)

// Heading is the kind that a fact is shown under. A sentence that only sounds like a decision or a fact may be a joke, or taken
// back since: until somebody pins it, it is shown as what it is, something that was said.
func (f *Fact) Heading() FactKind {
	if f.Origin == Quoted && !f.Pinned && (f.Kind == Decision || f.Kind == KeyFact) {
		return Said
	}
	return f.Kind
}

// sameFact is the share of words two statements have in common at least when they are one fact.
const sameFact = 0.85

// firstWeight is what the first fact that a model states of a segment weighs beyond its words, the next ones less and less:
// it was asked to begin with the most important.
const firstWeight = 10

// addFacts stores the claims of a segment and returns their slots. One that repeats a stored fact of the same
// person adds its quote to it.
func (s *Store) addFacts(ctx context.Context, tx bun.IDB, sg *Segment, sl *Slice, claims []Claim) (slots []string, err error) {
	lines := sl.byID()
	if err := shareSlots(ctx, tx, sg.SessionID, claims, lines); err != nil {
		return nil, err
	}
	if claims, err = takeBack(ctx, tx, sg.SessionID, claims, lines); err != nil {
		return nil, err
	}
	for _, c := range claims {
		if slot := Slot(c.Slot); slot != "" {
			slots = append(slots, slot)
		}
	}
	stored, err := factsLike(ctx, tx, sg.SessionID, slots)
	if err != nil {
		return nil, err
	}
	known := map[form][]*wordedFact{}
	for _, f := range stored {
		known[formOf(f)] = append(known[formOf(f)], &wordedFact{Fact: f})
	}
	var settled []FactSource // what people took in hand is not stated again
	if err := tx.NewSelect().Model(&settled).Where("message_id BETWEEN ? AND ?", sg.FromID, sg.ToID).
		Where("EXISTS (SELECT 1 FROM facts AS fa WHERE fa.id = fact_id AND " + inHand + ")").Scan(ctx); err != nil {
		return nil, err
	}
	var channel int64
	if err := tx.NewRaw("SELECT channel_id FROM sessions WHERE id = ?", sg.SessionID).Scan(ctx, &channel); err != nil {
		return nil, err
	}
	var fresh, again []*Fact
	var rests []FactSource
	var of []*Fact       // the fact of each
	var replaces []int64 // the fact that each replaces, 0 for none
	for i, c := range claims {
		if sg.Method == ByModel && c.weight == 0 {
			c.weight = salience(c.Quote) + firstWeight*(len(claims)-i)/len(claims)
		}
		l, ok := lines[c.MessageID]
		if !ok || c.Text == "" || c.Quote == "" || slices.ContainsFunc(settled, func(src FactSource) bool {
			return src.MessageID == c.MessageID && (strings.Contains(src.Quote, c.Quote) || strings.Contains(c.Quote, src.Quote))
		}) {
			continue
		}
		f := newFact(c, l)
		f.SessionID, f.ChannelID, f.SegmentID, f.RecordedAt = sg.SessionID, channel, sg.ID, s.Now()
		stating, alike := &wordedFact{Fact: f}, known[formOf(f)]
		if k := slices.IndexFunc(alike, func(k *wordedFact) bool { return k.same(stating) }); k >= 0 {
			f = alike[k].Fact
			f.AssertedAt = max(f.AssertedAt, l.At) // who returns to it means it now
			again = append(again, f)
		} else {
			fresh = append(fresh, f)
			if f.State == FactActive {
				known[formOf(f)] = append(alike, stating)
			}
		}
		rests, of, replaces = append(rests, FactSource{MessageID: l.ID, Rev: l.Rev, Quote: c.Quote}), append(of, f), append(replaces, c.Replaces)
	}
	if err := insertAll(ctx, tx, fresh, func(f *Fact) *int64 { return &f.ID }); err != nil || len(rests) == 0 {
		return slots, err
	}
	for i, f := range of {
		rests[i].FactID = f.ID
		if err := replacedBy(ctx, tx, replaces[i], f); err != nil {
			return nil, err
		}
	}
	for _, f := range again {
		if _, err := tx.NewUpdate().Model(f).Column("asserted_at").WherePK().Exec(ctx); err != nil {
			return nil, err
		}
	}
	_, err = tx.NewInsert().Model(&rests).On("CONFLICT (fact_id, message_id) DO NOTHING").Returning("NULL").Exec(ctx)
	return slots, err
}

// keptShown bounds Kept.
const keptShown = 40

// Kept returns the facts that a summary of a slice may change or settle, oldest first: those that share most words with its
// lines, then the newest. What rests on the slice itself is not among them, what that had replaced is.
func (s *Store) Kept(ctx context.Context, sl *Slice) (facts []*Fact, err error) {
	err = s.reader.NewRaw("SELECT "+factColumns+", slot_name FROM facts WHERE origin <> ?2 AND id IN ("+heaviest+` UNION ALL
			SELECT old.id FROM fact_sources AS fs JOIN facts AS old ON old.superseded_by = fs.fact_id AND old.superseded_by > 0 AND old.session_id = ?0
			WHERE fs.message_id BETWEEN ?3 AND ?4)
		AND NOT EXISTS (SELECT 1 FROM fact_sources WHERE fact_id = facts.id AND message_id BETWEEN ?3 AND ?4) ORDER BY id`,
		sl.SessionID, factsPerKind, FoundIn, sl.FromID, sl.ToID).Scan(ctx, &facts)
	if err != nil {
		return nil, fmt.Errorf("memory: load what a summary may change: %w", err)
	}
	var text strings.Builder
	for _, l := range sl.Lines {
		text.WriteString(l.Said + "\n")
	}
	said := reading.TermSet(text.String())
	shared := map[int64]int{}
	for _, f := range facts {
		for _, t := range rank.Terms(f.Text) {
			if said[t] {
				shared[f.ID]++
			}
		}
	}
	slices.SortFunc(facts, func(a, b *Fact) int { return cmp.Or(cmp.Compare(shared[b.ID], shared[a.ID]), cmp.Compare(b.ID, a.ID)) })
	facts = facts[:min(len(facts), keptShown)]
	slices.SortFunc(facts, func(a, b *Fact) int { return cmp.Compare(a.ID, b.ID) })
	return facts, nil
}

// shareSlots gives claims the slots of the facts that they replace, of which the newest statement holds, and their kinds where
// no slot is shared between them.
func shareSlots(ctx context.Context, tx bun.IDB, session int64, claims []Claim, lines map[int64]Line) error {
	for i, c := range claims {
		if c.Replaces == 0 {
			continue
		}
		old, err := first[Fact](ctx, tx, "id = ? AND session_id = ? AND state = ?", c.Replaces, session, FactActive)
		if errors.Is(err, ErrNotFound) {
			claims[i].Replaces = 0 // erased since
			continue
		}
		if err == nil {
			err = ownSlot(ctx, tx, old)
		}
		if err != nil {
			return err
		}
		claims[i].Slot = cmp.Or(old.SlotName, old.Slot)
		if ofPerson(old.Kind) != ofPerson(c.Kind) && (!ofPerson(old.Kind) || old.PersonID == lines[c.MessageID].PersonID) {
			claims[i].Kind = old.Kind
		}
	}
	return nil
}

// replacedBy ends a fact, 0 for none, that holds for a time when another takes its place for at least as long: others of its slot
// would leave it as it is.
func replacedBy(ctx context.Context, tx bun.IDB, old int64, by *Fact) error {
	if old == 0 || old == by.ID {
		return nil
	}
	return exec(ctx, tx, "UPDATE facts SET state = ?, superseded_by = ? WHERE id = ? AND valid_to BETWEEN 1 AND ? AND slot = ? AND (person_id = ? OR kind NOT IN (?, ?))",
		FactSuperseded, by.ID, old, cmp.Or(by.ValidTo, math.MaxInt64), by.Slot, by.PersonID, Preference, Constraint)
}

// ownSlot gives a fact without a slot one of its own, so that another fact can take its place.
func ownSlot(ctx context.Context, tx bun.IDB, f *Fact) error {
	if f.Slot != "" {
		return nil
	}
	f.SlotName = fmt.Sprintf("correction %d", f.ID)
	f.Slot = Slot(f.SlotName)
	_, err := tx.NewUpdate().Model(f).Column("slot", "slot_name").WherePK().Exec(ctx)
	return err
}

// factsRecent is how many of the newest facts a claim without a slot is compared with.
const factsRecent = 300

// factsLike are the active facts of a session that a claim may repeat: those of its slot, those that may be rendered, and
// the newest.
func factsLike(ctx context.Context, db bun.IDB, session int64, slots []string) (known []*Fact, err error) {
	err = db.NewRaw("SELECT "+factColumns+" FROM facts WHERE state = 'active' AND id IN ("+heaviest+` UNION ALL SELECT id FROM facts WHERE session_id = ?0 AND slot <> '' AND slot IN (?2)
		UNION ALL SELECT id FROM (SELECT id FROM facts WHERE session_id = ?0 ORDER BY id DESC LIMIT ?3)) ORDER BY id`,
		session, factsPerKind, bun.List(slots), factsRecent).Scan(ctx, &known)
	return known, err
}

// form is what facts that say the same have in common. Each claim of a segment is compared with those of its form only.
type form struct {
	state        FactState
	kind         FactKind
	person       int64
	slot, digits string
	validTo      int64
}

func formOf(f *Fact) form {
	return form{f.State, f.Kind, f.PersonID, f.Slot, digitsOf(f.Text), f.ValidTo}
}

func newFact(c Claim, l Line) *Fact {
	f := &Fact{PersonID: l.PersonID, Kind: c.Kind, Subject: c.Subject, Slot: Slot(c.Slot), SlotName: c.Slot, Text: c.Text,
		State: FactActive, Origin: "stated", AssertedAt: l.At, ValidTo: c.ExpiresAt, Weight: c.weight}
	if f.Weight == 0 {
		f.Weight = salience(c.Quote)
	}
	if !c.found && !rank.HasWords(c.Text, l.Name()) {
		f.Text = l.Name() + ": " + c.Text
	}
	switch {
	case c.found:
		f.Origin = FoundIn
	case c.quoted:
		f.Origin = Quoted
	case l.Role == Assistant:
		f.Origin = "assistant"
	}
	switch {
	case c.Quarantined:
		f.State = FactQuarantined
	case c.Done:
		f.State = FactClosed
	}
	return f
}

// Slot returns the normal form of the name of a fact's subject.
func Slot(name string) string { return strings.Join(rank.Terms(name), " ") }

func sameStatement(a, b *Fact) bool {
	return formOf(a) == formOf(b) && (&wordedFact{Fact: a}).same(&wordedFact{Fact: b})
}

// wordedFact is a fact that is compared with many.
type wordedFact struct {
	*Fact
	words []string // of its text, sorted, each once; nil until they are needed
}

// same reports whether two facts of one form say the same: nearly the same words, all that tell something in the same order, and
// both deny it or neither.
func (a *wordedFact) same(b *wordedFact) bool {
	return a.Text == b.Text || a.Origin != FoundIn && jaccard(a.sorted(), b.sorted()) >= sameFact && slices.Equal(rank.Terms(a.Text), rank.Terms(b.Text)) &&
		slices.Equal(rank.Numbers(a.Text), rank.Numbers(b.Text)) && reading.Negated(a.Text) == reading.Negated(b.Text)
}

func (a *wordedFact) sorted() []string {
	if a.words == nil {
		words := rank.Words(a.Text)
		slices.Sort(words)
		a.words = slices.Compact(words)
	}
	return a.words
}

func digitsOf(text string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, text)
}

// jaccard is the share of words that two sorted sets have in common.
func jaccard(a, b []string) float64 {
	all, both := len(a)+len(b), 0
	for len(a) > 0 && len(b) > 0 {
		switch c := strings.Compare(a[0], b[0]); {
		case c < 0:
			a = a[1:]
		case c > 0:
			b = b[1:]
		default:
			a, b, both = a[1:], b[1:], both+1
		}
	}
	if all == 0 {
		return 0
	}
	return float64(both) / float64(all-both)
}

func (s *Store) decideFacts(ctx context.Context, tx bun.IDB, session int64) error {
	var slots []string
	err := tx.NewRaw("SELECT DISTINCT slot FROM facts WHERE session_id = ? AND slot <> ''", session).Scan(ctx, &slots)
	if err != nil {
		return err
	}
	return s.decideSlots(ctx, tx, session, slots)
}

// decideSlots decides which facts of these slots of a session are active, from all of theirs:
// the outcome does not depend on the order in which they were stored.
func (s *Store) decideSlots(ctx context.Context, tx bun.IDB, session int64, slots []string) error {
	var facts []*Fact
	err := tx.NewSelect().Model(&facts).Where("session_id = ? AND slot <> '' AND slot IN (?)", session, bun.List(slots)).Order("id").Scan(ctx)
	if err != nil {
		return err
	}
	for _, f := range supersede(facts) {
		if _, err := tx.NewUpdate().Model(f).Column("state", "superseded_by").WherePK().Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// supersede sets State and SupersededBy of facts by slot and returns
// those it changed. What was corrected stays so. Else the newest statement of a slot holds, whoever made the others, but for
// preferences and constraints only the same person's; an assistant's never
// replaces a person's. What was said to hold for a time overlays and replaces nothing. A
// settled question or todo closes the open ones of its slot.
func supersede(facts []*Fact) []*Fact {
	groups, corrections := map[string][]*Fact{}, map[int64]bool{}
	for _, f := range facts {
		if f.State != FactQuarantined {
			groups[slotKey(f)], corrections[f.ID] = append(groups[slotKey(f)], f), f.Origin == Corrected
		}
	}
	var changed []*Fact
	for _, group := range groups {
		slices.SortStableFunc(group, func(a, b *Fact) int {
			return cmp.Or(cmp.Compare(a.AssertedAt, b.AssertedAt), cmp.Compare(a.ID, b.ID))
		})
		for i, f := range group {
			if corrections[f.SupersededBy] { // somebody said so
				continue
			}
			was := *f
			decideState(f, group[i+1:])
			if was.State != f.State || was.SupersededBy != f.SupersededBy {
				changed = append(changed, f)
			}
		}
	}
	return changed
}

// decideState decides the state of a fact from the later ones of its slot.
func decideState(f *Fact, later []*Fact) {
	if f.State == FactClosed && f.SupersededBy == 0 || f.ValidTo > 0 && slices.ContainsFunc(later, func(l *Fact) bool { return l.ID == f.SupersededBy }) {
		return // settles others itself, or has given way to another: see replacedBy
	}
	if f.State, f.SupersededBy = FactActive, 0; f.ValidTo > 0 {
		return
	}
	for _, l := range later {
		settles := l.State == FactClosed && l.SupersededBy == 0
		if l.ValidTo > 0 || f.Origin != "assistant" && l.Origin == "assistant" || settles && f.Kind != Todo && f.Kind != OpenQuestion ||
			f.PersonID != l.PersonID && f.ownSlot() && l.ownSlot() {
			continue
		}
		f.State, f.SupersededBy = FactSuperseded, l.ID
		if settles {
			f.State = FactClosed
		}
		return
	}
}

// ownSlot reports whether a fact is about something of its author's own, "my deadline": another of the same name has another.
func (f *Fact) ownSlot() bool {
	return f.Origin == Quoted && strings.HasPrefix(f.Slot, Slot(f.Subject)+" ")
}

func slotKey(f *Fact) string {
	if ofPerson(f.Kind) {
		return fmt.Sprintf("%d\x00%s", f.PersonID, f.Slot)
	}
	return "\x00" + f.Slot
}

// ofPerson reports whether facts of a kind are what one person wants: another's take nothing from them.
func ofPerson(kind FactKind) bool { return kind == Preference || kind == Constraint }

// Facts returns all facts of a session that were not quarantined, oldest statement first.
func (s *Store) Facts(ctx context.Context, session int64) (facts []*Fact, err error) {
	err = s.reader.NewSelect().Model(&facts).Where("session_id = ? AND state <> ?", session, FactQuarantined).
		Order("asserted_at", "id").Scan(ctx)
	return facts, err
}
