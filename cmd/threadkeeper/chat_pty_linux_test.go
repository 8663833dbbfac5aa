package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/sys/unix"

	"threadkeeper/agent/model/fakemodel"
)

// terminal is the program at a pseudo-terminal.
type terminal struct {
	t    *testing.T
	pty  *os.File
	mu   sync.Mutex
	more *sync.Cond
	out  bytes.Buffer
	seen int // of out
	over bool
}

func openTerminal(t *testing.T, columns int) (*terminal, *os.File) {
	t.Helper()
	pty, err := os.OpenFile("/dev/ptmx", os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Skip("no pseudo-terminal: ", err)
	}
	t.Cleanup(func() { pty.Close() })
	fd := int(pty.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Skip("no pseudo-terminal: ", err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Fatal(err)
	}
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 30, Col: uint16(columns)}); err != nil {
		t.Fatal(err)
	}
	tty, err := os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	if err != nil {
		t.Fatal(err)
	}
	x := &terminal{t: t, pty: pty}
	x.more = sync.NewCond(&x.mu)
	go x.read()
	return x, tty
}

// read keeps what the program writes, and answers what it asks a terminal: where the cursor is, and what the colours are.
func (x *terminal) read() {
	part, answered := make([]byte, 4096), map[string]int{}
	for {
		n, err := x.pty.Read(part)
		x.mu.Lock()
		x.out.Write(part[:n])
		all := x.out.Bytes()
		for question, answer := range map[string]string{"\x1b]11;?": "\x1b]11;rgb:ffff/ffff/ffff\x1b\\", "\x1b[6n": "\x1b[1;1R"} {
			for ; answered[question] < bytes.Count(all, []byte(question)); answered[question]++ {
				x.pty.WriteString(answer)
			}
		}
		x.over = x.over || err != nil
		x.more.Broadcast()
		x.mu.Unlock()
		if err != nil {
			return
		}
	}
}

// types sends a line, and waits for what the program shows then.
func (x *terminal) types(line string, want ...string) {
	x.t.Helper()
	if line != "" {
		x.shows("\x1b[?25h") // the prompt is ready
		x.pty.WriteString(line + "\r")
	}
	for _, w := range want {
		x.shows(w)
	}
}

func (x *terminal) shows(want string) {
	x.t.Helper()
	late := time.AfterFunc(2*time.Minute, func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.over = true
		x.more.Broadcast()
	})
	defer late.Stop()
	x.mu.Lock()
	defer x.mu.Unlock()
	for {
		if i := strings.Index(x.out.String()[x.seen:], want); i >= 0 {
			x.seen += i + len(want)
			return
		}
		if x.over {
			x.t.Fatalf("never shown: %q in\n%q", want, x.out.String()[x.seen:])
		}
		x.more.Wait()
	}
}

