package console

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

func TestLines(t *testing.T) {
	long := strings.Repeat("x", maxText)
	in := "\ufefffirst\r\n\n  third \n" + long + "\n" + long + "y\r\nlast without end"
	want := []line{{1, "first", false}, {2, "", false}, {3, "  third ", false}, {4, long, false}, {5, "", true}, {6, "last without end", false}}
	l := newLines(strings.NewReader(in))
	for _, w := range want {
		got, err := l.next()
		if err != nil || got != w {
			t.Fatalf("line %d: got %d, %.40q, %v, %v", w.Number, got.Number, got.Text, got.TooLong, err)
		}
	}
	if _, err := l.next(); !errors.Is(err, io.EOF) {
		t.Errorf("after the last line: %v", err)
	}
	if _, err := newLines(strings.NewReader("")).next(); !errors.Is(err, io.EOF) {
		t.Errorf("empty input: %v", err)
	}
}

func TestSplitArgs(t *testing.T) {
	for in, want := range map[string][]string{
		``:                        nil,
		`  a.pdf   b.pdf `:        {"a.pdf", "b.pdf"},
		`"my report.pdf" x`:       {"my report.pdf", "x"},
		`'it is "quoted".pdf'`:    {`it is "quoted".pdf`},
		`my\ report.pdf`:          {"my report.pdf"},
		`a"b c"d ""`:              {"ab cd", ""},
		`"umlaut ä\"ö.pdf" naïve`: {`umlaut ä"ö.pdf`, "naïve"},
	} {
		got, err := splitArgs(in)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: got %q, %v", in, got, err)
		}
	}
	if _, err := splitArgs(`"open`); err == nil {
		t.Error("an open quote was accepted")
	}
}

