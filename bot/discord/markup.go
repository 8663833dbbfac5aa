package discord

import (
	"strings"
	"unicode"

	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory/reading"
)

// markup turns Markdown into what Discord shows alike: headings down to the third
// level, lists, quotes, fences and links are its own; tables become aligned code,
// pictures links, double underscores bold. Text that would mention, or that
// Discord would expand, is defused.
func markup(markdown string) string {
	var out []string
	var f kit.Fence
	indent := 0 // of the fence
	lines := strings.Split(plain(markdown), "\n")
	for i := 0; i < len(lines); i++ {
		line, inside := lines[i], f.Inside()
		switch edge := f.Next(line); {
		case edge && inside:
			out = append(out, "```")
		case edge:
			indent = len(line) - len(strings.TrimLeft(line, " "))
			out = append(out, "```"+language(line))
		case inside: // without the indent of its fence, and what Discord would take for the end
			spaces := len(line) - len(strings.TrimLeft(line, " "))
			out = append(out, strings.ReplaceAll(line[min(spaces, indent):], "```", noFence))
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
	if f.Inside() {
		out = append(out, "```")
	}
	return defuse(strings.Join(out, "\n"))
}

// language is what a fence says of its code, "" if that is no name of a language.
func language(line string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(strings.TrimLeft(line, " \t`~")), " ")
	if len(word) > 20 || strings.ContainsFunc(word, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("+-#._", r)
	}) {
		return ""
	}
	return word
}

// noFence is three backticks that open and close nothing.
const noFence = "`\u200b`\u200b`"

var (
	heading   = reading.Lazy(`^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$`)
	quoting   = reading.Lazy(`^ {0,3}(> ?)+`)
	task      = reading.Lazy(`^(\s*)[-*+] \[([ xX])\] `)
	picture   = reading.Lazy(`!(\[[^\]\n]*\]\()`)
	strong    = reading.Lazy(`(^|[^\w])__([^\s_](?:[^_\n]*[^\s_])?)__($|[^\w])`)
	oneLine   = reading.Lazy("```+([^`\n]+)```+")
	lineBreak = reading.Lazy(`(?i)<br\s*/?>`)
	inCode    = reading.Lazy("`+[^`\n]+`+")
	// kept matches unchanged parts: inline code, and addresses.
	kept = reading.Lazy("`+[^`\n]+`+|https?://[^\\s<>()]+")
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
var tag = reading.Lazy(`(?i)<(?:@|#|a?:\w+:\d|t:-?\d|/[^<>\n]{1,100}:\d|id:)|@(?:everyone|here)`)

// defuse makes tags text: a zero-width space follows their first character.
func defuse(s string) string {
	return tag.ReplaceAllStringFunc(s, func(t string) string { return t[:1] + "\u200b" + t[1:] })
}

// literal is foreign text within a line of ours: a file's name, a quote. It has no
// styles, links or tags, one line, and at most n runes.
func literal(s string, n int) string {
	var b strings.Builder
	for _, r := range reading.Shorten(reading.CollapseSpace(plain(s)), n) {
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
