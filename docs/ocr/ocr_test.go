package ocr

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestEngineFilesAreThoseThatWereChecked(t *testing.T) {
	needEngine(t)
	makefile, err := os.ReadFile(filepath.Join("..", "..", "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{engineFile: engineSum, englishFile: englishSum} {
		b, err := engineFiles.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != want {
			t.Errorf("docs/ocr/%s is not the file that was checked (SHA-256 %x): run `make engine`", name, sum)
		}
		if !bytes.Contains(makefile, []byte(want)) {
			t.Errorf("the Makefile does not check the SHA-256 of %s", name)
		}
	}
}

func TestLanguagesComeFromAFolder(t *testing.T) {
	needEngine(t)
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "deu.traineddata"), []byte("a model"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (Languages{Names: "deu+eng", Folder: folder}).Check(); err != nil {
		t.Error(err)
	}
	for _, names := range []string{"fra", "eng+fra", "../deu", "eng+"} {
		if err := (Languages{Names: names, Folder: folder}).Check(); !errors.Is(err, ErrLanguage) {
			t.Errorf("%q: %v", names, err)
		}
	}
}
