package docs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

var maxHTML = 16 << 20 // bytes; the tree of a page takes many times more. Tests lower it.

// readHTML returns the text of a web page as a reader sees it: paragraphs, items and rows of tables as lines, cells
// separated by " | ", and its headings. Scripts are not run and nothing is fetched; elements hidden by their own attributes are left out.
func readHTML(text string) (string, headings, error) {
	if len(text) > maxHTML {
		return "", nil, ErrTooLarge
	}
	root, err := html.Parse(strings.NewReader(text))
	if err != nil { // too many elements inside one another
		return "", nil, fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	w := htmlWriter{titled: repeatsTitle(root)}
	w.node(root)
	return w.text.String(), w.headings, nil
}

type htmlWriter struct {
	text strings.Builder
	headings
	line   bool // the line has text,
	space  bool // and white space behind it
	parted bool // a part of its own ends or begins here: see parted elements
	cells  int  // table cells we are in
	titled bool // its first heading is its title, which is left out
	pre    int
}

// unseen are elements whose text nobody reads.
var unseen = map[atom.Atom]bool{atom.Script: true, atom.Style: true, atom.Template: true, atom.Noscript: true, atom.Iframe: true,
	atom.Object: true, atom.Audio: true, atom.Video: true, atom.Canvas: true, atom.Datalist: true, atom.Svg: true, atom.Meta: true}

// blocks are elements on lines of their own; true for those separated from their neighbours.
var blocks = map[atom.Atom]bool{atom.P: true, atom.H1: true, atom.H2: true, atom.H3: true, atom.H4: true, atom.H5: true, atom.H6: true,
	atom.Table: true, atom.Ul: true, atom.Ol: true, atom.Pre: true, atom.Blockquote: true, atom.Section: true, atom.Article: true, atom.Title: true,
	atom.Div: false, atom.Li: false, atom.Tr: false, atom.Dt: false, atom.Dd: false, atom.Header: false, atom.Footer: false, atom.Nav: false,
	atom.Main: false, atom.Aside: false, atom.Form: false, atom.Fieldset: false, atom.Figure: false, atom.Figcaption: false, atom.Caption: false,
	atom.Address: false, atom.Details: false, atom.Summary: false, atom.Option: false, atom.Hr: false, atom.Legend: false}

// parted are elements within a line that a page sets apart from their neighbours by its style rather than by white space: a date and
// the link behind it are two words.
var parted = map[atom.Atom]bool{atom.A: true, atom.Time: true, atom.Button: true, atom.Label: true, atom.Select: true, atom.Input: true}

// section are elements whose headings say nothing of what follows; aside, those that do not stand under the heading before.
var (
	section = map[atom.Atom]bool{atom.Section: true, atom.Article: true, atom.Table: true, atom.Aside: true, atom.Nav: true, atom.Footer: true}
	aside   = map[atom.Atom]bool{atom.Aside: true, atom.Nav: true, atom.Footer: true}
)

func (w *htmlWriter) node(n *html.Node) {
	switch n.Type {
	case html.TextNode:
		w.words(n.Data)
	case html.ElementNode:
		if !unseen[n.DataAtom] && !hidden(n) && !(w.titled && n.DataAtom == atom.Title) {
			w.element(n)
		}
	default:
		w.children(n)
	}
}

func (w *htmlWriter) children(n *html.Node) {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		w.node(c)
	}
}

func (w *htmlWriter) element(n *html.Node) {
	apart, block := blocks[n.DataAtom]
	if block {
		w.end(apart)
	}
	if parted[n.DataAtom] {
		w.parted = true
		defer func() { w.parted = true }()
	}
	if section[n.DataAtom] && w.cells == 0 { // its headings end with it
		before := w.last()
		if aside[n.DataAtom] {
			w.set(w.text.Len(), "")
		}
		defer func() { w.set(w.text.Len(), before) }()
	}
	switch n.DataAtom {
	case atom.Br:
		w.end(false)
	case atom.Li:
		w.words("- ")
	case atom.Input:
		if kind := attribute(n, "type"); kind == "" || kind == "text" || kind == "number" || kind == "date" || kind == "email" {
			w.words(" " + attribute(n, "value") + " ")
		}
	case atom.Td, atom.Th:
		w.cells++
		w.children(n)
		w.cells--
		w.words(" | ")
		return
	case atom.Pre, atom.Textarea:
		w.pre++
		defer func() { w.pre-- }()
	case atom.H1, atom.H2, atom.H3, atom.H4, atom.H5, atom.H6:
		at := w.text.Len()
		defer func() { w.add(at, w.text.String()[at:], w.cells > 0) }()
	}
	w.children(n)
	if block {
		w.end(apart)
	}
}

