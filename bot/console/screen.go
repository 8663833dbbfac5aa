package console

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/charmbracelet/glamour"
	"github.com/charmbracelet/glamour/ansi"
	"github.com/charmbracelet/glamour/styles"
	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// screen is the terminal's output: rendered blocks of text, and below them one
// line that says what is being done. Safe for use by several goroutines.
type screen struct {
	out   io.Writer
	color bool
	width func() int

	mu     sync.Mutex
	blocks markdownBlocks
	bar    *progressbar.ProgressBar
	busy   bool // the last line is a status
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
	return &screen{out: out, color: color, width: width}
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
		s.busy = true
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
	s.busy = true
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
	if s.blocks.pending != "" {
		s.clear()
		fmt.Fprint(s.out, s.faint("…"))
		s.busy = true
	}
	return nil
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

// line shows one line as it is.
func (s *screen) line(text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.clear()
	_, err := fmt.Fprintln(s.out, text)
	return err
}

func (s *screen) show(rendered string) error {
	s.clear()
	_, err := io.WriteString(s.out, rendered+"\n\n")
	return err
}

// clear takes the status line away.
func (s *screen) clear() {
	if s.busy {
		fmt.Fprint(s.out, "\r\x1b[K")
	}
	s.busy, s.bar = false, nil
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
		md, err := glamour.NewTermRenderer(glamour.WithStyles(style(s.color)), glamour.WithWordWrap(cols-4),
			glamour.WithPreservedNewLines(), glamour.WithEmoji())
		if err != nil {
			return block
		}
		s.md, s.mdCols = md, cols
	}
	out, err := s.md.Render(block)
	if err != nil {
		return block
	}
	return trim(out)
}

// style is how Markdown looks: GLAMOUR_STYLE=light is for a light background. Headings have no
// number signs and code no blanks around it, so that it can be copied.
func style(color bool) ansi.StyleConfig {
	if !color {
		return withBar(styles.NoTTYStyleConfig)
	}
	c, code := styles.DarkStyleConfig, "180"
	if os.Getenv("GLAMOUR_STYLE") == styles.LightStyle {
		c, code = styles.LightStyleConfig, "94"
	}
	c.H1.StylePrimitive = ansi.StylePrimitive{Bold: c.Heading.Bold, Color: c.Heading.Color}
	for _, h := range []*ansi.StyleBlock{&c.H2, &c.H3, &c.H4, &c.H5, &c.H6} {
		h.Prefix = ""
	}
	c.Code.StylePrimitive = ansi.StylePrimitive{Color: &code}
	return withBar(c)
}

// withBar is a style whose quotes leave room for the two cells of the bar before them: an indent counts as one, and
// lines that are a cell too long are broken twice.
func withBar(c ansi.StyleConfig) ansi.StyleConfig {
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

// cutWidth shortens a text to n cells, roughly: one rune is taken as one cell.
func cutWidth(text string, n int) string {
	if r := []rune(text); len(r) > n && n > 0 {
		return string(r[:n-1]) + "…"
	}
	return text
}
