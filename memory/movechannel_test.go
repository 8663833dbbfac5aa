package memory

import (
	"strings"
	"testing"
)

// TestAChannelContinuesUnderItsNewID: sessions, posts and settings follow, what was deleted
// stays deleted, and who reads along is taken for more than before.
func TestAChannelContinuesUnderItsNewID(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	in := incoming("e1", "m1", "The code is 7.", true)
	in.Key = Key{Platform: "test", Workspace: "w", Channel: "G1", Thread: "m1"}
	in.Channel = Channel{Kind: Private, Name: "plans"}
	in.Payload = `{"key":{"Channel":"G1"}}`
	r, err := s.Queue.Receive(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	scope := ChannelScope
	to := Key{Platform: "test", Workspace: "w", Channel: "C1"}
	o := posted(t, s, r.Session.ID, "n")
	if err := s.Queue.OutboxSetRef(ctx, o.ID, `{"c":"G1","p":["m2"]}`); err != nil {
		t.Fatal(err)
	}
	if err := s.SetSetting(ctx, scope(in.Key), "follow", "mention"); err != nil {
		t.Fatal(err)
	}
	if err := s.SetSetting(ctx, WorkspaceScope(to), DenySetting, " channel:G10  channel:G1  person:G1 "); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Erase(ctx, in.Key, "unseen", 0); err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false} { // the second time there is nothing to move
		if moved, err := s.MoveChannel(ctx, ChannelMove{From: in.Key, To: to, External: true}); moved != want || err != nil {
			t.Fatalf("%d: moved %v, %v", i, moved, err)
		}
	}
	to.Thread = "m1"
	session, err := s.SessionByKey(ctx, to)
	if err != nil || session.ID != r.Session.ID {
		t.Fatalf("session %+v, %v", session, err)
	}
	a, err := s.Audience(ctx, session.ID, 0)
	if err != nil || a.Channel.Channel != "C1" || a.Channel.Kind != Private || !a.Channel.External || a.Channel.Name != "plans" {
		t.Errorf("audience %+v, %v", a, err)
	}
	if held, err := s.HasMessage(ctx, to, "m1"); !held || err != nil {
		t.Errorf("the message is held: %v, %v", held, err)
	}
	if value, err := s.Setting(ctx, scope(to), "follow"); value != "mention" || err != nil {
		t.Errorf("setting %q, %v", value, err)
	}
	if value, err := s.Setting(ctx, WorkspaceScope(to), DenySetting); value != " channel:G10  channel:C1  person:G1 " || err != nil {
		t.Errorf("the list of the workspace: %q, %v", value, err)
	}
	o, err = s.Queue.OutboxByNonce(ctx, "n")
	row := new(Inbox)
	if err == nil {
		err = s.reader.NewSelect().Model(row).Where("id = ?", r.Inbox.ID).Scan(ctx)
	}
	if err != nil || o.Ref != `{"c":"C1","p":["m2"]}` || strings.Contains(row.Payload, "G1") || !strings.Contains(row.Payload, `"C1"`) {
		t.Errorf("ref %s, payload %s, %v", o.Ref, row.Payload, err)
	}
	in.EventID, in.Key, in.Message.PlatformID = "e2", to, "unseen"
	if r, err = s.Queue.Receive(ctx, in); err != nil || r.Message.Text != "" {
		t.Errorf("what was deleted: %+v, %v", r.Message, err)
	}
}

// TestSuspicionsLast: a message that was not found is looked for under the new id, and the channel serves itself only
// until then. That the old id is gone says nothing.
func TestSuspicionsLast(t *testing.T) {
	b := &village{t: t, Store: openTest(t)}
	here, there := b.say("here", Channel{Kind: Public}, "hello", true), b.say("G1", Channel{Kind: Public}, "walrus", true)
	from, to := there.Session.Key, there.Session.Key
	to.Channel = "C1"
	whole := from
	whole.Thread = ""
	_, err := b.Suspect(t.Context(), []Suspicion{{Key: from, PlatformID: there.Message.PlatformID, Needs: 2, Looks: 1}, {Key: whole, Needs: 3, Looks: 2}})
	must(t, err)
	_, err = b.MoveChannel(t.Context(), ChannelMove{From: from, To: to})
	must(t, err)
	b.check(b.unchecked()["C1"], Public, false)
	due, err := b.SuspicionsDue(t.Context(), []string{"test"}, 10)
	if err != nil || len(due) != 1 || due[0].Key != to || due[0].PlatformID != there.Message.PlatformID || due[0].Looks != 0 {
		t.Fatalf("%+v, %v", due, err)
	}
	if b.reads(here, there) {
		t.Error("what may be deleted is read elsewhere")
	}
	must(t, b.DropSuspicion(t.Context(), due[0].ID))
	if !b.reads(here, there) {
		t.Error("it stays closed")
	}
}

