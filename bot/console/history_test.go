package console

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"threadkeeper/memory"
)

// typedIn are the lines of a history.
func typedIn(h *history) (lines []string) {
	for i := range h.Len() {
		line, _ := h.GetLine(i) // it is there
		lines = append(lines, line)
	}
	return lines
}

func TestHistoryIsPrivateAndKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "data", "history")
	h, err := openHistory(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"one", " two ", "two", "", "three\\\nlines", strings.Repeat("long ", 100_000)} {
		if _, err := h.Write(line); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(path, 0o644); err != nil { // as an older program may have made it
		t.Fatal(err)
	}
	again, err := openHistory(path)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
	if got := typedIn(h); len(got) != 4 || got[2] != "three\\\nlines" {
		t.Errorf("typed %q", got[:min(3, len(got))])
	}
	if got := typedIn(again); len(got) != 5 || got[4] != typedIn(h)[3] { // the file has what was typed twice
		t.Errorf("read back %d lines", len(got))
	}
	if _, err := again.GetLine(9); err == nil {
		t.Error("a line that is not there")
	}
}

// TestHistoryFollowsForget: what a person has had forgotten is not in the file of what they typed, whether the
// program runs on or was killed in between.
func TestHistoryFollowsForget(t *testing.T) {
	dir := t.TempDir()
	store, err := memory.Open(t.Context(), filepath.Join(dir, "t.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	c := &Chat{Seat: Seat{Store: store}, HistoryFile: filepath.Join(dir, "history")}
	open := func() {
		t.Helper()
		if c.typed, err = openHistory(c.HistoryFile); err != nil {
			t.Fatal(err)
		}
		if err := c.lookForErasures(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	typed := func(line string) {
		t.Helper()
		if _, err := c.typed.Write(line); err != nil {
			t.Fatal(err)
		}
		if isCommand(line) {
			return
		}
		in := memory.Incoming{Platform: Platform, EventID: line, Kind: "message", Key: Key(""), Channel: Channel(), Person: memory.Person{PlatformID: "me"},
			Message: &memory.Message{PlatformID: line, Role: memory.User, Text: strings.ReplaceAll(line, "\\\n", "\n")}}
		if _, err := store.Queue.Receive(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	file := func(want ...string) {
		t.Helper()
		if err := c.forgetTyped(t.Context()); err != nil {
			t.Fatal(err)
		}
		again, err := openHistory(c.HistoryFile)
		if err != nil {
			t.Fatal(err)
		}
		if got := typedIn(again); !slices.Equal(got, want) || !slices.Equal(typedIn(c.typed), want) {
			t.Errorf("the file holds %q, the arrow keys %q, wanted %q", got, typedIn(c.typed), want)
		}
	}
	open()
	typed("my shoe size is 43")
	typed("the gate\\\nis green")
	typed("/memory search shoe")
	file("my shoe size is 43", "the gate\\\nis green", "/memory search shoe")
	if _, err := store.Queue.ReceiveErase(t.Context(), memory.Incoming{Key: Key(""), EventID: "erase " + "my shoe size is 43"}, "my shoe size is 43"); err != nil {
		t.Fatal(err)
	}
	file("the gate\\\nis green")
	typed("my badge is 7Q")
	typed("/memory forget badge")
	past := time.Now().Add(-time.Hour) // the program is killed before it has followed
	if err := os.Chtimes(c.HistoryFile, past, past); err != nil {
		t.Fatal(err)
	}
	if _, err := store.Queue.ReceiveErase(t.Context(), memory.Incoming{Key: Key(""), EventID: "erase " + "my badge is 7Q"}, "my badge is 7Q"); err != nil {
		t.Fatal(err)
	}
	open()
	file("the gate\\\nis green")
	open()
	typed("/why")
	file("the gate\\\nis green", "/why")
	if info, err := os.Stat(c.HistoryFile); err != nil || info.Mode().Perm() != 0o600 {
		t.Error(info.Mode(), err)
	}
}

// TestHistoryIsNewerThanWhatItFollowed: a file system whose clock lags does not make a followed erasure look new.
func TestHistoryIsNewerThanWhatItFollowed(t *testing.T) {
	h, err := openHistory(filepath.Join(t.TempDir(), "history"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.Write("the gate is green"); err != nil {
		t.Fatal(err)
	}
	erased := time.Now().Add(time.Minute).UnixMilli()
	if err := h.keep(map[string]bool{"the gate is green": true}, erased); err != nil {
		t.Fatal(err)
	}
	if again, err := openHistory(h.path); err != nil || again.written <= erased || again.Len() != 1 {
		t.Errorf("written at %d, %d lines, %v; the erasure was at %d", again.written, again.Len(), err, erased)
	}
}
