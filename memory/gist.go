package memory

import (
	"context"
	"fmt"
	"slices"

	"github.com/uptrace/bun"

	"threadkeeper/memory/reading"
)

// GistLine is one of the lines that say what a session is about, and the message it rests on.
type GistLine struct {
	Message int64
	Text    string
}

const (
	gistLines   = 3
	gistFacts   = 10 // of each kind, the heaviest
	gistSpeaks  = 40 // of the newest messages, what they state counts though they are not folded yet
	beyondTitle = "m.id > (SELECT MIN(id) FROM messages WHERE session_id = m.session_id AND role = 'user' AND erased_at = 0)"
)

// Gist says in at most three lines what a session is about beside its title, which is its first message: what is to be done,
// what is open, what was decided and other facts, one of each in turn, and then what people said last. All of it rests on what
// people said in the session, so whoever may see that may see it; it is derived anew each time, so that it is up to date and
// nothing of an erased message is in it.
func (v *Views) Gist(ctx context.Context, session int64) (lines []GistLine, err error) {
	byKind := map[FactKind][]GistLine{}
	told := map[int64]bool{}
	var among string
	var args []any
	var kept bool // the search for the heaviest takes long to prepare, and most conversations have no facts
	if err := v.reader.NewRaw("SELECT EXISTS (SELECT 1 FROM facts WHERE session_id = ?)", session).Scan(ctx, &kept); err != nil {
		return nil, fmt.Errorf("memory: look for facts of a session: %w", err)
	}
	if kept {
		among, args = "fa.id IN ("+heaviest+")", []any{session, gistFacts}
	}
	facts, err := v.memory.stated(ctx, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Where("m.session_id = ?", session).Where(beyondTitle)
	},
		among, args,
		"m.id IN (SELECT id FROM messages WHERE session_id = ? AND role = ? ORDER BY id DESC LIMIT ?)", []any{session, User, gistSpeaks},
		func(string) bool { return true }, func(Carried) bool { return true })
	if err != nil {
		return nil, fmt.Errorf("memory: what a session states: %w", err)
	}
	for _, f := range facts {
		byKind[f.Kind] = append(byKind[f.Kind], GistLine{f.MessageID, reading.CollapseSpace(f.Text)})
	}
	for _, l := range inTurn(byKind[Todo], byKind[OpenQuestion], byKind[Decision], byKind[KeyFact]) {
		if !told[l.Message] && len(lines) < gistLines {
			lines, told[l.Message] = append(lines, l), true
		}
	}
	var last []*Message
	err = v.reader.NewSelect().Model(&last).Where("session_id = ? AND role = ? AND erased_at = 0 AND text <> ''", session, User).Where(beyondTitle).
		Order("id DESC").Limit(2 * gistLines).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("memory: load what was said last: %w", err)
	}
	last = slices.DeleteFunc(last, func(m *Message) bool { return told[m.ID] })
	for _, m := range slices.Backward(last[:min(len(last), gistLines-len(lines))]) {
		lines = append(lines, GistLine{m.ID, m.Author + ": " + reading.CollapseSpace(m.Text)})
	}
	return lines, nil
}

// inTurn are the first of each list, then the second of each, and so on.
func inTurn[T any](lists ...[]T) (all []T) {
	for i, more := 0, true; more; i++ {
		more = false
		for _, l := range lists {
			if i < len(l) {
				all, more = append(all, l[i]), true
			}
		}
	}
	return all
}
