package platformtest

import (
	"fmt"
	"regexp"
	"strings"

	"threadkeeper/agent"
	"threadkeeper/bot"
)

// folding has a bot fold conversations without a model.
func folding(b *bot.Bot) { b.Compactor = &agent.Compactor{Store: b.Store, Log: b.Log} }

// ask gives a command as Ada and returns its answer, which has to hold a text.
func (s *stage) ask(at Place, command, args, want string) string {
	s.t.Helper()
	shown := func(posts []Post) string {
		var text []string
		for _, p := range posts {
			text = append(text, p.Text)
		}
		return strings.Join(text, "\n")
	}
	before := shown(s.h.Posts(at, "Ada"))
	s.h.Command("Ada", at, command, args)
	answer := func(posts []Post) string { return strings.TrimPrefix(shown(posts), before) }
	s.until(at, "Ada", fmt.Sprintf("%q from %s %s", want, command, args), func(posts []Post) bool { return strings.Contains(answer(posts), want) })
	s.settle()
	return answer(s.h.Posts(at, "Ada"))
}

// numberOf is the number of the line of a list that holds a text.
func (s *stage) numberOf(list, text string) string {
	s.t.Helper()
	m := regexp.MustCompile(`(?m)^\s*(\d+)\. [^\n]*` + regexp.QuoteMeta(text)).FindStringSubmatch(list)
	if m == nil {
		s.t.Fatalf("no line with %q in:\n%s", text, list)
	}
	return m[1]
}

// memoryInHand gives each command about a conversation's memory; nobody but the one who gives it sees the answer.
func memoryInHand(s *stage) {
	said := []string{"Never suggest Excel.", "The budget for the fair is 35,000 euros.", "We agreed to rent stand 12."}
	for i := range 10 {
		said = append(said, fmt.Sprintf("Small talk %d.", i))
	}
	at := s.top("general")
	for _, text := range said { // one by one: what comes in a row is answered at once
		at = s.say(at, text)
		s.until(at, "Ada", "the answer", has("You said: "+text))
	}
	s.settle()
	s.ask(at, "memory undo", "", "no fold")
	s.ask(at, "memory compact", "the budget", "Folding everything")
	list := s.ask(at, "memory show", "", "Excel")
	s.ask(at, "memory why", s.numberOf(list, "Excel"), "Never suggest Excel.")
	s.ask(at, "memory correct", s.numberOf(list, "35,000")+" The budget for the fair is 40,000 euros.", "Corrected")
	list = s.ask(at, "memory show", "", "40,000")
	s.ask(at, "memory pin", s.numberOf(list, "40,000"), "Pinned")
	s.ask(at, "memory remember", "The stand is in hall 4.", "Remembered")
	s.ask(at, "memory show", "decisions", "stand 12")
	list = s.ask(at, "memory profile", "", "Excel")
	s.ask(at, "memory forget", s.numberOf(list, "Excel"), "Forgotten: 1 message")
	s.ask(at, "memory threshold", "20", "500")
	s.ask(at, "memory threshold", "2000", "2,000")
	s.ask(at, "memory undo", "", "word for word again")
	if list = s.ask(at, "memory show", "", "hall 4"); strings.Contains(list, "Excel") {
		s.t.Errorf("what was forgotten is there:\n%s", list)
	}
	if f := s.h.Features(); f.Ephemeral && f.People {
		if posts := s.h.Posts(at, "Bob"); len(posts) != len(said) {
			s.t.Errorf("Bob sees %d posts, want %d: %+v", len(posts), len(said), posts)
		}
	}
}

