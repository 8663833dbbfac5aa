package discord

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
)

const (
	maxTries    = 3               // of one call
	longestWait = 5 * time.Second // inside a call, after a 429; longer ones are the caller's
	maxAnswer   = 16 << 20        // bytes read of an answer
	userAgent   = "DiscordBot (https://github.com/bwmarrin/discordgo, v" + discordgo.VERSION + ")"
)

// temporaryCodes are the codes that say nothing of the request itself: it may be carried out
// later (https://docs.discord.com/developers/topics/opcodes-and-status-codes#json).
// 40333 is Cloudflare's.
var temporaryCodes = []int{20016, 20022, 20028, 20029, 30046, 40003, 40004, 40006, 40062, 40333, 130000}

// apiError is an answer that is no success. Code and Message are Discord's; Code is 0
// if no more than the status is to be said, and Message "" if the answer is a proxy's
// (https://discord.com/developers/docs/topics/opcodes-and-status-codes#json).
type apiError struct {
	Status  int           `json:"-"`
	Code    int           `json:"code"`
	Message string        `json:"message"`
	After   time.Duration `json:"-"` // of a 429
	Unsaid  bool          `json:"-"` // a 429 that does not say After: limits guesses
	Global  bool          `json:"global"`
}

func (e *apiError) Error() string {
	if e.Code == 0 {
		return http.StatusText(e.Status)
	}
	return fmt.Sprintf("%s (%d: %s)", http.StatusText(e.Status), e.Code, e.Message)
}

func hasCode(err error, codes ...int) bool {
	var e *apiError
	if !errors.As(err, &e) {
		return false
	}
	return slices.Contains(codes, e.Code)
}

// repeatable reports whether a request can be sent again: Discord knows a message by its nonce, and refuses or ignores
// most else the second time. It does not know follow-ups, which go to webhooks, and typing is not worth it.
func repeatable(method, path string, body any) bool {
	m, says := body.(message)
	return method != http.MethodPost || body != nil && !strings.HasPrefix(path, "/webhooks/") && (!says || m.EnforceNonce)
}

// call makes one REST request when the limits of its route and of the whole bot allow:
// method and path ("/channels/1/messages"; the version prefix is added), body encoded
// as JSON if it is not nil, the answer decoded into into if that is not nil. Its errors
// have the meaning package bot knows. It is not sent again after it may have arrived,
// unless that changes nothing. A success without an answer, or with one that cannot be
// decoded, is a success.
//
// The requests do not pass discordgo's own limiter: it sleeps without a context, keeps
// a bucket for each token it has seen, and its messages have no nonce.
func (a *Adapter) call(ctx context.Context, method, path string, body, into any) error {
	r := routeOf(method, path)
	if !sound(path) {
		return fmt.Errorf("discord: %w: an id that is none", platform.ErrUndeliverable)
	}
	media, payload, err := encode(body)
	if err != nil {
		return fmt.Errorf("discord: %s: %w", r.name, err)
	}
	for try := 1; ; try++ {
		err := a.request(ctx, r, method, path, media, payload, into)
		if err == nil {
			return nil
		}
		wait, again := pauseBefore(err, try, repeatable(method, path, body))
		if !again || ctx.Err() != nil {
			return classify(r, err)
		}
		if err := a.limits.wait(ctx, wait); err != nil {
			return classify(r, err)
		}
	}
}

// sound reports whether a path names what it seems to: no part of it is empty, leads
// elsewhere or is more than a name.
func sound(path string) bool {
	path, query, _ := strings.Cut(path, "?")
	parts := strings.Split(path, "/")
	return parts[0] == "" && !strings.ContainsAny(query, "/?#") && !slices.ContainsFunc(parts[1:], func(part string) bool {
		return strings.Trim(part, ".") == "" || strings.ContainsFunc(part, func(r rune) bool {
			return r <= ' ' || r >= 0x7f || strings.ContainsRune(`\#?`, r)
		})
	})
}

// pauseBefore says how long to wait before a request is sent again, and whether
// it is: twice says that it may have arrived and be sent all the same.
func pauseBefore(err error, try int, twice bool) (time.Duration, bool) {
	var e *apiError
	var later *platform.RetryError
	switch {
	case try >= maxTries, errors.As(err, &later), errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return 0, false
	case errors.As(err, &e) && e.Status == http.StatusTooManyRequests:
		return e.After, e.After <= longestWait
	case errors.As(err, &e) && e.Status < http.StatusInternalServerError:
		return 0, false
	}
	return time.Duration(try) * 500 * time.Millisecond, twice
}

