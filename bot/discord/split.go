package discord

import (
	"regexp"
	"strings"
	"unicode/utf8"

	"threadkeeper/bot/platform/kit"
)

// maxContent is how long a message of ours is at most, in UTF-16 units. Discord
// allows 2,000 characters.
const maxContent = 1900

// split cuts rendered text into messages of at most limit units, 1 at least. It
// cuts between paragraphs, lines, sentences or words, never inside a link, a piece
// of code or a character, and closes and re-opens a block of code. What it cuts
// first does not depend on what follows, so that a growing text keeps its messages.
func split(text string, limit int) []string {
	var parts []string
	open := "" // the fence that continues, with its language
	rest := strings.Trim(text, "\n")
	for kit.Length(open)+kit.Length(rest) > limit {
		room := limit - kit.Length(open) - len("\n```")
		at := offFence(rest, cut(rest, open != "", room))
		piece, fence := rest[:at], fenceAfter(open, rest[:at])
		rest = rest[at:]
		if fence == "" || strings.HasSuffix(piece, "\n") {
			piece, rest = strings.TrimRight(piece, "\n"), strings.TrimPrefix(rest, "\n")
		}
		piece = open + piece
		if fence != "" {
			piece += "\n```"
			if line, after, _ := strings.Cut(rest, "\n"); line == "```" { // it ended here anyway
				rest, fence = after, ""
			}
		}
		if fence == "" {
			rest = strings.TrimLeft(rest, "\n")
		}
		if open = fence; open != "" {
			open += "\n"
		}
		if strings.TrimSpace(piece) != "" {
			parts = append(parts, piece)
		}
	}
	if strings.TrimSpace(open+rest) != "" || len(parts) == 0 {
		parts = append(parts, open+rest)
	}
	return parts
}

// fenceAfter is the fence that is open after piece where open was before it, as
// "```go".
func fenceAfter(open, piece string) string {
	open = strings.TrimSuffix(open, "\n")
	for line := range strings.Lines(piece) {
		line = strings.TrimRight(line, "\n")
		switch {
		case !strings.HasPrefix(line, "```"):
		case open == "":
			open = line
		default:
			open = ""
		}
	}
	return open
}

// cut is where the first message of text ends, that has room for so many units.
func cut(text string, code bool, room int) int {
	end := room16(text, room)
	head := text[:end]
	if at, ok := lastBreak(text, end, code); ok {
		return at
	}
	if at := strings.LastIndexByte(head, '\n'); at > end/4 && !onlyFence(head[:at]) {
		return at + 1
	}
	for _, sep := range []string{". ", "! ", "? ", " "} {
		for at := strings.LastIndex(head, sep); at > end/4; at = strings.LastIndex(head[:at], sep) {
			if from, in := spanAt(text, at+len(sep)); !in {
				return at + len(sep)
			} else if from < at {
				at = from + 1
			}
		}
	}
	if from, in := spanAt(text, end); in && from > end/4 {
		return from
	}
	return max(end, firstRune(text))
}

// offFence moves a cut that would be in a line of backticks before that line, or
// after it if it is the first.
func offFence(text string, at int) int {
	begin := strings.LastIndexByte(text[:at], '\n') + 1
	if begin == at || !strings.HasPrefix(text[begin:], "```") {
		return at
	}
	if begin > 0 {
		return begin
	}
	if end := strings.IndexByte(text, '\n'); end >= 0 {
		return end + 1
	}
	return len(text)
}

// onlyFence reports whether a piece is nothing but the line that opens a block.
func onlyFence(piece string) bool {
	return strings.HasPrefix(piece, "```") && !strings.Contains(piece, "\n")
}

// firstRune is the length of the first character of text.
func firstRune(text string) int {
	_, n := utf8.DecodeRuneInString(text)
	return n
}

// room16 is the byte after as many whole characters of text as units allow. A
// character that joins to the one before stays with it, if there are not too many.
func room16(text string, units int) int {
	n, end := 0, len(text)
	for i, r := range text {
		n++
		if r > 0xffff {
			n++
		}
		if n > units {
			end = i
			break
		}
	}
	back := end
	for tries := 0; tries < 16 && back > 0 && back < len(text); tries++ {
		next, _ := utf8.DecodeRuneInString(text[back:])
		last, size := utf8.DecodeLastRuneInString(text[:back])
		if !joins(next) && last != 0x200d {
			return back
		}
		back -= size
	}
	return end
}

// joins reports whether a character is shown as part of the one before it.
func joins(r rune) bool {
	return r == 0x200d || r >= 0x0300 && r <= 0x036f || r >= 0xfe00 && r <= 0xfe0f || r >= 0x1f3fb && r <= 0x1f3ff || r >= 0xe0020 && r <= 0xe007f
}

// titled matches a line of rendered text that is a heading.
var titled = regexp.MustCompile(`^(#{1,3} .*|\*\*[^*]+\*\*:?)\s*$`)

// lastBreak is the last good end in text[:end], if it is not too near the start: a
// blank line, or before or after a block of code, and never behind a heading.
func lastBreak(text string, end int, code bool) (int, bool) {
	best, at := 0, 0
	heading := -1 // where one begins that nothing has followed yet
	before := func(at int) int {
		if heading >= 0 {
			return heading
		}
		return at
	}
	for line := range strings.Lines(text[:end]) {
		next := at + len(line)
		blank := strings.TrimSpace(line) == ""
		switch {
		case strings.HasPrefix(line, "```"):
			if !code && at > 0 {
				best = before(at)
			}
			code = !code
			if !code && strings.HasSuffix(line, "\n") {
				best = next
			}
		case !code && blank && strings.HasSuffix(line, "\n"):
			best = before(next)
		}
		switch {
		case !code && titled.MatchString(line):
			heading = before(at)
		case !blank:
			heading = -1
		}
		at = next
	}
	return best, best > end/4
}

// spanAt is where the link, tag or code begins that would be cut at byte at, if any.
func spanAt(text string, at int) (from int, in bool) {
	begin := strings.LastIndexByte(text[:at], '\n') + 1
	end := len(text)
	if i := strings.IndexByte(text[at:], '\n'); i >= 0 {
		end = at + i
	}
	for _, s := range whole.FindAllStringIndex(text[begin:end], -1) {
		if begin+s[0] < at && at < begin+s[1] {
			return begin + s[0], true
		}
	}
	return 0, false
}
