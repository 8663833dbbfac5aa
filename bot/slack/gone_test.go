package slack_test

import (
	"slices"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/slack"
	"threadkeeper/bot/slack/fakeslack"
	"threadkeeper/memory"
)

// TestAShortAnswerProvesNoDeletion: the answer is as if nobody had replied, at each look, and nothing is taken for
// deleted. Once Slack answers in full, what was deleted is.
func TestAShortAnswerProvesNoDeletion(t *testing.T) {
	t.Parallel()
	w := newOutage(t, fakeslack.Options{})
	last := w.say(w.root, "last")
	w.GiveUp()
	short := fakeslack.Fault{Kind: fakeslack.Short, Methods: []string{"conversations.replies"}, Times: 1000}
	w.Break(short)
	e, _ := w.restart()
	await(t, "what is missed", func() bool { return slices.Equal(e.missing(), []string{w.edited, w.taken}) })
	if ids := e.ids(platform.EventDelete); len(ids) > 0 {
		t.Fatalf("deleted %q", ids)
	}
	a := adapter(t, w.Server, slack.Options{})
	key := memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: w.channel, Thread: w.root}
	look := func(id string) (bool, error) {
		return a.Gone(t.Context(), platform.Look{Key: key, Message: id})
	}
	for _, id := range []string{w.edited, w.taken, last} {
		if gone, err := look(id); gone || err == nil {
			t.Errorf("%s is gone: %v, %v", id, gone, err)
		}
	}
	w.Mend()
	w.Delete(w.channel, w.taken)
	for id, want := range map[string]bool{w.root: false, w.edited: false, w.taken: true, last: false} {
		if gone, err := look(id); gone != want || err != nil {
			t.Errorf("%s is gone: %v, %v", id, gone, err)
		}
	}
	w.Delete(w.channel, last)
	if gone, err := look(last); !gone || err != nil {
		t.Errorf("the last reply is gone: %v, %v", gone, err)
	}
}

// TestDeletionsOnSlack: what was deleted, and not what we may not see, or what is archived.
func TestDeletionsOnSlack(t *testing.T) {
	t.Parallel()
	w := newOutage(t, fakeslack.Options{})
	alone, root := w.say("", us+"alone"), w.say("", us+"root")
	reply := w.say(root, "reply")
	direct := w.Say(fakeslack.Said{User: w.ada, Channel: w.dm, Text: "direct"})
	old := w.AddChannel(fakeslack.Channel{Name: "old", Members: []string{fakeslack.BotUser, w.ada}})
	said := w.Say(fakeslack.Said{User: w.ada, Channel: old.ID, Text: us + "said"})
	private := w.AddChannel(fakeslack.Channel{Name: "private", Kind: fakeslack.Private, Members: []string{fakeslack.BotUser, w.ada}})
	secret := w.Say(fakeslack.Said{User: w.ada, Channel: private.ID, Text: us + "secret"})
	a := adapter(t, w.Server, slack.Options{})
	check := func(what, channel, thread, message string, want, clear bool) {
		t.Helper()
		key := memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: channel, Thread: thread}
		if gone, err := a.Gone(t.Context(), platform.Look{Key: key, Message: message}); gone != want || (err == nil) != clear {
			t.Errorf("%s: gone %v, %v", what, gone, err)
		}
	}
	check("a message alone", w.channel, alone, alone, false, true)
	check("a root", w.channel, root, root, false, true)
	check("a direct message", w.dm, "", direct, false, true)
	check("one of a channel that is a conversation", w.channel, "", alone, false, true)
	w.Leave(fakeslack.BotUser, private.ID)
	check("one of a private channel that removed us", private.ID, secret, secret, false, false)
	check("that channel", private.ID, "", "", false, true)
	w.Archive(old.ID)
	check("one of an archived channel", old.ID, said, said, false, true)
	w.Delete(w.channel, alone)
	w.Delete(w.channel, root)
	w.Delete(w.dm, direct)
	check("a deleted message alone", w.channel, alone, alone, true, true)
	check("a deleted root", w.channel, root, root, true, true)
	check("the reply to it", w.channel, root, reply, false, true)
	check("a deleted direct message", w.dm, "", direct, true, true)
	w.Break(fakeslack.Fault{Kind: fakeslack.Fail, Methods: []string{"conversations.replies"}, Times: 10})
	check("one while Slack is down", w.channel, root, root, false, false)
}

