package memory

import (
	"fmt"
	"slices"
	"testing"
)

// later stores n messages in a public channel in one go.
func later(t *testing.T, s *Store, channel string, n int, text func(i int) string) *Session {
	t.Helper()
	key := Key{Platform: "test", Workspace: "w", Channel: channel}
	session, _, err := s.Locate(t.Context(), key, Channel{Kind: Public}, Person{PlatformID: "Eve", Name: "Eve"})
	if err != nil {
		t.Fatal(err)
	}
	past := make([]Incoming, n)
	for i := range past {
		past[i] = Incoming{Platform: "test", Kind: "message", Key: key, Person: Person{PlatformID: "Eve", Name: "Eve"},
			Message: &Message{PlatformID: fmt.Sprint(channel, i), Role: User, Author: "Eve", Text: text(i), At: s.Now()}}
	}
	if _, err := s.Backfill(t.Context(), session, past); err != nil {
		t.Fatal(err)
	}
	return session
}

func TestRecallDoesNotFadeUnderLaterMessages(t *testing.T) {
	s := openTest(t)
	tick(s, "2026-03-02")
	one := utter(t, s, Public, "c", "t", "Ada", "We painted the zeppelin green")
	two := utter(t, s, Public, "c", "t", "Ada", "The zeppelin has its place on the roof")
	neighbour := utter(t, s, Public, "c", "u", "Bob", "What a day")
	var other *Session
	for c := range 2 {
		other = later(t, s, fmt.Sprint("other", c), 2*recallRows, func(i int) string {
			return fmt.Sprintf([]string{"Another zeppelin left today, number %d", "They mend the roof again, day %d"}[i%2], i)
		})
	}
	elsewhere, err := s.Audience(t.Context(), other.ID, 0)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		who   string
		a     Audience
		query string
		want  *Message
	}{
		{"its own thread", audienceOf(t, s, one), "what about the zeppelin?", one},
		{"its own thread", audienceOf(t, s, one), "is the zeppelin on the roof?", two},
		{"another thread of the channel", audienceOf(t, s, neighbour), "what about the zeppelin?", one},
		{"another channel", elsewhere, "is the zeppelin on the roof?", two},
	} {
		found, err := s.Recall(t.Context(), RecallQuery{Audience: c.a, Text: c.query, Limit: 5})
		if err != nil || !slices.Contains(texts(found), c.want.Text) {
			t.Errorf("%s: %q recalls %q, %v; want %q too", c.who, c.query, texts(found), err, c.want.Text)
		}
	}
}

func TestRecallPrefersItsOwnConversation(t *testing.T) {
	s := openTest(t)
	tick(s, "2026-03-02")
	here := utter(t, s, Public, "c", "t", "Ada", "The zeppelin lands at four")
	beside := utter(t, s, Public, "c", "u", "Ada", "The zeppelin lands at five")
	far := utter(t, s, Public, "d", "t", "Ada", "The zeppelin lands at six")
	for _, c := range []struct {
		from *Message
		want []string
	}{
		{here, []string{here.Text, beside.Text, far.Text}},
		{beside, []string{beside.Text, here.Text, far.Text}},
	} {
		found, err := s.Recall(t.Context(), RecallQuery{Audience: audienceOf(t, s, c.from), Text: "when does the zeppelin land?"})
		if err != nil || !slices.Equal(texts(found), c.want) {
			t.Errorf("recalled %q, %v; want %q", texts(found), err, c.want)
		}
	}
}

// TestASpeakerElsewhereDoesNotCrowdOutTheOwnConversation: who said it counts as much less elsewhere as the words do.
func TestASpeakerElsewhereDoesNotCrowdOutTheOwnConversation(t *testing.T) {
	s := openTest(t)
	tick(s, "2026-03-02")
	here := utter(t, s, Public, "c", "t", "Bob", "The zeppelin is late")
	far := utter(t, s, Public, "d", "t", "Ada", "Zeppelin, zeppelin")
	found, err := s.Recall(t.Context(), RecallQuery{Audience: audienceOf(t, s, here), Text: "zeppelin", Speakers: []string{"Ada"}})
	if want := []string{here.Text, far.Text}; err != nil || !slices.Equal(texts(found), want) {
		t.Errorf("recalled %q, %v; want %q", texts(found), err, want)
	}
}
