package main

import (
	"context"
	"fmt"
	"text/tabwriter"
	"time"

	"threadkeeper/agent/spend"
	"threadkeeper/config"
	"threadkeeper/memory"
)

// usageCmd says what models took.
type usageCmd struct {
	Days int  `default:"30" placeholder:"N" help:"How many days back, today included (${default})."`
	CSV  bool `name:"csv" xor:"form" help:"Print every row as CSV: day, platform, channel, person, model, purpose, calls, tokens, cost."`
	JSON bool `name:"json" xor:"form" help:"Print every row as a JSON object with these fields."`
}

func (c *usageCmd) Read(ctx context.Context, sys system, _ *config.Config, store *memory.Store) error {
	if c.Days < 1 {
		return usageError("--days is at least 1")
	}
	since := memory.Day(store.Now()) - int64(c.Days-1)*24*time.Hour.Milliseconds()
	rows, err := store.Views.Usage(ctx, memory.UsageOf{Since: since})
	if err != nil {
		return err
	}
	switch {
	case c.CSV:
		return spend.WriteCSV(sys.Out, rows)
	case c.JSON:
		return spend.WriteJSON(sys.Out, rows)
	case len(rows) == 0:
		fmt.Fprintln(sys.Out, "The model was not called in this period.")
		return nil
	}
	w := tabwriter.NewWriter(sys.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	table := func(title string, name func(memory.Usage) string) {
		fmt.Fprintf(w, "%s\tcalls\ttokens\tcost\t\n", title)
		for _, t := range spend.Sum(rows, name) {
			fmt.Fprintf(w, "%s\t%d\t%d\t%s\t\n", t.Name, t.Calls, t.Tokens, spend.Money(t.Micros))
		}
		fmt.Fprintln(w)
	}
	table("total", func(memory.Usage) string { return fmt.Sprintf("%d days", c.Days) })
	table("day", func(u memory.Usage) string { return time.UnixMilli(u.Day).UTC().Format(time.DateOnly) })
	for _, by := range spend.By {
		table(by.Name, by.Of)
	}
	return w.Flush()
}
