package slack_test

import (
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/slack/fakeslack"
)

func hooked(t *testing.T) (*fakeslack.Server, *ear, string) {
	s := fakeslack.New(fakeslack.Options{RetryWaits: make([]time.Duration, 20), AckWait: time.Minute})
	t.Cleanup(s.Close)
	a, address := hearing(t, s)
	e := new(ear)
	listen(t, a, e)
	url := "http://" + <-address + "/slack"
	if err := s.SetTarget(fakeslack.Target{URL: url}); err != nil {
		t.Fatal(err)
	}
	return s, e, url
}

func TestHTTPEvents(t *testing.T) {
	s, e, _ := hooked(t)
	user, channel := people(s)
	e.mu.Lock()
	e.fail = 1
	e.mu.Unlock()
	s.Say(fakeslack.Said{User: user, Channel: channel, Text: "<@" + fakeslack.BotUser + "> over HTTP"})
	await(t, "the message, tried again", func() bool { return slices.Contains(e.texts(), "over HTTP") && s.Pending() == 0 })
	s.Slash(user, channel, "/memory", "search  two words")
	await(t, "the command", func() bool {
		return slices.ContainsFunc(e.all(), func(ev platform.Event) bool {
			return ev.Command == "memory" && ev.Args == "search  two words" && ev.Reply.Interaction != "" && ev.Author.Name == "Ada"
		})
	})
	if n := len(e.texts()); n != 1 {
		t.Errorf("%d messages", n)
	}
}

func TestHTTPRequestsThatAreNotSlacks(t *testing.T) {
	s, e, url := hooked(t)
	body := `{"type":"event_callback","event_id":"Ev1","event":{"type":"message","channel":"C1","channel_type":"channel","user":"U1","text":"x","ts":"1.1"}}`
	secret := s.Options().SigningSecret
	for _, c := range []struct {
		name   string
		body   string
		at     time.Time
		sign   string
		status int
	}{
		{"unsigned", body, time.Now(), "", http.StatusUnauthorized},
		{"signed with another secret", body, time.Now(), fakeslack.Sign("other", time.Now(), []byte(body)), http.StatusUnauthorized},
		{"signed for another body", body, time.Now(), fakeslack.Sign(secret, time.Now(), []byte("{}")), http.StatusUnauthorized},
		{"signed six minutes ago", body, time.Now().Add(-6 * time.Minute), fakeslack.Sign(secret, time.Now().Add(-6*time.Minute), []byte(body)), http.StatusUnauthorized},
		{"signed six minutes from now", body, time.Now().Add(6 * time.Minute), fakeslack.Sign(secret, time.Now().Add(6*time.Minute), []byte(body)), http.StatusUnauthorized},
		{"too large", strings.Repeat("x", 4<<20+1), time.Now(), "", http.StatusRequestEntityTooLarge}, // all of it is read: unread bytes may cut off the answer
	} {
		t.Run(c.name, func(t *testing.T) {
			req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(c.body))
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("X-Slack-Request-Timestamp", strconv.FormatInt(c.at.Unix(), 10))
			if c.sign != "" {
				req.Header.Set("X-Slack-Signature", c.sign)
			}
			client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
			resp, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer resp.Body.Close()
			if _, err := io.Copy(io.Discard, resp.Body); err != nil || resp.StatusCode != c.status {
				t.Errorf("status %d, want %d (%v)", resp.StatusCode, c.status, err)
			}
		})
	}
	if n := len(e.all()); n > 0 {
		t.Errorf("%d events received", n)
	}
}
