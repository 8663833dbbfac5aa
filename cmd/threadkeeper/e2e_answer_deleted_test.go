package main

import "testing"

// TestAnAnswerThatIsDeletedIsForgotten by the program, which has to know its own posts.
func TestAnAnswerThatIsDeletedIsForgotten(t *testing.T) {
	for _, o := range outsides {
		t.Run(o.name, func(t *testing.T) {
			t.Parallel()
			k := &talk{service: newService(t, o.open)}
			k.start()
			steps[0].act(k)
			steps[0].done(k)
			k.settled()
			answer := k.once("I am the scripted assistant.")
			k.Delete(k.at, answer.ID)
			k.erases() // on Discord a command may overtake what came before it
			k.Command("Ada", k.at, "memory show", "")
			k.once("me: (erased)")
			k.stop()
		})
	}
}
