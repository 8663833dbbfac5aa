package bot_test

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"threadkeeper/agent"
	"threadkeeper/bot"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/docs"
	"threadkeeper/memory"
)

// reader is a platform that notes which channels are read, and what is asked of it meanwhile.
type reader struct {
	platform.Platform
	during func() // happens once a channel was read, before its lines are stored

	mu    sync.Mutex
	read  []string
	whole int // 0, or how many messages it gives at most
}

func (r *reader) History(ctx context.Context, key memory.Key, since int64, limit int) (platform.Past, error) {
	r.mu.Lock()
	r.read = append(r.read, key.Channel)
	if r.whole > 0 {
		limit = min(limit, r.whole)
	}
	r.mu.Unlock()
	past, err := r.Platform.History(ctx, key, since, limit)
	if r.during != nil {
		r.during()
	}
	return past, err
}

func (r *reader) Member(ctx context.Context, key memory.Key, person string) (bool, error) {
	return r.Platform.(platform.Membership).Member(ctx, key, person)
}

func (r *reader) channels() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return slices.Clone(r.read)
}

// catchingUp runs a bot without a model over a world whose channels hold lines that are not for us.
func catchingUp(t *testing.T, r *reader) (*bot.Bot, *platformtest.World) {
	store, world := newStore(t), platformtest.NewWorld()
	world.Private = map[string]bool{"board": true}
	r.Platform = world.Platform()
	b := &bot.Bot{Store: store, Chain: &agent.Chain{Store: store, Index: &docs.Index{Store: store}}, Platforms: []platform.Platform{r},
		Log: slog.New(slog.DiscardHandler), Announce: true, Patience: time.Minute}
	t.Cleanup(start(t, b))
	for channel, text := range map[string]string{"general": "We decided to ship the ferry.", "board": "We decided to close the mill."} {
		at := platformtest.Place{Channel: channel}
		world.Say(platformtest.Said{Who: "Bob", At: at, Text: "hello", Mention: true}) // so that the channel is known
		world.Say(platformtest.Said{Who: "Bob", At: at, Text: text})
	}
	settle(t, b, world)
	return b, world
}

// digest has Ada ask in a channel, and returns the answer.
func digest(t *testing.T, b *bot.Bot, world *platformtest.World, channel, text string) string {
	t.Helper()
	_, at := world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: channel}, Text: text, Mention: true})
	settle(t, b, world)
	posts := slices.DeleteFunc(world.Posts(at, "Ada"), func(p platformtest.Post) bool { return strings.HasPrefix(p.Text, "I store ") })
	if len(posts) != 1 {
		t.Fatalf("%d answers: %+v", len(posts), posts)
	}
	return posts[0].Text
}

// TestACatchUpReadsNothingThatTheAskerMayNotSee: not a private channel, nor one they have left, and says of both what it says of one
// that does not exist or holds nothing.
func TestACatchUpReadsNothingThatTheAskerMayNotSee(t *testing.T) {
	r := &reader{}
	b, world := catchingUp(t, r)
	for _, channel := range []string{"board", "nowhere"} {
		text := digest(t, b, world, "random", "What did I miss in #"+channel+"?")
		if !strings.HasPrefix(text, "I have nothing on record from #"+channel) || !strings.HasSuffix(text, "I keep only conversations that I take part in.") {
			t.Errorf("#%s: %q", channel, text)
		}
	}
	world.Leave("Ada", "general")
	if text := digest(t, b, world, "random", "What did I miss in #general?"); strings.Contains(text, "ferry") || strings.Contains(text, "read") {
		t.Errorf("after she left: %q", text)
	}
	if read := r.channels(); len(read) > 0 {
		t.Errorf("it read %q", read)
	}
	if text := digest(t, b, world, "board", "What did I miss?"); !strings.Contains(text, "mill") || strings.Contains(text, "ferry") {
		t.Errorf("in the private channel: %q", text)
	}
	if text := digest(t, b, world, "random", "What did I miss?"); strings.Contains(text, "mill") {
		t.Errorf("what was read of a private channel is told elsewhere: %q", text)
	}
}

