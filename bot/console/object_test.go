package console

import (
	"strings"
	"testing"

	"threadkeeper/bot/platform"
)

func TestPlainKeepsTheTerminalSafe(t *testing.T) {
	if got := plain("a\x1b[2Jb\x07\r\u009b31m\nc\td é 漢"); got != "a[2Jb31m\nc\td é 漢" {
		t.Errorf("got %q", got)
	}
}

// TestObjectIsReadable: nothing but JSON's own characters is escaped, in one line.
func TestObjectIsReadable(t *testing.T) {
	b, err := object("r:1", 1, platform.Outgoing{Kind: platform.KindReply, Text: "a < b & c > \"d\"\n\u2028"}, nil, 10).encode()
	if err != nil || !strings.Contains(string(b), `"text":"a < b & c > \"d\"\n`) || strings.Count(string(b), "\n") != 1 {
		t.Errorf("got %s, %v", b, err)
	}
}
