package memory

import (
	"fmt"
	"slices"
	"testing"
)

// TestEveryStoredMessageIsInOnePart: what is stored is compared with the platform in parts of one conversation each, the oldest
// conversation first, and begins again at its end.
func TestEveryStoredMessageIsInOnePart(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	for i := range 5 {
		said(t, s, "first", fmt.Sprint("a", i), "hello", false)
	}
	said(t, s, "second", "b0", "what?", true)
	said(t, s, "first", "a5", "later", false)
	answered(t, s, "that", "p0", "p1")
	said(t, s, "empty", "c0", "gone", false)
	_, err := s.Queue.ReceiveErase(ctx, about("c0"), "c0")
	must(t, err)
	_, err = s.Queue.ReceiveErase(ctx, about("a1"), "a1")
	must(t, err)
	elsewhere := incoming("other", "o0", "hello", false)
	elsewhere.Platform, elsewhere.Key.Platform = "other", "other"
	_, err = s.Queue.Receive(ctx, elsewhere)
	must(t, err)
	var parts []string
	for after := int64(0); ; {
		part, last, err := s.ConversationPart(ctx, "test", after, 3)
		must(t, err)
		if last == 0 {
			break
		}
		parts, after = append(parts, fmt.Sprint(part.Key.Thread, " ", part.Messages, " ", part.Posts)), last
	}
	if want := []string{"first [a0 a2 a3] []", "first [a4 a5] []", "second [b0] [p0 p1]"}; !slices.Equal(parts, want) {
		t.Errorf("%q, want %q", parts, want)
	}
}
