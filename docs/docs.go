// Package docs reads documents and searches them: it ingests PDF, DOCX, ODT, XLSX, PPTX, HTML and
// text files, e-mails, scans and pictures, searches their passages, checks that a quote is on
// its page and draws that page. It is a Go package; the project's documentation is
// README.md and threadkeeper help. It owns the tables contents, blobs, documents, pages and passages.
package docs

import (
	"errors"
	"io"
	"log/slog"
	"sync"

	"threadkeeper/docs/pdfium"
	"threadkeeper/memory"
)

// Reasons why a file is not read. errors.go of package bot/say has a sentence for each.
var (
	ErrEncrypted   = errors.New("encrypted")     // needs a password
	ErrDamaged     = errors.New("damaged")       // of its kind, but cannot be read
	ErrNotPDF      = errors.New("not a pdf")     // named .pdf, is something else
	ErrScanned     = errors.New("scanned")       // pictures of pages, no text
	ErrEmpty       = errors.New("empty")         // no bytes, or no text and no pictures
	ErrTooLarge    = errors.New("too large")     // over Limits.Bytes
	ErrTooLong     = errors.New("too long")      // over Limits.Pages or Limits.Chars: read in part, never returned
	ErrTimeout     = errors.New("timed out")     // took longer than the engine allows
	ErrUnsupported = errors.New("unsupported")   // voice, archives and other kinds
	ErrPicture     = errors.New("picture")       // of a kind that no model is sent
	ErrNotFound    = errors.New("not on page")   // a quote that is nowhere in its document; Verify only
	ErrGone        = errors.New("not to be had") // the platform no longer has the file
)

// Limits limit the cost of one file. 0 means no limit.
type Limits struct {
	Bytes int64 // default 50 MB
	Pages int   // default 1,500 (MAX_PAGES)
	Chars int   // of the whole document; default 10 million
}

// Index is the searchable store of documents. It is also a langchaingo
// schema.Retriever (see Retriever). Several goroutines may use it; it must not be copied. Without
// an Engine it reads everything except PDFs, in this process; with one, nothing is parsed here.
type Index struct {
	Store  *memory.Store
	Engine *pdfium.Engine
	Limits Limits
	Log    *slog.Logger

	Weights *Weights // of the search; nil: Fitted. To measure others.

	busy sync.Map // by the SHA-256 of the files being read: a channel, closed afterwards

	mu   sync.Mutex
	left chan struct{} // see unread; guarded by mu

	periods  map[int64]period        // by content, of first pages; guarded by mu
	outlines map[outlineOf][]Heading // guarded by mu
}

// Upload is a file that somebody posted.
type Upload struct {
	Session   *memory.Session
	MessageID int64
	PersonID  int64
	Name      string // as shown to people; untrusted
	Media     string // as the platform says; a hint
	Data      io.Reader
	Shared    bool // for the whole channel, not only for the session
	Unseen    bool // if it is a picture: no model looks at it, so its text is read
}

// Progress says how much of a document has been read.
type Progress struct {
	Document string
	Page     int // 1-based; pages stored so far
	Pages    int
}

// Scope says what a search may look at: the documents an audience may read, or
// only those of them that are named by id.
type Scope struct {
	Audience  memory.Audience
	Documents []int64
}

// Passage is a piece of about 900 characters of one page, as a search result.
type Passage struct {
	ID         int64
	DocumentID int64
	Document   string // its name
	Page       int    // 1-based
	Text       string
	Head       string  // of the table that Text begins within, see Index.Head; repeated, no part of Text
	Score      float64 // 0 to 1: the share of all that could speak for it
}

// Citation is a document, a page and a verbatim quote.
type Citation = memory.Citation
