package main

import (
	"regexp"
	"slices"
	"testing"

	"threadkeeper/agent/model/fakemodel"
	"threadkeeper/bot/platformtest"
)

// TestABusyChannel is a thread of ten people who mostly talk to each other: who is for us is answered, once, and nobody else
// sees anything.
func TestABusyChannel(t *testing.T) {
	if testing.Short() {
		t.Skip("long")
	}
	for _, world := range outsides {
		t.Run(world.name, func(t *testing.T) {
			t.Parallel()
			s := newService(t, world.open)
			m, err := fakemodel.Start(fakemodel.Options{Key: "sk-test", Script: append([]fakemodel.Rule{
				{Match: regexp.MustCompile(`(?is)<request .*addressed: maybe.*`), Say: "SILENT"}}, script()...)})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(m.Close)
			s.model = m
			s.start()
			ops := platformtest.Place{Channel: "ops"}
			want := []string{""} // what is kept of the channel
			say := func(who string, at platformtest.Place, text string, mention bool, answer string) platformtest.Place {
				t.Helper()
				_, at = s.Say(platformtest.Said{Who: who, At: at, Text: text, Mention: mention})
				if answer != "" {
					s.posts(at, answer, one(answer))
					want = append(want, answer)
				}
				return at
			}
			at := say("Ada", ops, "introduce yourself", true, "I am the scripted assistant.")
			say("Bob", at, "thanks!", false, "")
			say("Cleo", at, "lol", false, "")
			say("Dan", at, "Bob, can you send the invoice to Acme?", false, "")
			say("Bob", at, "sure, this afternoon", false, "")
			say("Eve", at, "does anybody know where the printer is?", false, "")
			s.Say(platformtest.Said{Who: "Finn", At: at, Files: []platformtest.File{{Name: "notes.md", Data: []byte("# Notes\n\nNothing.\n")}}})
			say("Ada", at, "The alarm code of the boathouse is QX-4711", true, "I keep the code in mind.")
			say("Ada", at, "thank you", false, "")
			say("Ada", at, "and what is the alarm code?", false, "The alarm code is QX-4711.")
			say("Gus", at, "repeat the number 11", true, "Here it is: 11.")
			say("Hana", at, "repeat the number 12", true, "Here it is: 12.")
			say("Ivo", at, "Eve, coffee?", false, "")
			_, alert := s.Say(platformtest.Said{Who: "alertbot", At: ops, Text: "CPU at 99 % on web-3", Program: true})
			say("Jo", alert, "repeat the number 13", true, "Here it is: 13.")
			s.Say(platformtest.Said{Who: "pager", At: alert, Text: "Incident 12 opened for web-3", Program: true})
			s.Say(platformtest.Said{Who: "alertbot", At: alert, Text: "CPU back to 12 %", Program: true})
			say("Jo", alert, "repeat the number 14", true, "Here it is: 14.")
			posts := slices.Concat(s.Posts(at, "Ada"), s.Posts(alert, "Ada"))
			if len(posts) != len(want) {
				t.Errorf("%d posts, want %q: %+v", len(posts), want, posts)
			}
			for _, what := range s.violations() {
				t.Error(what)
			}
		})
	}
}
