package platformtest

import (
	"context"
	"strings"

	"threadkeeper/agent/spend"
	"threadkeeper/bot"
	"threadkeeper/bot/access"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

func list(text string) access.List {
	l, err := access.ParseList(text)
	if err != nil {
		panic(err)
	}
	return l
}

func allowNothing(b *bot.Bot) { b.Access.Allow = list("workspace:another") }

func denyAdmins(b *bot.Bot) { b.Access.Deny = list("role:admin") }

func lowBudget(b *bot.Bot) {
	b.Meter = &spend.Meter{Store: b.Store, Budgets: spend.Budgets{All: spend.Limit{Tokens: 1_000}}}
}

func fewWaiting(b *bot.Bot) { b.MaxWaiting = 1 }

const refusal = "I have not been enabled here"

func (s *stage) count(at Place, who, text string) (n int) {
	for _, p := range s.h.Posts(at, who) {
		if strings.Contains(p.Text, text) {
			n++
		}
	}
	return n
}

func notAllowed(s *stage) {
	top := s.top("general")
	one := s.say(top, "hello there, swordfish")
	s.until(one, "Ada", "the refusal", has(refusal))
	s.settle()
	s.h.Say(Said{Who: "Ada", At: top, Text: "hello again", Mention: true})
	s.settle()
	s.h.Command("Ada", top, "memory status", "")
	s.until(top, "Ada", "the refusal of a command", func(posts []Post) bool { return s.count(top, "Ada", refusal)+s.count(one, "Ada", refusal) >= 2 })
	s.settle()
	if n := s.chain.Started(); n != 0 {
		s.t.Errorf("%d turns", n)
	}
	name := s.bot.Platforms[0].Name()
	workspaces, err := s.store.Workspaces(context.Background(), name)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, w := range workspaces {
		kept, err := s.store.CountPlace(context.Background(), memory.Key{Platform: name, Workspace: w})
		if err != nil || kept.Messages != 0 {
			s.t.Errorf("%d messages are kept, %v", kept.Messages, err)
		}
	}
}

func denied(s *stage) {
	top := s.top("general")
	_, at := s.h.Say(Said{Who: Admin, At: top, Text: "hello", Mention: true})
	s.until(at, Admin, "the refusal", func([]Post) bool { return s.count(at, Admin, refusal)+s.count(top, Admin, refusal) == 1 })
	s.settle()
	if n := s.chain.Started(); n != 0 {
		s.t.Errorf("%d turns", n)
	}
	at = s.say(s.top("general"), "hello")
	s.until(at, "Ada", "the answer", has("You said: hello"))
}

// deniedAsks by a command, which elsewhere shows everybody what is asked: each time they are told, and nobody else is.
func deniedAsks(s *stage) {
	top := s.top("general")
	for n := range 2 {
		s.h.Command(Admin, top, "ask", "swordfish?")
		s.until(top, Admin, "the refusal", func([]Post) bool { return s.count(top, Admin, refusal) == n+1 })
	}
	s.settle()
	if posts := s.h.Posts(top, "Bob"); len(posts) != 0 {
		s.t.Errorf("Bob sees %+v", posts)
	}
	s.h.Command("Ada", top, "ask", "mauve?")
	s.until(top, "Bob", "the question", has("mauve?"))
}

func asksTooMuch(s *stage) {
	top := s.top("general")
	s.say(top, "slow work")
	s.begun(1)
	s.h.Command("Ada", top, "ask", "swordfish?")
	s.until(top, "Ada", "that there is more to do", has("I am still working on your earlier messages."))
	close(s.chain.Go)
	s.settle()
	if posts := s.h.Posts(top, "Bob"); len(posts) != 0 {
		s.t.Errorf("Bob sees %+v", posts)
	}
}

// administratorsAllow closes a workspace to all but its administrators, by one of them, and opens it again.
func administratorsAllow(s *stage) {
	top := s.top("general")
	s.h.Command("Ada", top, "settings allow", "role:admin")
	s.until(top, "Ada", "the refusal", has("Only an administrator"))
	s.h.Command(Admin, top, "settings deny", "role:admin")
	s.until(top, Admin, "that it would close them out", has("leave you out here"))
	s.h.Command(Admin, top, "settings allow", "workspace:another")
	s.until(top, Admin, "what there may be", has("`role:admin`"))
	s.h.Command(Admin, top, "settings allow", "role:admin")
	s.until(top, Admin, "the settings", has("- allow: `role:admin`\n- deny: nobody"))
	s.settle()
	at := s.say(top, "hello there, swordfish")
	s.until(at, "Ada", "the refusal", func([]Post) bool { return s.count(at, "Ada", refusal)+s.count(top, "Ada", refusal) == 1 })
	s.h.Command("Ada", top, "settings allow", "everyone")
	s.until(top, "Ada", "the refusal of a command", func([]Post) bool { return s.count(at, "Ada", refusal)+s.count(top, "Ada", refusal) == 2 })
	s.settle()
	if n := s.chain.Started(); n != 0 {
		s.t.Errorf("%d turns", n)
	}
	_, at = s.h.Say(Said{Who: Admin, At: top, Text: "hello", Mention: true})
	s.until(at, Admin, "the answer", has("You said: hello"))
	s.h.Command(Admin, top, "settings allow", "everyone")
	s.until(top, Admin, "the settings", has("- allow: everyone\n- deny: nobody"))
	s.settle()
	at = s.say(top, "hello again")
	s.until(at, "Ada", "the answer", has("You said: hello again"))
}

// ownerDenies has an administrator allow whom the one who runs us denies.
func ownerDenies(s *stage) {
	top := s.top("general")
	s.h.Command(Admin, top, "settings allow", "role:admin")
	s.until(top, Admin, "the refusal", has(refusal))
	s.settle()
	at := s.say(top, "hello")
	s.until(at, "Ada", "the answer", has("You said: hello"))
}

// weeklyReport is sent in a direct message, once in each week that we run in, and goes with what it quotes.
func weeklyReport(s *stage) {
	const report = "Questions without an answer: 1"
	quoted, _ := s.h.Say(Said{Who: "Ada", At: s.top("general"), Text: "hello", Mention: true})
	s.h.Say(Said{Who: Admin, At: Place{Channel: Admin, DM: true}, Text: "hello"})
	s.settle()
	s.stop()
	var shows memory.Shown
	owner := ""
	for id := int64(1); id <= 4; id++ {
		m, err := s.store.Message(context.Background(), id)
		if err != nil {
			s.t.Fatal(err)
		}
		if m.Role != memory.User {
			continue
		}
		if m.PlatformID == quoted {
			shows.Messages = []int64{id}
			continue
		}
		who, err := s.store.Person(context.Background(), m.PersonID)
		if err != nil {
			s.t.Fatal(err)
		}
		owner = who.PlatformID
	}
	now := s.store.Now
	const day, week = 24 * 60 * 60 * 1000, 7 * 24 * 60 * 60 * 1000
	ahead := week - (now()-6*day)%week // to a Wednesday, far from where weeks begin
	top := Place{Channel: Admin, DM: true}
	reports := func() int { return s.count(top, Admin, report) }
	for i, want := range []int{1, 1, 2} {
		s.chain.Go = make(chan struct{})
		s.change = func(b *bot.Bot) {
			b.Report = &bot.Report{Platform: b.Platforms[0].Name(), Person: owner, Write: func(context.Context, *say.Words) (string, memory.Shown, error) {
				return report + "\n  `general`  hello\n", shows, nil
			}}
		}
		late := ahead + int64(i/2)*week
		s.store.Now = func() int64 { return now() + late }
		s.start()
		s.until(top, Admin, "the report", func([]Post) bool { return reports() >= want })
		at := s.say(s.top("elsewhere"), "is all done")
		s.until(at, "Ada", "the answer", has("You said: is all done"))
		s.settle()
		if n := reports(); n != want {
			s.t.Errorf("%d: %d reports", i, n)
		}
		if i < 2 {
			s.stop()
		}
	}
	if n := s.count(s.top("general"), "Ada", report); n != 0 {
		s.t.Error("it was sent to all")
	}
	s.h.Delete(s.top("general"), quoted)
	s.until(top, Admin, "the end of what it quotes", func([]Post) bool { return reports() == 0 })
}

func overBudget(s *stage) {
	at := s.say(s.top("general"), "overspend")
	s.until(at, "Ada", "when it opens again", has("What was found.\n\nYour model budget for today is used up. It resets at 00:00 UTC, in 9 h."))
}

func nearlySpent(s *stage) {
	ctx := context.Background()
	day := memory.Day(s.store.Now())
	for _, d := range []int64{day, day + 24*60*60*1000} { // which may begin meanwhile
		if err := s.store.Spend(ctx, memory.Spending{Day: d, Model: "m", Purpose: "answer", Calls: 1, PromptTokens: 850}); err != nil {
			s.t.Fatal(err)
		}
	}
	const told = "85 % of the model budget for today"
	at := s.say(s.top("general"), "hello")
	s.until(at, "Ada", "the warning", has(told))
	s.settle()
	s.say(at, "and again")
	s.until(at, "Ada", "the answer", has("You said: and again"))
	s.settle()
	if n := s.count(at, "Ada", told); n != 1 && memory.Day(s.store.Now()) == day {
		s.t.Errorf("told %d times", n)
	}
}

func stillBusy(s *stage) {
	at := s.say(s.top("general"), "slow work")
	s.begun(1)
	s.mention(at, "and this")
	s.until(at, "Ada", "that there is more to do", has("I am still working on your earlier messages."))
	close(s.chain.Go)
	s.until(at, "Ada", "the answer", has("Done: slow work"))
	s.settle()
	if n := s.count(at, "Ada", "and this"); n != 0 {
		s.t.Error("the second one was answered")
	}
	s.mention(at, "and this")
	s.until(at, "Ada", "the answer", has("You said: and this"))
}

func listening(s *stage) {
	at := s.say(s.top("general"), "hello")
	s.answers(at, "You said: hello")
	s.h.Say(Said{Who: "Ada", At: at, Text: "stop listening here"})
	s.until(at, "Ada", "that we do not", has("only when I am mentioned"))
	s.settle()
	s.h.Say(Said{Who: "Ada", At: at, Text: "lunch at noon"})
	s.settle()
	s.mention(at, "are you there")
	s.until(at, "Ada", "the answer", has("You said: are you there"))
	s.settle()
	if n := s.count(at, "Ada", "lunch"); n != 0 {
		s.t.Error("a line without a mention was answered")
	}
	s.h.Say(Said{Who: "Ada", At: at, Text: "listen again"})
	s.until(at, "Ada", "that we do", has("I listen in this thread again"))
	s.settle()
	s.h.Say(Said{Who: "Ada", At: at, Text: "dinner at eight"})
	s.until(at, "Ada", "the answer", has("You said: dinner at eight"))
}

func silenceOffered(s *stage) {
	const label = "Stop listening here"
	at := s.say(s.top("general"), "hello")
	s.answers(at, "You said: hello")
	s.h.Say(Said{Who: "Bob", At: at, Text: "speak up, please"})
	s.answers(at, "You said: hello", "You said: speak up, please")
	s.h.Say(Said{Who: "Bob", At: at, Text: "speak again, please"})
	posts := s.answers(at, "You said: hello", "You said: speak up, please", "You said: speak again, please")
	for i, want := range []int{0, 1, 0} {
		n := 0
		for _, b := range posts[i].Buttons {
			if b == label {
				n++
			}
		}
		if n != want {
			s.t.Errorf("post %d has the buttons %q", i, posts[i].Buttons)
		}
	}
	s.h.Click("Bob", at, posts[1], label)
	s.until(at, "Bob", "that we do not listen", has("only when I am mentioned"))
	s.settle()
	s.h.Say(Said{Who: "Bob", At: at, Text: "speak once more, please"})
	s.settle()
	if n := s.count(at, "Ada", "once more"); n != 0 {
		s.t.Error("a line without a mention was answered")
	}
}
