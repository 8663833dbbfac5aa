package slack

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

var us = identity{Team: "T0001", User: "U0BOT", Bot: "B0BOT", URL: "https://acme.slack.com/"}

// recorded is one delivery and what it has to mean.
type recorded struct {
	Name    string          `json:"name"`
	Agent   bool            `json:"agent_view"`
	Payload json.RawMessage `json:"payload"`
	Want    struct {
		Why     string `json:"why"`
		Aside   string `json:"aside"`
		ID      string `json:"id"`
		Kind    string `json:"kind"`
		Channel string `json:"channel"`
		In      string `json:"in"` // kind of channel
		Ext     bool   `json:"external"`
		Thread  string `json:"thread"`
		Opens   string `json:"opens"`
		Joined  bool   `json:"joined"`
		Mention bool   `json:"mention"`
		ToOther bool   `json:"to_other"`
		Author  string `json:"author"`
		Program bool   `json:"program"` // until Slack tells who the author is
		Message string `json:"message"`
		At      int64  `json:"at"`
		Text    string `json:"text"`
		Action  string `json:"action"`
		Files   string `json:"files"` // ids
		Check   bool   `json:"check"`
	} `json:"want"`
}

func TestEventsAsSlackSendsThem(t *testing.T) {
	data, err := os.ReadFile("testdata/events.json")
	if err != nil {
		t.Fatal(err)
	}
	var all []recorded
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	for _, c := range all {
		t.Run(c.Name, func(t *testing.T) {
			got := reader{us: us, agentView: c.Agent}.callback(c.Payload)
			want := c.Want
			if got.reason != want.Why || kindOfAside(got.notice) != want.Aside {
				t.Fatalf("ignored %q, aside %q; want %q, %q", got.reason, kindOfAside(got.notice), want.Why, want.Aside)
			}
			if got.event == nil {
				if want.Kind != "" {
					t.Fatal("no event")
				}
				return
			}
			ev := *got.event
			var ids []string
			for _, f := range ev.Files {
				ids = append(ids, f.PlatformID)
			}
			for _, p := range []struct {
				what      string
				got, want any
			}{
				{"id", ev.ID, want.ID}, {"kind", string(ev.Kind), want.Kind}, {"channel", ev.Key.Channel, want.Channel},
				{"workspace", ev.Key.Workspace, "T0001"}, {"kind of channel", string(ev.Channel.Kind), want.In},
				{"external", ev.Channel.External, want.Ext}, {"thread", ev.Key.Thread, want.Thread}, {"opens", ev.Opens, want.Opens},
				{"joined", ev.Joined, want.Joined}, {"mention", ev.Mention, want.Mention}, {"to other", ev.ToOther, want.ToOther},
				{"author", ev.Author.ID, want.Author}, {"program", ev.Author.Kind == memory.Bot, want.Program}, {"message", ev.Message, want.Message}, {"at", ev.At, want.At},
				{"text", ev.Text, want.Text}, {"action", ev.Action, want.Action}, {"files", strings.Join(ids, " "), want.Files},
				{"check", got.checkShares, want.Check},
			} {
				if p.got != p.want {
					t.Errorf("%s is %v, want %v", p.what, p.got, p.want)
				}
			}
		})
	}
}

func kindOfAside(aside any) string {
	switch aside.(type) {
	case *homeOpened:
		return "home"
	case *channelRenamed:
		return "channel"
	case *rateLimited:
		return "limited"
	case *uninstalled:
		return "over"
	}
	return ""
}

func TestMentionAndMessageAreOneEvent(t *testing.T) {
	r := reader{us: us}
	text := `"user":"U1","text":"<@U0BOT> hi","ts":"1700000000.000100","channel":"C1"`
	a := r.callback([]byte(`{"type":"event_callback","event_id":"Ev1","event":{"type":"message","channel_type":"channel",` + text + `}}`))
	b := r.callback([]byte(`{"type":"event_callback","event_id":"Ev2","event":{"type":"app_mention",` + text + `}}`))
	if a.event.ID != b.event.ID || !a.event.Mention || !b.event.Mention {
		t.Errorf("%+v and %+v differ", a.event, b.event)
	}
}

