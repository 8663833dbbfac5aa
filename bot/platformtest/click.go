package platformtest

import (
	"slices"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

func clicks(s *stage) {
	at, q := asked(s)
	if !slices.Equal(q.Options, []string{"Red", "Dark green", "Something else", "Just answer"}) {
		s.t.Fatalf("options %q", q.Options)
	}
	s.h.Click("Ada", at, q, "Dark green")
	s.h.Click("Ada", at, q, "Dark green")
	s.h.Click("Ada", at, q, "Red")
	s.until(at, "Ada", "the answer", has("You chose green"))
	s.settle()
	if n := s.count(at, "Ada", "You chose"); n != 1 {
		s.t.Errorf("%d answers, want 1: %+v", n, s.h.Posts(at, "Ada"))
	}
}

// questionCloses answers, leaves and takes back a question, and wants its buttons gone
// and the outcome shown, also after a restart.
func questionCloses(s *stage) {
	shown := func(at Place, outcome string) {
		s.t.Helper()
		s.settle()
		s.until(at, "Ada", "the end of the question", func(posts []Post) bool {
			return strings.TrimSpace(posts[0].Text) == s.closed(outcome) && len(posts[0].Options) == 0
		})
	}
	at, q := asked(s)
	s.h.Click("Ada", at, q, "Something else")
	s.settle()
	if posts := s.h.Posts(at, "Ada"); len(posts[0].Options) != 4 {
		s.t.Errorf("a question that is still open: %+v", posts)
	}
	s.h.Click("Ada", at, q, "Red")
	shown(at, "Red")
	at, _ = asked(s)
	s.h.Break(FailEdit)
	s.say(at, "Just answer")
	shown(at, "Just answer")
	if s.h.Features().Changes {
		id, at := s.h.Say(Said{Who: "Ada", At: s.top("general"), Text: "ask me", Mention: true})
		s.until(at, "Ada", "the question", has("Which colour?"))
		s.settle()
		s.h.Delete(at, id)
		s.settle()
		s.until(at, "Ada", "the end of the question", func(posts []Post) bool { return len(posts) == 0 || len(posts[0].Options) == 0 })
	}
}

func foreignClick(s *stage) {
	at, q := asked(s)
	s.h.Click("Bob", at, q, "Red")
	s.settle()
	if posts := s.h.Posts(at, "Ada"); len(posts) != 1 {
		s.t.Errorf("somebody else's click was taken: %+v", posts)
	}
	s.h.Click("Ada", at, q, "Just answer")
	s.answers(at, s.closed("Just answer"), "You chose no option")
}

func somethingElse(s *stage) {
	at, q := asked(s)
	s.h.Click("Ada", at, q, "Something else")
	s.until(at, "Ada", "the invitation", has("Please type"))
	s.settle()
	s.say(at, "what about a very light blue?")
	s.until(at, "Ada", "the answer", has("You chose the words what about a very light blue?"))
}

func somethingElseTyped(s *stage) {
	at, _ := asked(s)
	s.say(at, "3")
	s.until(at, "Ada", "the invitation", has("Please type"))
	s.settle()
	s.say(at, "what about a very light blue?")
	s.until(at, "Ada", "the answer", has("You chose the words what about a very light blue?"))
}

func feedback(s *stage) {
	at := s.say(s.top("general"), "hello")
	posts := s.answers(at, "You said: hello")
	s.h.Click("Ada", at, posts[0], "helpful")
	s.h.Click("Ada", at, posts[0], "unhelpful")
	s.settle()
	given, err := s.store.Views.CountFeedback(s.t.Context())
	if err != nil || given["unhelpful"] != 1 || given["helpful"] != 0 {
		s.t.Errorf("feedback %v %v", given, err)
	}
}

// reasons has the one who pressed asked why, alone, and keeps what they say.
func reasons(s *stage) {
	at := s.say(s.top("general"), "hello")
	posts := s.answers(at, "You said: hello")
	s.h.Click("Ada", at, posts[0], string(platform.Unhelpful))
	shown := s.until(at, "Ada", "the question", has("What was wrong with the answer?"))
	s.settle()
	asked := shown[len(shown)-1]
	if !slices.Equal(asked.Buttons, []string{"It is wrong", "Not in the document", "Too long", "Not what I asked"}) {
		s.t.Fatalf("the question: %+v", asked)
	}
	if posts := s.h.Posts(at, "Bob"); len(posts) != 1 {
		s.t.Errorf("Bob sees %+v", posts)
	}
	s.h.Click("Ada", at, asked, "Too long")
	s.until(at, "Ada", "thanks", func(posts []Post) bool { return len(posts) > len(shown) })
	s.settle()
	r, err := s.store.Views.Report(s.t.Context(), memory.ReportOf{Limit: 5})
	if err != nil || r.Unhelpful.Count != 1 || len(r.Reasons) != 1 || r.Reasons[string(platform.TooLong)] != 1 {
		s.t.Errorf("%+v %v", r, err)
	}
}

// forgets asks to forget, leaves it, asks again, has somebody else press the button, restarts, and
// goes on; the first question is out of date by then.
func forgets(s *stage) {
	at := s.say(s.top("general"), "the launch code is walrus")
	s.answers(at, "You said: the launch code is walrus")
	s.settle()
	ask := func() Post {
		s.t.Helper()
		before := len(s.h.Posts(at, "Ada"))
		s.h.Command("Ada", at, "memory forget", "")
		posts := s.until(at, "Ada", "the question", func(posts []Post) bool { return len(posts) > before })
		s.settle()
		asked := posts[len(posts)-1]
		if !strings.Contains(asked.Text, "erases 1 message of yours") || !slices.Equal(asked.Buttons, []string{"Erase", "Keep"}) {
			s.t.Fatalf("the question: %+v", asked)
		}
		return asked
	}
	holds := func(what string) {
		s.t.Helper()
		s.settle()
		if posts := s.h.Posts(at, "Ada"); !strings.Contains(posts[0].Text, "walrus") {
			s.t.Fatalf("%s: %+v", what, posts)
		}
	}
	first := ask()
	holds("nobody has said yes")
	s.h.Click("Ada", at, first, "Keep")
	s.until(at, "Ada", "that it is kept", has("Nothing was erased."))
	second := ask()
	s.h.Click("Ada", at, first, "Erase")
	s.until(at, "Ada", "that it is late", has("out of date"))
	holds("the first question was answered")
	s.h.Click("Bob", at, second, "Erase")
	holds("Bob was not asked")
	if s.h.Features().Restarts {
		s.stop()
		s.start()
	}
	s.say(at, "and the gate is blue") // which was not counted
	s.until(at, "Ada", "the answer", has("You said: and the gate is blue"))
	s.settle()
	s.h.Click("Ada", at, second, "Erase")
	s.until(at, "Ada", "the receipt", has("Forgotten: 1 message"))
	s.settle()
	posts := s.h.Posts(at, "Ada")
	if strings.Contains(posts[0].Text, "walrus") {
		s.t.Errorf("it still says %q", posts[0].Text)
	}
	if !slices.ContainsFunc(posts, func(p Post) bool { return strings.Contains(p.Text, "the gate is blue") }) {
		s.t.Errorf("what was said after the question went, too: %+v", posts)
	}
}

func ephemeral(s *stage) {
	at := s.say(s.top("general"), "hello")
	s.answers(at, "You said: hello")
	s.h.Command("Ada", at, "memory show", "")
	s.until(at, "Ada", "the list", has("1. Ada: hello"))
	s.settle()
	if posts := s.h.Posts(at, "Bob"); len(posts) != 1 {
		s.t.Errorf("Bob sees %+v", posts)
	}
}

// retryClicked presses Retry under the first of two answers that failed, twice, and wants
// the first request answered, once.
func retryClicked(s *stage) {
	at := s.say(s.top("general"), "fail one")
	s.until(at, "Ada", "the error", has("key"))
	s.settle()
	s.say(at, "fail two")
	posts := s.until(at, "Ada", "both apologies", func(posts []Post) bool { return len(posts) == 2 })
	s.settle()
	if len(posts[0].Buttons) != 1 {
		s.t.Fatalf("buttons %q", posts[0].Buttons)
	}
	s.chain.Mend()
	s.h.Click("Ada", at, posts[0], posts[0].Buttons[0])
	s.h.Click("Ada", at, posts[0], posts[0].Buttons[0])
	s.until(at, "Ada", "the answer", has("You said: fail one"))
	s.until(at, "Ada", "one button left", func(now []Post) bool {
		return now[0].Text == posts[0].Text && len(now[0].Buttons) == 0 && now[1].Text == posts[1].Text && len(now[1].Buttons) == 1
	})
	s.settle()
	if n := s.count(at, "Ada", "You said"); n != 1 {
		s.t.Errorf("%d answers, want 1: %+v", n, s.h.Posts(at, "Ada"))
	}
}
