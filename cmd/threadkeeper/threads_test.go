package main

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestThreads lists those of the terminal, the latest first, and says so when there are none.
func TestThreads(t *testing.T) {
	dir := t.TempDir()
	runs := func(stdin, line string) (string, int) {
		var out bytes.Buffer
		code := run(t.Context(), strings.Fields(line), system{In: strings.NewReader(stdin), Out: &out, Err: io.Discard, Dir: dir, Environ: []string{"HOME=" + dir, "DATABASE_URL=test.db"}})
		return out.String(), code
	}
	for _, c := range []struct {
		stdin, line string
		code        int
		want        []string // in this order
	}{
		{"/help\n", "chat", exitOK, nil},
		{"", "threads", exitOK, []string{"There are no threads yet."}},
		{"", "threads --last 0", exitUsage, nil},
		{"We meet at nine.\n", "chat --thread kitchen", exitOK, nil},
		{"The gate is green.\n", "chat --thread garden", exitOK, nil},
		{"", "threads", exitOK, []string{"garden", "20", "The gate is green", "kitchen", "We meet at nine"}},
		{"", "threads --last 1", exitOK, []string{"garden", "There are more: threadkeeper threads --last 2\n"}},
	} {
		out, code := runs(c.stdin, c.line)
		if code != c.code {
			t.Errorf("%s: %d %s", c.line, code, out)
		}
		rest, ok := out, true
		for _, want := range c.want {
			if _, rest, ok = strings.Cut(rest, want); !ok {
				t.Errorf("%s: no %q in its place in\n%s", c.line, want, out)
			}
		}
	}
}
