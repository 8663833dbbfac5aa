package discord

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
)

// locator is where an attachment is: its message, and an address that expires. The
// message is "" for a file that came with a command.
type locator struct {
	Channel    string
	Message    string
	Attachment string
	URL        string
}

func (l locator) String() string {
	return strings.Join([]string{l.Channel, l.Message, l.Attachment, l.URL}, " ")
}

func readLocator(s string) (locator, error) {
	p := strings.SplitN(s, " ", 4)
	if len(p) != 4 {
		return locator{}, fmt.Errorf("discord: %w: no locator", platform.ErrFileGone)
	}
	return locator{p[0], p[1], p[2], p[3]}, nil
}

var hosts = []string{"cdn.discordapp.com", "media.discordapp.net"}

// Open starts the download of an attachment. If its address has expired, a new one is requested.
// The error is platform.ErrFileGone if Discord no longer has the file.
func (a *Adapter) Open(ctx context.Context, f memory.File) (io.ReadCloser, error) {
	l, err := readLocator(f.Locator)
	if err != nil {
		return nil, err
	}
	if !l.expired(time.Now()) {
		if body, err := a.download(ctx, l.URL); !errors.Is(err, platform.ErrFileGone) || !a.ours(l.URL) {
			return body, err
		}
	}
	if l.URL, err = a.addressOf(ctx, l); err != nil {
		return nil, err
	}
	return a.download(ctx, l.URL)
}

// expired reports whether the address says that it is too old: its parameter ex
// is a time in hexadecimal seconds
// (discord.com/developers/docs/reference#signed-attachment-cdn-urls).
func (l locator) expired(now time.Time) bool {
	u, err := url.Parse(l.URL)
	if err != nil {
		return false
	}
	at, err := strconv.ParseInt(u.Query().Get("ex"), 16, 64)
	return err == nil && now.Unix() >= at
}

func (a *Adapter) addressOf(ctx context.Context, l locator) (string, error) {
	if !isID(l.Channel) || !isID(l.Message) {
		return "", fmt.Errorf("discord: %w: its address has expired", platform.ErrFileGone)
	}
	var m wireMessage
	err := a.call(ctx, "GET", "/channels/"+l.Channel+"/messages/"+l.Message, nil, &m)
	if errors.Is(err, platform.ErrUndeliverable) {
		return "", fmt.Errorf("discord: %w: %w", platform.ErrFileGone, err)
	}
	if err != nil {
		return "", fmt.Errorf("discord: look up attachment: %w", err)
	}
	for _, f := range m.attachments() {
		if f.ID == l.Attachment {
			return f.URL, nil
		}
	}
	return "", fmt.Errorf("discord: %w: it was taken out of its message", platform.ErrFileGone)
}

// download starts reading a file. No token goes with the request.
func (a *Adapter) download(ctx context.Context, address string) (io.ReadCloser, error) {
	if !a.ours(address) {
		return nil, fmt.Errorf("discord: %w: its address is not Discord's", platform.ErrFileGone)
	}
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, fmt.Errorf("discord: %w: its address is none", platform.ErrFileGone)
	}
	client := *a.client()
	client.Timeout = 0 // the caller bounds the download
	resp, err := client.Do(q)
	if err != nil {
		return nil, fmt.Errorf("discord: download: %w", kit.WithoutAddress(err))
	}
	if resp.StatusCode == http.StatusOK {
		return resp.Body, nil
	}
	resp.Body.Close()
	err = fmt.Errorf("discord: download: %s", resp.Status)
	switch resp.StatusCode {
	case http.StatusForbidden, http.StatusNotFound, http.StatusGone:
		err = fmt.Errorf("%w: %w", platform.ErrFileGone, err)
	case http.StatusTooManyRequests:
		if after, told := retryAfter(resp.Header, nil); told {
			err = &platform.RetryError{After: after, Err: err}
		}
	}
	return nil, err
}

// ours reports whether an address is one of Discord's for attachments, or of the
// server that stands for Discord.
func (a *Adapter) ours(address string) bool {
	u, err := url.Parse(address)
	if err != nil || u.User != nil {
		return false
	}
	if own, err := url.Parse(a.APIURL); err == nil && a.APIURL != "" && u.Scheme == own.Scheme && u.Host == own.Host {
		return true
	}
	return u.Scheme == "https" && slices.Contains(hosts, u.Host)
}
