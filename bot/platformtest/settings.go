package platformtest

import (
	"slices"
	"strings"

	"threadkeeper/bot"
	"threadkeeper/bot/say"
)

func (s *stage) set(at Place, name, value string) {
	s.t.Helper()
	s.h.Command(Admin, at, "settings "+name, value)
	s.until(at, Admin, "the settings", has(name+": `"+value+"`"))
	s.settle()
}

// mention says something that mentions us, and nothing else about where.
func (s *stage) mention(at Place, text string) {
	s.h.Say(Said{Who: "Ada", At: at, Text: text, Mention: true})
}

func replyInChannel(s *stage) {
	top := s.top("general")
	s.set(top, "reply", "channel")
	s.mention(top, "hello")
	s.answers(top, "You said: hello")
	s.h.Say(Said{Who: "Bob", At: top, Text: "lunch at noon"})
	s.settle()
	s.mention(top, "recite")
	posts := s.until(top, "Ada", "the history", has("Ada: recite"))
	if len(posts) != 2 || !strings.Contains(posts[1].Text, "Ada: hello") || !strings.Contains(posts[1].Text, "Bob: lunch at noon") {
		s.t.Errorf("the channel is not one conversation: %+v", posts)
	}
}

func threadOnAnswer(s *stage) {
	top := s.top("general")
	s.set(top, "reply", "channel")
	s.mention(top, "hello")
	posts := s.answers(top, "You said: hello")
	at := top
	at.Thread = posts[0].ID
	s.h.Say(Said{Who: "Bob", At: at, Text: "👍"}) // is kept, and not answered
	s.settle()
	s.h.Say(Said{Who: "Bob", At: at, Text: "what do you think"})
	s.answers(at, "You said: what do you think")
}

func questionInChannel(s *stage) {
	top := s.top("general")
	s.set(top, "reply", "channel")
	s.mention(top, "ask me")
	s.until(top, "Ada", "the question", has("Which colour?"))
	s.settle()
	s.h.Say(Said{Who: "Bob", At: top, Text: "blue"})
	s.h.Say(Said{Who: "Ada", At: top, Text: "red"})
	s.answers(top, s.closed("Red"), "You chose red")
}

func followMention(s *stage) {
	s.set(s.top("general"), "follow", "mention")
	at := s.say(s.top("general"), "hello")
	s.answers(at, "You said: hello")
	s.h.Say(Said{Who: "Ada", At: at, Text: "the code is 4711"})
	s.answers(at, "You said: hello")
	s.mention(at, "recite")
	s.until(at, "Ada", "the history", has("Ada: the code is 4711"))
}

func followAlways(s *stage) {
	s.set(s.top("general"), "follow", "always")
	_, at := s.h.Say(Said{Who: "Bob", At: s.top("general"), Text: "nobody was mentioned"})
	s.answers(at, "You said: nobody was mentioned")
	_, other := s.h.Say(Said{Who: "Bob", At: s.top("elsewhere"), Text: "another channel"})
	s.answers(other)
}

// channelThreshold gives a channel's conversations a threshold, except for one that has its own.
func channelThreshold(s *stage) {
	top := s.top("general")
	own := s.say(top, "hello")
	s.answers(own, "You said: hello")
	s.settle()
	s.ask(own, "memory threshold", "1000", "1,000")
	s.h.Command("Ada", top, "settings threshold", "2000")
	s.until(top, "Ada", "the refusal", has("administrator"))
	s.h.Command(Admin, top, "settings threshold", "2000")
	s.until(top, Admin, "the settings", has("threshold: `2,000`"))
	s.settle()
	s.ask(own, "memory status", "", " of 1,000 tokens")
	one := s.say(top, "hello again")
	s.answers(one, "You said: hello again")
	s.settle()
	s.ask(one, "memory status", "", " of 2,000 tokens")
}

// twoModels has a bot offer a model beside its usual one.
func twoModels(b *bot.Bot) { b.Models = []string{"small", "large"} }

// channelModel has another of the models answer in a channel, and nowhere else.
func channelModel(s *stage) {
	top := s.top("general")
	s.h.Command("Ada", top, "settings model", "large")
	s.until(top, "Ada", "the refusal", has("administrator"))
	s.h.Command(Admin, top, "settings model", "huge")
	s.until(top, Admin, "the names", has("`small`, `large`"))
	s.h.Command(Admin, top, "settings model", "large")
	s.until(top, Admin, "the settings", has("model: `large`"))
	s.settle()
	s.answers(s.say(top, "which model"), "Model: large.")
	s.answers(s.say(s.top("elsewhere"), "which model"), "Model: small.")
	choices, err := s.h.Suggest(s.t.Context(), Admin, top, "settings model", "name", "L")
	if err != nil || len(choices) != 1 || choices[0].Value != "large" {
		s.t.Errorf("suggested %+v %v", choices, err)
	}
}

