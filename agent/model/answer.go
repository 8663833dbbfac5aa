package model

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"

	"threadkeeper/memory/reading"
)

const maxMessage = 500 // bytes of a provider's words kept in an Error

// complaint is a provider's error in any of the shapes seen on the wire.
type complaint struct {
	code, typ, param, message string
	status                    int           // stated in the body: OpenRouter and Gemini put it in "code"
	wait                      time.Duration // Gemini: details[].retryDelay
}

// readComplaint reads {"error": {…}} (OpenAI, Anthropic), {"error": "…"} (Ollama), [{"error": …}] (Gemini), {"message": …}
// (Mistral) and {"detail": …} (FastAPI). ok is false when the body is no JSON or holds no error.
func readComplaint(body []byte) (c complaint, ok bool) {
	body = bytes.TrimSpace(body)
	if len(body) > 0 && body[0] == '[' {
		var list []json.RawMessage
		if json.Unmarshal(body, &list) != nil || len(list) == 0 {
			return c, false
		}
		body = list[0]
	}
	var outer struct {
		Error, Detail json.RawMessage
		Object        string
		Message       string
		Type          string
		Code          json.RawMessage
	}
	if json.Unmarshal(body, &outer) != nil {
		return c, false
	}
	switch {
	case present(outer.Error):
		return readInner(outer.Error), true
	case present(outer.Detail):
		c.message = plain(outer.Detail)
		return c, true
	case outer.Object == "error" || outer.Message != "":
		c = complaint{message: outer.Message, typ: outer.Type}
		c.setCode(outer.Code)
		return c, true
	}
	return c, false
}

func readInner(raw json.RawMessage) complaint {
	var in struct {
		Message, Type, Status string
		Code, Param           json.RawMessage
		Details               []struct {
			RetryDelay string `json:"retryDelay"`
		}
	}
	if json.Unmarshal(raw, &in) != nil {
		return complaint{message: plain(raw)}
	}
	c := complaint{message: in.Message, typ: in.Type}
	if present(in.Param) {
		c.param = plain(in.Param)
	}
	if c.typ == "" {
		c.typ = in.Status
	}
	c.setCode(in.Code)
	for _, d := range in.Details {
		if wait, err := time.ParseDuration(d.RetryDelay); err == nil {
			c.wait = wait
		}
	}
	return c
}

// setCode takes "insufficient_quota" as a code, 502 and "502" as a status.
func (c *complaint) setCode(raw json.RawMessage) {
	if !present(raw) {
		return
	}
	s := plain(raw)
	if n, err := strconv.Atoi(s); err == nil {
		c.status = n
		return
	}
	c.code = s
}

func present(raw json.RawMessage) bool { return len(raw) > 0 && string(raw) != "null" }

// plain is the string itself for a JSON string, the compact JSON for anything else.
func plain(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return string(raw)
	}
	return b.String()
}

func (w *wire) failure(status int, header http.Header, body []byte) *Error {
	c, ok := readComplaint(body)
	if !ok {
		c.message = notJSON(status, header)
	}
	if c.status != 0 && status < 400 {
		status = c.status
	}
	e := &Error{Status: status, Code: c.code, Message: w.clean(c.message), param: c.param, RetryAfter: retryAfter(header, time.Now())}
	if e.Code == "" {
		e.Code = c.typ
	}
	if e.RetryAfter == 0 {
		e.RetryAfter = c.wait
	}
	e.Kind = classify(status, c.code, c.typ, c.message)
	if status < 400 && !ok {
		e.Kind = Garbage
	} else if status < 400 && e.Kind == BadRequest {
		e.Kind = Overloaded // an error under status 200 that blames nothing in the request: the gateway's upstream failed
	}
	return e
}

func notJSON(status int, header http.Header) string {
	kind, _, _ := strings.Cut(header.Get("Content-Type"), ";")
	if kind == "" {
		kind = "no content type"
	}
	switch {
	case status >= 300 && status < 400:
		return "the endpoint redirects elsewhere; is the base URL right?"
	case status == http.StatusNotFound:
		return "the endpoint has no such path; is the base URL right?"
	case status < 300:
		return "the endpoint answered " + kind + " that is not a model's answer; is the base URL right?"
	}
	return "the endpoint answered " + kind
}

// retryAfter reads retry-after-ms (OpenAI, Azure), and Retry-After in seconds or as a date (RFC 9110 10.2.3).
func retryAfter(header http.Header, now time.Time) time.Duration {
	if ms, err := strconv.ParseFloat(header.Get("Retry-After-Ms"), 64); err == nil && ms > 0 {
		return time.Duration(ms * float64(time.Millisecond))
	}
	value := header.Get("Retry-After")
	if s, err := strconv.ParseFloat(value, 64); err == nil && s > 0 && s < 1e9 {
		return time.Duration(s * float64(time.Second))
	}
	if at, err := http.ParseTime(value); err == nil && at.After(now) {
		return at.Sub(now)
	}
	return 0
}

// keyLike matches keys a provider repeats in its message, whole or with a masked middle.
var keyLike = reading.Lazy(`\b(sk|gsk|pk|xai|AIza)[-_A-Za-z0-9*]{8,}`)

func (w *wire) clean(message string) string {
	if w.key != "" {
		message = strings.ReplaceAll(message, w.key, "***")
	}
	message = keyLike.ReplaceAllString(message, "***")
	message = strings.ToValidUTF8(message, "\uFFFD")
	if len(message) > maxMessage {
		message = message[:reading.RuneBoundary(message, maxMessage)] + "…"
	}
	return message
}
