package bot_test

import (
	"strings"
	"testing"

	"threadkeeper/bot/platformtest"
)

// Where slash commands are given at the top of a channel only, documents of its threads are
// shared and removed from there, by who posted them.
func TestDocumentsOfThreadsAreSharedAndRemovedFromTheirChannel(t *testing.T) {
	s := begin(t)
	first := s.say(general, "read this", note)
	s.settle()
	s.say(general, "and this", platformtest.File{Name: "tide.txt", Data: []byte("The ferry leaves the pier at nine.")})
	s.settle()
	command := func(who string, at platformtest.Place, name, args string) string {
		s.world.Command(who, at, name, args)
		s.settle()
		posts := s.world.Posts(at, who)
		return posts[len(posts)-1].Text
	}
	list := command("Ada", general, "docs list", "")
	if !strings.Contains(list, "1. [note.txt]") || !strings.Contains(list, "2. [tide.txt]") || !strings.Contains(list, "/docs share") {
		t.Fatalf("listed %q", list)
	}
	if got := command("Bob", general, "docs share", "1"); !strings.Contains(got, "note.txt") || strings.Contains(command("Ada", general, "docs list", ""), "shared") {
		t.Errorf("Bob shared what Ada posted: %q", got)
	}
	if got := command("Ada", platformtest.Place{Channel: "elsewhere"}, "docs share", "1"); strings.Contains(got, "note.txt") {
		t.Errorf("shared from another channel: %q", got)
	}
	command("Ada", general, "docs share", "note.txt")
	command("Ada", general, "docs remove", "tide")
	list = command("Ada", general, "docs list", "")
	if !strings.Contains(list, "1. note.txt") || !strings.Contains(list, "shared with the channel") || strings.Contains(list, "tide.txt") {
		t.Errorf("after sharing and removing %q", list)
	}
	if got := command("Bob", first, "docs list", ""); !strings.Contains(got, "note.txt") {
		t.Errorf("in the thread %q", got)
	}
}