// crowded is a platform on which it takes a while to look for guests.
type crowded struct{ *reader }

func (c crowded) Channels(ctx context.Context, workspace string) ([]memory.Channel, error) {
	return c.Platform.(platform.ChannelLister).Channels(ctx, workspace)
}

func (crowded) Guests(context.Context, memory.Key, []string) ([]string, error) {
	time.Sleep(50 * time.Millisecond)
	return nil, nil
}

// TestACatchUpWaitsToKnowWhoReadsAChannel longer than an answer would.
func TestACatchUpWaitsToKnowWhoReadsAChannel(t *testing.T) {
	s := begin(t, func(s *scene) {
		s.bot.Chain = &agent.Chain{Store: s.store, Index: s.bot.Index}
		s.bot.Platforms, s.bot.Patience = []platform.Platform{crowded{&reader{Platform: s.world.Platform()}}}, time.Millisecond
	})
	s.say(platformtest.Place{Channel: "random"}, "hello")
	until(t, "who reads #random", func() bool {
		c, err := s.store.ChannelByKey(t.Context(), s.world.Key(platformtest.Place{Channel: "random"}))
		return err == nil && !c.Unchecked
	})
	s.world.Say(platformtest.Said{Who: "Bob", At: platformtest.Place{Channel: "harbour"}, Text: "We decided to paint the pier."})
	if text := digest(t, s.bot, s.world, "random", "What did I miss in #harbour?"); !strings.Contains(text, "paint the pier") {
		t.Errorf("%q", text)
	}
}

// TestACatchUpInADirectMessageReadsTheBusiestChannels: those that the asker is in and that may be told of there, and says which.
func TestACatchUpInADirectMessageReadsTheBusiestChannels(t *testing.T) {
	r := &reader{}
	b, world := catchingUp(t, r)
	world.Say(platformtest.Said{Who: "Bob", At: platformtest.Place{Channel: "left"}, Text: "hello", Mention: true})
	world.Say(platformtest.Said{Who: "Bob", At: platformtest.Place{Channel: "left"}, Text: "We decided to sell the barn."})
	world.Leave("Ada", "left")
	settle(t, b, world)
	_, at := world.Say(platformtest.Said{Who: "Ada", At: platformtest.Place{Channel: "ada", DM: true}, Text: "What did I miss?", Mention: true})
	settle(t, b, world)
	posts := world.Posts(at, "Ada")
	text := posts[len(posts)-1].Text
	if !strings.Contains(text, "ferry") || strings.Contains(text, "mill") || strings.Contains(text, "barn") || !strings.Contains(text, "I have read #general back to ") {
		t.Errorf("%q", text)
	}
	if read := r.channels(); !slices.Equal(read, []string{"general"}) {
		t.Errorf("it read %q", read)
	}
}

// TestACatchUpReadsTheThreadsOfOthers, what programs reply there too, and links each line in its thread. An edit and a deletion
// there reach what was read.
func TestACatchUpReadsTheThreadsOfOthers(t *testing.T) {
	r := &reader{}
	b, world := catchingUp(t, r)
	root, _ := world.Say(platformtest.Said{Who: "Bob", At: platformtest.Place{Channel: "general"}, Text: "Release day."})
	in := platformtest.Place{Channel: "general", Thread: root}
	world.Say(platformtest.Said{Who: "Deploys", Program: true, At: in, Text: "We decided to roll back version 7."})
	gone, _ := world.Say(platformtest.Said{Who: "Bob", At: in, Text: "We decided to buy a goat."})
	settle(t, b, world)
	text := digest(t, b, world, "general", "What did I miss?")
	for _, want := range []string{"roll back version 7", "goat", "its threads with the latest replies"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in %q", want, text)
		}
	}
	world.Delete(in, gone)
	settle(t, b, world)
	if text := digest(t, b, world, "general", "What did I miss?"); strings.Contains(text, "goat") || strings.Count(text, "roll back") != 1 {
		t.Errorf("after the deletion: %q", text)
	}
}

