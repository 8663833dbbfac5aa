package fakeslack

import (
	"testing"
)

func TestOneMentionIsTwoEvents(t *testing.T) {
	s := newStage(t, Options{})
	c := s.connect().hello()
	ts := s.say("<@"+BotUser+"> hello", "")
	frames := []map[string]any{c.next(), c.next()}
	ids, types := map[any]bool{}, map[any]bool{}
	for _, f := range frames {
		c.ack(f)
		p := f["payload"].(map[string]any)
		e := p["event"].(map[string]any)
		ids[p["event_id"]], types[e["type"]] = true, true
		if e["ts"] != ts {
			t.Errorf("ts %v, want %s", e["ts"], ts)
		}
	}
	if len(ids) != 2 || !types["message"] || !types["app_mention"] {
		t.Errorf("ids %v, types %v", ids, types)
	}
}

func TestOurOwnActionsComeBack(t *testing.T) {
	s := newStage(t, Options{})
	c := s.connect().hello()
	ts := s.post("ours", "")
	if e := c.event(); e["bot_id"] != BotID || e["app_id"] != AppID || e["user"] != BotUser || e["ts"] != ts {
		t.Errorf("our post: %v", e)
	}
	s.must("chat.update", map[string]any{"channel": s.room, "ts": ts, "text": "changed"})
	e := c.event()
	if e["subtype"] != "message_changed" || e["message"].(map[string]any)["text"] != "changed" || e["previous_message"].(map[string]any)["text"] != "ours" {
		t.Errorf("our update: %v", e)
	}
	s.Unfurl(s.room, ts, "https://example.com")
	e = c.event()
	if e["subtype"] != "message_changed" || e["message"].(map[string]any)["text"] != e["previous_message"].(map[string]any)["text"] {
		t.Errorf("an unfurled link: %v", e)
	}
	s.must("chat.delete", map[string]any{"channel": s.room, "ts": ts})
	if e := c.event(); e["subtype"] != "message_deleted" || e["deleted_ts"] != ts {
		t.Errorf("our deletion: %v", e)
	}
	s.clean()
}

func TestEventsOfPeople(t *testing.T) {
	s := newStage(t, Options{})
	c := s.connect().hello()
	ts := s.Say(Said{User: s.ada, Channel: s.room, Files: []NewFile{{Name: "a.pdf", Data: []byte("x")}}})
	if e := c.event(); e["subtype"] != "file_share" || len(e["files"].([]any)) != 1 {
		t.Errorf("a file: %v", e)
	}
	shared := c.event()
	if shared["type"] != "file_shared" {
		t.Errorf("a file: %v", shared)
	}
	s.Say(Said{User: s.ada, Channel: s.room, Thread: ts, Text: "for all", Broadcast: true})
	if e := c.event(); e["subtype"] != "thread_broadcast" || e["root"].(map[string]any)["ts"] != ts {
		t.Errorf("a broadcast: %v", e)
	}
	s.Edit(s.room, ts, "new words")
	if e := c.event(); e["message"].(map[string]any)["edited"] == nil {
		t.Errorf("an edit: %v", e)
	}
	s.Delete(s.room, ts)
	if e := c.event(); e["subtype"] != "message_changed" || e["message"].(map[string]any)["subtype"] != "tombstone" {
		t.Errorf("the deletion of a thread's root: %v", e)
	}
	s.DeleteFile(shared["file_id"].(string))
	if e := c.event(); e["type"] != "file_deleted" {
		t.Errorf("a deleted file: %v", e)
	}
	s.Join(s.AddUser(User{Name: "Bob"}).ID, s.room, s.ada)
	if e := c.event(); e["subtype"] != "channel_join" {
		t.Errorf("somebody joins: %v", e)
	}
	if e := c.event(); e["type"] != "member_joined_channel" {
		t.Errorf("somebody joins: %v", e)
	}
	s.Say(Said{User: s.ada, Channel: s.AddChannel(Channel{Name: "away", Members: []string{s.ada}}).ID, Text: "unheard"})
	s.Uninstall()
	if e := c.event(); e["type"] != "tokens_revoked" {
		t.Errorf("the next event: %v", e)
	}
}
