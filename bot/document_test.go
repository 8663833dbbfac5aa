package bot_test

import (
	"testing"

	"threadkeeper/bot/platformtest"
)

// TestADocumentIsItsPostersToShareAndRemove has others try, who are told why not, and an
// administrator and the poster, who may.
func TestADocumentIsItsPostersToShareAndRemove(t *testing.T) {
	s := begin(t)
	at := s.say(general, "documents", note)
	s.settle()
	for _, c := range []struct{ who, command, says string }{
		{"Bob", "docs remove", "Only who posted note.txt, or an administrator, may remove it."},
		{"Bob", "docs share", "Only who posted note.txt, or an administrator, may share it."},
		{platformtest.Admin, "docs share", "Everybody in this channel can use note.txt now."},
		{"Ada", "docs remove", "Removed: note.txt."},
	} {
		s.world.Command(c.who, at, c.command, "note.txt")
		s.says(at, c.who, c.says)
		s.settle()
	}
}

// TestADocumentOfAnotherChannelIsNotSharedHere: it is its own channel that shares it.
func TestADocumentOfAnotherChannelIsNotSharedHere(t *testing.T) {
	s := begin(t)
	there := s.say(general, "documents", note)
	s.settle()
	s.world.Command("Ada", there, "docs share", "1")
	s.settle()
	here := s.say(platformtest.Place{Channel: "random"}, "hello")
	s.settle()
	s.world.Command("Ada", here, "docs share", "note.txt")
	s.says(here, "Ada", "There is nothing like that here.")
	s.settle()
}
