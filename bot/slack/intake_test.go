package slack

import (
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

func TestTheQueueIsBounded(t *testing.T) {
	in := &intake{room: make(chan struct{}, maxWaiting)}
	slow := make(chan struct{})
	for range maxWaiting {
		if err := in.enqueue(t.Context(), "a", func() { <-slow }); err != nil {
			t.Fatal(err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := in.enqueue(ctx, "b", func() { t.Error("done all the same") }); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	close(slow)
	in.lanes.Join()
	if len(in.room) != 0 {
		t.Errorf("%d places left", len(in.room))
	}
}

// TestAQuestionIsAboutTheWordsOfNow also when it is stored later, because the disk failed.
func TestAQuestionIsAboutTheWordsOfNow(t *testing.T) {
	const ts = "1700000000.000100"
	var asked []string
	in, _ := intakeOf(t, func(_ context.Context, ev platform.Event) error {
		asked = append(asked, ev.Text)
		return memory.ErrDisk
	})
	words := ""
	in.a.HTTP = &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(`{"ok":true,"messages":[{"type":"message","user":"U1","ts":"` + ts + `","text":"` + words + `"}]}`)), Request: r}, nil
	})}
	in.missed = newMissed(in)
	in.shown.Set("question", "1700000000.000200")
	f := outcome{event: &platform.Event{ID: "question", Kind: platform.EventMessage, Key: memory.Key{Workspace: us.Team, Channel: "C1", Thread: ts}}, about: &about{"C1", ts, ""}, aloud: "why?"}
	for _, words = range []string{"It is red.", "It is blue."} {
		if err := in.handle(t.Context(), f); !errors.Is(err, memory.ErrDisk) {
			t.Fatal(err)
		}
	}
	if want := []string{"> It is red.\n\nwhy?", "> It is blue.\n\nwhy?"}; !slices.Equal(asked, want) {
		t.Errorf("asked %q, want %q", asked, want)
	}
}
