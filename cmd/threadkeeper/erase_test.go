package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"threadkeeper/memory"
)

// TestErase asks before it erases a workspace or channel, and leaves nothing of it in the file.
func TestErase(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	said := func(platform, workspace, channel, text string) {
		t.Helper()
		store, err := memory.Open(t.Context(), path)
		if err != nil {
			t.Fatal(err)
		}
		defer store.Close()
		if _, err := store.Queue.Receive(t.Context(), memory.Incoming{Platform: platform, EventID: text, Kind: "message", Channel: memory.Channel{Kind: memory.Public, Name: text},
			Key: memory.Key{Platform: platform, Workspace: workspace, Channel: channel, Thread: "1"}, Person: memory.Person{PlatformID: text, Name: text},
			Message: &memory.Message{PlatformID: text, Role: memory.User, Author: text, Text: text}}); err != nil {
			t.Fatal(err)
		}
	}
	said("slack", "T1", "C1", "Quagga")
	said("slack", "T1", "C2", "Wombat")
	said("discord", "43", "C1", "Okapi")
	said("discord", "42", "C1", "Tapir")
	erase := func(terminal bool, typed string, args ...string) (int, string) {
		var out bytes.Buffer
		code := run(context.Background(), append([]string{"erase", "--db", path}, args...), system{In: strings.NewReader(typed), Out: &out, Err: &out,
			Dir: t.TempDir(), Environ: []string{"HOME=" + t.TempDir()}, InTerminal: terminal, OutTerminal: terminal})
		return code, out.String()
	}
	for _, c := range []struct {
		name     string
		terminal bool
		typed    string
		args     string
		code     int
		says     string
		left     []string
		gone     string
	}{
		{"an unknown one", true, "y\n", "--workspace T9", exitFailed, "slack T1", []string{"Quagga", "Wombat", "Okapi", "Tapir"}, ""},
		{"no", true, "n\n", "--workspace T1", exitOK, "2 conversations, 2 messages", []string{"Quagga", "Wombat", "Okapi", "Tapir"}, ""},
		{"the end of input", true, "", "--workspace T1", exitOK, "Nothing was erased", []string{"Quagga", "Wombat", "Okapi", "Tapir"}, ""},
		{"nobody to ask", false, "y\n", "--workspace 42", exitUsage, "--yes", []string{"Quagga", "Wombat", "Okapi", "Tapir"}, ""},
		{"a channel", true, "y\n", "--workspace T1 --channel C1", exitOK, "Erased slack T1, channel C1: 1 conversation.", []string{"Wombat", "Okapi", "Tapir"}, "Quagga"},
		{"a workspace", false, "", "--workspace 43 --yes", exitOK, "Erased discord 43: 1 conversation.", []string{"Wombat", "Tapir"}, "Okapi"},
		{"one of one platform", true, "yes\n", "--workspace 42", exitOK, "Erased discord 42", []string{"Wombat"}, "Tapir"},
	} {
		code, out := erase(c.terminal, c.typed, strings.Fields(c.args)...)
		if code != c.code || !strings.Contains(out, c.says) {
			t.Errorf("%s: exit %d, %s", c.name, code, out)
		}
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range c.left {
			if !bytes.Contains(file, []byte(text)) {
				t.Errorf("%s: %s is gone", c.name, text)
			}
		}
		if c.gone != "" && bytes.Contains(bytes.ToLower(file), bytes.ToLower([]byte(c.gone))) {
			t.Errorf("%s: %s is left", c.name, c.gone)
		}
	}
	busy, err := memory.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	if code, out := erase(true, "y\n", "--workspace", "T1"); code != exitFailed || !strings.Contains(out, "in use") {
		t.Errorf("beside another process: exit %d, %s", code, out)
	}
}
