package kit

import (
	"strings"
	"unicode/utf8"

	"threadkeeper/memory/reading"
)

// Fence is the fenced code that a line may be in. The zero value is outside.
type Fence struct {
	Ticks bool   // only backticks at the start of a line make a fence, as on Discord
	open  string // the line that opened it, "" outside
}

// Next moves past a line. It returns true if the line opens or closes a fence.
func (f *Fence) Next(line string) bool {
	trimmed := strings.TrimSpace(line)
	marker := marker(trimmed)
	if f.Ticks && !strings.HasPrefix(line, "```") {
		marker = ""
	}
	switch {
	case marker == "":
		return false
	case f.open == "":
		if marker[0] == '`' && strings.Contains(trimmed[len(marker):], "`") {
			return false // code in a line
		}
		f.open = strings.TrimRight(line, "\n")
		return true
	}
	opened := f.marker()
	if marker[0] != opened[0] || len(marker) < len(opened) || trimmed != marker {
		return false
	}
	f.open = ""
	return true
}

// Inside reports whether the next line is in fenced code, or ends it.
func (f *Fence) Inside() bool { return f.open != "" }

func (f *Fence) marker() string { return marker(strings.TrimSpace(f.open)) }

// close is the line that ends the fence.
func (f *Fence) close() string {
	return f.open[:len(f.open)-len(strings.TrimLeft(f.open, " \t"))] + f.marker()
}

func marker(line string) string {
	for _, c := range []string{"`", "~"} {
		if n := len(line) - len(strings.TrimLeft(line, c)); n >= 3 {
			return line[:n]
		}
	}
	return ""
}

// line is one line of a text to be split, and what a part that begins with it has to
// repeat.
type line struct {
	text  string
	in    Fence  // the fence it is in, unless it opens one
	head  string // the two head lines of the table it is in
	after gap    // what stands right before it
}

// gap says how well a part may begin after what stands before a line.
type gap int

const (
	noGap     gap = iota
	bound         // a heading, which stands above what it heads, or the head of a table
	blankLine     // or the end of code
)

var (
	// titled matches a line that is a heading.
	titled = reading.Lazy(`^(#{1,6} .*|\*\*[^*]+\*\*:?)\s*$`)
	listed = reading.Lazy(`^([-*+]|\d+[.)]) `)
	// whole matches what is not cut: a link, code, an address, bold text, a tag.
	whole = reading.Lazy("\\[[^\\]\n]*\\]\\([^)\n]*\\)|`+[^`\n]+`+|https?://[^\\s<>]+|\\*\\*[^*\n]+\\*\\*|<[^<>\n]{1,100}>")
)

// maxWhole is how far beyond a cut something that is not cut is looked for, in bytes.
const maxWhole = 2000

// lines reads what Split needs to know. What it says of a line depends on this line and those before it,
// and of a table's head on the line below.
func lines(text string, f Fence) []line {
	var all []line
	var head string
	after := noGap
	texts := strings.Split(text, "\n")
	for i, t := range texts {
		l := line{text: t, in: f, after: after}
		fenced := f.Next(t)
		inCode := l.in.open != "" || f.open != ""
		switch {
		case inCode:
			head = ""
		case strings.Contains(t, "|") && head == "" && i+1 < len(texts) && Delimiter(texts[i+1]):
			head = t + "\n" + texts[i+1] + "\n"
		case !strings.Contains(t, "|"):
			head = ""
		case i > 0 && Delimiter(t):
			l.after = bound
		default:
			l.head = head
		}
		switch blank := strings.TrimSpace(t) == ""; {
		case !inCode && titled.MatchString(t):
			after = bound
		case blank && after == bound:
		case blank, fenced && f.open == "":
			after = blankLine
		default:
			after = noGap
		}
		all = append(all, l)
	}
	return all
}

// Delimiter reports whether a line parts a table's head from its rows.
func Delimiter(l string) bool {
	return strings.Contains(l, "-") && strings.Contains(l, "|") && strings.Trim(l, " \t|:-") == ""
}

// Ranks of lines to begin a part with.
const (
	worst   = iota // in code or a table, below a heading, an indented part of an item, nothing
	anyLine        // in a paragraph
	anItem         // of a list
	atGap          // after a blank line or code, before code, a heading
)

// opens reports whether a line opens a fence.
func (l line) opens() bool {
	f := l.in
	return !f.Inside() && f.Next(l.text)
}

// rank returns how well a part can begin with a line, by its text.
func (l line) rank(text string) int {
	f := Fence{Ticks: l.in.Ticks}
	switch {
	case l.in.open != "" || l.head != "" || l.after == bound || strings.TrimSpace(text) == "" || text[0] == ' ' || text[0] == '\t':
		return worst
	case l.after == blankLine, titled.MatchString(text), f.Next(text):
		return atGap
	case listed.MatchString(text):
		return anItem
	}
	return anyLine
}

