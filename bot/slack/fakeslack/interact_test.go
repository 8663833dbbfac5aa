package fakeslack

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"
	"time"
)

func (s *stage) hooked(url string, args map[string]any) int {
	s.t.Helper()
	b, err := json.Marshal(args)
	if err != nil {
		s.t.Fatal(err)
	}
	resp, err := s.client.Post(url, "application/json", bytes.NewReader(b))
	if err != nil {
		s.t.Fatal(err)
	}
	resp.Body.Close()
	return resp.StatusCode
}

// payload is the next envelope of a kind, acknowledged.
func (c *socket) payload(kind string) map[string]any {
	c.t.Helper()
	for {
		f := c.next()
		c.ack(f)
		if f["type"] == kind {
			return f["payload"].(map[string]any)
		}
	}
}

func TestSlashCommandsAndTheirURL(t *testing.T) {
	s := newStage(t, Options{})
	c := s.connect().hello()
	s.Slash(s.ada, s.room, "/memory", "status")
	p := c.payload("slash_commands")
	url := p["response_url"].(string)
	if p["command"] != "/memory" || p["text"] != "status" || p["thread_ts"] != nil {
		t.Errorf("payload %v", p)
	}
	for i := range hookUses {
		if code := s.hooked(url, map[string]any{"text": "x"}); code != http.StatusOK {
			t.Errorf("use %d: %d", i+1, code)
		}
	}
	if code := s.hooked(url, map[string]any{"text": "x"}); code != http.StatusNotFound {
		t.Errorf("use %d: %d", hookUses+1, code)
	}
	if n := len(s.Shown(s.room, "", s.ada)); n != hookUses {
		t.Errorf("Ada sees %d answers", n)
	}
	s.Slash(s.ada, s.room, "/memory", "status")
	url = c.payload("slash_commands")["response_url"].(string)
	s.clock.pass(hookLife + time.Second)
	if code := s.hooked(url, map[string]any{"text": "late"}); code != http.StatusNotFound {
		t.Errorf("after %s: %d", hookLife, code)
	}
	s.clean()
}

func TestClicks(t *testing.T) {
	s := newStage(t, Options{})
	thread := s.say("a question", "")
	button := func(label string) map[string]any {
		return map[string]any{"type": "button", "action_id": "q:" + label, "value": "v-" + label, "text": map[string]any{"type": "plain_text", "text": label}}
	}
	ts := s.must("chat.postMessage", map[string]any{"channel": s.room, "thread_ts": thread, "text": "Which?", "blocks": []any{
		map[string]any{"type": "actions", "elements": []any{button("Red"), button("Blue")}}}})["ts"].(string)
	s.must("chat.update", map[string]any{"channel": s.room, "ts": ts, "text": "Answered", "blocks": []any{}})
	c := s.connect().hello()
	if err := s.Click(s.ada, s.room, ts, "Blue"); err != nil { // late
		t.Fatal(err)
	}
	p := c.payload("interactive")
	a := p["actions"].([]any)[0].(map[string]any)
	if a["action_id"] != "q:Blue" || a["value"] != "v-Blue" || a["block_id"] == "" || p["container"].(map[string]any)["thread_ts"] != thread {
		t.Errorf("payload %v", p)
	}
	if code := s.hooked(p["response_url"].(string), map[string]any{"text": "Too late", "replace_original": false}); code != http.StatusOK {
		t.Errorf("answer: %d", code)
	}
	shown := s.Shown(s.room, thread, s.ada)
	if last := shown[len(shown)-1]; last.Text != "Too late" || last.OnlyTo != s.ada {
		t.Errorf("shown %+v", shown)
	}
	if err := s.Click(s.ada, s.room, ts, "Green"); err == nil {
		t.Error("a button that never was can be clicked")
	}
	s.clean()
}

func TestShortcutsAndViews(t *testing.T) {
	s := newStage(t, Options{})
	c := s.connect().hello()
	ts := s.say("a message", "")
	c.event()
	text := func(v string) map[string]any { return map[string]any{"type": "plain_text", "text": v} }
	modal := map[string]any{"type": "modal", "title": text("More"), "submit": text("Send"), "blocks": []any{map[string]any{"type": "input", "block_id": "b",
		"label": text("What?"), "element": map[string]any{"type": "plain_text_input", "action_id": "a"}}}}

	s.Shortcut(s.ada, s.room, ts, "thread_memory")
	p := c.payload("interactive")
	if p["type"] != "message_action" || p["callback_id"] != "thread_memory" || p["message"].(map[string]any)["ts"] != ts {
		t.Errorf("payload %v", p)
	}
	s.must("views.open", map[string]any{"trigger_id": p["trigger_id"], "view": modal})
	s.refused("views.open", "exchanged_trigger_id", map[string]any{"trigger_id": p["trigger_id"], "view": modal})
	s.Submit(s.Modals(s.ada)[0].ID, map[string]map[string]any{"b": {"a": map[string]any{"type": "plain_text_input", "value": "words"}}})
	p = c.payload("interactive")
	if p["type"] != "view_submission" || len(s.Modals(s.ada)) != 0 {
		t.Errorf("payload %v", p)
	}

	s.Shortcut(s.ada, s.room, ts, "thread_memory")
	p = c.payload("interactive")
	until(t, "the acknowledgement", func() bool { return s.Pending() == 0 })
	s.clock.pass(s.Options().TriggerLife + time.Second)
	s.refused("views.open", "expired_trigger_id", map[string]any{"trigger_id": p["trigger_id"], "view": modal})

	s.must("views.publish", map[string]any{"user_id": s.ada, "view": map[string]any{"type": "home", "blocks": []any{
		map[string]any{"type": "actions", "elements": []any{map[string]any{"type": "button", "action_id": "open", "text": text("Open")}}}}}})
	s.OpenHome(s.ada, "home", "")
	if e := c.event(); e["type"] != "app_home_opened" || e["view"] == nil {
		t.Errorf("event %v", e)
	}
	if err := s.Click(s.ada, "", "", "Open"); err != nil {
		t.Fatal(err)
	}
	if p := c.payload("interactive"); p["view"] == nil || p["response_url"] != nil {
		t.Errorf("payload %v", p)
	}
}
