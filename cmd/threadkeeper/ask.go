package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"threadkeeper/bot/console"
	"threadkeeper/config"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// askCmd asks one question and prints its answer.
type askCmd struct {
	Question string   `arg:"" help:"The question, in quotes."`
	Files    []string `arg:"" optional:"" name:"file" help:"Files the question is about; patterns like *.pdf work."`
	Continue bool     `short:"c" xor:"thread" help:"Continue the last question's thread; otherwise each question starts a new one."`
	Thread   string   `xor:"thread" placeholder:"NAME" help:"Ask in this thread; threadkeeper threads lists them."`
	As       string   `placeholder:"NAME" help:"Ask as this person: what you say is remembered as theirs."`
	JSON     bool     `name:"json" help:"Print one JSON object, as chat does."`
}

// Help returns what --help says below the summary.
func (*askCmd) Help() string {
	return `Piped input is read as a file the question is about. You can leave out the command's name before a question of several words, or of one with -c, a file or piped input.

Exit status: 0 answered, 1 failed, 2 wrong use, 3 if the answer is partial or an attachment could not be read.`
}

// asks is true for a command line that is a question, maybe behind flags: its first other word has blanks in it or ends in
// a question mark, or it is like no command and comes with -c ("-c 1" answers "Which one?"), a file or piped input ("summarise report.pdf").
func asks(args, commands []string, sys system) bool {
	continues := false
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case !strings.HasPrefix(a, "-"):
			return strings.ContainsAny(a, " \n\t") || strings.HasSuffix(a, "?") ||
				!slices.ContainsFunc(commands, func(c string) bool { return reading.Mistypings(a, c) <= 2 }) && (continues || slices.ContainsFunc(args[i+1:], sys.isFile) || sys.piped())
		case a == "--", a == "-h", a == "--help":
			return false
		case a == "-c", a == "--continue":
			continues = true
		case !strings.Contains(a, "=") && a != "--json":
			i++ // the flag's value
		}
	}
	return false
}

// piped reports whether something is piped in.
func (s system) piped() bool {
	in, ok := s.In.(*bufio.Reader)
	if !ok {
		return false
	}
	_, err := in.Peek(1)
	return err == nil
}

// isFile reports whether a name is that of a file.
func (s system) isFile(name string) bool {
	info, err := os.Stat(fromDir(s, name))
	return err == nil && info.Mode().IsRegular()
}

// The setting that holds the thread of the last ask.
const (
	askScope  = "ask"
	askThread = "thread"
)

// Run asks.
func (c *askCmd) Run(ctx context.Context, sys system, cfg *config.Config) (err error) {
	if strings.TrimSpace(c.Question) == "" {
		return usageError("the question is empty")
	}
	reads := !sys.InTerminal || slices.Contains(c.Files, "-") // what is piped in is a file anyway
	c.Files = slices.DeleteFunc(c.Files, func(name string) bool { return name == "-" })
	if _, err := console.Files(c.Files); err != nil {
		switch {
		case sys.isFile(c.Question):
			err = fmt.Errorf("%w\nThe question comes first: threadkeeper ask \"What does it cost?\" %s", err, c.Question)
		case !strings.ContainsAny(c.Question, " ?"):
			err = fmt.Errorf("%w\nPut a question of several words in quotes: threadkeeper ask \"What does it cost?\" report.pdf", err)
		}
		return noFile(sys, c.JSON, 1, err)
	}
	files := slices.Clone(c.Files)
	if reads {
		dir, err := os.MkdirTemp("", "threadkeeper-ask")
		if err != nil {
			return err
		}
		defer os.RemoveAll(dir)
		piped, err := saveInput(ctx, sys.In, dir, cfg.MaxFileMB)
		if err != nil {
			return err
		}
		if piped != "" {
			files = append(files, piped)
		}
	}
	defer logToFile(&sys, cfg).Close()
	p, err := open(ctx, sys, cfg, memory.For("ask"), memory.Shared(), memory.Brief())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()

	pipe := &console.Pipe{ID: console.NewRunID(), Attach: files, JSON: c.JSON, Question: c.Question, Waiting: sys.ErrTerminal,
		Once: cfg.Judge() != "" && !sys.OutTerminal}
	thread := c.Thread
	if c.Continue {
		if thread, err = p.store.Setting(ctx, askScope, askThread); err != nil {
			return err
		}
		if thread == "" {
			return errors.New("there is no earlier question to continue")
		}
	}
	if thread == "" {
		thread = pipe.ID
	}
	noted := make(chan error, 1)
	go func() { noted <- p.store.SetSetting(ctx, askScope, askThread, thread) }() // while the bot starts
	return cmp.Or(p.pipe(ctx, sys, cfg, pipe, thread, c.As), <-noted)
}

// saveInput writes what is piped in into a file in dir and returns its path, "" if there is
// nothing. It ends with ctx; the read that is then under way is left behind.
func saveInput(ctx context.Context, in io.Reader, dir string, maxMB int) (string, error) {
	limit := int64(maxMB) << 20
	data, err := console.Within(ctx, func() ([]byte, error) { return io.ReadAll(io.LimitReader(in, limit+1)) })
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil:
		return "", fmt.Errorf("read standard input: %w", err)
	case int64(len(data)) > limit:
		return "", fmt.Errorf("standard input is larger than %d MiB (MAX_FILE_MB)", maxMB)
	case strings.TrimSpace(string(data)) == "":
		return "", nil
	}
	path := filepath.Join(dir, "standard-input"+endingOf(data))
	return path, os.WriteFile(path, data, 0o600)
}

// endingOf is how the name of what is piped in ends. Without an ending, its bytes alone tell what it is: an Office document or a web page.
func endingOf(data []byte) string {
	media, _, _ := strings.Cut(http.DetectContentType(data), ";")
	switch kind, sub, _ := strings.Cut(media, "/"); {
	case kind == "image" && sub != "bmp", media == "application/pdf": // BM begins texts as well
		return "." + sub
	case kind == "text" && sub != "html":
		return ".txt"
	}
	return ""
}
