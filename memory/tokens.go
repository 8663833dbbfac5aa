package memory

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"hash/maphash"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"

	"github.com/pkoukk/tiktoken-go"
	"github.com/pkoukk/tiktoken-go-loader/assets"
)

// messageOverhead is what a message costs beyond its role and text.
const messageOverhead = 4

// cut limits the pieces that are handed to the tokenizer, in bytes: its time is
// quadratic in the length of a run without a break.
const (
	cut     = 1024
	cutHard = 512 // where there is no space to cut at
)

// few is up to how many bytes are counted with only the tokens that stand in them. A one-shot question counts no more, and
// would wait a tenth of a second for the tokenizer with all tokens.
const few = 32 << 10

var counted atomic.Int64 // bytes

// count counts a piece of a text.
func count(piece string) int {
	if counted.Add(int64(len(piece))) > few {
		return len(encoding().EncodeOrdinary(piece))
	}
	seen.Lock()
	defer seen.Unlock()
	if seen.encoding == nil {
		seen.tokens = map[string]int{}
		seen.encoding = newEncoding(seen.tokens)
	}
	addTokens(seen.tokens, piece)
	return len(seen.encoding.EncodeOrdinary(piece))
}

// seen is a tokenizer with the tokens that stood in a text so far; it looks them up in the map that it was made with.
var seen struct {
	sync.Mutex
	tokens   map[string]int
	encoding *tiktoken.Tiktoken
}

// encoding is the tokenizer with all tokens.
var encoding = sync.OnceValue(func() *tiktoken.Tiktoken {
	v := vocabulary()
	all := make(map[string]int, len(v.lines)/2)
	v.each(func(_ int, token []byte, rank int) {
		text := make([]byte, base64.StdEncoding.DecodedLen(len(token)))
		n, err := base64.StdEncoding.Decode(text, token)
		mustRead(err)
		all[string(text[:n])] = rank
	})
	return newEncoding(all)
})

// words is the pattern of cl100k_base: no token goes beyond a match.
const words = `(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+`

func newEncoding(tokens map[string]int) *tiktoken.Tiktoken {
	bpe, err := tiktoken.NewCoreBPE(tokens, nil, words)
	if err != nil {
		panic("memory: the cl100k_base tokenizer: " + err.Error()) // unreachable
	}
	return tiktoken.NewTiktoken(bpe, nil, nil)
}

// tokenFile is the embedded vocabulary. A line of the file is a token in base64, a blank and its rank: the number of the line.
type tokenFile struct {
	text *io.SectionReader // not copied into memory
	seed maphash.Seed
	// lines has, at the hash of a token or behind it, 1 more than where its line begins, before some bits of that hash; 0 ends a
	// run. Three of four are taken.
	lines [1 << 17]uint32
}

const hashBits = 11 // as many as the 1.7 MB of the file leave

// vocabulary is indexed by hand: a map of 100,000 strings takes several times as long to make, and a one-shot question waits for it.
var vocabulary = sync.OnceValue(func() *tokenFile {
	file, err := assets.Assets.Open("cl100k_base.tiktoken")
	mustRead(err)
	info, err := file.Stat()
	mustRead(err)
	v := &tokenFile{text: io.NewSectionReader(file.(io.ReaderAt), 0, info.Size()), seed: maphash.MakeSeed()}
	v.each(func(start int, token []byte, _ int) {
		at, tag := v.slot(token)
		for v.lines[at] > 0 {
			at = (at + 1) % len(v.lines)
		}
		v.lines[at] = uint32(start+1)<<hashBits | tag
	})
	return v
})

// mustRead panics if what is embedded cannot be read.
func mustRead(err error) {
	if err != nil {
		panic("memory: the embedded cl100k_base vocabulary: " + err.Error())
	}
}

// each calls f with where each line begins, its token in base64, and its rank.
func (v *tokenFile) each(f func(start int, token []byte, rank int)) {
	lines := bufio.NewReader(io.NewSectionReader(v.text, 0, v.text.Size()))
	for start, rank := 0, 0; ; rank++ {
		line, err := lines.ReadSlice('\n')
		if err == io.EOF {
			return
		}
		mustRead(err)
		f(start, line[:bytes.IndexByte(line, ' ')], rank)
		start += len(line)
	}
}

