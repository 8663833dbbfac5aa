package fakeslack

import (
	"strings"
	"testing"
	"time"
)

func (s *stage) stream(thread string) string {
	s.t.Helper()
	return s.must("chat.startStream", map[string]any{"channel": s.room, "thread_ts": thread, "recipient_team_id": TeamID, "recipient_user_id": s.ada})["ts"].(string)
}

func (s *stage) words(ts, text string) map[string]any {
	return map[string]any{"channel": s.room, "ts": ts, "markdown_text": text}
}

func TestStream(t *testing.T) {
	s := newStage(t, Options{})
	thread := s.say("a question", "")
	ts := s.stream(thread)
	s.must("chat.appendStream", s.words(ts, "One "))
	s.refused("chat.update", "streaming_state_conflict", map[string]any{"channel": s.room, "ts": ts, "text": "x"})
	s.refused("chat.delete", "cant_delete_message", map[string]any{"channel": s.room, "ts": ts})
	if v := s.Shown(s.room, thread, s.ada); len(v) != 1 || v[0].Text != "One " || !v[0].Streaming {
		t.Errorf("while it grows: %+v", v)
	}
	stop := s.words(ts, "two.")
	stop["metadata"] = map[string]any{"event_type": "reply", "event_payload": map[string]any{"nonce": "n"}}
	stop["blocks"] = []any{map[string]any{"type": "actions", "elements": []any{map[string]any{"type": "button", "action_id": "a", "text": map[string]any{"type": "plain_text", "text": "More"}}}}}
	s.must("chat.stopStream", stop)
	v := s.Shown(s.room, thread, s.ada)[0]
	if m, _ := s.Message(s.room, ts); v.Text != "One two." || v.Streaming || len(v.Buttons) != 1 || m.Metadata == nil {
		t.Errorf("at the end: %+v, metadata %v", v, m.Metadata)
	}
	s.refused("chat.appendStream", "message_not_in_streaming_state", s.words(ts, "more"))
	s.must("chat.update", map[string]any{"channel": s.room, "ts": ts, "text": "corrected", "blocks": []any{}})
	if v := s.Shown(s.room, thread, s.ada)[0]; v.Text != "corrected" {
		t.Errorf("after an update: %+v", v)
	}
	s.clean()
	s.refused("chat.appendStream", "msg_too_long", s.words(s.stream(thread), strings.Repeat("x", 12_001)))
}

func TestStreamsExpire(t *testing.T) {
	s := newStage(t, Options{StreamLife: time.Minute})
	thread := s.say("a question", "")
	ts := s.stream(thread)
	s.clock.pass(30 * time.Second)
	s.must("chat.appendStream", s.words(ts, "One "))
	s.must("chat.appendStream", s.words(ts, "two "))
	s.clock.pass(31 * time.Second)
	s.refused("chat.appendStream", "message_not_in_streaming_state", s.words(ts, "three"))
	s.refused("chat.stopStream", "message_not_in_streaming_state", s.words(ts, "three"))
	s.must("chat.update", map[string]any{"channel": s.room, "ts": ts, "text": "One two three"})

	s.ExpireNext()
	ts = s.stream(thread)
	s.must("chat.appendStream", s.words(ts, "One "))
	s.refused("chat.appendStream", "message_not_in_streaming_state", s.words(ts, "two"))

	ts = s.stream(thread)
	c := s.connect().hello()
	s.StopStreams(s.ada, s.room, thread)
	for e := c.event(); ; e = c.event() {
		if e["type"] == "agent_session_stopped" {
			if halted := e["streaming_message_ts"].([]any); len(halted) != 1 || halted[0] != ts {
				t.Errorf("stopped: %v", e)
			}
			break
		}
	}
	s.refused("chat.appendStream", "stopped_by_user", s.words(ts, "two"))
	s.clean()
}

