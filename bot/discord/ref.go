package discord

import (
	"cmp"
	"fmt"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
)

// ref is a platform.Ref: the messages that one post consists of.
type ref struct {
	Workspace   string   `json:"guild,omitempty"` // "@me" for a direct message
	Channel     string   `json:"channel,omitempty"`
	Messages    []string `json:"messages"`
	Interaction string   `json:"interaction,omitempty"` // the interaction answered, by its name; "" once the post is an ordinary message
	OnlyTo      string   `json:"only,omitempty"`        // the only person to see it
	Thread      string   `json:"thread,omitempty"`      // the thread it replaces, if none could be opened
}

// String returns the stored form.
func (r ref) String() platform.Ref { return kit.EncodeRef(r) }

func (r ref) valid() bool {
	for _, id := range append([]string{r.Channel}, r.Messages...) {
		if id != "" && !isID(id) {
			return false
		}
	}
	return len(r.Messages) > 0 && (r.Channel != "" || r.Interaction != "")
}

func parseRef(s platform.Ref) (ref, error) {
	r, err := kit.DecodeRef(s, ref.valid)
	if err != nil {
		return r, fmt.Errorf("discord: %w", err)
	}
	return r, nil
}

// Messages returns the ids of a post's messages.
func (a *Adapter) Messages(s platform.Ref) []string {
	r, err := parseRef(s)
	if err != nil {
		return nil
	}
	return r.Messages
}

// RefOf names one message of ours.
func (a *Adapter) RefOf(key memory.Key, message string) platform.Ref {
	return ref{Workspace: key.Workspace, Channel: cmp.Or(key.Thread, key.Channel), Messages: []string{message}}.String()
}

// isID reports whether s is one of Discord's ids: a decimal of up to 20 digits.
func isID(s string) bool { return s != "" && len(s) <= 20 && strings.Trim(s, "0123456789") == "" }
