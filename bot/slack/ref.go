package slack

import (
	"encoding/json"
	"fmt"

	"threadkeeper/bot/platform"
)

// ref names a post of ours: one message or, when the text is long, several.
type ref struct {
	Workspace string   `json:"w,omitempty"`
	Channel   string   `json:"c"`
	Thread    string   `json:"t,omitempty"` // root message, "" at the top of the channel
	Messages  []string `json:"p,omitempty"` // time stamps, in reading order
	OnlyTo    string   `json:"e,omitempty"` // the one who sees it: it cannot be changed
	File      string   `json:"f,omitempty"` // id of an uploaded file
}

// String is the form that is stored.
func (r ref) String() platform.Ref {
	b, err := json.Marshal(r)
	if err != nil {
		panic(err) // strings only
	}
	return platform.Ref(b)
}

func parseRef(s platform.Ref) (ref, error) {
	var r ref
	if err := json.Unmarshal([]byte(s), &r); err != nil || r.Channel == "" || len(r.Messages) == 0 && r.File == "" {
		return r, fmt.Errorf("slack: %q names no post: %w", s, platform.ErrUndeliverable)
	}
	return r, nil
}

var _ platform.Poster = (*Adapter)(nil)

// Messages are the time stamps of a post's messages that everybody sees.
func (a *Adapter) Messages(s platform.Ref) []string {
	r, err := parseRef(s)
	if err != nil || r.OnlyTo != "" {
		return nil
	}
	return r.Messages
}
