package slack_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/slack"
	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/memory"
)

// stored is what a store would hold of what was heard.
func (e *ear) stored(context.Context) ([]platform.Seen, error) { return seen(e.all()), nil }

// seen are the conversations that events are of, the last message of each first.
func seen(events []platform.Event) []platform.Seen {
	var all []platform.Seen
	for _, ev := range events {
		key := ev.Key
		if key.Thread == "" {
			key.Thread = ev.Opens
		}
		if ev.Kind != platform.EventMessage {
			continue
		}
		i := slices.IndexFunc(all, func(s platform.Seen) bool { return s.Key == key })
		if i < 0 {
			all, i = append(all, platform.Seen{Key: key}), len(all)
		}
		if !slices.Contains(all[i].Messages, ev.Message) {
			all[i].Messages = slices.Insert(all[i].Messages, 0, ev.Message)
		}
	}
	return all
}

// ids are those of the events of a kind, each once.
func (e *ear) ids(kind platform.EventKind) []string {
	var ids []string
	for _, ev := range e.all() {
		if ev.Kind == kind && !slices.Contains(ids, ev.ID) {
			ids = append(ids, ev.ID)
		}
	}
	return ids
}

// longOutage is a Slack where Ada talks in a thread with us and in a direct message, and we
// are gone.
type longOutage struct {
	*fakeslack.Server
	t                   *testing.T
	ada, channel, dm    string
	root, edited, taken string // messages in the thread
	before              *ear
}

func newOutage(t *testing.T, o fakeslack.Options) *longOutage {
	s, e, end := socketed(t, o)
	w := &longOutage{Server: s, t: t, before: e}
	w.ada, w.channel = people(s)
	w.dm = s.DM(w.ada)
	w.root = w.say("", us+"root")
	w.edited = w.say(w.root, "to be edited")
	w.taken = w.say(w.root, "to be deleted")
	s.Say(fakeslack.Said{User: w.ada, Channel: w.dm, Text: "directly"})
	await(t, "what is said", func() bool { return len(e.texts()) == 4 && s.Pending() == 0 })
	if err := end(); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *longOutage) say(thread, text string) string {
	return w.Say(fakeslack.Said{User: w.ada, Channel: w.channel, Thread: thread, Text: text})
}

// restart is a new process that knows what the one before has stored.
func (w *longOutage) restart() (*ear, func() error) {
	e := &ear{last: w.before.stored}
	return e, listen(w.t, adapter(w.t, w.Server, slack.Options{AppToken: w.Options().AppToken}), e)
}

// meanwhile is what happens while we are gone.
func (w *longOutage) meanwhile() {
	w.say(w.root, "missed in the thread")
	w.Say(fakeslack.Said{User: w.ada, Channel: w.dm, Text: "missed directly"})
	mention := w.say("", us+"missed mention")
	w.say(mention, "missed reply")
	aside := w.say("", "among themselves")
	w.say(aside, us+"missed mention in a thread")
	w.Edit(w.channel, w.edited, "edited")
	w.Delete(w.channel, w.taken)
}

var missedTexts = []string{"among themselves", "missed directly", "missed in the thread", "missed mention", "missed mention in a thread", "missed reply"}

func (w *longOutage) check(e *ear) {
	w.t.Helper()
	await(w.t, "what was missed", func() bool {
		return len(e.texts()) >= len(missedTexts) && len(e.ids(platform.EventEdit)) > 0 && len(e.ids(platform.EventDelete))+len(e.missing()) > 0
	})
	texts := slices.Sorted(slices.Values(e.texts()))
	if !slices.Equal(texts, missedTexts) {
		w.t.Errorf("received %q", texts)
	}
	for _, ev := range e.all() {
		switch {
		case ev.Kind == platform.EventEdit && (ev.Message != w.edited || ev.Text != "edited" || ev.Key.Thread != w.root),
			ev.Kind == platform.EventDelete && (ev.Message != w.taken || ev.Key.Thread != w.root),
			ev.Text == "missed mention" && (!ev.Mention || ev.Opens != ev.Message || ev.Channel.Kind != memory.Public || ev.Author.Name != "Ada"),
			ev.Text == "missed mention in a thread" && (!ev.Mention || !ev.Joined),
			ev.Text == "missed directly" && ev.Channel.Kind != memory.DM:
			w.t.Errorf("%+v", ev)
		}
	}
}

