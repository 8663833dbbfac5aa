package console

import (
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/charmbracelet/glamour"
	styling "github.com/charmbracelet/glamour/ansi"
	"github.com/charmbracelet/glamour/styles"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"threadkeeper/bot/platform"
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
	bar    *progressbar.ProgressBar
	busy   int // lines of status or unfinished text below what stands for good
	md     *glamour.TermRenderer
	mdCols int
}

func newScreen(out *os.File, color bool) *screen {
	width := func() int {
		w, _, err := term.GetSize(int(out.Fd()))
		if err != nil || w < 20 {
			return 80
		}
		return min(w, 100) // long lines are hard to read
	}
	said := map[string]background{styles.LightStyle: lightBackground, styles.DarkStyle: darkBackground}
	return &screen{out: out, color: color, width: width, ground: said[os.Getenv("GLAMOUR_STYLE")]}
}

// WriteMarkdown renders a text for a terminal.
func WriteMarkdown(terminal *os.File, text string, color bool) error {
	return newScreen(terminal, color).markdown(text)
}

// pageOf finds "page 34 of 150" in a status.
var pageOf = regexp.MustCompile(`\bpage (\d+) of (\d+)\b`)

// status shows what is being done; a document being read gets a progress bar.
func (s *screen) status(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text = strings.ReplaceAll(plain(text), "\n", " ")
	m := pageOf.FindStringSubmatch(text)
	if m == nil {
		s.clear()
		fmt.Fprint(s.out, s.faint(cutWidth(text, s.width()-1)))
		s.busy = 1
		return
	}
	page, _ := strconv.Atoi(m[1])
	pages, _ := strconv.Atoi(m[2])
	what := strings.TrimRight(strings.TrimSpace(text[:strings.Index(text, m[0])]), ", ")
	if s.bar == nil || s.bar.GetMax() != pages {
		s.clear()
		s.bar = progressbar.NewOptions(pages, progressbar.OptionSetWriter(s.out), progressbar.OptionSetWidth(24),
			progressbar.OptionShowCount(), progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false),
			progressbar.OptionThrottle(50*time.Millisecond), progressbar.OptionUseANSICodes(true),
			progressbar.OptionSetTheme(progressbar.Theme{Saucer: "▓", SaucerPadding: "░", BarStart: "", BarEnd: ""}))
	}
	s.bar.Describe(cutWidth(what, s.width()-45))
	_ = s.bar.Set(page) // a terminal that cannot be written to fails at the reply
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
			room := max(30, s.width()-lipgloss.Width(source)-3)
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
var leadOf = regexp.MustCompile(`^(?:\x1b\[[0-9;]*m)* *(?:\d+\. )?`)

// hanging breaks a line of more than width cells between words.
func hanging(line string, width int) string {
	if lipgloss.Width(line) <= width {
		return line
	}
	lead := leadOf.FindString(line)
	indent := lipgloss.Width(lead)
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
	s.busy, s.bar = 0, nil
}

func (s *screen) faint(text string) string {
	if !s.color || text == "" {
		return text
	}
	return dim + text + reset
}

func (s *screen) strong(text string) string {
	if !s.color {
		return text
	}
	return bold + text + reset
}

// render is a block of Markdown for the terminal, or its source if that fails.
func (s *screen) render(block string) string {
	block = plain(block)
	if cols := s.width(); s.md == nil || cols != s.mdCols {
		md, err := glamour.NewTermRenderer(glamour.WithStyles(style(s.color, s.ground)), glamour.WithWordWrap(cols-deepest),
			glamour.WithPreservedNewLines(), glamour.WithEmoji())
		if err != nil {
			return block
		}
		s.md, s.mdCols = md, cols
	}
	out, err := s.md.Render(holdHyphens(block))
	if err != nil {
		return block
	}
	lines := hangItems(strings.Split(strings.ReplaceAll(trim(out), heldHyphen, "-"), "\n"))
	for i, l := range lines {
		lines[i] = hardBroken(l, s.mdCols)
	}
	return strings.Join(lines, "\n")
}

// deepest is by how many cells a line of an item is moved to the right at most.
const deepest = 4

// itemOf finds the sign or the number that an item of a list begins with, behind its indent.
var itemOf = regexp.MustCompile(`^( *)([•*-] |\d+\. )`)

// hangItems puts the further lines of an item below its text: the library puts them below its sign.
func hangItems(lines []string) []string {
	indent, by := 0, 0
	for i, l := range lines {
		text := ansi.Strip(l)
		begins := len(text) - len(strings.TrimLeft(text, " "))
		switch m := itemOf.FindStringSubmatch(text); {
		case m != nil:
			indent, by = len(m[1]), min(lipgloss.Width(m[2]), deepest)
		case begins == len(text) || begins != indent:
			by = 0
		case by > 0:
			lines[i] = strings.Repeat(" ", by) + l
		}
	}
	return lines
}

