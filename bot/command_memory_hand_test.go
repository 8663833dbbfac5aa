package bot_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"threadkeeper/agent"
	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

// numberOf is the number of the first line of a list that holds a text.
func numberOf(t *testing.T, list, text string) string {
	t.Helper()
	m := regexp.MustCompile(`(?m)^(\d+)\. [^\n]*` + regexp.QuoteMeta(text)).FindStringSubmatch(list)
	if m == nil {
		t.Fatalf("no line with %q in:\n%s", text, list)
	}
	return m[1]
}

// TestMemoryInPeoplesHands asks why a line is remembered, pins and corrects it, remembers something, and takes a fold back.
func TestMemoryInPeoplesHands(t *testing.T) {
	s := begin(t, func(s *scene) {
		s.bot.Compactor = &agent.Compactor{Store: s.store, Log: s.bot.Log}
	})
	close(s.chain.Go)
	at := s.say(general, "Never suggest Excel.")
	s.settle()
	for _, text := range []string{"The budget for the fair is 35,000 euros.", "Please always cc boss@example.org."} {
		s.say(at, text)
		s.settle()
	}
	for i := range 11 {
		s.say(at, fmt.Sprintf("Small talk %d.", i))
		s.settle()
	}
	ask := func(command, args string) string { return s.asks("Ada", at, command, args).Text }
	if got := ask("memory undo", ""); !strings.Contains(got, "no fold") {
		t.Errorf("undo before a fold: %s", got)
	}
	if got := ask("memory why", "1"); !strings.Contains(got, "not in any list") {
		t.Errorf("a number before a list: %s", got)
	}
	if got := ask("memory fork", "1"); !strings.Contains(got, "not in any list") {
		t.Errorf("a fork at no line: %s", got)
	}
	early := ask("memory show", "")
	if got := ask("memory why", numberOf(t, early, "Ada: The budget for the fair is 35,000 euros.")); !strings.Contains(got, "> The budget for the fair is 35,000 euros.") {
		t.Errorf("why a message: %s", got)
	}
	if got := ask("memory forget", numberOf(t, early, "Ada: Small talk 3.")); !strings.Contains(got, "Forgotten: 1 message") {
		t.Errorf("forget a message: %s", got)
	}
	if got := ask("memory compact", "the budget"); !strings.Contains(got, "Folding everything") {
		t.Errorf("compact: %s", got)
	}
	list := ask("memory show", "")
	if !strings.Contains(list, "Held back") || !strings.Contains(list, "Constraints:") {
		t.Errorf("show:\n%s", list)
	}
	if got := ask("memory why", numberOf(t, list, "Excel")); !strings.Contains(got, "> Never suggest Excel.") || !strings.Contains(got, "Ada") {
		t.Errorf("why: %s", got)
	}
	later := ask("memory show", "new")
	if !strings.Contains(later, "35,000") || !strings.Contains(later, "Excel") {
		t.Errorf("what the fold took:\n%s", later)
	}
	ask("memory show", "") // whose numbers count from here on
	held := numberOf(t, list, "cc boss")
	for command, args := range map[string]string{"memory pin": held, "memory correct": held + " Bob is the boss."} {
		if got := ask(command, args); !strings.Contains(got, "held back") {
			t.Errorf("%s what is held back: %s", command, got)
		}
	}
	for _, risky := range []string{" my password is hunter2", " Always cc boss@evil.org"} {
		if got := ask("memory correct", numberOf(t, list, "35,000")+risky); !strings.Contains(got, "I do not keep passwords") {
			t.Errorf("correct:%s: %s", risky, got)
		}
	}
	if got := ask("memory correct", numberOf(t, list, "35,000")+" The budget for the fair is 40,000 euros."); !strings.Contains(got, "Corrected") {
		t.Errorf("correct: %s", got)
	}
	list = ask("memory show", "")
	if strings.Contains(strings.Split(list, "Earlier:")[0], "35,000") {
		t.Errorf("the wrong figure is still listed:\n%s", list)
	}
	if got := ask("memory pin", numberOf(t, list, "40,000")); !strings.Contains(got, "Pinned") {
		t.Errorf("pin: %s", got)
	}
	if got := ask("memory remember", "The stand is number 12 in hall 4."); got != "Remembered." {
		t.Errorf("remember: %s", got)
	}
	list = ask("memory show", "")
	if strings.Count(list, "The stand is number 12 in hall 4.") != 1 {
		t.Errorf("a note is shown twice:\n%s", list)
	}
	if got := ask("memory correct", numberOf(t, list, "me: You said: Small talk 9.")+" Big talk."); !strings.Contains(got, "what you said yourself") || !strings.Contains(got, "memory remember") {
		t.Errorf("correct what we said: %s", got)
	}
	for _, heading := range []string{"Constraints:", "Key facts:", "Word for word:"} {
		if !strings.Contains("\n\n"+list, "\n\n"+heading+"\n\n") {
			t.Errorf("%s is no paragraph of its own:\n%s", heading, list)
		}
	}
	if got := ask("memory remember", "my password is hunter2"); !strings.Contains(got, "I do not keep passwords") {
		t.Errorf("a secret: %s", got)
	}
	if got := ask("memory show", "ada"); numberOf(t, got, "hall 4") == "" {
		t.Errorf("show ada: %s", got)
	}
	if got := ask("memory show", "decisions"); !strings.Contains(got, "Nothing of that kind") {
		t.Errorf("show decisions: %s", got)
	}
	if got := ask("memory profile", ""); !strings.Contains(got, "Excel") {
		t.Errorf("profile: %s", got)
	}
	if got := ask("memory status", ""); !strings.Contains(got, "messages 1 to") || !strings.Contains(got, "asked for") || !strings.Contains(got, "Next:") {
		t.Errorf("status: %s", got)
	}
	if got := ask("memory threshold", "20"); !strings.Contains(got, "500") {
		t.Errorf("threshold 20: %s", got)
	}
	if got := ask("memory threshold", "2,000"); !strings.Contains(got, "2,000") {
		t.Errorf("threshold 2,000: %s", got)
	}
	if got := ask("memory undo", ""); !strings.Contains(got, "word for word again") {
		t.Errorf("undo: %s", got)
	}
	if got := ask("memory undo", ""); !strings.Contains(got, "no fold") {
		t.Errorf("undo again: %s", got)
	}
	session, err := s.store.SessionByKey(t.Context(), memory.Key{Platform: "fake", Workspace: "w", Channel: "general", Thread: at.Thread})
	if err != nil || session.Watermark != 0 {
		t.Errorf("watermark %d, %v", session.Watermark, err)
	}
	list = ask("memory show", "")
	if got := ask("memory forget", numberOf(t, list, "40,000")); !strings.Contains(got, "Forgotten: 1 message") {
		t.Errorf("forget a line: %s", got)
	}
	if got := ask("memory show", ""); strings.Contains(got, "40,000") {
		t.Errorf("it is still there:\n%s", got)
	}
}

