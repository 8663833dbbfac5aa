package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is the program at a pseudo-terminal of 60 columns.
type terminal struct {
	t    *testing.T
	pty  *os.File
	mu   sync.Mutex
	more *sync.Cond
	out  bytes.Buffer
	seen int // of out
	over bool
}

func openTerminal(t *testing.T) (*terminal, *os.File) {
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
	if err := unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &unix.Winsize{Row: 30, Col: 60}); err != nil {
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

// TestANewcomersWalk at a terminal, without a model.
func TestANewcomersWalk(t *testing.T) {
	x, tty := openTerminal(t)
	cmd := program(t.Context(), t, t.TempDir(), "chat")
	cmd.Env = append(cmd.Env, "TERM=xterm-256color", "LC_ALL=C")
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	tty.Close()
	x.types("", "No model is set", "/tour", "main", "›")
	x.types("The key hangs behind the blue barrel.", "context")
	x.types("/new kitchen", "Thread “kitchen”, new.", "kitchen")
	x.types("Where is the key?", "blue barrel")
	x.types("/thread switch main", "Thread “main”, 2 messages.")
	x.types("/cost", "Last answer:", "Since the start:")
	x.types("/model", "No model is set")
	x.types("?", "In this terminal also")
	x.types("/thraed list", "/thread list")
	x.types("/tour", "Thread “tour ", "Enter sends: ", "tour 2")
	x.types("/quit", "The tour is over", "Thread “main”")
	x.types("exit")
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
}
