package main

import (
	"regexp"
	"strings"
	"testing"

	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/bot/platformtest"
)

// TestPeopleTalkBesideTheProgram kills the program while its model reads a line that is for somebody
// else. Nobody sees anything of it, and what is for the program is answered, once.
func TestPeopleTalkBesideTheProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for _, world := range outsides {
		t.Run(world.name, func(t *testing.T) {
			t.Parallel()
			overheard := func(pattern string) *regexp.Regexp {
				return regexp.MustCompile(`(?is)<request .*addressed: maybe.*` + pattern)
			}
			s := newService(t, world.open)
			m, err := fakemodel.Start(fakemodel.Options{Key: "sk-test", Script: append([]fakemodel.Rule{
				{Match: overheard("lunch"), Say: "SILENT", Fault: fakemodel.Fault{Kind: fakemodel.Slow, Delay: patience, Times: 1}},
				{Match: overheard("anybody remember"), Say: "SPEAK\nIt is QX-4711."},
			}, script()...)})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(m.Close)
			s.model = m
			about := func(text string) (n int) {
				for _, r := range m.Requests() {
					if strings.Contains(r.User(), text) {
						n++
					}
				}
				return n
			}
			reads := func(text string, times int) {
				t.Helper()
				if !platformtest.Await(func() bool { return about("\ntext:\n"+text) >= times }) {
					t.Fatalf("the model never read %q: %s", text, s.log)
				}
			}
			kill := s.launch()
			_, at := s.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: "The alarm code of the boathouse is QX-4711", Mention: true})
			s.posts(at, "the answer to Ada", one("I keep the code in mind."))
			s.Say(platformtest.Said{Who: "Bob", At: at, Text: "lunch at noon?"})
			reads("lunch at noon?", 1)
			kill()
			kill = s.launch()
			reads("lunch at noon?", 2)
			s.Say(platformtest.Said{Who: "Bob", At: at, Text: "does anybody remember the code?"})
			posts := s.posts(at, "the answer to Bob", one("It is QX-4711."))
			kill()
			if len(posts) != 3 { // with what is kept of the channel
				t.Errorf("posts %+v", posts)
			}
			for _, what := range s.violations() {
				t.Error(what)
			}
		})
	}
}

// one is whether one post has a text.
func one(text string) func([]platformtest.Post) bool {
	return func(posts []platformtest.Post) bool {
		n := 0
		for _, p := range posts {
			if strings.Contains(p.Text, text) {
				n++
			}
		}
		return n == 1
	}
}
