package memory

import (
	"bytes"
	"encoding/base64"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/pkoukk/tiktoken-go-loader/assets"
)

// messageOverhead is what a message costs beyond its role and text.
const messageOverhead = 4

// longestMerge limits what is merged into tokens at once, in bytes: the time that takes is quadratic in the length of a
// word without a break.
const longestMerge = 256

// vocabulary holds the tokens of cl100k_base with their ranks: bytes are merged into the token of the lowest rank first.
var vocabulary = sync.OnceValue(func() map[string]int32 {
	file, err := assets.Assets.ReadFile("cl100k_base.tiktoken") // each token in base64 and its rank, by rank
	if err != nil {
		panic("memory: the embedded cl100k_base vocabulary does not load: " + err.Error())
	}
	ranks := make(map[string]int32, 100_256)
	for line := range bytes.Lines(file) {
		text, _, _ := bytes.Cut(line, []byte(" "))
		n, err := base64.StdEncoding.Decode(text, text)
		if err != nil {
			panic("memory: the embedded cl100k_base vocabulary has a line that does not decode: " + err.Error())
		}
		ranks[string(text[:n])] = int32(len(ranks))
	}
	return ranks
})

// Count returns the number of cl100k_base tokens of text; a word longer than 256 bytes is counted in parts.
func Count(text string) int {
	if !utf8.ValidString(text) {
		text = string([]rune(text))
	}
	n := 0
	for text != "" {
		end := wordEnd(text)
		for word := text[:end]; word != ""; {
			part := word
			if len(part) > longestMerge {
				part = part[:longestMerge]
				for !utf8.ValidString(part) {
					part = part[:len(part)-1]
				}
			}
			n += mergedTokens(part)
			word = word[len(part):]
		}
		text = text[end:]
	}
	return n
}

// CountMessage returns the tokens that a message of this role and text takes in a prompt:
// those of both and 4 ("Hello" from a user is 6).
func CountMessage(role Role, text string) int {
	return Count(string(role)) + Count(text) + messageOverhead
}

// wordEnd is where the first word of a text ends, over which no token reaches, as this expression of cl100k_base has it:
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
func wordEnd(text string) int {
	first, size := utf8.DecodeRuneInString(text)
	if first == '\'' {
		for _, ending := range [...]string{"s", "t", "re", "ve", "m", "ll", "d"} {
			if rest := text[size:]; len(rest) >= len(ending) && strings.EqualFold(rest[:len(ending)], ending) {
				return size + len(ending)
			}
		}
	}
	switch {
	case unicode.IsLetter(first):
		return size + span(text[size:], unicode.IsLetter)
	case unicode.IsNumber(first):
		end := size
		for range 2 {
			r, n := utf8.DecodeRuneInString(text[end:])
			if !unicode.IsNumber(r) {
				break
			}
			end += n
		}
		return end
	}
	if !isLineEnd(first) {
		if n := span(text[size:], unicode.IsLetter); n > 0 {
			return size + n
		}
	}
	signs := 0
	if first == ' ' {
		signs = 1
	}
	if n := span(text[signs:], isSign); n > 0 {
		signs += n
		return signs + span(text[signs:], isLineEnd)
	}
	blanks := text[:span(text, unicode.IsSpace)]
	if i := strings.LastIndexAny(blanks, "\r\n"); i >= 0 {
		return i + 1
	}
	_, last := utf8.DecodeLastRuneInString(blanks)
	if len(blanks) < len(text) && len(blanks) > last {
		return len(blanks) - last // the last blank belongs to the next word
	}
	return len(blanks)
}

// span is how many bytes of a text's beginning are such runes.
func span(text string, is func(rune) bool) int {
	for i, r := range text {
		if !is(r) {
			return i
		}
	}
	return len(text)
}

func isLineEnd(r rune) bool { return r == '\r' || r == '\n' }

func isSign(r rune) bool {
	return !unicode.IsSpace(r) && !unicode.IsLetter(r) && !unicode.IsNumber(r)
}

// mergedTokens is how many tokens the bytes of a word make: the two neighbours that are the token of the lowest rank together
// become one, until none are.
func mergedTokens(word string) int {
	ranks := vocabulary()
	if _, ok := ranks[word]; ok {
		return 1
	}
	type token struct{ start, rank int32 } // rank is that of the token which it and the next one make
	tokens := make([]token, len(word)+1)
	join := func(i int) {
		tokens[i].rank = math.MaxInt32
		if i+2 < len(tokens) {
			if rank, ok := ranks[word[tokens[i].start:tokens[i+2].start]]; ok {
				tokens[i].rank = rank
			}
		}
	}
	for i := range tokens {
		tokens[i].start = int32(i)
	}
	for i := range tokens {
		join(i)
	}
	for {
		best, lowest := 0, int32(math.MaxInt32)
		for i, t := range tokens {
			if t.rank < lowest {
				best, lowest = i, t.rank
			}
		}
		if lowest == math.MaxInt32 {
			return len(tokens) - 1
		}
		tokens = slices.Delete(tokens, best+1, best+2)
		join(best)
		if best > 0 {
			join(best - 1)
		}
	}
}
