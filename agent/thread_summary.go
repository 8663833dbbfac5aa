package agent

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

const (
	lastLines    = 6   // of a conversation that a summary shows
	toldPoints   = 8   // under a heading
	lastLineSize = 200 // runes of each
)

// soFar says what a conversation holds: its snapshot, or todos, open questions and decisions; and the last messages of people.
func (r *run) soFar(ctx context.Context) (string, error) {
	d, err := r.Store.Digest(ctx, memory.DigestQuery{Audience: r.turn.Audience, Session: r.turn.Session.ID, Before: r.turn.Messages[0].ID, Limit: catchUpLines,
		Period: reading.Period{To: r.turn.Now.UnixMilli() + 1}})
	if err != nil {
		return "", err
	}
	for _, m := range slices.Backward(r.history.Messages) {
		if m.Role == memory.User && m.SessionID != r.turn.Session.ID { // of the conversation that this one continues
			d.Lines = slices.Insert(d.Lines, 0, memory.DigestLine{Message: *m})
		}
	}
	snapshot := ""
	if s := r.history.Snapshot; s != nil && s.Rendered != "" {
		snapshot, d.Points = fenceLinks(s.Rendered), nil
	}
	return cmp.Or(strings.TrimSpace(snapshot+"\n\n"+r.record(d)), r.say.noRecord), nil
}

// record is what a digest decides, requests and leaves open, and what was said last, each under its heading.
func (r *run) record(d *memory.Digest) string {
	byID := map[int64]memory.DigestLine{}
	var last []string
	for _, l := range slices.Backward(d.Lines) {
		byID[l.ID] = l
		if len(last) < lastLines && r.worthTelling(&l.Message) {
			last = append(last, r.sourced(l, l.Text))
		}
	}
	slices.Reverse(last)
	points := map[memory.FactKind][]string{}
	for _, p := range d.Points {
		if l := byID[p.MessageID]; l.ID != 0 && !p.Done {
			points[p.Kind] = append(points[p.Kind], r.sourced(l, p.Quote))
		}
	}
	var parts []string
	add := func(title string, lines []string) {
		if more := len(lines) - toldPoints; more > 0 {
			lines = append([]string{"… " + fmt.Sprintf(r.say.andMore, more)}, lines[more:]...)
		}
		if len(lines) > 0 {
			parts = append(parts, "**"+title+"**\n- "+strings.Join(lines, "\n- "))
		}
	}
	add(r.say.decision, points[memory.Decision])
	add(r.say.todo, points[memory.Todo])
	add(r.say.open, points[memory.OpenQuestion])
	add(r.say.lastSaid, last)
	return strings.Join(parts, "\n\n")
}

// worthTelling leaves out courtesies, and what the asker asked us.
func (r *run) worthTelling(m *memory.Message) bool {
	if only(m.Text, greetings, 3) || only(m.Text, thanking, 4) || reading.Acknowledges(m.Text) {
		return false
	}
	return states(m.Text) || m.PersonID != r.asker() && len(strings.Fields(m.Text)) > 2 && !takesModel(m.Text)
}
