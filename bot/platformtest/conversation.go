package platformtest

import (
	"fmt"
	"slices"
	"strings"

	"threadkeeper/memory"
)

func mentionAndFollowUp(s *stage) {
	at := s.say(s.top("general"), "hello there")
	s.answers(at, "You said: hello there")
	s.say(at, "and again")
	s.answers(at, "You said: hello there", "You said: and again")
}

func inOrder(s *stage) {
	at := s.say(s.top("general"), "one")
	s.answers(at, "You said: one")
	for i, text := range []string{"two", "three", "four"} {
		s.say(at, text)
		s.answers(at, []string{"You said: one", "You said: two", "You said: three", "You said: four"}[:i+2]...)
	}
}

func noMentions(s *stage) {
	at := s.say(s.top("general"), "shout")
	posts := s.until(at, "Ada", "the answer", has("Hello"))
	s.settle()
	for _, p := range posts {
		if p.Mentions > 0 {
			s.t.Errorf("a post mentions %d: %q", p.Mentions, p.Text)
		}
	}
}

func asked(s *stage) (Place, Post) {
	s.t.Helper()
	at := s.say(s.top("general"), "ask me")
	posts := s.until(at, "Ada", "the question", has("Which colour?"))
	s.settle()
	return at, posts[len(posts)-1]
}

// closed is the question of the suite once it is asked no more.
func (s *stage) closed(outcome string) string {
	if !s.h.Features().Clicks {
		return "Which colour?"
	}
	return "Which colour?\n\n→ " + outcome
}

func answerByNumber(s *stage) {
	at, _ := asked(s)
	s.say(at, "2")
	s.answers(at, s.closed("Dark green"), "You chose green")
	s.say(at, "2")
	s.answers(at, s.closed("Dark green"), "You chose green", "You said: 2")
}

func answerByLabel(s *stage) {
	at, _ := asked(s)
	s.say(at, "dark grean")
	s.answers(at, s.closed("Dark green"), "You chose green")
}

func answerInWords(s *stage) {
	at, _ := asked(s)
	s.say(at, "something like turquoise")
	s.answers(at, s.closed("Answered in words."), "You chose the words something like turquoise")
}

func cancelQuestion(s *stage) {
	at, _ := asked(s)
	s.say(at, "what time is it in Lisbon?")
	s.answers(at, s.closed("This question is closed."), "You said: what time is it in Lisbon?")
	s.say(at, "red")
	s.answers(at, s.closed("This question is closed."), "You said: what time is it in Lisbon?", "You said: red")
}

func commands(s *stage) {
	at := s.say(s.top("general"), "hello")
	s.answers(at, "You said: hello")
	s.h.Command("Ada", at, "memory status", "")
	s.until(at, "Ada", "the status", has(" % full"))
	s.say(at, "/why")
	s.until(at, "Ada", "the reading", has("Ada: hello"))
	s.h.Command("Ada", at, "memory stats", "")
	s.until(at, "Ada", "a suggestion", has("memory status`?"))
	s.h.Command("Ada", at, "stop", "")
	s.until(at, "Ada", "that nothing runs", has("Nothing is running"))
	s.settle()
	if posts := s.h.Posts(at, "Ada"); len(posts) != 5 {
		s.t.Fatalf("%d posts, want 5: %+v", len(posts), posts)
	}
}

func retried(s *stage) {
	at := s.say(s.top("general"), "fail")
	posts := s.until(at, "Ada", "the error", has("key"))
	s.settle()
	if p := posts[len(posts)-1]; strings.Contains(p.Text, "%!") || !strings.Contains(p.Text, "OPENAI_API_KEY") {
		s.t.Errorf("the error says %q", p.Text)
	}
	s.chain.Mend()
	s.h.Command("Ada", at, "retry", "")
	s.until(at, "Ada", "the answer", has("You said: fail"))
	s.settle()
	s.h.Command("Ada", at, "retry", "")
	s.until(at, "Ada", "that there is nothing to retry", has("nothing to retry"))
	s.settle()
	want := 3
	if s.h.Features().Ephemeral {
		want++ // that it is asked again
	}
	if posts := s.h.Posts(at, "Ada"); len(posts) != want {
		s.t.Fatalf("%d posts, want %d: %+v", len(posts), want, posts)
	}
}

func stopped(s *stage) {
	at := s.say(s.top("general"), "slow work")
	s.begun(1)
	s.h.Command("Ada", at, "stop", "")
	s.until(at, "Ada", "the end", has("Working. \n\nStopped."))
	s.settle()
	s.say(at, "go on")
	s.until(at, "Ada", "the next answer", has("You said: go on"))
}

func threadsApart(s *stage) {
	one := s.say(s.top("general"), "first topic")
	two := s.say(s.top("general"), "second topic")
	s.answers(one, "You said: first topic")
	s.answers(two, "You said: second topic")
	s.say(two, "recite")
	posts := s.until(two, "Ada", "the history", has("second topic"))
	if text := posts[len(posts)-1].Text; strings.Contains(text, "first topic") {
		s.t.Errorf("one thread knows the other: %q", text)
	}
}

