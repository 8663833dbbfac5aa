package console

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/charmbracelet/x/ansi"
	"golang.org/x/term"

	"threadkeeper/bot/platform"
	"threadkeeper/memory/reading"
)

// screen is the terminal's output: rendered blocks of text, and below them one
// line that says what is being done. Safe for use by several goroutines.
type screen struct {
	out   io.Writer
	color bool
	width func() int

	mu     sync.Mutex
	ground background
	blocks markdownBlocks
	busy   int // lines of status or unfinished text below what stands for good
}

func newScreen(out *os.File, color bool) *screen {
	width := func() int {
		w, _, err := term.GetSize(int(out.Fd()))
		if err != nil || w < 20 {
			return 80
		}
		return min(w, 100) // long lines are hard to read
	}
	// GLAMOUR_STYLE is where other tools that render Markdown in a terminal read it too.
	said := map[string]background{"light": lightBackground, "dark": darkBackground}
	return &screen{out: out, color: color, width: width, ground: said[os.Getenv("GLAMOUR_STYLE")]}
}

// WriteMarkdown renders a text for a terminal.
func WriteMarkdown(terminal *os.File, text string, color bool) error {
	return newScreen(terminal, color).markdown(text)
}

// barCells is the width of the bar of a document being read.
const barCells = 24

// status shows what is being done; "page 34 of 150" gets a bar.
func (s *screen) status(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text = strings.ReplaceAll(plain(text), "\n", " ")
	at := max(0, strings.LastIndex(text, "page "))
	var page, pages int
	if n, _ := fmt.Sscanf(text[at:], "page %d of %d", &page, &pages); n == 2 {
		text = fmt.Sprintf("%s %s %d/%d", cutWidth(strings.TrimRight(text[:at], ", "), s.width()-45), bar(page, pages, barCells), page, pages)
	}
	s.clear()
	fmt.Fprint(s.out, s.faint(cutWidth(text, s.width()-1)))
	s.busy = 1
}

// grow adds a piece of a reply: it shows the blocks that it completes, and the rest as far as it came.
func (s *screen) grow(text string) error {
	if err := s.write(text); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.showPending()
	return nil
}

// write adds a piece of a reply, and shows the blocks it completes.
func (s *screen) write(text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, block := range s.blocks.add(text) {
		if err := s.show(s.render(block)); err != nil {
			return err
		}
	}
	return nil
}

// liveLines is how much of a block is shown while it grows: a screen must not scroll, or what is shown could not be
// taken away when the block is complete.
const liveLines = 8

// showPending shows the end of the block that is not complete yet.
func (s *screen) showPending() {
	if s.blocks.pending == "" {
		return
	}
	s.clear()
	lines := wrapped(withoutMarks(s.blocks.pending), s.width()-2)
	lines = lines[max(0, len(lines)-liveLines):]
	fmt.Fprint(s.out, s.faint(strings.Join(append(lines[:len(lines)-1:len(lines)-1], lines[len(lines)-1]+"…"), "\n")))
	s.busy = len(lines)
}

// end shows what is left of a reply.
func (s *screen) end() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if rest := s.blocks.rest(); strings.TrimSpace(rest) != "" {
		return s.show(s.render(rest))
	}
	s.clear()
	return nil
}

// markdown shows a whole text.
func (s *screen) markdown(text string) error {
	if err := s.write(text + "\n\n"); err != nil {
		return err
	}
	return s.end()
}

// finish shows the rest of an answer: grown is the part that is on the screen already. An answer that
// does not begin with it is shown whole.
func (s *screen) finish(grown, text string) error {
	rest, continues := strings.CutPrefix(text, strings.TrimRight(grown, "\n"))
	if grown != "" && continues {
		if strings.HasSuffix(grown, "\n") {
			rest = strings.TrimLeft(rest, "\n")
		}
		return errors.Join(s.write(rest), s.end())
	}
	return errors.Join(s.end(), s.markdown(text))
}

// below shows what stands under an answer's text: its sources, each with its quote unless that stands above, and options.
func (s *screen) below(m platform.Outgoing) error {
	shown := withoutMarks(m.Text)
	var out strings.Builder
	for _, q := range byNumber(m.Citations) {
		source, quote := "  "+sourceOf(q, m.Language), quoteOf(q)
		if strings.Contains(shown, withoutMarks(quote)) {
			source = strings.TrimSuffix(source, ": ")
		} else {
			room := max(30, s.width()-ansi.StringWidth(source)-3)
			source += "“" + cutWidth(quote, room) + "”"
		}
		out.WriteString(s.faint(source) + "\n")
	}
	if m.Question != nil {
		if !strings.Contains(m.Text, m.Question.Text) {
			out.WriteString("  " + plain(m.Question.Text) + "\n")
		}
		for i, o := range m.Question.Options {
			fmt.Fprintf(&out, "  %d. %s\n", i+1, plain(o.Label))
		}
	}
	if out.Len() == 0 {
		return nil
	}
	return s.line(out.String())
}

// line shows lines as they are; one that is too long continues below its beginning.
func (s *screen) line(text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = hanging(l, s.width())
	}
	_, err := fmt.Fprintln(s.out, strings.Join(lines, "\n"))
	return err
}

// leadOf finds what the continuation of a line stands behind: blanks, and the number of an option.
var leadOf = reading.Lazy(`^(?:\x1b\[[0-9;]*m)* *(?:\d+\. )?`)

// hanging breaks a line of more than width cells between words.
func hanging(line string, width int) string {
	if ansi.StringWidth(line) <= width {
		return line
	}
	lead := leadOf.FindString(line)
	indent := ansi.StringWidth(lead)
	return lead + strings.Join(wrapped(line[len(lead):], width-indent), "\n"+strings.Repeat(" ", indent))
}

func (s *screen) show(rendered string) error {
	s.clear()
	_, err := io.WriteString(s.out, rendered+"\n\n")
	return err
}

// clear takes the status, or the unfinished text, away.
func (s *screen) clear() {
	if s.busy > 1 {
		fmt.Fprintf(s.out, "\x1b[%dA", s.busy-1)
	}
	if s.busy > 0 {
		fmt.Fprint(s.out, "\r\x1b[J")
	}
	s.busy = 0
}

func (s *screen) faint(text string) string {
	if !s.color {
		return text
	}
	return paint(text, dim)
}

func (s *screen) strong(text string) string {
	if !s.color {
		return text
	}
	return bold + text + reset
}

// cutWidth shortens a text to n cells.
func cutWidth(text string, n int) string { return ansi.Truncate(text, max(1, n), "…") }
