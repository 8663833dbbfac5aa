package discord

import (
	"encoding/base64"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync/atomic"
	"testing"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
)

// connectProxy is a proxy that asks for a password, and counts what it connected.
func connectProxy(t *testing.T) (at *url.URL, tunnels *atomic.Int32) {
	t.Helper()
	tunnels = new(atomic.Int32)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodConnect || r.Header.Get("Proxy-Authorization") != "Basic "+base64.StdEncoding.EncodeToString([]byte("us:secret")) {
			w.WriteHeader(http.StatusProxyAuthRequired)
			return
		}
		host, err := net.Dial("tcp", r.Host)
		if err != nil {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer host.Close()
		w.WriteHeader(http.StatusOK)
		client, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		defer client.Close()
		tunnels.Add(1)
		go func() {
			io.Copy(client, host)
			client.Close()
		}()
		io.Copy(host, client)
	}))
	t.Cleanup(s.Close)
	at, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return at, tunnels
}

func TestTheGatewayIsReachedThroughAProxy(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	at, tunnels := connectProxy(t)
	at.User = url.UserPassword("us", "secret")
	w.a.proxy = func(q *http.Request) (*url.URL, error) {
		if q.URL.Scheme != "http" || q.URL.Host == "" {
			t.Errorf("asked for the proxy of %s", q.URL)
		}
		return at, nil
	}
	w.run()
	w.say("through the proxy")
	w.until(platform.EventMessage, 1)
	w.s.Cut()
	w.say("again")
	w.until(platform.EventMessage, 2)
	if tunnels.Load() < 2 {
		t.Errorf("%d connections went through the proxy", tunnels.Load())
	}
}

func TestAProxyThatRefusesIsNamed(t *testing.T) {
	t.Parallel()
	at, _ := connectProxy(t)
	for scheme, want := range map[string]string{"http": "Proxy Authentication Required", "gopher": "gopher"} {
		to := *at
		to.Scheme = scheme
		a := New(Options{})
		a.proxy = func(*http.Request) (*url.URL, error) { return &to, nil }
		if _, err := a.dial(t.Context(), "wss://gateway.test"); !errors.Is(err, errUnreached) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", scheme, err)
		}
	}
}
