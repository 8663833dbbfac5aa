// Command load runs the built threadkeeper against a fake chat service where simulated
// people talk faster than real ones. It prints how fast events were acknowledged
// and how much memory the program took, and fails if anything was lost, doubled or
// put out of order. It owns the talking and the counting; the services are
// fakeslack and fakediscord, the model is fakemodel.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"
)

type load struct {
	program string
	rate    int // things that happen in a second
	lasts   time.Duration
	threads int
	every   int // one of so many is a message that addresses the bot
	strict  bool
}

func main() {
	var l load
	platform := flag.String("platform", "", "slack or discord")
	flag.StringVar(&l.program, "program", "bin/threadkeeper", "the program that is tried")
	flag.IntVar(&l.rate, "rate", 200, "things that happen in a second")
	flag.DurationVar(&l.lasts, "for", time.Minute, "how long")
	flag.IntVar(&l.threads, "threads", 50, "threads they are said in")
	flag.IntVar(&l.every, "every", 50, "one of so many is a message that addresses the bot")
	flag.BoolVar(&l.strict, "strict", false, "hold acknowledgements and memory to their limits, too")
	flag.Parse()
	open := map[string]func(threads int) outside{"slack": openSlack, "discord": openDiscord}[*platform]
	if open == nil || flag.NArg() > 0 || l.rate < 1 || l.threads < 1 || l.every < 1 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	problems, err := l.run(ctx, open(l.threads))
	if err != nil {
		problems = append(problems, err.Error())
	}
	for _, p := range problems {
		fmt.Fprintln(os.Stderr, "load:", p)
	}
	if len(problems) > 0 {
		os.Exit(1)
	}
}
