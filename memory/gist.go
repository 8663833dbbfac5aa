package memory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"threadkeeper/memory/reading"
)

const gistLines = 3

// Gist says in at most three lines what a session is about: what is to be done, what is open, what was decided, the facts and the
// story of its snapshot, one line of each in turn, and then what people said last. It is derived anew each time, so that
// nothing of an erased message is in it. With only one message there is nothing to say beside its title.
func (v *Views) Gist(ctx context.Context, session int64) ([]string, error) {
	sn, err := v.memory.Snapshot(ctx, session)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return nil, fmt.Errorf("memory: load a snapshot: %w", err)
	}
	var lines []string
	if err == nil {
		var j SnapshotJSON
		if err := json.Unmarshal([]byte(sn.JSON), &j); err != nil {
			return nil, fmt.Errorf("memory: read a snapshot: %w", err)
		}
		lines = inTurn(j.Todos, j.OpenQuestions, j.Decisions, j.KeyFacts, strings.Split(j.Narrative, "\n"))
	}
	if len(lines) == gistLines {
		return lines, nil
	}
	var last []*Message
	err = v.reader.NewSelect().Model(&last).Where("session_id = ? AND role = ? AND erased_at = 0 AND text <> ''", session, User).
		Where("id > (SELECT MIN(id) FROM messages WHERE session_id = ? AND role = ? AND erased_at = 0)", session, User). // that one is the title
		Order("id DESC").Limit(int64(gistLines - len(lines))).Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("memory: load what was said last: %w", err)
	}
	for _, m := range slices.Backward(last) {
		lines = append(lines, m.Author+": "+reading.CollapseSpace(m.Text))
	}
	return lines, nil
}

// inTurn takes the first of each list, then the second of each, until there are gistLines.
func inTurn(lists ...[]string) (lines []string) {
	for i, more := 0, true; more; i++ {
		more = false
		for _, l := range lists {
			if i < len(l) && len(lines) < gistLines {
				more = true
				if l[i] != "" {
					lines = append(lines, l[i])
				}
			}
		}
	}
	return lines
}
