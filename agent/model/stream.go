package model

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
)

// events reads a text/event-stream, tolerating what gateways do to it: lines of any length, CRLF, no blank line between events,
// comments, fields other than event and data.
type events struct {
	r   *bufio.Reader
	err error
}

// next returns the data of the next event, nil at the end of the stream: as soon as it is complete, for a blank line may not follow. The
// error is that of the connection.
func (s *events) next() ([]byte, error) {
	var data, line []byte
	for s.err == nil {
		line, s.err = s.r.ReadBytes('\n')
		line = bytes.TrimRight(line, "\r\n")
		value, ok := bytes.CutPrefix(line, []byte("data:"))
		if ok {
			data = append(data, bytes.TrimSpace(value)...)
		}
		if ok && (json.Valid(data) || string(data) == "[DONE]") || len(line) == 0 && len(data) > 0 {
			return data, nil
		}
	}
	if len(data) > 0 || s.err == io.EOF {
		return data, nil
	}
	return nil, s.err
}
