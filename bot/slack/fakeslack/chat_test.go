package fakeslack

import (
	"strings"
	"testing"
)

func TestEphemeralMessagesInAThreadNeedReplies(t *testing.T) {
	s := newStage(t, Options{})
	thread := s.say("a question", "")
	aside := map[string]any{"channel": s.room, "user": s.ada, "text": "between us", "thread_ts": thread}
	s.must("chat.postEphemeral", aside)
	if got := s.Shown(s.room, thread, s.ada); len(got) != 0 {
		t.Errorf("shown without a thread: %+v", got)
	}
	s.say("a reply", thread)
	s.must("chat.postEphemeral", aside)
	if got := s.Shown(s.room, thread, s.ada); len(got) != 1 || got[0].OnlyTo != s.ada {
		t.Errorf("shown in the thread: %+v", got)
	}
	s.clean()
}

// TestErrorsOfAClosedChannel has the errors of Slack's method reference: chat.update has one
// of its own.
func TestErrorsOfAClosedChannel(t *testing.T) {
	s := newStage(t, Options{})
	ts := s.post("before", "")
	s.Archive(s.room)
	s.refused("chat.postMessage", "is_archived", map[string]any{"channel": s.room, "text": "after"})
	s.refused("chat.update", "is_inactive", map[string]any{"channel": s.room, "ts": ts, "text": "after"})
	s.refused("conversations.history", "invalid_limit", map[string]any{"channel": s.room, "limit": 1000})
	s.refused("files.getUploadURLExternal", "missing_argument", map[string]any{"filename": "a.txt", "length": 0})
}

func TestMessages(t *testing.T) {
	s := newStage(t, Options{})
	root := s.say("a question", "")
	ts := s.post("an answer", root)
	if ts <= root {
		t.Errorf("%s is not later than %s", ts, root)
	}
	s.must("chat.update", map[string]any{"channel": s.room, "ts": ts, "text": "a better answer"})
	if m, _ := s.Message(s.room, ts); m.Text != "a better answer" || !m.Edited || m.Thread != root {
		t.Errorf("after an update: %+v", m)
	}
	s.must("chat.delete", map[string]any{"channel": s.room, "ts": ts})
	if _, ok := s.Message(s.room, ts); ok {
		t.Error("still there after a deletion")
	}
	s.refused("chat.update", "message_not_found", map[string]any{"channel": s.room, "ts": ts, "text": "x"})
	s.clean()
	s.refused("chat.update", "cant_update_message", map[string]any{"channel": s.room, "ts": root, "text": "x"})
	s.refused("chat.delete", "cant_delete_message", map[string]any{"channel": s.room, "ts": root})
}

func TestChannelsWithoutPermissionToPost(t *testing.T) {
	s := newStage(t, Options{})
	away := s.AddChannel(Channel{Name: "away", Members: []string{s.ada}}).ID
	secret := s.AddChannel(Channel{Name: "secret", Kind: Private, Members: []string{s.ada}}).ID
	for channel, code := range map[string]string{"C404": "channel_not_found", away: "not_in_channel", secret: "channel_not_found"} {
		s.refused("chat.postMessage", code, map[string]any{"channel": channel, "text": "x"})
	}
	s.refused("chat.postMessage", "thread_not_found", map[string]any{"channel": s.room, "thread_ts": "1.000001", "text": "x"})
	s.Archive(s.room)
	s.refused("chat.postMessage", "is_archived", map[string]any{"channel": s.room, "text": "x"})
	s.clean()
}

