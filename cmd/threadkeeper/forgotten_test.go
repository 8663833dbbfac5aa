package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestNothingIsLeftAfterForgetting looks for what was said, answered, folded, read from a file and corrected, in all files beside the
// database, in what is exported and reported, and in the log at its most talkative.
func TestNothingIsLeftAfterForgetting(t *testing.T) {
	dir := t.TempDir()
	var log bytes.Buffer
	do := func(in string, args ...string) string {
		t.Helper()
		var out bytes.Buffer
		s := system{In: strings.NewReader(in), Out: &out, Err: &log, Dir: dir,
			Environ: []string{"HOME=" + dir, "CACHE_DIR=" + cacheDir(), "TOKEN_THRESHOLD=1200", "LOG_LEVEL=debug"}}
		if got := run(t.Context(), append(args, "--db", filepath.Join(dir, "test.db")), s); got != exitOK {
			t.Fatalf("%q: status %d: %s%s", args, got, out.String(), log.String())
		}
		return out.String()
	}
	file := filepath.Join(t.TempDir(), "badges.txt")
	if err := os.WriteFile(file, []byte("The badge of the vault bears the number QZX-8W731, and Quentulus guards it."), 0o600); err != nil {
		t.Fatal(err)
	}
	said := "The badge code of the vault is QZX-8W731 and Quentulus guards it.\nWhat is the badge code of the vault?\n/memory remember Quentulus likes tea.\n"
	for i := range 60 {
		said += fmt.Sprintf("Ordinary remark number %d is about the weather in Hull in spring, and about QZX-8W731.\n", i)
	}
	do(said+"/memory search badge code\n", "chat")
	do("", "ask", "--thread", "main", "Who guards the badge of the vault?", file)
	secrets := []string{"QZX-8W731", "qzx-8w731", "8W731", "8w731", "Quentulus", "quentulu"}
	found := func() (hits []string) {
		all := map[string][]byte{"the log": log.Bytes()}
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() {
				all[filepath.Base(path)], err = os.ReadFile(path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, command := range [][]string{{"export"}, {"export", "--format", "markdown"}, {"report"}, {"usage"}} {
			all[strings.Join(command, " ")] = []byte(do("", command...))
		}
		for name, data := range all {
			for _, secret := range secrets {
				if n := bytes.Count(data, []byte(secret)); n > 0 {
					hits = append(hits, fmt.Sprintf("%s %d times in %s", secret, n, name))
				}
			}
		}
		return hits
	}
	if hits := found(); len(hits) < 8 {
		t.Fatalf("nothing was kept: %q", hits)
	}
	log.Reset()
	do("/docs remove badges.txt\n/memory forget all --yes\n", "chat")
	if hits := found(); len(hits) > 0 {
		t.Errorf("%q", hits)
	}
}
