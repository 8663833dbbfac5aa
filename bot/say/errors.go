package say

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"threadkeeper/agent/model"
	"threadkeeper/agent/spend"
	"threadkeeper/bot/platform"
	"threadkeeper/docs"
	"threadkeeper/docs/pdfium"
	"threadkeeper/memory"
	"threadkeeper/memory/reading"
)

// ErrGivenUp reports a message that no attempt could answer.
var ErrGivenUp = errors.New("too many attempts")

// ErrBarred reports a file that is not read because a guest posted it, or because other
// workspaces can read the channel.
var ErrBarred = errors.New("barred")

// UserError is an error in words. Code is for programs: one lower-case word or two.
type UserError struct {
	Code string
	Text string
}

// Explain puts err into words for a person: what happened and what they can
// do.
func Explain(w *Words, err error) UserError {
	var failed *model.Error
	var over *spend.OverError
	switch {
	case errors.As(err, &over):
		return UserError{"over_budget", fmt.Sprintf(w.OverBudget[string(over.Budget)], over.Opens.UTC().Format("15:04"), Pause(over.Wait))}
	case errors.As(err, &failed):
		return explainModel(w, failed)
	case errors.Is(err, ErrGivenUp):
		return UserError{"gave_up", w.GaveUp}
	case errors.Is(err, context.DeadlineExceeded):
		return UserError{"timeout", w.Timeout}
	case errors.Is(err, memory.ErrNotFound):
		return UserError{"not_found", w.NotThere}
	}
	for _, f := range faults {
		if errors.Is(err, f.err) {
			return UserError{f.code, w.unread(w.ADocument, f.flaw(w))}
		}
	}
	return UserError{"failed", w.Failed}
}

// ExplainCommand is Explain for a command or click that failed: it is given again, for nothing of it is kept.
func ExplainCommand(w *Words, err error) UserError {
	a := Explain(w, err)
	if a.Code == "failed" || a.Code == "gave_up" {
		a.Text = w.CommandFailed
	}
	return a
}

func explainModel(w *Words, err *model.Error) UserError {
	code := strings.ReplaceAll(string(err.Kind), " ", "_")
	switch {
	case err.Kind == model.RateLimit && err.RetryAfter > 0:
		return UserError{code, fmt.Sprintf(w.RateLimitAt, Pause(err.RetryAfter))}
	case err.Kind == model.NotFound:
		code = "no_such_model"
	}
	text := map[model.Kind]string{model.Auth: w.Auth, model.Quota: w.Quota, model.RateLimit: w.RateLimit, model.Overloaded: w.Overloaded, model.Timeout: w.Timeout,
		model.Canceled: w.Timeout, model.Unreachable: w.Unreachable, model.BadRequest: w.BadRequest, model.ContextTooLong: w.TooLong, model.Refused: w.Refused,
		model.Truncated: w.Truncated, model.NotFound: w.NoModel}[err.Kind]
	return UserError{code, cmp.Or(text, w.Garbage)}
}

// Waiting says why a model call is repeated, and when.
func Waiting(w *Words, why *model.Error, wait time.Duration) string {
	words := w.WaitDown
	if why.Kind == model.RateLimit {
		words = w.WaitLimited
	}
	return fmt.Sprintf(words, Pause(wait))
}

// Pause formats a duration briefly: "40 s", "3 min", "7 h"; one second at least.
func Pause(d time.Duration) string {
	if d >= 2*time.Hour {
		return fmt.Sprintf("%d h", int((d+30*time.Minute)/time.Hour))
	}
	if d < 2*time.Minute {
		return fmt.Sprintf("%d s", max(1, int(d.Round(time.Second).Seconds())))
	}
	return fmt.Sprintf("%d min", int((d+30*time.Second)/time.Minute))
}

// FileUnreached is the code of a file that could not be downloaded, though its platform may still have it.
const FileUnreached = "file_unreached"

// faults are the possible problems of a file, with their codes and words.
var faults = []struct {
	err  error
	code string
	flaw func(*Words) Flaw
}{
	{docs.ErrEncrypted, "encrypted", func(w *Words) Flaw { return w.Encrypted }},
	{docs.ErrDamaged, "damaged", func(w *Words) Flaw { return w.Damaged }},
	{docs.ErrNotPDF, "not_a_pdf", func(w *Words) Flaw { return w.NotPDF }},
	{docs.ErrScanned, "scanned", func(w *Words) Flaw { return w.Scanned }},
	{docs.ErrEmpty, "empty", func(w *Words) Flaw { return w.Empty }},
	{docs.ErrTooLarge, "too_large", func(w *Words) Flaw { return w.TooLarge }},
	{docs.ErrTooLong, "too_long", func(w *Words) Flaw { return w.TooManyPages }},
	{docs.ErrTimeout, "file_timeout", func(w *Words) Flaw { return w.SlowFile }},
	{docs.ErrUnsupported, "unsupported", func(w *Words) Flaw { return w.Unsupported }},
	{docs.ErrPicture, "other_picture", func(w *Words) Flaw { return w.OtherPicture }},
	{platform.ErrFileGone, "file_gone", func(w *Words) Flaw { return w.GoneFile }},
	{docs.ErrGone, FileUnreached, func(w *Words) Flaw { return w.UnreachedFile }},
	{ErrBarred, "barred", func(w *Words) Flaw { return w.Barred }},
	{pdfium.ErrNoEngine, "no_engine", func(w *Words) Flaw { return w.NoEngine }},
}

// ExplainFile says why a file was not read and what to do.
func ExplainFile(w *Words, name string, err error) string {
	return w.unread(Name(name), w.Flaw(err))
}

// unread says that a file was not read, and its flaw.
func (w *Words) unread(name string, f Flaw) string {
	return fmt.Sprintf(w.NotRead, name, f.Why, f.Then)
}

// Flaw says why a file could not be read because of err.
func (w *Words) Flaw(err error) Flaw {
	for _, f := range faults {
		if errors.Is(err, f.err) {
			return f.flaw(w)
		}
	}
	return w.Unreadable
}

// FaultOf returns the error behind a document's Reason.
func FaultOf(reason string) error {
	for _, f := range faults {
		if f.err.Error() == reason {
			return f.err
		}
	}
	return errors.New(reason)
}

// FaultCode returns the code stored for why a file was not read.
func FaultCode(err error) string {
	for _, f := range faults {
		if errors.Is(err, f.err) {
			return f.code
		}
	}
	return "failed"
}

// FaultNamed returns the error of a FaultCode.
func FaultNamed(code string) error {
	for _, f := range faults {
		if f.code == code {
			return f.err
		}
	}
	return errors.New(code)
}

// Quote makes a setting that somebody typed safe inside a list of ours: one line, no markup.
func Quote(text string) string {
	text = strings.Join(strings.Fields(strings.NewReplacer("`", "'", "<", "‹", ">", "›", "@", "(at)").Replace(text)), " ")
	if text == "" {
		return ""
	}
	return "`" + text + "`"
}

// Name is Plain for a sentence that is Markdown: a file's name keeps its underscores.
func Name(name string) string { return reading.Literal(Plain(name)) }

// Plain makes a name given by somebody safe inside a sentence of ours: one
// line, no markup, nothing invisible, at most 80 runes.
func Plain(name string) string {
	name = strings.Map(func(r rune) rune {
		if strings.ContainsRune("`<>[]\\", r) {
			return -1
		}
		return r
	}, reading.CollapseSpace(reading.Visible(reading.CollapseSpace(name))))
	return reading.Shorten(strings.TrimSpace(strings.ReplaceAll(name, "@", "(at)")), 80)
}
