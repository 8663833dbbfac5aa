package console

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// history is what was typed, for the arrow keys, in a file that only its owner can read: a
// readline.History.
type history struct {
	path    string
	lines   []typedLine
	written int64 // when the file was, before it was opened, in milliseconds UTC
}

// typedLine is a line of the file.
type typedLine struct {
	At   time.Time `json:"datetime"`
	Text string    `json:"block"`
}

// openHistory reads a file, which need not be there.
func openHistory(path string) (*history, error) {
	h := &history{path: path}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return h, err
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return h, nil
	}
	if err != nil {
		return h, err
	}
	defer f.Close() // it was only read
	info, err := f.Stat()
	if err != nil {
		return h, err
	}
	h.written = info.ModTime().UnixMilli()
	for d := json.NewDecoder(bufio.NewReader(f)); ; {
		var l typedLine
		if d.Decode(&l) != nil { // at its end, or where a crash has cut it
			break
		}
		h.lines = append(h.lines, l)
	}
	return h, os.Chmod(path, 0o600)
}

// Write adds a line to the file, and to the history unless it repeats the last one.
func (h *history) Write(line string) (int, error) {
	l := typedLine{time.Now(), strings.TrimSpace(line)}
	if l.Text == "" {
		return len(h.lines), nil
	}
	if n := len(h.lines); n == 0 || h.lines[n-1].Text != l.Text {
		h.lines = append(h.lines, l)
	}
	b, err := json.Marshal(l)
	if err != nil {
		return len(h.lines), err
	}
	f, err := os.OpenFile(h.path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		return len(h.lines), err
	}
	_, err = f.Write(append(b, '\n'))
	return len(h.lines), errors.Join(err, f.Close())
}

// GetLine returns the line at an index.
func (h *history) GetLine(i int) (string, error) {
	if i < 0 || i >= len(h.lines) {
		return "", fmt.Errorf("there is no line %d", i)
	}
	return h.lines[i].Text, nil
}

// Len returns the number of lines.
func (h *history) Len() int { return len(h.lines) }

// Dump is not used.
func (h *history) Dump() any { return h.lines }

// said is the message that was sent with the line.
func (l typedLine) said() string { return strings.ReplaceAll(l.Text, "\\\n", "\n") }

// keep forgets the lines but for those that were sent as one of these messages, in the file too, which then says
// that it was written after erased, the time of the last erasure in milliseconds UTC: a file system's own clock
// may lag behind by some.
func (h *history) keep(messages map[string]bool, erased int64) error {
	var kept []typedLine
	var text []byte
	for _, l := range h.lines {
		if !messages[l.said()] {
			continue
		}
		b, err := json.Marshal(l)
		if err != nil {
			return err
		}
		kept, text = append(kept, l), append(append(text, b...), '\n')
	}
	fresh := h.path + ".new"
	after := time.UnixMilli(max(erased+1, time.Now().UnixMilli()))
	err := os.WriteFile(fresh, text, 0o600)
	if err == nil {
		err = os.Chtimes(fresh, after, after)
	}
	if err == nil {
		err = os.Rename(fresh, h.path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(fresh))
	}
	h.lines = kept
	return nil
}
