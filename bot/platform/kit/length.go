package kit

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Length returns the length of a text in UTF-16 units. No chat service counts more than that.
func Length(text string) int {
	n := 0
	for _, r := range text {
		n += utf16.RuneLen(r)
	}
	return n
}

// Prefix returns the longest beginning of a text with at most units UTF-16 units, in whole characters. A character that
// joins to the one before stays with it, if there are not too many.
func Prefix(text string, units int) string {
	end := len(text)
	for i, r := range text {
		if units -= utf16.RuneLen(r); units < 0 {
			end = i
			break
		}
	}
	back := end
	for tries := 0; tries < 16 && back > 0 && back < len(text); tries++ {
		next, _ := utf8.DecodeRuneInString(text[back:])
		last, size := utf8.DecodeLastRuneInString(text[:back])
		if !joins(next) && last != 0x200d {
			return text[:back]
		}
		back -= size
	}
	return text[:end]
}

func joins(r rune) bool {
	return r == 0x200d || r >= 0x0300 && r <= 0x036f || r >= 0xfe00 && r <= 0xfe0f || r >= 0x1f3fb && r <= 0x1f3ff || r >= 0xe0020 && r <= 0xe007f
}

// Shorten returns a text of at most units UTF-16 units. If it was cut, it ends with a sign that there was more.
func Shorten(text string, units int) string {
	if Length(text) <= units {
		return text
	}
	head := Prefix(text, units-1)
	if at := strings.LastIndexByte(head, ' '); at > len(head)*3/4 {
		head = head[:at]
	}
	return strings.TrimRight(head, " ") + "…"
}

// Clean returns a text without what is not to be seen: control characters other than a line's end and a tab, those that turn
// the direction of writing, and what is no character.
func Clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t':
			return r
		case unicode.IsControl(r), r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, r == unicode.ReplacementChar:
			return -1
		}
		return r
	}, text)
}
