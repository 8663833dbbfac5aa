package pdfium

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
)

// Page is one page of a document.
type Page struct {
	Number    int       // 1-based
	Label     string    // what a part of a file that is no PDF is called; "" for a page
	Text      string    // what is visible, in reading order; lines end in '\n', a divided word in "-\n"
	Scanned   bool      // a picture of a page: hardly any text, and images over at least half of it
	Truncated bool      // Text was cut by Limits, or has not all form fields and comments
	Failed    string    // why the page could not be read; "" if it was
	Omitted   string    `json:",omitempty"` // what the file has and does not show; of its first page
	Headings  []Heading `json:",omitempty"`
}

// Pages calls each with the pages of a PDF, in order, as they are read, and returns how many pages
// the document has, which may be more than Limits allow. A single bad page is delivered with
// its reason in Failed; Pages fails if no page can be read, with ErrEncrypted,
// ErrDamaged, ErrMemory, ErrTimeout, ErrNoEngine, the context's error, or the error of each, which
// ends the reading and is returned unchanged.
//
// A long document is read by several workers, if they are idle. Each opens it and reads
// every n-th page; one that is ahead waits until its pages are wanted. If a worker breaks,
// the rest of its own pages is lost.
func (e *Engine) Pages(ctx context.Context, data []byte, l Limits, each func(total int, p Page) error) (total int, err error) {
	first, err := e.hire(ctx, data)
	if err != nil {
		return 0, fmt.Errorf("pdfium: %w", err)
	}
	team := []*job{first}
	defer func() {
		for _, j := range team {
			j.end()
		}
	}()
	if total, err = first.open(data, l); err != nil {
		return 0, fmt.Errorf("pdfium: %w", err)
	}
	team = append(team, e.helpers(ctx, data, l, total)...)
	var stopped error
	err = deliver(team, l, total, func(p Page) error {
		stopped = each(total, p)
		return stopped
	})
	if stopped != nil {
		return total, stopped
	}
	if err != nil {
		return total, fmt.Errorf("pdfium: %w", err)
	}
	return total, nil
}

// open asks a worker for the pages of a file and returns how many there are.
func (j *job) open(data []byte, l Limits) (total int, err error) {
	err = j.do(func(w *worker) error {
		if err := w.ask(data, request{Limits: l}); err != nil {
			return err
		}
		var head opened
		if err := w.expect(kindOpened, &head); err != nil {
			return err
		}
		if total = head.Total; total < 1 {
			return fmt.Errorf("%w: %d pages", errFrame, total)
		}
		return nil
	})
	return total, err
}

// helperPages is how many pages a worker must get to be worth another opening of the file.
const helperPages = 12

// helpers are the idle workers that share the pages of a document, none if it is short. One that
// cannot open it is left out.
func (e *Engine) helpers(ctx context.Context, data []byte, l Limits, total int) []*job {
	var hired []*job
	var mu sync.Mutex
	var all sync.WaitGroup
	for range l.pages(total)/helperPages - 1 {
		w, idle := e.idle()
		if !idle {
			break
		}
		all.Go(func() {
			j, err := e.start(ctx, rolePDF, w, e.o.FileTimeout)
			if err != nil {
				return
			}
			if n, err := j.open(data, l); err != nil || n != total {
				j.end()
				return
			}
			mu.Lock()
			hired = append(hired, j)
			mu.Unlock()
		})
	}
	all.Wait()
	return hired
}

// deliver receives the pages from the workers that share them; it believes neither order nor size.
func deliver(team []*job, l Limits, total int, each func(Page) error) error {
	for i, j := range team {
		share := share{First: i + 1, Step: len(team)}
		if err := j.do(func(w *worker) error { return w.send(kindShare, share) }); err != nil {
			return err
		}
	}
	m := meter{limits: l}
	broken := make([]error, len(team))
	read := 0
	for number := 1; number <= l.pages(total) && !m.full; number++ {
		i := (number - 1) % len(team)
		p := Page{Number: number}
		if broken[i] == nil {
			var err error
			if p, err = team[i].page(number); err != nil {
				if broken[i] = err; !ownFault(err) || !slices.Contains(broken, nil) {
					return err
				}
			}
		}
		if broken[i] != nil {
			p = Page{Number: number, Failed: broken[i].Error()}
		}
		if p.Failed == "" {
			read++
		}
		if err := each(m.count(p)); err != nil {
			return err
		}
	}
	return finish(team, broken, m.full, read)
}

func (j *job) page(number int) (p Page, err error) {
	err = j.do(func(w *worker) error {
		k, payload, err := w.receive()
		if err != nil {
			return err
		}
		if k != kindPage {
			return fmt.Errorf("%w: kind %d instead of page %d", errFrame, k, number)
		}
		if err := decode(payload, &p); err != nil {
			return err
		}
		if p.Number != number {
			return fmt.Errorf("%w: page %d instead of %d", errFrame, p.Number, number)
		}
		return nil
	})
	return p, err
}

// finish ends the request on the workers that are not broken. Those that still read when the
// limit of characters is reached are left to be replaced.
func finish(team []*job, broken []error, full bool, read int) error {
	for i, j := range team {
		if broken[i] != nil || full && len(team) > 1 {
			continue
		}
		broken[i] = j.do(func(w *worker) error { return w.expect(kindDone, nil) })
		if broken[i] != nil && !ownFault(broken[i]) {
			return broken[i]
		}
		j.over = true
	}
	if read > 0 {
		return nil
	}
	return cmp.Or(broken...)
}

// ownFault reports whether an error is a worker's own: it told a failure or stopped. What the
// others read is good.
func ownFault(err error) bool {
	var told failure
	return errors.As(err, &told) || errors.Is(err, errStopped)
}
