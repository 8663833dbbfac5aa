package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"threadkeeper/memory"
)

// TestDoctorQuick: a health check tells a program that works from none, and from one that hangs.
func TestDoctorQuick(t *testing.T) {
	dir := t.TempDir()
	quick := func(want int) {
		t.Helper()
		var out, said strings.Builder
		if code := run(t.Context(), []string{"doctor", "--quick", "--db", "a.db"}, system{Dir: dir, Out: &out, Err: &said, Environ: []string{"CACHE_DIR=" + dir}}); code != want {
			t.Errorf("exit %d, want %d: %s%s", code, want, out.String(), said.String())
		}
	}
	quick(exitFailed)
	store, err := memory.Open(t.Context(), filepath.Join(dir, "a.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer store.Close()
	quick(exitOK)
	old := time.Now().Add(-2 * signEvery)
	if err := os.Chtimes(filepath.Join(dir, "a.db.lock"), old, old); err != nil {
		t.Fatal(err)
	}
	quick(exitFailed)
	if err := store.Checkpoint(t.Context()); err != nil {
		t.Fatal(err)
	}
	quick(exitOK)
	// As after a crash: the lock's file stays, and nobody holds it.
	if err := store.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(filepath.Join(dir, "a.db.lock"), time.Now(), time.Now()); err != nil {
		t.Fatal(err)
	}
	quick(exitFailed)
}
