package slack

import (
	"fmt"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
)

func clickJSON(channel, container, message, actions string) []byte {
	return fmt.Appendf(nil, `{"type":"block_actions","user":{"id":"U0ADA","username":"ada","team_id":"T0001"},"api_app_id":"A0001","trigger_id":"12.34.ab",
		"container":{"type":"message","message_ts":"1700000002.000100","channel_id":%q,"is_ephemeral":false%s},"team":{"id":"T0001","domain":"acme"},
		"channel":{"id":%q,"name":"x"},"message":{"type":"message","user":"U0BOT","bot_id":"B0BOT","ts":"1700000002.000100"%s,"blocks":[{"type":"unheard"}]},
		"state":{"values":{}},"response_url":"https://hooks.slack.com/actions/T/1/x","actions":%s}`, channel, container, channel, message, actions)
}

const option = `[{"type":"button","action_id":"option-1","block_id":"option-1","text":{"type":"plain_text","text":"Red"},"value":"q:abc:0","action_ts":"1700000003.5"}]`

func TestClicks(t *testing.T) {
	for _, c := range []struct {
		name          string
		agent         bool
		payload       []byte
		thread, opens string
		action        string
	}{
		{"in a thread", false, clickJSON("C0GEN", "", `,"thread_ts":"1700000000.000100"`, option), "1700000000.000100", "", "q:abc:0"},
		{"on a message only one sees, in a thread", false, clickJSON("C0GEN", `,"thread_ts":"1700000000.000100"`, "", option), "1700000000.000100", "", "q:abc:0"},
		{"at the top of a channel", false, clickJSON("C0GEN", "", "", option), "", "1700000002.000100", "q:abc:0"},
		{"on a post at the top that has replies", false, clickJSON("C0GEN", "", `,"thread_ts":"1700000002.000100"`, option), "", "1700000002.000100", "q:abc:0"},
		{"in a direct message", false, clickJSON("D0ADA", "", "", option), "", "", "q:abc:0"},
		{"in a direct message in the agent view", true, clickJSON("D0ADA", "", "", option), "1700000002.000100", "", "q:abc:0"},
		{"feedback", false, clickJSON("D0ADA", "", "", `[{"type":"feedback_buttons","action_id":"feedback","block_id":"feedback","value":"fb:n:helpful","action_ts":"1700000003.5"}]`), "", "", "fb:n:helpful"},
		{"behind an action without a block or value", false, clickJSON("D0ADA", "", "", `[{"type":"button","action_id":"option-0"},7,{"action_id":"option-2","value":7},`+option[1:]), "", "", "q:abc:0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := reader{us: us, agentView: c.agent}.interaction(c.payload)
			if got.event == nil {
				t.Fatalf("ignored: %s", got.reason)
			}
			ev := *got.event
			if ev.Kind != platform.EventClick || ev.Key.Thread != c.thread || ev.Opens != c.opens || ev.Action != c.action || ev.Author.ID != "U0ADA" ||
				ev.Reply.Interaction != "https://hooks.slack.com/actions/T/1/x" {
				t.Errorf("%+v", ev)
			}
			if again := (reader{us: us, agentView: c.agent}).interaction(c.payload); again.event.ID != ev.ID {
				t.Errorf("delivered again it is %s, not %s", again.event.ID, ev.ID)
			}
		})
	}
}

// TestAClickOnAnEphemeralPost: its answer is for them only, too. Slack sends no
// message with it.
func TestAClickOnAnEphemeralPost(t *testing.T) {
	payload := func(ephemeral bool) []byte {
		return fmt.Appendf(nil, `{"type":"block_actions","user":{"id":"U0ADA"},"team":{"id":"T0001"},"trigger_id":"12.34.ab","channel":{"id":"C0GEN"},
			"container":{"type":"message","message_ts":"1700000002.000100","channel_id":"C0GEN","is_ephemeral":%t,"thread_ts":"1700000000.000100"},
			"response_url":"https://hooks.slack.com/actions/T/1/x","actions":%s}`, ephemeral, option)
	}
	for ephemeral, want := range map[bool]string{true: "U0ADA", false: ""} {
		got := reader{us: us}.interaction(payload(ephemeral))
		if got.event == nil || got.event.Reply.EphemeralTo != want || got.event.Key.Thread != "1700000000.000100" {
			t.Errorf("ephemeral %t: %+v", ephemeral, got)
		}
	}
}

func TestTwoClicksAreTwoEvents(t *testing.T) {
	r := reader{us: us}
	a := r.interaction(clickJSON("C0GEN", "", "", option))
	b := r.interaction(clickJSON("C0GEN", "", "", `[{"type":"button","action_id":"option-1","value":"q:abc:0","action_ts":"1700000009.5"}]`))
	if a.event.ID == b.event.ID {
		t.Error("the second click is lost")
	}
}