// channelInstructions has the model told something in a channel, and nowhere else.
func channelInstructions(s *stage) {
	const text = "Answer in German, you are our support desk."
	top := s.top("general")
	s.h.Command("Ada", top, "settings instructions", text)
	s.until(top, "Ada", "the refusal", has("administrator"))
	s.set(top, "instructions", text)
	s.answers(s.say(top, "which instructions"), "Instructions: "+text)
	s.answers(s.say(s.top("elsewhere"), "which instructions"), "Instructions:")
	s.h.Command(Admin, top, "settings instructions", "none")
	s.until(top, Admin, "the settings", has("instructions: none"))
	s.settle()
	s.answers(s.say(top, "which instructions"), "Instructions:")
}

// usageAsFile shows a member what they used, and an administrator what all did.
func usageAsFile(s *stage) {
	at := s.say(s.top("general"), "spend")
	s.until(at, "Ada", "the answer", has("Spent."))
	_, beside := s.h.Say(Said{Who: "Bob", At: s.top("general"), Text: "spend", Mention: true})
	s.until(beside, "Bob", "the answer", has("Spent."))
	s.settle()
	for who, want := range map[string][]string{"Ada": {"What the model used for you", ",Ada,m,answer,1,850,"}, Admin: {"By person", ",Ada,m,answer,1,850,", ",Bob,m,answer,1,850,"}} {
		s.h.Command(who, at, "usage", "")
		s.until(at, who, "the usage", has(want[0]))
		s.settle()
		file := ""
		for _, p := range slices.Concat(s.h.Posts(at, who), s.h.Posts(Place{DM: true}, who)) { // where it can be for one person
			if strings.HasPrefix(p.File, "usage") { // a platform may add to the name
				file = p.Data
			}
		}
		if w, ok := s.h.(*World); ok {
			file = string(w.Uploaded("usage.csv"))
		}
		for _, line := range want[1:] {
			if !strings.Contains(file, line) {
				s.t.Errorf("%s gets no line with %q: %q", who, line, file)
			}
		}
		if who == "Ada" && strings.Contains(file, "Bob") {
			s.t.Errorf("Ada gets what Bob used: %q", file)
		}
	}
	for _, p := range s.h.Posts(at, "Bob") {
		if p.File != "" || strings.Contains(p.Text, "850") {
			s.t.Errorf("Bob sees %+v", p)
		}
	}
}

func settingsOfOthers(s *stage) {
	top := s.top("general")
	s.h.Command("Ada", top, "settings follow", "always")
	s.until(top, "Ada", "the refusal", has("administrator"))
	if !s.h.Features().Choices {
		s.h.Command(Admin, top, "settings follow", "sometimes")
		s.until(top, Admin, "the values", has("`mention`"))
	}
	s.settle()
	_, at := s.h.Say(Said{Who: "Ada", At: top, Text: "not for the assistant"})
	s.answers(at)
	if s.h.Features().Choices {
		return
	}
	choices, err := s.h.Suggest(s.t.Context(), Admin, top, "settings follow", "policy", "m")
	if err != nil || len(choices) != 1 || choices[0].Value != "mention" {
		s.t.Errorf("suggested %+v %v", choices, err)
	}
}

func changesBesideUs(s *stage) {
	top := s.top("general")
	edited, beside := s.h.Say(Said{Who: "Bob", At: top, Text: "not for the assistant"})
	deleted, _ := s.h.Say(Said{Who: "Bob", At: top, Text: "nor this"})
	s.h.Edit(beside, edited, "not for the assistant either")
	s.h.Delete(top, deleted)
	s.settle()
	s.answers(beside)
	s.h.Command("Ada", top, "memory status", "")
	s.until(top, "Ada", "that there is nothing", has("no conversation here yet"))
}

func overview(s *stage) {
	top := s.top("general")
	one := s.say(top, "first topic")
	s.answers(one, "You said: first topic")
	two := s.say(top, "second topic")
	s.answers(two, "You said: second topic")
	s.h.Command("Ada", top, "memory status", "")
	posts := s.until(top, "Ada", "the list", has(" % full"))
	s.settle()
	list := posts[len(posts)-1].Text
	lines := slices.DeleteFunc(strings.Split(list, "\n"), func(l string) bool { return !strings.Contains(l, " % full") })
	if len(lines) != 2 || !strings.Contains(lines[0], "second topic") || !strings.Contains(lines[1], "first topic") {
		s.t.Errorf("the threads: %q", list)
	}
	s.h.Command("Ada", one, "memory status", "")
	s.until(one, "Ada", "the status of the thread", has("word for word: 2"))
	s.settle()
	if s.h.Features().Clicks {
		s.chosen(top)
	}
}

