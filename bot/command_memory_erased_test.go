package bot_test

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"threadkeeper/bot/platformtest"
)

// TestNothingStaysOfWhatIsErased says something that is answered, searched for and shown, and takes
// it back in each of the ways there are. No post holds it then, nor does the database.
func TestNothingStaysOfWhatIsErased(t *testing.T) {
	file := platformtest.File{Name: "zephyrplan-2031.txt", Data: []byte("The gala begins at nine in the morning.")}
	for way, take := range map[string]func(s *scene, at platformtest.Place, said, brought string){
		"deletion": func(s *scene, at platformtest.Place, said, brought string) {
			s.world.Delete(at, said)
			s.world.Delete(at, brought)
		},
		"edit": func(s *scene, at platformtest.Place, said, brought string) {
			s.world.Edit(at, said, "the password is in the safe")
			s.world.Delete(at, brought)
		},
		"removal": func(s *scene, at platformtest.Place, said, _ string) {
			s.world.Delete(at, said)
			s.world.Command("Ada", at, "docs remove", "zephyrplan-2031.txt")
		},
		"forget": func(s *scene, at platformtest.Place, _, _ string) {
			s.world.Command("Ada", at, "memory forget", "--yes")
		},
	} {
		t.Run(way, func(t *testing.T) {
			s := begin(t)
			at := s.say(general, "hello")
			s.settle()
			said, _ := s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "the password is Xylofant"})
			s.settle()
			brought, _ := s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "documents", Files: []platformtest.File{file}})
			s.settle()
			for _, c := range [][2]string{{"memory search", "xylofant"}, {"memory show"}, {"memory status"}, {"docs list"}, {"why"}, {"memory forget", "password"}, {"docs use", "1"}} {
				s.asks("Ada", at, c[0], c[1])
			}
			shown := strings.Join(s.texts(at), "\n")
			if strings.Count(shown, "Xylofant") < 4 || strings.Count(shown, "zephyrplan") < 3 {
				t.Fatalf("shown: %s", shown)
			}
			take(s, at, said, brought)
			s.settle()
			for _, p := range s.world.Posts(at, "Ada") {
				removed := strings.HasPrefix(p.Text, "Removed: ") // which was asked for by name
				if strings.Contains(p.Text, "Xylofant") || strings.Contains(p.Text, "zephyrplan") && !removed {
					t.Errorf("a post says %q", p.Text)
				}
			}
			if err := s.store.SecureErase(t.Context()); err != nil {
				t.Fatal(err)
			}
			for _, name := range []string{s.db, s.db + "-wal"} {
				data, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				for _, word := range []string{"xylof", "zephyr"} {
					if n := bytes.Count(bytes.ToLower(data), []byte(word)); n > 0 {
						t.Errorf("%s holds %q %d times", name, word, n)
					}
				}
			}
		})
	}
}
