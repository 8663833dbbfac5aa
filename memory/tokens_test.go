package memory

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestCountMessage(t *testing.T) {
	if n := CountMessage(User, "Hello"); n != 6 {
		t.Errorf("Hello from a user = %d tokens, want 6", n)
	}
	if n := Count(""); n != 0 {
		t.Errorf("nothing = %d tokens", n)
	}
}

// Pieces are cut before spaces, so ordinary prose counts as it would whole.
func TestCountOfProseIsExact(t *testing.T) {
	words := strings.Fields("the quarterly report shows revenue of 4,200 thousand euro, up from last year's figure; see annex B")
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for b.Len() < 40_000 {
		b.WriteString(words[r.IntN(len(words))])
		b.WriteByte(' ')
	}
	if got, want := Count(b.String()), len(encoding().EncodeOrdinary(b.String())); got != want {
		t.Errorf("Count = %d, the whole text has %d", got, want)
	}
}

func TestCutAtKeepsRunesWhole(t *testing.T) {
	for _, text := range []string{strings.Repeat("失", 2000), strings.Repeat("a", 3000), "x" + strings.Repeat("🙂", 2000), strings.Repeat("\x80", 3000)} {
		n := 0
		for rest := text; len(rest) > cut; n++ {
			at := cutAt(rest)
			if at <= 0 || at > cut {
				t.Fatalf("cut at %d", at)
			}
			rest = rest[at:]
		}
		if n == 0 {
			t.Fatal("nothing was cut")
		}
	}
}

// The tokenizer alone needs seconds for 100 KB of one letter.
func BenchmarkCount(b *testing.B) {
	for name, text := range map[string]string{
		"letter100KB": strings.Repeat("a", 100_000),
		"cjk100KB":    strings.Repeat("失", 33_000),
		"spaces100KB": strings.Repeat(" ", 100_000),
		"prose100KB":  strings.Repeat("The quick brown fox jumps over the lazy dog. ", 2200),
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				Count(text)
			}
		})
	}
}
