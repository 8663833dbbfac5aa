package slack

import (
	"context"
	"net/url"
	"strings"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// Link returns the link to a post, "" for one that only one person saw and while
// the workspace's address is unknown.
func (a *Adapter) Link(s platform.Ref) string {
	r, err := parseRef(s)
	if err != nil || r.OnlyTo != "" {
		return ""
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	us, err := a.identify(ctx)
	if err != nil {
		return ""
	}
	if r.File != "" {
		return us.URL + "files/" + us.User + "/" + r.File
	}
	return permalink(us.URL, spot{r.Channel, r.Thread}, r.Messages[0])
}

// Permalink returns the link to a message by its time stamp, "" for an id that is not a
// message's and while the workspace's address is unknown.
func (a *Adapter) Permalink(key memory.Key, message string) string {
	if !isStamp.MatchString(message) {
		return ""
	}
	return a.Link(a.RefOf(key, message))
}

func permalink(workspace string, at spot, ts string) string {
	link := workspace + "archives/" + at.channel + "/p" + strings.ReplaceAll(ts, ".", "")
	if at.thread != "" && at.thread != ts {
		link += "?" + url.Values{"thread_ts": {at.thread}, "cid": {at.channel}}.Encode()
	}
	return link
}
