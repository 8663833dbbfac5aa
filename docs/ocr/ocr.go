// Package ocr reads text from pictures of pages.
//
// It owns the engine (Tesseract compiled to WebAssembly) and its language models. It runs in the
// calling process, which must be a worker of package pdfium: pictures are as hostile as the
// files they come from.
package ocr

import (
	"bytes"
	"compress/gzip"
	"embed"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"threadkeeper/docs/sandbox"
)

// engineFiles holds the engine and the model of English once `make engine` has put them there; the
// directory's README is committed, so that the package also compiles without them.
//
//go:embed data
var engineFiles embed.FS

const (
	engineFile  = "data/tesseract.wasm"
	englishFile = "data/eng.traineddata.gz"
)

// The SHA-256 of those files; the Makefile checks the same.
const (
	engineSum  = "34e8d50cac216427d86bf397d610fdd9f49492539bbcdfbfccc4eda20c810bea"
	englishSum = "45b4cb346724ac1774f1c36f42f182b887bcdb28ebe63e6fff90ac41f3fcff91"
)

var (
	// ErrNoEngine: the program was built without the engine.
	ErrNoEngine = errors.New("what reads scans is not part of this build: run `make` to obtain it and build again")
	// ErrLanguage: a language's model is missing or invalid.
	ErrLanguage = errors.New("there is no such language for scans")
	// ErrPicture: the picture broke the engine.
	ErrPicture = errors.New("the picture cannot be read")
)

// English is the language that is built into the program.
const English = "eng"

const maxModel = 64 << 20 // bytes of one language

// Languages are the expected languages of pages, by Tesseract's names, and the
// folder with NAME.traineddata of those other than English, "" for none.
type Languages struct {
	Names  string // "eng", "deu+eng"; "" = English
	Folder string
}

var languageName = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{1,30}$`)

func (l Languages) names() []string {
	if l.Names == "" {
		return []string{English}
	}
	return strings.Split(l.Names, "+")
}

// Check reports why pages cannot be read in these languages: ErrNoEngine, or an error that wraps ErrLanguage.
func (l Languages) Check() error {
	if err := sandbox.Supported(); err != nil {
		return err
	}
	if _, err := fs.Stat(engineFiles, engineFile); err != nil {
		return ErrNoEngine
	}
	for _, name := range l.names() {
		if !languageName.MatchString(name) {
			return fmt.Errorf("%w: %q", ErrLanguage, name)
		}
		if _, err := os.Stat(l.path(name)); l.Folder != "" && err == nil {
			continue
		}
		if _, err := fs.Stat(engineFiles, englishFile); name != English || err != nil {
			return fmt.Errorf("%w: %s", ErrLanguage, l.path(name))
		}
	}
	return nil
}

func (l Languages) path(name string) string { return filepath.Join(l.Folder, name+".traineddata") }

// models are the languages' files by the paths that the engine opens.
func (l Languages) models() (map[string][]byte, error) {
	if err := l.Check(); err != nil {
		return nil, err
	}
	models := map[string][]byte{}
	for _, name := range l.names() {
		model, err := l.model(name)
		if err != nil {
			return nil, fmt.Errorf("%w: %s: %w", ErrLanguage, name, err)
		}
		models[modelPath+"/"+name+".traineddata"] = model
	}
	return models, nil
}

func (l Languages) model(name string) ([]byte, error) {
	if l.Folder != "" {
		f, err := os.Open(l.path(name))
		if err == nil {
			defer f.Close()
			return io.ReadAll(io.LimitReader(f, maxModel))
		}
		if name != English {
			return nil, err
		}
	}
	packed, err := engineFiles.ReadFile(englishFile)
	if err != nil {
		return nil, err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(unpacked, maxModel))
}
