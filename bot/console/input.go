package console

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"unicode/utf8"
)

// inputLine is one inputLine of input. TooLong says that it had more than maxText bytes;
// its text is then dropped.
type inputLine struct {
	Number  int // 1-based
	Text    string
	TooLong bool
}

// Why a line is not sent, for programs.
const (
	tooLong = "too_long"
	notText = "not_text"
)

// refused is why a line is not sent, for programs and in words; "" if it is.
func (l inputLine) refused() (code, why string) {
	switch {
	case l.TooLong:
		return tooLong, fmt.Sprintf("Line %d is longer than 4 MB and was not sent. Put long text into a file and attach it.", l.Number)
	case !utf8.ValidString(l.Text):
		return notText, fmt.Sprintf("Line %d is not text in UTF-8 and was not sent.", l.Number)
	}
	return "", ""
}

// lineReader reads lines of bounded length.
type lineReader struct {
	r *bufio.Reader
	n int
}

func newLineReader(r io.Reader) *lineReader { return &lineReader{r: bufio.NewReaderSize(r, 64<<10)} }

// ErrNotText is what Run returns of input that begins as no text does.
var ErrNotText = errors.New("this is not text")

// next is the next line without its end (LF or CRLF), io.EOF, or ErrNotText instead of the first.
func (l *lineReader) next() (inputLine, error) {
	var text []byte
	tooLong, any := false, false
	if l.n == 0 {
		_, _ = l.r.Peek(1) // its error comes again
		if begin, _ := l.r.Peek(l.r.Buffered()); bytes.HasPrefix(begin, []byte("%PDF-")) || bytes.IndexByte(begin, 0) >= 0 {
			return inputLine{}, ErrNotText
		}
	}
	for {
		part, err := l.r.ReadSlice('\n')
		any = any || len(part) > 0
		if !tooLong {
			text = append(text, part...)
		}
		if len(bytes.TrimRight(text, "\r\n")) > maxText {
			text, tooLong = nil, true
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return inputLine{}, err
		}
		if !any {
			return inputLine{}, io.EOF
		}
		break
	}
	l.n++
	if l.n == 1 {
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
	}
	text = bytes.TrimSuffix(text, []byte("\n"))
	text = bytes.TrimSuffix(text, []byte("\r"))
	return inputLine{Number: l.n, Text: string(text), TooLong: tooLong}, nil
}

// Within is what read returns, or the error of ctx once that is done. The read that is then under way is left
// behind: a blocked read of a pipe or a terminal cannot be cancelled, and the program is about to end.
func Within[T any](ctx context.Context, read func() (T, error)) (got T, err error) {
	done := make(chan struct{})
	var late T
	var failed error
	go func() {
		late, failed = read()
		close(done)
	}()
	select {
	case <-done:
		return late, failed
	case <-ctx.Done():
		return got, ctx.Err()
	}
}
