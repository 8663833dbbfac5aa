package docs

import (
	"context"
	"fmt"
	"strings"
)

const (
	maxAhead = 12 // lines between the sentence that announces a table and its rows
	maxRows  = 8  // shown of a table without its totals
)

// TableBelow returns the lines of the table that words on a page announce: what names its columns, its first rows and its totals,
// "…" for rows that are left out. A table may continue on the next page. nil if there is none.
func (x *Index) TableBelow(ctx context.Context, document int64, page int, words string) ([]string, error) {
	k, name, err := x.contentOf(ctx, document)
	var on []*pageRow
	if err == nil {
		on, err = x.texts(ctx, k.ID, page, page+1)
	}
	if err != nil {
		return nil, fmt.Errorf("docs: table of %s: %w", name, err)
	}
	if len(on) == 0 || on[0].Number != page {
		return nil, nil
	}
	text := on[0].Text
	s, ok := newPlain(text).find(newQuote(words))
	if !ok {
		return nil, nil
	}
	all := tables(text)
	for i := range all {
		t := &all[i]
		if t.rows.start < s.end {
			continue
		}
		above := lineTexts(strings.TrimLeft(text[s.end:t.rows.start], ".: "))
		if len(above) > maxAhead {
			return nil, nil
		}
		rows := lineTexts(text[t.rows.start:t.rows.end])
		if i == len(all)-1 && len(on) > 1 {
			_, end := heads(text, nil, tail{})
			if next := tables(on[1].Text); len(next) > 0 && end.continues(&next[0]) {
				rows = append(rows, lineTexts(on[1].Text[next[0].rows.start:next[0].rows.end])...)
			}
		}
		return append(above, someRows(rows)...), nil
	}
	return nil, nil
}

func lineTexts(text string) (lines []string) {
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); l != "" {
			lines = append(lines, l)
		}
	}
	return lines
}

// someRows are all rows of a short table, else the first ones and its totals.
func someRows(rows []string) []string {
	if len(rows) <= maxRows+1 {
		return rows
	}
	some, left := rows[:maxRows/2:maxRows/2], false
	for i, r := range rows[maxRows/2:] {
		total := totalForm.MatchString(strings.ToLower(r)) || i == len(rows)-maxRows/2-1
		switch {
		case total && len(some) <= maxRows:
			if left {
				some = append(some, "…")
			}
			some, left = append(some, r), false
		default:
			left = true
		}
	}
	if left {
		some = append(some, "…")
	}
	return some
}
