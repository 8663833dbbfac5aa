package slack

import (
	"errors"
	"io"
	"net/http"
)

var errAway = errors.New("sent to another host")

// client is c, but follows no redirect to a host that is not Slack's.
func (a *Adapter) client(c *http.Client, wrap func(http.RoundTripper) http.RoundTripper) *http.Client {
	own := *c
	own.CheckRedirect = func(next *http.Request, via []*http.Request) error {
		if len(via) > 5 || !a.mayAsk(next.URL) {
			return errAway
		}
		return nil
	}
	if wrap != nil {
		if own.Transport == nil {
			own.Transport = http.DefaultTransport
		}
		own.Transport = wrap(own.Transport)
	}
	return &own
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(req *http.Request) (*http.Response, error) { return f(req) }

// bounded reads at most maxAnswer of a response: the library has no limit.
func bounded(next http.RoundTripper) http.RoundTripper {
	return roundTrip(func(req *http.Request) (*http.Response, error) {
		resp, err := next.RoundTrip(req)
		if err == nil {
			resp.Body = struct {
				io.Reader
				io.Closer
			}{io.LimitReader(resp.Body, maxAnswer), resp.Body}
		}
		return resp, err
	})
}