// TestMessagesDuringAFullDiskAreReadLater fills the disk for longer than Slack tells of an
// event.
func TestMessagesDuringAFullDiskAreReadLater(t *testing.T) {
	t.Parallel()
	w := newOutage(t, fakeslack.Options{RetryWaits: make([]time.Duration, 1), AckWait: 200 * time.Millisecond})
	e, _ := w.restart()
	await(t, "two connections", func() bool { return w.Sockets() == 2 })
	e.fill(true)
	w.meanwhile()
	await(t, "Slack gives up", func() bool { return w.Pending() == 0 && len(w.Lost()) > len(missedTexts) })
	if n := len(e.all()); n > 0 {
		t.Fatalf("%d events were stored on a full disk", n)
	}
	e.fill(false)
	w.check(e)
}

func TestMessagesMissedWhileDownAreRead(t *testing.T) {
	t.Parallel()
	w := newOutage(t, fakeslack.Options{})
	w.meanwhile()
	w.GiveUp()
	e, _ := w.restart()
	w.check(e)
}

// What comes over the wire first is newer than what was missed, and does not hide it.
func TestMissedBeforeWhatComesAtOnce(t *testing.T) {
	t.Parallel()
	var hours atomic.Int64
	w := newOutage(t, fakeslack.Options{Now: func() time.Time { return time.Now().Add(time.Duration(hours.Load()-2) * time.Hour) }})
	hours.Add(1)
	w.meanwhile()
	w.GiveUp()
	hours.Add(1)
	w.say(w.root, "said now")
	e := new(ear)
	calls := 0
	e.last = func(ctx context.Context) ([]platform.Seen, error) {
		if calls++; calls > 1 {
			await(t, "what comes at once", func() bool { return slices.Contains(e.texts(), "said now") })
		}
		all, _ := w.before.stored(ctx)
		for i := range all {
			for _, ev := range e.all() {
				if ev.Key.Thread != "" && all[i].Key == ev.Key {
					all[i].Messages = slices.Insert(all[i].Messages, 0, ev.Message)
				}
			}
		}
		return all, nil
	}
	listen(t, adapter(t, w.Server, slack.Options{AppToken: w.Options().AppToken}), e)
	await(t, "what was missed", func() bool { return len(e.texts()) == len(missedTexts)+1 })
	for _, text := range missedTexts {
		if !slices.Contains(e.texts(), text) {
			t.Errorf("%q is missing of %q", text, e.texts())
		}
	}
}

// A process that ends while it reads what it missed has stored what came meanwhile, which is
// newer. The one after it reads the rest, and once that is done the checkpoint is cleared.
func TestUnreadMessagesAreReadByTheNextProcess(t *testing.T) {
	t.Parallel()
	var hours atomic.Int64
	w := newOutage(t, fakeslack.Options{Now: func() time.Time { return time.Now().Add(time.Duration(hours.Load()-4) * time.Hour) }})
	hours.Add(2)
	w.meanwhile()
	w.GiveUp()
	hours.Add(2)
	w.Break(fakeslack.Fault{Kind: fakeslack.Limit, Methods: []string{"conversations.replies", "conversations.history"}, After: time.Hour, Times: 100})
	cut, end := w.restart()
	await(t, "two connections", func() bool { return w.Sockets() == 2 })
	w.say(w.root, "said now")
	w.Say(fakeslack.Said{User: w.ada, Channel: w.dm, Text: "directly now"})
	await(t, "what is said now", func() bool { return len(cut.texts()) == 2 && w.Pending() == 0 })
	if err := end(); err != nil {
		t.Fatal(err)
	}
	if cut.checkpoints[fakeslack.TeamID].IsZero() {
		t.Error("what was missed is not kept")
	}
	w.Mend()
	e := &ear{checkpoints: cut.checkpoints, last: func(context.Context) ([]platform.Seen, error) {
		return seen(slices.Concat(w.before.all(), cut.all())), nil
	}}
	listen(t, adapter(t, w.Server, slack.Options{AppToken: w.Options().AppToken}), e)
	w.check(e)
	await(t, "all is read", func() bool { since, _ := e.checkpoint(t.Context(), fakeslack.TeamID); return since.IsZero() })
}

