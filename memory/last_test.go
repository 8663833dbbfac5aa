package memory

import (
	"context"
	"slices"
	"strings"
	"testing"
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
