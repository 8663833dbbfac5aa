package bot

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// mover is a platform that shows some channels. What was in the others is in one of them now.
type mover struct {
	mute
	shown          []memory.Channel
	is             map[string]string // by the old id
	listed, looked int
}

func (m *mover) Channels(context.Context, string) ([]memory.Channel, error) {
	m.listed++
	return m.shown, nil
}

func (m *mover) Moved(_ context.Context, from string, _ []platform.Seen, channels []string) (string, error) {
	m.looked++
	if slices.Contains(channels, m.is[from]) {
		return m.is[from], nil
	}
	return "", nil
}

// TestFewRequestsFindAMovedChannel: the platform is asked for its channels once, and not for public ones; once a channel is
// known no other is compared with it.
func TestFewRequestsFindAMovedChannel(t *testing.T) {
	b, m := idleBot(t), &mover{is: map[string]string{"G3": "C3", "G1": "C1"}}
	hear := func(channel string, kind memory.ChannelKind) {
		t.Helper()
		ev := platform.Event{ID: fmt.Sprint(channel, b.Store.Now()), Kind: platform.EventMessage, Key: memory.Key{Platform: "mute", Workspace: "w", Channel: channel, Thread: "t"},
			Channel: memory.Channel{Kind: kind}, Author: platform.Author{ID: "U", Name: "Grace", Kind: memory.Human}, Message: "m", Text: "I say it.", Mention: true}
		if err := b.receive(t.Context(), m, ev); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3 {
		b.Store.Now = func() int64 { return int64(i + 1) }
		hear(fmt.Sprint("G", i+1), memory.Private)
	}
	m.listed, m.looked = 0, 0
	m.shown = []memory.Channel{{Channel: "C3", Kind: memory.Private}, {Channel: "C1", Kind: memory.Private}, {Channel: "C0", Kind: memory.Public}}
	hear("C0", memory.Public)
	if m.listed+m.looked > 0 {
		t.Errorf("for a public channel, %d and %d requests", m.listed, m.looked)
	}
	hear("C3", memory.Private)
	hear("C3", memory.Private)
	if m.listed != 1 || m.looked != 1 {
		t.Errorf("for the one where somebody spoke last, %d and %d requests", m.listed, m.looked)
	}
	var lost []memory.Channel
	for _, id := range []string{"G2", "G1"} {
		c, err := b.Store.ChannelByKey(t.Context(), memory.Key{Platform: "mute", Workspace: "w", Channel: id})
		if err != nil {
			t.Fatal(err)
		}
		lost = append(lost, *c)
	}
	m.listed, m.looked = 0, 0
	if err := b.findMoved(t.Context(), t.Context(), m, "w", "", lost); err != nil || m.listed != 1 || m.looked != 2 {
		t.Errorf("%d and %d requests, %v", m.listed, m.looked, err)
	}
	for id, there := range map[string]bool{"G1": false, "G2": true, "G3": false, "C1": true, "C3": true} {
		if _, err := b.Store.ChannelByKey(t.Context(), memory.Key{Platform: "mute", Workspace: "w", Channel: id}); gone(err) == there {
			t.Errorf("%s: %v", id, err)
		}
	}
}
