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

// noLonger takes back what holds until then, and so does anyMore with a word that denies.
const (
	noLonger = `no longer|nicht mehr|prefere plus|preferons plus|aime plus|aimons plus|ya no|non piu`
	anyMore  = `anymore|any more|mehr`
)

// takesBack reports whether a statement says that something holds no longer.
func takesBack(text string) bool {
	return takings.Get(text, func(text string) bool {
		return reading.HasPhrase(text, noLonger) || reading.HasPhrase(text, anyMore) && reading.Denies(text)
	})
}

// takings are kept: a fold looks at the quotes of earlier ones again.
var takings rank.Cache[bool]

// ends reports whether a statement says that something holds no longer, of the same thing, and of nothing less, that an earlier
// one says holds.
func ends(taking, earlier string) bool {
	if !takesBack(taking) {
		return false
	}
	words, said := reading.TermSet(strings.Join(slices.DeleteFunc(strings.Fields(taking), reading.Denies), " ")), reading.TermSet(earlier)
	without := reading.TermSet(strings.ReplaceAll(noLonger+"|"+anyMore+"|ne", "|", " "))
	for t := range words {
		if !reading.HasForm(said, t) && !without[t] {
			return false
		}
	}
	for t := range said {
		if !reading.HasForm(words, t) {
			return false
		}
	}
	return len(said) > 1
}

// takenBack is what a message takes back beside what other claims say of it. The claims have no kind until takeBack gives them that
// of what they end.
func takenBack(l Line, claims []Claim) (taking []Claim) {
	if !l.Human() || l.Bot || l.Joking {
		return nil
	}
	for _, sentence := range reading.MessageSentences(reading.PlainLines(bounded(l.Said))) {
		told := func(c Claim) bool {
			return c.MessageID == l.ID && (strings.Contains(c.Quote, sentence) || strings.Contains(sentence, c.Quote))
		}
		if takesBack(sentence) && !slices.ContainsFunc(claims, told) {
			taking = append(taking, Claim{Subject: l.Name(), Text: l.Name() + ": " + sentence, MessageID: l.ID, Quote: sentence, quoted: true})
		}
	}
	return taking
}

// takeBack gives what a person wants and what they say to take it back one slot, of which the newest statement holds, whichever of
// both is stored first. Claims without a kind that take back nothing go.
func takeBack(ctx context.Context, tx bun.IDB, session int64, claims []Claim, lines map[int64]Line) ([]Claim, error) {
	var known []*Known
	err := tx.NewRaw("SELECT "+factColumns+", slot_name, quote FROM facts JOIN fact_sources ON fact_id = id WHERE id IN ("+heaviestOf(Preference, Constraint)+")",
		session, factsPerKind).Scan(ctx, &known)
	if err != nil {
		return nil, err
	}
	taking := slices.DeleteFunc(slices.Clone(known), func(k *Known) bool { return !takesBack(k.Quote) })
	for i := range claims {
		c := &claims[i]
		if c.Replaces > 0 || c.Kind != "" && !ofPerson(c.Kind) {
			continue
		}
		takes, among := takesBack(c.Quote), taking
		if takes {
			among = known
		}
		ofOne := func(person int64, quote string) bool {
			return person == lines[c.MessageID].PersonID && (ends(c.Quote, quote) || ends(quote, c.Quote))
		}
		for _, f := range among {
			if ofOne(f.PersonID, f.Quote) {
				if err := ownSlot(ctx, tx, &f.Fact); err != nil {
					return nil, err
				}
				c.Kind, c.Slot = f.Kind, cmp.Or(f.SlotName, f.Slot)
			}
		}
		for j := range claims[:i] {
			if e := &claims[j]; ofPerson(e.Kind) && (takes || takesBack(e.Quote)) && ofOne(lines[e.MessageID].PersonID, e.Quote) {
				e.Slot = cmp.Or(e.Slot, fmt.Sprint("change ", e.MessageID))
				c.Kind, c.Slot = e.Kind, e.Slot
			}
		}
	}
	return slices.DeleteFunc(claims, func(c Claim) bool { return c.Kind == "" }), nil
}