// forks continues a thread in another one, which knows what was said up to there until that is erased.
func forks(s *stage) {
	at := s.top("general")
	for _, text := range []string{"The fair opens on 14 May.", "Stand 12 is ours."} {
		at = s.say(at, text)
		s.until(at, "Ada", "the answer", has("You said: "+text))
	}
	s.settle()
	answer := s.ask(at, "memory fork", "", "thread")
	fork := Place{Channel: at.Channel, DM: at.DM}
	if m := regexp.MustCompile(`thread switch ([\w-]+)`).FindStringSubmatch(answer); m != nil {
		fork.Thread = m[1] // where threads have names
	} else {
		s.until(s.top("general"), "Ada", "the post that opens the fork", func(posts []Post) bool {
			for _, p := range posts {
				if strings.Contains(p.Text, "A fork of") {
					fork.Thread = p.ID
				}
			}
			return fork.Thread != ""
		})
		s.until(fork, "Ada", "what it knows", has("I know what was said there"))
	}
	at = s.say(at, "The caterer is booked.")
	s.until(at, "Ada", "the answer", has("You said: The caterer"))
	s.say(fork, "recite")
	posts := s.until(fork, "Ada", "its past", has("Ada: The fair opens on 14 May."))
	for _, p := range posts {
		if strings.Contains(p.Text, "caterer") {
			s.t.Errorf("it knows what was said later: %s", p.Text)
		}
	}
}

// channelKeeps has Ada decide something in a thread. The bot uses it in the channel's next threads, and tells each person once.
func channelKeeps(s *stage) {
	const decided, told = "We decided to rent stand 12.", "From other conversations in this channel I remember"
	one := s.say(s.top("general"), decided)
	s.answers(one, "You said: "+decided)
	people := []string{"Ada"}
	if f := s.h.Features(); f.Ephemeral && f.People {
		people = append(people, "Bob")
	}
	for _, who := range people {
		s.toldOfKept(who, decided, told)
		if _, n := s.useKept(who, decided, told); n != 0 {
			s.t.Errorf("%s is told again %d times", who, n)
		}
	}
}

// useKept has somebody use what is kept in a new thread, and counts how often they are told of it.
func (s *stage) useKept(who, kept, told string) (Place, int) {
	_, at := s.h.Say(Said{Who: who, At: s.top("general"), Text: "profile", Mention: true})
	s.until(at, who, "what is kept", has("Known: "+kept))
	s.settle()
	return at, s.count(at, who, told)
}

// toldOfKept has somebody use what is kept until they are told of it: an answer that is delivered by a second try tells nothing.
func (s *stage) toldOfKept(who, kept, told string) Place {
	s.t.Helper()
	for range 4 {
		switch at, n := s.useKept(who, kept, told); {
		case n == 1:
			return at
		case n > 1:
			s.t.Fatalf("%s is told %d times", who, n)
		}
	}
	s.t.Fatalf("%s is not told", who)
	return Place{}
}

// profileFollows says what one prefers in a thread and is known by it in the next ones, told so once, until it is switched off.
func profileFollows(s *stage) {
	one := s.say(s.top("general"), "I prefer tabs.")
	s.answers(one, "You said: I prefer tabs.")
	two := s.toldOfKept("Ada", "I prefer tabs.", "From other conversations I remember about you")
	if f := s.h.Features(); f.Ephemeral && f.People && s.count(two, "Bob", "From other conversations") != 0 {
		s.t.Error("Bob sees what is remembered about Ada")
	}
	three := s.say(s.top("general"), "profile")
	s.until(three, "Ada", "the profile", has("Known: I prefer tabs."))
	s.settle()
	if n := s.count(three, "Ada", "From other conversations"); n != 0 {
		s.t.Errorf("told again %d times", n)
	}
	list := s.ask(three, "memory profile", "", "tabs")
	s.ask(three, "memory why", s.numberOf(list, "tabs"), "I prefer tabs.")
	s.ask(three, "memory pin", s.numberOf(list, "tabs"), "own conversation")
	s.ask(three, "memory profile", "off", "memory profile on")
	s.say(three, "profile")
	s.until(three, "Ada", "an empty profile", has("Known: nothing"))
}
