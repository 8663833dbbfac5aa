package memory

import (
	"bytes"
	"encoding/base64"
	"path"
	"strconv"
	"strings"
	"sync"
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

var encoding = sync.OnceValue(func() *tiktoken.Tiktoken {
	tiktoken.SetBpeLoader(vocabulary{})
	e, err := tiktoken.GetEncoding(tiktoken.MODEL_CL100K_BASE)
	if err != nil {
		panic("memory: the embedded cl100k_base vocabulary does not load: " + err.Error())
	}
	return e
})

// vocabulary loads the embedded file of a vocabulary in a third of the time of its module's own loader, which
// splits the text into strings first: a one-shot question waits for it.
type vocabulary struct{}

// LoadTiktokenBpe returns the rank of each token of the file at an address. A line is a token in base64, a blank and its rank.
func (vocabulary) LoadTiktokenBpe(address string) (map[string]int, error) {
	file, err := assets.Assets.ReadFile(path.Base(address))
	if err != nil {
		return nil, err
	}
	ranks := make(map[string]int, bytes.Count(file, []byte("\n")))
	token := make([]byte, len(file)) // long enough for any
	for line := range bytes.Lines(file) {
		text, rank, _ := bytes.Cut(bytes.TrimSpace(line), []byte(" "))
		n, err := base64.StdEncoding.Decode(token, text)
		if err != nil {
			return nil, err
		}
		if ranks[string(token[:n])], err = strconv.Atoi(string(rank)); err != nil {
			return nil, err
		}
	}
	return ranks, nil
}

// Count returns the number of cl100k_base tokens of text.
func Count(text string) int {
	n := 0
	for text != "" {
		piece := text
		if len(text) > cut {
			piece = text[:cutAt(text)]
		}
		n += len(encoding().EncodeOrdinary(piece))
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
