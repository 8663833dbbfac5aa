package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"threadkeeper/agent/model"
	"threadkeeper/bot"
	"threadkeeper/bot/console"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/config"
	"threadkeeper/docs/testdata"
	"threadkeeper/memory"
)

// chatCmd talks in the terminal, or answers the lines of a pipe.
type chatCmd struct {
	Thread string   `placeholder:"NAME" help:"Thread to talk in (main; a pipe without --run gets a new one)."`
	As     string   `placeholder:"NAME" help:"Speak as this person: what you say is remembered as theirs."`
	Attach []string `sep:"none" placeholder:"FILE" help:"File to read first; can be given several times."`
	JSON   bool     `name:"json" help:"Answer the lines of standard input, one JSON object per line."`
	ID     string   `name:"run" placeholder:"ID" help:"Name of this run of a pipe: after a crash, the same command with the same name continues."`
}

func (c *chatCmd) Run(ctx context.Context, sys system, cfg *config.Config) (err error) {
	if strings.ContainsAny(c.ID, "#\n") {
		return usageError("a run's name has no # and no line break")
	}
	if _, err := console.Files(c.Attach); err != nil {
		return noFile(sys, c.JSON, 0, err)
	}
	if c.talks(sys) {
		defer logToFile(&sys, cfg).Close()
	}
	p, err := open(ctx, sys, cfg, memory.For("chat"), memory.Shared())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()

	if !c.talks(sys) {
		pipe := &console.Pipe{ID: c.ID, Attach: c.Attach, JSON: c.JSON}
		if c.ID == "" {
			pipe.ID = console.NewRunID()
		}
		thread := c.Thread
		if thread == "" && c.ID == "" {
			thread = pipe.ID
		}
		err := p.pipe(ctx, sys, cfg, pipe, thread, c.As)
		if errors.Is(err, console.ErrNotText) {
			return usageError("this is not text; ask about it: threadkeeper \"question\" < report.pdf")
		}
		return err
	}
	chat := &console.Chat{Seat: p.seat(sys, c.As), Attach: c.Attach, Notes: notes(cfg),
		Model: p.modelLine, SetModel: func(name string) error { return p.setModel(cfg, name) },
		Color:       !noColor(sys),
		HistoryFile: filepath.Join(filepath.Dir(databaseFile(sys, cfg)), "history"),
		Samples:     func() (report, meeting string, err error) { return samples(cfg.CacheDir) }}
	if c.As != "" {
		chat.Notes = append(chat.Notes, "You speak as "+chat.Author.Name+".")
	}
	err = chat.Sit(c.Thread)
	if errors.Is(err, memory.ErrLocked) && c.Thread == "" {
		chat.Notes = append(chat.Notes, "Your main thread is open in another terminal, so this is a new one.")
		err = chat.Sit(console.NewThread())
	}
	if err != nil {
		return err
	}
	chat.Begin()
	defer chat.End()
	for again := true; again && ctx.Err() == nil; again = chat.Again() {
		p.useModel()
		b := p.bot(cfg)
		chat.Drain = b.Drain
		b.Platforms = []platform.Platform{chat}
		if err := b.Run(ctx); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// noFile is wrong use: a file that was named is not there or cannot be read. As JSON it is also the object of the line.
func noFile(sys system, asJSON bool, line int, err error) error {
	if asJSON {
		if failed := console.WriteError(sys.Out, console.NewRunID(), line, "no_file", err); failed != nil {
			return failed
		}
	}
	return usageError(err.Error())
}

// modelLine is the model and its window in a line, "" without one.
func (p *parts) modelLine(ctx context.Context) string {
	if p.model == nil {
		return ""
	}
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second) // an endpoint that is slow to say it
	defer cancel()
	return fmt.Sprintf("%s, window %s tokens", p.name, say.Thousands(model.LimitsOf(ctx, p.model).Window))
}

// setModel has another model answer from the next useModel on.
func (p *parts) setModel(cfg *config.Config, name string) error {
	other := withModel(*cfg, name)
	m, err := openModel(other, p.log)
	if err != nil {
		return err
	}
	meter, err := newMeter(m, other)
	if err != nil {
		return err
	}
	if meter != nil {
		meter.Store, m = p.store, meter
	}
	p.model, p.meter, p.name = m, meter, name
	return nil
}

// useModel gives the model to those who call it; none of them may be at work.
func (p *parts) useModel() {
	p.chain.Model, p.chain.Name = p.model, p.name
	p.compactor.Model, p.compactor.Name = p.model, p.name
}

// pipe runs a pipe, whose place it fills in, in a thread to its end, as the person of a name.
func (p *parts) pipe(ctx context.Context, sys system, cfg *config.Config, pipe *console.Pipe, thread, as string) error {
	b := p.bot(cfg)
	b.ScanWait, b.Grace = cfg.ScanWait, stopTime
	pipe.Seat = p.seat(sys, as)
	err := pipe.Sit(thread)
	for began, told := time.Now(), false; errors.Is(err, memory.ErrLocked) && time.Since(began) < busyThread && ctx.Err() == nil; err = pipe.Sit(thread) {
		if !told && time.Since(began) > tellBusy {
			told = true
			fmt.Fprintf(sys.Err, "threadkeeper: thread %q is %v; waiting up to %v for it\n", console.Key(thread).Thread, memory.ErrLocked, busyThread)
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err != nil {
		return cmp.Or(ctx.Err(), err)
	}
	pipe.Drain, pipe.In, pipe.Out, pipe.Err = b.Drain, sys.In, sys.Out, sys.Err
	pipe.Terminal, pipe.Color = renders(sys), !noColor(sys)
	b.Platforms = []platform.Platform{pipe}
	if err := b.Run(ctx); err != nil {
		return err
	}
	return cmp.Or(ctx.Err(), pipe.Outcome())
}

const (
	busyThread = 30 * time.Second // that a pipe waits for another process to finish in its thread
	tellBusy   = time.Second / 2  // of that, until it says so
	stopTime   = time.Second / 4  // that an answer may still take once a pipe was told to stop
)

// bot is the assistant, in no place yet.
func (p *parts) bot(cfg *config.Config) *bot.Bot {
	return &bot.Bot{Store: p.store, Index: p.index, Chain: p.chain, Compactor: p.compactor, Meter: p.meter, Log: p.log,
		Workers: cfg.Workers, TurnTimeout: cfg.TurnTimeout}
}

func (p *parts) seat(sys system, as string) console.Seat {
	return console.Seat{Store: p.store, Author: console.As(strings.Join(strings.Fields(as), " ")), Dir: sys.Dir}
}

// talks is true when this is a conversation at a terminal.
func (c *chatCmd) talks(sys system) bool {
	return sys.InTerminal && renders(sys) && !c.JSON && c.ID == ""
}

// renders is true when answers are shown in a terminal: what goes into a file or another program has no
// prompt and no escapes, and a dumb terminal cannot take them.
func renders(sys system) bool {
	return sys.OutTerminal && !slices.Contains(sys.Environ, "TERM=dumb")
}

// noColor is true when the user wants no colours (no-color.org).
func noColor(sys system) bool {
	return slices.ContainsFunc(sys.Environ, func(e string) bool {
		return strings.HasPrefix(e, "NO_COLOR=") && e != "NO_COLOR="
	})
}

// notes tell a person at the terminal which settings limit the answers.
func notes(cfg *config.Config) []string {
	if cfg.Model != "" {
		return nil
	}
	note := "No model is set, so answers are quotes. threadkeeper init sets one."
	if cfg.OpenAIAPIKey != "" || cfg.AnthropicAPIKey != "" {
		note = "There is a key for a model, but MODEL names none, so answers are quotes."
	}
	return []string{note}
}

// samples writes the tour's documents, a PDF and the minutes of a meeting, into a directory and returns their paths.
func samples(dir string) (report, meeting string, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", "", err
	}
	report, meeting = filepath.Join(dir, "sample.pdf"), filepath.Join(dir, "meeting.md")
	err = errors.Join(os.WriteFile(report, testdata.Sample, 0o600), os.WriteFile(meeting, testdata.Meeting, 0o600))
	if err != nil {
		return "", "", fmt.Errorf("write the samples: %w", err)
	}
	return report, meeting, nil
}
