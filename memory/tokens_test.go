package memory

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
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

// A text counts the same with its own tokens and those of texts before it as with all.
func TestFewTokensCountAsAll(t *testing.T) {
	tokens := map[string]int{}
	few := newEncoding(tokens)
	for _, text := range []string{
		"don't DON'T we'Ll 'sir 's 'ſ", "a  b   c\t\td \u00a0 \u00a0e\u3000 f", "  \n\n  x \r\n y\n", "   ", "\u0085\u2028.\u2029",
		"1234567 12,345.67 ½²Ⅷ٣ x²", "(a)  (b)... --- !!!\n\n?? €38,700 – “quoted” §3", "Übergröße naïve Ελλάδα русский 中文字符 日本語 한국어 العربية हिन्दी",
		"🙂🙃👩‍👩‍👧‍👦 e\u0301", "bad \xff\xfe bytes \xe2\x82", "<|endoftext|>", "\x00\x01\x7f\u200b\ufeff\u180e", "func main() {\n\tfmt.Println(\"x\")\n}\n",
		strings.Repeat("-", 200) + strings.Repeat(" ", 200) + strings.Repeat("=", 200), strings.Repeat("a", 300),
	} {
		addTokens(tokens, text)
		if few, all := few.EncodeOrdinary(text), encoding().EncodeOrdinary(text); !slices.Equal(few, all) {
			t.Errorf("%q is %v with its own tokens, %v with all", text, few, all)
		}
	}
	kinds := []*unicode.RangeTable{unicode.L, unicode.N, unicode.P, unicode.S, unicode.Z, unicode.M, unicode.C}
	rapid.Check(t, func(rt *rapid.T) {
		text := strings.Join(rapid.SliceOfN(rapid.OneOf(
			rapid.SampledFrom([]string{" ", "  ", "\n", "\r\n", "\t", "'", "'ll", "the", "The", "12", ".", "...", "ß", "中"}),
			rapid.StringOfN(rapid.RuneFrom(nil, kinds...), 0, 4, -1)), 0, 40).Draw(rt, "words"), "")
		addTokens(tokens, text)
		if few, all := few.EncodeOrdinary(text), encoding().EncodeOrdinary(text); !slices.Equal(few, all) {
			rt.Fatalf("%q is %v with its own tokens, %v with all", text, few, all)
		}
	})
}

// tiktoken-go's own loader, pattern and vocabulary are those that are counted with.
func TestCountAgreesWithTheLibrary(t *testing.T) {
	tiktoken.SetBpeLoader(loader.NewOfflineLoader())
	theirs, err := tiktoken.GetEncoding(tiktoken.MODEL_CL100K_BASE)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"The new roaster costs €38,700, doesn't it?\n\n  We've 12 of them.", "Übergröße 中文字符 🙂\tx = y;"} {
		if ours, theirs := encoding().EncodeOrdinary(text), theirs.EncodeOrdinary(text); !slices.Equal(ours, theirs) {
			t.Errorf("%q is %v, the library has %v", text, ours, theirs)
		}
	}
}

// A piece counts the same when it is counted again, also when there is no room for more.
func TestCountsAreRemembered(t *testing.T) {
	text := func(n int) string { return "Entry " + strconv.Itoa(n) + " of the book, copied on the pier" }
	for n := range mostKnown + 2 {
		Count(text(n))
	}
	if n := len(known.counts); n > mostKnown {
		t.Errorf("%d counts are remembered", n)
	}
	for _, n := range []int{0, mostKnown, mostKnown + 1} {
		for range 2 {
			if got, want := Count(text(n)), len(encoding().EncodeOrdinary(text(n))); got != want {
				t.Errorf("%q counts %d, want %d", text(n), got, want)
			}
		}
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
				clear(known.counts)
				Count(text)
			}
		})
	}
}
