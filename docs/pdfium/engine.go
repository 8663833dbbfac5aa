package pdfium

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"log/slog"
	"sync"
	"time"

	"threadkeeper/docs/ocr"
	"threadkeeper/docs/sandbox"
)

// Options of an Engine; the zero value has the defaults.
type Options struct {
	Workers  int // processes that read files, several of them one long file; default 1
	MemoryMB int // MiB of memory a file may use in the engine; default 256, at most 4096
	// PlainMemoryMB is the MiB of memory a file that is no PDF may use while it is read; default 512.
	PlainMemoryMB int
	Languages     ocr.Languages // of scans; default English
	// FileTimeout is what a call may wait for a worker, without its start and the caller's own part, and on Linux until it has
	// used as much processor time, at most ten times as long; default 20 s.
	FileTimeout time.Duration
	CacheDir    string       // for the compiled engine; default: "threadkeeper" in the user's cache directory
	Log         *slog.Logger // default: none
}

func (o Options) withDefaults() Options {
	o.Workers = cmp.Or(o.Workers, 1)
	o.MemoryMB = min(cmp.Or(o.MemoryMB, 256), 4096) // a 32-bit address space
	o.PlainMemoryMB = cmp.Or(o.PlainMemoryMB, 512)
	o.FileTimeout = cmp.Or(o.FileTimeout, 20*time.Second)
	o.CacheDir = cmp.Or(o.CacheDir, sandbox.CacheDir())
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// Engine reads files in worker processes: PDFs, others, and pictures of pages. It may be used by several goroutines: when all
// workers are busy a call waits for its turn.
type Engine struct {
	o       Options
	slots   [roles]chan *worker // one entry per worker allowed; nil = not running
	closing context.Context
	end     context.CancelFunc
	closed  sync.Once
}

// New starts nothing: a worker is started when a call first needs it, kept for the next, and
// replaced after it was killed or has exited.
func New(o Options) *Engine {
	e := &Engine{o: o.withDefaults()}
	for i := range e.slots {
		e.slots[i] = make(chan *worker, e.o.Workers)
		for range e.o.Workers {
			e.slots[i] <- nil
		}
	}
	e.closing, e.end = context.WithCancel(context.Background())
	return e
}

// Close ends running calls, which return an error, and waits for every worker to exit.
func (e *Engine) Close() error {
	e.closed.Do(func() {
		e.end()
		for _, slots := range e.slots {
			for range e.o.Workers {
				if w := <-slots; w != nil {
					w.discard()
				}
			}
		}
	})
	return nil
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
	quote, _ = Cut(quote, maxQuote)
	return e.draw(ctx, data, request{Page: page, Quote: quote, DPI: dpi})
}

// MarkedPicture draws a page as Picture does, with boxes highlighted in the place of a quote.
func (e *Engine) MarkedPicture(ctx context.Context, data []byte, page int, boxes []ocr.Box, dpi int) (*image.RGBA, error) {
	const maxBoxes = 500
	img, _, err := e.draw(ctx, data, request{Page: max(1, page), Marked: boxes[:min(len(boxes), maxBoxes)], DPI: dpi})
	return img, err
}

func (e *Engine) draw(ctx context.Context, data []byte, q request) (img *image.RGBA, found bool, err error) {
	j, err := e.hire(ctx, data)
	if err == nil {
		err = j.once(data, q, func(w *worker) (err error) {
			img, found, err = w.picture()
			return err
		})
	}
	if err != nil {
		return nil, false, fmt.Errorf("pdfium: %w", err)
	}
	return img, found, nil
}

// picture receives one in colour.
func (w *worker) picture() (img *image.RGBA, found bool, err error) {
	head, pixels, err := w.pixels(4)
	if err != nil {
		return nil, false, err
	}
	return &image.RGBA{Pix: pixels, Stride: 4 * head.Width, Rect: image.Rect(0, 0, head.Width, head.Height)}, head.Found, nil
}

// pixels receives a picture of so many bytes a pixel, whose size it does not believe.
func (w *worker) pixels(each int) (head picture, pixels []byte, err error) {
	if err := w.expect(kindPicture, &head); err != nil {
		return head, nil, err
	}
	k, pixels, err := w.receive()
	if err != nil {
		return head, nil, err
	}
	wide, high := head.Width, head.Height
	if k != kindPixels || min(wide, high) < 1 || max(wide, high) > maxPictureSide || len(pixels) != each*wide*high {
		return head, nil, fmt.Errorf("%w: %d bytes for a picture of %d × %d", errFrame, len(pixels), wide, high)
	}
	return head, pixels, nil
}

// job is a request under way on one worker.
type job struct {
	slots   chan *worker // that the worker's is of
	worker  *worker
	release func() bool
	over    bool // worker and parent agree that the request is over
}

// hire waits for a worker that may be asked about a file.
func (e *Engine) hire(ctx context.Context, data []byte) (*job, error) {
	if err := available(engineFiles); err != nil {
		return nil, err
	}
	if len(data) == 0 {
		return nil, fmt.Errorf("%w: it is empty", ErrDamaged)
	}
	if len(data) >= e.o.MemoryMB<<20 {
		return nil, ErrMemory
	}
	return e.take(ctx, rolePDF, e.o.FileTimeout)
}

// take waits for a worker of a role and makes it ready.
func (e *Engine) take(ctx context.Context, as role, limit time.Duration) (*job, error) {
	w, err := e.acquire(ctx, e.slots[as])
	if err != nil {
		return nil, err
	}
	return e.start(ctx, as, w, limit)
}

// start makes the worker of an acquired slot ready. The slot is given back if that fails, else by
// the job's end.
func (e *Engine) start(ctx context.Context, as role, w *worker, limit time.Duration) (*job, error) {
	w, err := e.ready(ctx, w, as)
	if err != nil {
		e.slots[as] <- nil
		return nil, err
	}
	return &job{slots: e.slots[as], worker: w, release: w.guard(ctx, e.closing, limit)}, nil
}

// once asks the worker about a file, receives its answer and ends the job.
func (j *job) once(data []byte, q request, receive func(*worker) error) error {
	defer j.end()
	return j.do(func(w *worker) error {
		err := w.ask(data, q)
		if err == nil {
			err = receive(w)
		}
		j.over = err == nil
		return err
	})
}

// do runs an exchange with the worker. A failure that the worker tells ends the request.
func (j *job) do(exchange func(*worker) error) error {
	err := exchange(j.worker)
	var told failure
	if errors.As(err, &told) {
		j.over = true
	}
	switch {
	case errors.Is(err, errStopped) && j.worker.exitCode() == exitMemory:
		err = ErrMemory
	case errors.Is(err, errStopped):
		err = fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return err
}

// end gives the slot back, with the worker if it is still good.
func (j *job) end() {
	if !j.release() || !j.over {
		j.worker.discard()
		j.worker = nil
	}
	j.slots <- j.worker
}

// ready returns a worker to use: the slot's own, or a new one if there is none or it has died or
// hangs since its last request.
func (e *Engine) ready(ctx context.Context, w *worker, as role) (*worker, error) {
	if w != nil {
		release := w.guard(ctx, e.closing, pingTimeout)
		err := w.ping()
		if release() && err == nil {
			return w, nil
		}
		w.discard()
	}
	w, err := startWorker(ctx, e.closing, e.o, as)
	if err != nil {
		return nil, fmt.Errorf("start the PDF worker (main must begin with pdfium.ServeIfWorker): %w", err)
	}
	e.o.Log.Debug("pdf worker started", "pid", w.cmd.Process.Pid)
	return w, nil
}

// acquire waits for a free slot.
func (e *Engine) acquire(ctx context.Context, slots chan *worker) (*worker, error) {
	if e.closing.Err() != nil {
		return nil, errClosed
	}
	if err := ctx.Err(); err != nil {
		return nil, context.Cause(ctx)
	}
	select {
	case w := <-slots:
		return w, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	case <-e.closing.Done():
		return nil, errClosed
	}
}

// idle takes the slot of a worker that nobody uses, if there is one.
func (e *Engine) idle() (w *worker, ok bool) {
	select {
	case w := <-e.slots[rolePDF]:
		return w, true
	default:
		return nil, false
	}
}

func (w *worker) ask(data []byte, q request) error {
	if err := w.send(kindRequest, q); err != nil {
		return err
	}
	return w.sendFile(data)
}
