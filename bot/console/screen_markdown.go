package console

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/charmbracelet/glamour"
	styling "github.com/charmbracelet/glamour/ansi"
	"github.com/charmbracelet/glamour/styles"
	"github.com/charmbracelet/lipgloss"
	"github.com/charmbracelet/x/ansi"

	"threadkeeper/bot/platform/kit"
)

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
	out, err := s.md.Render(holdWords(block))
	if rows := tableRows(block); err == nil && len(rows) > 1 && breaksWords(out, rows) {
		out, err = s.md.Render(holdWords(strings.Join(kit.Records(rows), "\n")))
	}
	if err != nil {
		return block
	}
	lines := hangItems(strings.Split(releases.Replace(trim(out)), "\n"))
	for i, l := range lines {
		lines[i] = hardBroken(l, s.mdCols)
	}
	return strings.Join(lines, "\n")
}

// tableRows are the rows of a block that is a table, its head first.
func tableRows(block string) (rows [][]string) {
	lines := strings.Split(strings.TrimSpace(block), "\n")
	if len(lines) < 3 || !kit.IsDelimiter(lines[1]) {
		return nil
	}
	for i, l := range lines {
		if i != 1 {
			rows = append(rows, kit.Cells(l))
		}
	}
	return rows
}

// breaksWords reports whether a word of a table is cut or broken where it is shown, as when its column is too narrow.
func breaksWords(shown string, rows [][]string) bool {
	whole := strings.Fields(releases.Replace(ansi.Strip(shown)))
	for _, row := range rows {
		for word := range strings.FieldsSeq(strings.Join(row, " ")) {
			if !slices.Contains(whole, word) {
				return true
			}
		}
	}
	return false
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

// number is a figure with separators in it: "€109,400", "12.5".
var number = regexp.MustCompile("(?m)(^|[ \t*_>“\"`(])(?:[^\\pL\\pN\\s]?\\d+(?:[.,]\\d+)+)")

// While Markdown is wrapped, these stand for what the library would break a word at.
var (
	holds    = strings.NewReplacer("-", "\ue02d", ",", "\ue02c", ".", "\ue02e")
	releases = strings.NewReplacer("\ue02d", "-", "\ue02c", ",", "\ue02e", ".")
)

// holdWords keeps the library from breaking lines at hyphens and within numbers: it takes a line broken at a hyphen for a cell
// shorter than it is, and then breaks it twice.
func holdWords(block string) string {
	if strings.Contains(block, "```") || strings.Contains(block, "~~~") {
		return block
	}
	return hyphenated.ReplaceAllStringFunc(number.ReplaceAllStringFunc(block, holds.Replace), holds.Replace)
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
