package slack

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
)

// locate is how a file is found again: its id, and the address it was delivered with,
// "" for a file of another workspace, whose address only files.info has.
func locate(f file) string {
	return f.ID + " " + cmp.Or(f.URL, f.View)
}

var errPage = errors.New("a page to sign in")

// Open reads an attachment from Slack's own hosts. A file that is gone from the
// address it was delivered with is looked up once.
func (a *Adapter) Open(ctx context.Context, f memory.File) (io.ReadCloser, error) {
	id, address, _ := strings.Cut(f.Locator, " ")
	if address != "" {
		body, err := a.download(ctx, f, address)
		if err == nil || !errors.Is(err, platform.ErrFileGone) {
			return body, err
		}
		a.Log.Debug("a file has moved", "file", id, "error", err)
	}
	var answer struct {
		File file `json:"file"`
	}
	if err := a.read(ctx, "files.info", url.Values{"file": {id}}, &answer); err != nil {
		if gone := withheld(err); gone != "" {
			return nil, fmt.Errorf("slack: file %s: %w (%s)", id, platform.ErrFileGone, gone)
		}
		return nil, err
	}
	fresh := cmp.Or(answer.File.URL, answer.File.View)
	if fresh == "" {
		return nil, fmt.Errorf("slack: file %s has no address: %w", id, platform.ErrFileGone)
	}
	return a.download(ctx, f, fresh)
}

// sharedIn returns the channels that a file is shared in, as far as we can see.
func (a *Adapter) sharedIn(ctx context.Context, id string) ([]string, error) {
	ctx, cancel := context.WithTimeout(ctx, a.LookUp)
	defer cancel()
	var answer struct {
		File struct {
			Channels list[string] `json:"channels"`
			Groups   list[string] `json:"groups"`
			IMs      list[string] `json:"ims"`
			file
		} `json:"file"`
	}
	if err := a.read(ctx, "files.info", url.Values{"file": {id}}, &answer); err != nil {
		if withheld(err) != "" {
			return nil, nil
		}
		return nil, err
	}
	f := answer.File
	kept := slices.Concat(f.Channels, f.Groups, f.IMs)
	for _, channels := range f.Shares {
		kept = slices.AppendSeq(kept, maps.Keys(channels))
	}
	slices.Sort(kept)
	return slices.Compact(kept), nil
}

// withheld is the code of an error that says a file is not for us.
func withheld(err error) string {
	switch code := errorCode(err); code {
	case "file_not_found", "file_deleted", "access_denied", "not_visible", "team_not_found", "no_permission":
		return code
	}
	return ""
}

func (a *Adapter) download(ctx context.Context, f memory.File, address string) (io.ReadCloser, error) {
	target, err := url.Parse(address)
	if err != nil || !a.mayAsk(target) {
		return nil, fmt.Errorf("slack: file %s is not kept by Slack: %w", f.PlatformID, platform.ErrFileGone)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("slack: file %s: %w", f.PlatformID, err)
	}
	req.Header.Set("Authorization", "Bearer "+a.BotToken)
	client := *a.HTTP
	client.Timeout = 0 // the caller bounds the download
	client.CheckRedirect = func(next *http.Request, via []*http.Request) error {
		if len(via) > 5 || !a.mayAsk(next.URL) || signIn(next.URL) {
			return errPage
		}
		return nil
	}
	resp, err := client.Do(req)
	switch {
	case errors.Is(err, errPage):
		return nil, fmt.Errorf("slack: file %s: %w: %w", f.PlatformID, platform.ErrFileGone, errPage)
	case err != nil:
		return nil, fmt.Errorf("slack: download file %s: %w", f.PlatformID, kit.WithoutAddress(err))
	}
	if err := checkFile(f, resp); err != nil {
		resp.Body.Close()
		return nil, err
	}
	return resp.Body, nil
}

func checkFile(f memory.File, resp *http.Response) error {
	switch resp.StatusCode {
	case http.StatusOK:
	case http.StatusUnauthorized, http.StatusForbidden, http.StatusNotFound, http.StatusGone:
		return fmt.Errorf("slack: file %s: %w (%s)", f.PlatformID, platform.ErrFileGone, resp.Status)
	case http.StatusTooManyRequests:
		return classify("download", statusError(resp))
	default:
		return fmt.Errorf("slack: file %s: %s", f.PlatformID, resp.Status)
	}
	page := strings.HasPrefix(resp.Header.Get("Content-Type"), "text/html")
	if page && !strings.Contains(f.Media, "html") && !strings.HasSuffix(strings.ToLower(f.Name), ".html") && !strings.HasSuffix(strings.ToLower(f.Name), ".htm") {
		return fmt.Errorf("slack: file %s: %w: %w", f.PlatformID, platform.ErrFileGone, errPage)
	}
	return nil
}

// mayAsk reports whether our token may be sent to an address: https hosts of Slack, and
// wherever the Web API is.
func (a *Adapter) mayAsk(u *url.URL) bool {
	if api, err := url.Parse(a.APIURL); err == nil && api.Host != "" && u.Scheme == api.Scheme && strings.EqualFold(u.Host, api.Host) {
		return true
	}
	if u.Scheme != "https" || u.User != nil {
		return false
	}
	host := strings.ToLower(u.Hostname())
	for _, domain := range []string{"slack.com", "slack-gov.com"} {
		if host == domain || strings.HasSuffix(host, "."+domain) {
			return true
		}
	}
	return false
}

// signIn reports whether an address is a page to sign in on, where Slack sends those
// who may not read a file (https://docs.slack.dev/messaging/working-with-files).
func signIn(u *url.URL) bool {
	return u.Query().Has("redir") || strings.Contains(u.Path, "/signin") || u.Path == "/" || u.Path == ""
}

// maxRemembered bounds the files, and the edits, remembered.
const maxRemembered = 10_000

// fileOrigins remembers which message brought a file: Slack may repeat the files of a
// thread's root with its replies.
type fileOrigins struct {
	origin kit.Recent[string] // channel, thread and file → message
}

// brought are the files of a message that no other message of its thread had before. The messages of a
// thread come one after the other.
func (s *fileOrigins) brought(ev *platform.Event) []memory.File {
	thread := cmp.Or(ev.Key.Thread, ev.Message)
	var files []memory.File
	for _, f := range ev.Files {
		key := ev.Key.Channel + " " + thread + " " + f.PlatformID
		if by, seen := s.origin.Get(key); seen && by != ev.Message {
			continue
		}
		s.origin.Set(key, ev.Message)
		files = append(files, f)
	}
	return files
}
