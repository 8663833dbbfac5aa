package bot

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// meantWithin is how long before a bare mention something was said for the mention
// to mean it. What a thread began with is always meant.
const meantWithin = time.Hour

// isBareMention reports whether the turn is about nothing: somebody only said our name.
func (t *turn) isBareMention(ctx context.Context) (bool, error) {
	ids := make([]int64, len(t.messages))
	for i, m := range t.messages {
		if strings.TrimSpace(m.Text) != "" {
			return false, nil
		}
		ids[i] = m.ID
	}
	files, err := t.bot.Store.FilesOf(ctx, ids)
	return len(files) == 0, wrap("look for files", err)
}

// resolveBareMention lets a bare mention stand for what the same person has just said here,
// unanswered.
func (t *turn) resolveBareMention(ctx context.Context) error {
	bare, err := t.isBareMention(ctx)
	if err != nil || !bare {
		return err
	}
	mention := t.messages[0]
	said, err := t.bot.Store.UnansweredBefore(ctx, mention, burst.Rows)
	if err != nil {
		return err
	}
	said = slices.DeleteFunc(said, func(m *memory.Message) bool {
		return mention.At-m.At > meantWithin.Milliseconds() && m.PlatformID != t.session.Thread
	})
	if len(said) > 0 {
		t.mentions, t.messages = t.messages, said
	}
	return nil
}

// maxNamed is how many documents a greeting names.
const maxNamed = 5

// greeting answers a bare mention: what we can do, and what is known here.
func (t *turn) greeting(ctx context.Context) (string, error) {
	st, err := t.bot.Store.Views.Status(ctx, t.session.ID)
	if err != nil {
		return "", wrap("load status", err)
	}
	names, err := t.known(ctx)
	if err != nil {
		return "", err
	}
	text := t.say.Greeting
	if n := st.Verbatim + st.Compacted - len(t.messages); n > 0 || len(names) > 0 {
		text += "\n\n" + t.say.Count(t.say.Known, n)
	}
	if len(names) > 0 {
		text += " " + fmt.Sprintf(t.say.KnownDocuments, strings.Join(names, ", "))
	}
	return text, nil
}

// known are the names of the documents that can be asked about here.
func (t *turn) known(ctx context.Context) ([]string, error) {
	if t.bot.Index == nil || t.person == nil {
		return nil, nil
	}
	a, err := t.bot.audience(ctx, t.session.ID, t.person.ID)
	if err != nil {
		return nil, err
	}
	all, err := t.bot.Index.List(ctx, a)
	if err != nil {
		return nil, wrap("list documents", err)
	}
	var names []string
	for _, d := range slices.Backward(all) {
		if d.State != memory.DocumentReady {
			continue
		}
		if len(names) == maxNamed {
			return append(names, "…"), nil
		}
		names = append(names, say.Plain(d.Name))
	}
	return names, nil
}
