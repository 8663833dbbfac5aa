package memory

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/uptrace/bun"
)

// village is a workspace with channels, in each of which something was said.
type village struct {
	t *testing.T
	*Store
	n int
}

func (b *village) say(channel string, c Channel, text string, answer bool) *Received {
	b.t.Helper()
	b.n++
	in := incoming(fmt.Sprint("e", b.n), fmt.Sprint("m", b.n), text, answer)
	in.Key, in.Channel = Key{Platform: "test", Workspace: "w", Channel: channel, Thread: "t"}, c
	r, err := b.Queue.Receive(b.t.Context(), in)
	if err != nil {
		b.t.Fatal(err)
	}
	return r
}

// reads reports whether an answer in one session may tell of another.
func (b *village) reads(at, of *Received) bool {
	b.t.Helper()
	a, err := b.Audience(b.t.Context(), at.Session.ID, 0)
	if err != nil {
		b.t.Fatal(err)
	}
	_, err = b.Views.Show(b.t.Context(), a, of.Session.ID)
	if err != nil && !errors.Is(err, ErrNotFound) {
		b.t.Fatal(err)
	}
	return err == nil
}

func (b *village) unchecked() map[string]Channel {
	b.t.Helper()
	all, err := b.UncheckedChannels(b.t.Context(), "test")
	if err != nil {
		b.t.Fatal(err)
	}
	byName := make(map[string]Channel)
	for _, c := range all {
		byName[c.Channel] = c
	}
	return byName
}

func (b *village) check(c Channel, kind ChannelKind, external bool) {
	b.t.Helper()
	c.Kind, c.External = kind, external
	if err := b.CheckChannels(b.t.Context(), []Channel{c}); err != nil {
		b.t.Fatal(err)
	}
}

// TestEventsOnlyNarrowAChannel: a late event, or one whose look-up failed, opens
// nothing and hides nothing for good.
func TestEventsOnlyNarrowAChannel(t *testing.T) {
	b := &village{t: t, Store: openTest(t)}
	public := b.say("public", Channel{Kind: Public}, "walrus", false)
	for i, c := range []struct {
		stored, said Channel
		want         Channel // kind, external and unchecked
	}{
		{Channel{Kind: Public}, Channel{}, Channel{Kind: Public}}, // the look-up failed
		{Channel{Kind: Public, External: true}, Channel{}, Channel{Kind: Public, External: true}},
		{Channel{Kind: Public, External: true}, Channel{Kind: Public, Unchecked: true}, Channel{Kind: Public, External: true, Unchecked: true}},
		{Channel{Kind: Public}, Channel{Kind: Public, External: true}, Channel{Kind: Public, External: true, Unchecked: true}},
		{Channel{Kind: Public}, Channel{External: true}, Channel{Kind: Public, External: true, Unchecked: true}},
		{Channel{Kind: Public}, Channel{Kind: Private}, Channel{Kind: Private, Unchecked: true}},
		{Channel{Kind: Private}, Channel{Kind: Public}, Channel{Kind: Private, Unchecked: true}},
		{Channel{Kind: Private}, Channel{Kind: Public, Unchecked: true}, Channel{Kind: Private, Unchecked: true}},
		{Channel{}, Channel{}, Channel{Kind: Private, Unchecked: true}},
		{Channel{}, Channel{Kind: DM}, Channel{Kind: DM}},
		{Channel{Kind: DM, Unchecked: true}, Channel{}, Channel{Kind: DM}},
		{Channel{Kind: Public, Unchecked: true}, Channel{Kind: Public}, Channel{Kind: Public, Unchecked: true}},
	} {
		name := fmt.Sprint("c", i)
		first := b.say(name, c.stored, "walrus", false)
		r := b.say(name, c.said, "again", false)
		a, err := b.Audience(t.Context(), r.Session.ID, 0)
		if err != nil {
			t.Fatal(err)
		}
		got := a.Channel
		if got.Kind != c.want.Kind || got.External != c.want.External || got.Unchecked != c.want.Unchecked || r.Unchecked != got.Unchecked {
			t.Errorf("%+v, then said to be %+v, is %s, external %v, unchecked %v (%v)", c.stored, c.said, got.Kind, got.External, got.Unchecked, r.Unchecked)
		}
		if open := got.Kind == Public && !got.External && !got.Unchecked; b.reads(public, first) != open {
			t.Errorf("%+v, then said to be %+v, is read elsewhere: %v", c.stored, c.said, !open)
		}
		if narrow := got.External || got.Unchecked; b.reads(first, public) == narrow {
			t.Errorf("%+v, then said to be %+v, reads what is public: %v", c.stored, c.said, narrow)
		}
		if !b.reads(first, r) || a.NoDocuments != got.External {
			t.Errorf("%+v, then said to be %+v, does not know its own", c.stored, c.said)
		}
	}
}

