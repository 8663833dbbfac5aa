package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"threadkeeper/agent/model"
	"threadkeeper/docs"
	"threadkeeper/docs/pdfium"
	"threadkeeper/memory"
)

// errGivenUp is why a message that no attempt could answer is given up.
var errGivenUp = errors.New("too many attempts")

// errBarred is why a file is not read that a guest posted, or that was posted where
// other workspaces read along.
var errBarred = errors.New("barred")

// sorry is an error in words. Code is for programs: one lower-case word or two.
type sorry struct {
	Code string
	Text string
}

// apology is what a person reads instead of err, in their words: what
// happened and what they can do.
func apology(w *wording, err error) sorry {
	var failed *model.Error
	switch {
	case errors.As(err, &failed):
		return modelApology(w, failed)
	case errors.Is(err, errGivenUp):
		return sorry{"gave_up", w.gaveUp}
	case errors.Is(err, context.DeadlineExceeded):
		return sorry{"timeout", w.timeout}
	case errors.Is(err, memory.ErrNotFound):
		return sorry{"not_found", w.notThere}
	}
	for _, f := range faults {
		if errors.Is(err, f.err) {
			return sorry{f.code, w.unread(w.aDocument, f.flaw(w))}
		}
	}
	return sorry{"failed", w.failed}
}

func modelApology(w *wording, err *model.Error) sorry {
	code := strings.ReplaceAll(string(err.Kind), " ", "_")
	switch err.Kind {
	case model.Auth:
		return sorry{code, w.auth}
	case model.Quota:
		return sorry{code, w.quota}
	case model.RateLimit:
		if err.RetryAfter > 0 {
			return sorry{code, fmt.Sprintf(w.rateLimitAt, pause(err.RetryAfter))}
		}
		return sorry{code, w.rateLimit}
	case model.Overloaded:
		return sorry{code, w.overloaded}
	case model.Timeout, model.Canceled:
		return sorry{code, w.timeout}
	case model.Unreachable:
		return sorry{code, w.unreachable}
	case model.BadRequest:
		return sorry{code, w.badRequest}
	case model.ContextTooLong:
		return sorry{code, w.tooLong}
	case model.Refused:
		return sorry{code, w.refused}
	case model.Truncated:
		return sorry{code, w.truncated}
	case model.NotFound:
		return sorry{"no_such_model", w.noModel}
	}
	return sorry{code, w.garbage}
}

// pause is a duration in short: "40 s", "3 min".
func pause(d time.Duration) string {
	if d < 2*time.Minute {
		return fmt.Sprintf("%d s", int(d.Round(time.Second).Seconds()))
	}
	return fmt.Sprintf("%d min", int((d+30*time.Second)/time.Minute))
}

// faults are what can be wrong with a file, with their words.
var faults = []struct {
	err  error
	code string
	flaw func(*wording) flaw
}{
	{docs.ErrEncrypted, "encrypted", func(w *wording) flaw { return w.encrypted }},
	{docs.ErrDamaged, "damaged", func(w *wording) flaw { return w.damaged }},
	{docs.ErrNotPDF, "not_a_pdf", func(w *wording) flaw { return w.notPDF }},
	{docs.ErrScanned, "scanned", func(w *wording) flaw { return w.scanned }},
	{docs.ErrEmpty, "empty", func(w *wording) flaw { return w.empty }},
	{docs.ErrTooLarge, "too_large", func(w *wording) flaw { return w.tooLarge }},
	{docs.ErrTooLong, "too_long", func(w *wording) flaw { return w.tooManyPages }},
	{docs.ErrTimeout, "file_timeout", func(w *wording) flaw { return w.slowFile }},
	{docs.ErrUnsupported, "unsupported", func(w *wording) flaw { return w.unsupported }},
	{docs.ErrGone, "file_gone", func(w *wording) flaw { return w.goneFile }},
	{errBarred, "barred", func(w *wording) flaw { return w.barred }},
	{pdfium.ErrNoEngine, "no_engine", func(w *wording) flaw { return w.noEngine }},
}

// fileApology says why a file was not read and what to do.
func fileApology(w *wording, name string, err error) string {
	return w.unread(plain(name), w.flaw(err))
}

// unread says that a file was not read, and its flaw.
func (w *wording) unread(name string, f flaw) string {
	return fmt.Sprintf(w.notRead, name, f.why, f.then)
}

// flaw is what is wrong with a file that could not be read because of err.
func (w *wording) flaw(err error) flaw {
	for _, f := range faults {
		if errors.Is(err, f.err) {
			return f.flaw(w)
		}
	}
	return w.unreadable
}

// docsFault is the error that left a document with this Reason.
func docsFault(reason string) error {
	for _, f := range faults {
		if f.err.Error() == reason {
			return f.err
		}
	}
	return errors.New(reason)
}

// reasonOf is what is stored of why a file was not read.
func reasonOf(err error) string {
	for _, f := range faults {
		if errors.Is(err, f.err) {
			return f.code
		}
	}
	return "failed"
}

// faultNamed is the error that reasonOf gave this code.
func faultNamed(code string) error {
	for _, f := range faults {
		if f.code == code {
			return f.err
		}
	}
	return errors.New(code)
}

// plain makes a name given by somebody safe inside a sentence of ours: one
// line, no markup, at most 80 runes.
func plain(name string) string {
	name = strings.Map(func(r rune) rune {
		switch {
		case r < ' ' || r == 0x7f:
			return ' '
		case strings.ContainsRune("`<>[]\\", r):
			return -1
		}
		return r
	}, name)
	name = strings.ReplaceAll(name, "@", "(at)")
	if runes := []rune(strings.TrimSpace(name)); len(runes) > 80 {
		return string(runes[:79]) + "…"
	}
	return strings.TrimSpace(name)
}
