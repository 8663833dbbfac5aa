package platformtest

// grows waits until the answer to a slow message is seen to grow, n answers being there
// before, and lets it end.
func (s *stage) grows(at Place, n int) {
	s.t.Helper()
	s.until(at, "Ada", "the beginning of the answer", func(posts []Post) bool { return len(posts) > n })
	s.chain.Go <- struct{}{}
}

func cutStream(s *stage) {
	s.h.Break(CutStream)
	at := s.say(s.top("general"), "slow words")
	s.grows(at, 0)
	s.answers(at, "Working. Done: slow words")
	s.h.Break(LoseClose)
	s.say(at, "slow again")
	s.grows(at, 1)
	s.answers(at, "Working. Done: slow words", "Working. Done: slow again")
}

func lostReceipt(s *stage) {
	at := s.say(s.top("general"), "hello")
	s.answers(at, "You said: hello")
	s.h.Break(LosePost)
	s.h.Command("Ada", at, "stop", "")
	s.answers(at, "You said: hello", "Nothing is running here.")
}

func refusedPost(s *stage) {
	at := s.say(s.top("general"), "hello")
	s.answers(at, "You said: hello")
	s.h.Break(FailPost)
	s.h.Command("Ada", at, "stop", "")
	s.answers(at, "You said: hello", "Nothing is running here.")
	s.h.Break(CutStream)
	s.h.Break(FailEdit)
	s.say(at, "slow words")
	s.grows(at, 2)
	s.answers(at, "You said: hello", "Nothing is running here.", "Working. Done: slow words")
}

func restart(s *stage) {
	at := s.say(s.top("general"), "slow work")
	s.begun(1)
	s.stop()
	s.chain.Go = make(chan struct{})
	close(s.chain.Go)
	s.start()
	s.answers(at, "Working. Done: slow work")
	s.say(at, "ask me")
	s.until(at, "Ada", "the question", has("Which colour?"))
	s.settle()
	s.stop()
	s.start()
	s.say(at, "1")
	s.answers(at, "Working. Done: slow work", s.closed("Red"), "You chose red")
}
