package discord

import (
	"encoding/json"
	"fmt"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// ref is a platform.Ref: the messages that one post consists of.
type ref struct {
	Workspace   string   `json:"guild,omitempty"` // "@me" for a direct message
	Channel     string   `json:"channel,omitempty"`
	Messages    []string `json:"messages"`
	Interaction string   `json:"interaction,omitempty"` // what is answered, by its name; "" once it is a message like any other
	OnlyTo      string   `json:"only,omitempty"`        // the only person to see it
	Thread      string   `json:"thread,omitempty"`      // the thread it stands for, where none could be opened
}

func (r ref) String() platform.Ref {
	b, err := json.Marshal(r)
	if err != nil {
		panic(err) // strings only
	}
	return platform.Ref(b)
}

func parseRef(s platform.Ref) (ref, error) {
	var r ref
	if err := json.Unmarshal([]byte(s), &r); err != nil {
		return r, fmt.Errorf("discord: %w: name of a post not understood", platform.ErrUndeliverable)
	}
	for _, id := range append([]string{r.Channel}, r.Messages...) {
		if id != "" && !isID(id) {
			return r, fmt.Errorf("discord: %w: name of a post not understood", platform.ErrUndeliverable)
		}
	}
	if len(r.Messages) == 0 || r.Channel == "" && r.Interaction == "" {
		return r, fmt.Errorf("discord: %w: name of a post not understood", platform.ErrUndeliverable)
	}
	return r, nil
}

// Link opens the first message of a post. What only one person sees has none.
func (a *Adapter) Link(s platform.Ref) string {
	r, err := parseRef(s)
	if err != nil || r.Interaction != "" || r.Workspace != "@me" && !isID(r.Workspace) {
		return ""
	}
	return jump(r.Workspace, r.Channel, r.Messages[0])
}

var _ platform.Permalinker = (*Adapter)(nil)

// Permalink opens what was said under a message's id.
func (a *Adapter) Permalink(key memory.Key, message string) string {
	if !isID(message) || key.Workspace != directly && !isID(key.Workspace) {
		return ""
	}
	return jump(key.Workspace, or(key.Thread, key.Channel), message)
}

// Messages are the ids of a post's messages.
func (a *Adapter) Messages(s platform.Ref) []string {
	r, err := parseRef(s)
	if err != nil {
		return nil
	}
	return r.Messages
}

// isID reports whether s is one of Discord's ids: a decimal of up to 20 digits.
func isID(s string) bool { return s != "" && len(s) <= 20 && strings.Trim(s, "0123456789") == "" }
