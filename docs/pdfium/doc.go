// Package pdfium reads untrusted PDF files: the text of each page in reading
// order, whether a page is a scan, and a picture of a page with a quote highlighted.
//
// It owns the engine (PDFium compiled to WebAssembly, run by wazero) and the worker process that
// runs it. A file meets three walls: the WebAssembly sandbox (no file system, no network, a
// memory limit), a subprocess with an empty environment that is killed when a file takes too
// long, and a parent that limits and checks everything the subprocess sends. The worker is this same
// program started again, so every main and every TestMain that may read a file must begin with
// ServeIfWorker.
//
// Workers also read files that are not PDFs, without the sandbox: package docs supplies the reader (ReadPlain),
// and a worker that uses too much memory exits.
package pdfium

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"

	"threadkeeper/docs/sandbox"
)

// engineFiles holds pdfium.wasm once `make engine` has put it there; the directory's README is
// committed, so that the package also compiles without it.
//
//go:embed wasm
var engineFiles embed.FS

const engineFile = "wasm/pdfium.wasm"

// engineSum is the SHA-256 of pdfium.wasm in @embedpdf/pdfium 2.15.1; the Makefile checks the same.
const engineSum = "5e4cd023c3dad4a895b3571ca573d3fc51bac6de48360d95283134385b954eaa"

// Version names the engine of this build, or says that there is none.
func Version() string {
	if available(engineFiles) != nil {
		return "none in this build"
	}
	return "PDFium of @embedpdf/pdfium 2.15.1"
}

// Errors that a caller can distinguish with errors.Is. Any other error is the machine's fault (no
// subprocess could be started, say), not the file's.
var (
	// ErrNoEngine: the program was built without pdfium.wasm.
	ErrNoEngine = errors.New("the PDF engine is not part of this build: run `make` to obtain it and build again")
	// ErrEncrypted: the file opens only with a password.
	ErrEncrypted = errors.New("the file is protected by a password")
	// ErrDamaged: the file is empty, cut short, not a PDF, or breaks the engine.
	ErrDamaged = errors.New("the file is damaged or is not a PDF")
	// ErrTimeout: the file took longer than Options.FileTimeout.
	ErrTimeout = errors.New("the file took too long to read")
	// ErrMemory: the file needs more memory than Options.MemoryMB.
	ErrMemory = errors.New("the file needs more memory than is allowed")
	// ErrNoPage: Picture was asked for a page that the document does not have.
	ErrNoPage = errors.New("the document has no such page")
)

var errClosed = errors.New("the engine is closed")

// available reports why the engine cannot run in this build on this machine, if it cannot.
func available(files fs.FS) error {
	if err := sandbox.Supported(); err != nil {
		return fmt.Errorf("read a PDF: %w", err)
	}
	if _, err := fs.Stat(files, engineFile); err != nil {
		return ErrNoEngine
	}
	return nil
}
