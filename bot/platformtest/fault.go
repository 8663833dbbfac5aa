package platformtest

func cutStream(s *stage) {
	s.h.Break(CutStream)
	at := s.say(s.top("general"), "a few words to stream")
	s.answers(at, "You said: a few words to stream")
	s.h.Break(LoseClose)
	s.say(at, "more words to stream")
	s.answers(at, "You said: a few words to stream", "You said: more words to stream")
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
	s.say(at, "some more words")
	s.answers(at, "You said: hello", "Nothing is running here.", "You said: some more words")
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
