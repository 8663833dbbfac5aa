package docs

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"threadkeeper/docs/ocr"
	"threadkeeper/docs/pdfium"
)

// faults are what can be wrong with a file. The text of one is the Reason of its document.
var faults = []error{ErrEncrypted, ErrDamaged, ErrNotPDF, ErrScanned, ErrEmpty, ErrTooLarge, ErrTooLong,
	ErrTimeout, ErrUnsupported, ErrPicture, ErrGone}

func faultOf(err error) string {
	for _, fault := range faults {
		if errors.Is(err, fault) {
			return fault.Error()
		}
	}
	return ""
}

func faultNamed(reason string) error {
	i := slices.IndexFunc(faults, func(fault error) bool { return fault.Error() == reason })
	if i < 0 {
		return errors.New(reason)
	}
	return faults[i]
}

// reasonOf is what a document that failed with err has as its Reason.
func reasonOf(err error) string {
	if reason := faultOf(err); reason != "" {
		return reason
	}
	if errors.Is(err, pdfium.ErrNoEngine) {
		return pdfium.ErrNoEngine.Error()
	}
	return "could not be read"
}

// engineFaults are the engine's words for ours.
var engineFaults = map[error]error{
	pdfium.ErrEncrypted: ErrEncrypted,
	pdfium.ErrDamaged:   ErrDamaged,
	pdfium.ErrTimeout:   ErrTimeout,
	pdfium.ErrMemory:    ErrTooLarge,
}

// ours makes an error of the engine one of this package.
func ours(err error) error {
	for theirs, fault := range engineFaults {
		if errors.Is(err, theirs) {
			return fmt.Errorf("%w: %w", fault, err)
		}
	}
	return err
}

// summary is what we know about a document's pages after reading them.
type summary struct {
	slides   bool
	omitted  string // what the file hides
	read     int    // pages
	chars    int
	text     []int // numbers of the pages that have text,
	scanned  []int // that are pictures without,
	unread   []int // that are pictures and will be read,
	pictures []int // that are pictures and were,
	failed   []int // that could not be read,
	cut      []int // that have only the beginning of theirs
	first    strings.Builder
}

// scannedShare is the share of pages from which on a document counts as scanned: a cover with text
// does not make it readable. A slide with text is read, however many pictures are around it.
const scannedShare = 0.9

// fault is why a document of these pages cannot be used, nil if it can.
func (s *summary) fault() error {
	switch {
	case len(s.unread) > 0:
		return nil
	case s.read > 0 && len(s.failed) == s.read:
		return ErrDamaged
	case len(s.scanned) > 0 && !s.slides && float64(len(s.scanned)) >= scannedShare*float64(s.read):
		return ErrScanned
	case len(s.text) == 0 && len(s.scanned) > 0:
		return ErrScanned
	case len(s.text) == 0:
		return ErrEmpty
	}
	return nil
}

// omissions says what was left out of a document of total pages, "" if nothing was. Each part but what the file hides
// begins with the text of a fault.
func (s *summary) omissions(total int) string {
	var parts []string
	if s.read < total {
		parts = append(parts, fmt.Sprintf("%v: only the first %d of %d pages were read", ErrTooLong, s.read, total))
	}
	if len(s.cut) > 0 {
		parts = append(parts, fmt.Sprintf("%v: of %s only the beginning was read", ErrTooLong, pageList(s.cut)))
	}
	if len(s.scanned) > 0 {
		parts = append(parts, fmt.Sprintf("%v: no text on %s; text on %s", ErrScanned, pageList(s.scanned), pageList(s.text)))
	}
	if len(s.pictures) > 0 {
		parts = append(parts, fmt.Sprintf("%v: the text of %s was read from its picture; %s stands behind numbers that may be wrong", ErrScanned, pageList(s.pictures), ocr.Unsure))
	}
	if len(s.unread) > 0 {
		parts = append(parts, fmt.Sprintf("%v: %s will still be read from its picture", ErrScanned, pageList(s.unread)))
	}
	if len(s.failed) > 0 {
		parts = append(parts, fmt.Sprintf("%v: %s could not be read", ErrDamaged, pageList(s.failed)))
	}
	if s.omitted != "" {
		parts = append(parts, s.omitted)
	}
	return strings.Join(parts, ". ")
}

// pageList writes ascending page numbers as "page 4" or "pages 1–3, 7".
func pageList(pages []int) string {
	if len(pages) == 1 {
		return "page " + PageList(pages)
	}
	return "pages " + PageList(pages)
}

// PageList writes ascending page numbers as "4" or "1–3, 7", without those over eight ranges.
func PageList(pages []int) string {
	const most = 8 // ranges
	var ranges []string
	for i := 0; i < len(pages); {
		j := i
		for j+1 < len(pages) && pages[j+1] == pages[j]+1 {
			j++
		}
		switch {
		case len(ranges) == most:
			return strings.Join(ranges, ", ") + ", …"
		case i == j:
			ranges = append(ranges, fmt.Sprint(pages[i]))
		default:
			ranges = append(ranges, fmt.Sprintf("%d–%d", pages[i], pages[j]))
		}
		i = j + 1
	}
	return strings.Join(ranges, ", ")
}