// hyphenated is a word with hyphens in it, or a flag; what may be an address is not.
var hyphenated = regexp.MustCompile("(?m)(^|[ \t*_>“\"`])(?:-{1,2}[\\pL\\pN]+(?:-[\\pL\\pN]+)*|[\\pL\\pN]+(?:-[\\pL\\pN]+)+)")

// heldHyphen stands for a hyphen while Markdown is wrapped.
const heldHyphen = "\ue02d"

// holdHyphens keeps the library from breaking lines at hyphens: it takes such a line for a cell shorter than it is, and then
// breaks it twice.
func holdHyphens(block string) string {
	if strings.Contains(block, "```") || strings.Contains(block, "~~~") {
		return block
	}
	return hyphenated.ReplaceAllStringFunc(block, func(word string) string { return strings.ReplaceAll(word, "-", heldHyphen) })
}

// barOf finds what each line of a quote or an item begins with.
var barOf = regexp.MustCompile(`^[ │|]*(?:[•*-] |\d+\. )?`)

// hardBroken breaks a line of a script without blanks, which the library leaves as long as it is. Other long words, as in code and
// addresses, are the terminal's to break, so that they can be copied.
func hardBroken(line string, width int) string {
	text := ansi.Strip(line)
	if cells := lipgloss.Width(text); cells <= width || cells == utf8.RuneCountInString(text) {
		return line
	}
	bar := barOf.FindString(text)
	if bar = strings.Map(func(r rune) rune {
		if r == '│' || r == '|' {
			return r
		}
		return ' '
	}, bar); lipgloss.Width(bar) > width/2 {
		bar = ""
	}
	var parts []string
	for lipgloss.Width(line) > width {
		head := ansi.Truncate(line, width, "")
		parts = append(parts, head)
		line = bar + ansi.TruncateLeft(line, lipgloss.Width(head), "")
	}
	return strings.Join(append(parts, line), "\n")
}

// background is what a terminal is known to have: text in its own colour can be read on any.
type background int

const (
	anyBackground background = iota
	darkBackground
	lightBackground
)

func (s *screen) setBackground(b background) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ground != b {
		s.ground, s.md = b, nil
	}
}

// style is how Markdown looks. Headings have no
// number signs and code no blanks around it, so that it can be copied.
func style(color bool, ground background) styling.StyleConfig {
	if !color {
		return withBar(styles.NoTTYStyleConfig)
	}
	c, code := styles.DarkStyleConfig, styling.StylePrimitive{}
	switch ground {
	case anyBackground:
		c.Document.Color, c.Heading.Color, c.CodeBlock.Color, c.CodeBlock.Chroma = nil, nil, nil, nil
		code.Bold = c.Strong.Bold
	case darkBackground:
		code.Color = new("180")
	case lightBackground:
		c = styles.LightStyleConfig
		code.Color = new("94")
	}
	c.H1.StylePrimitive = styling.StylePrimitive{Bold: c.Heading.Bold, Color: c.Heading.Color}
	for _, h := range []*styling.StyleBlock{&c.H2, &c.H3, &c.H4, &c.H5, &c.H6} {
		h.Prefix = ""
	}
	c.Code.StylePrimitive = code
	return withBar(c)
}

// withBar is a style whose quotes leave room for the two cells of the bar before them: an indent counts as one, and
// lines that are a cell too long are broken twice.
func withBar(c styling.StyleConfig) styling.StyleConfig {
	none, one := uint(0), uint(1)
	c.BlockQuote.Indent, c.BlockQuote.Margin = &none, &one
	return c
}

// trim takes the blanks off the end of every line, with which glamour fills them to the full width
// and which wrap when the window shrinks, and the empty lines at both ends.
func trim(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		lines[i] = padding.ReplaceAllStringFunc(l, func(end string) string { return strings.ReplaceAll(end, " ", "") })
	}
	empty := func(line string) bool { return padding.FindString(line) == line }
	for len(lines) > 1 && empty(lines[0]) {
		lines = lines[1:]
	}
	for len(lines) > 1 && empty(lines[len(lines)-1]) {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "\n")
}

// padding is blanks and colour changes at the end of a line.
var padding = regexp.MustCompile(`(?:\x1b\[[0-9;]*m| )+$`)

// cutWidth shortens a text to n cells.
func cutWidth(text string, n int) string {
	if n <= 0 || lipgloss.Width(text) <= n {
		return text
	}
	cells, end := 0, 0
	for i, r := range text {
		if cells += lipgloss.Width(string(r)); cells > n-1 {
			break
		}
		end = i + len(string(r))
	}
	return text[:end] + "…"
}