// TestMissedUnderAnIDThatOnlyTheNextProcessKnows: a channel has another id, and the process that finds that ends before it has read
// what was missed under it. What it stored meanwhile is newer.
func TestMissedUnderAnIDThatOnlyTheNextProcessKnows(t *testing.T) {
	t.Parallel()
	var hours atomic.Int64
	w := newOutage(t, fakeslack.Options{Now: func() time.Time { return time.Now().Add(time.Duration(hours.Load()-4) * time.Hour) }})
	hours.Add(2)
	old := w.channel
	w.channel = "C0MOVED"
	w.ChangeID(old, w.channel, false)
	w.say("", us+"missed mention")
	w.GiveUp()
	hours.Add(2)
	cut, end := w.restart()
	w.Say(fakeslack.Said{User: w.ada, Channel: w.dm, Text: "directly now"})
	await(t, "a look at the channel and the thread", func() bool {
		refused := func(r fakeslack.Request) bool { return r.Error == "channel_not_found" }
		return w.Pending() == 0 && slices.Contains(cut.texts(), "directly now") &&
			slices.ContainsFunc(w.Requests("conversations.replies"), refused) && slices.ContainsFunc(w.Requests("conversations.history"), refused)
	})
	if err := end(); err != nil {
		t.Fatal(err)
	}
	if cut.checkpoints[fakeslack.TeamID].IsZero() {
		t.Error("what was missed is not kept")
	}
	e := &ear{checkpoints: cut.checkpoints, last: func(context.Context) ([]platform.Seen, error) {
		all := seen(slices.Concat(w.before.all(), cut.all()))
		for i := range all {
			if all[i].Key.Channel == old {
				all[i].Key.Channel = w.channel
			}
		}
		return all, nil
	}}
	listen(t, adapter(t, w.Server, slack.Options{AppToken: w.Options().AppToken}), e)
	await(t, "what was missed", func() bool { return slices.Contains(e.texts(), "missed mention") })
	await(t, "all is read", func() bool { since, _ := e.checkpoint(t.Context(), fakeslack.TeamID); return since.IsZero() })
}

// Of a conversation in which more was said since than the store names, what was missed is
// older than all that is named.
func TestMissedBeforeMoreThanIsNamed(t *testing.T) {
	t.Parallel()
	var hours atomic.Int64
	w := newOutage(t, fakeslack.Options{Now: func() time.Time { return time.Now().Add(time.Duration(hours.Load()-4) * time.Hour) }})
	hours.Add(2)
	w.say(w.root, "missed in the thread")
	w.GiveUp()
	hours.Add(2)
	var named []string
	for n := range platform.SeenMessages {
		ts := w.Say(fakeslack.Said{User: w.ada, Channel: w.channel, Thread: w.root, Text: fmt.Sprint("received ", n), Silent: true})
		named = slices.Insert(named, 0, ts)
	}
	e := &ear{checkpoints: map[string]time.Time{fakeslack.TeamID: time.Now().Add(-4 * time.Hour)}, last: func(ctx context.Context) ([]platform.Seen, error) {
		all, err := w.before.stored(ctx)
		i := slices.IndexFunc(all, func(s platform.Seen) bool { return s.Key.Thread == w.root })
		all[i].Messages = named
		return all, err
	}}
	listen(t, adapter(t, w.Server, slack.Options{AppToken: w.Options().AppToken}), e)
	await(t, "what was missed", func() bool { return slices.Contains(e.texts(), "missed in the thread") })
	if i := slices.IndexFunc(e.texts(), func(text string) bool { return strings.HasPrefix(text, "received") }); i >= 0 {
		t.Errorf("received %q again", e.texts()[i])
	}
}

func TestMessagesReadAndDeliveredAreTheSame(t *testing.T) {
	t.Parallel()
	w := newOutage(t, fakeslack.Options{})
	w.meanwhile()
	e, end := w.restart()
	w.check(e)
	await(t, "both ways", func() bool {
		return w.Pending() == 0 && len(e.all()) >= 2*(len(missedTexts)+1)+1 && len(e.missing()) > 0
	})
	if err := end(); err != nil {
		t.Fatal(err)
	}
	w.check(e)
	if edits, deletions := e.ids(platform.EventEdit), e.ids(platform.EventDelete); len(edits) != 1 || len(deletions) != 1 || !slices.Equal(e.missing(), []string{w.taken}) {
		t.Errorf("edits %q, deletions %q, missing %q", edits, deletions, e.missing())
	}
}

