package pdfium

import (
	"encoding/binary"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/tetratelabs/wazero/api"
)

// maxPageChars holds for a page whatever the limits say; the longest page of a real document
// seen has about 40,000.
const maxPageChars = 4_000_000

// visibleText is the text inside the page's visible box. The engine's unbounded text also has
// what lies outside it: one long content shown through several page boxes would give each page
// the text of all, and citations the wrong page.
func (p *openPage) visibleText(maxChars int) (text string, truncated bool) {
	in := p.in
	if p.turned() {
		return p.turnedText(maxChars)
	}
	box := []uint64{p.text, api.EncodeF64(p.box.Left), api.EncodeF64(p.box.Top), api.EncodeF64(p.box.Right), api.EncodeF64(p.box.Bottom)}
	units := int(int32(in.call("FPDFText_GetBoundedText", append(box, 0, 0)...)))
	if units <= 0 {
		return "", false
	}
	want := min(units, 2*maxChars+2) // a character is one or two units; one more tells that there is more
	buffer := in.alloc(uint32(want+1) * 2)
	got := int(int32(in.call("FPDFText_GetBoundedText", append(box, uint64(buffer), uint64(want))...)))
	text, truncated = cut(cleanUTF16(in.view(buffer, uint32(max(0, min(got, want)))*2)), maxChars)
	in.free(buffer)
	return text, truncated || (want < units && text != "")
}

// The engine joins a word that is divided at a line's end and leaves a mark in the place of hyphen
// and line break; both are put back, because only the reader of the text can tell
// "main-tenance" from "twenty-five".
const (
	lineHyphen    = "\x02"
	lineHyphenOld = "\ufffe"
	softHyphen    = 0x00ad
)

var lineEnds = strings.NewReplacer(
	lineHyphen+"\r\n", "-\n", lineHyphenOld+"\r\n", "-\n", lineHyphen, "-\n", lineHyphenOld, "-\n")

// cleanUTF16 decodes the engine's little-endian UTF-16.
func cleanUTF16(b []byte) string {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = binary.LittleEndian.Uint16(b[2*i:])
	}
	return clean(lineEnds.Replace(string(utf16.Decode(units))))
}

// clean gives text the form that Page promises: valid UTF-8, soft hyphens as '-', no
// control characters but newline and tab (a page must not be able to move a terminal's cursor).
func clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == softHyphen:
			return '-'
		case r == '\n' || r == '\t':
			return r
		case unicode.IsControl(r) || r == 0xfffe || r == 0xffff:
			return -1
		}
		return r
	}, text)
}

// cut shortens text to at most n characters.
func cut(text string, n int) (string, bool) {
	if len(text) <= n || utf8.RuneCountInString(text) <= n {
		return text, false
	}
	for i := range text {
		if n == 0 {
			return text[:i], true
		}
		n--
	}
	return text, false
}

// joinSurrogates makes characters of UTF-16 units that come one by one. high is the first half
// of a pair if that was the last unit; r is 0 until a character is complete.
func joinSurrogates(high, unit rune) (r, newHigh rune) {
	switch {
	case !utf16.IsSurrogate(unit):
		return unit, 0
	case high == 0:
		return 0, unit
	}
	return utf16.DecodeRune(high, unit), 0
}
