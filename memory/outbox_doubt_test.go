package memory

import (
	"testing"
	"time"
)

// TestACompleteAnswerIsTakenBackWhileItsSourceIsInDoubt, unless a part of it was posted.
func TestACompleteAnswerIsTakenBackWhileItsSourceIsInDoubt(t *testing.T) {
	for name, c := range map[string]struct {
		elsewhere, doubted bool
		ref                string
		want               bool
	}{
		"in doubt":       {true, true, "", true},
		"known":          {true, false, "", false},
		"of its own":     {false, true, "", false},
		"posted in part": {true, true, "ref", false},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, s := t.Context(), openTest(t)
			in := incoming("source", "source", "The code is in the safe.", false)
			if c.elsewhere {
				in.Key.Channel = "other"
			}
			source, err := s.Queue.Receive(ctx, in)
			if err != nil {
				t.Fatal(err)
			}
			said(t, s, "t", "m", "Where is the code?", true)
			turn, err := claim(s, "w", time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Queue.NoteShown(ctx, turn.Post.Nonce, Shown{Messages: []int64{source.Message.ID}}); err != nil {
				t.Fatal(err)
			}
			turn.Post.Payload, turn.Post.Ref = "in the safe", c.ref
			if err := s.Queue.OutboxMakeReady(ctx, &turn.Lease, turn.Post, turn.Rows[0].ID); err != nil {
				t.Fatal(err)
			}
			if c.doubted {
				if _, err := s.UncheckChannels(ctx, "test", "", false); err != nil {
					t.Fatal(err)
				}
			}
			again, err := s.Queue.OutboxTakeBackDoubted(ctx, turn.Post)
			if err != nil || again != c.want {
				t.Errorf("taken back: %v, want %v (%v)", again, c.want, err)
			}
			o, err := s.Queue.OutboxByNonce(ctx, turn.Post.Nonce)
			if err != nil || (o.State == OutboxNew) != c.want || (o.Payload == "") != c.want {
				t.Errorf("%+v %v", o, err)
			}
		})
	}
}
