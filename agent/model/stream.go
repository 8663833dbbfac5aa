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
	r     *bufio.Reader
	data  []byte // collected data lines of the event being read
	ahead []byte // a data line that belongs to the next event
	err   error
}

// next returns the data of the next event, nil at the end of the stream. The error is that of the connection.
func (s *events) next() ([]byte, error) {
	for {
		if s.ahead != nil {
			s.data, s.ahead = s.ahead, nil
		}
		if s.err != nil {
			return s.last()
		}
		line, err := s.r.ReadBytes('\n')
		s.err = err
		if event := s.line(bytes.TrimRight(line, "\r\n")); event != nil {
			return event, nil
		}
	}
}

// line takes one line and returns the event it completes, nil when it completes none.
func (s *events) line(line []byte) []byte {
	if len(line) == 0 && s.err == nil {
		event := s.data
		s.data = nil
		return event
	}
	value, ok := bytes.CutPrefix(line, []byte("data:"))
	if !ok {
		return nil
	}
	value = bytes.TrimSpace(value)
	if len(s.data) > 0 && (json.Valid(s.data) || string(s.data) == "[DONE]") {
		event := s.data
		s.data, s.ahead = nil, value
		return event
	}
	if len(s.data) > 0 {
		s.data = append(s.data, '\n')
	}
	s.data = append(s.data, value...)
	return nil
}

func (s *events) last() ([]byte, error) {
	if len(s.data) > 0 {
		event := s.data
		s.data = nil
		return event, nil
	}
	if s.err == io.EOF {
		return nil, nil
	}
	return nil, s.err
}
