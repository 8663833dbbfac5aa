package docs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/uptrace/bun"

	"threadkeeper/docs/pdfium"
	"threadkeeper/memory"
)

type file struct {
	data         []byte
	sum          string // SHA-256, in hex
	media        string // as stated by who sent it
	kind         kind
	pdfium.Plain // the text read, unless it is a PDF or known; Picture is set for a picture
}

// Add reads a document. The same bytes are read once; when posted again they only get another document,
// and when the same message posts them again not even that. A ready document with a Reason was read
// in part.
//
// If a file cannot be read, both results are set: the document, listed as failed with its Reason,
// and an error that wraps one of this package's sentinels or pdfium.ErrNoEngine. If ctx ends
// first, the document stays memory.DocumentReading, and Add of the same bytes continues where this
// call stopped. The error is memory.ErrNotFound, and the document nil, if it was removed meanwhile.
//
// progress, which may be nil, is called after each batch of pages is stored.
func (x *Index) Add(ctx context.Context, in Upload, progress func(Progress)) (*memory.Document, error) {
	d := &memory.Document{SessionID: in.Session.ID, ChannelID: in.Session.ChannelID, MessageID: in.MessageID,
		PersonID: in.PersonID, Name: cleanName(in.Name), Shared: in.Shared}
	d.NameTerms = nameTerms(d.Name)
	if progress == nil {
		progress = func(Progress) {}
	}
	f, err := x.receive(ctx, in, d.Name)
	if err == nil {
		err = x.ingest(ctx, d, f, in.Unseen, progress)
	}
	if err == nil {
		return d, nil
	}
	err = fmt.Errorf("docs: read %s: %w", d.Name, err)
	switch {
	case errors.Is(err, memory.ErrNotFound):
		return nil, err
	case ctx.Err() == nil && d.State != memory.DocumentFailed: // else it waits, or was settled with its content
		d.State, d.Reason = memory.DocumentFailed, reasonOf(err)
		if stored := x.Store.Write(ctx, func(ctx context.Context, tx bun.Tx) error { return x.put(ctx, tx, d) }); stored != nil {
			err = errors.Join(err, stored)
		}
	}
	if d.ID == 0 {
		return nil, err
	}
	return d, err
}

// receive takes an upload into memory and recognises it.
func (x *Index) receive(ctx context.Context, in Upload, name string) (*file, error) {
	source, limit := in.Data, x.Limits.Bytes
	if limit > 0 {
		source = io.LimitReader(source, limit+1)
	}
	data, err := io.ReadAll(source)
	if err != nil && !errors.Is(err, ErrGone) {
		err = fmt.Errorf("%w: %w", ErrGone, err)
	}
	if err != nil {
		return nil, err
	}
	if limit > 0 && int64(len(data)) > limit {
		return nil, ErrTooLarge
	}
	sum := sha256.Sum256(data)
	f := &file{data: data, sum: hex.EncodeToString(sum[:]), media: in.Media}
	return f, x.recognise(ctx, f, name, in.Unseen)
}

// ingest gives d its content, reading it if that has not been done.
func (x *Index) ingest(ctx context.Context, d *memory.Document, f *file, unseen bool, progress func(Progress)) error {
	unlock, err := x.lock(ctx, f.sum)
	if err != nil {
		return err
	}
	defer unlock()
	if f.Picture != nil {
		return x.keepPicture(ctx, d, f, unseen)
	}
	c, err := x.open(ctx, d, f)
	if err != nil {
		return err
	}
	switch c.State {
	case contentReady:
		return nil
	case contentFailed:
		return faultNamed(c.Reason)
	}
	state := contentReady
	r := &ingest{index: x, content: c, file: f, name: d.Name, progress: progress, stored: c.PagesDone}
	reason, fault := r.run(ctx)
	if fault != nil {
		if reason = faultOf(fault); reason == "" {
			return fault // not the file's: another time it may be read
		}
		state = contentFailed
	}
	if err := x.settle(ctx, c, state, reason); err != nil {
		return err
	}
	if fault == nil && len(r.summary.unread) > 0 {
		err := x.readScans(ctx, c, scansAtOnce, func(unread int) {
			progress(Progress{Document: d.Name, Page: c.PagesDone - unread, Pages: c.PagesDone})
		})
		if err != nil {
			return err
		}
		if c.State == contentFailed {
			fault = faultNamed(c.Reason)
		}
	}
	d.State, d.Reason = memory.DocumentState(c.State), c.Reason
	return fault
}

// lock keeps others, also in other processes, from reading the same bytes at the same time.
func (x *Index) lock(ctx context.Context, sum string) (unlock func(), err error) {
	mine := make(chan struct{})
	for {
		others, busy := x.busy.LoadOrStore(sum, mine)
		if !busy {
			break
		}
		select {
		case <-others.(chan struct{}):
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
	free := func() {
		x.busy.Delete(sum)
		close(mine)
	}
	release, err := x.Store.HoldWhenFree(ctx, "content "+sum)
	if err != nil {
		free()
		return nil, err
	}
	return func() { release(); free() }, nil
}
