// Command evaluate measures the product's own search, recall, clarification gate and prompts on
// labelled records and prints a table or JSON. It owns the record formats and the measures;
// the product's code runs unchanged on a real store in a temporary folder.
package main

import (
	"context"
	"os"
	"os/signal"

	"github.com/alecthomas/kong"

	"threadkeeper/docs/pdfium"
)

type commands struct {
	Retrieval retrieval `cmd:"" help:"Search in documents: are the evidence pages among the first passages?"`
	Weights   weights   `cmd:"" help:"Search in documents: the weights fitted anew, and measured on documents that they were not fitted on."`
	Clarify   clarify   `cmd:"" help:"The gate: do clear requests pass without a model?"`
	Speak     speak     `cmd:"" help:"Among several people: are the lines that are meant for us answered, and the others left alone?"`
	Recall    recall    `cmd:"" help:"Recall from conversations: does the context hold the evidence?"`
	Claims    checks    `cmd:"" help:"The checks: are right replies about documents shown whole, and wrong ones left out or marked?"`
	Scans     scans     `cmd:"" help:"Scans: are the words of pages read from their pictures, and at what cost?"`
	Evidence  evidence  `cmd:"" help:"The first prompt about a document: does it hold the page that answers, and the person's words?"`
	Snapshot  snapshot  `cmd:"" help:"The summary: does it hold the answers that were folded away?"`
}

func main() {
	pdfium.ServeIfWorker()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var c commands
	k := kong.Parse(&c, kong.Name("evaluate"), kong.UsageOnError(),
		kong.Description("Measures search, recall, the clarification gate and prompts on JSONL records (.gz too)."),
		kong.BindTo(ctx, (*context.Context)(nil)))
	k.FatalIfErrorf(k.Run())
}
