package slack

import (
	"fmt"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
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

// String returns the stored form.
func (r ref) String() platform.Ref { return kit.EncodeRef(r) }

func parseRef(s platform.Ref) (ref, error) {
	r, err := kit.DecodeRef(s, func(r ref) bool { return r.Channel != "" && (len(r.Messages) > 0 || r.File != "") })
	if err != nil {
		return r, fmt.Errorf("slack: %w", err)
	}
	return r, nil
}

// Messages returns the time stamps of a post's messages that everybody sees.
func (a *Adapter) Messages(s platform.Ref) []string {
	r, err := parseRef(s)
	if err != nil || r.OnlyTo != "" {
		return nil
	}
	return r.Messages
}

// RefOf names one message of ours.
func (a *Adapter) RefOf(key memory.Key, message string) platform.Ref {
	return ref{Workspace: key.Workspace, Channel: key.Channel, Thread: key.Thread, Messages: []string{message}}.String()
}