// After a weekend in which we were gone, the day before our start is read.
func TestMissedAfterDays(t *testing.T) {
	t.Parallel()
	var hours atomic.Int64
	w := newOutage(t, fakeslack.Options{Now: func() time.Time { return time.Now().Add(time.Duration(hours.Load()-60) * time.Hour) }})
	hours.Add(20)
	w.say("", us+"too long ago")
	hours.Add(38)
	w.say(w.root, "missed in the thread")
	w.say("", us+"missed mention")
	w.GiveUp()
	hours.Add(2)
	e, _ := w.restart()
	await(t, "what was missed", func() bool { return len(e.texts()) >= 2 })
	await(t, "all is read", func() bool { since, _ := e.checkpoint(t.Context(), fakeslack.TeamID); return since.IsZero() })
	if texts := slices.Sorted(slices.Values(e.texts())); !slices.Equal(texts, []string{"missed in the thread", "missed mention"}) {
		t.Errorf("received %q", texts)
	}
}

func TestMissedThoughSlackIsBusy(t *testing.T) {
	t.Parallel()
	w := newOutage(t, fakeslack.Options{})
	w.meanwhile()
	w.GiveUp()
	w.Break(fakeslack.Fault{Kind: fakeslack.Limit, Methods: []string{"conversations.replies"}, After: time.Second, Times: 2})
	e, _ := w.restart()
	w.check(e)
}

// A channel we were thrown out of tells nothing, and nothing is taken for deleted.
func TestMissedMessagesInAChannelWeLeft(t *testing.T) {
	t.Parallel()
	w := newOutage(t, fakeslack.Options{})
	w.meanwhile()
	w.Leave(fakeslack.BotUser, w.channel)
	w.GiveUp()
	e, _ := w.restart()
	await(t, "the direct message", func() bool { return slices.Contains(e.texts(), "missed directly") })
	refused := func(r fakeslack.Request) bool { return r.Error == "not_in_channel" }
	await(t, "a look at the channel and the thread", func() bool {
		return slices.ContainsFunc(w.Requests("conversations.replies"), refused) && slices.ContainsFunc(w.Requests("conversations.history"), refused)
	})
	if ids := e.ids(platform.EventDelete); len(ids) > 0 || len(e.missing()) > 0 || len(e.texts()) > 1 {
		t.Errorf("deleted %q, missing %q, received %q", ids, e.missing(), e.texts())
	}
}

func TestEndWhileMissedIsRead(t *testing.T) {
	t.Parallel()
	w := newOutage(t, fakeslack.Options{})
	w.GiveUp()
	w.Break(fakeslack.Fault{Kind: fakeslack.Limit, Methods: []string{"conversations.replies", "conversations.history"}, After: time.Hour, Times: 100})
	e, end := w.restart()
	await(t, "a refusal", func() bool {
		return len(w.Requests("conversations.replies"))+len(w.Requests("conversations.history")) > 0
	})
	if err := end(); err != nil || len(e.all()) > 0 {
		t.Errorf("%v, %+v", err, e.all())
	}
}

// A question that nobody has replied to leaves no thread behind when it is deleted.
func TestAQuestionThatWasDeletedBeforeItsAnswer(t *testing.T) {
	t.Parallel()
	w := newOutage(t, fakeslack.Options{})
	alone := w.say("", us+"never mind")
	w.Delete(w.channel, alone)
	w.GiveUp()
	e := &ear{last: func(ctx context.Context) ([]platform.Seen, error) {
		all, err := w.before.stored(ctx)
		key := memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: w.channel, Thread: alone}
		return append(all, platform.Seen{Key: key, Messages: []string{alone}}), err
	}}
	listen(t, adapter(t, w.Server, slack.Options{AppToken: w.Options().AppToken}), e)
	await(t, "the absence", func() bool { return len(e.missing()) > 0 })
	if ids := e.missing(); !slices.Equal(ids, []string{alone}) || len(e.all()) > 0 {
		t.Errorf("missing %q, received %+v", ids, e.all())
	}
}

// With nothing stored there is nothing to catch up with: who was here before has answered.
func TestNothingIsMissedByAFirstStart(t *testing.T) {
	t.Parallel()
	w := newOutage(t, fakeslack.Options{})
	w.meanwhile()
	w.GiveUp()
	w.before = new(ear)
	e, _ := w.restart()
	w.say("", us+"after the start")
	await(t, "what is said now", func() bool { return slices.Contains(e.texts(), "after the start") })
	if texts := e.texts(); len(texts) != 1 {
		t.Errorf("received %q", texts)
	}
}