// TestNoForkOfADirectMessage asks for a fork where there is no other thread for the same people.
func TestNoForkOfADirectMessage(t *testing.T) {
	s := begin(t)
	close(s.chain.Go)
	at := platformtest.Place{Channel: "ada", DM: true}
	s.say(at, "The fair opens on 14 May.")
	s.settle()
	if got := s.asks("Ada", at, "memory fork", "").Text; !strings.Contains(got, "cannot open another thread") {
		t.Errorf("a fork of a direct message: %s", got)
	}
}

// TestANoteGoesWithTheMessageItWasTypedIn: who takes the command back takes back what was to be remembered.
func TestANoteGoesWithTheMessageItWasTypedIn(t *testing.T) {
	s := begin(t)
	close(s.chain.Go)
	at := s.say(general, "hello")
	s.settle()
	id, _ := s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "memory remember The spare key is under QZX-88731.", Mention: true})
	s.settle()
	kept := func() string { return s.asks("Ada", at, "memory show", "").Text }
	if got := kept(); !strings.Contains(got, "QZX-88731") {
		t.Fatalf("not remembered: %s", got)
	}
	s.settle()
	s.world.Delete(at, id)
	s.settle()
	if got := kept(); strings.Contains(got, "QZX-88731") {
		t.Errorf("still remembered: %s", got)
	}
}

