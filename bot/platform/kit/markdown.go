package kit

import (
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

var markdown = goldmark.New(goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.Linkify)).Parser()

// ParseMarkdown is the tree of what models write: CommonMark with tables, strikethrough and bare addresses as links.
func ParseMarkdown(src []byte) ast.Node { return markdown.Parse(text.NewReader(src)) }

// MarkdownText is what one inline node says itself, without its children: line breaks as they stand in the source,
// backslashes and entities resolved outside code.
func MarkdownText(n ast.Node, src []byte) string {
	switch n := n.(type) {
	case *ast.Text:
		said := string(util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(n.Segment.Value(src)))))
		if n.Parent().Kind() == ast.KindCodeSpan {
			said = string(n.Segment.Value(src))
		}
		if n.SoftLineBreak() || n.HardLineBreak() {
			said += "\n"
		}
		return said
	case *ast.String:
		return string(n.Value)
	case *ast.AutoLink:
		return string(n.Label(src))
	case *ast.RawHTML:
		return string(n.Segments.Value(src))
	}
	return ""
}

// MarkdownPlain is the text of a node and all in it, without any form.
func MarkdownPlain(n ast.Node, src []byte) string {
	var b strings.Builder
	b.WriteString(MarkdownText(n, src))
	for c := n.FirstChild(); c != nil; c = c.NextSibling() {
		b.WriteString(MarkdownPlain(c, src))
	}
	return b.String()
}

// MarkdownSource is what stands in a block of code or HTML.
func MarkdownSource(n ast.Node, src []byte) string {
	source := string(n.Lines().Value(src))
	if html, ok := n.(*ast.HTMLBlock); ok && html.HasClosure() {
		source += string(html.ClosureLine.Value(src))
	}
	return source
}