// Split cuts Markdown into parts of at most limit UTF-16 units: before headings, between paragraphs and around code
// where it can, else between list items, lines, sentences or words, and not inside a link, a piece of code or a
// character. Code that is cut is closed and opened again, a table's head is repeated, and a piece that
// continues an indented part of a list begins at the margin. Where a part ends does not depend on what follows it, so
// that a growing text keeps its parts. outside is a fence that is not open. A text without words is one part, "".
func Split(text string, limit int, outside Fence) []string {
	if Length(text) <= limit {
		return []string{text}
	}
	rest := lines(text, outside)
	var parts []string
	for len(rest) > 0 {
		var part string
		part, rest = cut(rest, limit)
		if strings.TrimSpace(part) != "" {
			parts = append(parts, part)
		}
	}
	if parts == nil {
		return []string{""}
	}
	return parts
}

// cut takes a part off the front of lines.
func cut(all []line, limit int) (string, []line) {
	lead := all[0].lead(limit)
	sizes := []int{Length(lead)} // of parts of so many lines
	for i, l := range all {
		size := sizes[i] + Length(l.text)
		if i > 0 {
			size++
		}
		if size+l.tail() > limit {
			break
		}
		sizes = append(sizes, size)
	}
	fit := len(sizes) - 1
	if fit == len(all) {
		return lead + join(all), nil
	}
	room := limit - sizes[fit] - 1
	if at := bestCut(all, sizes, limit); at > 0 {
		return lead + join(all[:at]), all[at:]
	}
	if next := all[fit]; fit > 0 && (next.head != "" || next.opens()) {
		return lead + join(all[:fit]), all[fit:]
	}
	return cutLine(all, fit, lead, room)
}

// bestCut returns how many lines the part is best cut after that has room for some, 0 if it would be too short.
func bestCut(all []line, sizes []int, limit int) int {
	fit := len(sizes) - 1
	best, rank := 0, -1
	for i := fit; i > 0 && sizes[i] > limit/4; i-- {
		text := all[i].text
		if i == fit {
			text = Prefix(text, limit-sizes[i])
		}
		r := all[i].rank(text)
		if r > rank && (r == atGap || i == fit || sizes[i] > limit/2) {
			best, rank = i, r
		}
	}
	return best
}

// lead is what a part repeats that begins with this line. What takes too much room
// is not repeated.
func (l line) lead(limit int) string {
	lead := l.head
	if l.in.open != "" {
		lead = l.in.open + "\n"
	}
	if Length(lead) > limit/3 {
		if l.in.open == "" {
			return ""
		}
		return l.in.close() + "\n"
	}
	return lead
}

func (l line) tail() int {
	f := l.in
	f.Next(l.text)
	if f.open == "" {
		return 0
	}
	return Length(f.close()) + 1
}

// join is lines as one text that closes its last fence and begins at the margin.
func join(all []line) string {
	indent := all[0].text[:len(all[0].text)-len(strings.TrimLeft(all[0].text, " \t"))]
	if all[0].in.open != "" || all[0].text == indent {
		indent = ""
	}
	var b strings.Builder
	for i, l := range all {
		t, ok := strings.CutPrefix(l.text, indent)
		if !ok {
			indent = ""
		}
		b.WriteString(t)
		if i < len(all)-1 {
			b.WriteByte('\n')
		}
	}
	f := all[len(all)-1].in
	f.Next(all[len(all)-1].text)
	text := strings.Trim(b.String(), "\n")
	if all[0].in.open != "" {
		text = strings.TrimRight(b.String(), "\n")
	}
	if f.open != "" {
		text += "\n" + f.close()
	}
	return text
}

// cutLine takes a part off n lines, which have room, and one that is too long for the rest of it: after a sentence, at
// a space, or anywhere.
func cutLine(all []line, n int, lead string, room int) (string, []line) {
	l, least := all[n], 3 // a third of three quarters of the limit
	if n == 0 {
		least = 4
		room++ // no line ends before it
	}
	end := len(Prefix(l.text, max(room-l.tail(), 1)))
	_, first := utf8.DecodeRuneInString(l.text)
	head := l.text[:max(breakIn(l.text, end/least, end), first)]
	rest := l
	rest.text = l.text[len(head):]
	if l.in.open == "" {
		rest.text = strings.TrimLeft(rest.text, " ")
	}
	rest.after = noGap
	f := l.in
	f.Next(l.text)
	l.text = head
	if f.open != "" && l.in.open == "" { // the line opens a fence: it is not cut, it is dropped to its marker
		l.text, rest.text = f.close(), ""
	}
	return lead + join(append(all[:n:n], l)), append([]line{rest}, all[n+1:]...)
}

// breakIn returns the best place to cut a line between two bytes of it.
func breakIn(text string, least, end int) int {
	if end == len(text) {
		return end
	}
	kept := whole.FindAllStringIndex(text[:min(len(text), end+maxWhole)], -1)
	inside := func(at int) (from int, in bool) {
		for _, k := range kept {
			if k[0] < at && at < k[1] {
				return k[0], true
			}
		}
		return 0, false
	}
	for _, sep := range []string{". ", "! ", "? ", " "} {
		for at := strings.LastIndex(text[:end], sep); at > least; at = strings.LastIndex(text[:at], sep) {
			if from, in := inside(at + len(sep)); !in {
				return at + len(sep)
			} else if from < at {
				at = from + 1
			}
		}
	}
	if from, in := inside(end); in && from > least {
		return from
	}
	return end
}