func silence(s *stage) {
	s.h.Say(Said{Who: "Ada", At: s.top("general"), Text: "not for the assistant"})
	at := s.say(s.top("general"), "hello")
	s.answers(at, "You said: hello")
	s.h.Say(Said{Who: "Bob", At: at, Text: "lunch?", ToOther: true})
	s.settle()
	before := s.traces()
	s.h.Say(Said{Who: "Bob", At: at, Text: "what do you think"})
	s.settle()
	if after := s.traces(); !slices.Equal(after, before) {
		s.t.Errorf("people saw %q, before %q", after, before)
	}
	s.h.Say(Said{Who: "Bob", At: at, Text: "speak up, please"})
	s.answers(at, "You said: hello", "You said: speak up, please")
	s.mention(at, "recite")
	posts := s.until(at, "Ada", "the history", has("lunch?\n")) // before it may stand whom it is for
	if text := posts[len(posts)-1].Text; !strings.Contains(text, "Bob: what do you think\n") {
		s.t.Errorf("what was overheard is not kept: %q", text)
	}
}

// traces are what people may have seen of us.
func (s *stage) traces() []string {
	if w, ok := s.h.(Watched); ok {
		return w.Traces()
	}
	return nil
}

func backfill(s *stage) {
	_, at := s.h.Say(Said{Who: "Bob", At: s.top("general"), Text: "the code is 4711", Unseen: true})
	s.h.Say(Said{Who: "Ada", At: at, Text: "thank you Bob", Unseen: true})
	s.h.Say(Said{Who: "Ada", At: at, Text: "recite", Mention: true})
	s.answers(at, "Bob: the code is 4711\nAda: thank you Bob\nAda: recite")
}

// programs say what people ask about: before we come, while we are there, and with our name in it.
func programs(s *stage) {
	_, at := s.h.Say(Said{Who: "Deploys", Program: true, At: s.top("general"), Text: "db-7 is down", Unseen: true})
	s.h.Say(Said{Who: "Ada", At: at, Text: "hello", Mention: true})
	s.answers(at, "You said: hello")
	id, _ := s.h.Say(Said{Who: "Deploys", Program: true, At: at, Text: "db-7 is up?", Mention: true})
	s.settle()
	s.say(at, "what is new?") // Ada is still alone with us
	s.answers(at, "You said: hello", "You said: what is new?")
	if s.h.Features().Changes {
		s.h.Edit(at, id, "db-7 is up again")
		s.settle()
	}
	s.mention(at, "recite")
	posts := s.until(at, "Ada", "the history", has("db-7 is down\n"))
	if text := posts[len(posts)-1].Text; !strings.Contains(text, "Deploys: db-7 is up") || s.h.Features().Changes && !strings.Contains(text, "again") {
		s.t.Errorf("what a program said in the thread is not kept: %q", text)
	}
	if s.chain.Started() != 3 {
		s.t.Errorf("%d turns", s.chain.Started())
	}
}

// chosenProgram answers us whenever we answer it. That ends by itself, and begins again once a person has spoken.
func chosenProgram(s *stage) {
	top := s.top("general")
	at := s.say(top, "hello")
	s.answers(at, "You said: hello")
	says := func(text string) (answered bool) {
		s.h.Say(Said{Who: "Deploys", Program: true, At: at, Text: text, Mention: true})
		s.settle()
		return has("You said: " + text)(s.h.Posts(at, "Ada"))
	}
	if says("db-7 is down") {
		s.t.Error("a program was answered that nobody had chosen")
	}
	s.set(top, "bots", "person:"+s.program())
	n := 0
	for n < 10 && says(fmt.Sprint("thank you ", n)) {
		n++
	}
	if n == 0 || n == 10 {
		s.t.Errorf("it was answered %d times", n)
	}
	s.say(at, "what is new?")
	s.until(at, "Ada", "the answer", has("You said: what is new?"))
	s.settle()
	if !says("db-7 is up") {
		s.t.Error("it is not answered after a person has spoken")
	}
}

func (s *stage) program() string {
	s.t.Helper()
	for _, m := range s.kept() {
		if who, err := s.store.Person(s.t.Context(), m.PersonID); err == nil && who.Kind == memory.Bot {
			return who.PlatformID
		}
	}
	s.t.Fatal("no program has spoken")
	return ""
}

func (s *stage) kept() (all []*memory.Message) {
	s.t.Helper()
	ctx := s.t.Context()
	said, err := s.store.RecentConversations(ctx, memory.RecentQuery{Platform: s.bot.Platforms[0].Name(), Within: patience, Sessions: 10})
	if err != nil {
		s.t.Fatal(err)
	}
	for _, c := range said {
		session, err := s.store.SessionByKey(ctx, c.Key)
		if err != nil {
			s.t.Fatal(err)
		}
		lines, err := s.store.Messages(ctx, session.ID)
		if err != nil {
			s.t.Fatal(err)
		}
		all = append(all, lines...)
	}
	return all
}