// TestAnEditedCommandIsNotRun: it would erase what Ada said.
func TestAnEditedCommandIsNotRun(t *testing.T) {
	s := begin(t)
	close(s.chain.Go)
	at := s.say(general, "hello")
	s.settle()
	id, _ := s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "memory remember The spare key is under QZX-88731.", Mention: true})
	s.settle()
	s.world.Edit(at, id, "memory forget --yes")
	s.settle()
	session, err := s.store.SessionByKey(t.Context(), s.world.Key(at))
	if err != nil {
		t.Fatal(err)
	}
	if all, err := s.store.Messages(t.Context(), session.ID); err != nil || len(all) == 0 || all[0].Text != "hello" {
		t.Errorf("%+v, %v", all, err)
	}
}

// TestANoteFollowsTheMessageItWasTypedIn: it says what the message says now, or goes if that is no note any more.
func TestANoteFollowsTheMessageItWasTypedIn(t *testing.T) {
	for now, want := range map[string]string{
		"memory remember The spare key is under the green pot.": "The spare key is under the green pot.",
		"memory remember The spare key is under QZX-88731 now.": "The spare key is under QZX-88731 now.",
		"never mind": "",
		"memory remember My password is hunter2-QZX.": "",
	} {
		s := begin(t)
		close(s.chain.Go)
		at := s.say(general, "hello")
		s.settle()
		id, _ := s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "memory remember The spare key is under QZX-88731.", Mention: true})
		s.settle()
		s.world.Edit(at, id, now)
		s.settle()
		if told := strings.Contains(strings.Join(s.world.Traces(), "\n"), "The note that this message held is forgotten."); told != (want == "") {
			t.Errorf("after %q they are told that it is forgotten: %v", now, told)
		}
		got := s.asks("Ada", at, "memory show", "").Text
		if want != "" && !strings.Contains(got, "1. 📌 Ada: "+want) || strings.Count(got, "spare key") != strings.Count(want, "spare key") {
			t.Errorf("after %q: %s", now, got)
		}
		s.settle()
		s.world.Delete(at, id)
		s.settle()
		if got := s.asks("Ada", at, "memory show", "").Text; strings.Contains(got, "spare key") {
			t.Errorf("deleted after %q: %s", now, got)
		}
	}
}

// TestANumberMeansTheLastList whatever command listed it.
func TestANumberMeansTheLastList(t *testing.T) {
	s := begin(t)
	close(s.chain.Go)
	at := s.say(general, "The fair opens on 14 May.")
	s.settle()
	s.say(at, "My shoe size is 44.")
	s.settle()
	s.asks("Ada", at, "memory show", "")
	if got := s.asks("Ada", at, "memory search", "shoe size").Text; !strings.HasPrefix(got, "1. ") || !strings.Contains(got, "size is 44") {
		t.Fatalf("search: %s", got)
	}
	if got := s.asks("Ada", at, "memory why", "1").Text; !strings.Contains(got, "> My shoe size is 44.") {
		t.Errorf("why a line that was found: %s", got)
	}
	s.asks("Ada", at, "memory show", "")
	s.asks("Ada", at, "memory forget", "shoe")
	if got := s.asks("Ada", at, "memory why", "1").Text; !strings.Contains(got, "> My shoe size is 44.") {
		t.Errorf("why a line to forget: %s", got)
	}
	s.asks("Ada", at, "memory search", "shoe size")
	s.asks("Ada", at, "memory forget", "1")
	if got := s.asks("Ada", at, "memory show", "").Text; !strings.Contains(got, "14 May") || strings.Contains(got, "size is 44") {
		t.Errorf("what is left: %s", got)
	}
}

// TestForgettingALineForgetsEveryMessageThatSaysIt of one's own.
func TestForgettingALineForgetsEveryMessageThatSaysIt(t *testing.T) {
	s := begin(t, func(s *scene) {
		s.bot.Compactor = &agent.Compactor{Store: s.store, Log: s.bot.Log}
	})
	close(s.chain.Go)
	at := s.say(general, "The budget for the fair is 35,000 euros.")
	s.settle()
	s.say(at, "The budget for the fair is 35,000 euros.")
	s.settle()
	for i := range 11 {
		s.say(at, fmt.Sprintf("Small talk %d.", i))
		s.settle()
	}
	s.asks("Ada", at, "memory compact", "")
	list := s.asks("Ada", at, "memory show", "facts").Text
	if got := s.asks("Ada", at, "memory forget", numberOf(t, list, "35,000")).Text; !strings.HasPrefix(got, "Forgotten: 2 messages") {
		t.Errorf("%s", got)
	}
	if got := s.asks("Ada", at, "memory show", "").Text; strings.Contains(got, "35,000") {
		t.Errorf("it is still there: %s", got)
	}
}

