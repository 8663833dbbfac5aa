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

// leaving is a platform whose wire tells neither who an author is nor what a message says without the mention of us.
type leaving struct{ named }

func (leaving) Limits() platform.Limits { return platform.Limits{} }

func (leaving) Complete(_ context.Context, ev *platform.Event, _ bool) {
	ev.Author.Kind, ev.Author.Admin = memory.Human, true
	ev.Text = strings.TrimPrefix(ev.Text, "<@us> ")
}

// TestAnAdministratorWhoIsLeftOutCanTypeSettings.
func TestAnAdministratorWhoIsLeftOutCanTypeSettings(t *testing.T) {
	b := idleBot(t)
	key := memory.Key{Platform: "fake", Workspace: "w", Channel: "c"}
	if err := b.Store.SetSetting(t.Context(), memory.WorkspaceScope(key), memory.DenySetting, "person:U"); err != nil {
		t.Fatal(err)
	}
	ev := platform.Event{ID: "e", Kind: platform.EventMessage, Key: key, Message: "m", Text: "<@us> settings deny nobody",
		Channel: memory.Channel{Kind: memory.Public}, Author: platform.Author{ID: "U"}, Mention: true, Opens: "m"}
	if err := b.receive(t.Context(), leaving{}, ev); err != nil {
		t.Fatal(err)
	}
	rows, err := b.Store.Queue.InboxCommands(t.Context(), 10)
	if err != nil || len(rows) != 1 {
		t.Fatalf("%d commands, want 1: %v", len(rows), err)
	}
}
