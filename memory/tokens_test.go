package memory

import (
	"encoding/base64"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
	"github.com/pkoukk/tiktoken-go-loader/assets"
	"pgregory.net/rapid"
)

func TestCountMessage(t *testing.T) {
	if n := CountMessage(User, "Hello"); n != 6 {
		t.Errorf("Hello from a user = %d tokens, want 6", n)
	}
	if n := Count(""); n != 0 {
		t.Errorf("nothing = %d tokens", n)
	}
}

// reference is another program's cl100k_base.
func reference(t *testing.T) func(string) int {
	t.Helper()
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	e, err := tiktoken.GetEncoding(tiktoken.MODEL_CL100K_BASE)
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) int { return len(e.EncodeOrdinary(text)) }
}

func TestCountAgreesWithTiktoken(t *testing.T) {
	want := reference(t)
	for _, text := range []string{
		"don't DON'T we'Ll they're I'd 'sir 's 'ſ 'K", "a  b   c\t\td \u00a0e\u3000 f", "  \n\n  x \r\n y\n", "   ", " \n ", "x   ", "\u0085\u2028.\u2029",
		"1234567 12,345.67 ½²Ⅷ٣ x²", "(a)  (b)... --- !!!\n\n?? €38,700 – “quoted” §3", "Übergröße naïve Ελλάδα русский 中文字符 日本語 한국어 العربية हिन्दी",
		"🙂🙃👩‍👩‍👧‍👦 e\u0301", "bad \xff\xfe bytes \xe2\x82", "<|endoftext|>", "\x00\x01\x7f\u200b\ufeff\u180e", "func main() {\n\tfmt.Println(\"x\")\n}\n",
	} {
		if got, want := Count(text), want(text); got != want {
			t.Errorf("Count(%q) = %d, tiktoken has %d", text, got, want)
		}
	}
	runes := []*unicode.RangeTable{unicode.L, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.M, unicode.C}
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.OneOf(
			rapid.SampledFrom([]string{" ", "  ", "\n", "\r\n", "\t", "'", "'ll", "'RE", "the", "The", "12", ".", "...", "ß", "中"}),
			rapid.StringOfN(rapid.RuneFrom(nil, runes...), 0, 4, -1)), 0, 40).Draw(rt, "words"), "")
		if got, want := Count(text), want(text); got != want {
			rt.Fatalf("Count(%q) = %d, tiktoken has %d", text, got, want)
		}
	})
}

func TestCountOfLongProseIsExact(t *testing.T) {
	words := strings.Fields("the quarterly report shows revenue of 4,200 thousand euro, up from last year's figure; see annex B")
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for b.Len() < 40_000 {
		b.WriteString(words[r.IntN(len(words))])
		b.WriteByte(' ')
	}
	if got, want := Count(b.String()), reference(t)(b.String()); got != want {
		t.Errorf("Count = %d, tiktoken has %d", got, want)
	}
}

// A word without end is counted in parts, which makes a few tokens more at most.
func TestCountOfAWordWithoutEnd(t *testing.T) {
	want := reference(t)
	for _, text := range []string{strings.Repeat("失", 2000), strings.Repeat("a", 3000), "x" + strings.Repeat("🙂", 2000), strings.Repeat("\x80", 3000)} {
		if got, want := Count(text), want(text); got < want || got > want+len(text)*3/longestMerge+1 {
			t.Errorf("Count(%q…) = %d, tiktoken has %d", text[:8], got, want)
		}
	}
}

// The rank of a token is the number of its line.
func TestVocabularyIsInTheOrderOfItsRanks(t *testing.T) {
	file, err := assets.Assets.ReadFile("cl100k_base.tiktoken")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(file)) {
		var text string
		var rank int
		if _, err := fmt.Sscan(line, &text, &rank); err != nil {
			t.Fatal(err)
		}
		token, err := base64.StdEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		if got, ok := vocabulary()[string(token)]; !ok || int(got) != rank {
			t.Fatalf("%q has rank %d, want %d", token, got, rank)
		}
	}
}

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
