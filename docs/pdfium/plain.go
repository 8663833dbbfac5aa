package pdfium

import (
	"context"
	"errors"
	"fmt"
	"image"
	"io"
	"os"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Plain is the text read from a file that is not a PDF.
type Plain struct {
	Kind  string
	Total int    // pages of the file, which may be more than Limits let through
	Pages []Page // in order; those of most kinds are parts, with a label

	Picture *image.RGBA // of a file that is one, which has no pages; else nil
}

// ReadPlain reads a file that is not a PDF, inside a worker, by its bytes, its name and its stated media
// type. fault says what is wrong with a file that cannot be read. Package docs sets it
// before main begins.
var ReadPlain func(data []byte, name, media string, l Limits) (p Plain, fault string)

// exitMemory is the exit code of a worker whose file needs more memory than it may use.
const exitMemory = 3

// watchMemory ends this process when it uses more memory than limit bytes.
func watchMemory(limit uint64) {
	debug.SetMemoryLimit(int64(limit * 3 / 4)) // from there on garbage is looked for more often
	used := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	for {
		metrics.Read(used)
		if used[0].Value.Uint64() > limit {
			os.Exit(exitMemory)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func answerPlain(data []byte, q request, out io.Writer) error {
	if ReadPlain == nil {
		return errors.New("this program reads only PDFs")
	}
	p, fault := ReadPlain(data, q.Name, q.Media, q.Limits)
	pages := p.Pages[:min(len(p.Pages), q.Limits.pages(len(p.Pages)))]
	if err := writeJSON(out, kindPlain, plain{Kind: p.Kind, Fault: fault, Total: p.Total, Pages: len(pages), Picture: p.Picture != nil}); err != nil {
		return err
	}
	if p.Picture != nil {
		if err := writePicture(out, p.Picture, false); err != nil {
			return err
		}
	}
	for _, page := range pages {
		if err := writeJSON(out, kindPage, page); err != nil {
			return err
		}
	}
	err := writeFrame(out, kindDone, nil)
	debug.FreeOSMemory() // the worker waits for the next file, perhaps for days
	return err
}

// Plain reads a file that is not a PDF, in a worker of its own kind. fault comes from ReadPlain. The errors are those of Pages without ErrEncrypted.
func (e *Engine) Plain(ctx context.Context, data []byte, name, media string, l Limits) (p Plain, fault string, err error) {
	if len(data) >= e.o.PlainMemoryMB<<20 {
		return p, "", ErrMemory
	}
	j, err := e.take(ctx, rolePlain, e.o.FileTimeout)
	if err == nil {
		err = j.once(data, request{Name: name, Media: media, Limits: l}, func(w *worker) (err error) {
			p, fault, err = w.readPlain(l)
			return err
		})
	}
	if err != nil {
		return Plain{}, "", fmt.Errorf("read: %w", err)
	}
	return p, fault, nil
}

// maxPlain is how many bytes of text the parent takes of one file.
const maxPlain = 256 << 20

func (w *worker) readPlain(l Limits) (p Plain, fault string, err error) {
	var head plain
	if err := w.expect(kindPlain, &head); err != nil {
		return p, "", err
	}
	if head.Pages < 0 || head.Pages > l.pages(head.Total) {
		return p, "", fmt.Errorf("%w: %d of %d pages", errFrame, head.Pages, head.Total)
	}
	if head.Picture && head.Pages > 0 {
		return p, "", fmt.Errorf("%w: a picture with %d pages", errFrame, head.Pages)
	}
	size := 0
	for number := 1; number <= head.Pages; number++ {
		var page Page
		if err := w.expect(kindPage, &page); err != nil {
			return p, "", err
		}
		if size += len(page.Text); page.Number != number || size > maxPlain {
			return p, "", fmt.Errorf("%w: page %d after %d bytes", errFrame, page.Number, size)
		}
		p.Pages = append(p.Pages, page)
	}
	if head.Picture {
		if p.Picture, _, err = w.picture(); err != nil {
			return p, "", err
		}
	}
	p.Kind, p.Total = head.Kind, head.Total
	return p, head.Fault, w.expect(kindDone, nil)
}
