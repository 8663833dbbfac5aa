package console

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
)

// inputLine is one inputLine of input. TooLong says that it had more than maxText bytes;
// its text is then dropped.
type inputLine struct {
	Number  int // 1-based
	Text    string
	TooLong bool
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
