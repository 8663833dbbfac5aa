package bot_test

import (
	"strings"
	"testing"

	"threadkeeper/bot/platformtest"
)

// TestFilesOfOthersThatCannotBeRead are not spoken of where nobody asked about them; the asker's own are.
func TestFilesOfOthersThatCannotBeRead(t *testing.T) {
	s := begin(t)
	tune := func(who string) platformtest.File {
		return platformtest.File{Name: who + ".mp3", Data: []byte("ID3\x04\x00\x00\xff\xfb\x90")}
	}
	_, at := s.world.Say(platformtest.Said{Who: "Bob", At: general, Text: "listen", Files: []platformtest.File{tune("Bob")}, Unseen: true})
	s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "and this", Files: []platformtest.File{tune("Ada"), tune("Ada")}, Unseen: true})
	s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "when is lunch?", Mention: true})
	s.says(at, "Ada", "when is lunch?")
	s.settle()
	if got := s.texts(at)[0]; strings.Contains(got, "Bob.mp3") || !strings.HasPrefix(got, "I could not read Ada.mp3") || strings.Count(got, "Ada.mp3") != 1 {
		t.Errorf("%q", got)
	}
	if posts := s.texts(at); len(posts) != 1 {
		t.Fatalf("%q", posts)
	}
	s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "what is in Bob's file?", Mention: true})
	s.says(at, "Ada", "what is in Bob's file?")
	s.settle()
	if got := s.texts(at); len(got) != 2 || !strings.HasPrefix(got[1], "I could not read Bob.mp3") {
		t.Errorf("%q", got)
	}
}
