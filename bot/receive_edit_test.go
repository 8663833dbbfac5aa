package bot

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
	"threadkeeper/memory"
)

// pasting is a platform with a pasted text, whose Completer never has the time to read it.
type pasting struct {
	named
	gone bool
}

func (pasting) Complete(context.Context, *platform.Event, bool) {}

func (p pasting) Open(context.Context, memory.File) (io.ReadCloser, error) {
	if p.gone {
		return nil, errors.New("it is gone")
	}
	return io.NopCloser(strings.NewReader("no space left on device")), nil
}

// TestAnEditWaitsForThePastedText, which its message would lose otherwise. What cannot be read any more is lost.
func TestAnEditWaitsForThePastedText(t *testing.T) {
	for want, p := range map[string]pasting{"Why?\n\nno space left on device": {}, "Why?": {gone: true}} {
		b := idleBot(t)
		ev := platform.Event{ID: "e1", Kind: platform.EventMessage, Key: memory.Key{Workspace: "w", Channel: "c"}, Message: "m", Text: "look\n\nno space left on device",
			Channel: memory.Channel{Kind: memory.DM}, Author: platform.Author{ID: "U", Kind: memory.Human}, Mention: true}
		if err := b.receive(t.Context(), p, ev); err != nil {
			t.Fatal(err)
		}
		ev.ID, ev.Kind, ev.Text, ev.Files = "e2", platform.EventEdit, "Why?", []memory.File{{PlatformID: "F", Name: kit.Pasted}}
		if err := b.receive(t.Context(), p, ev); err != nil {
			t.Fatal(err)
		}
		if m, err := b.Store.Message(t.Context(), 1); err != nil || m.Text != want {
			t.Errorf("stored is %q, want %q: %v", m.Text, want, err)
		}
	}
}
