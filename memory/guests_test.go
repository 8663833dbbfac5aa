package memory

import (
	"slices"
	"testing"
	"time"
)

// TestAGuestClosesAChannel for text of other channels: by coming, and by speaking, also for a turn that runs.
func TestAGuestClosesAChannel(t *testing.T) {
	for name, come := range map[string]func(s *Store, key Key) error{
		"comes": func(s *Store, key Key) error { return s.SetGuest(t.Context(), key, "gus", true) },
		"speaks": func(s *Store, key Key) error {
			in := incoming("gus", "gus", "hello", false)
			in.Key, in.Person = key, Person{PlatformID: "gus", Name: "Gus", Kind: Guest}
			in.Key.Thread = "of gus"
			_, err := s.Queue.Receive(t.Context(), in)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := openTest(t)
			r := said(t, s, "t", "m", "What is the code?", true)
			turn, err := claim(s, "w", time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			closed := func(want bool) {
				t.Helper()
				if a, err := s.Audience(t.Context(), r.Session.ID, r.Person.ID); err != nil || a.Guests != want {
					t.Errorf("guests: %v, want %v (%v)", a.Guests, want, err)
				}
			}
			closed(false)
			for range 2 {
				if err := come(s, r.Session.Key); err != nil {
					t.Fatal(err)
				}
				closed(true)
			}
			if in, err := s.Guests(t.Context(), r.Session.Key); err != nil || !slices.Equal(in, []string{"gus"}) {
				t.Errorf("noted: %q (%v)", in, err)
			}
			if why, err := s.Queue.Interruption(t.Context(), []int64{turn.Rows[0].ID}); err != nil || why != StopAudience {
				t.Errorf("the turn goes on: %q (%v)", why, err)
			}
			if err := s.SetGuest(t.Context(), r.Session.Key, "gus", false); err != nil {
				t.Fatal(err)
			}
			closed(name == "speaks")
		})
	}
}