// named: who is answered is said where somebody else has spoken since, and nowhere else.
func named(s *stage) {
	at := s.say(s.top("general"), "slow start")
	s.begun(1)
	s.chain.Go <- struct{}{}
	s.until(at, "Ada", "the answer", has("Working. Done: slow start"))
	s.settle()
	s.mention(at, "slow question")
	s.begun(2)
	if !Await(func() bool { return len(s.h.Posts(at, "Ada")) == 2 }) { // once it is posted, nobody stands in front of it any more
		s.t.Fatal("an answer that grows is not posted")
	}
	id, _ := s.h.Say(Said{Who: "Ada", At: at, Text: "and this one", Mention: true})
	s.h.Say(Said{Who: "Bob", At: at, Text: "lunch?", ToOther: true})
	s.heard("lunch?")
	s.chain.Go <- struct{}{}
	s.until(at, "Ada", "the last answer", has("You said: and this one"))
	s.settle()
	posts := s.h.Posts(at, "Ada")
	if len(posts) != 3 {
		s.t.Fatalf("posts %+v", posts)
	}
	for i, p := range posts {
		says := p.AnswerTo == id || strings.HasPrefix(p.Text, "**Ada:** ")
		if says != (i == 2) || p.Mentions > 0 {
			s.t.Errorf("answer %d: %+v", i+1, p)
		}
	}
}

func (s *stage) heard(text string) {
	s.t.Helper()
	if !Await(func() bool {
		return slices.ContainsFunc(s.kept(), func(m *memory.Message) bool { return strings.Contains(m.Text, text) })
	}) {
		s.t.Fatalf("%q was never heard", text)
	}
}

func pasted(s *stage) {
	long := strings.Repeat("error: no space left on device\n", 100) + "what is wrong?"
	_, at := s.h.Say(Said{Who: "Ada", At: Place{Channel: "Ada", DM: true}, Files: []File{{Name: "message.txt", Data: []byte(long)}}})
	s.until(at, "Ada", "the answer", has("what is wrong?"))
	s.settle()
	if posts := s.h.Posts(at, "Ada"); !strings.Contains(posts[0].Text, "You said: error: no space") {
		s.t.Errorf("%+v", posts)
	}
}

func backfillLater(s *stage) {
	_, at := s.h.Say(Said{Who: "Bob", At: s.top("general"), Text: "the code is 4711", Unseen: true})
	s.h.Break(FailPast)
	s.h.Say(Said{Who: "Ada", At: at, Text: "hello", Mention: true})
	s.answers(at, "You said: hello")
	s.mention(at, "recite")
	s.answers(at, "You said: hello", "Bob: the code is 4711\nAda: hello\n: You said: hello\nAda: recite")
}

// lostMentions are of the time before the wire told us of the thread: a crash lost them, and nobody
// was answered.
func lostMentions(s *stage) {
	_, at := s.h.Say(Said{Who: "Bob", At: s.top("general"), Text: "we need a code", Unseen: true})
	s.h.Say(Said{Who: "Bob", At: at, Text: "the code is 4711", Mention: true, Unseen: true})
	s.h.Say(Said{Who: "Ada", At: at, Text: "hello", Mention: true})
	s.until(at, "Ada", "the answers", func(posts []Post) bool {
		return has("You said: hello")(posts) && has("You said: the code is 4711")(posts)
	})
	s.settle()
	if posts := s.h.Posts(at, "Ada"); len(posts) != 2 {
		s.t.Errorf("%d posts: %+v", len(posts), posts)
	}
}

func redelivery(s *stage) {
	at, q := asked(s)
	if s.h.Features().Clicks {
		s.h.Click("Ada", at, q, "Red")
	} else {
		s.say(at, "red")
	}
	s.answers(at, s.closed("Red"), "You chose red")
	s.h.Redeliver()
	s.answers(at, s.closed("Red"), "You chose red")
}

func longAnswer(s *stage) {
	at := s.say(s.top("general"), "long")
	s.until(at, "Ada", "the end of the answer", has(fmt.Sprintf("word%d", Words)))
	s.settle()
	var words []string
	for _, p := range s.h.Posts(at, "Ada") {
		words = append(words, strings.Fields(p.Text)...)
	}
	n := 0
	for _, w := range words {
		if w == fmt.Sprintf("word%d", n+1) {
			n++
		}
	}
	if n != Words || len(words) != Words {
		s.t.Errorf("%d words, %d of them in a row; want %d", len(words), n, Words)
	}
}

func exported(s *stage) {
	at := s.say(s.top("general"), "hello")
	s.answers(at, "You said: hello")
	s.h.Command("Ada", at, "memory export", "")
	s.until(at, "Ada", "the file", has("JSONL"))
	s.settle()
	posts, named := s.h.Posts(at, "Ada"), 0
	for _, p := range posts {
		if p.File != "" || strings.Contains(p.Text, ".jsonl") {
			named++
		}
	}
	if named == 0 || len(posts) != 1+named { // a platform may post the file elsewhere and say so here
		s.t.Errorf("no file in %+v", posts)
	}
}
