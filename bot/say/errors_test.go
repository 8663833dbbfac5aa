package say

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"threadkeeper/agent/model"
	"threadkeeper/bot/platform"
	"threadkeeper/docs"
	"threadkeeper/docs/pdfium"
)

func TestErrorsSayWhatToDo(t *testing.T) {
	for _, c := range []struct {
		err        error
		code, want string
	}{
		{&model.Error{Kind: model.Auth}, "auth", "OPENAI_API_KEY"},
		{&model.Error{Kind: model.RateLimit, RetryAfter: 40 * time.Second}, "rate_limit", "try again in 40 s"},
		{&model.Error{Kind: model.RateLimit, RetryAfter: 10 * time.Minute}, "rate_limit", "try again in 10 min"},
		{&model.Error{Kind: model.RateLimit}, "rate_limit", "in a minute"},
		{&model.Error{Kind: model.Quota}, "quota", "credit"},
		{&model.Error{Kind: model.NotFound}, "no_such_model", "MODEL"},
		{&model.Error{Kind: model.Unreachable}, "unreachable", "OPENAI_BASE_URL"},
		{fmt.Errorf("x: %w", context.DeadlineExceeded), "timeout", "try again"},
		{fmt.Errorf("x: %w", pdfium.ErrNoEngine), "no_engine", "`make`"},
		{errors.New("sql: secret text"), "failed", "Retry"},
	} {
		got := Explain(english, c.err)
		if got.Code != c.code || !strings.Contains(got.Text, c.want) || strings.Contains(got.Text, "secret") || strings.Contains(got.Text, "%!") {
			t.Errorf("%v: %+v, want %s and %q", c.err, got, c.code, c.want)
		}
	}
}

func TestFileErrorsNamesTheFileAndWhatToDo(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{docs.ErrEncrypted, "password"}, {docs.ErrDamaged, "save it again"}, {docs.ErrNotPDF, "something else"}, {docs.ErrScanned, "OCR"},
		{docs.ErrEmpty, "it is empty"}, {docs.ErrTooLarge, "smaller"}, {docs.ErrTooLong, "MAX_PAGES"}, {docs.ErrTimeout, "part of it"},
		{docs.ErrUnsupported, "PDF, DOCX"}, {docs.ErrGone, "try again"}, {fmt.Errorf("%w: %w", docs.ErrGone, platform.ErrFileGone), "attach it again"}, {pdfium.ErrNoEngine, "`make`"}, {errors.New("other"), "again"},
	} {
		err := fmt.Errorf("docs: read: %w", c.err)
		for _, got := range []string{ExplainFile(english, "q3_report.pdf", err), ExplainFile(english, "q3_report.pdf", FaultNamed(FaultCode(err)))} {
			if !strings.Contains(got, c.want) || !strings.Contains(got, "q3_report.pdf") || strings.Contains(got, "%!") {
				t.Errorf("%v: %q, want %q", c.err, got, c.want)
			}
		}
	}
	if got := ExplainFile(english, "@everyone\n`<!channel>`.pdf", docs.ErrEmpty); strings.ContainsAny(got, "@<\n`") {
		t.Errorf("a file's name got through: %q", got)
	}
}

// TestACommandThatFailedPromisesNoButton in any language: there is none under what it says.
func TestACommandThatFailedPromisesNoButton(t *testing.T) {
	for _, language := range []string{"en", "de", "fr", "es"} {
		w := In(language)
		for _, err := range []error{ErrGivenUp, errors.New("x"), &model.Error{Kind: model.Garbage}, &model.Error{Kind: model.Truncated}} {
			if text := ExplainCommand(w, err).Text; strings.Contains(text, w.Retry) {
				t.Errorf("%v: %q", err, text)
			}
		}
	}
}

func TestGauge(t *testing.T) {
	for want, got := range map[string]string{
		"memory 6 % full ▓░░░░░":    english.Gauge(612, 10_000),
		"memory 0 % full ░░░░░░":    english.Gauge(0, 1200),
		"memory 1029 % full ▓▓▓▓▓▓": english.Gauge(12345, 1200),
		"memory 50 % full ▓▓▓░░░":   english.Gauge(600, 1200),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
