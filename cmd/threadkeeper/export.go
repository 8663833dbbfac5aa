package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"threadkeeper/bot/console"
	"threadkeeper/bot/say"
	"threadkeeper/config"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// exportCmd writes a conversation and its memory.
type exportCmd struct {
	Thread string `default:"main" placeholder:"NAME" help:"Thread to write (${default})."`
	Format string `enum:"json,markdown" default:"json" placeholder:"FORMAT" help:"json, one object per line, or markdown for people (${default})."`
}

func (c *exportCmd) Read(ctx context.Context, sys system, _ *config.Config, store *memory.Store) error {
	session, err := findThread(ctx, store, c.Thread)
	if err != nil {
		return err
	}
	a, err := store.Audience(ctx, session.ID, 0)
	if err != nil {
		return err
	}
	if c.Format == "markdown" {
		return exportMarkdown(ctx, sys.Out, store, a, session.ID)
	}
	return store.Views.Export(ctx, a, session.ID, sys.Out)
}

// exportMarkdown writes what was said, with the sources of each answer.
func exportMarkdown(ctx context.Context, w io.Writer, store *memory.Store, a memory.Audience, session int64) error {
	view, err := store.Views.Show(ctx, a, session)
	if err != nil {
		return err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", view.Session.Thread)
	for _, m := range view.Messages {
		if m.ErasedAt > 0 {
			continue
		}
		author, text := "Threadkeeper", strings.TrimSpace(m.Text)
		if m.Role != memory.Assistant { // a quote, so that nothing in it can pass for the next message
			author, text = say.Plain(m.Author), "> "+strings.ReplaceAll(reading.Unlinked(text), "\n", "\n> ")
		}
		fmt.Fprintf(&b, "\n## %s, %s\n\n%s\n", author, time.UnixMilli(m.At).Format("2006-01-02 15:04"), text)
		citations, err := store.Citations(ctx, m.ID)
		if err != nil {
			return err
		}
		for i, c := range citations {
			if i == 0 {
				b.WriteString("\n")
			}
			fmt.Fprintf(&b, "- [%s] %s, %s: “%s”\n", c.Label(), say.Plain(c.Document), say.Place("en", c), reading.Unlinked(reading.CollapseSpace(c.Quote)))
		}
	}
	_, err = io.WriteString(w, b.String())
	return err
}

// findThread is the session of a thread of the terminal.
func findThread(ctx context.Context, store *memory.Store, thread string) (*memory.Session, error) {
	session, err := store.SessionByKey(ctx, console.Key(thread))
	if errors.Is(err, memory.ErrNotFound) {
		err = fmt.Errorf("there is no thread %q in this database; threadkeeper threads lists them", thread)
		if last, _ := store.Setting(ctx, askScope, askThread); last != "" {
			err = fmt.Errorf("%w, and your last question's is %s", err, last)
		}
	}
	return session, err
}