// TestWhatCameUnderTheNewIDBeforeIsJoined: the platform told late, and things were said and deleted under the new id.
func TestWhatCameUnderTheNewIDBeforeIsJoined(t *testing.T) {
	ctx, b := t.Context(), &village{t: t, Store: openTest(t)}
	in := func(channel, thread, id, text string, answer bool) *Received {
		i := incoming(channel+id, id, text, answer)
		i.Key.Channel, i.Key.Thread, i.Channel.Kind = channel, thread, Private
		r, err := b.Queue.Receive(ctx, i)
		must(t, err)
		return r
	}
	old, other := in("G1", "t1", "m1", "The walrus is called Bruno.", false), in("G1", "t2", "m2", "The seal is called Otto.", false)
	for i, top := range []string{"m3", "m4"} {
		in([]string{"G1", "C1"}[i], "", top, "At the top.", false)
	}
	fish := in("G1", "t1", "m7", "It eats herring.", false)
	gone := in("G1", "t1", "m5", "The password is zanzibar.", false)
	from, to := old.Session.Key, old.Session.Key
	from.Thread, to.Thread, to.Channel = "", "", "C1"
	again, late := in("C1", "t1", "m1", "The walrus is called Bruno.", false), in("C1", "t1", "m6", "The walrus has a sister.", true)
	_, err := b.Erase(ctx, to, "m5", 0)
	must(t, err)
	must(t, b.SetSetting(ctx, ChannelScope(from), "follow", "mention"))
	must(t, b.Remember(ctx, Note{Session: old.Session, Person: old.Person, ID: "m8", Text: "The key is under mat QX-77."}))
	_, err = b.Queue.ReceiveErase(ctx, Incoming{Platform: to.Platform, EventID: "e8", Key: to}, "m8")
	must(t, err)
	for _, r := range []*Received{old, late} {
		must(t, b.Spend(ctx, Spending{Day: 1, PersonID: old.Person.ID, ChannelID: r.Session.ChannelID, Model: "m", Purpose: "p", Calls: 1, PromptTokens: 10}))
	}

	if moved, err := b.MoveChannel(ctx, ChannelMove{From: from, To: to, External: true}); !moved || err != nil {
		t.Fatal(moved, err)
	}
	c, err := b.ChannelByKey(ctx, to)
	if err != nil || !c.External || !c.Unchecked || !c.Unheard || c.ID != old.Session.ChannelID {
		t.Fatalf("%+v, %v", c, err)
	}
	if _, err := b.ChannelByKey(ctx, from); err != ErrNotFound {
		t.Error("the old one is there", err)
	}
	at := to
	at.Thread = "t1"
	session, err := b.SessionByKey(ctx, at)
	if err != nil || session.ID != late.Session.ID || session.ParentID != old.Session.ID || session.ParentUpto < gone.Message.ID {
		t.Fatalf("its thread is %+v, %v", session, err)
	}
	past, err := b.past(ctx, session)
	if err != nil || len(past) != 2 || past[0].ID != old.Message.ID {
		t.Errorf("its past is %+v, %v", past, err)
	}
	at.Thread = "t2"
	if session, err := b.SessionByKey(ctx, at); err != nil || session.ID != other.Session.ID {
		t.Errorf("the other thread is %+v, %v", session, err)
	}
	for id, want := range map[string]int{"m1": 2, "m2": 1, "m3": 1, "m4": 1, "m6": 1} {
		if found, err := b.byPlatformID(ctx, b.reader, to, id); err != nil || len(found) != want || found[0].ErasedAt > 0 {
			t.Errorf("%s: %+v, %v", id, found, err)
		}
	}
	if n, err := b.reader.NewSelect().Table("messages").Where("text LIKE '%QX-77%'").Count(ctx); err != nil || n != 0 {
		t.Errorf("a note whose message was deleted is left: %d, %v", n, err)
	}
	if _, spent, _, err := b.SpentOn(ctx, 1, old.Person.ID, c.ID); err != nil || spent.Tokens != 20 {
		t.Errorf("spent %+v, %v", spent, err)
	}
	if m, err := b.Message(ctx, gone.Message.ID); err != nil || m.ErasedAt == 0 || m.Text != "" {
		t.Errorf("what was deleted: %+v, %v", m, err)
	}
	a, err := b.Audience(ctx, late.Session.ID, 0)
	must(t, err)
	found, err := b.Recall(ctx, RecallQuery{Audience: a, Text: "sister of the walrus", Limit: 10})
	must(t, err)
	ids := map[int64]bool{}
	for _, f := range found {
		ids[f.Message.ID] = true
	}
	if !ids[old.Message.ID] && !ids[again.Message.ID] || !ids[late.Message.ID] {
		t.Errorf("recalled %v", ids)
	}
	if value, err := b.Setting(ctx, ChannelScope(to), "follow"); value != "mention" || err != nil {
		t.Errorf("setting %q, %v", value, err)
	}
	all, err := b.Conversations(ctx, to)
	if err != nil || len(all) != 3 {
		t.Errorf("%d conversations, %v", len(all), err)
	}
	_, err = b.Forget(ctx, ForgetScope{Audience: Audience{Channel: *c, Person: late.Person.ID}, Session: late.Session.ID, Person: late.Person.ID})
	must(t, err)
	for _, id := range []int64{old.Message.ID, fish.Message.ID, again.Message.ID, late.Message.ID} {
		if m, err := b.Message(ctx, id); err != nil || m.ErasedAt == 0 {
			t.Errorf("%+v, %v", m, err)
		}
	}
}
