package console

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/rivo/uniseg"
	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"threadkeeper/bot/platform/kit"
)

// margin stands left of all that is rendered.
const margin = "  "

// render is a block of Markdown for the terminal. Text keeps the terminal's own colour, and nothing stands around code, so
// that it can be copied.
func (s *screen) render(block string) string {
	d := drawing{src: []byte(plain(block)), look: looks[s.ground]}
	if !s.color {
		d.look = look{}
	}
	lines := d.blocks(kit.ParseMarkdown(d.src), s.width()-len(margin), false)
	for i, l := range lines {
		if l != "" {
			lines[i] = margin + l
		}
	}
	return strings.Join(lines, "\n")
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
	s.ground = b
}

// look is how Markdown looks: what switches each form on, "" for not at all.
type look struct{ heading, strong, emphasis, struck, code, block, link, quiet string }

const (
	italic    = "\x1b[3m"
	underline = "\x1b[4m"
	crossed   = "\x1b[9m"
)

var looks = map[background]look{
	anyBackground:   {heading: bold, strong: bold, emphasis: italic, struck: crossed, code: bold, link: underline, quiet: dim},
	darkBackground:  {"\x1b[1;38;5;39m", bold, italic, crossed, "\x1b[38;5;180m", "\x1b[38;5;180m", underline, dim},
	lightBackground: {"\x1b[1;38;5;25m", bold, italic, crossed, "\x1b[38;5;94m", "\x1b[38;5;94m", underline, dim},
}

// drawing turns the tree of a text into lines.
type drawing struct {
	src  []byte
	look look
}

// blocks are the lines of all blocks in a node, at most width cells each. Between two is an empty line, but in a tight list.
func (d *drawing) blocks(n ast.Node, width int, tight bool) []string {
	var lines []string
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		next := d.block(c, width)
		if len(lines) > 0 && len(next) > 0 && !tight {
			lines = append(lines, "")
		}
		lines = append(lines, next...)
	}
	return lines
}

func (d *drawing) block(n ast.Node, width int) []string {
	switch n := n.(type) {
	case *ast.Heading:
		return wrapRuns(d.inlines(n, d.look.heading), width)
	case *ast.List:
		return d.list(n, width)
	case *ast.Blockquote:
		lines := d.blocks(n, width-2, false)
		for i, l := range lines {
			lines[i] = strings.TrimRight(paint("│", d.look.quiet)+" "+l, " ")
		}
		return lines
	case *ast.FencedCodeBlock, *ast.CodeBlock, *ast.HTMLBlock:
		lines := strings.Split(strings.TrimRight(kit.MarkdownSource(n, d.src), "\n"), "\n")
		for i, l := range lines {
			if l != "" {
				lines[i] = margin + paint(strings.ReplaceAll(l, "\t", "    "), d.look.block)
			}
		}
		return lines
	case *ast.ThematicBreak:
		return []string{paint(strings.Repeat("─", min(8, width)), d.look.quiet)}
	case *east.Table:
		return d.table(n, width)
	}
	return wrapRuns(d.inlines(n, ""), width)
}

func (d *drawing) list(l *ast.List, width int) []string {
	var lines []string
	n := l.Start
	for item := l.FirstChild(); item != nil; item = item.NextSibling() {
		mark := "• "
		if l.IsOrdered() {
			mark = fmt.Sprintf("%d. ", n)
			n++
		}
		if len(lines) > 0 && !l.IsTight {
			lines = append(lines, "")
		}
		indent := ansi.StringWidth(mark)
		for i, line := range d.blocks(item, width-indent, l.IsTight) {
			if i > 0 {
				mark = strings.Repeat(" ", indent)
			}
			lines = append(lines, strings.TrimRight(mark+line, " "))
		}
	}
	return lines
}

