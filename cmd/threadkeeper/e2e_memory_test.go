package main

import (
	"slices"
	"strings"
	"testing"

	"threadkeeper/bot/platformtest"
	"threadkeeper/bot/platformtest/leaktest"
)

// inHand are the memory commands, in an order in which each has something to do, and what they answer. Line 1 is that of the
// list shown last.
var inHand = []struct{ command, args, answer string }{
	{"memory undo", "", "There is no fold to undo."},
	{"memory why", "1", "not in any list"},
	{"memory remember", "We meet in hall 4.", "Remembered."},
	{"memory show", "", "1. 📌 Ada: We meet in hall 4."},
	{"memory why", "1", "> We meet in hall 4."},
	{"memory pin", "1", "No longer pinned."},
	{"memory correct", "1 We meet in hall 5.", "Corrected"},
	{"memory show", "facts", "hall 5"},
	{"memory search", "introduce", "introduce yourself"},
	{"memory profile", "off", "`memory profile on` changes that"},
	{"memory threshold", "2000", "above 2,000 tokens"},
	{"memory status", "", "of 2,000 tokens"},
	{"memory compact", "", "nothing older than the latest requests"},
	{"memory show", "", "hall 5"},
	{"memory fork", "1", "I open a thread for it"},
	{"memory forget", "1", "Forgotten: "},
}

// TestMemoryCommands gives every command about memory on every platform, and shows each answer to its asker alone.
func TestMemoryCommands(t *testing.T) {
	if !hasEngine() {
		t.Fatal("run make engine first")
	}
	for _, o := range outsides {
		t.Run(o.name, func(t *testing.T) {
			leaktest.Check(t)
			k := &talk{service: newService(t, o.open)}
			k.start()
			steps[0].act(k)
			steps[0].done(k)
			for _, c := range inHand {
				var before []string
				for _, p := range k.Posts(k.at, "Ada") {
					before = append(before, p.ID)
				}
				k.Command("Ada", k.at, c.command, c.args)
				k.posts(k.at, c.command+" "+c.args, func(posts []platformtest.Post) bool {
					return slices.ContainsFunc(posts, func(p platformtest.Post) bool {
						return !slices.Contains(before, p.ID) && p.OnlyTo != "" && strings.Contains(p.Text, c.answer)
					})
				})
			}
			k.settled()
			k.stop()
		})
	}
}
