package model

import (
	"fmt"
	"strings"
	"time"

	"threadkeeper/memory/reading"
)

// Kind says what went wrong with a call, in the terms a caller branches on.
type Kind string

const (
	Auth           Kind = "auth"             // the key is missing, wrong or not allowed to do this
	Quota          Kind = "quota"            // the account is out of credit; waiting does not help
	RateLimit      Kind = "rate limit"       // too many requests or tokens; RetryAfter may say how long to wait
	Overloaded     Kind = "overloaded"       // the provider failed (5xx, 529), or has failed so often that it is left alone
	Timeout        Kind = "timeout"          // no answer in time, or the caller's deadline has passed
	Canceled       Kind = "canceled"         // the caller's context, or its streaming function, ended the call
	Unreachable    Kind = "unreachable"      // no connection, or it broke before anything had arrived
	BadRequest     Kind = "bad request"      // the request itself was refused
	ContextTooLong Kind = "context too long" // prompt and answer do not fit the model
	Refused        Kind = "refused"          // the model or a content filter declined
	Truncated      Kind = "truncated"        // the answer is incomplete; Partial holds what came
	NotFound       Kind = "not found"        // no such model, or no such path at the base URL
	Garbage        Kind = "garbage"          // the answer was empty or could not be read
)

// Error is what every failed call returns (errors.As).
type Error struct {
	Kind       Kind
	Status     int           // of HTTP; 0 when no answer came
	Code       string        // the provider's own code or type; may be empty
	Message    string        // the provider's words, at most 500 bytes, without keys; may be empty
	RetryAfter time.Duration // 0: the provider did not say
	Partial    string        // text that had arrived before a Truncated, Refused, Timeout or Canceled call ended
	Err        error         // the cause: context.Canceled and context.DeadlineExceeded are kept; may be nil

	param string // the request field the provider blames; may be empty
}

// Error is for logs: it contains no key and nothing of the answer.
func (e *Error) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "model: %s", e.Kind)
	switch {
	case e.Status != 0 && e.Code != "":
		fmt.Fprintf(&b, " (%d %s)", e.Status, e.Code)
	case e.Status != 0:
		fmt.Fprintf(&b, " (%d)", e.Status)
	case e.Code != "":
		fmt.Fprintf(&b, " (%s)", e.Code)
	}
	switch {
	case e.Message != "":
		b.WriteString(": " + e.Message)
	case e.Err != nil:
		b.WriteString(": " + e.Err.Error())
	}
	return b.String()
}

func (e *Error) Unwrap() error { return e.Err }

// passing reports whether the same call may succeed a little later.
func (e *Error) passing() bool {
	switch e.Kind {
	case RateLimit, Overloaded, Unreachable, Timeout:
		return true
	}
	return false
}

// codes maps the codes and types of OpenAI, Anthropic, Gemini, Mistral and OpenRouter.
var codes = map[string]Kind{
	"insufficient_quota":         Quota,
	"billing_hard_limit_reached": Quota,
	"billing_not_active":         Quota,
	"billing_error":              Quota,
	"rate_limit_exceeded":        RateLimit,
	"rate_limit_error":           RateLimit,
	"RESOURCE_EXHAUSTED":         RateLimit,
	"overloaded_error":           Overloaded,
	"server_error":               Overloaded,
	"api_error":                  Overloaded,
	"UNAVAILABLE":                Overloaded,
	"timeout_error":              Timeout,
	"context_length_exceeded":    ContextTooLong,
	"string_above_max_length":    ContextTooLong,
	"request_too_large":          ContextTooLong,
	"model_not_found":            NotFound,
	"not_found_error":            NotFound,
	"invalid_api_key":            Auth,
	"authentication_error":       Auth,
	"permission_error":           Auth,
	"content_filter":             Refused,
	"content_policy_violation":   Refused,
}

// phrases recognise what a provider says only in prose, under status 400, 403, 404, 413 or 422.
var phrases = []struct {
	kind    Kind
	pattern *reading.Regexp
}{
	{ContextTooLong, reading.Lazy(`(?i)context[ _](length|window|size)|prompt is too long|input is too long|too many (input )?tokens|maximum number of tokens|exceeds? the (model'?s )?(maximum )?context`)},
	{Quota, reading.Lazy(`(?i)credit balance|insufficient (credit|balance|funds)|out of credits|no credits`)},
	{Auth, reading.Lazy(`(?i)api[ _-]?key (is )?(not valid|invalid|missing)|(invalid|incorrect) api[ _-]?key`)},
	{NotFound, reading.Lazy(`(?i)model\b.{0,120}\b(does not exist|not found|unknown|not available)|(unknown|no such|not a valid) model`)},
	{Refused, reading.Lazy(`(?i)content (management )?policy|content[ _]filter|flagged|moderation|safety system`)},
}

// classify reads a provider's error: code and type first, then the status, then the words. Groq and OpenAI give a request that is
// larger than a minute's tokens the code of a rate limit, but no wait helps it.
func classify(status int, code, typ, message string) Kind {
	if strings.Contains(message, "Request too large") {
		return ContextTooLong
	}
	for _, name := range []string{code, typ} {
		if kind, ok := codes[name]; ok {
			return kind
		}
	}
	switch {
	case status == 402:
		return Quota
	case status == 408:
		return Timeout
	case status == 429:
		return RateLimit
	case status >= 500:
		return Overloaded
	}
	for _, p := range phrases {
		if p.pattern.MatchString(message) {
			return p.kind
		}
	}
	switch status {
	case 401, 403:
		return Auth
	case 404:
		return NotFound
	case 413:
		return ContextTooLong
	}
	return BadRequest
}
