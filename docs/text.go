package docs

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	utf "golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"
	"golang.org/x/text/unicode/norm"

	"threadkeeper/memory/reading"
)

// decode turns the bytes of a text file into UTF-8: by their byte order mark, else as UTF-8, else as Windows-1252, which
// holds Latin-1. Escape sequences are taken out. It is false for bytes that are no text.
func decode(data []byte) (string, bool) {
	unmarked := encoding.Nop.NewDecoder().Transformer
	if !utf8.Valid(data) {
		unmarked = charmap.Windows1252.NewDecoder()
	}
	data, _, err := transform.Bytes(utf.BOMOverride(unmarked), data)
	if err != nil {
		return "", false
	}
	text := escapes.ReplaceAllString(string(data), "")
	if binary([]byte(text[:min(len(text), sample)])) {
		return "", false
	}
	return text, true
}

// escapes matches the sequences for a terminal that a log or a recorded session has (ECMA-48): colours and movements, a title or an
// address up to its end, the choice of a character set.
var escapes = reading.Lazy(`\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)|[ -/]+[0-~])`)

// sample is how many bytes of a file are examined to determine its kind.
const sample = 4096

// binary reports more control characters than stray ones, or a zero byte: of compressed data they are a tenth.
func binary(data []byte) bool {
	data = data[:min(len(data), sample)]
	stray := 0
	for _, b := range data {
		if b < ' ' && !strings.ContainsRune("\t\n\v\f\r\x1b", rune(b)) {
			stray++
		}
	}
	return stray > 2+len(data)/50 || bytes.IndexByte(data, 0) >= 0
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
