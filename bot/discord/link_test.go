package discord

import (
	"testing"

	"threadkeeper/memory"
)

func TestAMessageHasAnAddress(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		key           memory.Key
		message, want string
	}{
		{memory.Key{Workspace: "1", Channel: "2"}, "4", "https://discord.com/channels/1/2/4"},
		{memory.Key{Workspace: "1", Channel: "2", Thread: "3"}, "4", "https://discord.com/channels/1/3/4"},
		{memory.Key{Workspace: "@me", Channel: "2"}, "4", "https://discord.com/channels/@me/2/4"},
		{memory.Key{Workspace: "1", Channel: "2"}, "event:click:1", ""},
	} {
		if got := new(Adapter).Permalink(c.key, c.message); got != c.want {
			t.Errorf("%s: %q, want %q", c.message, got, c.want)
		}
	}
}
