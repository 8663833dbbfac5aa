package memory

import (
	"slices"
	"testing"
	"time"
)

func TestEraseAllOfAThreadAndOfAChannel(t *testing.T) {
	s := openTest(t)
	say := func(event, channel, thread string) *Received {
		in := incoming(event, thread+event, "said in "+channel+thread, false)
		in.Key.Channel, in.Key.Thread = channel, thread
		r, err := s.Queue.Receive(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	one, two := say("1", "c", "one"), say("2", "c", "two")
	other := say("3", "d", "one")
	erased := func() (all []int64) {
		for _, r := range []*Received{one, two, other} {
			m, err := s.Message(t.Context(), r.Message.ID)
			if err != nil {
				t.Fatal(err)
			}
			if m.ErasedAt > 0 && m.Text == "" {
				all = append(all, m.ID)
			}
		}
		return all
	}
	key := one.Session.Key
	if got, err := s.EraseConversation(t.Context(), key); err != nil || !slices.Equal(got, []int64{one.Session.ID}) {
		t.Fatalf("sessions %v, %v", got, err)
	}
	if got := erased(); !slices.Equal(got, []int64{one.Message.ID}) {
		t.Errorf("with a thread, erased %v", got)
	}
	key.Thread = ""
	if _, err := s.EraseConversation(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	if got := erased(); !slices.Equal(got, []int64{one.Message.ID, two.Message.ID}) {
		t.Errorf("with a channel, erased %v", got)
	}
}

func TestLastSaidIsWhatPeopleSaidNewestFirst(t *testing.T) {
	s := openTest(t)
	for _, id := range []string{"11", "12", "13"} {
		if _, err := s.Queue.Receive(t.Context(), incoming(id, id, "said "+id, false)); err != nil {
			t.Fatal(err)
		}
	}
	in := incoming("x", "x", "x", false)
	if _, err := s.Erase(t.Context(), in.Key, "12", 0); err != nil {
		t.Fatal(err)
	}
	said, err := s.RecentConversations(t.Context(), in.Platform, 0, 10, 10)
	if err != nil || len(said) != 1 || said[0].Key != in.Key || !slices.Equal(said[0].Messages, []string{"13", "11"}) {
		t.Fatalf("%+v, %v", said, err)
	}
	if len(said[0].Posts) > 0 {
		t.Errorf("we said nothing, and %q", said[0].Posts)
	}
	if said, err = s.RecentConversations(t.Context(), in.Platform, 0, 10, 1); err != nil || !slices.Equal(said[0].Messages, []string{"13"}) {
		t.Errorf("at most one: %+v, %v", said, err)
	}
}

// What counts is the last day on which something was said, however long ago that is.
func TestLastSaidIsOfTheLastDayOnWhichSomethingWas(t *testing.T) {
	s := openTest(t)
	now := time.Now()
	s.Now = func() int64 { return now.UnixMilli() }
	var latest []string
	for _, thread := range []string{"old", "friday", "friday night"} {
		now = now.Add(20 * time.Hour)
		in := incoming(thread, thread, "said", false)
		in.Key.Thread = thread
		if _, err := s.Queue.Receive(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	now = now.Add(60 * time.Hour)
	said, err := s.RecentConversations(t.Context(), incoming("x", "x", "x", false).Platform, (24 * time.Hour).Milliseconds(), 10, 10)
	for _, c := range said {
		latest = append(latest, c.Key.Thread)
	}
	if err != nil || !slices.Equal(latest, []string{"friday night", "friday"}) {
		t.Errorf("%q, %v", latest, err)
	}
}
