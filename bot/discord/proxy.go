package discord

import (
	"bufio"
	"cmp"
	"context"
	"crypto/tls"
	"encoding/base64"
	"fmt"
	"net"
	"net/http"
	"net/url"
)

// proxies names the proxy of a request, nil for none, as an http.Transport asks for it.
type proxies func(*http.Request) (*url.URL, error)

// dial connects to a host, through its proxy if it has one (RFC 9110, section 9.3.6).
func (p proxies) dial(ctx context.Context, scheme, address string) (net.Conn, error) {
	to := &net.Dialer{Timeout: dialTime}
	proxy, err := p(&http.Request{URL: &url.URL{Scheme: scheme, Host: address}})
	if err != nil {
		return nil, fmt.Errorf("look for a proxy: %w", err)
	}
	if proxy == nil {
		return to.DialContext(ctx, "tcp", address)
	}
	var conn net.Conn
	switch proxy.Scheme {
	case "http":
		conn, err = to.DialContext(ctx, "tcp", withPort(proxy, "80"))
	case "https":
		conn, err = (&tls.Dialer{NetDialer: to}).DialContext(ctx, "tcp", withPort(proxy, "443"))
	default:
		return nil, fmt.Errorf("a proxy of kind %q is not supported", proxy.Scheme)
	}
	if err != nil {
		return nil, fmt.Errorf("connect to the proxy: %w", err)
	}
	if err := tunnel(ctx, conn, proxy.User, address); err != nil {
		conn.Close()
		return nil, fmt.Errorf("ask the proxy: %w", err)
	}
	return conn, nil
}

// tunnel has a proxy connect to a host: what follows on conn is with that host.
func tunnel(ctx context.Context, conn net.Conn, user *url.Userinfo, address string) error {
	ctx, cancel := context.WithTimeout(ctx, dialTime)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { conn.Close() })
	defer stop()
	ask := &http.Request{Method: http.MethodConnect, URL: &url.URL{Opaque: address}, Host: address, Header: make(http.Header)}
	if user != nil {
		word, _ := user.Password()
		ask.Header.Set("Proxy-Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(user.Username()+":"+word)))
	}
	if err := ask.Write(conn); err != nil {
		return err
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), ask) // the host says nothing before we do
	if err != nil {
		return err
	}
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("it answers %q", answer.Status)
	}
	return nil
}

func withPort(u *url.URL, usual string) string {
	return net.JoinHostPort(u.Hostname(), cmp.Or(u.Port(), usual))
}
