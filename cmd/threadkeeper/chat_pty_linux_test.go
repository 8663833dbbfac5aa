package main

import (
	"bytes"
	"fmt"
	"html"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
	"unicode"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/sys/unix"

	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/docs/testdata"
)

// terminal is the program at a pseudo-terminal.
type terminal struct {
	t       *testing.T
	pty     *os.File
	columns int
	colour  string // reported of its background; "" for a terminal that reports none
	mu      sync.Mutex
	more    *sync.Cond
	out     bytes.Buffer
	seen    int // of shown()
	over    bool
}

// atTerminal starts the program at a terminal of some columns.
func atTerminal(t *testing.T, columns int, colour, dir string, environ []string, args ...string) (*terminal, *exec.Cmd) {
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
	defer tty.Close()
	cmd := program(t.Context(), t, dir, args...)
	cmd.Env = append(append(cmd.Env, "TERM=xterm-256color", "LC_ALL=C"), environ...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	x := &terminal{t: t, pty: pty, columns: columns, colour: colour}
	x.more = sync.NewCond(&x.mu)
	go x.read()
	return x, cmd
}

// read keeps what the program writes, and answers what it asks a terminal.
func (x *terminal) read() {
	part, asked := make([]byte, 4096), 0
	for {
		n, err := x.pty.Read(part)
		x.mu.Lock()
		x.out.Write(part[:n])
		for ; asked < bytes.Count(x.out.Bytes(), []byte(ansi.RequestBackgroundColor)); asked++ {
			if x.colour != "" {
				x.sends("\x1b]11;" + x.colour + "\x1b\\")
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

func (x *terminal) sends(keys string) { x.pty.WriteString(keys) }

// types sends a line, and waits for what the program shows then. A line counts also when it is typed before the prompt.
func (x *terminal) types(line string, want ...string) {
	x.t.Helper()
	x.sends(line + "\r")
	x.shows(want...)
}

// squeezed is a text without white space, bars and escapes: a line may break between any two words.
func squeezed(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || r == '│' {
			return -1
		}
		return r
	}, ansi.Strip(text))
}

func (x *terminal) shows(want ...string) {
	x.t.Helper()
	late := time.AfterFunc(patience, func() {
		x.mu.Lock()
		defer x.mu.Unlock()
		x.over = true
		x.more.Broadcast()
	})
	defer late.Stop()
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, w := range want {
		for {
			shown := squeezed(x.out.String())
			if i := strings.Index(shown[x.seen:], squeezed(w)); i >= 0 {
				x.seen += i + len(squeezed(w))
				break
			}
			if x.over {
				x.t.Fatalf("never shown: %q in\n%s", w, shown[x.seen:])
			}
			x.more.Wait()
		}
	}
}

// echoes reports whether the terminal shows what is typed.
func (x *terminal) echoes() bool {
	x.t.Helper()
	mode, err := unix.IoctlGetTermios(int(x.pty.Fd()), unix.TCGETS)
	if err != nil {
		x.t.Fatal(err)
	}
	return mode.Lflag&unix.ECHO != 0
}

// hides waits until the terminal does not show what is typed.
func (x *terminal) hides() {
	x.t.Helper()
	for end := time.Now().Add(patience); x.echoes(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(end) {
			x.t.Fatal("what is typed is shown")
		}
	}
}

// ends waits for the program to end well.
func (x *terminal) ends(cmd *exec.Cmd) {
	x.t.Helper()
	if err := cmd.Wait(); err != nil {
		x.t.Error(err)
	}
}

// written is all that the program wrote.
func (x *terminal) written() string {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.out.String()
}

// fits fails for a line that is wider than the terminal and more than one long word, such as a path.
func (x *terminal) fits() {
	x.t.Helper()
	for line := range strings.SplitSeq(x.written(), "\n") {
		line = strings.TrimRight(line, "\r")
		line = strings.TrimPrefix(line[strings.LastIndex(line, "\r")+1:], "\x1b[J")
		if !steers.MatchString(line) && ansi.StringWidth(line) > x.columns && strings.Contains(strings.TrimSpace(line), " ") {
			x.t.Errorf("wider than %d columns: %q", x.columns, line)
		}
	}
}

// steers finds the escapes that move the cursor: a line being edited is full of them.
var steers = regexp.MustCompile("\x1b\\[[0-9;?]*[A-HK-Zf]")

// TestANewcomersWalk at a terminal, without a model: documents, citations, pages, threads, the tour; then questions of one
// line each.
func TestANewcomersWalk(t *testing.T) {
	if !hasEngine() {
		t.Skip("no PDF engine")
	}
	for columns, colour := range map[int]string{60: "rgb:ffff/ffff/ffff", 120: "rgb:0000/0000/0000"} {
		t.Run(fmt.Sprint(columns), func(t *testing.T) {
			t.Parallel()
			dir := newcomersFolder(t)
			const wide = "焙煎機は三万八千七百ユーロで、二〇二六年六月三十日までに納品される。組合員総会は七対一で可決した。"
			if err := os.WriteFile(filepath.Join(dir, "手引き.md"), []byte(wide), 0o600); err != nil {
				t.Fatal(err)
			}
			x, cmd := atTerminal(t, columns, colour, dir, nil, "chat")
			x.shows("No model is set", "/tour", "main ›")
			x.types("The key hangs behind the blue barrel.", "context")
			x.types("/new kitchen", "Thread “kitchen”, new.", "kitchen ›")
			x.types("Where is the key?", "blue barrel", "context")
			x.types("/thread list", "kitchen (this one)", "main, last used")
			x.types("/thread switch main", "Thread “main”, 2 messages.", "main ›")
			x.types("/thread switch mian", "Thread “mian”, new.", "mian ›")
			x.types("/attach con*.pdf", "contract.pdf – 8 pages", "context")
			x.types("What does the new roaster cost?", "│ The cooperative buys", "[1] contract.pdf, page 6\n", "context")
			x.types("/page [1]", "Saved", ".png")
			x.types("/page 2", "contract.pdf, page 2", "Saved", ".png")
			x.types("/page 12", "contract.pdf has only 8 pages.")
			x.types("/attach 手引き.md", "手引き.md – 1 page", "context")
			x.types("焙煎機はいくらですか？", "三万八千七百", "[1] 手引き.md", "context")
			x.types("/clear", "new.")
			x.types("/cost", "Last answer: 0 model calls", "Since the start:")
			x.types("/model", "No model is set")
			x.types("?", "In this terminal also", "/attach FILES – Read files", "/model [NAME] – ")
			x.types("/thraed list", "/thread list?")
			x.types("/memroy status", "/memory status?")
			x.types("/pgae 3", "/page?")
			x.types("/lst", "/docs list, /thread list?")
			x.types("/atach con*.pdf", "/attach?")
			x.types("/thread", "/thread list, /thread new, /thread switch?")
			x.types("/tour", "Thread “tour ", "sample.pdf – 8 pages", "1/8")
			x.types("", "€38,700", "[1] sample.pdf, page 6", "2/8")
			x.types("", "Saved", "3/8")
			x.types("", "1 supported, 2 contradicted", "meeting.md – 1 page", "4/8")
			x.types("", "Which document do you mean", "1. meeting.md", "5/8")
			x.types("", "[1] meeting.md", "6/8")
			x.types("", "Noted.", "7/8")
			x.types("", "blue barrel", "8/8")
			x.types("", "Documents: 2", "That was the tour; its thread and samples are erased.", "Thread “20")
			if left, err := filepath.Glob(filepath.Join(dir, "sample*")); err != nil || len(left) > 0 {
				t.Errorf("the tour leaves %q, %v", left, err)
			}
			x.types("/thread list", "kitchen, last used", "main, last used")
			x.types("Where is the key of the bicycle shed?", "I did not find “bicycle”, “shed”", "context")
			x.types("quit")
			x.ends(cmd)
			x.fits()
			if light := strings.Contains(x.written(), "\x1b[38;5;94m"); light != (colour == "rgb:ffff/ffff/ffff") {
				t.Errorf("the colours are those of a light terminal: %v, and its background is %s", light, colour)
			}

			x, cmd = atTerminal(t, columns, colour, dir, nil, "What does the new roaster cost?", "con*.pdf")
			x.shows("│ The cooperative buys a 12-kilogram electric roaster", "[1] contract.pdf, page 6")
			x.ends(cmd)
			x.fits()
			if shown := x.written(); strings.Contains(shown, "**") || strings.Contains(shown, "\n> ") {
				t.Errorf("Markdown is shown: %q", shown)
			}
			x, cmd = atTerminal(t, columns, colour, dir, nil, "-c", "How is it paid?")
			x.shows("investment reserve", "contract.pdf, page 6")
			x.ends(cmd)
		})
	}
}

// TestANewcomersWalkWithAModel at a terminal: the first screen names it and its window, waiting says what for, it asks back,
// another model takes over, and the log is in its file.
func TestANewcomersWalkWithAModel(t *testing.T) {
	rules, err := fakemodel.Parse(`
when /high water/ on prompt:
say: ANSWER
  Twice a day.

when /crane/ on prompt:
say: ASK {"question": "Which crane?", "options": [{"label": "The red one", "query": "What does the red crane lift?"}, {"label": "The blue one", "query": "What does the blue crane lift?"}]}

when /tides/ on prompt times=1:
fault: 429 retry-after=1s

when /tides/ on prompt:
say: ANSWER
  The moon pulls at the sea.
`)
	if err != nil {
		t.Fatal(err)
	}
	model, err := fakemodel.Start(fakemodel.Options{Script: rules})
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	dir := t.TempDir()
	x, cmd := atTerminal(t, 60, "", dir, []string{"MODEL=test-model", "JUDGE_MODEL=off", "MODEL_WINDOW=8192", "OPENAI_BASE_URL=" + model.URL(), "LOG_LEVEL=debug"}, "chat")
	x.shows("test-model, window 8,192 tokens", "main ›")
	x.types("Why are there tides, in a few words?", "trying again in 1 s", "The moon pulls at the sea.", "context")
	x.types("/cost", "Last answer: 1 model call,")
	x.types("What does the crane lift?", "Which crane?", "1. The red one", "2. The blue one", "context")
	x.types("/new", "new.")
	x.types("/model other-model", "other-model answers now.")
	x.types("/model", "other-model, window")
	x.types("How often is high water, in a few words?", "Twice a day.", "context")
	x.types("exit")
	x.ends(cmd)
	x.fits()
	log, err := os.ReadFile(filepath.Join(dir, "data", "threadkeeper", "threadkeeper.log"))
	if err != nil || !strings.Contains(string(log), "level=DEBUG") || strings.Contains(x.written(), "level=") {
		t.Errorf("the log holds %q, %v, and the screen %q", log, err, x.written())
	}
}

// TestTheTourWithAModel shows citations, a check, asking back and memory, and leaves nothing behind when it ends.
func TestTheTourWithAModel(t *testing.T) {
	if !hasEngine() {
		t.Skip("no PDF engine")
	}
	rules, err := fakemodel.Parse(`
when /blue barrel[\s\S]*Where is the key of the bicycle shed/ on prompt:
say: ANSWER
  It hangs behind the blue barrel, as you said.

when /Where is the key of the bicycle shed/ on prompt:
say: ANSWER
  Nobody has told me.

when /Please note: the key/ on prompt:
say: ANSWER
  I'll remember where that key hangs.

when /What was decided at the meeting/ on prompt:
say: ANSWER
  The report was accepted.

when /Summarise the document/ on prompt:
say: ASK {"question": "Which document shall I summarise?", "options": [{"label": "The minutes", "query": "What was decided at the meeting?"}, {"label": "The annual report", "query": "Summarise the annual report."}]}

when /What does the new roaster cost, and when is it delivered/ on prompt:
say: ANSWER
  It costs €38,700 and comes by 30 June 2026 [d1 p6 "roaster from Ferrum & Sons for €38,700, to be delivered by 30 June 2026"].
`)
	if err != nil {
		t.Fatal(err)
	}
	model, err := fakemodel.Start(fakemodel.Options{Script: rules})
	if err != nil {
		t.Fatal(err)
	}
	defer model.Close()
	x, cmd := atTerminal(t, 80, "", t.TempDir(), []string{"MODEL=test-model", "JUDGE_MODEL=off", "MODEL_WINDOW=8192", "OPENAI_BASE_URL=" + model.URL()}, "chat")
	x.shows("test-model", "/tour", "main ›")
	x.types("/tour", "Thread “tour ", "sample.pdf – 8 pages", "1/8")
	x.types("", "It costs €38,700 and comes by 30 June 2026", "[1] sample.pdf, page 6: “", "2/8")
	x.types("", "Saved", "3/8")
	x.types("", "1 supported, 2 contradicted", "meeting.md – 1 page", "4/8")
	x.types("", "Which document shall I summarise?", "1. The minutes", "5/8")
	x.types("", "6/8")
	x.types("", "I'll remember where that key hangs.", "7/8")
	x.types("", "behind the blue barrel, as you said.", "8/8")
	x.types("", "Documents: 2", "That was the tour; its thread and samples are erased.", "Thread “main”, new.")
	x.types("Where is the key of the bicycle shed?", "Nobody has told me.", "context")
	x.types("/thread list", "main (this one)", "main ›")
	x.types("exit")
	x.ends(cmd)
	if shown := squeezed(x.written()); strings.Contains(shown[strings.LastIndex(shown, "/threadlist"):], "tour") {
		t.Errorf("the tour is still listed: %s", shown)
	}
}

// TestInitAtATerminal: what is secret is not shown. Ctrl-C ends it, changes nothing, and the terminal shows again what is
// typed; the next run keeps what stands in .env.
func TestInitAtATerminal(t *testing.T) {
	if !hasEngine() {
		t.Skip("no PDF engine")
	}
	slack := fakeslack.New(fakeslack.Options{AgentView: true})
	defer slack.Close()
	dir, environ := t.TempDir(), []string{"SLACK_API_URL=" + slack.APIURL(), "OLLAMA_HOST=127.0.0.1:1"}
	path := filepath.Join(dir, ".env")
	if err := os.WriteFile(path, []byte("# mine\nWORKERS=3\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	begin := func() (*terminal, *exec.Cmd) {
		x, cmd := atTerminal(t, 100, "", dir, environ, "init")
		x.shows("Where should it talk?", "Number [1]:")
		x.types(inSlack, "Which model should answer?", "Number [1]:")
		x.types(noModel, "SLACK_BOT_TOKEN:")
		x.hides()
		x.types("xoxb-fake", "SLACK_APP_TOKEN:")
		x.hides()
		return x, cmd
	}
	x, cmd := begin()
	x.sends("\x03")
	x.shows("threadkeeper: stopped")
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitFailed {
		t.Errorf("%v", err)
	}
	if !x.echoes() {
		t.Error("the terminal does not show what is typed")
	}
	if got, err := os.ReadFile(path); err != nil || string(got) != "# mine\nWORKERS=3\n" {
		t.Errorf("%q, %v", got, err)
	}
	x, cmd = begin()
	x.types("xapp-fake", "ok    Slack events", "threadkeeper serve")
	x.ends(cmd)
	if shown := x.written(); strings.Contains(shown, "xoxb-fake") || strings.Contains(shown, "xapp-fake") {
		t.Errorf("a token is shown: %s", shown)
	}
	if got, err := os.ReadFile(path); err != nil || !strings.HasPrefix(string(got), "# mine\nWORKERS=3\n") || !strings.Contains(string(got), "\nSLACK_APP_TOKEN=xapp-fake\n") {
		t.Errorf("%q, %v", got, err)
	}
}

// TestThePictureOfAConversation: what the README's picture shows is what the program shows, but for the date and the tokens.
func TestThePictureOfAConversation(t *testing.T) {
	if !hasEngine() {
		t.Skip("no PDF engine")
	}
	picture, err := os.ReadFile("../../bot/console/testdata/conversation.svg")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	row := ""
	for _, text := range regexp.MustCompile(`<text x="[^"]*" y="([^"]*)"[^>]*>([^<]*)</text>`).FindAllStringSubmatch(string(picture), -1) {
		if text[1] != row {
			row, lines = text[1], append(lines, "")
		}
		lines[len(lines)-1] += html.UnescapeString(text[2])
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "annual-report.pdf"), testdata.Sample, 0o600); err != nil {
		t.Fatal(err)
	}
	x, cmd := atTerminal(t, 82, "", dir, []string{"TOKEN_THRESHOLD=10000"}, "chat")
	typed := 0
	for _, l := range lines {
		prompt, line, typing := strings.Cut(l, "›")
		switch {
		case typing && strings.TrimSpace(line) == "": // the last one
		case typing:
			x.shows(prompt + "›")
			x.types(strings.TrimSpace(line), line)
			typed++
		case strings.HasPrefix(l, "context"):
			x.shows("context")
		case strings.Contains(l, "You said on"):
			x.shows("You said on", l[strings.Index(l, "“"):])
		default:
			x.shows(l)
		}
	}
	if typed != 4 {
		t.Errorf("%d lines are typed in the picture", typed)
	}
	x.types("exit")
	x.ends(cmd)
}

// TestTypedAhead is shown nowhere but at its own prompt: each line that is typed while the program starts or works is
// one message.
func TestTypedAhead(t *testing.T) {
	x, cmd := atTerminal(t, 80, "", t.TempDir(), nil, "chat")
	x.shows("No model is set")
	x.sends("The key hangs behind the blue barrel.\rThe ladder leans at the red wall.\rWhere is the key?\rWhere is the ladder?\rexit\r")
	x.shows("main › The key hangs behind the blue barrel.", "context", "main › The ladder leans at the red wall.", "context",
		"main › Where is the key?", "blue barrel", "main › Where is the ladder?", "red wall", "main › exit")
	x.ends(cmd)
}

// TestLettersWithAccents stay as they are typed at the prompt, and pasted.
func TestLettersWithAccents(t *testing.T) {
	x, cmd := atTerminal(t, 80, "", t.TempDir(), nil, "chat")
	x.sends("/new ")
	x.shows("main › /new")
	x.types("Küche à Besançon", "Thread “Küche à Besançon”, new.", "Küche à Besançon ›")
	x.sends("/new ")
	x.shows("Besançon › /new")
	x.types("\x1b[200~Jalapeño Ärger\x1b[201~", "Thread “Jalapeño Ärger”, new.", "Jalapeño Ärger ›")
	x.types("exit")
	x.ends(cmd)
}

// TestALateTerminalReportIsNotInput: over a slow line a terminal says how light it is when somebody types already.
func TestALateTerminalReportIsNotInput(t *testing.T) {
	x, cmd := atTerminal(t, 80, "", t.TempDir(), nil, "chat")
	x.shows("No model is set", "main ›")
	x.sends("/thr")
	x.shows("main › /thr")
	x.sends("\x1b]11;rgb:ffff/ffff/ffff\x1b\\ead l\x1b]11;rgb:ffff/ffff/ffff\aist\r")
	x.shows("/thread list", "no threads yet")
	x.types("The `key` hangs behind the blue barrel.", "context")
	x.types("Where is the key?", "blue barrel")
	x.types("exit")
	x.ends(cmd)
	if shown := x.written(); strings.Contains(shown, "rgb") {
		t.Errorf("the report is shown: %q", shown)
	}
	if shown := x.written(); !strings.Contains(shown, "\x1b[38;5;94m") {
		t.Errorf("the colours are not those for a light terminal: %q", shown)
	}
}
