package platformtest

import "strings"

// notices counts the posts of a place that tell what is kept.
func notices(posts []Post) int {
	n := 0
	for _, p := range posts {
		if strings.Contains(p.Text, "`/memory forget`") {
			n++
		}
	}
	return n
}

func (s *stage) announcing() {
	s.stop()
	s.announces = true
	s.start()
}

func announced(s *stage) {
	s.announcing()
	at := s.say(s.top("general"), "hello")
	s.until(at, "Ada", "the notice", func(p []Post) bool { return notices(p) == 1 })
	s.until(at, "Ada", "the answer", has("You said: hello"))
	s.say(at, "and again")
	other := s.say(s.top("general"), "elsewhere")
	s.until(at, "Ada", "the answer", has("You said: and again"))
	s.until(other, "Ada", "the answer", has("You said: elsewhere"))
	s.settle()
	if n, m := notices(s.h.Posts(at, "Ada")), notices(s.h.Posts(other, "Ada")); n != 1 || m != 0 {
		s.t.Errorf("%d and %d notices, want 1 and 0", n, m)
	}
}

func announcedOnJoin(s *stage) {
	s.announcing()
	top := s.top("general")
	s.h.(Joiner).Join(top)
	posts := s.until(top, "Ada", "the notice", func(p []Post) bool { return notices(p) == 1 })
	at := s.say(top, "hello")
	s.answers(at, "You said: hello")
	if s.h.Features().Moderated {
		under := top
		under.Thread = posts[0].ID
		s.h.Say(Said{Who: "Bob", At: under, Text: "what can you do"})
		s.answers(under, "You said: what can you do")
	}
}
