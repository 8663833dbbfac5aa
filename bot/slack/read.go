package slack

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	slackapi "github.com/slack-go/slack"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
)

// maxAnswer limits one response of the Web API, in bytes.
const maxAnswer = 64 << 20

// read makes a request of a Web API method that reads, and decodes its answer as
// events are decoded: what does not fit is left out.
func (a *Adapter) read(ctx context.Context, method string, form url.Values, out any) error {
	return a.callIdempotent(ctx, method, a.readRequest(method, form, out))
}

func (a *Adapter) readRequest(method string, form url.Values, out any) func(context.Context) error {
	return func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, a.APIURL+method, strings.NewReader(form.Encode()))
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.Header.Set("Authorization", "Bearer "+a.BotToken)
		resp, err := a.HTTP.Do(req)
		if err != nil {
			return err
		}
		defer resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			return statusError(resp)
		}
		body, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
		if err != nil {
			return err
		}
		var head struct {
			OK     bool   `json:"ok"`
			Error  string `json:"error"`
			Needed string `json:"needed"`
		}
		if err := errors.Join(kit.Decode(body, &head), kit.Decode(body, out)); err != nil {
			return fmt.Errorf("answer of %s: %w", method, err)
		}
		if !head.OK {
			return slackapi.SlackErrorResponse{Err: head.Error, Needed: head.Needed}
		}
		return nil
	}
}

const (
	maxRepeats  = 3                      // tries of a request that Slack does not answer
	repeatPause = 100 * time.Millisecond // before the second try; twice as long before the third
)

// callIdempotent is call for requests that may be made twice: it repeats them if Slack
// did not answer.
func (a *Adapter) callIdempotent(ctx context.Context, method string, request func(context.Context) error) error {
	return retryUnanswered(ctx, func() error { return a.call(ctx, method, "", request) })
}

func retryUnanswered(ctx context.Context, request func() error) error {
	for try := 1; ; try++ {
		err := request()
		var later *platform.RetryError
		if err == nil || errorCode(err) != "" || errors.As(err, &later) || try == maxRepeats || kit.Pause(ctx, time.Duration(try)*repeatPause) != nil {
			return err
		}
	}
}

func statusError(resp *http.Response) error {
	_, _ = io.Copy(io.Discard, io.LimitReader(resp.Body, 1<<16))
	seconds, err := strconv.Atoi(resp.Header.Get("Retry-After"))
	if resp.StatusCode == http.StatusTooManyRequests && err == nil {
		return &slackapi.RateLimitedError{RetryAfter: time.Duration(seconds) * time.Second}
	}
	return slackapi.StatusCodeError{Code: resp.StatusCode, Status: resp.Status}
}