func TestForeignButtonsAreIgnored(t *testing.T) {
	r := reader{us: us}
	for _, payload := range []string{
		string(clickJSON("C0GEN", "", "", `[{"type":"button","action_id":"elsewhere","value":"q:abc:0","action_ts":"1"}]`)),
		string(clickJSON("C0GEN", "", "", `[]`)),
		string(clickJSON("C0GEN", "", "", `{}`)),
		`{"type":"block_actions","user":{"id":"U0ADA"},"container":{"type":"view","view_id":"V1"},"actions":` + option + `}`,
		`{"type":"view_submission","view":{"callback_id":"x"}}`, `{"type":"view_closed"}`, `{"type":"shortcut","callback_id":"x"}`,
		`{"type":"message_action","callback_id":"other","channel":{"id":"C0GEN"},"message":{"ts":"1.1"}}`,
	} {
		if got := r.interaction([]byte(payload)); got.event != nil || got.reason == "" {
			t.Errorf("%s became %+v", payload, got)
		}
	}
}

func TestShortcutIsMemoryOfTheThread(t *testing.T) {
	for _, c := range []struct{ message, thread, opens, to string }{
		{`{"ts":"1700000002.000100","thread_ts":"1700000000.000100","text":"x"}`, "1700000000.000100", "", ""},
		{`{"ts":"1700000000.000100","thread_ts":"1700000000.000100"}`, "1700000000.000100", "", ""}, // the thread is there, whatever answers open
		{`{"ts":"1700000000.000100"}`, "", "1700000000.000100", "1700000000.000100"},
	} {
		got := reader{us: us}.interaction([]byte(`{"type":"message_action","callback_id":"thread_memory","trigger_id":"9.9.a","message_ts":"1",
			"user":{"id":"U0ADA","name":"ada"},"channel":{"id":"C0GEN"},"response_url":"https://hooks.slack.com/app/1","message":` + c.message + `}`))
		if got.event == nil {
			t.Fatalf("ignored: %s", got.reason)
		}
		ev := *got.event
		if ev.Kind != platform.EventCommand || ev.Command != "memory status" || ev.Key.Thread != c.thread || ev.Opens != c.opens || ev.Reply.ReplyTo != c.to ||
			!strings.HasPrefix(ev.ID, "shortcut:C0GEN:") || ev.Reply.Interaction != "https://hooks.slack.com/app/1" {
			t.Errorf("%+v", ev)
		}
	}
}

func TestSlashCommands(t *testing.T) {
	payload := []byte(`{"command":"/memory","text":"  Search  two  Words ","user_id":"U0ADA","channel_id":"C0GEN","team_id":"T0001","trigger_id":"1.2.c",
		"response_url":"https://hooks.slack.com/commands/1","is_enterprise_install":"false"}`)
	got := reader{us: us}.slash(payload)
	if got.event == nil {
		t.Fatal(got.reason)
	}
	ev := *got.event
	if ev.Kind != platform.EventCommand || ev.Command != "memory" || ev.Args != "  Search  two  Words " || !strings.HasPrefix(ev.ID, "slash:C0GEN:") || ev.Key.Thread != "" ||
		ev.Opens != "" || ev.Reply.Interaction != "https://hooks.slack.com/commands/1" {
		t.Errorf("%+v", ev)
	}
}

func TestRepeatedActionsDifferFromRepeatedDeliveries(t *testing.T) {
	seen := map[string]int{}
	slash := func(text, hook string) string {
		return reader{us: us}.slash(fmt.Appendf(nil, `{"command":"/memory","text":%q,"user_id":"U0ADA","channel_id":"C0GEN","response_url":"https://hooks.slack.com/commands/%s"}`, text, hook)).event.ID
	}
	shortcut := func(hook string) string {
		return reader{us: us}.interaction(fmt.Appendf(nil, `{"type":"message_action","callback_id":"thread_memory","user":{"id":"U0ADA"},"channel":{"id":"C0GEN"},
			"message":{"ts":"1700000000.000100"},"response_url":"https://hooks.slack.com/app/%s"}`, hook)).event.ID
	}
	for range 2 {
		seen[slash("status", "1")]++
		seen[shortcut("1")]++
	}
	if len(seen) != 2 {
		t.Error("what comes again counts twice")
	}
	if slash("status", "1") == slash("status", "2") || slash("status", "1") == slash("show", "1") || shortcut("1") == shortcut("2") {
		t.Error("what is done twice counts once")
	}
}