// TestAnAnswerOlderThanADoubtChecksNothing: between the question who may read a channel and
// its answer it changes again.
func TestAnAnswerOlderThanADoubtChecksNothing(t *testing.T) {
	b := &village{t: t, Store: openTest(t)}
	here, there := b.say("here", Channel{Kind: Public}, "hello", false), b.say("there", Channel{Kind: Public}, "walrus", false)
	if !b.reads(here, there) {
		t.Fatal("a public channel is not read")
	}
	if _, err := b.UncheckChannels(t.Context(), "test", "", false); err != nil {
		t.Fatal(err)
	}
	asked := b.unchecked()
	if b.reads(here, there) || !b.reads(here, here) || len(asked) != 2 {
		t.Fatalf("unchecked: %+v", asked)
	}
	if err := b.DoubtChannel(t.Context(), Key{Platform: "test", Workspace: "w", Channel: "there"}, Channel{Kind: Private}); err != nil {
		t.Fatal(err)
	}
	b.check(asked["here"], Public, false)
	b.check(asked["there"], Public, false)
	if b.reads(here, there) {
		t.Error("an old answer opens a channel")
	}
	b.check(b.unchecked()["there"], Public, false)
	if !b.reads(here, there) || len(b.unchecked()) > 0 {
		t.Errorf("a new answer does not: %+v", b.unchecked())
	}
	if err := b.DoubtChannel(t.Context(), Key{Platform: "test", Workspace: "w", Channel: "nowhere"}, Channel{}); err != nil {
		t.Error(err)
	}
}

// TestAChangeOfAudienceTakesTurnsBack makes a channel private while a turn of another runs,
// has its answer complete, or has delivered it.
func TestAChangeOfAudienceTakesTurnsBack(t *testing.T) {
	private := func(b *village) error {
		return b.DoubtChannel(t.Context(), Key{Platform: "test", Workspace: "w", Channel: "there"}, Channel{Kind: Private})
	}
	gap := func(b *village) error { _, err := b.UncheckChannels(t.Context(), "test", "w", false); return err }
	found := func(b *village) error {
		if err := gap(b); err != nil {
			return err
		}
		b.check(b.unchecked()["there"], Private, false)
		return nil
	}
	none := func(*village) error { return nil }
	for _, c := range []struct {
		name   string
		ready  bool // the answer is complete
		change func(*village) error
		again  bool
	}{
		{"nothing, running", false, none, false},
		{"private, running", false, private, true},
		{"a gap, running", false, gap, true},
		{"nothing, complete", true, none, false},
		{"private, complete", true, private, true},
		{"a gap, complete", true, gap, false},
		{"found private, complete", true, found, true},
	} {
		b := &village{t: t, Store: openTest(t)}
		b.say("there", Channel{Kind: Public}, "walrus", false)
		asked := b.say("here", Channel{Kind: Public}, "what?", true)
		claim := func() *Turn {
			turn, err := b.Queue.ClaimTurn(t.Context(), TurnClaim{Owner: "o", TTL: 1e9, Burst: Burst{Rows: 1}, Nonce: func(*Inbox) string { return "n" }})
			if err != nil || turn == nil {
				t.Fatalf("%s: %v %v", c.name, turn, err)
			}
			return turn
		}
		turn := claim()
		rows := []int64{turn.Rows[0].ID}
		turn.Post.Payload = "the walrus"
		ready := func() error { return b.Queue.OutboxMakeReady(t.Context(), &turn.Lease, turn.Post, rows...) }
		if c.ready {
			if err := ready(); err != nil {
				t.Fatal(err)
			}
		}
		if err := c.change(b); err != nil {
			t.Fatal(err)
		}
		why, err := b.Queue.Interruption(t.Context(), rows)
		if err != nil || (why == StopAudience) != c.again {
			t.Errorf("%s: interruption %q %v", c.name, why, err)
		}
		err = nil
		if !c.ready {
			err = ready()
		}
		if err == nil {
			_, err = b.Queue.FinishTurn(t.Context(), &turn.Lease, Answer{Outbox: turn.Post.ID, Ref: "p", Inbox: rows,
				Message: Message{SessionID: asked.Session.ID, ChannelID: asked.Session.ChannelID, InteractionID: asked.Message.InteractionID, Text: "the walrus"}})
		}
		if errors.Is(err, ErrInterrupted) != c.again || err != nil && !c.again {
			t.Errorf("%s: recorded with %v", c.name, err)
		}
		if !c.again {
			continue
		}
		if err := b.Queue.UnclaimTurn(t.Context(), &turn.Lease, rows); err != nil {
			t.Fatal(err)
		}
		turn = claim()
		if turn.Post.State != OutboxNew || turn.Post.Payload != "" || !turn.Resumed || turn.Rows[0].Stop != "" || turn.Rows[0].Attempts != 1 {
			t.Errorf("%s: taken again as %+v of %+v", c.name, turn.Post, turn.Rows[0])
		}
	}
}

