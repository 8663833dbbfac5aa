package console

import (
	"os"
	"regexp"
	"slices"
	"time"

	"github.com/charmbracelet/x/ansi"
)

// typedAhead is what the terminal sends while no line is edited. It is not echoed, for it would stand in the middle of an
// answer, and each line of it waits for a prompt of its own.
type typedAhead struct {
	keys   []byte
	colour func(report string) // is told what the terminal reports of its background
}

// reportOf finds a terminal's answer to ansi.RequestBackgroundColor.
var reportOf = regexp.MustCompile(`\x1b\]11;([^\x07\x1b]*)(?:\x07|\x1b\\)`)

// collect takes what has arrived, and waits for it.
func (t *typedAhead) collect(wait time.Duration) {
	t.keys = append(t.keys, arrived(os.Stdin, wait)...)
	t.keys = reportOf.ReplaceAllFunc(t.keys, func(report []byte) []byte {
		t.colour(string(reportOf.FindSubmatch(report)[1]))
		return nil
	})
}

// line takes the first line with its end; what has no end yet is taken too.
func (t *typedAhead) line() []byte {
	end := len(t.keys)
	for i, key := range t.keys {
		if (key == '\r' || key == '\n') && (i == 0 || t.keys[i-1] != '\\') {
			end = i + 1
			break
		}
	}
	line := slices.Clone(t.keys[:end])
	t.keys = t.keys[end:]
	return line
}

// backgroundOf is a background whose colour a terminal reports ("rgb:ffff/ffff/ffff").
func backgroundOf(report string) background {
	c := ansi.XParseColor(report)
	if c == nil {
		return anyBackground
	}
	if r, g, b, _ := c.RGBA(); 299*r+587*g+114*b > 1000*0x7fff {
		return lightBackground
	}
	return darkBackground
}
