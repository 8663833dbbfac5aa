package docs

import (
	"bytes"
	"context"

	"threadkeeper/docs/pdfium"
)

// A file that is no PDF is looked at, and read, by a worker process: what unpacks, decodes or
// splits a hostile file may take what memory and time it wants to.
func init() { pdfium.ReadPlain = readPlain }

// readPlain determines the kind of a file that is not a PDF, and reads it, or decodes it if it is a picture.
func readPlain(data []byte, name, media string, l pdfium.Limits) (p pdfium.Plain, fault string) {
	k, err := kindOf(data, name, media)
	switch {
	case err != nil:
	case k.picture():
		p.Kind = string(k)
		p.Picture, err = decodePicture(k, data, l.Large)
	default:
		var cut bool
		if p.Pages, cut, err = readParts(k, data, l.Chars); cut && len(p.Pages) > 0 {
			p.Pages[len(p.Pages)-1].Truncated = true
		}
		p.Kind, p.Total = string(k), len(p.Pages)
	}
	if err == nil {
		return p, ""
	}
	if fault = faultOf(err); fault == "" {
		fault = ErrDamaged.Error()
	}
	return pdfium.Plain{}, fault
}

// seemsPDF decides by first bytes, name and media type whether a file is read as a PDF.
func seemsPDF(data []byte, name, media string) (bool, error) {
	ext := ending(name)
	switch {
	case len(data) == 0:
		return false, ErrEmpty
	case bytes.Contains(data[:min(len(data), headerReach)], []byte("%PDF-")):
		return true, nil
	case ext == ".pdf" || media == string(kindPDF):
		return false, ErrNotPDF
	}
	return false, nil
}

// recognise determines the kind of a file of this name, and reads it unless it is a PDF or has been read before.
func (x *Index) recognise(ctx context.Context, f *file, name string, unseen bool) error {
	pdf, err := seemsPDF(f.data, name, f.media)
	if err != nil {
		return err
	}
	if f.kind = kindPDF; pdf {
		return nil
	}
	if f.kind, err = x.known(ctx, f.sum); err != nil || f.kind != "" { // starting a worker takes longer than all else
		return err
	}
	err = x.readOther(ctx, f, name, unseen)
	f.kind = kind(f.Kind)
	return err
}

// readOther reads a file of this name that is no PDF. Without an Engine, as in tests of other packages, it does so in this process.
func (x *Index) readOther(ctx context.Context, f *file, name string, unseen bool) (err error) {
	limits := pdfium.Limits{Pages: x.Limits.Pages, Chars: x.Limits.Chars, Large: unseen && x.ReadsScans()}
	var fault string
	if x.Engine == nil {
		f.Plain, fault = readPlain(f.data, name, f.media, limits)
	} else if f.Plain, fault, err = x.Engine.Plain(ctx, f.data, name, f.media, limits); err != nil {
		return ours(err)
	}
	if fault != "" {
		return faultNamed(fault)
	}
	return nil
}
