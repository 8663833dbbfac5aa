package platformtest

import (
	"slices"
	"strings"
)

func bareMention(s *stage) {
	at := s.say(s.top("general"), "")
	s.until(at, "Ada", "the greeting", has("`help`"))
	s.settle()
	if n := s.chain.Started(); n != 0 {
		s.t.Errorf("%d turns of the chain for nothing", n)
	}
	s.say(at, "hello")
	s.until(at, "Ada", "the answer", has("You said: hello"))
	s.settle()
	s.h.Say(Said{Who: "Ada", At: at, Mention: true})
	s.until(at, "Ada", "the second greeting", func(p []Post) bool { return len(p) == 3 })
	s.settle() // it may have been growing
	posts := s.h.Posts(at, "Ada")
	if !strings.Contains(posts[2].Text, "4 messages") {
		s.t.Errorf("what is known is not said: %q", posts[2].Text)
	}
}

func bareMentionMeans(s *stage) {
	_, at := s.h.Say(Said{Who: "Ada", At: s.top("general"), Text: "how long is the warranty", Unseen: true})
	s.h.Say(Said{Who: "Ada", At: at, Mention: true})
	s.answers(at, "You said: how long is the warranty")
	_, other := s.h.Say(Said{Who: "Bob", At: s.top("general"), Text: "of somebody else", Unseen: true})
	s.h.Say(Said{Who: "Ada", At: other, Mention: true})
	s.until(other, "Ada", "the greeting", has("`help`"))
	s.settle()
}

// A bare mention while we still work is no second request.
func bareMentionWaits(s *stage) {
	at := s.say(s.top("general"), "slow work")
	s.begun(1)
	s.h.Say(Said{Who: "Ada", At: at, Mention: true})
	close(s.chain.Go)
	s.until(at, "Ada", "the greeting", has("`help`"))
	s.settle()
	if n := s.chain.Started(); n != 1 {
		s.t.Errorf("%d turns of the chain, want 1", n)
	}
}

func notBackfilled(s *stage) {
	at := s.say(s.top("general"), "hello")
	s.answers(at, "You said: hello")
	s.h.Say(Said{Who: "Bob", At: at, Text: "never delivered", Unseen: true})
	s.say(at, "recite")
	posts := s.until(at, "Ada", "the history", has("Ada: recite"))
	if text := posts[len(posts)-1].Text; strings.Contains(text, "never delivered") {
		s.t.Errorf("our own thread was read again: %q", text)
	}
}

func ownPast(s *stage) {
	_, at := s.h.Say(Said{Who: "Bob", At: s.top("general"), Text: "the code is 4711", Unseen: true})
	s.h.Break(FailPast)
	s.h.Say(Said{Who: "Ada", At: at, Text: "hello", Mention: true})
	s.answers(at, "You said: hello")
	s.mention(at, "recite")
	posts := s.until(at, "Ada", "the history", has("Ada: recite"))
	if n := strings.Count(posts[len(posts)-1].Text, "You said: hello"); n != 1 {
		s.t.Errorf("our answer stands %d times in the history: %q", n, posts[len(posts)-1].Text)
	}
}

func answerDeleted(s *stage) {
	at := s.say(s.top("general"), "hello")
	posts := s.answers(at, "You said: hello")
	s.h.Delete(at, posts[0].ID)
	s.settle()
	s.say(at, "recite")
	posts = s.until(at, "Ada", "the history", has("Ada: recite"))
	if len(posts) != 1 || strings.Contains(posts[0].Text, "You said") {
		s.t.Errorf("a deleted answer is remembered: %+v", posts)
	}
}

// answerReplaced has a question's post replaced when it is closed, and then deleted.
func answerReplaced(s *stage) {
	at, q := asked(s)
	s.h.Break(BarEdit)
	s.h.Click("Ada", at, q, "Red")
	s.until(at, "Ada", "the end of the question", has(s.closed("Red")))
	s.settle()
	posts := s.h.Posts(at, "Ada")
	i := slices.IndexFunc(posts, func(p Post) bool { return strings.TrimSpace(p.Text) == s.closed("Red") })
	if len(posts) != 2 || i < 0 || posts[i].ID == q.ID {
		s.t.Fatalf("%s was not replaced: %+v", q.ID, posts)
	}
	s.h.Delete(at, posts[i].ID)
	s.settle()
	s.say(at, "recite")
	posts = s.until(at, "Ada", "the history", has("Ada: recite"))
	if text := posts[len(posts)-1].Text; strings.Contains(text, "Which colour?") {
		s.t.Errorf("a deleted question is remembered: %q", text)
	}
}

func foreignRetry(s *stage) {
	at := s.say(s.top("general"), "fail")
	posts := s.until(at, "Ada", "the error", has("key"))
	s.settle()
	s.chain.Mend()
	s.h.Click("Bob", at, posts[0], posts[0].Buttons[0])
	s.until(at, "Bob", "the refusal", has("the person who asked"))
	s.settle()
	if has("You said: fail")(s.h.Posts(at, "Ada")) {
		s.t.Error("somebody else's request was asked again")
	}
}
