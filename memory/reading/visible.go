package reading

import (
	"strings"
	"unicode"
)

// Visible returns text without characters its reader cannot see: control characters except line feeds and tabs, characters
// without a glyph, those that change the writing direction, private ones. They can carry messages to a model, or out of
// it, unseen by the reader. Joiners that shape Arabic, Indic scripts and emoji stay after such a character, and so do
// single variation selectors after a symbol.
func Visible(text string) string {
	if Plain(text) {
		return text
	}
	last := ' '
	return strings.Map(func(r rune) rune {
		if hidden(r, last) {
			return -1
		}
		last = r
		return r
	}, text)
}

// Plain reports whether a text has nothing but printable ASCII, line feeds and tabs.
func Plain(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !plain(r) })
}

func plain(r rune) bool { return r >= ' ' && r < 0x7F || r == '\n' || r == '\t' }

func hidden(r, last rune) bool {
	switch {
	case plain(r):
		return false
	case r == '\u200C' || r == '\u200D':
		return !joins(last)
	case r >= 0xFE00 && r <= 0xFE0F:
		return !varies(r, last)
	}
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Co, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point) &&
		!unicode.Is(unicode.Prepended_Concatenation_Mark, r)
}

// joins reports whether a joiner may follow: it may in scripts whose letters join, and in emoji.
func joins(last rune) bool {
	const firstJoined = 0x0590 // Hebrew; the scripts before it do not join
	return last >= firstJoined && last != '\u200C' && last != '\u200D' &&
		!unicode.In(last, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.P, unicode.Z)
}

// varies reports whether a variation selector may follow: letters of alphabets have no variants, and of the others
// only the last selector is in use.
func varies(r, last rune) bool {
	if last < 0x1000 {
		return r == 0xFE0F && strings.ContainsRune("0123456789#*©®", last)
	}
	return last < 0xFE00 || last > 0xFE0F
}

// Unlinked returns visible Markdown of others in which an address is seen as what it is: what would make it a link under other
// words, a picture or a reference is parted.
func Unlinked(text string) string { return linking.ReplaceAllString(Visible(text), "] $1") }

var linking = Lazy(`\](\(|\[|:)`)
