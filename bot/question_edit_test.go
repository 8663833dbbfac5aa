package bot_test

import (
	"slices"
	"strings"
	"testing"

	"threadkeeper/bot/platformtest"
)

// An edit of the request withdraws its question: the new text is answered, and the old button chooses nothing.
func TestAnEditOfTheRequestWithdrawsItsQuestion(t *testing.T) {
	s := begin(t)
	id, at := s.world.Say(platformtest.Said{Who: "Ada", At: general, Text: "ask me", Mention: true})
	s.says(at, "Ada", "Which colour?")
	s.settle()
	question := s.world.Posts(at, "Ada")[0]
	s.world.Edit(at, id, "tell me")
	s.says(at, "Ada", "You said: tell me")
	s.settle()
	s.world.Click("Ada", at, question, "Red")
	s.settle()
	if texts := s.texts(at); slices.ContainsFunc(texts, func(x string) bool { return strings.Contains(x, "colour") || strings.Contains(x, "You chose") }) {
		t.Errorf("%q", texts)
	}
	var open int
	if err := s.store.Read().NewRaw("SELECT count(*) FROM questions WHERE state = 'open'").Scan(t.Context(), &open); err != nil || open > 0 {
		t.Errorf("%d questions are open, %v", open, err)
	}
}