// TestOurAnswerThatWasDeletedMeanwhile is told of as if it were deleted now; the others stay.
func TestOurAnswerThatWasDeletedMeanwhile(t *testing.T) {
	t.Parallel()
	w := newOutage(t, fakeslack.Options{})
	a := adapter(t, w.Server, slack.Options{})
	thread := memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: w.channel, Thread: w.root}
	var posts []string
	for _, nonce := range []string{"tkone", "tktwo"} {
		ref, err := a.Post(t.Context(), platform.Address{Key: thread}, platform.Outgoing{Nonce: nonce, Kind: platform.KindReply, Text: nonce})
		if err != nil {
			t.Fatal(err)
		}
		posts = append(posts, a.Messages(ref)...)
	}
	w.Delete(w.channel, posts[0])
	w.GiveUp()
	e := &ear{last: func(ctx context.Context) ([]platform.Seen, error) {
		all, err := w.before.stored(ctx)
		i := slices.IndexFunc(all, func(s platform.Seen) bool { return s.Key == thread })
		all[i].Posts = posts
		return all, err
	}}
	listen(t, adapter(t, w.Server, slack.Options{AppToken: w.Options().AppToken}), e)
	await(t, "the absence", func() bool { return len(e.missing()) > 0 })
	await(t, "the other conversations", func() bool { return len(w.Requests("conversations.history")) >= 2 })
	if ids := e.missing(); !slices.Equal(ids, posts[:1]) || e.told()[0].Key != thread || e.told()[0].Of != 5 || len(e.all()) > 0 {
		t.Errorf("absences %+v, received %+v", e.told(), e.all())
	}
}

// A mention that Slack tells of late has replies that were told when its thread was not known.
func TestAThreadWhoseRootComesLateIsRead(t *testing.T) {
	t.Parallel()
	s, e, _ := socketed(t, fakeslack.Options{Now: func() time.Time { return time.Now().Add(-5 * time.Minute) }})
	user, channel := people(s)
	root := s.Say(fakeslack.Said{User: user, Channel: channel, Text: us + "root", Silent: true})
	s.Say(fakeslack.Said{User: user, Channel: channel, Thread: root, Text: "a reply", Silent: true})
	s.Emit(map[string]any{"type": "message", "channel": channel, "channel_type": "channel", "user": user, "text": us + "root", "ts": root}, channel)
	await(t, "the reply", func() bool { return slices.Equal(e.texts(), []string{"root", "a reply"}) })
}

// TestAMentionInAnOlderThreadIsRead: the thread began long before we were away, and we
// were not in it. What else was said before then is not ours to read.
func TestAMentionInAnOlderThreadIsRead(t *testing.T) {
	t.Parallel()
	var hours atomic.Int64
	s, e, end := socketed(t, fakeslack.Options{Now: func() time.Time { return time.Now().Add(time.Duration(hours.Load()-50) * time.Hour) }})
	w := &longOutage{Server: s, t: t, before: e}
	w.ada, w.channel = people(s)
	unheard := func(thread, text string) string {
		return w.Say(fakeslack.Said{User: w.ada, Channel: w.channel, Thread: thread, Text: text, Silent: true})
	}
	old, other := unheard("", "an old matter"), unheard("", "another")
	unheard(old, "which was talked about")
	unheard(other, "and was settled")
	for i := range 45 { // more than one answer of Slack holds
		unheard("", fmt.Sprint("among themselves ", i))
	}
	hours.Add(47)
	w.root = w.say("", us+"root")
	await(t, "what is said", func() bool { return len(e.texts()) == 1 && s.Pending() == 0 })
	if err := end(); err != nil {
		t.Fatal(err)
	}
	hours.Add(1)
	mention := w.say(old, us+"what of it?")
	w.say(old, "anybody?")
	w.GiveUp()
	e, _ = w.restart()
	await(t, "the mention", func() bool { return len(e.texts()) >= 2 })
	if texts := e.texts(); !slices.Equal(texts, []string{"what of it?", "anybody?"}) {
		t.Errorf("received %q", texts)
	}
	if ev := e.all()[0]; ev.Message != mention || ev.Key.Thread != old || !ev.Joined || !ev.Mention {
		t.Errorf("%+v", ev)
	}
}
