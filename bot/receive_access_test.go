package bot_test

import (
	"strings"
	"testing"

	"threadkeeper/bot/access"
	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

// TestUnlistedPeopleAreHeard in a thread of somebody who is, and neither answered nor obeyed, but for what they want
// forgotten.
func TestUnlistedPeopleAreHeard(t *testing.T) {
	s := begin(t, func(s *scene) {
		list, err := access.ParseList("person:U-Ada")
		if err != nil {
			t.Fatal(err)
		}
		s.bot.Access.Allow = list
	})
	at := s.say(general, "hello")
	s.says(at, "Ada", "You said: hello")
	s.world.Say(platformtest.Said{Who: "Bob", At: at, Text: "lunch at noon, says Bob"})
	s.world.Say(platformtest.Said{Who: "Bob", At: at, Text: "memory status", Mention: true})
	const refusal = "I have not been enabled here or for you, so I do not answer. The operator (ALLOW, DENY) or an administrator (`settings allow`) can change that."
	s.says(at, "Bob", refusal)
	s.settle()
	if n := s.chain.Started(); n != 1 {
		t.Errorf("%d turns", n)
	}
	if got := s.texts(at); len(got) != 1 {
		t.Errorf("Ada sees %q", got)
	}
	s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: "recite", Mention: true})
	s.says(at, "Ada", "Bob: lunch at noon, says Bob")
	s.world.Command("Bob", at, "memory forget", "--yes")
	s.says(at, "Bob", "Forgotten: 1 message")
	s.settle()
	s.world.Command("Bob", at, "memory show", "")
	s.settle()
	if posts := s.world.Posts(at, "Bob"); posts[len(posts)-1].Text != refusal {
		t.Errorf("a command is answered with %+v", posts[len(posts)-1])
	}
}

// TestWhoIsDeniedMayErase what they said before, by a command, a mention or a button, and is told of nothing else.
func TestWhoIsDeniedMayErase(t *testing.T) {
	s := begin(t)
	at := s.say(general, "hello")
	s.settle()
	for _, text := range []string{"my shoe size is 43", "my badge is 7Q", "lunch at noon"} {
		s.world.Say(platformtest.Said{Who: "Bob", At: at, Text: text})
		s.settle()
	}
	s.world.Command(platformtest.Admin, general, "settings deny", "+person:U-Bob")
	s.settle()
	s.world.Command("Bob", at, "memory forget", "badge")
	s.says(at, "Bob", "my badge is 7Q")
	s.world.Say(platformtest.Said{Who: "Bob", At: at, Text: "forget my shoe size", Mention: true})
	s.says(at, "Bob", "my shoe size is 43")
	s.world.Command("Bob", at, "memory forget", "")
	s.says(at, "Bob", "This erases 3 messages of yours")
	s.settle()
	posts := s.world.Posts(at, "Bob")
	s.world.Click("Bob", at, posts[len(posts)-1], "Erase")
	s.says(at, "Bob", "Forgotten: 3 messages")
	s.world.Say(platformtest.Said{Who: "Bob", At: at, Text: "memory forget", Mention: true, Files: []platformtest.File{note}})
	s.says(at, "Bob", "I have not been enabled here")
}