// atTerminal starts the program at a terminal.
func atTerminal(t *testing.T, columns int, dir string, environ []string, args ...string) (*terminal, *exec.Cmd) {
	t.Helper()
	x, tty := openTerminal(t, columns)
	defer tty.Close()
	cmd := program(t.Context(), t, dir, args...)
	cmd.Env = append(append(cmd.Env, "TERM=xterm-256color", "LC_ALL=C"), environ...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	return x, cmd
}

// steers are the escapes that move the cursor, of which an editor's line is full.
var steers = regexp.MustCompile("\x1b\\[[0-9;?]*[A-HK-Zf]")

// fits fails for a line of the program's that is wider than the terminal.
func (x *terminal) fits(columns int) {
	x.t.Helper()
	x.mu.Lock()
	defer x.mu.Unlock()
	for line := range strings.SplitSeq(x.out.String(), "\n") {
		line = strings.TrimRight(line, "\r")
		line = strings.TrimPrefix(line[strings.LastIndex(line, "\r")+1:], "\x1b[J")
		if !steers.MatchString(line) && ansi.StringWidth(line) > columns {
			x.t.Errorf("wider than %d columns: %q", columns, line)
		}
	}
}

// TestANewcomersWalk at a terminal, without a model: a document, its citations and pages, threads, the tour.
func TestANewcomersWalk(t *testing.T) {
	if !hasEngine() {
		t.Skip("no PDF engine")
	}
	for _, columns := range []int{60, 120} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			dir := newcomersFolder(t)
			const wide = "焙煎機は三万八千七百ユーロで、二〇二六年六月三十日までに納品される。組合員総会は七対一で可決した。"
			if err := os.WriteFile(filepath.Join(dir, "手引き.md"), []byte(wide), 0o600); err != nil {
				t.Fatal(err)
			}
			x, cmd := atTerminal(t, columns, dir, nil, "chat")
			x.types("", "No model is set", "/tour", "main", "›")
			x.types("The key hangs behind the blue barrel.", "context")
			x.types("/new kitchen", "Thread “kitchen”, new.", "kitchen")
			x.types("Where is the key?", "blue barrel")
			x.types("/thread list", "kitchen (this one)", "main")
			x.types("/thread switch main", "Thread “main”, 2 messages.")
			x.types("/thread switch mian", "Thread “mian”, new.")
			x.types("/attach con*.pdf", "8 pages", "context")
			x.types("What does the new roaster cost?", "│ ", "€38,700", "[1] contract.pdf, page 6: “The cooperative buys", "context")
			x.types("/page [1]", "Saved", ".png")
			x.types("/page 2", "Saved", ".png")
			x.types("/page 12", "nothing like that")
			x.types("/attach 手引き.md", "1 page", "context")
			x.types("焙煎機はいくらですか？", "│", "三万八千七百", "[1] 手引き.md", "context")
			x.types("/clear", "new.")
			x.types("/cost", "Last answer:", "Since the start:")
			x.types("/model", "No model is set")
			x.types("?", "In this terminal also")
			x.types("/thraed list", "/thread list")
			x.types("/memroy status", "Did you mean", "/memory")
			x.types("/tour", "Thread “tour ", "sample.pdf", "8 pages", "Enter sends: ", "tour 2")
			x.types("/quit", "The tour is over", "new.")
			x.types("exit")
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
			x.fits(columns)

			x, cmd = atTerminal(t, columns, dir, nil, "What does the new roaster cost?", "con*.pdf")
			x.types("", "€38,700", "[1] contract.pdf, page 6: \"The cooperative buys")
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
			x, cmd = atTerminal(t, columns, dir, nil, "-c", "And how is it paid?")
			x.types("", "investment reserve", "[1] contract.pdf, page 6")
			if err := cmd.Wait(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestANewcomersWalkWithAModel at a terminal: the first screen names it and its window, an answer grows, another model takes over.
func TestANewcomersWalkWithAModel(t *testing.T) {
	rules, err := fakemodel.Parse("when /tides/ on prompt times=1:\nfault: 429 retry-after=1s times=1\nsay: ANSWER\n  The moon pulls at the sea.\n\notherwise:\nsay: ANSWER\n  Twice a day.\n")
	if err != nil {
		t.Fatal(err)
	}
	model, err := fakemodel.Start(fakemodel.Options{Script: rules})
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	for _, columns := range []int{60, 120} {
		x, cmd := atTerminal(t, columns, t.TempDir(), []string{"MODEL=test-model", "MODEL_WINDOW=8192", "OPENAI_BASE_URL=" + model.URL()}, "chat")
		x.types("", "test-model, window 8,192 tokens", "main", "›")
		x.types("Why are there tides, in a few words?", "context")
		x.types("/cost", "Last answer: 1 model calls")
		x.types("/model other-model", "other-model answers now.")
		x.types("/model", "other-model, window")
		x.types("How often do they come, in a few words?", "Twice a day.", "context")
		x.types("quit")
		if err := cmd.Wait(); err != nil {
			t.Error(err)
		}
		x.fits(columns)
	}
}