// TestACommandIsCarriedOutAgain: what it answers may not be told any more.
func TestACommandIsCarriedOutAgain(t *testing.T) {
	b := &village{t: t, Store: openTest(t)}
	b.say("there", Channel{Kind: Public}, "walrus", false)
	r, err := b.Queue.Receive(t.Context(), Incoming{Platform: "test", EventID: "c", Kind: "command", Key: Key{Platform: "test", Workspace: "w", Channel: "here"},
		Channel: Channel{Kind: Public}, Command: true, Payload: "{}"})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.DoubtChannel(t.Context(), Key{Platform: "test", Workspace: "w", Channel: "there"}, Channel{Kind: Private}); err != nil {
		t.Fatal(err)
	}
	post := &Outbox{SessionID: r.Session.ID, Nonce: "n", Payload: "the walrus"}
	if _, err := b.Queue.InboxCloseCommand(t.Context(), r.Inbox.ID, post); !errors.Is(err, ErrInterrupted) {
		t.Errorf("the first try ends with %v", err)
	}
	if done, err := b.Queue.InboxCloseCommand(t.Context(), r.Inbox.ID, post); !done || err != nil {
		t.Errorf("the second with %v %v", done, err)
	}
}

// TestHomesFollowTheAudience: what is shared in a public channel is on everybody's shelf as
// long as it is certain that the channel is.
func TestHomesFollowTheAudience(t *testing.T) {
	b := &village{t: t, Store: openTest(t)}
	said := b.say("there", Channel{Kind: Public}, "walrus", false)
	if err := b.Write(t.Context(), func(ctx context.Context, tx bun.Tx) error {
		_, err := tx.NewInsert().Model(&Document{SessionID: said.Session.ID, ChannelID: said.Session.ChannelID, MessageID: said.Message.ID, Name: "a.txt", Shared: true, State: DocumentReady}).
			ExcludeColumn("id").Exec(ctx)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	shelf := func() int {
		t.Helper()
		documents, err := b.Views.ShelfOf(t.Context(), &Person{ID: 99, Kind: Human, Platform: "test", Workspace: "w"}, false, 10)
		if err != nil {
			t.Fatal(err)
		}
		return len(documents)
	}
	if shelf() != 1 {
		t.Fatal("not on the shelf")
	}
	if _, err := b.UncheckChannels(t.Context(), "test", "w", false); err != nil {
		t.Fatal(err)
	}
	if shelf() != 0 {
		t.Error("on the shelf although the channel is unchecked")
	}
	b.check(b.unchecked()["there"], Public, false)
	if shelf() != 1 {
		t.Error("not on the shelf again")
	}
	if _, err := b.Suspect(t.Context(), []Suspicion{{Key: said.Session.Key, PlatformID: said.Message.PlatformID, Needs: 2}}); err != nil {
		t.Fatal(err)
	}
	if shelf() != 0 {
		t.Error("on the shelf although something of the channel may have been deleted")
	}
}

// TestAnAnswerFollowsTheAudienceOfWhatItRestsOn: it is found in its own channel, elsewhere while what it was made
// from may be seen there.
func TestAnAnswerFollowsTheAudienceOfWhatItRestsOn(t *testing.T) {
	b := &village{t: t, Store: openTest(t)}
	open := Channel{Kind: Public}
	source, brought := b.say("source", open, "The move is put off.", false), b.say("shelf", open, "A file.", false)
	d := document(t, b.Store, brought.Session)
	at := map[string]*Received{}
	for name, rests := range map[string]Shown{"line": {Messages: []int64{source.Message.ID}}, "document": {Documents: []int64{d}}} {
		at[name] = b.say("asked "+name, open, "What is new?", true)
		answer(t, b.Store, "It was delayed, says the "+name+".", rests, &rests)
	}
	elsewhere := b.say("elsewhere", open, "Hello.", false)
	finds := func(at *Received, word string) bool {
		t.Helper()
		a, err := b.Audience(t.Context(), at.Session.ID, 0)
		if err != nil {
			t.Fatal(err)
		}
		found, err := b.Search(t.Context(), a, "delayed "+word, 10)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			if f.Message.Text == "It was delayed, says the "+word+"." {
				return true
			}
		}
		return false
	}
	check := func(line, document bool) {
		t.Helper()
		for name, want := range map[string]bool{"line": line, "document": document} {
			if got := finds(elsewhere, name); got != want {
				t.Errorf("the answer of the %s is found elsewhere: %v", name, got)
			}
			if !finds(at[name], name) {
				t.Errorf("the answer of the %s is not found where it was given", name)
			}
		}
	}
	check(true, true)
	if err := b.DoubtChannel(t.Context(), source.Session.Key, Channel{Kind: Private}); err != nil {
		t.Fatal(err)
	}
	check(false, true)
	if err := b.DoubtChannel(t.Context(), brought.Session.Key, Channel{External: true}); err != nil {
		t.Fatal(err)
	}
	check(false, false)
	back := b.unchecked()["source"]
	back.Kind = Public
	if err := b.CheckChannels(t.Context(), []Channel{back}); err != nil {
		t.Fatal(err)
	}
	check(true, false)
}

// TestANoticeShowsOnlyWhatItsReadersStillSee: the lines of a notice are read, then their channel becomes private, then
// the notice is to be posted.
func TestANoticeShowsOnlyWhatItsReadersStillSee(t *testing.T) {
	b := &village{t: t, Store: openTest(t)}
	public := b.say("random", Channel{Kind: Public}, "I prefer tea", false)
	here := b.say("dm", Channel{Kind: DM}, "hello", false)
	notice := Outbox{SessionID: here.Session.ID, Nonce: "profile", Shows: Shown{Messages: []int64{public.Message.ID}}, Seen: true}
	b.say("random", Channel{Kind: Private}, "only us now", false)
	if fresh, err := b.Queue.OutboxAdd(t.Context(), notice); fresh || !errors.Is(err, ErrNotFound) {
		t.Errorf("added %v %v", fresh, err)
	}
	notice.Shows.Messages, notice.Nonce = []int64{here.Message.ID}, "another"
	if fresh, err := b.Queue.OutboxAdd(t.Context(), notice); !fresh || err != nil {
		t.Errorf("not added %v", err)
	}
}

// TestAGapHoldsWhatShowsOtherChannels: posts wait when nobody knows any more who may read the channels. What shows
// something of another channel is held until that is known; then it is posted, or withdrawn if fewer may read there.
func TestAGapHoldsWhatShowsOtherChannels(t *testing.T) {
	for name, c := range map[string]struct {
		learn func(b *village, c Channel)
		due   []string
	}{
		"as before": {func(b *village, c Channel) { b.check(c, Public, false) },
			[]string{"a line of another", "the memory of another", "a line of its own", "a line of the direct message", "nothing"}},
		"private now": {func(b *village, c Channel) { b.check(c, Private, false) }, []string{"nothing"}},
		"not told": {func(b *village, c Channel) { must(b.t, b.Queue.OutboxWithdrawShowing(b.t.Context(), c.ID)) },
			[]string{"a line of its own", "a line of the direct message", "nothing"}},
	} {
		t.Run(name, func(t *testing.T) {
			b := &village{t: t, Store: openTest(t)}
			there, dm := b.say("there", Channel{Kind: Public}, "walrus", false), b.say("dm", Channel{Kind: DM}, "hello", false)
			here := b.say("here", Channel{Kind: Public}, "what?", false)
			add := func(nonce string, at *Received, shows Shown) {
				t.Helper()
				_, err := b.Queue.OutboxAdd(t.Context(), Outbox{SessionID: at.Session.ID, Nonce: nonce, Payload: nonce, Shows: shows})
				must(t, err)
			}
			due := func() (payloads []string) {
				t.Helper()
				all, err := b.Queue.OutboxDue(t.Context(), 10)
				must(t, err)
				slices.SortFunc(all, func(x, y *Outbox) int { return int(x.ID - y.ID) })
				for _, o := range all {
					payloads = append(payloads, o.Payload)
				}
				return payloads
			}
			add("a line of another", here, Shown{Messages: []int64{there.Message.ID}})
			add("the memory of another", dm, Shown{Sessions: []int64{there.Session.ID}})
			add("a line of its own", here, Shown{Messages: []int64{here.Message.ID}})
			add("a line of the direct message", here, Shown{Messages: []int64{dm.Message.ID}})
			add("nothing", here, Shown{})
			begun, err := b.Queue.OutboxByNonce(t.Context(), "a line of another")
			must(t, err)
			_, err = b.UncheckChannels(t.Context(), "test", "w", false)
			must(t, err)
			if want := []string{"a line of its own", "a line of the direct message", "nothing"}; !slices.Equal(due(), want) {
				t.Errorf("while in doubt: %q, want %q", due(), want)
			}
			if same, err := b.Queue.OutboxBeginAttempt(t.Context(), begun, b.Now()+time.Minute.Milliseconds()); same || err != nil {
				t.Errorf("one that was read before the gap is posted: %v, %v", same, err)
			}
			c.learn(b, b.unchecked()["there"])
			if !slices.Equal(due(), c.due) {
				t.Errorf("then: %q, want %q", due(), c.due)
			}
		})
	}
}

// TestTheWholeOfAnAnswerIsHeldToo: the file with the whole of a long answer is posted after it. By then the channel that the
// answer rests on may be closed.
func TestTheWholeOfAnAnswerIsHeldToo(t *testing.T) {
	b := &village{t: t, Store: openTest(t)}
	there, here := b.say("there", Channel{Kind: Public}, "walrus", false), b.say("here", Channel{Kind: Public}, "what?", true)
	turn, err := claim(b.Store, "w", time.Minute)
	must(t, err)
	_, err = b.Queue.FinishTurn(t.Context(), &turn.Lease, Answer{Outbox: turn.Post.ID, Ref: "r", Posts: []string{"p"}, Inbox: []int64{turn.Rows[0].ID},
		Rests: &Shown{Messages: []int64{there.Message.ID}}, Follow: &Outbox{Nonce: "file", Payload: "the whole of it"},
		Message: Message{SessionID: here.Session.ID, ChannelID: here.Session.ChannelID, Text: "the walrus", ReplyTo: here.Message.ID}})
	must(t, err)
	due := func() int {
		t.Helper()
		all, err := b.Queue.OutboxDue(t.Context(), 10)
		must(t, err)
		return len(all)
	}
	if due() != 1 {
		t.Fatal("the file is not due")
	}
	_, err = b.UncheckChannels(t.Context(), "test", "w", false)
	must(t, err)
	if due() != 0 {
		t.Error("the file is due while nobody knows who may read what it rests on")
	}
	b.check(b.unchecked()["there"], Private, false)
	b.check(b.unchecked()["here"], Public, false)
	if due() != 0 {
		t.Error("the file is due though what it rests on is private now")
	}
}
