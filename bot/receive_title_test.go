package bot_test

import (
	"strings"
	"testing"

	"threadkeeper/bot/platformtest"
)

// TestADirectThreadIsNamedOnce: a conversation that a direct message opens is named after it. After a request to
// forget the message may come again, as when the past is read at the next start; the name does not.
func TestADirectThreadIsNamedOnce(t *testing.T) {
	s := begin(t, func(s *scene) { s.world.AgentView = true })
	at := s.say(platformtest.Place{Channel: "ada", DM: true}, "the launch code is walrus")
	s.settle()
	if got := s.world.Title(at); got != "Conversation: the launch code is walrus" {
		t.Fatalf("titled %q", got)
	}
	s.world.Command("Ada", at, "memory forget", "--yes")
	s.settle()
	s.world.Redeliver()
	s.settle()
	if got := s.world.Title(at); strings.Contains(got, "walrus") {
		t.Errorf("titled %q after it was forgotten", got)
	}
}

// TestATitleThatSomebodyGaveIsKept when the message is erased that the conversation was named after.
func TestATitleThatSomebodyGaveIsKept(t *testing.T) {
	s := begin(t, func(s *scene) { s.world.AgentView = true })
	at := s.say(platformtest.Place{Channel: "ada", DM: true}, "the launch code is walrus")
	s.settle()
	s.world.Rename("Ada", at, "Launch")
	s.world.Delete(at, at.Thread)
	s.settle()
	if got := s.world.Title(at); got != "Launch" {
		t.Errorf("titled %q", got)
	}
}

// TestAThreadLosesTheNameOfADeletedFile that it was named after.
func TestAThreadLosesTheNameOfADeletedFile(t *testing.T) {
	for name, file := range map[string]platformtest.File{"a document": note, "no document": {Name: "note.xyz", Data: []byte{0, 1, 2}}} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, func(s *scene) { s.world.AgentView = true })
			at := s.say(platformtest.Place{Channel: "ada", DM: true}, "", file)
			s.settle()
			if got := s.world.Title(at); got != "Conversation: "+file.Name {
				t.Fatalf("titled %q", got)
			}
			s.world.DeleteFile(at, at.Thread, file.Name)
			s.settle()
			if got := s.world.Title(at); strings.Contains(got, file.Name) {
				t.Errorf("titled %q after the file was deleted", got)
			}
		})
	}
}
