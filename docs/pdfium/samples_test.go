package pdfium

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestSamplesAreWhatTheirProgramWrites(t *testing.T) {
	dir := t.TempDir()
	if out, err := exec.Command("go", "run", "-buildvcs=false", "../testdata/make", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	made, err := filepath.Glob(filepath.Join(dir, "*.pdf"))
	if err != nil || len(made) < 10 {
		t.Fatalf("%d files, %v", len(made), err)
	}
	for _, path := range made {
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := read(t, filepath.Base(path)); !bytes.Equal(got, want) {
			t.Errorf("docs/testdata/%s is out of date: go run ./docs/testdata/make", filepath.Base(path))
		}
	}
}
