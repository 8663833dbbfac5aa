package pdfium

import (
	"context"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"sync"
	"time"
)

// Options of an Engine; the zero value has the defaults.
type Options struct {
	Workers     int           // files read at the same time, each in a process of its own; default 1
	MemoryMB    int           // MiB of memory a file may use in the engine; default 256, at most 4096
	FileTimeout time.Duration // of work per call, without the worker's start and the caller's own part; default 20 s
	CacheDir    string        // for the compiled engine; default: "threadkeeper" in the user's cache directory
	Log         *slog.Logger  // default: none
}

func (o Options) withDefaults() Options {
	if o.Workers <= 0 {
		o.Workers = 1
	}
	if o.MemoryMB <= 0 {
		o.MemoryMB = 256
	}
	o.MemoryMB = min(o.MemoryMB, 4096) // a 32-bit address space
	if o.FileTimeout <= 0 {
		o.FileTimeout = 20 * time.Second
	}
	if o.CacheDir == "" {
		o.CacheDir = defaultCacheDir()
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Engine reads PDF files in worker processes. It may be used by several goroutines: when all
// workers are busy a call waits for its turn.
type Engine struct {
	o       Options
	slots   chan *worker // one entry per worker allowed; nil = not running
	closing context.Context
	end     context.CancelFunc
	closed  sync.Once
}

// New starts nothing: a worker is started when a call first needs it, kept for the next, and
// replaced after it was killed or has stopped.
func New(o Options) *Engine {
	e := &Engine{o: o.withDefaults()}
	e.slots = make(chan *worker, e.o.Workers)
	for range e.o.Workers {
		e.slots <- nil
	}
	e.closing, e.end = context.WithCancel(context.Background())
	return e
}

// Close ends running calls, which return an error, and waits for every worker to be gone.
func (e *Engine) Close() error {
	e.closed.Do(func() {
		e.end()
		for range e.o.Workers {
			if w := <-e.slots; w != nil {
				w.discard()
			}
		}
	})
	return nil
}

// Page is one page of a document.
type Page struct {
	Number    int    // 1-based
	Text      string // what is visible, in reading order; lines end in '\n', a divided word in "-\n"
	Scanned   bool   // a picture of a page: hardly any text, and images over at least half of it
	Truncated bool   // Text was cut by Limits
	Failed    string // why the page could not be read; "" if it was
}

// Pages calls each with the pages of a PDF, in order, as they are read, and returns how many pages
// the document has, which may be more than Limits let through. One bad page is delivered with
// its reason in Failed; Pages fails if no page can be read, with ErrEncrypted,
// ErrDamaged, ErrMemory, ErrTimeout, ErrNoEngine, the context's error, or the error of each, which
// ends the reading and is returned as it is.
func (e *Engine) Pages(ctx context.Context, data []byte, l Limits, each func(total int, p Page) error) (total int, err error) {
	var stopped error
	err = e.request(ctx, data, request{Limits: l}, func(w *worker) error {
		var head opened
		if err := w.expect(kindOpened, &head); err != nil {
			return err
		}
		if head.Total < 1 {
			return fmt.Errorf("%w: %d pages", errFrame, head.Total)
		}
		total = head.Total
		return w.pages(l, total, func(p Page) error {
			if stopped = each(total, p); stopped != nil {
				return errEnough
			}
			return nil
		})
	})
	if stopped != nil {
		return total, stopped
	}
	if err != nil {
		return total, fmt.Errorf("pdfium: %w", err)
	}
	return total, nil
}

// errEnough: the caller wants no more of what the worker is still sending.
var errEnough = errors.New("reading ended by the caller")

// pages receives pages until the worker is done; it believes neither order nor size.
func (w *worker) pages(l Limits, total int, each func(Page) error) error {
	m := meter{limits: l}
	for number := 1; ; number++ {
		k, payload, err := w.receive()
		if err != nil || k == kindDone {
			return err
		}
		var p Page
		if k != kindPage {
			return fmt.Errorf("%w: kind %d among pages", errFrame, k)
		}
		if err := decode(payload, &p); err != nil {
			return err
		}
		if p.Number != number || number > l.pages(total) || m.full {
			return fmt.Errorf("%w: page %d as number %d of %d", errFrame, p.Number, number, total)
		}
		if err := each(m.count(p)); err != nil {
			return err
		}
	}
}

// Picture draws a page (1-based) at dpi pixels per inch (0 = 150), but never larger than 8 megapixels,
// and highlights the quote. found says whether the quote, or a beginning or end of it of at
// least 12 characters, is on the page; a picture is returned either way. White space, case, accents,
// ligatures, hyphens and the shape of quotation marks do not matter. The errors are those of Pages,
// and ErrNoPage.
func (e *Engine) Picture(ctx context.Context, data []byte, page int, quote string, dpi int) (img *image.RGBA, found bool, err error) {
	if page < 1 {
		return nil, false, fmt.Errorf("pdfium: %w: page %d", ErrNoPage, page)
	}
	const maxQuote = 8000 // bytes; far more than fits a citation
	quote, _ = cut(quote, maxQuote)
	err = e.request(ctx, data, request{Page: page, Quote: quote, DPI: dpi}, func(w *worker) error {
		var head picture
		if err := w.expect(kindPicture, &head); err != nil {
			return err
		}
		k, pixels, err := w.receive()
		if err != nil {
			return err
		}
		wide, high := head.Width, head.Height
		if k != kindPixels || min(wide, high) < 1 || max(wide, high) > maxPictureSide || len(pixels) != 4*wide*high {
			return fmt.Errorf("%w: %d bytes for a picture of %d × %d", errFrame, len(pixels), wide, high)
		}
		img = &image.RGBA{Pix: pixels, Stride: 4 * wide, Rect: image.Rect(0, 0, wide, high)}
		found = head.Found
		return nil
	})
	if err != nil {
		return nil, false, fmt.Errorf("pdfium: %w", err)
	}
	return img, found, nil
}

// request has a worker answer one request about a file.
func (e *Engine) request(ctx context.Context, data []byte, q request, read func(*worker) error) error {
	if err := available(engineFiles); err != nil {
		return err
	}
	if len(data) == 0 {
		return fmt.Errorf("%w: it is empty", ErrDamaged)
	}
	if len(data) >= e.o.MemoryMB<<20 {
		return ErrMemory
	}
	w, err := e.acquire(ctx)
	if err != nil {
		return err
	}
	defer func() { e.slots <- w }()
	if w, err = e.ready(ctx, w); err != nil {
		return err
	}
	release := w.guard(ctx, e.closing, e.o.FileTimeout)
	inStep := false // worker and parent agree that the request is over
	defer func() {
		if !release() || !inStep {
			w.discard()
			w = nil
		}
	}()
	err = w.ask(data, q, read)
	var told failure
	inStep = err == nil || errors.As(err, &told)
	if errors.Is(err, errStopped) {
		err = fmt.Errorf("%w: %v", ErrDamaged, err)
	}
	return err
}

// ready returns a worker to use: the slot's own, or a new one if there is none or it has died or
// hangs since its last request.
func (e *Engine) ready(ctx context.Context, w *worker) (*worker, error) {
	if w != nil {
		release := w.guard(ctx, e.closing, pingTimeout)
		err := w.ping()
		if release() && err == nil {
			return w, nil
		}
		w.discard()
	}
	w, err := startWorker(ctx, e.closing, e.o)
	if err != nil {
		return nil, err
	}
	e.o.Log.Debug("pdf worker started", "pid", w.cmd.Process.Pid)
	return w, nil
}

// acquire waits for a free slot.
func (e *Engine) acquire(ctx context.Context) (*worker, error) {
	if e.closing.Err() != nil {
		return nil, errClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	select {
	case w := <-e.slots:
		return w, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-e.closing.Done():
		return nil, errClosed
	}
}

func (w *worker) ask(data []byte, q request, read func(*worker) error) error {
	if err := w.send(kindRequest, q); err != nil {
		return err
	}
	if err := w.sendFile(data); err != nil {
		return err
	}
	return read(w)
}
