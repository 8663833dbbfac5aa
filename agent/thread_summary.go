package agent

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

const (
	lastLines    = 6   // of a conversation that a summary shows
	lastFacts    = 6   // of todos and decisions
	lastLineSize = 200 // runes of each
)

// due are phrases of something to be done.
const due = `todo|to-do|to do|need to|needs to|have to|has to|must|should|still|fails|waiting|open question|noch|mussen|muss|offen|fehlt|il faut|reste a|doit|hay que|falta|tenemos que`

// soFar says what a conversation holds: its snapshot, todos, open questions, decisions, and the last messages of people.
func (r *run) soFar(ctx context.Context) (string, error) {
	facts, err := r.Store.Facts(ctx, r.turn.Session.ID)
	if err != nil {
		return "", fmt.Errorf("load facts: %w", err)
	}
	var lines []string
	if s := r.history.Snapshot; s != nil && s.Rendered != "" {
		lines = append(lines, fenceLinks(s.Rendered))
	} else {
		labels := map[memory.FactKind]string{memory.Todo: r.say.todo, memory.OpenQuestion: r.say.open, memory.Decision: r.say.decision}
		for _, f := range slices.Backward(facts) {
			if label := labels[f.Kind]; label != "" && f.State == memory.FactActive && len(lines) < lastFacts {
				lines = append(lines, fmt.Sprintf("- %s (%s): %s", label, r.say.date(f.AssertedAt, r.turn.zone()), fenceLinks(reading.CollapseSpace(f.Text))))
			}
		}
	}
	var last []*memory.Message
	for _, dues := range []bool{false, true} {
		n := 0
		for _, m := range slices.Backward(r.history.Messages) {
			if m.Role == memory.User && n < lastLines/(1+len(last)/lastLines) && !slices.Contains(last, m) && r.worthTelling(m) && (!dues || reading.HasPhrase(m.Text, due)) {
				last = append(last, m)
				n++
			}
		}
	}
	slices.SortFunc(last, func(a, b *memory.Message) int { return int(a.ID - b.ID) })
	for _, m := range last {
		lines = append(lines, "- "+r.attributed(m, reading.Shorten(reading.CollapseSpace(reading.PlainLines(m.Text)), lastLineSize)))
	}
	if len(lines) == 0 {
		return r.say.noRecord, nil
	}
	return r.say.onRecord + "\n" + strings.Join(lines, "\n"), nil
}

// worthTelling leaves out courtesies, and what the asker asked us.
func (r *run) worthTelling(m *memory.Message) bool {
	if only(m.Text, greetings, 3) || only(m.Text, thanking, 4) || only(m.Text, nodding, 2) {
		return false
	}
	return states(m.Text) || m.PersonID != r.asker() && len(strings.Fields(m.Text)) > 2 && !takesModel(m.Text)
}
