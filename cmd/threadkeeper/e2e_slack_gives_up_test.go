package main

import (
	"math/rand/v2"
	"testing"
	"time"

	"threadkeeper/bot/platformtest"
	"threadkeeper/bot/slack/fakeslack"
)

// TestKilledUntilSlackGivesUp kills the program while people ask, and each time Slack tells
// no more of what it has not acknowledged. Every question is answered, once.
func TestKilledUntilSlackGivesUp(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	k := &talk{service: newService(t, openSlack)}
	h := k.Harness.(*fakeslack.Harness)
	kill := k.launch()
	steps[0].act(k)
	steps[0].done(k)
	var asked []platformtest.Place
	lost := 0
	for n := range 10 {
		if n == 9 {
			kill() // this time before anything is acknowledged
		}
		_, at := k.Say(platformtest.Said{Who: "Bob", At: platformtest.Place{Channel: "general"}, Text: "Tell me a story, please", Mention: true})
		asked = append(asked, at)
		time.Sleep(time.Duration(random.IntN(30)) * time.Millisecond) // how far it comes is left to chance
		kill()
		lost += h.Pending()
		h.GiveUp()
		kill = k.launch()
	}
	for _, at := range asked {
		k.at = at
		k.once("That is the end of it.")
	}
	k.settled()
	kill()
	if t.Logf("%d deliveries were given up", lost); lost == 0 {
		t.Error("no delivery was given up")
	}
}
