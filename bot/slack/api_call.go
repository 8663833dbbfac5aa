package slack

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"time"

	slackapi "github.com/slack-go/slack"

	"threadkeeper/bot/platform"
)

const (
	requestTime       = 30 * time.Second // for one request
	retryWindow       = 15 * time.Second // the longest wait after which a refused request is made again here
	maxTries          = 3                // of a request that is refused for coming too often
	defaultRetryAfter = 10 * time.Second // after a 429 that does not say when
	maxRetryAfter     = time.Hour        // whatever a 429 says
)

// call makes one request of a Web API method ("chat.postMessage") when the method's
// limit of the workspace allows, and gives its errors the meaning package bot knows.
// place is the channel for methods that are limited by channel, the channel and
// message for chat.update, else "". A request that Slack refuses for coming too
// often is made again after the wait it asks for, if that is short; no other is.
func (a *Adapter) call(ctx context.Context, method, place string, request func(context.Context) error) error {
	for try := 1; ; try++ {
		if err := a.limits.wait(ctx, method, place); err != nil {
			return err
		}
		err := a.callOnce(ctx, method, request)
		var later *platform.RetryError
		if !errors.As(err, &later) || later.After > retryWindow || try == maxTries {
			return err
		}
	}
}

// callOptional makes a request that may be left out, unless that would keep others
// waiting; it is false if the request was not made.
func (a *Adapter) callOptional(ctx context.Context, method, place string, request func(context.Context) error) (bool, error) {
	if !a.limits.allowOptional(method, place) {
		return false, nil
	}
	err := a.callOnce(ctx, method, request)
	var later *platform.RetryError
	if errors.As(err, &later) {
		return false, nil
	}
	return true, err
}

func (a *Adapter) callOnce(ctx context.Context, method string, request func(context.Context) error) error {
	limit, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	err := classify(method, request(limit))
	var later *platform.RetryError
	if errors.As(err, &later) {
		a.limits.pause(method, later.After)
	}
	if end, code := a.end.Load(), errorCode(err); end != nil && slices.Contains(revokedCodes, code) {
		(*end)(&tokenError{code})
	}
	return err
}

// revokedCodes are Slack's codes for a token that did until now.
var revokedCodes = []string{"invalid_auth", "not_authed", "account_inactive", "token_revoked", "token_expired"}

// permanentErrors are Slack's codes for errors that a retry does not mend, from the pages of the
// methods (https://docs.slack.dev/reference/methods/chat.postMessage and so on).
var permanentErrors = append([]string{"is_inactive", "invalid_channel", "channel_type_not_supported",
	"user_not_in_channel", "user_not_found", "user_not_visible", "user_disabled", "app_access_restricted",
	"file_uploads_disabled", "file_uploads_except_images_disabled", "file_type_not_allowed", "file_upload_size_restricted", "storage_limit_reached",
	"cannot_dm_bot", "messages_tab_disabled", "message_not_found", "thread_not_found", "cannot_reply_to_message",
	"no_permission", "access_denied", "team_access_not_granted", "ekm_access_denied", "as_user_not_supported",
	"method_not_supported_for_channel_type"}, noPermission...)

// classify is err as package bot knows it: a *platform.RetryError, one that wraps
// platform.ErrUndeliverable, or a plain one. Addresses are left out: a response URL is a
// secret.
func classify(method string, err error) error {
	if err == nil {
		return nil
	}
	var (
		limited *slackapi.RateLimitedError
		status  slackapi.StatusCodeError
		wire    *url.Error
	)
	code := errorCode(err)
	switch {
	case errors.As(err, &limited):
		return &platform.RetryError{After: min(max(limited.RetryAfter, time.Second), maxRetryAfter), Err: fmt.Errorf("slack: %s: %w", method, err)}
	case errors.As(err, &status) && status.Code == http.StatusTooManyRequests, code == "ratelimited", code == "rate_limited":
		return &platform.RetryError{After: defaultRetryAfter, Err: fmt.Errorf("slack: %s: %w", method, err)}
	case slices.Contains(permanentErrors, code):
		return fmt.Errorf("slack: %s: %w: %w", method, platform.ErrUndeliverable, err)
	case code == "missing_scope":
		var r slackapi.SlackErrorResponse
		errors.As(err, &r)
		return fmt.Errorf("slack: %s: %w (needs %s)", method, err, r.Needed)
	case errors.As(err, &wire):
		return fmt.Errorf("slack: %s: %w", method, wire.Err)
	}
	return fmt.Errorf("slack: %s: %w", method, err)
}

func errorCode(err error) string {
	var r slackapi.SlackErrorResponse
	if errors.As(err, &r) {
		return r.Err
	}
	return ""
}