// TestAgentSessions: what a session is said to be it stays, except that streams change it.
func TestAgentSessions(t *testing.T) {
	s := newStage(t, Options{AgentView: true})
	thread := s.say("a question", "")
	set := func(status string) map[string]any {
		return map[string]any{"channel_id": s.room, "thread_ts": thread, "status": status}
	}
	want := func(status string) {
		t.Helper()
		if got := s.Session(s.room, thread); got != status {
			t.Errorf("the session is %q, want %q", got, status)
		}
	}
	want("")
	if v := s.must("agents.sessions.setStatus", set("processing")); v["agent_status"] != "processing" {
		t.Errorf("%v", v)
	}
	s.post("an answer", thread)
	want("processing")
	s.must("agents.sessions.setStatus", set("active"))
	s.stream(thread)
	want("processing")
	s.StopStreams(s.ada, s.room, thread)
	want("processing")
	ts := s.stream(thread)
	s.must("chat.stopStream", s.words(ts, "done"))
	want("active")
	s.clean()
	s.refused("agents.sessions.setStatus", "invalid_status", set("idle"))
	s.refused("agents.sessions.setStatus", "thread_ts_required", map[string]any{"channel_id": s.room, "status": "active"})
	old := newStage(t, Options{})
	old.refused("agents.sessions.setStatus", "not_authorized", map[string]any{"channel_id": old.room, "thread_ts": old.say("x", ""), "status": "active"})
}

// TestWithoutAssistantMethods has the errors of Slack's method reference.
func TestWithoutAssistantMethods(t *testing.T) {
	s := newStage(t, Options{AgentView: true})
	dm, prompts := s.DM(s.ada), []any{map[string]any{"title": "Help", "message": "help"}}
	s.refused("assistant.threads.setStatus", "invalid_thread_ts", map[string]any{"channel_id": s.room, "thread_ts": "1.1", "status": "x"})
	s.refused("assistant.threads.setTitle", "invalid_thread_ts", map[string]any{"channel_id": dm, "thread_ts": "1.1", "title": "x"})
	s.refused("assistant.threads.setSuggestedPrompts", "message_not_found", map[string]any{"channel_id": dm, "prompts": prompts})
	ts := s.Say(Said{User: s.ada, Channel: dm, Text: "hi"})
	s.must("assistant.threads.setSuggestedPrompts", map[string]any{"channel_id": dm, "prompts": prompts})
	if len(s.Prompts(dm, "")) != 1 {
		t.Error("no prompts are shown")
	}
	s.clean()
	s.must("assistant.threads.setSuggestedPrompts", map[string]any{"channel_id": dm, "thread_ts": ts, "prompts": prompts})
	if len(s.Prompts(dm, ts)) != 0 || len(s.Violations()) != 1 {
		t.Errorf("an agent's prompts are shown in a thread: %q", s.Violations())
	}
	long := map[string]any{"channel_id": s.room, "thread_ts": s.say("x", ""), "status": "x", "loading_messages": []any{strings.Repeat("x", 51)}}
	s.refused("assistant.threads.setStatus", "invalid_arguments", long)
	old := newStage(t, Options{Scopes: []string{"chat:write"}})
	old.refused("assistant.threads.setTitle", "missing_scope", map[string]any{"channel_id": old.room, "thread_ts": "1.1", "title": "x"})
	older := newStage(t, Options{})
	older.refused("assistant.threads.setSuggestedPrompts", "not_agent_app", map[string]any{"channel_id": older.DM(older.ada), "prompts": prompts})
}

func TestAssistantThreads(t *testing.T) {
	s := newStage(t, Options{})
	root := s.Say(Said{User: s.ada, Channel: s.DM(s.ada), Text: "hi"})
	dm := s.DM(s.ada)
	at := func(more map[string]any) map[string]any {
		more["channel_id"], more["thread_ts"] = dm, root
		return more
	}
	s.must("assistant.threads.setStatus", at(map[string]any{"status": "Reading a.pdf"}))
	s.must("assistant.threads.setTitle", at(map[string]any{"title": "Warranty"}))
	s.must("assistant.threads.setSuggestedPrompts", at(map[string]any{"prompts": []any{map[string]any{"title": "Help", "message": "What can you do?"}}}))
	if s.Title(dm, root) != "Warranty" || len(s.Prompts(dm, root)) != 1 || s.Statuses()[0].Text != "Reading a.pdf" {
		t.Errorf("title %q, prompts %v, statuses %v", s.Title(dm, root), s.Prompts(dm, root), s.Statuses())
	}
	s.must("chat.startStream", map[string]any{"channel": dm, "thread_ts": root, "markdown_text": "In a direct message no recipient is needed"})
	if all := s.Statuses(); all[len(all)-1].Text != "" {
		t.Errorf("a reply leaves the status %v", all)
	}
	s.clean()
}