// TestAnEditAsksWhetherItsAuthorMayUseUs: who was left out since neither gets an answer by an edit nor has a note changed by
// one. Where nothing of theirs is stored, the edited message goes.
func TestAnEditAsksWhetherItsAuthorMayUseUs(t *testing.T) {
	const typed = "memory remember The spare key is under QZX-88731."
	for _, list := range []struct{ name, entries, want string }{{"allow", "+person:U-Ada +role:admin", "the door is red"}, {"deny", "+person:U-Bob", ""}} {
		s := begin(t)
		close(s.chain.Go)
		at := s.say(general, "hello")
		s.settle()
		asked, _ := s.world.Say(platformtest.Said{Who: "Bob", At: at, Text: "the door is blue", Mention: true})
		s.settle()
		noted, _ := s.world.Say(platformtest.Said{Who: "Bob", At: at, Text: typed, Mention: true})
		s.settle()
		s.world.Command(platformtest.Admin, general, "settings "+list.name, list.entries)
		s.settle()
		turns := s.chain.Started()
		s.world.Edit(at, asked, "the door is red")
		s.world.Edit(at, noted, "memory remember The spare key is under ZZY-11111.")
		s.settle()
		if n := s.chain.Started(); n != turns {
			t.Errorf("%s: answered again", list.name)
		}
		all, err := s.store.Messages(t.Context(), 1)
		if err != nil {
			t.Fatal(err)
		}
		var texts []string
		for _, m := range all {
			texts = append(texts, m.Text)
		}
		if got := strings.Join(texts, "|"); strings.Contains(got, "blue") || strings.Contains(got, "88731") || strings.Contains(got, "11111") || strings.Contains(got, "red") != (list.want != "") {
			t.Errorf("%s: stored is %q", list.name, got)
		}
	}
}

// TestAdministratorsLists hold in all channels of their workspace, survive a restart, and can be changed from a place they
// close.
func TestAdministratorsLists(t *testing.T) {
	s := begin(t)
	elsewhere := platformtest.Place{Channel: "elsewhere"}
	s.world.Command(platformtest.Admin, elsewhere, "settings deny", "channel:elsewhere")
	s.says(elsewhere, platformtest.Admin, "leave you out here")
	s.world.Command(platformtest.Admin, general, "settings deny", "+channel:elsewhere <@U-Bob>")
	s.says(general, platformtest.Admin, "It can be `nobody`")
	s.world.Command(platformtest.Admin, general, "settings deny", "+channel:elsewhere +person:U-Bob")
	s.says(general, platformtest.Admin, "- allow: everyone\n- deny: `channel:elsewhere person:U-Bob`")
	s.settle()
	s.world.Command("Ada", general, "settings show", "")
	s.says(general, "Ada", "- instructions: none")
	s.stop()
	s.run()
	at := s.say(elsewhere, "hello")
	s.says(at, "Ada", "I have not been enabled here")
	_, at = s.world.Say(platformtest.Said{Who: "Bob", At: general, Text: "hello", Mention: true})
	s.says(at, "Bob", "I have not been enabled here")
	at = s.say(general, "hello")
	s.says(at, "Ada", "You said: hello")
	if text := strings.Join(s.texts(general), "\n"); strings.Contains(text, "person:U-Bob") {
		t.Errorf("Ada was told who is denied: %s", text)
	}
	s.world.Say(platformtest.Said{Who: platformtest.Admin, At: elsewhere, Text: "settings deny -channel:elsewhere", Mention: true})
	s.says(elsewhere, platformtest.Admin, "- deny: `person:U-Bob`")
	s.settle()
	at = s.say(elsewhere, "hello again")
	s.says(at, "Ada", "You said: hello again")
	s.world.Command(platformtest.Admin, general, "settings allow", "-role:admin")
	s.says(general, platformtest.Admin, "It can be `everyone`")
}

// TestUnreadableAccessListsServeNoOne, and an event is not acknowledged until they can.
func TestUnreadableAccessListsServeNoOne(t *testing.T) {
	s := begin(t)
	s.says(s.say(general, "hello"), "Ada", "You said: hello")
	if choices, err := s.world.Suggest(t.Context(), "Ada", general, "settings follow", "policy", ""); err != nil || len(choices) == 0 {
		t.Fatalf("suggested %v, %v", choices, err)
	}
	if err := s.store.SetSetting(t.Context(), memory.WorkspaceScope(s.world.Key(general)), memory.DenySetting, "nonsense"); err != nil {
		t.Fatal(err)
	}
	if choices, err := s.world.Suggest(t.Context(), "Ada", general, "settings follow", "policy", ""); err == nil || len(choices) > 0 {
		t.Errorf("suggested %v, %v", choices, err)
	}
	if home, err := s.world.Home(t.Context(), "Ada"); err == nil {
		t.Errorf("showed %+v", home)
	}
}
