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

// wait is next, but ends with ctx. The read that is then under way is left
// behind: a blocked read of a pipe cannot be cancelled, and the program is about to end.
func (l *lineReader) wait(ctx context.Context) (inputLine, error) {
	type read struct {
		line inputLine
		err  error
	}
	got := make(chan read, 1)
	go func() {
		next, err := l.next()
		got <- read{next, err}
	}()
	select {
	case r := <-got:
		return r.line, r.err
	case <-ctx.Done():
		return inputLine{}, ctx.Err()
	}
}
