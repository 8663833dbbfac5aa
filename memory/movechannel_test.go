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
		if moved, err := s.MoveChannel(ctx, ChannelMove{in.Key, to, true}); moved != want || err != nil {
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
	_, err = b.MoveChannel(t.Context(), ChannelMove{from, to, false})
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

// TestAChannelDoesNotTakeTheIDOfAnother: both stay as they are.
func TestAChannelDoesNotTakeTheIDOfAnother(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	var ids []int64
	for _, channel := range []string{"G1", "C1"} {
		in := incoming(channel, channel, "said in "+channel, false)
		in.Key.Channel = channel
		r, err := s.Queue.Receive(ctx, in)
		if err != nil {
			t.Fatal(err)
		}
		ids = append(ids, r.Session.ID)
	}
	from, to := incoming("", "", "", false).Key, incoming("", "", "", false).Key
	from.Channel, to.Channel = "G1", "C1"
	if moved, err := s.MoveChannel(ctx, ChannelMove{from, to, true}); moved || err != nil {
		t.Fatal(moved, err)
	}
	for i, channel := range []string{"G1", "C1"} {
		if session, err := s.Session(ctx, ids[i]); err != nil || session.Channel != channel {
			t.Errorf("session %+v, %v", session, err)
		}
	}
}
