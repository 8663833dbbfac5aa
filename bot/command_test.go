package bot_test

import (
	"log/slog"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
)

// slashed is a platform with slash commands for some families only, as Slack.
type slashed struct{ platform.Platform }

func (p slashed) Limits() platform.Limits {
	l := p.Platform.Limits()
	l.Slash = []string{"docs", "memory"}
	return l
}

// hold runs a bot in a world until the test ends.
func hold(t *testing.T, world *platformtest.World, p platform.Platform) *bot.Bot {
	t.Helper()
	store := newStore(t)
	b := &bot.Bot{Store: store, Chain: &platformtest.Chain{Store: store}, Platforms: []platform.Platform{p}, Log: slog.New(slog.DiscardHandler), Patience: time.Minute}
	t.Cleanup(start(t, b))
	return b
}

func TestHelpSaysHowACommandIsGivenHere(t *testing.T) {
	for _, c := range []struct {
		platform  func(platform.Platform) platform.Platform
		want, not string
	}{
		{func(p platform.Platform) platform.Platform { return slashed{p} }, "`why`", "`/why`"},
		{func(p platform.Platform) platform.Platform { return p }, "`/why`", "no slash commands"},
	} {
		world := platformtest.NewWorld()
		b := hold(t, world, c.platform(world.Platform()))
		at := platformtest.Place{Channel: "general"}
		world.Command("Ada", at, "help", "")
		settle(t, b, world)
		posts := world.Posts(at, "Ada")
		if len(posts) != 1 || !strings.Contains(posts[0].Text, c.want) || strings.Contains(posts[0].Text, c.not) || !strings.Contains(posts[0].Text, "`/memory status`") {
			t.Errorf("want %s and not %s: %+v", c.want, c.not, posts)
		}
	}
}

// TestStatusOfAThreadWeAreNotIn, as the menu of any message gives it.
func TestStatusOfAThreadWeAreNotIn(t *testing.T) {
	world := platformtest.NewWorld()
	b := hold(t, world, world.Platform())
	at := platformtest.Place{Channel: "general", Thread: "1"}
	world.Command("Ada", at, "memory status", "")
	settle(t, b, world)
	if posts := world.Posts(at, "Ada"); len(posts) != 1 || !strings.HasPrefix(posts[0].Text, "There is no conversation here yet.") {
		t.Errorf("%+v", posts)
	}
}

// TestAnUnreadableFileIsNotAnAnswer: nobody is asked whether it helped, and the conversation
// is called after the file.
func TestAnUnreadableFileIsNotAnAnswer(t *testing.T) {
	world := platformtest.NewWorld()
	b := hold(t, world, world.Platform())
	top := platformtest.Place{Channel: "general"}
	_, at := world.Say(platformtest.Said{Who: "Ada", At: top, Mention: true, Files: []platformtest.File{{Name: "walrus.pdf", Data: []byte("%PDF")}}})
	settle(t, b, world)
	posts := world.Posts(at, "Ada")
	if len(posts) != 1 || !strings.Contains(posts[0].Text, "walrus.pdf") {
		t.Fatalf("%+v", posts)
	}
	if world.Offers(posts[0], string(platform.Helpful)) {
		t.Error("it asks whether it helped")
	}
	world.Command("Ada", top, "memory status", "")
	settle(t, b, world)
	if posts := world.Posts(top, "Ada"); len(posts) != 1 || !strings.Contains(posts[0].Text, "- [walrus.pdf](") {
		t.Errorf("%+v", posts)
	}
}

// TestForgettingAllConversationsOfAChannel forgets what one person said in the threads of
// a channel and of a direct message, and nothing else.
func TestForgettingAllConversationsOfAChannel(t *testing.T) {
	world := platformtest.NewWorld()
	b := hold(t, world, world.Platform())
	top, other := platformtest.Place{Channel: "general"}, platformtest.Place{Channel: "random"}
	say := func(who, text string, at platformtest.Place) platformtest.Place {
		_, at = world.Say(platformtest.Said{Who: who, At: at, Text: text, Mention: true})
		settle(t, b, world)
		return at
	}
	first := say("Ada", "the launch code is walrus", top)
	say("Bob", "the launch code is otter", first)
	say("Ada", "the launch code is badger", top)
	say("Ada", "the launch code is beaver", other)
	give := func(command, args string) string {
		t.Helper()
		before := len(world.Posts(top, "Ada"))
		world.Command("Ada", top, command, args)
		settle(t, b, world)
		posts := world.Posts(top, "Ada")[before:]
		if len(posts) != 1 {
			t.Fatalf("%s %s: %+v", command, args, posts)
		}
		return posts[0].Text
	}
	if got := give("memory forget", ""); !strings.Contains(got, "`/memory forget all` erases") || !strings.Contains(got, "walrus") {
		t.Errorf("at the top of a channel: %s", got)
	}
	if got := give("memory forget", "all --yes"); !strings.HasPrefix(got, "Forgotten: 2 messages") {
		t.Errorf("all: %s", got)
	}
	got := give("memory search", "launch code")
	for word, want := range map[string]bool{"walrus": false, "badger": false, "otter": true, "beaver": true} {
		if strings.Contains(got, word) != want {
			t.Errorf("%s found: %v, want %v: %s", word, !want, want, got)
		}
	}
}

