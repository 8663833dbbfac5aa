package bot

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/memory"
)

// maxChoices is how many completions every platform can show.
const maxChoices = 25

// suggest completes the argument of a command: the names of documents that the
// person may use where they ask, those that begin with the prefix first.
func (b *Bot) suggest(ctx context.Context, s Suggestion) ([]Choice, error) {
	cmd, ok := b.find(strings.ToLower(s.Command))
	if !ok || b.Index == nil || !slices.ContainsFunc(cmd.Options, func(o Option) bool { return o.Name == s.Option && o.Suggest }) {
		return nil, nil
	}
	session, err := b.Store.SessionByKey(ctx, s.Key)
	if gone(err) {
		return nil, nil
	}
	if err != nil {
		return nil, wrap("find session", err)
	}
	var who int64
	person, err := b.Store.PersonNamed(ctx, s.Key, s.Author.ID)
	if err == nil {
		who = person.ID
	} else if !gone(err) {
		return nil, wrap("find person", err)
	}
	a, err := b.Store.Audience(ctx, session.ID, who)
	if err != nil {
		return nil, wrap("load audience", err)
	}
	all, err := b.Index.List(ctx, a)
	if err != nil {
		return nil, wrap("list documents", err)
	}
	var begin, contain []Choice
	prefix := strings.ToLower(strings.TrimSpace(s.Prefix))
	for i, d := range all {
		if d.State != memory.DocumentReady {
			continue
		}
		c := Choice{Label: d.Name, Value: strconv.Itoa(i + 1)}
		switch name := strings.ToLower(d.Name); {
		case strings.HasPrefix(name, prefix):
			begin = append(begin, c)
		case strings.Contains(name, prefix):
			contain = append(contain, c)
		}
	}
	choices := append(begin, contain...)
	return choices[:min(len(choices), maxChoices)], nil
}
