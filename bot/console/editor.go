package console

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/reeflective/readline"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/docs"
)

// errInterrupt is Ctrl-C at the prompt.
var errInterrupt = errors.New("interrupt")

// editor reads what is typed. A paste is one message however many lines it has;
// a line that ends with a backslash continues on the next one.
type editor struct {
	shell *readline.Shell
	ahead *typedAhead
}

// newEditor offers what was typed, nil for nothing, to the arrow keys. complete gives the
// completions of a line that begins with "/".
func newEditor(typed *history, ahead *typedAhead, prompt func() string, complete func(line string) []string) *editor {
	shell := readline.NewShell()
	_ = shell.Config.Set("enable-bracketed-paste", true) // these names are known to the library
	_ = shell.Config.Set("bell-style", "none")
	_ = shell.Config.Set("convert-meta", false) // it takes ü, é and ñ for keys pressed with Alt
	// The library asks a terminal after each key where the cursor is, and loses keys that arrive together with the answer.
	// Without asking it needs rows below what is typed.
	_ = shell.Config.Set("cursor-position-probe", false)
	shell.SyntaxHighlighter = func(line []rune) string { return string(line) + rowsBelow }
	shell.Prompt.Primary(prompt)
	shell.Prompt.Secondary(func() string { return "  " })
	if typed != nil {
		shell.History.Add("messages", typed)
	}
	shell.AcceptMultiline = func(line []rune) bool { return !strings.HasSuffix(string(line), `\`) }
	shell.Completer = func(line []rune, cursor int) readline.Completions {
		values := complete(string(line[:cursor]))
		found := readline.CompleteValues(values...)
		if slices.ContainsFunc(values, func(v string) bool { return strings.HasSuffix(v, "/") }) {
			return found.NoSpace('/') // a folder continues
		}
		return found
	}
	e := &editor{shell, ahead}
	shell.Keymap.Register(map[string]func(){"terminal-report": e.skipReport})
	for _, keymap := range []string{"emacs", "emacs-standard", "vi", "vi-insert"} {
		_ = shell.Config.Bind(keymap, "\x1b]", "terminal-report", false)
	}
	return e
}

// rowsBelow scrolls a terminal until two rows are below the cursor, which stays in its place of the text.
const rowsBelow = ansi.Index + ansi.Index + ansi.ReverseIndex + ansi.ReverseIndex

// skipReport takes what a terminal over a slow line reports only now, so that it is not text.
func (e *editor) skipReport() {
	report := []byte("\x1b]")
	for {
		key, none := e.shell.Keys.Pop()
		if !none {
			report = append(report, key)
		} else if more := arrived(os.Stdin, reportPart); more != nil {
			report = append(report, more...)
		} else {
			return
		}
		if found := reportOf.FindSubmatchIndex(report); found != nil {
			e.ahead.colour(string(report[found[2]:found[3]]))
			e.shell.Keys.Feed(false, []rune(string(report[found[1]:]))...)
			return
		}
	}
}

// reportPart is how long the rest of a report is waited for.
const reportPart = 100 * time.Millisecond

// read is the next message: errInterrupt after Ctrl-C, io.EOF after Ctrl-D. What was typed before the prompt counts if
// ahead is true, else it waits for the next message.
func (e *editor) read(ahead bool) (string, error) {
	if e.ahead.collect(0); ahead {
		e.shell.Keys.Feed(false, []rune(string(e.ahead.line()))...)
	}
	text, err := e.shell.Readline()
	var behind []byte // keys of the next line
	for key, none := e.shell.Keys.Pop(); !none; key, none = e.shell.Keys.Pop() {
		behind = append(behind, key)
	}
	e.ahead.keys = append(behind, e.ahead.keys...)
	switch {
	case errors.Is(err, readline.ErrInterrupt):
		return "", errInterrupt
	case err != nil && err.Error() == io.EOF.Error():
		return "", io.EOF
	case err != nil:
		return "", err
	}
	return strings.ReplaceAll(text, "\\\n", "\n"), nil
}

// IsCommand reports whether a word begins a command that is typed behind "/" at the prompt.
func IsCommand(word string) bool { return begins(slices.Concat(ownCommands, say.Commands("en")), word) }

// begins reports whether a word is the first of a command.
func begins(commands []platform.Command, word string) bool {
	return slices.ContainsFunc(commands, func(c platform.Command) bool { return strings.HasPrefix(c.Name+" ", word+" ") })
}

// ownCommands are those that only the terminal has.
var ownCommands = []platform.Command{
	{Name: "attach", Summary: "Read files: " + docs.Formats + ", text; look at pictures",
		Options: []platform.Option{{Name: "files", Summary: "paths, patterns, quoted names", Required: true}}},
	{Name: "check", Summary: "Check the last answer, or the text of a file, against the documents here", Options: []platform.Option{{Name: "file"}}},
	{Name: "thread list", Summary: "Show your threads"},
	{Name: "thread new", Summary: "Start another thread", Options: []platform.Option{{Name: "name"}}},
	{Name: "thread switch", Summary: "Go to another thread; a new name starts a new one", Options: []platform.Option{{Name: "name", Required: true}}},
	{Name: "new", Summary: "Start another thread; /clear does the same"},
	{Name: "model", Summary: "Show which model answers, or choose another", Options: []platform.Option{{Name: "name"}}},
	{Name: "cost", Summary: "Calls and tokens of the last answer and since the start"},
	{Name: "tour", Summary: "A two-minute tour on sample documents"},
	{Name: "quit", Summary: "Quit; exit and Ctrl-D do the same"},
}

// completeCommand returns the commands that complete line.
func completeCommand(commands []platform.Command, line string) []string {
	typed, ok := strings.CutPrefix(line, "/")
	if !ok {
		return nil
	}
	words := strings.Fields(typed)
	last := ""
	if !strings.HasSuffix(typed, " ") && len(words) > 0 {
		last, words = words[len(words)-1], words[:len(words)-1]
	}
	var found []string
	for _, c := range slices.Concat(commands, ownCommands) {
		rest, is := cutWords(c.Name, words)
		next, _, _ := strings.Cut(rest, " ")
		if !is || next == "" || !strings.HasPrefix(next, last) {
			continue
		}
		if len(words) == 0 {
			next = "/" + next
		}
		if !slices.Contains(found, next) {
			found = append(found, next)
		}
	}
	return found
}

// completeFile returns the paths that complete the last word of line.
func completeFile(line string) []string {
	word := line[strings.LastIndexAny(line, " \t")+1:]
	dir, base := filepath.Split(word)
	real := dir
	if home, err := os.UserHomeDir(); err == nil && strings.HasPrefix(dir, "~/") {
		real = filepath.Join(home, dir[2:])
	}
	if real == "" {
		real = "."
	}
	entries, err := os.ReadDir(real)
	if err != nil {
		return nil
	}
	var found []string
	for _, e := range entries {
		name := e.Name()
		if !strings.HasPrefix(name, base) || strings.HasPrefix(name, ".") && base == "" {
			continue
		}
		path := dir + strings.NewReplacer(" ", `\ `, "'", `\'`, `"`, `\"`).Replace(name)
		if e.IsDir() {
			path += "/"
		}
		found = append(found, path)
	}
	return found
}