func TestLengths(t *testing.T) {
	s := newStage(t, Options{})
	ts := s.post("x", "")
	long := strings.Repeat("é", 12_001)
	block := func(kind, text string) []map[string]any {
		if kind == "markdown" {
			return []map[string]any{{"type": kind, "text": text}}
		}
		return []map[string]any{{"type": kind, "text": map[string]any{"type": "plain_text", "text": text}}}
	}
	button := func(label, value string) []map[string]any {
		return []map[string]any{{"type": "actions", "elements": []any{map[string]any{"type": "button", "action_id": "a", "value": value,
			"text": map[string]any{"type": "plain_text", "text": label}}}}}
	}
	many := make([]map[string]any, 51)
	for i := range many {
		many[i] = map[string]any{"type": "divider"}
	}
	two := append(block("markdown", long[:2*6_001]), block("markdown", long[:2*6_000])...)
	for name, c := range map[string]struct {
		method, code string
		args         map[string]any
	}{
		"text":           {"chat.postMessage", "msg_too_long", map[string]any{"text": strings.Repeat("x", 40_001)}},
		"updated text":   {"chat.update", "msg_too_long", map[string]any{"text": strings.Repeat("x", 4_001), "ts": ts}},
		"markdown_text":  {"chat.postMessage", "msg_too_long", map[string]any{"markdown_text": long}},
		"markdown block": {"chat.postMessage", "msg_too_long", map[string]any{"text": "x", "blocks": block("markdown", long)}},
		"both markdown":  {"chat.postMessage", "msg_too_long", map[string]any{"text": "x", "blocks": two}},
		"section":        {"chat.postMessage", "invalid_blocks", map[string]any{"text": "x", "blocks": block("section", strings.Repeat("x", 3_001))}},
		"header":         {"chat.postMessage", "invalid_blocks", map[string]any{"text": "x", "blocks": block("header", strings.Repeat("x", 151))}},
		"button":         {"chat.postMessage", "invalid_blocks", map[string]any{"text": "x", "blocks": button(strings.Repeat("x", 76), "v")}},
		"value":          {"chat.postMessage", "invalid_blocks", map[string]any{"text": "x", "blocks": button("x", strings.Repeat("v", 2_001))}},
		"blocks":         {"chat.postMessage", "invalid_blocks", map[string]any{"text": "x", "blocks": many}},
		"all together": {"chat.postMessage", "msg_blocks_too_long", map[string]any{"text": "x", "blocks": append(
			block("markdown", strings.Repeat("x", 12_000)), block("section", strings.Repeat("x", 1_500))...)}},
	} {
		t.Run(name, func(t *testing.T) {
			c.args["channel"] = s.room
			s.t = t
			s.refused(c.method, c.code, c.args)
		})
	}
	s.t = t
	s.must("chat.postMessage", map[string]any{"channel": s.room, "text": "x", "blocks": block("markdown", long[:2*12_000])})
}

func TestEphemerals(t *testing.T) {
	s := newStage(t, Options{})
	bob := s.AddUser(User{Name: "Bob"}).ID
	ts := s.must("chat.postEphemeral", map[string]any{"channel": s.room, "user": s.ada, "text": "between us"})["message_ts"]
	if n := len(s.Shown(s.room, "", s.ada)); n != 1 {
		t.Errorf("Ada sees %d", n)
	}
	if n := len(s.Shown(s.room, "", bob)); n != 0 {
		t.Errorf("Bob sees %d", n)
	}
	s.refused("chat.update", "message_not_found", map[string]any{"channel": s.room, "ts": ts, "text": "x"})
	s.refused("chat.postEphemeral", "user_not_in_channel", map[string]any{"channel": s.room, "user": bob, "text": "x"})
	s.clean()
}

func TestPeopleAMessageNotifies(t *testing.T) {
	s := newStage(t, Options{})
	for text, n := range map[string]int{"<!channel> and <@U00000001>": 2, "<!subteam^S1|@team>": 1, "@everyone": 0, "&lt;!channel&gt;": 0} {
		s.must("chat.postMessage", map[string]any{"channel": s.room, "text": text})
		shown := s.Shown(s.room, "", s.ada)
		if got := shown[len(shown)-1].Notifies; got != n {
			t.Errorf("%q notifies %d, want %d", text, got, n)
		}
	}
	s.must("chat.postMessage", map[string]any{"channel": s.room, "text": "@everyone", "parse": "full"})
	s.must("chat.postMessage", map[string]any{"channel": s.room, "text": "plain", "blocks": []any{map[string]any{"type": "markdown", "text": "<!here>"}}})
	shown := s.Shown(s.room, "", s.ada)
	for _, v := range shown[len(shown)-2:] {
		if v.Notifies != 1 {
			t.Errorf("%+v notifies %d, want 1", v, v.Notifies)
		}
	}
}

func TestPages(t *testing.T) {
	s := newStage(t, Options{PageMost: Restricted})
	root := s.say("0", "")
	for range 40 {
		s.say("more", root)
	}
	var got []string
	cursor := ""
	for pages := 0; pages < 10; pages++ {
		v := s.must("conversations.replies", map[string]any{"channel": s.room, "ts": root, "limit": 100, "cursor": cursor})
		list := v["messages"].([]any)
		if len(list) > Restricted {
			t.Fatalf("%d messages in one answer", len(list))
		}
		for _, m := range list {
			got = append(got, m.(map[string]any)["ts"].(string))
		}
		if cursor = v["response_metadata"].(map[string]any)["next_cursor"].(string); cursor == "" {
			break
		}
	}
	if len(got) != 41 || got[0] != root {
		t.Errorf("%d messages, the first %s", len(got), got[0])
	}
	v := s.must("conversations.replies", map[string]any{"channel": s.room, "ts": root, "oldest": got[38]})
	if list := v["messages"].([]any); len(list) != 3 {
		t.Errorf("%d messages after the 38th reply, want the root and 2", len(list))
	}
	s.refused("conversations.replies", "thread_not_found", map[string]any{"channel": s.room, "ts": "1.000001"})
}
