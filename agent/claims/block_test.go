package claims

import (
	"strings"
	"testing"
)

// TestNextBlock cuts replies into blocks, however they come; ¦ stands at each cut.
func TestNextBlock(t *testing.T) {
	for _, want := range []string{
		"One. Two.\nThree.\n\n¦Four.",
		"# Head\n¦Text\n¦- a\n¦- b\n  goes on\n\n¦End",
		"Text:\n¦1. a\n¦2. b\n\n[d1 p1 \"x y\"]\n",
		"| a | b |\n|---|---|\n| 1 | 2 |\n\nSource: [d1 p1 \"x y\"]\n\n¦After the table.",
		"First.\n\n[d1 p1 \"x y\"]\n\n¦Second, with quite a few words.",
	} {
		text := strings.ReplaceAll(want, "¦", "")
		for _, size := range []int{len(text), 1, 5} {
			var got []string
			buffer := ""
			for from := 0; from < len(text); from += size {
				buffer += text[from:min(len(text), from+size)]
				for n := 1; n > 0 && buffer != ""; {
					if n = NextBlock(buffer, from+size >= len(text)); n > 0 {
						got, buffer = append(got, buffer[:n]), buffer[n:]
					}
				}
			}
			if got := strings.Join(got, "¦"); got != want {
				t.Errorf("in pieces of %d: %q, want %q", size, got, want)
			}
		}
	}
}

// TestSums computes what replies write out.
func TestSums(t *testing.T) {
	for written, want := range map[string]float64{
		" 425 + 2,240": 2665, "(412,000 - 378,000) / 378,000 * 100 = 9%": 100 * 34000. / 378000, "10 / 4": 2.5, "2 × 3 − 1": 5, "(4/1)^(1/2)": 2,
		"$6.78 billion / 2": 3.39e9, "average(2, 4)": 3, "revenue 10 - costs 4": 6, "50 * 10%": 5,
	} {
		if s, ok := readSum(written); !ok || s.value < want-1e-9 || s.value > want+1e-9 {
			t.Errorf("%s: %v, %v", written, s.value, ok)
		}
	}
	for _, bad := range []string{"(2 + 3", "10 / 0", "", "a + b"} {
		if s, ok := readSum(bad); ok {
			t.Errorf("%q gives %v", bad, s.value)
		}
	}
}
