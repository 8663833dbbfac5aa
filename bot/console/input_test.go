package console

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestLines(t *testing.T) {
	long := strings.Repeat("x", maxText)
	in := "\ufefffirst\r\n\n  third \n" + long + "\n" + long + "y\r\nlast without end"
	want := []inputLine{{1, "first", false}, {2, "", false}, {3, "  third ", false}, {4, long, false}, {5, "", true}, {6, "last without end", false}}
	l := newLineReader(strings.NewReader(in))
	for _, w := range want {
		got, err := l.next()
		if err != nil || got != w {
			t.Fatalf("line %d: got %d, %.40q, %v, %v", w.Number, got.Number, got.Text, got.TooLong, err)
		}
	}
	if _, err := l.next(); !errors.Is(err, io.EOF) {
		t.Errorf("after the last line: %v", err)
	}
	if _, err := newLineReader(strings.NewReader("")).next(); !errors.Is(err, io.EOF) {
		t.Errorf("empty input: %v", err)
	}
}