// table draws a table, or a list with an entry for each row where that is too wide.
func (d *drawing) table(t *east.Table, width int) []string {
	var rows [][]string
	right := map[int]bool{}
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			right[len(cells)] = cell.(*east.TableCell).Alignment == east.AlignRight
			cells = append(cells, kit.MarkdownPlain(cell, d.src))
		}
		rows = append(rows, cells)
	}
	if lines := kit.Table(rows, right, "  ", width); lines != nil {
		lines[0] = paint(lines[0], d.look.strong)
		return lines
	}
	var lines []string
	for _, record := range kit.Records(rows, func(head, text string) string {
		return strings.TrimPrefix(head+": ", ": ") + text
	}) {
		for i, line := range wrapRuns([]run{{text: record}}, width-2) {
			lines = append(lines, map[bool]string{true: "• ", false: "  "}[i == 0]+line)
		}
	}
	return lines
}

// run is text of one form.
type run struct{ text, form string }

func paint(text, form string) string {
	if form == "" || text == "" {
		return text
	}
	return form + text + reset
}

// inlines are the runs of a node's text, in its form and their own.
func (d *drawing) inlines(n ast.Node, form string) []run {
	var runs []run
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		switch c := c.(type) {
		case *ast.Emphasis:
			with := d.look.emphasis
			if c.Level >= 2 {
				with = d.look.strong
			}
			runs = append(runs, d.inlines(c, form+with)...)
		case *east.Strikethrough:
			runs = append(runs, d.inlines(c, form+d.look.struck)...)
		case *ast.CodeSpan:
			runs = append(runs, run{kit.MarkdownPlain(c, d.src), form + d.look.code})
		case *ast.AutoLink:
			runs = append(runs, run{kit.MarkdownText(c, d.src), form + d.look.link})
		case *ast.Link:
			runs = append(runs, d.linked(c, string(c.Destination), form)...)
		case *ast.Image:
			runs = append(runs, d.linked(c, string(c.Destination), form)...)
		default:
			runs = append(runs, run{kit.MarkdownText(c, d.src), form})
		}
	}
	return runs
}

// linked is a link's text and, unless that is it, the address.
func (d *drawing) linked(n ast.Node, address, form string) []run {
	runs := d.inlines(n, form)
	if kit.MarkdownPlain(n, d.src) == address {
		return []run{{address, form + d.look.link}}
	}
	return append(runs, run{" (", form}, run{address, form + d.look.link}, run{")", form})
}

// wrapRuns breaks runs into lines of at most width cells: between words, and at characters of two cells, which have no blanks
// between them. A longer word, as in code and addresses, is the terminal's to break, so that it can be copied.
func wrapRuns(runs []run, width int) []string {
	var lines []string
	var line, word []run
	blank, cells, wide := run{}, 0, 0 // the blanks before the word, the cells of the line and of the word
	put := func() {
		if len(word) == 0 {
			return
		}
		if cells > 0 && cells+len(blank.text)+wide > width {
			lines, line, cells = append(lines, painted(line)), nil, 0
		}
		if cells > 0 && blank.text != "" {
			line, cells = append(line, blank), cells+len(blank.text)
		}
		line, cells = append(line, word...), cells+wide
		word, wide, blank = nil, 0, run{}
	}
	for _, r := range runs {
		for rest, state := r.text, -1; rest != ""; {
			var char string
			var n int
			char, rest, n, state = uniseg.FirstGraphemeClusterInString(rest, state)
			switch char {
			case "\n", "\r\n":
				put()
				lines, line, cells, blank = append(lines, painted(line)), nil, 0, run{}
				continue
			case " ", "\t":
				put()
				blank = run{blank.text + " ", r.form}
				continue
			}
			if n > 1 {
				put()
			}
			word, wide = append(word, run{char, r.form}), wide+n
			if n > 1 {
				put()
			}
		}
	}
	put()
	if line != nil || len(lines) == 0 {
		lines = append(lines, painted(line))
	}
	return lines
}

// painted is a line, neighbours of one form together.
func painted(line []run) string {
	var b, same strings.Builder
	for i, r := range line {
		same.WriteString(r.text)
		if i+1 == len(line) || line[i+1].form != r.form {
			b.WriteString(paint(same.String(), r.form))
			same.Reset()
		}
	}
	return b.String()
}
