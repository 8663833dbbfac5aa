package discord

import (
	"net"
	"net/http"
	"net/url"
	"time"
)

type redirect struct {
	to   *url.URL // scheme and host
	next http.RoundTripper
}

func (r redirect) RoundTrip(q *http.Request) (*http.Response, error) {
	q = q.Clone(q.Context())
	q.URL.Scheme, q.URL.Host, q.Host = r.to.Scheme, r.to.Host, ""
	return r.next.RoundTrip(q)
}

// CloseIdleConnections lets an http.Client close unused connections.
func (r redirect) CloseIdleConnections() {
	if c, ok := r.next.(interface{ CloseIdleConnections() }); ok {
		c.CloseIdleConnections()
	}
}

// requestTime bounds one request with its answer, also of 10 MiB.
const requestTime = 90 * time.Second

// client sends everything of this adapter; Options.APIURL redirects it.
func (a *Adapter) client() *http.Client {
	a.sending.once.Do(func() {
		c := http.Client{Timeout: requestTime}
		if a.HTTP != nil {
			c = *a.HTTP
		}
		if c.Transport == nil {
			t := http.DefaultTransport.(*http.Transport).Clone()
			t.DialContext = (&net.Dialer{Timeout: 10 * time.Second}).DialContext
			t.ResponseHeaderTimeout = 30 * time.Second
			c.Transport = t
		}
		if to, err := url.Parse(a.APIURL); err == nil && a.APIURL != "" {
			c.Transport = redirect{to, c.Transport}
		}
		// The token is for Discord only.
		c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
		a.sending.http = &c
	})
	return a.sending.http
}
