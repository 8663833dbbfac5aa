package ocr

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"threadkeeper/docs/sandbox"
)

const (
	modelPath    = "/tessdata"
	modeLSTM     = 1 // OEM_LSTM_ONLY
	automatic    = 3 // PSM_AUTO
	instanceLife = 8 // pictures; memory fills over many
)

// MaxArea is the most pixels of a picture.
const MaxArea = 25_000_000

// Picture is a grey picture: one byte a pixel, white is 255, lines without gaps.
type Picture struct {
	Width, Height int
	DPI           int // pixels an inch; 0 = not known
	Pixels        []byte
}

// Reader reads pictures, one after the other, in one process.
type Reader struct {
	module    *sandbox.Module
	files     *files
	languages string
	in        *sandbox.Instance // nil = none that can be used
	api       uint64
	life      int // pictures that it may still read
}

// New compiles the engine, or finds it compiled in cacheDir. The errors are those of Languages.Check and the
// machine's.
func New(ctx context.Context, l Languages, memoryMB int, cacheDir string) (*Reader, error) {
	models, err := l.models()
	if err != nil {
		return nil, err
	}
	code, err := engineFiles.ReadFile(engineFile)
	if err != nil {
		return nil, ErrNoEngine
	}
	f := &files{models: models, open: map[uint32]*openFile{}, next: 10}
	module, err := sandbox.Compile(ctx, code, memoryMB, cacheDir, sandbox.Names{Malloc: malloc, Free: free}, link(f))
	if err != nil {
		return nil, fmt.Errorf("what reads scans: %w", err)
	}
	return &Reader{module: module, files: f, languages: strings.Join(l.names(), "+")}, nil
}

// Close ends the engine.
func (r *Reader) Close() { r.module.Close() }

// Read returns the text of a picture, which may lie on its side or upside down. The error is sandbox.ErrMemory or
// wraps ErrPicture.
func (r *Reader) Read(ctx context.Context, p Picture) (Text, error) {
	if p.Width < 1 || p.Height < 1 || p.Width*p.Height > MaxArea || len(p.Pixels) != p.Width*p.Height {
		return Text{}, fmt.Errorf("%w: %d bytes of %d × %d pixels", ErrPicture, len(p.Pixels), p.Width, p.Height)
	}
	best, err := r.read(ctx, p)
	if err == nil && doubtful(best) {
		var turned []word
		if turned, err = r.read(ctx, p.turn()); certainty(turned) >= doubtfulBelow {
			best = backFrom(turned, p)
		}
	}
	if err != nil {
		return Text{}, err
	}
	return textOf(best, p.Width, p.Height), nil
}

// read returns the words of a picture as it lies.
func (r *Reader) read(ctx context.Context, p Picture) ([]word, error) {
	if r.in == nil {
		if err := r.renew(ctx); err != nil {
			return nil, err
		}
	}
	in := r.in
	pixels := in.Alloc(uint32(len(p.Pixels)))
	copy(in.View(pixels, uint32(len(p.Pixels))), p.Pixels)
	in.Call(setImage, r.api, uint64(pixels), uint64(p.Width), uint64(p.Height), 1, uint64(p.Width), 1, 0)
	in.Free(pixels) // it has made its own
	if p.DPI > 0 {
		in.Call(setResolution, r.api, uint64(p.DPI))
	}
	in.Call(recognise, r.api, 0)
	table := uint32(in.Call(getTSV, r.api, 0))
	text := in.Text(table)
	in.Free(table)
	in.Call(clearAPI, r.api)
	err := in.Err()
	if r.life--; err != nil || r.life == 0 {
		r.drop()
	}
	if err != nil && !errors.Is(err, sandbox.ErrMemory) {
		err = fmt.Errorf("%w: %w", ErrPicture, err)
	}
	return words(text), err
}

func (r *Reader) drop() {
	r.in.Close()
	r.in = nil
	clear(r.files.open)
}

// renew starts an engine that has read nothing.
func (r *Reader) renew(ctx context.Context) (err error) {
	if r.in, err = r.module.Instance(ctx); err != nil {
		return fmt.Errorf("start what reads scans: %w", err)
	}
	in := r.in
	in.Call(start)
	r.api = in.Call(newAPI)
	failed := in.Call(initAPI, r.api, r.text(modelPath), r.text(r.languages), modeLSTM)
	in.Call(setSegmentation, r.api, automatic)
	if err = in.Err(); err == nil && int32(failed) != 0 {
		err = fmt.Errorf("%w: %s", ErrLanguage, r.languages)
	}
	if err != nil {
		r.drop()
		return fmt.Errorf("start what reads scans: %w", err)
	}
	r.life = instanceLife
	return nil
}

// text puts s into the engine's memory, for the life of the instance.
func (r *Reader) text(s string) uint64 {
	p := r.in.Alloc(uint32(len(s) + 1))
	copy(r.in.View(p, uint32(len(s)+1)), s+"\x00")
	return uint64(p)
}
