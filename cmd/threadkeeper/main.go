// Command threadkeeper is the assistant: it talks in the terminal, in Slack and in
// Discord, imports conversations, and checks its own set-up. It owns only the flags, the
// signals and the wiring of all other packages.
package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"

	"golang.org/x/term"

	"threadkeeper/bot/console"
	"threadkeeper/docs/pdfium"
)

// Exit codes.
const (
	exitOK     = 0
	exitFailed = 1 // the program could not do what it was asked to
	exitUsage  = 2 // flags or settings are wrong; nothing was done
	exitPartly = 3 // answered in part, or with an attachment that could not be read
)

// system is what the program is given by the system it runs on.
type system struct {
	In      io.Reader
	Out     io.Writer
	Err     io.Writer
	Environ []string
	Dir     string // where .env, threadkeeper.yaml and relative names are looked for

	InTerminal, OutTerminal, ErrTerminal bool

	Log io.Writer // for the log, nil for Err
}

func main() {
	pdfium.ServeIfWorker()
	os.Exit(start())
}

func start() int {
	if asksAtOnce(os.Args[1:]) { // it ends soon
		debug.SetGCPercent(200)
		loadTables()
	}
	dir, err := os.Getwd()
	if err != nil {
		fmt.Fprintln(os.Stderr, "threadkeeper:", err)
		return exitFailed
	}
	return run(context.Background(), os.Args[1:], system{
		In: input(os.Stdin), Out: os.Stdout, Err: os.Stderr, Environ: os.Environ(), Dir: dir,
		InTerminal:  term.IsTerminal(int(os.Stdin.Fd())),
		OutTerminal: term.IsTerminal(int(os.Stdout.Fd())),
		ErrTerminal: term.IsTerminal(int(os.Stderr.Fd())),
	})
}

// asksAtOnce reports whether a command line is a question by its first word, without a look at files or piped input.
func asksAtOnce(args []string) bool {
	i := slices.IndexFunc(args, func(a string) bool { return !slices.Contains([]string{"-c", "--continue", "--json"}, a) })
	return i >= 0 && (args[i] == "ask" || !strings.HasPrefix(args[i], "-") && strings.Contains(args[i], " "))
}

// input is standard input; of a pipe or a file the beginning can be looked at.
func input(in *os.File) io.Reader {
	if info, err := in.Stat(); err == nil && (info.Mode().IsRegular() || info.Mode()&os.ModeNamedPipe != 0) {
		return bufio.NewReader(in)
	}
	return in
}

// run is the whole program. It returns the exit code.
func run(ctx context.Context, args []string, sys system) int {
	command, cfg, err := parse(args, sys)
	switch {
	case errors.Is(err, errHelp):
		return exitOK
	case err != nil:
		fmt.Fprintln(sys.Err, err)
		return exitUsage
	}
	signals := []os.Signal{syscall.SIGTERM}
	if chat, ok := command.(*chatCmd); !ok || !chat.talks(sys) {
		signals = append(signals, os.Interrupt) // in a conversation Ctrl-C stops the turn
	}
	ctx, stop := signal.NotifyContext(ctx, signals...)
	defer stop()
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	out := &checkedWriter{Writer: sys.Out}
	if !sys.OutTerminal {
		sys.Out = out
	}
	err = cmp.Or(command.Run(ctx, sys, cfg), out.err)
	switch {
	case errors.Is(err, errContradicted), errors.Is(err, console.ErrUnanswered):
		return exitFailed // what is wrong was printed
	case errors.Is(err, console.ErrPartly):
		return exitPartly
	}
	var usage usageError
	if errors.As(err, &usage) {
		fmt.Fprintln(sys.Err, "threadkeeper:", plainError(err))
		return exitUsage
	}
	if err != nil {
		if ctx.Err() != nil && errors.Is(err, context.Canceled) {
			err = errors.New("stopped")
			chat, _ := command.(*chatCmd)
			if _, imports := command.(*importCmd); imports || chat != nil && chat.ID != "" {
				err = errors.New("stopped; run the same command again to continue")
			}
		}
		fmt.Fprintln(sys.Err, "threadkeeper:", plainError(err))
		return exitFailed
	}
	return exitOK
}

// usageError is an error of flags or settings that only a command can see.
type usageError string

func (e usageError) Error() string { return string(e) }
