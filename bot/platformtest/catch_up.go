package platformtest

import (
	"threadkeeper/agent"
	"threadkeeper/bot"
)

// searching answers without a model.
func searching(b *bot.Bot) { b.Chain = &agent.Chain{Store: b.Store, Index: b.Index, Log: b.Log} }

// caughtUp asks what was said in a channel where nothing was for us: in it, and from another one. The digest loses what
// is edited or deleted there.
func caughtUp(s *stage) {
	general, random := Place{Channel: "general"}, Place{Channel: "random"}
	friday, _ := s.h.Say(Said{Who: "Bob", At: general, Text: "We decided to ship the ferry on Friday."})
	noon, _ := s.h.Say(Said{Who: "Bob", At: general, Text: "We decided that lunch is at noon."})
	s.settle()
	here := s.say(general, "What did I miss?")
	s.until(here, "Ada", "a digest", func(posts []Post) bool {
		return has("ship the ferry")(posts) && has("lunch is at noon")(posts) && has("I have read the channel back to")(posts)
	})
	s.settle()
	there := s.say(random, "What did I miss in #general?")
	s.until(there, "Ada", "a digest", has("ship the ferry"))
	s.settle()
	s.h.Edit(general, friday, "We decided to sell the barge on Friday.")
	for _, at := range []Place{here, there} {
		s.until(at, "Ada", "a digest without the old text", func(posts []Post) bool { return !has("ferry")(posts) })
	}
	s.settle()
	s.h.Delete(general, noon)
	for _, at := range []Place{here, there} {
		s.until(at, "Ada", "a digest without what was deleted", func(posts []Post) bool { return !has("noon")(posts) })
	}
	s.settle()
	again := s.say(random, "What did I miss in #general?")
	s.until(again, "Ada", "a digest of what is left", has("sell the barge"))
	s.settle()
	for _, at := range []Place{again, here, there} {
		if posts := s.h.Posts(at, "Ada"); has("noon")(posts) || has("ferry")(posts) {
			s.t.Errorf("it still shows what is gone: %+v", posts)
		}
	}
	nowhere := s.say(random, "What did I miss in #nowhere?")
	s.until(nowhere, "Ada", "nothing", has("I have nothing on record from #nowhere"))
}
