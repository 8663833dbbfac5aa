package pdfium

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"os/signal"

	"threadkeeper/docs/ocr"
	"threadkeeper/docs/sandbox"
)

// A worker is this program started with workerArg and with workerEnv in an otherwise empty
// environment. The variable also marks a program that forgot ServeIfWorker: it must not
// start workers in turn.
const (
	workerArg = "pdf-worker"
	workerEnv = "THREADKEEPER_PDF_WORKER"
)

// ServeIfWorker turns this process into a PDF worker, and never returns, if an Engine started it as
// one. Otherwise it does nothing. It must be the first line of main and of TestMain.
func ServeIfWorker() {
	if os.Getenv(workerEnv) == "" || len(os.Args) < 2 || os.Args[1] != workerArg {
		return
	}
	signal.Ignore(os.Interrupt) // Ctrl-C in a terminal is for the parent to answer
	out := os.Stdout
	os.Stdout = os.Stderr // whatever else prints must not break the protocol
	if err := serve(context.Background(), os.Stdin, out); err != nil {
		fmt.Fprintln(os.Stderr, "pdf worker:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

type message struct {
	kind    kind
	payload []byte
}

// serve answers requests until the parent is gone.
func serve(ctx context.Context, in io.Reader, out io.Writer) error {
	k, payload, err := readFrame(in, fromParent(0))
	if err != nil {
		return err
	}
	var o setup
	if k != kindSetup {
		return fmt.Errorf("%w: kind %d before the setup", errFrame, k)
	}
	if err := json.Unmarshal(payload, &o); err != nil {
		return fmt.Errorf("%w: %v", errFrame, err)
	}
	d := desk{role: o.Role}
	switch o.Role {
	case rolePlain:
		go watchMemory(uint64(o.MemoryMB) << 20)
	case roleScan:
		if d.reader, err = ocr.New(ctx, o.Languages, o.MemoryMB, o.CacheDir); err != nil {
			return writeJSON(out, kindFailed, newFailure(err))
		}
		defer d.reader.Close()
	default:
		if d.box, err = newSandbox(ctx, o.MemoryMB, o.CacheDir); err != nil {
			return writeJSON(out, kindFailed, newFailure(err))
		}
		defer d.box.Close()
	}
	if err := writeFrame(out, kindReady, nil); err != nil {
		return err
	}

	// Reading continues while a file is processed, so that a dead parent is noticed.
	messages := make(chan message)
	go func() {
		for {
			k, payload, err := readFrame(in, fromParent(o.MemoryMB))
			if errors.Is(err, io.EOF) {
				os.Exit(0)
			}
			if err != nil {
				fmt.Fprintln(os.Stderr, "pdf worker:", err)
				os.Exit(1)
			}
			messages <- message{k, payload}
		}
	}()
	for {
		if err := d.answer(ctx, messages, out); err != nil {
			return err
		}
	}
}

type desk struct {
	role   role
	box    *sandbox.Module // of one that reads PDFs
	reader *ocr.Reader     // of one that reads pictures of pages
}

// answer serves one request. Its error is the connection's; a file's error is sent.
func (d *desk) answer(ctx context.Context, messages <-chan message, out io.Writer) error {
	head := <-messages
	if head.kind == kindPing {
		return writeFrame(out, kindReady, nil)
	}
	file := <-messages
	if head.kind != kindRequest || file.kind != kindFile {
		return fmt.Errorf("%w: kinds %d and %d for a request", errFrame, head.kind, file.kind)
	}
	var q request
	if err := json.Unmarshal(head.payload, &q); err != nil {
		return fmt.Errorf("%w: %v", errFrame, err)
	}
	var err error
	switch {
	case d.role == rolePlain:
		err = answerPlain(file.payload, q, out)
	case d.role == roleScan:
		err = answerScan(ctx, d.reader, file.payload, q, out)
	case q.Page == 0:
		err = answerPages(ctx, d.box, file.payload, q.Limits, messages, out)
	default:
		err = answerPicture(ctx, d.box, file.payload, q, out)
	}
	if err != nil {
		return writeJSON(out, kindFailed, newFailure(err))
	}
	return nil
}

// maxFaults is how many pages of a document may break the engine before the rest is given up.
const maxFaults = 3

// reader reads the pages of one file and gets a new engine whenever one has broken.
type reader struct {
	box    *sandbox.Module
	data   []byte
	doc    *document
	since  int   // pages read since the document was opened
	faults int   // pages that broke an engine of their own
	err    error // why the first bad page is bad
	good   bool  // a page could be read
}

// read returns a page. One that breaks a used engine is tried again in a new one, because memory
// also fills over many innocent pages; one that breaks a new engine is failed.
func (r *reader) read(ctx context.Context, number, maxChars int) (Page, error) {
	for {
		p, err := r.doc.read(number, maxChars)
		if err == nil {
			r.since++
			if p.Failed == "" {
				r.good = true
			} else if r.err == nil {
				r.err = fmt.Errorf("%w: page %d: %s", ErrDamaged, number, p.Failed)
			}
			return p, nil
		}
		fresh := r.since == 0
		if fresh {
			if r.faults++; r.faults == maxFaults {
				return p, err
			}
		}
		r.doc.close()
		doc, openErr := open(ctx, r.box, r.data)
		if openErr != nil {
			return p, openErr
		}
		r.doc, r.since = doc, 0
		if fresh {
			if p.Failed = err.Error(); r.err == nil {
				r.err = fmt.Errorf("page %d: %w", number, err)
			}
			return p, nil
		}
	}
}

// answerPages streams its share of the pages within the limits. It fails if not one of them could be
// read.
func answerPages(ctx context.Context, box *sandbox.Module, data []byte, l Limits, messages <-chan message, out io.Writer) error {
	doc, err := open(ctx, box, data)
	if err != nil {
		return err
	}
	r := &reader{box: box, data: data, doc: doc}
	defer func() { r.doc.close() }()
	total := doc.total
	if err := writeJSON(out, kindOpened, opened{Total: total}); err != nil {
		return err
	}
	part := <-messages
	var mine share
	if err := json.Unmarshal(part.payload, &mine); err != nil || part.kind != kindShare || mine.First < 1 || mine.Step < 1 {
		return fmt.Errorf("%w: kind %d for a share", errFrame, part.kind)
	}
	m := meter{limits: l} // of these pages only: the parent counts them all
	for number := mine.First; number <= l.pages(total) && !m.full; number += mine.Step {
		p, err := r.read(ctx, number, m.allowed())
		if err != nil {
			return err
		}
		if err := writeJSON(out, kindPage, m.count(p)); err != nil {
			return err
		}
	}
	if !r.good {
		return r.err
	}
	return writeFrame(out, kindDone, nil)
}

func answerPicture(ctx context.Context, box *sandbox.Module, data []byte, q request, out io.Writer) error {
	doc, err := open(ctx, box, data)
	if err != nil {
		return err
	}
	defer doc.close()
	if q.Page > doc.total {
		return fmt.Errorf("%w: page %d of %d", ErrNoPage, q.Page, doc.total)
	}
	p, err := doc.page(q.Page)
	if errors.Is(err, errPageLoad) {
		return fmt.Errorf("%w: page %d cannot be loaded", ErrDamaged, q.Page)
	}
	if err != nil {
		return err
	}
	if q.Grey {
		return answerGrey(p, q.DPI, out)
	}
	highlights := p.find(q.Quote)
	img, err := p.draw(q.DPI, highlights)
	if err != nil {
		return err
	}
	marked := make([]image.Rectangle, len(q.Marked))
	for i, box := range q.Marked {
		marked[i] = box.On(img.Rect.Dx(), img.Rect.Dy())
	}
	multiplyYellow(img, marked)
	return writePicture(out, img, len(highlights)+len(q.Marked) > 0)
}

// writePicture sends pixels that begin at the picture's corner and lie without gaps.
func writePicture(out io.Writer, img *image.RGBA, found bool) error {
	if err := writeJSON(out, kindPicture, picture{Width: img.Rect.Dx(), Height: img.Rect.Dy(), Found: found}); err != nil {
		return err
	}
	return writeFrame(out, kindPixels, img.Pix)
}
