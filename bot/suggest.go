package bot

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// maxChoices is how many completions every platform can show.
const maxChoices = 25

// suggest completes the argument of a command: one of its values, a citation, or else the
// names of documents that the person may use where they ask, those that begin with the
// prefix first.
func (b *Bot) suggest(ctx context.Context, name string, s platform.Suggestion) ([]platform.Choice, error) {
	cmd, ok := registered(strings.ToLower(s.Command))
	i := slices.IndexFunc(cmd.Options, func(o platform.Option) bool { return o.Name == s.Option && o.Suggest })
	if !ok || i < 0 {
		return nil, nil
	}
	if values := cmd.Options[i].Values; len(values) > 0 {
		return valuesLike(values, s.Prefix, strings.TrimPrefix(cmd.Name, "settings "), say.In(s.Author.Locale)), nil
	}
	if b.Index == nil {
		return nil, nil
	}
	s.Key.Platform = name
	session, err := b.Store.SessionByKey(ctx, s.Key)
	if gone(err) {
		return nil, nil
	}
	if err != nil {
		return nil, wrap("find session", err)
	}
	var who int64
	person, err := b.Store.PersonByPlatformID(ctx, s.Key, s.Author.ID)
	if err == nil {
		who = person.ID
	} else if !gone(err) {
		return nil, wrap("find person", err)
	}
	a, err := b.audience(ctx, session.ID, who)
	if err != nil {
		return nil, err
	}
	if s.Author.Kind == memory.Guest || s.Author.Kind == memory.Unknown { // perhaps not stored yet
		a.Guest, a.NoDocuments = true, !b.ExternalDocuments
	}
	if cmd.Name == "page" {
		return b.pagesLike(ctx, session.ID, a, s)
	}
	all, err := b.Index.List(ctx, a)
	if err != nil {
		return nil, wrap("list documents", err)
	}
	var begin, contain []platform.Choice
	prefix := strings.ToLower(strings.TrimSpace(s.Prefix))
	for i, d := range all {
		if d.State != memory.DocumentReady {
			continue
		}
		c := platform.Choice{Label: d.Name, Value: strconv.Itoa(i + 1)}
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

// valuesLike are those of a setting's values that begin with a prefix, and what they mean.
func valuesLike(values []string, prefix, setting string, w *say.Words) []platform.Choice {
	var like []platform.Choice
	for _, v := range values {
		if strings.HasPrefix(v, strings.ToLower(strings.TrimSpace(prefix))) {
			like = append(like, platform.Choice{Label: v + " – " + w.Policies[setting+" "+v], Value: v})
		}
	}
	return like
}

// pagesLike are the citations of the last answer that has any, as far as their documents
// are open to an audience: those whose number begins with the prefix, or whose document has
// it in its name.
func (b *Bot) pagesLike(ctx context.Context, session int64, a memory.Audience, s platform.Suggestion) ([]platform.Choice, error) {
	citations, err := b.Store.Views.LastCitations(ctx, session)
	if err != nil {
		return nil, wrap("load citations", err)
	}
	prefix := strings.ToLower(strings.Trim(s.Prefix, "[]# "))
	var like []platform.Choice
	for _, c := range citations {
		number := strconv.Itoa(c.N)
		if !strings.HasPrefix(number, prefix) && !strings.Contains(strings.ToLower(c.Document), prefix) || a.NoDocuments {
			continue
		}
		if _, err := b.Index.Visible(ctx, a, c.DocumentID); err != nil {
			continue // it is not, or not any more
		}
		like = append(like, platform.Choice{Label: fmt.Sprintf("[%s] %s, ", number, say.Plain(c.Document)) + fmt.Sprintf(say.In(s.Author.Locale).Page, c.Page), Value: number})
	}
	return like[:min(len(like), maxChoices)], nil
}