func TestASearchLinksToTheLinesFound(t *testing.T) {
	world := platformtest.NewWorld()
	b := hold(t, world, world.Platform())
	first, _ := world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: "the launch code is walrus", Mention: true})
	second, at := world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: "the launch code was badger", Mention: true})
	settle(t, b, world)
	before := len(world.Posts(at, "Ada"))
	world.Command("Ada", at, "memory search", "launch code")
	settle(t, b, world)
	posts := world.Posts(at, "Ada")[before:]
	if len(posts) != 1 || !strings.Contains(posts[0].Text, "](fake://general/"+first+")") || !strings.Contains(posts[0].Text, "](fake://general/"+second+")") {
		t.Errorf("found %+v", posts)
	}
}

// TestASearchSaysWhatTheConversationsAreAbout that it found something in, of each once, and is erased with any of that.
func TestASearchSaysWhatTheConversationsAreAbout(t *testing.T) {
	s := begin(t)
	about := s.say(general, "about the otter pond")
	s.settle()
	decided, _ := s.world.Say(platformtest.Said{Who: "Ada", At: about, Text: "We decided to dig in April."})
	s.say(about, "the launch code is walrus")
	s.say(about, "the launch code is badger")
	here := s.say(general, "the launch code is beaver")
	s.settle()
	got := s.asks("Ada", here, "memory search", "launch code").Text + "\n" // the order of equals is that of their times
	if !strings.Contains(got, "Ada: the launch code is walrus (about the otter pond)\n") || !strings.Contains(got, "Ada: the launch code is beaver\n") ||
		strings.Count(got, "\n    - Ada: ") != 1 || !strings.Contains(got, "\n    - Ada: We decided to dig in April.\n") {
		t.Errorf("%s", got)
	}
	s.world.Delete(about, decided)
	s.settle()
	if left := strings.Join(s.texts(here), "\n"); strings.Contains(left, "dig in April") || strings.Contains(left, "otter pond") {
		t.Errorf("still shown: %s", left)
	}
}

func TestACommandAboutOneConversationSaysSoWhereThereAreMany(t *testing.T) {
	world := platformtest.NewWorld()
	b := hold(t, world, world.Platform())
	world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "general"}, Text: "the launch code is walrus", Mention: true})
	settle(t, b, world)
	at := platformtest.Place{Channel: "general"}
	for _, c := range []struct{ command, begins string }{{"memory export", "`/memory export` is about one conversation"}, {"memory status", "My conversations here"}} {
		before := len(world.Posts(at, "Ada"))
		world.Command("Ada", at, c.command, "")
		settle(t, b, world)
		posts := world.Posts(at, "Ada")[before:]
		if len(posts) != 1 || !strings.HasPrefix(posts[0].Text, c.begins) || !strings.Contains(posts[0].Text, "walrus") {
			t.Errorf("%s: %+v", c.command, posts)
		}
	}
}

// TestWhatDoesNotReachTheModel is a closed list: a mention alone, a whole message that is a command, and two wishes in words that
// stand for one.
func TestWhatDoesNotReachTheModel(t *testing.T) {
	s := begin(t)
	s.say(general, "")
	s.settle()
	if n := s.chain.Started(); n != 0 {
		t.Errorf("a mention alone: %d calls", n)
	}
	at := s.say(general, "hello")
	s.settle()
	before := s.chain.Started()
	for text, calls := range map[string]int{
		"memory status": 0, "/memory status": 0, "docs list": 0, "help": 0, "forget my shoe size": 0, "please stop listening": 0, "start listening": 0,
		"can you help me with the docs?": 1, "forget it": 1, "don't forget my shoe size": 1, "no": 1, "thanks!": 1, "what did I miss?": 1, "summarise this thread": 1,
		"42": 1, "shorter, please": 1, "list the documents": 1, "listen to this": 1,
	} {
		s.world.Say(platformtest.Said{Who: "Ada", At: at, Text: text, Mention: true})
		s.settle()
		if n := s.chain.Started(); n != before+calls {
			t.Errorf("%q: %d calls, want %d", text, n-before, calls)
		}
		before = s.chain.Started()
	}
}