// chosen asks at the top of a channel what is remembered, and chooses one of its conversations.
func (s *stage) chosen(top Place) {
	s.h.Command("Ada", top, "memory show", "")
	posts := s.until(top, "Ada", "the choice", has("Or choose one below."))
	list := posts[len(posts)-1]
	if !slices.Equal(list.Buttons, []string{"second topic", "first topic"}) {
		s.t.Errorf("the choice: %+v", list)
	}
	s.h.Click("Ada", top, list, "first topic")
	posts = s.until(top, "Ada", "what is remembered", has("You said: first topic"))
	if p := posts[len(posts)-1]; strings.Contains(p.Text, "second topic") {
		s.t.Errorf("of the first conversation: %q", p.Text)
	}
	s.settle()
	if s.h.Features().Ephemeral && has("first topic")(s.h.Posts(top, "Bob")) {
		s.t.Error("what was shown to Ada alone is shown to Bob")
	}
}

func mentionedCommand(s *stage) {
	at := s.say(s.top("general"), "hello")
	s.answers(at, "You said: hello")
	s.mention(at, "memory status")
	s.until(at, "Ada", "the status", has("word for word: 2"))
	s.settle()
	s.mention(at, "memory usage of my server grows, why?")
	s.until(at, "Ada", "the answer", has("You said: memory usage of my server grows, why?"))
}

// menu asks about a message, has it checked, and looks at what is kept of its thread.
func menu(s *stage) {
	entries := say.AsksIn["en"]
	at := s.say(s.top("general"), "hello")
	s.answers(at, "You said: hello")
	id, _ := s.h.Say(Said{Who: "Bob", At: at, Text: "lunch costs nine euros"})
	s.settle()
	choose := s.h.(Chooser).Choose
	choose("Bob", at, id, entries.AskAbout, "who pays?")
	s.until(at, "Ada", "the answer", has("You said: > lunch costs nine euros\n\nwho pays?"))
	s.settle()
	choose("Bob", at, id, entries.CheckThis, "")
	s.until(at, "Ada", "the answer", has("You said: > lunch costs nine euros\n\n"+entries.CheckThis))
	s.settle()
	choose("Bob", at, id, entries.MemoryOf, "")
	s.until(at, "Bob", "what is kept", has("word for word: "))
	s.settle()
	if has("word for word: ")(s.h.Posts(at, "Ada")) {
		s.t.Error("Ada sees what Bob looked at")
	}
}

// quotes answers a message that was not said to us, and asks about another one, before these are deleted.
func quotes(s *stage) {
	top, quoted := s.top("general"), 0
	held := func() (n int) {
		if err := s.store.Read().NewRaw(`SELECT COUNT(*) FROM messages WHERE text LIKE '%QZX-88731%'`).Scan(s.t.Context(), &n); err != nil {
			s.t.Fatal(err)
		}
		return n
	}
	ask := func(about func(id string)) {
		id, _ := s.h.Say(Said{Who: "Bob", At: top, Text: "the code of the barn is QZX-88731"})
		s.settle()
		about(id)
		s.settle()
		quoted += held()
		s.h.Delete(top, id)
		if !Await(func() bool { return held() == 0 }) {
			s.t.Fatalf("%d messages hold what was deleted", held())
		}
	}
	ask(func(id string) {
		s.h.Say(Said{Who: "Ada", At: top, Text: "whose is it?", Mention: true, Answers: id})
	})
	if menu, ok := s.h.(Chooser); ok {
		ask(func(id string) { menu.Choose("Ada", top, id, say.AsksIn["en"].AskAbout, "whose is it?") })
	}
	if quoted == 0 {
		s.t.Error("nothing was quoted")
	}
}

// shownQuestion asks by a command, which a post of ours shows to everybody, and has that forgotten.
func shownQuestion(s *stage) {
	top := s.top("general")
	s.h.Command("Ada", top, "ask", "QZX-88731?")
	shown := s.until(top, "Bob", "the question", has("QZX-88731"))
	s.settle()
	s.h.Command("Ada", top, "memory forget", "all --yes")
	s.until(top, "Bob", "the end of the question", func(posts []Post) bool { return len(posts) >= len(shown) && !has("QZX-88731")(posts) })
	s.settle()
}

func asking(s *stage) {
	at := s.say(s.top("general"), "hello")
	s.answers(at, "You said: hello")
	s.h.Command("Ada", at, "help", "")
	s.until(at, "Ada", "that one can have an answer checked", has("check [TEXT]"))
}
