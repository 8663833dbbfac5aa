package main

import (
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"
)

// TestRestartAtEachStep kills the program in every step of the conversation, at the
// first, second, … of the requests the step makes, and starts it again. Nothing is lost
// and nothing is said twice.
func TestRestartAtEachStep(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for _, o := range outsides {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(3, 4))
			k := &talk{service: newService(t, o.open), again: true}
			kill := k.launch()
			db := database(t, k.dir)
			for _, s := range steps {
				at, events := 1+random.Int32N(5), dealtWith(t, db)
				var n atomic.Int32
				k.requests(func(string) { n.Add(1) })
				s.act(k)
				for end := time.Now().Add(3 * time.Second); n.Load() < at && time.Now().Before(end); time.Sleep(time.Millisecond) {
					if dealtWith(t, db) > events && len(pending(t, db)) == 0 {
						break // it makes fewer requests
					}
				}
				kill()
				k.requests(func(string) {})
				kill = k.launch()
				if k.forgets && s.use() {
					s.act(k)
				}
				s.done(k)
			}
			k.settled()
			kill()
			k.check()
		})
	}
}
