package slack

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/yuin/goldmark/ast"
	east "github.com/yuin/goldmark/extension/ast"

	"threadkeeper/bot/platform/kit"
)

// markup is Markdown in Slack's own format (docs.slack.dev/messaging/formatting-message-text),
// with everything escaped that Slack would read as a token.
func markup(markdown string) string {
	src := []byte(markdown)
	w := writer{src: src}
	w.blocks(kit.ParseMarkdown(src))
	return strings.Trim(w.out.String(), "\n")
}

type writer struct {
	src []byte
	out strings.Builder
}

func (w *writer) inner(f func(*writer)) string {
	in := writer{src: w.src}
	f(&in)
	return strings.Trim(in.out.String(), "\n")
}

func (w *writer) blocks(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		if w.out.Len() > 0 {
			w.out.WriteString("\n")
			if c.Kind() != ast.KindTextBlock && (n.Kind() != ast.KindListItem || c.Kind() != ast.KindList) {
				w.out.WriteString("\n")
			}
		}
		w.block(c)
	}
}

func (w *writer) block(n ast.Node) {
	switch n := n.(type) {
	case *ast.Heading:
		if title := w.inner(func(in *writer) { in.inlines(n) }); title != "" {
			w.out.WriteString("*" + strings.ReplaceAll(title, "*", "") + "*")
		}
	case *ast.List:
		w.list(n)
	case *ast.Blockquote:
		for line := range strings.Lines(w.inner(func(in *writer) { in.blocks(n) })) {
			w.out.WriteString("> " + line)
		}
	case *ast.FencedCodeBlock, *ast.CodeBlock, *ast.HTMLBlock:
		w.code(kit.MarkdownSource(n, w.src))
	case *ast.ThematicBreak:
		w.out.WriteString("———")
	case *east.Table:
		w.table(n)
	default:
		w.inlines(n)
	}
}

func (w *writer) code(source string) {
	w.out.WriteString("```\n" + strings.ReplaceAll(escape(strings.TrimRight(source, "\n")), "```", "``"+zeroWidthSpace+"`") + "\n```")
}

func (w *writer) list(l *ast.List) {
	n := l.Start
	for item := l.FirstChild(); item != nil; item = item.NextSibling() {
		mark := "• "
		if l.IsOrdered() {
			mark = fmt.Sprintf("%d. ", n)
			n++
		}
		lines := strings.Split(w.inner(func(in *writer) { in.blocks(item) }), "\n")
		w.out.WriteString(mark + lines[0])
		for _, line := range lines[1:] {
			w.out.WriteString("\n")
			if line != "" {
				w.out.WriteString("    " + line)
			}
		}
		if item.NextSibling() != nil {
			w.out.WriteString("\n")
		}
	}
}

// table draws a table with columns of equal width, as code, or as a list with an entry for each row where that is too wide.
func (w *writer) table(t *east.Table) {
	var rows [][]string
	for row := t.FirstChild(); row != nil; row = row.NextSibling() {
		var cells []string
		for cell := row.FirstChild(); cell != nil; cell = cell.NextSibling() {
			cells = append(cells, w.plain(cell))
		}
		rows = append(rows, cells)
	}
	if drawn := kit.Table(rows, nil, "  ", kit.Widest); drawn != nil {
		w.code(strings.Join(drawn, "\n"))
		return
	}
	records := kit.Records(rows, func(head, text string) string {
		if head == "" {
			return escape(text)
		}
		return "*" + escape(head) + "*: " + escape(text)
	})
	w.out.WriteString("• " + strings.Join(records, "\n• "))
}

func (w *writer) plain(n ast.Node) string { return kit.MarkdownPlain(n, w.src) }

func (w *writer) inlines(n ast.Node) {
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		w.inline(c)
	}
}

func (w *writer) inline(n ast.Node) {
	around := func(mark string) {
		in := w.inner(func(in *writer) { in.inlines(n) })
		if strings.TrimSpace(in) == "" {
			mark = ""
		}
		w.out.WriteString(mark + in + mark)
	}
	switch n := n.(type) {
	case *ast.Emphasis:
		around(map[bool]string{true: "*", false: "_"}[n.Level >= 2])
	case *east.Strikethrough:
		around("~")
	case *ast.CodeSpan:
		w.out.WriteString("`" + strings.ReplaceAll(escape(w.plain(n)), "`", "'") + "`")
	case *ast.Link:
		w.out.WriteString(link(string(n.Destination), w.plain(n)))
	case *ast.Image:
		w.out.WriteString(link(string(n.Destination), w.plain(n)))
	case *ast.AutoLink:
		w.out.WriteString(link(string(n.URL(w.src)), kit.MarkdownText(n, w.src)))
	default:
		w.out.WriteString(escape(kit.MarkdownText(n, w.src)))
	}
}

// link is a link in mrkdwn, or its text alone if Slack could read the address as
// something else.
func link(address, label string) string {
	label = strings.Join(strings.Fields(strings.ReplaceAll(label, "|", "¦")), " ")
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" && u.Scheme != "mailto" || u.Host == "" && u.Scheme != "mailto" {
		return escape(label)
	}
	to := strings.NewReplacer("<", "%3C", ">", "%3E", "|", "%7C", " ", "%20", "&", "&amp;").Replace(u.String())
	if label == "" || label == address {
		return "<" + to + ">"
	}
	return "<" + to + "|" + escape(label) + ">"
}