// words writes text, white space as a single space but where it is kept.
func (w *htmlWriter) words(text string) {
	if w.pre > 0 && w.cells == 0 {
		w.text.WriteString(text)
		w.line = w.line || text != ""
		return
	}
	for i, word := range strings.FieldsFunc(text, isHTMLSpace) {
		if (i > 0 || w.space || isHTMLSpace(rune(text[0])) || w.parted && w.betweenWords(word)) && w.line {
			w.text.WriteByte(' ')
		}
		w.text.WriteString(word)
		w.line, w.space, w.parted = true, false, false
	}
	if text != "" {
		w.space = w.space || isHTMLSpace(rune(text[len(text)-1]))
	}
}

// betweenWords reports whether what is written ends in a letter or digit and word begins with one: a full stop behind a link
// belongs to it.
func (w *htmlWriter) betweenWords(word string) bool {
	before, _ := utf8.DecodeLastRuneInString(w.text.String())
	after, _ := utf8.DecodeRuneInString(word)
	ofWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	return ofWord(before) && ofWord(after)
}

// isHTMLSpace reports whether white space is folded; a no-break space is not.
func isHTMLSpace(r rune) bool { return r == ' ' || r == '\t' || r == '\n' || r == '\r' || r == '\f' }

// end ends a line; inside a cell that is a space, so that a row stays in one line. apart leaves an empty one.
func (w *htmlWriter) end(apart bool) {
	if w.cells > 0 {
		w.space = true
		return
	}
	if w.line {
		w.text.WriteByte('\n')
	}
	if apart && w.text.Len() > 0 && !strings.HasSuffix(w.text.String(), "\n\n") {
		w.text.WriteByte('\n')
	}
	w.line, w.space = false, false
}

// repeatsTitle reports whether the first heading of a page says what its title says.
func repeatsTitle(root *html.Node) bool {
	title := ""
	for n := range root.Descendants() {
		if n.DataAtom != atom.Title && n.DataAtom != atom.H1 {
			continue
		}
		var b strings.Builder
		for in := range n.Descendants() {
			if in.Type == html.TextNode {
				b.WriteString(in.Data)
			}
		}
		text := strings.Join(strings.Fields(b.String()), " ")
		if n.DataAtom == atom.H1 {
			return text != "" && text == title
		}
		title = text
	}
	return false
}

func hidden(n *html.Node) bool {
	has := func(key string) bool {
		return slices.ContainsFunc(n.Attr, func(a html.Attribute) bool { return a.Key == key })
	}
	return has("hidden") || hidingStyle(attribute(n, "style")) || n.DataAtom == atom.Dialog && !has("open")
}

// hidingStyle reports whether declarations keep an element from being seen: not shown, without size or colour, or moved off
// the page.
func hidingStyle(declarations string) bool {
	for one := range strings.SplitSeq(strings.ToLower(declarations), ";") {
		name, value, _ := strings.Cut(one, ":")
		name, value = strings.TrimSpace(name), strings.TrimSpace(strings.ReplaceAll(value, "!important", ""))
		size, err := strconv.ParseFloat(strings.TrimRight(value, "abcdefghijklmnopqrstuvwxyz%"), 64)
		switch sized := err == nil; {
		case name == "display" && value == "none",
			name == "visibility" && (value == "hidden" || value == "collapse"),
			name == "color" && value == "transparent",
			name == "opacity" && sized && size < 0.1,
			name == "font-size" && sized && (size == 0 || size < 3 && (strings.HasSuffix(value, "px") || strings.HasSuffix(value, "pt"))),
			slices.Contains([]string{"left", "top", "text-indent", "margin-left", "margin-top"}, name) && sized && size <= -900,
			(name == "clip" || name == "clip-path") && (strings.HasPrefix(value, "rect(0") || strings.HasPrefix(value, "inset(50%") || strings.HasPrefix(value, "inset(100%") || strings.HasPrefix(value, "circle(0")):
			return true
		}
	}
	return false
}

func attribute(n *html.Node, key string) string {
	for _, a := range n.Attr {
		if a.Key == key {
			return a.Val
		}
	}
	return ""
}
