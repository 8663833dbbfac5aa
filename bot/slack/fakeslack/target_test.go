package fakeslack

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"sync"
	"testing"
	"time"
)

// receiver is an app that takes deliveries over HTTP.
type receiver struct {
	mu     sync.Mutex
	status []int // of the next answers, 200 when there are none left
	got    []*http.Request
	bodies []string
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	b, _ := io.ReadAll(req.Body)
	at, _ := strconv.ParseInt(req.Header.Get("X-Slack-Request-Timestamp"), 10, 64)
	if req.Header.Get("X-Slack-Signature") != Sign("signing-secret", time.Unix(at, 0), b) {
		http.Error(w, "bad signature", http.StatusUnauthorized)
		return
	}
	var v struct{ Type, Challenge string }
	if json.Unmarshal(b, &v); v.Type == "url_verification" {
		fmt.Fprint(w, v.Challenge)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.got, r.bodies = append(r.got, req), append(r.bodies, string(b))
	if len(r.status) > 0 {
		w.WriteHeader(r.status[0])
		r.status = r.status[1:]
	}
}

func (r *receiver) count() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.got)
}

func httpStage(t *testing.T) (*stage, *receiver) {
	t.Helper()
	r := new(receiver)
	app := httptest.NewServer(r)
	t.Cleanup(app.Close)
	s := newStage(t, Options{})
	if err := s.SetTarget(Target{URL: app.URL + "/slack/events"}); err != nil {
		t.Fatal(err)
	}
	return s, r
}

func TestHTTPDeliveries(t *testing.T) {
	s, r := httpStage(t)
	ts := s.say("hello", "")
	until(t, "the event", func() bool { return r.count() == 1 && s.Pending() == 0 })
	s.Slash(s.ada, s.room, "/memory", "status")
	until(t, "the command", func() bool { return r.count() == 2 && s.Pending() == 0 })
	form, err := url.ParseQuery(r.bodies[1])
	if err != nil || form.Get("command") != "/memory" || form.Get("user_id") != s.ada {
		t.Errorf("command %q", r.bodies[1])
	}
	s.Shortcut(s.ada, s.room, ts, "help")
	until(t, "the shortcut", func() bool { return r.count() == 3 && s.Pending() == 0 })
	if form, err := url.ParseQuery(r.bodies[2]); err != nil || !json.Valid([]byte(form.Get("payload"))) {
		t.Errorf("shortcut %q", r.bodies[2])
	}
	s.clean()
}

func TestHTTPRetries(t *testing.T) {
	s, r := httpStage(t)
	r.status = []int{500, 500, 200}
	s.say("hello", "")
	until(t, "the second delivery", func() bool { return r.count() == 2 })
	until(t, "the pause", func() bool { s.mu.Lock(); defer s.mu.Unlock(); return !s.queue[0].inFlight })
	s.clock.pass(time.Minute)
	until(t, "the third delivery", func() bool { return r.count() == 3 && s.Pending() == 0 })
	for i, want := range []string{"", "1", "2"} {
		if got := r.got[i].Header.Get("X-Slack-Retry-Num"); got != want {
			t.Errorf("delivery %d has the retry number %q", i+1, got)
		}
	}
	if r.got[1].Header.Get("X-Slack-Retry-Reason") != "http_error" || r.bodies[0] != r.bodies[1] {
		t.Errorf("second delivery: %v", r.got[1].Header)
	}
}

func TestURLVerification(t *testing.T) {
	s := newStage(t, Options{SigningSecret: "another"})
	app := httptest.NewServer(&receiver{})
	t.Cleanup(app.Close)
	if err := s.SetTarget(Target{URL: app.URL}); err == nil {
		t.Error("an app that refuses the signature was taken")
	}
}