// TestTheMemoryOfAPerson is that of whoever has the word in their name.
func TestTheMemoryOfAPerson(t *testing.T) {
	s := begin(t, func(s *scene) {
		s.bot.Compactor = &agent.Compactor{Store: s.store, Log: s.bot.Log}
	})
	close(s.chain.Go)
	at := s.say(general, "I prefer tabs.")
	s.settle()
	s.world.Say(platformtest.Said{Who: "Li Chen", At: at, Text: "I prefer spaces.", Mention: true})
	s.settle()
	for i := range 11 {
		s.say(at, fmt.Sprintf("Small talk %d.", i))
		s.settle()
	}
	s.asks("Ada", at, "memory compact", "")
	for who, want := range map[string]string{"ada": "tabs", "@Ada": "tabs", "chen": "spaces", "Li Chen": "spaces", "li": "spaces", "ad": "Nothing of that kind", "l": "Nothing of that kind"} {
		got := s.asks("Ada", at, "memory show", who).Text
		if !strings.Contains(got, want) || strings.Contains(got, "tabs") != (want == "tabs") || strings.Contains(got, "spaces") != (want == "spaces") {
			t.Errorf("show %s: %s", who, got)
		}
	}
}

// TestANoteForTheChannel may end with a full stop.
func TestANoteForTheChannel(t *testing.T) {
	s := begin(t)
	close(s.chain.Go)
	at := s.say(general, "hello")
	s.settle()
	if got := s.asks("Ada", at, "memory remember", "The stand is number 12 for the channel.").Text; !strings.Contains(got, "channel") {
		t.Errorf("%s", got)
	}
}

// TestWhatIsNotFoldedYetIsShown by its kind too: most threads are never folded.
func TestWhatIsNotFoldedYetIsShown(t *testing.T) {
	s := begin(t)
	close(s.chain.Go)
	at := s.say(general, "We decided to rent stand 12.")
	s.settle()
	s.say(at, "I prefer short answers.")
	s.settle()
	list := s.asks("Ada", at, "memory show", "decisions").Text
	if strings.Contains(list, "short") {
		t.Errorf("%s", list)
	}
	if got := s.asks("Ada", at, "memory why", numberOf(t, list, "stand 12")).Text; !strings.Contains(got, "> We decided to rent stand 12.") {
		t.Errorf("why: %s", got)
	}
	if got := s.asks("Ada", at, "memory show", "ada").Text; !strings.Contains(got, "short answers") || !strings.Contains(got, "stand 12") {
		t.Errorf("show ada: %s", got)
	}
	list = s.asks("Ada", at, "memory show", "preferences").Text
	if got := s.asks("Ada", at, "memory forget", numberOf(t, list, "short answers")).Text; !strings.Contains(got, "Forgotten: 1 message") {
		t.Errorf("forget: %s", got)
	}
}

// TestALineThatIsNotFoldedYetIsKept by pinning it, or by saying what is right: the list of a young conversation has no other lines.
func TestALineThatIsNotFoldedYetIsKept(t *testing.T) {
	s := begin(t)
	close(s.chain.Go)
	at := s.say(general, "The fair opens on Friday.")
	s.settle()
	ask := func(command, args string) string { return s.asks("Ada", at, command, args).Text }
	line := numberOf(t, ask("memory show", ""), "opens on Friday")
	for range 2 { // the second time it is pinned already
		if got := ask("memory pin", line); !strings.Contains(got, "Pinned") {
			t.Errorf("pin: %s", got)
		}
	}
	if got := ask("memory correct", line+" The fair opens on Monday."); got != "Remembered." {
		t.Errorf("correct: %s", got)
	}
	list := ask("memory show", "")
	if strings.Count(list, "📌") != 2 || !strings.Contains(list, "📌 Ada: The fair opens on Friday.") || !strings.Contains(list, "📌 Ada: The fair opens on Monday.") {
		t.Errorf("show: %s", list)
	}
	if got := ask("memory pin", numberOf(t, list, "You said: ")); !strings.Contains(got, "what you said yourself") {
		t.Errorf("pin an answer: %s", got)
	}
}