func classify(r route, err error) error {
	var e *apiError
	if !errors.As(err, &e) {
		return fmt.Errorf("discord: %s: %w", r.name, err)
	}
	switch {
	case e.Status == http.StatusTooManyRequests:
		return &platform.RetryError{After: e.After, Err: fmt.Errorf("discord: %s: %w", r.name, err)}
	case (e.Code != 0 || e.Message != "") && !slices.Contains(temporaryCodes, e.Code) && e.Status >= 400 && e.Status < 500 && e.Status != http.StatusUnauthorized:
		return fmt.Errorf("discord: %s: %w: %w", r.name, platform.ErrUndeliverable, err)
	}
	return fmt.Errorf("discord: %s: %w", r.name, err)
}

func encode(body any) (media string, payload []byte, err error) {
	switch b := body.(type) {
	case nil:
		return "", nil, nil
	case message:
		return b.encode()
	}
	payload, err = json.Marshal(body)
	return "application/json", payload, err
}

func (a *Adapter) request(ctx context.Context, r route, method, path, media string, payload []byte, into any) error {
	b, err := a.limits.acquire(ctx, r)
	if err != nil {
		return err
	}
	status, header, answer, err := a.send(ctx, r, method, path, media, payload)
	var refusal *apiError
	if err == nil && (status < 200 || status > 299) {
		refusal = refusalOf(status, header, answer)
	}
	a.limits.release(b, r, header, refusal)
	if end := a.end.Load(); end != nil && status == http.StatusUnauthorized && !r.exempt {
		(*end)(errRefused)
	}
	switch {
	case err != nil:
		return err
	case refusal != nil:
		return refusal
	case into == nil, status == http.StatusNoContent:
		return nil
	}
	if err := kit.Decode(answer, into); err != nil {
		if method == http.MethodGet {
			return fmt.Errorf("answer not understood: %w", err)
		}
		a.Log.Warn("could not decode a response", "route", r.name, "error", err)
	}
	return nil
}

func refusalOf(status int, h http.Header, answer []byte) *apiError {
	e := &apiError{Status: status}
	discords := json.Unmarshal(answer, e) == nil
	if !discords {
		e = &apiError{Status: status}
	}
	if status == http.StatusTooManyRequests {
		var told bool
		e.After, told = retryAfter(h, answer)
		e.Unsaid = !told
		cloudflare := !told || !discords // it stops all that comes from our address
		e.Global = e.Global || cloudflare || h.Get("X-RateLimit-Global") != "" || h.Get("X-RateLimit-Scope") == "global"
	}
	return e
}

func (a *Adapter) send(ctx context.Context, r route, method, path, media string, payload []byte) (int, http.Header, []byte, error) {
	var body io.Reader
	if payload != nil {
		body = bytes.NewReader(payload)
	}
	q, err := http.NewRequestWithContext(ctx, method, discordgo.EndpointAPI+path[1:], body)
	if err != nil {
		return 0, nil, nil, errors.New("the path is no URL")
	}
	q.Header.Set("User-Agent", userAgent)
	if !r.exempt {
		q.Header.Set("Authorization", "Bot "+a.Token)
	}
	if payload != nil {
		q.Header.Set("Content-Type", media)
	}
	resp, err := a.client().Do(q)
	if err != nil {
		return 0, nil, nil, kit.WithoutAddress(err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer))
	if err != nil {
		if resp.StatusCode < 300 && method != http.MethodGet {
			return resp.StatusCode, resp.Header, nil, nil // it was carried out
		}
		return resp.StatusCode, resp.Header, nil, fmt.Errorf("read the answer: %w", err)
	}
	return resp.StatusCode, resp.Header, answer, nil
}

// retryAfter is how long a 429 asks us to wait, by its body or its header, and whether
// either says so.
func retryAfter(h http.Header, body []byte) (after time.Duration, told bool) {
	var said struct {
		RetryAfter json.Number `json:"retry_after"`
	}
	if json.Unmarshal(body, &said) == nil {
		if d, ok := seconds(said.RetryAfter.String()); ok {
			return d, true
		}
	}
	for _, name := range []string{"Retry-After", "X-RateLimit-Reset-After"} {
		if d, ok := seconds(h.Get(name)); ok {
			return d, true
		}
	}
	return 0, false
}
