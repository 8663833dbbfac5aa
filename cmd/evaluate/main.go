// Command evaluate measures the product's own search, recall and clarification gate on
// labelled records and prints a table or JSON. It owns the record formats and the measures;
// what it measures runs unchanged on a real store in a temporary folder.
package main

import (
	"context"
	"os"
	"os/signal"

	"github.com/alecthomas/kong"
)

type commands struct {
	Retrieval retrieval `cmd:"" help:"Search in documents: are the evidence pages among the first passages?"`
	Recall    recall    `cmd:"" help:"Recall from conversations: does the context hold the evidence?"`
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var c commands
	k := kong.Parse(&c, kong.Name("evaluate"), kong.UsageOnError(),
		kong.Description("Measures search, recall and the clarification gate on JSONL records (.gz too)."),
		kong.BindTo(ctx, (*context.Context)(nil)))
	k.FatalIfErrorf(k.Run())
}
