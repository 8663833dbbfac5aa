package bot_test

import (
	"testing"

	"threadkeeper/bot"
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

// TestAFileStaysWhereItIsKept: taken out of one channel, it is gone there only.
func TestAFileStaysWhereItIsKept(t *testing.T) {
	handler := make(chan bot.Handler, 1)
	s := begin(t, func(s *scene) { s.bot.Platforms = []bot.Platform{overheard{s.bot.Platforms[0], handler}} })
	at := s.say(general, "documents", note)
	s.settle()
	var file string
	if err := s.store.Read().NewRaw("SELECT platform_id FROM files").Scan(t.Context(), &file); err != nil {
		t.Fatal(err)
	}
	h := <-handler
	for _, c := range []struct{ kept, says string }{{at.Channel, "note.txt"}, {"elsewhere", "There are no documents here."}} {
		ev := bot.Event{ID: "unshared from all but " + c.kept, Kind: bot.EventFile, Key: s.world.Key(platformtest.Place{}), Message: file, Kept: []string{c.kept}}
		if err := h.Receive(t.Context(), ev); err != nil {
			t.Fatal(err)
		}
		s.settle()
		s.world.Command("Ada", at, "docs list", "")
		s.says(at, "Ada", c.says)
	}
}
