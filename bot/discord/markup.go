package discord

import (
	"regexp"
	"strings"
	"unicode"

	"threadkeeper/bot/platform/kit"
)

// markup turns Markdown into what Discord shows alike: headings down to the third
// level, lists, quotes, fences and links are its own; tables become aligned code,
// pictures links, double underscores bold. Text that would mention, or that
// Discord would expand, is defused.
func markup(markdown string) string {
	var out []string
	var f fence
	lines := strings.Split(plain(markdown), "\n")
	for i := 0; i < len(lines); i++ {
		line := lines[i]
		switch {
		case f.open():
			if f.closedBy(line) {
				f = fence{}
				out = append(out, "```")
			} else {
				out = append(out, f.inside(line))
			}
		case fenceOf(line).open():
			f = fenceOf(line)
			out = append(out, "```"+f.language)
		case i+1 < len(lines) && strings.Contains(line, "|") && kit.Delimiter(lines[i+1]):
			n := i + 2
			for n < len(lines) && strings.Contains(lines[n], "|") {
				n++
			}
			out = append(out, table(lines[i:n])...)
			i = n - 1
		default:
			out = append(out, prose(line))
		}
	}
	if f.open() {
		out = append(out, "```")
	}
	return defuse(strings.Join(out, "\n"))
}

// fence is an open block of code; the zero value means none.
type fence struct {
	mark     string // the run of backticks or tildes
	indent   int
	language string
}

func (f fence) open() bool { return f.mark != "" }

func fenceOf(line string) fence {
	text := strings.TrimLeft(line, " ")
	run := text[:len(text)-len(strings.TrimLeft(text, "`"))]
	if run == "" {
		run = text[:len(text)-len(strings.TrimLeft(text, "~"))]
	}
	info := text[len(run):]
	if len(run) < 3 || strings.Contains(info, "`") {
		return fence{}
	}
	word, _, _ := strings.Cut(strings.TrimSpace(info), " ")
	if len(word) > 20 || strings.ContainsFunc(word, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+-#._", r)
	}) {
		word = ""
	}
	return fence{run, len(line) - len(text), word}
}

func (f fence) closedBy(line string) bool {
	text := strings.TrimSpace(line)
	return len(text) >= len(f.mark) && strings.Trim(text, f.mark[:1]) == ""
}

// inside is a line of the block, without the fence's indent and without what Discord
// would take for the end.
func (f fence) inside(line string) string {
	n := 0
	for n < f.indent && n < len(line) && line[n] == ' ' {
		n++
	}
	return strings.ReplaceAll(line[n:], "```", noFence)
}

// noFence is three backticks that open and close nothing.
const noFence = "`\u200b`\u200b`"

var (
	heading   = regexp.MustCompile(`^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$`)
	quoting   = regexp.MustCompile(`^ {0,3}(> ?)+`)
	task      = regexp.MustCompile(`^(\s*)[-*+] \[([ xX])\] `)
	picture   = regexp.MustCompile(`!(\[[^\]\n]*\]\()`)
	strong    = regexp.MustCompile(`(^|[^\w])__([^\s_](?:[^_\n]*[^\s_])?)__($|[^\w])`)
	oneLine   = regexp.MustCompile("```+([^`\n]+)```+")
	lineBreak = regexp.MustCompile(`(?i)<br\s*/?>`)
	inCode    = regexp.MustCompile("`+[^`\n]+`+")
	// kept matches unchanged parts: inline code, and addresses.
	kept = regexp.MustCompile("`+[^`\n]+`+|https?://[^\\s<>()]+")
)

// honest is a line whose links go where they say. Code is left alone.
func honest(line string) string {
	var b strings.Builder
	from := 0
	for _, at := range inCode.FindAllStringIndex(line, -1) {
		b.WriteString(kit.HonestLinks(line[from:at[0]]) + line[at[0]:at[1]])
		from = at[1]
	}
	return b.String() + kit.HonestLinks(line[from:])
}

// prose is one line outside of code.
func prose(line string) string {
	line = honest(line)
	line = strings.ReplaceAll(oneLine.ReplaceAllString(line, "`$1`"), "```", noFence)
	if rule := strings.ReplaceAll(line, " ", ""); len(rule) >= 3 && len(line) < 100 &&
		(strings.Trim(rule, "-") == "" || strings.Trim(rule, "*") == "" || strings.Trim(rule, "_") == "") {
		return "⎯⎯⎯⎯⎯⎯⎯⎯"
	}
	if h := heading.FindStringSubmatch(line); h != nil {
		if len(h[1]) > 3 {
			return "**" + inline(strings.ReplaceAll(h[2], "**", "")) + "**"
		}
		return h[1] + " " + inline(h[2])
	}
	if q := quoting.FindString(line); q != "" {
		return "> " + prose(line[len(q):])
	}
	line = task.ReplaceAllStringFunc(line, func(s string) string {
		if strings.Contains(s, "[ ]") {
			return strings.Replace(s, "[ ]", "☐", 1)
		}
		return strings.NewReplacer("[x]", "☑", "[X]", "☑").Replace(s)
	})
	return inline(line)
}

func inline(s string) string {
	var b strings.Builder
	from := 0
	for _, at := range kept.FindAllStringIndex(s, -1) {
		b.WriteString(styled(s[from:at[0]]))
		b.WriteString(s[at[0]:at[1]])
		from = at[1]
	}
	b.WriteString(styled(s[from:]))
	return b.String()
}

func styled(s string) string {
	s = picture.ReplaceAllString(s, "$1")
	s = strong.ReplaceAllString(s, "$1**$2**$3")
	s = lineBreak.ReplaceAllString(s, "\n")
	return strings.ReplaceAll(s, "||", `\|\|`) // no spoiler
}

// plain is text with nothing in it that is not to be seen.
func plain(s string) string { return kit.Clean(strings.ReplaceAll(s, "\r\n", "\n")) }

// tag is how a mention, a custom emoji, a time, a command or a guild page begins, or
// a word that calls everybody
// (https://discord.com/developers/docs/reference#message-formatting).
var tag = regexp.MustCompile(`(?i)<(?:@|#|a?:\w+:\d|t:-?\d|/[^<>\n]{1,100}:\d|id:)|@(?:everyone|here)`)

// defuse makes tags text: a zero-width space follows their first character.
func defuse(s string) string {
	return tag.ReplaceAllStringFunc(s, func(t string) string { return t[:1] + "\u200b" + t[1:] })
}

// literal is foreign text within a line of ours: a file's name, a quote. It has no
// styles, links or tags, one line, and at most n runes.
func literal(s string, n int) string {
	s = strings.Join(strings.Fields(plain(s)), " ")
	if runes := []rune(s); len(runes) > n {
		s = string(runes[:n-1]) + "…"
	}
	var b strings.Builder
	for _, r := range s {
		if strings.ContainsRune("\\*_~`|[]()<>#", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		if r == '<' {
			b.WriteRune('\u200b')
		}
	}
	return defuse(strings.ReplaceAll(b.String(), "://", ":\u200b//"))
}
