package bot_test

import (
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
)

// TestAClockSetBackDelaysNothing has an answer and the post of a command put off, sets
// the clock back by a day, and wants both.
func TestAClockSetBackDelaysNothing(t *testing.T) {
	var back atomic.Int64
	refused := &platform.RetryError{After: 20 * time.Second, Err: errors.New("not now")}
	var p *slow
	s := begin(t, func(s *scene) {
		s.world.Streams = false
		p = &slow{Platform: s.world.Platform(), held: make(chan struct{}), late: refused}
		s.bot.Platforms = []platform.Platform{p}
		clock := s.store.Now
		s.store.Now = func() int64 { return clock() - back.Load() }
	})
	held := platformtest.Place{Channel: "held"}
	at := s.say(held, "hello")
	s.world.Command("Ada", held, "help", "")
	until(t, "both attempts", func() bool { return p.tried() >= 2 })
	back.Store((24 * time.Hour).Milliseconds())
	close(p.held)
	s.says(at, "Ada", "You said: hello")
	s.says(held, "Ada", "memory export")
	s.settle()
}
