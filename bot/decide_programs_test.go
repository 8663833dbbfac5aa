package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"threadkeeper/bot/platformtest"
)

// TestAChosenProgramIsAnsweredUntilItOnlyAnswersUs: two programs that answer each other would never end.
func TestAChosenProgramIsAnsweredUntilItOnlyAnswersUs(t *testing.T) {
	s := begin(t)
	program := func(name string, at platformtest.Place, text string) (string, platformtest.Place) {
		id, at := s.world.Say(platformtest.Said{Who: name, Program: true, At: at, Text: text, Mention: true})
		s.settle()
		return id, at
	}
	silent := func(at platformtest.Place, text string) {
		t.Helper()
		for _, p := range s.world.Posts(at, "Ada") {
			if strings.Contains(p.Text, "You said: "+text) {
				t.Errorf("answered: %q", p.Text)
			}
		}
	}
	_, at := program("Deploys", general, "db-1 is down")
	silent(at, "db-1")
	s.world.Command("Ada", general, "settings bots", "person:U-Deploys")
	s.says(general, "Ada", "Only an administrator")
	s.world.Command(platformtest.Admin, general, "settings bots", "role:guest")
	s.says(general, platformtest.Admin, "or mentioned bots")
	s.world.Command(platformtest.Admin, general, "settings bots", "person:U-Deploys")
	s.says(general, platformtest.Admin, "- bots: `person:U-Deploys`")
	s.settle()

	_, at = program("Alerts", general, "disk is full")
	silent(at, "disk")
	_, at = program("Deploys", general, "stop") // gives no commands
	s.says(at, "Ada", "You said: stop")
	_, at = program("Deploys", general, "db-2 is down") // another thread, the same channel
	s.says(at, "Ada", "You said: db-2 is down")
	id, _ := program("Deploys", at, "db-2 is up")
	s.says(at, "Ada", "You said: db-2 is up")
	s.world.Edit(at, id, "db-2 is up now")
	s.settle()
	silent(at, "db-2 is up now")
	_, other := program("Deploys", general, "db-3 is down")
	silent(other, "db-3")

	for n := range 10 { // three were asked before
		s.say(at, fmt.Sprint("hello ", n))
		s.says(at, "Ada", fmt.Sprint("You said: hello ", n))
		_, at = program("Deploys", at, fmt.Sprint("deploy ", n))
		if n < 9 {
			s.says(at, "Ada", fmt.Sprint("You said: deploy ", n))
		}
	}
	silent(at, "deploy 9")

	s.world.Command(platformtest.Admin, general, "settings bots", "nobody")
	s.says(general, platformtest.Admin, "bots: nobody")
}
