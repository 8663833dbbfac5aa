package agent

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"threadkeeper/memory"
	"threadkeeper/memory/rank"
	"threadkeeper/memory/reading"
)

var searchMessages = tool{
	name:        "search_messages",
	keeps:       true,
	description: "Find earlier messages, here and wherever else the people here may read. The query is words the message would hold, with synonyms; without it, all of the days.",
	parameters: map[string]any{"required": []string{}, "properties": map[string]any{
		"query": textSchema("words of the message"), "author": textSchema("a person's name; left out: anybody"),
		"from": textSchema("first day, 2026-01-31"), "to": textSchema("last day")}},
	run: (*toolUse).searchMessages,
}

const foundMessages = 15

func (w *toolUse) searchMessages(ctx context.Context, arguments json.RawMessage) (result, error) {
	var in struct{ Query, Queries, Author, From, To json.RawMessage }
	if json.Unmarshal(arguments, &in) != nil {
		return failed("The arguments could not be read."), nil
	}
	query := strings.Join(slices.Concat(texts(in.Query), texts(in.Queries)), " ")
	author := loose(in.Author)
	from, okFrom := w.day(loose(in.From), 0)
	to, okTo := w.day(loose(in.To), 1)
	switch {
	case strings.TrimSpace(query) == "" && from == 0:
		return failed("It takes a query, or days."), nil
	case !okFrom || !okTo:
		return failed("A day is written as 2026-01-31."), nil
	}
	w.status(ctx, query)
	q := w.recallQuery(query)
	shown := q.Exclude
	q.Exclude = func(id int64) bool { return shown(id) || slices.Contains(w.said, id) }
	if author != "" {
		q.Speakers = []string{author}
	}
	if author != "" || from > 0 || to > 0 {
		q.Limit = 10 * foundMessages // only those of the author and the days are kept
	}
	found, err := w.recallOrDays(ctx, q, from, to)
	if err != nil {
		return result{}, fmt.Errorf("search messages: %w", err)
	}
	found = slices.DeleteFunc(found, func(f memory.Recalled) bool {
		return from > 0 && f.Message.At < from || to > 0 && f.Message.At >= to || author != "" && !sameAuthor(f.Message.Author, author)
	})
	out := result{quality: resultOK}
	for _, f := range found[:min(len(found), foundMessages)] {
		line := w.recalledLine(f)
		cost := memory.Count(line)
		if cost > w.room {
			out.quality = resultTruncated
			break
		}
		w.room -= cost
		w.brought, w.said = append(w.brought, f), append(w.said, f.Message.ID)
		out.lines = append(out.lines, line)
	}
	if len(out.lines) == 0 {
		return result{quality: resultEmpty, next: "Try other words for it."}, nil
	}
	return out, nil
}

// recallOrDays searches, or without words to search for takes what was said on the days, the newest first.
func (w *toolUse) recallOrDays(ctx context.Context, q memory.RecallQuery, from, to int64) (found []memory.Recalled, err error) {
	if strings.TrimSpace(q.Text) != "" {
		return w.Store.Recall(ctx, q)
	}
	if to == 0 {
		to = w.turn.Now.UnixMilli() + 1
	}
	d, err := w.Store.Digest(ctx, memory.DigestQuery{Audience: q.Audience, Period: reading.Period{From: from, To: to}, Before: q.Before, Limit: catchUpLines})
	if err != nil {
		return nil, err
	}
	for _, l := range slices.Backward(d.Lines) {
		if !q.Exclude(l.ID) {
			w.place(l)
			found = append(found, memory.Recalled{Message: &l.Message})
		}
	}
	return found, nil
}

// sameAuthor reports whether a person is called by a name or a part of it.
func sameAuthor(author, name string) bool {
	has := rank.Words(author)
	for _, word := range rank.Words(name) {
		if !slices.Contains(has, word) {
			return false
		}
	}
	return true
}

// day is the beginning of a day where the lines of the history have their times, later days after it, in milliseconds; 0 for "". ok is
// false if it is no day.
func (w *toolUse) day(text string, later int) (at int64, ok bool) {
	if text == "" {
		return 0, true
	}
	t, err := time.ParseInLocation("2006-01-02", text[:min(len(text), 10)], cmp.Or(w.zone, w.turn.zone()))
	if err != nil {
		return 0, false
	}
	return t.AddDate(0, 0, later).UnixMilli(), true
}
