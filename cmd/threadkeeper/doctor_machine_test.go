package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot/console"
	"threadkeeper/config"
	"threadkeeper/memory"
)

// TestDoctorOnTheMachine: clock, disk, PDF engine and backup have one line each, and one more with the remedy when something is wrong.
func TestDoctorOnTheMachine(t *testing.T) {
	if !hasEngine() {
		t.Skip("no PDF engine")
	}
	dir := t.TempDir()
	sys := system{Dir: dir, Err: io.Discard}
	cfg := &config.Config{DatabaseURL: "t.db", CacheDir: cacheDir(), PDFWorkers: 1, OCRLanguages: "eng"}
	store, err := memory.Open(t.Context(), filepath.Join(dir, "t.db"))
	if err != nil {
		t.Fatal(err)
	}
	store.Now = func() int64 { return time.Now().Add(3*time.Hour + 30*time.Minute).UnixMilli() }
	_, err = store.Queue.Receive(t.Context(), memory.Incoming{Platform: console.Platform, EventID: "1", Kind: "message", Key: console.Key(""), Channel: console.Channel(),
		Person: memory.Person{PlatformID: "me", Name: "Ada"}, Message: &memory.Message{PlatformID: "1", Role: memory.User, Author: "Ada", Text: "The gate is green.", At: store.Now()}})
	if err := errors.Join(err, store.Close()); err != nil {
		t.Fatal(err)
	}
	backup := func(age time.Duration) func() (string, error) {
		return func() (string, error) {
			note, at := backupNote(filepath.Join(dir, "t.db")), time.Now().Add(-age)
			return checkBackupAfter(t, sys, cfg, note, at)
		}
	}
	unread := *cfg
	unread.PDFTimeout = time.Nanosecond
	for _, c := range []struct {
		name         string
		look         func() (string, error)
		line, remedy string
		fails        bool
	}{
		{"clock set back", func() (string, error) { return checkClock(t.Context(), sys, cfg) }, "something was stored 3h", "Set the clock", true},
		{"clock", func() (string, error) {
			found, err := checkClock(t.Context(), sys, &config.Config{DatabaseURL: "new.db"})
			at, parsed := time.Parse(time.RFC3339, found)
			return fmt.Sprint("right: ", time.Since(at) < time.Hour), errors.Join(err, parsed)
		}, "right: true", "", false},
		{"disk", func() (string, error) { return checkDisk(sys, cfg) }, "GB free in " + dir, "", false},
		{"full disk", func() (string, error) { return roomFound(littleDisk-1, dir) }, "1.1 GB free in " + dir, "Free some", true},
		{"no disk", func() (string, error) { return checkDisk(system{Dir: filepath.Join(dir, "none")}, cfg) }, "cannot tell how much disk space is free", "", true},
		{"engine", func() (string, error) { return checkEngine(t.Context(), sys, cfg) }, "read 8 pages of the sample in ", "", false},
		{"engine that does not work", func() (string, error) { return checkEngine(t.Context(), sys, &unread) }, "", "PDFs will not be read", true},
		{"no backup", func() (string, error) { return checkBackup(sys, cfg) }, "none yet; threadkeeper backup FILE makes one", "", false},
		{"backup of today", backup(time.Hour), "made today: monday.db", "", false},
		{"backup of this week", backup(3 * 24 * time.Hour), "3 days old: monday.db", "", false},
		{"old backup", backup(9 * 24 * time.Hour), "9 days old: monday.db", "Make another one: threadkeeper backup FILE", false},
	} {
		found, err := c.look()
		if err != nil {
			found = err.Error()
		}
		line, remedy, _ := strings.Cut(found, "\n")
		if c.fails != (err != nil) || !strings.Contains(line, c.line) || !strings.HasPrefix(remedy, c.remedy) || (c.remedy == "") != (remedy == "") || strings.Contains(remedy, "\n") {
			t.Errorf("%s: %q, %v", c.name, found, err)
		}
	}
}

func checkBackupAfter(t *testing.T, sys system, cfg *config.Config, note string, at time.Time) (string, error) {
	if err := errors.Join(os.WriteFile(note, []byte("monday.db"), 0o600), os.Chtimes(note, at, at)); err != nil {
		t.Fatal(err)
	}
	return checkBackup(sys, cfg)
}

// TestDoctorsExitStatus: each check has its line on standard output, and the status says whether one failed.
func TestDoctorsExitStatus(t *testing.T) {
	if !hasEngine() {
		t.Skip("no PDF engine")
	}
	dir := t.TempDir()
	for _, c := range []struct {
		environ string
		code    int
		says    string
	}{
		{"MODEL=", exitOK, ""},
		{"MODEL=gpt-5-mini", exitFailed, "threadkeeper: 1 of 10 checks failed\n"},
	} {
		var out, errs bytes.Buffer
		code := run(t.Context(), []string{"doctor"}, system{In: strings.NewReader(""), Out: &out, Err: &errs, Dir: dir,
			Environ: []string{"HOME=" + dir, "CACHE_DIR=" + cacheDir(), c.environ}})
		if code != c.code || errs.String() != c.says {
			t.Errorf("%s: %d\n%s%s", c.environ, code, &out, &errs)
		}
		for _, name := range []string{"database", "PDF engine", "model", "Slack", "Discord", "clock", "disk", "backup", "log"} {
			if strings.Count("\n"+out.String(), "\nok    "+name+" ")+strings.Count("\n"+out.String(), "\nFAIL  "+name+" ") != 1 {
				t.Errorf("%s: not one line about %s:\n%s", c.environ, name, &out)
			}
		}
	}
}
