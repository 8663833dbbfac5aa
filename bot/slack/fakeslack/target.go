package fakeslack

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"syscall"
	"time"
)

// Target is where an app without Socket Mode takes its deliveries.
type Target struct{ URL string }

// SetTarget verifies the request URL as Slack does and delivers there from then on, in
// place of Socket Mode.
func (s *Server) SetTarget(t Target) error {
	body := marshal(object{"token": "verification", "challenge": "challenge-3eZbrw1aB", "type": "url_verification"})
	req, err := s.signed(t.URL, "application/json", body)
	if err != nil {
		return err
	}
	resp, err := s.client.Do(req)
	if err != nil {
		return fmt.Errorf("fakeslack: url_verification: %w", err)
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(io.LimitReader(resp.Body, 1<<10))
	if err != nil {
		return fmt.Errorf("fakeslack: url_verification: %w", err)
	}
	var v struct{ Challenge string }
	if json.Unmarshal(answer, &v); resp.StatusCode != http.StatusOK || v.Challenge != "challenge-3eZbrw1aB" && string(answer) != "challenge-3eZbrw1aB" {
		return fmt.Errorf("fakeslack: url_verification was answered with %d %q", resp.StatusCode, answer)
	}
	s.mu.Lock()
	s.target, s.deserted = t, false
	s.mu.Unlock()
	s.ring()
	return nil
}

// Sign is the v0 signature of a body at a time, as X-Slack-Signature has it.
func Sign(secret string, at time.Time, body []byte) string {
	h := hmac.New(sha256.New, []byte(secret))
	fmt.Fprintf(h, "v0:%d:%s", at.Unix(), body)
	return "v0=" + hex.EncodeToString(h.Sum(nil))
}

func (s *Server) signed(to, kind string, body []byte) (*http.Request, error) {
	req, err := http.NewRequestWithContext(s.ctx, http.MethodPost, to, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	now := s.o.Now()
	req.Header.Set("Content-Type", kind)
	req.Header.Set("User-Agent", "Slackbot 1.0 (+https://api.slack.com/robots)")
	req.Header.Set("X-Slack-Request-Timestamp", strconv.FormatInt(now.Unix(), 10))
	req.Header.Set("X-Slack-Signature", Sign(s.o.SigningSecret, now, body))
	return req, nil
}

// post delivers an envelope over HTTP, in its own goroutine. The lock is held.
func (s *Server) post(e *envelope) {
	kind, body := "application/x-www-form-urlencoded", []byte(nil)
	switch e.kind {
	case "slash_commands":
		form := url.Values{}
		for k, v := range e.payload {
			form.Set(k, fmt.Sprint(v))
		}
		body = []byte(form.Encode())
	case "interactive":
		body = []byte(url.Values{"payload": {string(marshal(e.payload))}}.Encode())
	default:
		kind, body = "application/json", marshal(e.payload)
	}
	req, err := s.signed(s.target.URL, kind, body)
	if err != nil {
		s.wrong("deliver to %s: %v", s.target.URL, err)
		return
	}
	if e.attempt > 0 {
		req.Header.Set("X-Slack-Retry-Num", strconv.Itoa(e.attempt))
		req.Header.Set("X-Slack-Retry-Reason", e.reason)
	}
	e.inFlight = true
	s.wg.Go(func() {
		s.deliverHTTP(e, req)
	})
}

func (s *Server) deliverHTTP(e *envelope, req *http.Request) {
	client := *s.client
	client.Timeout = s.o.AckWait
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	resp, err := client.Do(req)
	reason := ""
	switch {
	case err != nil && s.ctx.Err() != nil:
		return
	case err != nil:
		reason = "http_timeout"
	default:
		answer, _ := io.ReadAll(io.LimitReader(resp.Body, 1<<20))
		resp.Body.Close()
		if resp.StatusCode/100 != 2 {
			reason = "http_error"
		} else if len(answer) > 0 {
			s.violate("an answer in an acknowledgement, where a response URL takes it: %q", answer)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.deserted = errors.Is(err, syscall.ECONNREFUSED)
	if reason == "" {
		s.acknowledged(e.id)
		return
	}
	if !s.retry(e, reason) {
		s.queue = slices.DeleteFunc(s.queue, func(o *envelope) bool { return o == e })
	}
	s.ring()
}
