package console

import (
	"bufio"
	"bytes"
	"errors"
	"io"
)

// line is one line of input. TooLong says that it had more than maxText bytes;
// its text is then dropped.
type line struct {
	Number  int // 1-based
	Text    string
	TooLong bool
}

// lines reads lines of bounded length.
type lines struct {
	r *bufio.Reader
	n int
}

func newLines(r io.Reader) *lines { return &lines{r: bufio.NewReaderSize(r, 64<<10)} }

// next is the next line without its end (LF or CRLF), or io.EOF.
func (l *lines) next() (line, error) {
	var text []byte
	tooLong, any := false, false
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
			return line{}, err
		}
		if !any {
			return line{}, io.EOF
		}
		break
	}
	l.n++
	if l.n == 1 {
		text = bytes.TrimPrefix(text, []byte("\ufeff"))
	}
	text = bytes.TrimSuffix(text, []byte("\n"))
	text = bytes.TrimSuffix(text, []byte("\r"))
	return line{Number: l.n, Text: string(text), TooLong: tooLong}, nil
}
