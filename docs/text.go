package docs

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode/utf32"
	"golang.org/x/text/unicode/norm"

	"threadkeeper/memory/reading"

	utf "golang.org/x/text/encoding/unicode"
)

// decode turns the bytes of a text file into UTF-8: by their byte order mark, else as UTF-16 if
// every second byte is mostly zero, else as UTF-8, else as Windows-1252, which holds Latin-1. It is
// false for bytes that are no text.
func decode(data []byte) (string, bool) {
	switch {
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE, 0, 0}), bytes.HasPrefix(data, []byte{0, 0, 0xFE, 0xFF}):
		text, err := utf32.UTF32(utf32.BigEndian, utf32.ExpectBOM).NewDecoder().Bytes(data)
		return string(text), err == nil
	case bytes.HasPrefix(data, []byte{0xFF, 0xFE}), bytes.HasPrefix(data, []byte{0xFE, 0xFF}):
		return utf16(data, utf.BigEndian, utf.ExpectBOM)
	}
	if order, ok := zeros(data); ok {
		return utf16(data, order, utf.IgnoreBOM)
	}
	if binary(data) {
		return "", false
	}
	if utf8.Valid(data) {
		return string(bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))), true
	}
	text, err := charmap.Windows1252.NewDecoder().Bytes(data)
	return string(text), err == nil
}

func utf16(data []byte, order utf.Endianness, mark utf.BOMPolicy) (string, bool) {
	text, err := utf.UTF16(order, mark).NewDecoder().Bytes(data[:len(data)&^1])
	return string(text), err == nil && !binary(text)
}

// sample is how many bytes of a file are examined to determine its kind.
const sample = 4096

// binary reports control characters that no text has.
func binary(data []byte) bool {
	data = data[:min(len(data), sample)]
	return bytes.ContainsFunc(data, func(r rune) bool {
		return r < ' ' && !strings.ContainsRune("\t\n\v\f\r\x1b", r)
	})
}

// zeros reports which byte of each pair is zero in at least half of the pairs, as in UTF-16 of a
// European language, the other one hardly ever being so.
func zeros(data []byte) (utf.Endianness, bool) {
	var count [2]int
	data = data[:min(len(data), sample)]
	for i, c := range data {
		if c == 0 {
			count[i%2]++
		}
	}
	pairs := len(data) / 2
	if count[0] > pairs/2 && count[1] <= pairs/50 {
		return utf.BigEndian, true
	}
	return utf.LittleEndian, count[1] > pairs/2 && count[0] <= pairs/50
}

// clean gives extracted text the form it is stored in: composed Unicode, lines that end in \n and
// not in spaces, nothing that cannot be seen (see reading.Visible).
func clean(text string) string {
	text = reading.Visible(lineEnds.Replace(strings.ToValidUTF8(text, "\uFFFD")))
	lines := strings.Split(norm.NFC.String(text), "\n")
	for i := range lines {
		lines[i] = strings.TrimRightFunc(lines[i], unicode.IsSpace)
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n")
}

var lineEnds = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\v", "\n", "\f", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029", "\n")
