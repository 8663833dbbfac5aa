package main

import (
	"context"
	"errors"
	"fmt"
	"text/tabwriter"
	"time"

	"threadkeeper/bot/console"
	"threadkeeper/config"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// threadsCmd lists the threads of the terminal.
type threadsCmd struct {
	Last int `default:"50" placeholder:"N" help:"How many, the latest first (${default})."`
}

func (c *threadsCmd) Read(ctx context.Context, sys system, _ *config.Config, store *memory.Store) error {
	if c.Last < 1 {
		return usageError("--last is at least 1")
	}
	var all []memory.Thread
	terminal, err := store.ChannelByKey(ctx, console.Key(""))
	if err == nil {
		all, err = store.Views.Threads(ctx, memory.Audience{Channel: *terminal}, c.Last+1)
	}
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return err
	}
	if len(all) == 0 {
		_, err = fmt.Fprintln(sys.Out, "There are no threads yet. threadkeeper \"question\" starts one.")
		return err
	}
	w := tabwriter.NewWriter(sys.Out, 0, 0, 2, ' ', 0)
	for _, t := range all[:min(len(all), c.Last)] {
		fmt.Fprintf(w, "%s\t%s\t%s\n", t.Thread, time.UnixMilli(t.At).Format("2006-01-02 15:04"), reading.Shorten(reading.Visible(t.Headline()), 60))
	}
	if len(all) > c.Last {
		fmt.Fprintf(w, "There are more: threadkeeper threads --last %d\n", 2*c.Last)
	}
	return w.Flush()
}
