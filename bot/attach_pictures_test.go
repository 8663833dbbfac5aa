package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"threadkeeper/bot/platformtest"
	"threadkeeper/docs/testdata/photo"
)

func picture(name string, seed uint8) platformtest.File {
	return platformtest.File{Name: name, Data: photo.PNG(40, 30, seed)}
}

var heic = platformtest.File{Name: "beach.heic", Data: []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic")}

// last is what Ada was answered last.
func (s *scene) last(at platformtest.Place) string {
	s.t.Helper()
	s.settle()
	texts := s.texts(at)
	if len(texts) == 0 {
		return ""
	}
	return texts[len(texts)-1]
}

func (s *scene) kept() int {
	s.t.Helper()
	n, err := s.store.Read().NewSelect().Table("blobs").Count(s.t.Context())
	if err != nil {
		s.t.Fatal(err)
	}
	return int(n)
}

// TestUnseenPicturesStayOnThePlatform, without a word, until a model does.
func TestUnseenPicturesStayOnThePlatform(t *testing.T) {
	s := begin(t)
	at := s.say(general, "documents here", picture("photo.png", 0), heic, note)
	if got := s.last(at); got != "New: note.txt ready, beach.heic unseen, photo.png unseen" {
		t.Errorf("%q", got)
	}
	if slices.ContainsFunc(s.world.Statuses(), func(status string) bool { return strings.Contains(status, "photo.png") }) || s.kept() != 1 {
		t.Errorf("downloaded: %v", s.world.Statuses())
	}
	s.chain.Looks = true
	s.say(at, "documents, and the picture")
	if got := s.last(at); !strings.Contains(got, "New: photo.png ready") || !strings.Contains(got, "I could not read beach.heic: I cannot look at this kind of picture.") {
		t.Errorf("%q", got)
	}
}

// TestEarlierPicturesAreReadWhenTheyAreAskedAbout: the newest few, and those of the last messages.
func TestEarlierPicturesAreReadWhenTheyAreAskedAbout(t *testing.T) {
	s := begin(t, func(s *scene) { s.chain.Looks = true })
	at := s.say(general, "hello")
	s.settle()
	say := func(text string, files ...platformtest.File) {
		s.world.Say(platformtest.Said{Who: "Bob", At: at, Text: text, ToOther: true, Files: files})
		s.settle()
	}
	mention := func(text string) { // Bob speaks here, too: who is meant would have to be guessed
		s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: text, Mention: true})
		s.settle()
	}
	for i := range 7 {
		say("@Cleo look", picture(fmt.Sprintf("%d.png", i), uint8(i)))
	}
	mention("documents")
	if got := s.last(at); got != "New: 4.png ready, 5.png ready, 6.png ready" {
		t.Errorf("just posted: %q", got)
	}
	for range 3 {
		say("@Cleo lunch?")
	}
	mention("documents again")
	if got := s.last(at); got != "New: " {
		t.Errorf("about something else: %q", got)
	}
	mention("documents of the screenshots")
	if got := s.last(at); got != "New: 0.png ready, 1.png ready, 2.png ready, 3.png ready" {
		t.Errorf("asked about: %q", got)
	}
}

func TestAPictureIsListedAsOne(t *testing.T) {
	s := begin(t, func(s *scene) { s.chain.Looks = true })
	at := s.say(general, "hello", picture("photo.png", 0), note)
	s.settle()
	s.world.Command("Ada", at, "docs list", "")
	if got := s.last(at); !strings.Contains(got, "1. photo.png – a picture\n2. note.txt – 1 page") {
		t.Errorf("%q", got)
	}
	s.world.Command("Ada", at, "docs remove", "photo.png")
	s.settle()
	if s.kept() != 1 {
		t.Errorf("%d files kept", s.kept())
	}
}
