package pdfium

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"threadkeeper/docs/ocr"
)

// Parent and worker exchange frames over the worker's stdin and stdout: one byte of kind, the
// payload's length as four little-endian bytes, the payload (JSON, except for file and pixels).
//
//	parent              worker
//	setup            →
//	                 ←  ready | failed
//	ping             →
//	                 ←  ready
//	request, file    →
//	                 ←  opened
//	share            →
//	                 ←  page…, done                    (pages)
//	                 ←  picture, pixels                (picture)
//	                 ←  words                          (a picture of a page)
//	                 ←  plain, page…, done             (a file that is no PDF)
//	                 ←  plain, picture, pixels, done   (one that is a picture)
//	                 ←  failed                         (at any point; ends the request)
type kind byte

const (
	kindSetup kind = 'S' + iota
	kindReady
	kindPing
	kindRequest
	kindFile
	kindOpened
	kindShare
	kindPage
	kindPicture
	kindPixels
	kindDone
	kindFailed
	kindPlain
	kindWords
)

const (
	maxControl = 1 << 16                     // bytes of a frame that is neither file, page nor pixels
	maxPage    = 6*maxPageChars + maxControl // bytes: a character is at most 6 bytes of JSON
	maxPixels  = 4 * maxPictureArea          // bytes of RGBA
)

// setup is what a worker must know before its first file.
type setup struct {
	MemoryMB  int
	CacheDir  string // "" = compile at each start
	Role      role
	Languages ocr.Languages // of scans
}

// role is what a worker is for; it is asked nothing else.
type role int

const (
	rolePDF   role = iota
	rolePlain      // files that are no PDFs
	roleScan       // pictures of pages
	roles
)

// request asks for the text of all pages (Page 0), for a picture of one page (1-based), or for the text
// of a file that is no PDF (Plain).
type request struct {
	Name       string `json:",omitempty"`
	Media      string `json:",omitempty"`
	Limits     Limits
	Page       int
	Quote      string
	DPI        int
	Marked     []ocr.Box `json:",omitempty"` // what is highlighted on a scan
	Grey       bool      `json:",omitempty"` // without any highlight, and grey
	Wide, High int       `json:",omitempty"` // of a picture to be read, which comes in the place of a file
}

// opened says that the document could be read and has Total pages.
type opened struct{ Total int }

// share tells a worker which pages are its: First (1-based) and every Step-th after it.
type share struct{ First, Step int }

// plain announces Pages of the Total pages of a file that is no PDF, or its Picture.
type plain struct {
	Kind, Fault  string
	Total, Pages int
	Picture      bool
}

// picture announces Width × Height pixels in the next frame: RGBA, or grey if that was asked for.
type picture struct {
	Width, Height int
	Found         bool
	DPI           int `json:",omitempty"` // of a grey one
}

// failure carries an error across the process boundary. Code names a sentinel, "" for any other.
type failure struct{ Code, Text string }

var errFrame = errors.New("malformed message between parent and worker")

// writeFrame writes one frame in a single call when it is small.
func writeFrame(w io.Writer, k kind, payload []byte) error {
	if uint64(len(payload)) > 1<<32-1 {
		return fmt.Errorf("%w: %d bytes", errFrame, len(payload))
	}
	head := binary.LittleEndian.AppendUint32([]byte{byte(k)}, uint32(len(payload)))
	if len(payload) <= maxControl {
		_, err := w.Write(append(head, payload...))
		return err
	}
	if _, err := w.Write(head); err != nil {
		return err
	}
	_, err := w.Write(payload)
	return err
}

func writeJSON(w io.Writer, k kind, v any) error {
	b, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return writeFrame(w, k, b)
}

// readFrame reads one frame. limit gives the most bytes a kind may have; a kind it answers with a
// negative number, and a longer frame, are refused before anything is allocated.
func readFrame(r io.Reader, limit func(kind) int64) (kind, []byte, error) {
	var head [5]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	k, n := kind(head[0]), int64(binary.LittleEndian.Uint32(head[1:]))
	if m := limit(k); n > m {
		return 0, nil, fmt.Errorf("%w: kind %d with %d bytes", errFrame, k, n)
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(r, b); err != nil {
		return 0, nil, err
	}
	return k, b, nil
}

// fromWorker bounds what a worker may send.
func fromWorker(k kind) int64 {
	switch k {
	case kindReady, kindOpened, kindPicture, kindDone, kindFailed, kindPlain:
		return maxControl
	case kindPage, kindWords:
		return maxPage
	case kindPixels:
		return maxPixels
	}
	return -1
}

// fromParent bounds what a parent may send: no file is larger than the memory it is read into.
func fromParent(memoryMB int) func(kind) int64 {
	return func(k kind) int64 {
		switch k {
		case kindSetup, kindPing, kindRequest, kindShare:
			return maxControl
		case kindFile:
			return int64(memoryMB) << 20
		}
		return -1
	}
}

var codes = map[string]error{
	"engine": ErrNoEngine, "encrypted": ErrEncrypted, "damaged": ErrDamaged,
	"timeout": ErrTimeout, "memory": ErrMemory, "page": ErrNoPage,
	"language": ocr.ErrLanguage, "no-ocr": ocr.ErrNoEngine,
}

func newFailure(err error) failure {
	for code, sentinel := range codes {
		if errors.Is(err, sentinel) {
			return failure{Code: code, Text: err.Error()}
		}
	}
	return failure{Text: err.Error()}
}

// Error and Unwrap make a failure the error it was on the other side.
func (f failure) Error() string { return f.Text }
func (f failure) Unwrap() error { return codes[f.Code] }