// TestAnUninstallIsReported, whether Slack says so or refuses the token at our next start; it is over when
// the token is refused after that, and not while it may be wrong.
func TestAnUninstallIsReported(t *testing.T) {
	t.Parallel()
	s, e, end := socketed(t, fakeslack.Options{})
	look := func(told bool) (bool, error) {
		return adapter(t, s, slack.Options{}).Gone(t.Context(), platform.Look{Key: memory.Key{Platform: "slack", Workspace: fakeslack.TeamID}, Told: told})
	}
	if gone, err := look(true); gone || err != nil {
		t.Errorf("before: gone %v, %v", gone, err)
	}
	s.Uninstall()
	await(t, "what is told", func() bool { return len(e.told()) > 0 })
	if a := e.told()[0]; a.Key != (memory.Key{Workspace: fakeslack.TeamID}) || !a.Told {
		t.Errorf("%+v", a)
	}
	_ = end()
	if gone, err := look(true); !gone || err != nil {
		t.Errorf("after: gone %v, %v", gone, err)
	}
	if gone, err := look(false); gone || err == nil {
		t.Errorf("a token that is refused: gone %v, %v", gone, err)
	}
	later := new(ear)
	listen(t, adapter(t, s, slack.Options{AppToken: s.Options().AppToken}), later)
	await(t, "what the next start tells", func() bool { return len(later.told()) > 0 })
	if a := later.told()[0]; a.Key != (memory.Key{}) || !a.Told {
		t.Errorf("%+v", a)
	}
	s.Revoke("")
	if gone, err := look(true); gone || err != nil {
		t.Errorf("installed again: gone %v, %v", gone, err)
	}
	other := platform.Look{Key: memory.Key{Platform: "slack", Workspace: "T9"}, Told: true}
	if gone, err := adapter(t, s, slack.Options{}).Gone(t.Context(), other); gone || err == nil {
		t.Errorf("another workspace: gone %v, %v", gone, err)
	}
}

// TestAMovedChannelIsKnownByItsMessages: Slack does not know its old id any more.
func TestAMovedChannelIsKnownByItsMessages(t *testing.T) {
	t.Parallel()
	w := newOutage(t, fakeslack.Options{})
	c := fakeslack.Channel{Name: "plans", Kind: fakeslack.Private, Members: []string{fakeslack.BotUser, w.ada}}
	from, other := w.AddChannel(c).ID, w.AddChannel(c).ID
	key := memory.Key{Platform: "slack", Workspace: fakeslack.TeamID, Channel: from}
	top := platform.Seen{Key: key, Messages: []string{w.Say(fakeslack.Said{User: w.ada, Channel: from, Text: "taken back"}), "click:1"}}
	root := w.Say(fakeslack.Said{User: w.ada, Channel: from, Text: "question"})
	key.Thread = root
	thread := platform.Seen{Key: key, Messages: []string{w.Say(fakeslack.Said{User: w.ada, Channel: from, Thread: root, Text: "secret"}), root}}
	w.Delete(from, top.Messages[0])
	a := adapter(t, w.Server, slack.Options{})
	for _, s := range []struct {
		move string
		said []platform.Seen
		want string
	}{{"", []platform.Seen{top, thread}, ""}, {"C0MOVED", []platform.Seen{top}, ""}, {"", []platform.Seen{top, thread}, "C0MOVED"}} {
		if s.move != "" {
			w.ChangeID(from, s.move, false)
		}
		is, err := a.Moved(t.Context(), from, s.said, []string{w.channel, other, "C0MOVED"})
		if is != s.want || err != nil {
			t.Errorf("%q %v, want %q", is, err, s.want)
		}
	}
}