func TestSomethingMalformedLosesNoEvent(t *testing.T) {
	r := reader{us: us}
	got := r.callback([]byte(`{"type":"event_callback","event_id":"Ev1","event_time":"soon","event":{"type":"message","user":"U1","channel":"C1",
		"channel_type":"channel","ts":"1700000000.000100","text":"hello","blocks":[{"type":7,"elements":{}},"x",null],"attachments":{"a":1},
		"files":[3,{"id":"F1","size":"big","name":"a.pdf","shares":[]}],"edited":[]}}`))
	if got.event == nil || got.event.Text != "hello" || len(got.event.Files) != 1 {
		t.Fatalf("%+v", got)
	}
}

func TestNoDeliveryPanics(t *testing.T) {
	r := reader{us: us}
	for _, payload := range []string{``, `null`, `[]`, `{}`, `{"type":"event_callback"}`, `{"type":"event_callback","event":null}`,
		`{"type":"event_callback","event":{"type":"message"}}`, `{"type":"event_callback","event":{"type":"message","subtype":"message_changed"}}`,
		`{"type":"event_callback","event":{"type":"message","subtype":"message_changed","message":{}}}`,
		`{"type":"event_callback","event":{"type":"message","subtype":"message_deleted"}}`, `{"type":"block_actions","actions":[]}`,
		`{"type":"event_callback","event":{"type":"assistant_thread_started"}}`, `{"type":"message_action","callback_id":"thread_memory"}`} {
		for _, got := range []outcome{r.callback([]byte(payload)), r.interaction([]byte(payload)), r.slash([]byte(payload))} {
			if got.event != nil {
				t.Errorf("%s became %+v", payload, got.event)
			}
		}
	}
}

func TestFilesOfAMessage(t *testing.T) {
	f := attached(file{ID: "F1", Title: "Plan", Media: "application/pdf", Size: 12, URL: "https://files.slack.com/a", Permalink: "https://acme.slack.com/files/F1"})
	want := memory.File{PlatformID: "F1", Name: "Plan", Media: "application/pdf", Size: 12, Locator: "F1 https://files.slack.com/a", Link: "https://acme.slack.com/files/F1"}
	if f != want {
		t.Errorf("%+v", f)
	}
}

func FuzzCallback(f *testing.F) {
	data, err := os.ReadFile("testdata/events.json")
	if err != nil {
		f.Fatal(err)
	}
	var all []recorded
	if err := json.Unmarshal(data, &all); err != nil {
		f.Fatal(err)
	}
	for _, c := range all {
		f.Add([]byte(c.Payload))
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		got := reader{us: us}.callback(payload)
		if ev := got.event; ev != nil {
			if ev.ID == "" || ev.Key.Workspace != us.Team || ev.Kind == platform.EventMessage && (ev.Author.ID == "" || ev.Message == "") {
				t.Errorf("%s became %+v", payload, ev)
			}
			_ = naming{us: us.User, person: func(string) string { return "" }, channel: func(string) string { return "" }}.markdown(ev.Text)
		}
	})
}

// TestAQuoteCallsNobody: who shares a message that mentions us does not.
func TestAQuoteCallsNobody(t *testing.T) {
	share := attachment{IsShare: true, Author: "Bob", Text: "<@U0BOT> how long?"}
	for _, c := range []struct {
		said message
		want bool
	}{
		{message{Text: "see", Attachments: list[attachment]{share}}, false}, {message{Attachments: list[attachment]{share}}, false},
		{message{Text: "<@U0BOT> is that so?", Attachments: list[attachment]{share}}, true},
		{message{Blocks: list[block]{{Type: "rich_text", Elements: list[block]{{Type: "rich_text_section", Elements: list[block]{{Type: "user", User: "U0BOT"}}}}}}}, true},
	} {
		c.said.User, c.said.TS, c.said.Channel, c.said.ChannelType = "U0ADA", "1700000000.000100", "C0GEN", "channel"
		f := reader{us: us}.message(c.said)
		if f.event == nil || f.event.Mention != c.want {
			t.Errorf("%+v became %+v, want a mention: %t", c.said, f.event, c.want)
		}
	}
}