func TestAttachments(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("HOME", dir)
	for _, name := range []string{"a.pdf", "b.pdf", "c[1].txt"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("x"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files, err := attachments([]string{filepath.Join(dir, "*.pdf"), "~/c[1].txt"}, "r:1")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range files {
		got = append(got, f.PlatformID+" "+f.Name+" "+filepath.Base(f.Locator))
	}
	if want := []string{"r:1:1 a.pdf a.pdf", "r:1:2 b.pdf b.pdf", "r:1:3 c[1].txt c[1].txt"}; !reflect.DeepEqual(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	_, err = attachments([]string{dir, "~/none.pdf", "~/z*"}, "r:1")
	if err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("want three problems, got %v", err)
	}
}

func TestFindCommand(t *testing.T) {
	registry := []platform.Command{{Name: "help"}, {Name: "memory search"}, {Name: "memory"}, {Name: "docs list"}}
	for in, want := range map[string]string{
		"help": "help/", "Memory  SEARCH blue  whale": "memory search/blue  whale", "memory x": "memory/x", "docs": "", "helpme": "", "": "",
	} {
		c, args, ok := findCommand(registry, in)
		got := ""
		if ok {
			got = c.Name + "/" + args
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
	if got := completeCommand(registry, "/memory s"); !reflect.DeepEqual(got, []string{"search"}) {
		t.Errorf("completions %q", got)
	}
	if got := completeCommand(registry, "/q"); !reflect.DeepEqual(got, []string{"/quit"}) {
		t.Errorf("completions %q", got)
	}
}

func TestGauge(t *testing.T) {
	for _, c := range []struct {
		tokens int
		text   string
		colour string
	}{
		{0, "context 0 / 10,000 tokens ░░░░░░░░░░░░", green},
		{612, "context 612 / 10,000 tokens ▓░░░░░░░░░░░", green},
		{4_999, "context 4,999 / 10,000 tokens ▓▓▓▓▓▓░░░░░░", green},
		{5_000, "context 5,000 / 10,000 tokens ▓▓▓▓▓▓░░░░░░", yellow},
		{8_300, "context 8,300 / 10,000 tokens ▓▓▓▓▓▓▓▓▓▓░░", yellow},
		{8_301, "context 8,301 / 10,000 tokens ▓▓▓▓▓▓▓▓▓▓░░", orange},
		{1_234_567, "context 1,234,567 / 10,000 tokens ▓▓▓▓▓▓▓▓▓▓▓▓", orange},
	} {
		st := &memory.Status{Context: c.tokens, Threshold: 10_000}
		if got := gauge(st, false); got != c.text {
			t.Errorf("%d: got %q", c.tokens, got)
		}
		if got := gauge(st, true); !strings.Contains(got, c.colour) {
			t.Errorf("%d: got %q, want colour %q", c.tokens, got, c.colour)
		}
	}
	if got := compacted(memory.Compaction{TokensBefore: 1284, TokensAfter: 540}); got != "compacted 1,284 → 540" {
		t.Errorf("got %q", got)
	}
}

// TestBlocks: whatever the pieces, the blocks are the same and hold all text.
func TestBlocks(t *testing.T) {
	const text = "One sentence.\nAnother.\n\n```go\na\n\nb\n```\n\n- x\n\n- y\n  more\n\n# Title\n\nThe end."
	want := []string{"One sentence.\nAnother.", "```go\na\n\nb\n```\n\n- x\n\n- y\n  more", "# Title", "The end."}
	for size := 1; size <= len(text); size++ {
		var b blocks
		var got []string
		for i := 0; i < len(text); i += size {
			got = append(got, b.add(text[i:min(len(text), i+size)])...)
		}
		if got = append(got, b.rest()); !reflect.DeepEqual(got, want) {
			t.Fatalf("pieces of %d bytes: got %q", size, got)
		}
	}
}

func TestPlainKeepsTheTerminalSafe(t *testing.T) {
	if got := plain("a\x1b[2Jb\x07\r\u009b31m\nc\td é 漢"); got != "a[2Jb31m\nc\td é 漢" {
		t.Errorf("got %q", got)
	}
}

func TestSafeName(t *testing.T) {
	for in, want := range map[string]string{
		"report.png": "report.png", "../../etc/passwd": "passwd", `C:\x\y.png`: "y.png", "a\x1b[0m:b?.png": "a-[0m-b-.png", "..": "file", ".bashrc": "bashrc",
	} {
		if got := safeName(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestSaveDoesNotOverwrite(t *testing.T) {
	s := Seat{Dir: t.TempDir()}
	for _, want := range []string{"p.png", "p-2.png"} {
		path, err := s.save(platform.Upload{Name: "p.png", Data: []byte(want)})
		if err != nil || filepath.Base(path) != want {
			t.Fatalf("got %s, %v, want %s", path, err, want)
		}
		if data, err := os.ReadFile(path); err != nil || string(data) != want {
			t.Errorf("%s holds %q, %v", want, data, err)
		}
	}
}

// TestObjectIsReadable: nothing but JSON's own characters is escaped, in one line.
func TestObjectIsReadable(t *testing.T) {
	b, err := object("r:1", 1, platform.Outgoing{Kind: platform.KindReply, Text: "a < b & c > \"d\"\n\u2028"}, nil, 10).encode()
	if err != nil || !strings.Contains(string(b), `"text":"a < b & c > \"d\"\n`) || strings.Count(string(b), "\n") != 1 {
		t.Errorf("got %s, %v", b, err)
	}
}

func TestTrim(t *testing.T) {
	for in, want := range map[string]string{
		"\x1b[0m  \n  a\x1b[31m b \x1b[0m\x1b[2m   \x1b[0m\n\x1b[0m\n\n": "  a\x1b[31m b\x1b[0m\x1b[2m\x1b[0m",
		"": "", "  x": "  x", "a  \n\n b": "a\n\n b",
	} {
		if got := trim(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// TestStoppedAnswerIsShownOnce: what is posted after a stream was cut goes on where the screen is.
func TestStoppedAnswerIsShownOnce(t *testing.T) {
	var out strings.Builder
	c := &Chat{waiting: runPrefix + "x:1", run: runPrefix + "x", screen: &screen{out: &out, width: func() int { return 80 }}}
	to := platform.Address{Event: c.waiting}
	s, err := c.Stream(t.Context(), to, "n")
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Append(t.Context(), "One paragraph.\n\nAnother that"); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Edit(t.Context(), s.Ref(), platform.Outgoing{Text: "One paragraph.\n\nAnother that\n\nStopped."}); err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{"One paragraph.", "Another that", "Stopped."} {
		if n := strings.Count(out.String(), part); n != 1 {
			t.Errorf("%q is shown %d times in %q", part, n, out.String())
		}
	}
	// Another text than the one that grew is shown whole.
	out.Reset()
	if _, err := c.Edit(t.Context(), s.Ref(), platform.Outgoing{Text: "Something else."}); err != nil || !strings.Contains(out.String(), "Something else.") {
		t.Errorf("got %q, %v", out.String(), err)
	}
}

func TestMeHasTheLanguageAndTheClockOfTheSystem(t *testing.T) {
	t.Setenv("LC_ALL", "")
	t.Setenv("LC_MESSAGES", "fr_FR.UTF-8")
	t.Setenv("LANG", "de_DE.UTF-8")
	if me := Me(); me.Locale != "fr_FR.UTF-8" {
		t.Errorf("speaks %q", me.Locale)
	} else if zone, err := time.LoadLocation(me.TimeZone); err != nil || zone.String() != time.Local.String() {
		t.Errorf("lives in %q: %v", me.TimeZone, err)
	}
}