// TestACatchUpReadsRepliesToAFile at whose top nobody has said a word.
func TestACatchUpReadsRepliesToAFile(t *testing.T) {
	r := &reader{}
	b, world := catchingUp(t, r)
	root, _ := world.Say(platformtest.Said{Who: "Bob", At: platformtest.Place{Channel: "harbour"}, Files: []platformtest.File{{Name: "pier.txt", Data: []byte("planks")}}})
	world.Say(platformtest.Said{Who: "Bob", At: platformtest.Place{Channel: "harbour", Thread: root}, Text: "We decided to paint the pier."})
	world.Join(platformtest.Place{Channel: "harbour"})
	settle(t, b, world)
	if text := digest(t, b, world, "random", "What did I miss in #harbour?"); !strings.Contains(text, "paint the pier") {
		t.Errorf("%q", text)
	}
}

// TestAChannelIsToldOnceWhatIsKept, and the lines read are found later.
func TestAChannelIsToldOnceWhatIsKept(t *testing.T) {
	r := &reader{}
	b, world := catchingUp(t, r)
	world.Say(platformtest.Said{Who: "Bob", At: platformtest.Place{Channel: "harbour"}, Text: "We decided to paint the pier."})
	world.Join(platformtest.Place{Channel: "harbour"})
	settle(t, b, world)
	for range 2 {
		if text := digest(t, b, world, "random", "What did I miss in #harbour?"); !strings.Contains(text, "paint the pier") {
			t.Errorf("%q", text)
		}
	}
	told := 0
	for _, p := range world.Posts(platformtest.Place{Channel: "harbour"}, "Bob") {
		if strings.Contains(p.Text, "/memory forget") {
			told++
		}
	}
	if told != 1 {
		t.Errorf("the channel was told %d times", told)
	}
	if text := digest(t, b, world, "random", "What colour does the pier get?"); !strings.Contains(text, "paint the pier") {
		t.Errorf("%q", text)
	}
}

// TestACatchUpSaysWhatItLeftOut.
func TestACatchUpSaysWhatItLeftOut(t *testing.T) {
	r := &reader{whole: 1}
	b, world := catchingUp(t, r)
	if text := digest(t, b, world, "general", "What did I miss?"); !strings.Contains(text, "I have read only the last 1 messages of the channel, back to ") {
		t.Errorf("%q", text)
	}
	world.Break(platformtest.FailPast)
	if text := digest(t, b, world, "board", "What did I miss?"); !strings.Contains(text, "I could not read the channel itself just now") {
		t.Errorf("%q", text)
	}
}

// TestAnEditWhileAChannelIsReadIsNotLost: what the platform gave us may be older.
func TestAnEditWhileAChannelIsReadIsNotLost(t *testing.T) {
	r := &reader{}
	b, world := catchingUp(t, r)
	general := platformtest.Place{Channel: "general"}
	id, _ := world.Say(platformtest.Said{Who: "Bob", At: general, Text: "We decided to buy the sextant."})
	settle(t, b, world)
	edited := sync.OnceFunc(func() {
		world.Edit(general, id, "We decided to buy the compass.")
		platformtest.Await(func() bool { return world.Pending() == 0 })
	})
	r.during = edited
	digest(t, b, world, "general", "What did I miss?")
	if text := digest(t, b, world, "general", "What did I miss?"); strings.Contains(text, "sextant") || !strings.Contains(text, "compass") {
		t.Errorf("%q", text)
	}
}

// TestAReadMessageMayCallUsLater: an edit that mentions us is answered in its own thread.
func TestAReadMessageMayCallUsLater(t *testing.T) {
	r := &reader{}
	b, world := catchingUp(t, r)
	id, at := world.Say(platformtest.Said{Who: "Bob", At: platformtest.Place{Channel: "general"}, Text: "We decided to buy the sextant."})
	settle(t, b, world)
	digest(t, b, world, "general", "What did I miss?")
	world.Call(id, "What was decided about the ferry?", time.Now())
	settle(t, b, world)
	if posts := world.Posts(at, "Bob"); len(posts) == 0 || !strings.Contains(posts[len(posts)-1].Text, "ferry") {
		t.Errorf("%+v", posts)
	}
}
