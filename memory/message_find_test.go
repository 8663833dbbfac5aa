package memory

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestLastTextsAreOwnAndOthersNewestFirst(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	long := strings.Repeat("ä", saidLength+1)
	var session, ada int64
	for i, m := range []struct{ who, text string }{{"ada", "forgotten by the limit"}, {"ada", "one"}, {"bob", "two"}, {"ada", "deleted"}, {"ada", long}} {
		in := incoming("e"+string(rune('0'+i)), "m"+string(rune('0'+i)), m.text, false)
		in.Person.PlatformID = m.who
		r, err := s.Queue.Receive(ctx, in)
		if err != nil {
			t.Fatal(err)
		}
		if session = r.Session.ID; m.who == "ada" {
			ada = r.Message.PersonID
		}
	}
	if _, err := s.Queue.ReceiveErase(ctx, about("delete"), "m3"); err != nil {
		t.Fatal(err)
	}
	own, others, err := s.LastTexts(ctx, session, ada, 3)
	if err != nil || !slices.Equal(own, []string{long[:len(long)-len("ä")], "one"}) || !slices.Equal(others, []string{"two"}) {
		t.Errorf("own %.20q, others %q: %v", own, others, err)
	}
}

// TestSaidAfter are people's messages of the same conversation, without erased ones, those from a message on, and what the audience may not see.
func TestSaidAfter(t *testing.T) {
	s := openTest(t)
	var all []*Message
	for i := range 6 {
		id := strconv.Itoa(i)
		r, err := s.Queue.Receive(t.Context(), incoming(id, id, "said "+id, false))
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, r.Message)
	}
	if _, err := s.Queue.ReceiveErase(t.Context(), about("delete"), "2"); err != nil {
		t.Fatal(err)
	}
	for limit, want := range map[int]string{1: "said 1", 9: "said 1, said 3, said 4"} {
		list, err := s.SaidAfter(t.Context(), audienceOf(t, s, all[0]), all[0], all[5].ID, limit)
		var texts []string
		for _, m := range list {
			texts = append(texts, m.Text)
		}
		if got := strings.Join(texts, ", "); err != nil || got != want {
			t.Errorf("at most %d: %q, want %q: %v", limit, got, want, err)
		}
	}
	stranger := Audience{Channel: Channel{ID: 99, Platform: "test", Workspace: "another"}}
	if list, err := s.SaidAfter(t.Context(), stranger, all[0], all[5].ID, 9); err != nil || len(list) > 0 {
		t.Errorf("a stranger sees %d messages: %v", len(list), err)
	}
}

func TestRecentConversationsAreWhatPeopleSaidNewestFirst(t *testing.T) {
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
	said, err := s.RecentConversations(t.Context(), RecentQuery{in.Platform, 0, 10, 10})
	if err != nil || len(said) != 1 || said[0].Key != in.Key || !slices.Equal(said[0].Messages, []string{"13", "11"}) {
		t.Fatalf("%+v, %v", said, err)
	}
	if len(said[0].Posts) > 0 {
		t.Errorf("we said nothing, and %q", said[0].Posts)
	}
	if said, err = s.RecentConversations(t.Context(), RecentQuery{in.Platform, 0, 10, 1}); err != nil || !slices.Equal(said[0].Messages, []string{"13"}) {
		t.Errorf("at most one: %+v, %v", said, err)
	}
}

// What counts is the last day on which something was said, however long ago that is.
func TestRecentConversationsAreOfTheLastDayOnWhichSomethingWas(t *testing.T) {
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
	said, err := s.RecentConversations(t.Context(), RecentQuery{incoming("x", "x", "x", false).Platform, 24 * time.Hour, 10, 10})
	for _, c := range said {
		latest = append(latest, c.Key.Thread)
	}
	if err != nil || !slices.Equal(latest, []string{"friday night", "friday"}) {
		t.Errorf("%q, %v", latest, err)
	}
}
