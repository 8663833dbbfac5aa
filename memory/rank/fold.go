package rank

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Fold returns s in the form in which two spellings of the same text are equal: Unicode
// compatibility form, lower case, without diacritics or invisible characters, decimal digits
// as 0–9, quotation marks as ' or ", dashes as -, and runs of white space as one space, none
// at either end. Marks that make another letter rather than an accent (the voicing of kana,
// й, Indic and Thai vowels) stay.
func Fold(s string) string {
	if isASCII(s) {
		return foldASCII(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	space, last, marks := false, rune(0), false
	for _, r := range norm.NFKD.String(s) {
		if unicode.IsSpace(r) {
			space = true
			continue
		}
		if r >= utf8.RuneSelf {
			if dropped(r, last) {
				continue
			}
			marks = true
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		last = unicode.ToLower(r)
		if last < utf8.RuneSelf && last != '`' {
			b.WriteByte(byte(last))
		} else {
			writeFolded(&b, last)
		}
	}
	if marks {
		return norm.NFC.String(b.String())
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func foldASCII(s string) string {
	b := make([]byte, 0, len(s))
	space := false
	for i := range len(s) {
		c := s[i]
		switch {
		case c == ' ' || c >= '\t' && c <= '\r':
			space = true
			continue
		case c >= 'A' && c <= 'Z':
			c += 'a' - 'A'
		case c == '`':
			c = '\''
		}
		if space && len(b) > 0 {
			b = append(b, ' ')
		}
		space = false
		b = append(b, c)
	}
	return string(b)
}

// dropped reports whether r carries no letter of its own: an accent, a Hebrew or Arabic
// vowel point, or an invisible format character. The breve of й follows the letter и and is
// kept.
func dropped(r, last rune) bool {
	switch {
	case r >= 0x0300 && r <= 0x036F:
		return r != 0x0306 || last != 'и'
	case r >= 0x0591 && r <= 0x05C7, r >= 0x064B && r <= 0x065F, r == 0x0670,
		r >= 0x1AB0 && r <= 0x1AFF, r >= 0x1DC0 && r <= 0x1DFF, r >= 0x20D0 && r <= 0x20FF,
		r >= 0xFE00 && r <= 0xFE0F:
		return true
	}
	return unicode.Is(unicode.Cf, r)
}

// writeFolded writes a lower-case rune outside ASCII, or a grave accent, in its plain form.
func writeFolded(b *strings.Builder, r rune) {
	switch r {
	case '‘', '’', '‚', '‛', '′', 'ʼ', '´', '`':
		b.WriteByte('\'')
	case '“', '”', '„', '‟', '″', '«', '»', '「', '」', '『', '』':
		b.WriteByte('"')
	case '‐', '‑', '‒', '–', '—', '―', '−', '⁃':
		b.WriteByte('-')
	case '٫': // Arabic decimal and thousands separators
		b.WriteByte('.')
	case '٬':
		b.WriteByte(',')
	case 'ß':
		b.WriteString("ss")
	case 'æ':
		b.WriteString("ae")
	case 'œ':
		b.WriteString("oe")
	case 'ø':
		b.WriteByte('o')
	case 'ł':
		b.WriteByte('l')
	case 'đ', 'ð':
		b.WriteByte('d')
	case 'þ':
		b.WriteString("th")
	case 'ı':
		b.WriteByte('i')
	case 'ς':
		b.WriteRune('σ')
	default:
		if unicode.Is(unicode.Nd, r) {
			b.WriteByte(digit(r))
			return
		}
		b.WriteRune(r)
	}
}

// digit returns the ASCII digit of a decimal digit of any script. Unicode lays each script's
// ten digits out in one run that starts with zero.
func digit(r rune) byte {
	for _, t := range unicode.Nd.R16 {
		if r <= rune(t.Hi) {
			return '0' + byte((r-rune(t.Lo))%10)
		}
	}
	for _, t := range unicode.Nd.R32 {
		if r <= rune(t.Hi) {
			return '0' + byte((r-rune(t.Lo))%10)
		}
	}
	return '0' // unreachable: r is in Nd
}
