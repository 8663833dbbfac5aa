package bot_test

import (
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// TestAFormIsForTheOneWhoIsAsked opens and sends the form of a question as somebody else,
// and twice as its asker.
func TestAFormIsForTheOneWhoIsAsked(t *testing.T) {
	s := begin(t)
	at := s.say(general, "ask me")
	s.says(at, "Ada", "Which colour?")
	s.settle()
	question := s.world.Posts(at, "Ada")[0]
	opens := func(who, label string, want bool) {
		t.Helper()
		f, err := s.world.Form(t.Context(), who, at, question, label)
		if err != nil || (f != nil) != want {
			t.Errorf("%s opens %+v, %v under %q", who, f, err, label)
		}
		if f != nil && (*f != platform.Form{Title: "Something else", Label: "Please type what you mean.", Hint: "Which colour?"}) {
			t.Errorf("opened %+v", *f)
		}
	}
	opens("Ada", "Red", false)
	opens("Bob", "Something else", false)
	s.world.Fill("Bob", at, question, "Something else", "mine")
	s.says(at, "Bob", "for someone else")
	opens("Ada", "Something else", true)
	s.world.Fill("Ada", at, question, "Something else", "how about a very light blue?")
	s.world.Fill("Ada", at, question, "Something else", "too late")
	s.says(at, "Ada", "You chose the words how about a very light blue?")
	s.says(at, "Ada", "closed")
	s.settle()
	if text := s.world.Posts(at, "Ada")[0].Text; !strings.HasSuffix(text, "→ Answered in words.") {
		t.Errorf("the question ends with %q", text)
	}
	session, err := s.store.SessionByKey(t.Context(), memory.Key{Platform: "fake", Workspace: "w", Channel: at.Channel, Thread: at.Thread})
	if err != nil {
		t.Fatal(err)
	}
	said, err := s.store.Messages(t.Context(), session.ID)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, m := range said {
		if m.Role == memory.User && m.Text == "how about a very light blue?" && m.Author == "Ada" {
			n++
		}
		if m.Text == "mine" || m.Text == "too late" {
			t.Errorf("kept %q", m.Text)
		}
	}
	if n != 1 {
		t.Errorf("kept %+v", said)
	}
	var kept int
	if err := s.store.Read().NewRaw("SELECT (SELECT COUNT(*) FROM inbox WHERE payload LIKE '%light blue%') + (SELECT COUNT(*) FROM questions WHERE answer LIKE '%light blue%')").
		Scan(t.Context(), &kept); err != nil || kept != 0 {
		t.Errorf("%d more rows hold what was typed, %v", kept, err)
	}
}

// TestAfterAFormWasOpenedATextIsAnAnswer closes the form and types in the conversation.
func TestAfterAFormWasOpenedATextIsAnAnswer(t *testing.T) {
	s := begin(t)
	at := s.say(general, "ask me")
	s.says(at, "Ada", "Which colour?")
	s.settle()
	if f, err := s.world.Form(t.Context(), "Ada", at, s.world.Posts(at, "Ada")[0], "Something else"); f == nil || err != nil {
		t.Fatal(f, err)
	}
	s.say(at, "what about a very light blue?")
	s.says(at, "Ada", "You chose the words what about a very light blue?")
}