// slot is where in lines a token in base64 is looked for, and the bits of its hash that stand there.
func (v *tokenFile) slot(token []byte) (at int, tag uint32) {
	hash := maphash.Bytes(v.seed, token)
	return int(hash % uint64(len(v.lines))), uint32(hash >> (64 - hashBits))
}

// rank is that of a token in base64, false if it is none.
func (v *tokenFile) rank(token []byte) (int, bool) {
	at, tag := v.slot(token)
	for ; v.lines[at] > 0; at = (at + 1) % len(v.lines) {
		if v.lines[at]&(1<<hashBits-1) != tag {
			continue
		}
		var line [base64OfLongest + len(" 100255\n")]byte
		n, err := v.text.ReadAt(line[:], int64(v.lines[at]>>hashBits-1))
		if err != io.EOF {
			mustRead(err)
		}
		if rest, found := bytes.CutPrefix(line[:n], token); found && rest[0] == ' ' {
			n, err := strconv.Atoi(string(rest[1:bytes.IndexByte(rest, '\n')]))
			mustRead(err)
			return n, true
		}
	}
	return 0, false
}

// longestToken is that of all tokens, in bytes.
const (
	longestToken    = 128
	base64OfLongest = (longestToken + 2) / 3 * 4
)

// addTokens adds the tokens that stand in a text, with their ranks.
func addTokens(in map[string]int, text string) {
	text = string([]rune(text)) // what is no UTF-8 is replaced, as the tokenizer does
	var encoded [base64OfLongest]byte
	for start := range len(text) {
		for end := start + 1; end <= min(len(text), start+longestToken); end++ {
			if last := text[end-1]; last == ' ' && end-start > 1 && text[end-2] > ' ' && text[end-2] < utf8.RuneSelf {
				break // no token has a blank behind a sign
			}
			token := []byte(text[start:end])
			base64.StdEncoding.Encode(encoded[:], token)
			if rank, ok := vocabulary().rank(encoded[:base64.StdEncoding.EncodedLen(len(token))]); ok {
				in[string(token)] = rank
			}
		}
	}
}

// known are the counts of pieces, by their hashes: the prompts of a conversation begin alike, and what they show is counted
// again for each. It has room for the prompts of some conversations, in less than a megabyte.
var known = struct {
	sync.Mutex
	seed   maphash.Seed
	counts map[uint64]int
}{seed: maphash.MakeSeed(), counts: map[uint64]int{}}

const mostKnown = 16_384

// recount is count for a piece that may have been counted before.
func recount(piece string) int {
	hash := maphash.String(known.seed, piece)
	known.Lock()
	n, ok := known.counts[hash]
	known.Unlock()
	if ok {
		return n
	}
	n = count(piece)
	known.Lock()
	defer known.Unlock()
	if len(known.counts) == mostKnown {
		clear(known.counts)
	}
	known.counts[hash] = n
	return n
}

// Count returns the number of cl100k_base tokens of text.
func Count(text string) int {
	n := 0
	for text != "" {
		piece := text
		if len(text) > cut {
			piece = text[:cutAt(text)]
		}
		n += recount(piece)
		text = text[len(piece):]
	}
	return n
}

// CountMessage returns the tokens that a message of this role and text takes in a prompt:
// those of both and 4 ("Hello" from a user is 6).
func CountMessage(role Role, text string) int {
	return Count(string(role)) + Count(text) + messageOverhead
}

// cutAt is where to end the next piece of a text longer than cut: before the
// last space, else between two runes.
func cutAt(text string) int {
	if i := strings.LastIndexByte(text[:cut], ' '); i > 0 {
		return i
	}
	i := cutHard
	for i > 0 && !utf8.RuneStart(text[i]) {
		i--
	}
	if i == 0 {
		return cutHard
	}
	return i
}
