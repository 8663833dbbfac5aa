package docs

import (
	"fmt"
	"strings"
	"testing"
)

func TestTotalsStayWithTheirRows(t *testing.T) {
	for n := 10; n < 60; n++ { // the passage ends somewhere near the total
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "Revenue of station %d 1,%03d 2,%03d\n", i, i, i)
		}
		b.WriteString("Total revenue 48,310 51,207\n$ 48,310 $ 51,207\nThe notes are part of this statement.\n")
		text := b.String()
		spans := passages(text)
		for i, s := range spans {
			if passage := text[s.start:s.end]; i > 0 && (strings.HasPrefix(passage, "Total") || strings.HasPrefix(passage, "$")) {
				t.Errorf("%d rows: a passage begins with %q", n, passage)
			}
		}
		for i := 1; i < len(spans); i++ {
			if strings.TrimSpace(text[spans[i-1].end:spans[i].start]) != "" {
				t.Errorf("%d rows: text is lost between passages", n)
			}
		}
	}
}
