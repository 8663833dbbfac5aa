package console

import (
	"bytes"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// TestAnAnswerIsPrintedWhileItGrows, once, with its sources at its end; what is waited for is gone by then.
func TestAnAnswerIsPrintedWhileItGrows(t *testing.T) {
	cited := []memory.Citation{{N: 1, Document: "report.pdf", Page: 6, Quote: "costs €41,900"}}
	for name, test := range map[string]struct {
		parts []string
		final string
		want  string
	}{
		"as it grew":  {[]string{"It costs ", "€41,900 [1].\n\n", "Not more.\n"}, "It costs €41,900 [1].\n\nNot more.", "It costs €41,900 [1].\n\nNot more.\n\n"},
		"longer":      {[]string{"It costs"}, "It costs €41,900 [1].", "It costs €41,900 [1].\n\n"},
		"another one": {[]string{"It costs nothing."}, "It costs €41,900 [1].", "It costs nothing.\n\nIt costs €41,900 [1].\n\n"},
		"at once":     {nil, "It costs €41,900 [1].", "It costs €41,900 [1].\n\n"},
	} {
		var out, errs bytes.Buffer
		s := &Pipe{ID: "r", Question: "What does it cost?", Waiting: true, Out: &out, Err: &errs}
		to := platform.Address{Event: "r:1"}
		if err := s.Status(t.Context(), to, "Rate limited, trying again in 20 s"); err != nil {
			t.Fatal(err)
		}
		stream, err := s.Stream(t.Context(), to, "n")
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range test.parts {
			if err := stream.Append(t.Context(), part); err != nil {
				t.Fatal(err)
			}
		}
		grown := out.String()
		if err := s.print(t.Context(), "r:1", 1, platform.Outgoing{Text: test.final, Citations: cited}); err != nil {
			t.Fatal(err)
		}
		if want := test.want + "[1] report.pdf, page 6: \"costs €41,900\"\n"; out.String() != want || !strings.HasPrefix(want, grown) || len(test.parts) > 0 && grown == "" {
			t.Errorf("%s: first %q, then %q", name, grown, out.String())
		}
		if !strings.HasPrefix(errs.String(), "Rate limited, trying again in 20 s") || !strings.HasSuffix(errs.String(), "\r\x1b[K") {
			t.Errorf("%s: waiting shows %q", name, errs.String())
		}
	}
}
