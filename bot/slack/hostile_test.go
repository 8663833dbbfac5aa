package slack

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// intakeOf is an intake whose Slack answers every look-up with nothing.
func intakeOf(t *testing.T, receive func(context.Context, platform.Event) error) (*intake, *bytes.Buffer) {
	var log bytes.Buffer
	a := New(Options{BotToken: "xoxb-secret", APIURL: "http://slack.invalid/api/", Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
		HTTP: &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(`{"ok":false,"error":"not_found"}`)), Request: r}, nil
		})}})
	a.self.known = us
	in := &intake{a: a, us: us, handler: platform.Handler{Receive: receive, Admit: func(context.Context, platform.Event) (bool, error) { return true, nil }}, cancel: func(error) {}, room: make(chan struct{}, maxWaiting)}
	t.Cleanup(func() { in.lanes.Join(); in.a.tasks.all.Wait() })
	return in, &log
}

// bring takes a delivery and returns what is to be said of it to Slack.
func (in *intake) bring(t *testing.T, kind, payload string) error {
	t.Helper()
	done := make(chan error, 2)
	if err := in.accept(t.Context(), kind, []byte(payload), func(err error) { done <- err }); err != nil {
		t.Fatal(err)
	}
	err := <-done
	if len(done) > 0 {
		t.Errorf("%.100s: acknowledged twice", payload)
	}
	return err
}

func event(inner string) string {
	return `{"type":"event_callback","event_id":"Ev1","event":` + inner + `}`
}

func TestHostileDeliveries(t *testing.T) {
	var got []platform.Event
	in, _ := intakeOf(t, func(_ context.Context, ev platform.Event) error { got = append(got, ev); return nil })
	many := strings.Repeat("<@U1> ", 10_000)
	for _, payload := range []string{"", "null", "7", `"x"`, "[]", "{", "{}", `{"type":null}`, `{"type":["event_callback"],"event":[]}`, "\xff\xfe", "\x00",
		event("null"), event("7"), event(`{"type":7}`), event(`{"type":"message"}`), event(`{"type":"message","channel":7,"ts":{},"user":[]}`),
		event(`{"type":"message","channel":"C1","user":"U1","ts":"","text":"x"}`), event(strings.Repeat("[", 1<<20)),
		event(`{"type":"message","subtype":"message_changed","channel":"C1","message":null,"previous_message":7}`),
		event(`{"type":"message","subtype":"message_deleted","channel":"C1"}`), event(`{"type":"app_home_opened","user":null,"tab":"home"}`),
		event(`{"type":"user_change","user":{"id":7}}`), event(`{"type":"tokens_revoked","tokens":null}`), event(`{"type":"member_joined_channel","user":{}}`),
		event(`{"type":"no_such_event","x":` + strings.Repeat(`{"a":`, 5000) + "1" + strings.Repeat("}", 5000) + `}`),
	} {
		if err := in.bring(t, kindEvent, payload); err != nil {
			t.Errorf("%.100q: %v", payload, err)
		}
	}
	for _, payload := range []string{"", "null", "{}", `{"type":"block_actions","actions":null}`, `{"type":"block_actions","actions":[null,7,{"action_id":7}]}`,
		`{"type":"block_actions","actions":[{"action_id":"option-0","value":{"a":1}}]}`, `{"type":"block_actions","actions":[{"action_id":"option-0","value":"q:x:0"}]}`,
		`{"type":"message_action","callback_id":"thread_memory"}`, `{"type":"view_submission","view":` + strings.Repeat("[", 5000) + `}`} {
		if err := in.bring(t, kindInteraction, payload); err != nil {
			t.Errorf("%.100q: %v", payload, err)
		}
	}
	for _, payload := range []string{"", "null", "{}", `{"command":"/memory","channel_id":"C1"}`, `{"command":["x"]}`} {
		if err := in.bring(t, kindSlash, payload); err != nil {
			t.Errorf("%.100q: %v", payload, err)
		}
	}
	if err := in.bring(t, "no_such_kind", "{}"); err != nil || len(got) > 0 {
		t.Fatalf("%d events of nothing, %v: %+v", len(got), err, got)
	}
	var names []string
	for i := range 500 {
		names = append(names, fmt.Sprintf(`{"id":"F%d","name":"../../x\u0000\n%d.pdf","url_private_download":"file:///etc/passwd"}`, i, i))
	}
	text, _ := json.Marshal(many + strings.Repeat("x", 3<<20) + "\x00\u202e")
	if err := in.bring(t, kindEvent, event(`{"type":"message","channel":"C1","user":"U2","ts":"99999999999999.000100","text":`+string(text)+`,"text":"last wins","files":[`+strings.Join(names, ",")+`]}`)); err != nil {
		t.Fatal(err)
	}
	if len(got) != 1 || got[0].Text != "last wins" || len(got[0].Files) != 500 {
		t.Errorf("received %d events", len(got))
	}
	if err := in.bring(t, kindEvent, event(`{"type":"message","channel":"C1","user":"U2","ts":"2.1","text":`+string(text)+`}`)); err != nil || len(got) != 2 {
		t.Errorf("a message of 3 MB with 10,000 mentions: %d events, %v", len(got), err)
	}
}

// An event that makes the program panic is delivered again; the process goes on.
func TestAPanicEndsOneDelivery(t *testing.T) {
	in, _ := intakeOf(t, func(context.Context, platform.Event) error { panic("injected") })
	in.handler.Home = func(context.Context, memory.Key, platform.Author) error { panic("injected") }
	message := event(`{"type":"message","channel":"C1","user":"U1","ts":"1.1","text":"x"}`)
	for range 2 {
		if err := in.bring(t, kindEvent, message); err == nil {
			t.Error("acknowledged, though nothing was stored")
		}
	}
	if err := in.bring(t, kindEvent, event(`{"type":"app_home_opened","user":"U1","channel":"D1","tab":"home"}`)); err != nil {
		t.Error(err)
	}
	in.a.tasks.all.Wait()
}

func TestOtherWorkspacesAreIgnored(t *testing.T) {
	r := reader{us: us}
	inner := `"event_id":"E","event":{"type":"message","channel":"C1","user":"U1","ts":"1.1","text":"x"}}`
	for head, want := range map[string]bool{
		`{"type":"event_callback","team_id":"T0001",`:                                                                     true,
		`{"type":"event_callback","team_id":"TOTHER","authorizations":[{"team_id":"T0001"}],`:                             true, // of a shared channel
		`{"type":"event_callback","authorizations":[{"team_id":null,"enterprise_id":"E1","is_enterprise_install":true}],`: true,
		`{"type":"event_callback","team_id":"TOTHER",`:                                                                    false,
		`{"type":"event_callback","team_id":"TOTHER","authorizations":[{"team_id":"TOTHER"}],`:                            false,
	} {
		if got := r.callback([]byte(head + inner)); (got.event != nil) != want {
			t.Errorf("%s: %+v", head, got)
		}
	}
	slash := `{"command":"/memory","channel_id":"C1","trigger_id":"1","user_id":"U1","team_id":%q,"enterprise_id":%q}`
	if r.slash(fmt.Appendf(nil, slash, "TOTHER", "")).event != nil || r.slash(fmt.Appendf(nil, slash, "T0001", "")).event == nil ||
		r.slash(fmt.Appendf(nil, slash, "TOTHER", "E1")).event == nil {
		t.Error("commands are not told apart by workspace")
	}
	uninstalled := `{"type":"event_callback","team_id":"TOTHER","event":{"type":"app_uninstalled"}}`
	if got := r.callback([]byte(uninstalled)); got.notice != nil {
		t.Error("the app's removal elsewhere ends it here")
	}
}

// Nothing of ours is sent to hosts that are not Slack's, and no address is told.
func TestNothingGoesToOtherHosts(t *testing.T) {
	var asked []string
	a := New(Options{BotToken: "xoxb-secret", Log: slog.New(slog.DiscardHandler), HTTP: &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		asked = append(asked, r.URL.Host)
		h := http.Header{"Location": {"https://evil.example/collect?token=1"}}
		return &http.Response{StatusCode: http.StatusTemporaryRedirect, Header: h, Body: io.NopCloser(strings.NewReader("")), Request: r}, nil
	})}})
	a.self.known = us
	for _, hook := range []string{"https://evil.example/commands/1", "http://hooks.slack.com/x", "https://hooks.slack.com.evil.example/x", "https://slack.com@evil.example/x",
		"https://127.0.0.1/x", "http://169.254.169.254/", "file:///etc/passwd", "//hooks.slack.com/x", "https://evilslack.com/x", "javascript:1", ""} {
		if got := a.responseURL(hook); got != "" {
			t.Errorf("an answer would go to %q", got)
		}
	}
	if a.responseURL("https://hooks.slack.com/commands/T/1/x") == "" || a.responseURL("https://HOOKS.slack-gov.com/commands/T/1/x") == "" {
		t.Error("Slack's own hosts are refused")
	}
	for _, address := range []string{"https://evil.example/f.pdf", "http://files.slack.com/f.pdf", "file:///etc/passwd", "https://files.slack.com@evil.example/f", "https://[::1]/f", "https://10.0.0.1/files.slack.com"} {
		if _, err := a.download(t.Context(), memory.File{PlatformID: "F1"}, address); !errors.Is(err, platform.ErrFileGone) {
			t.Errorf("%s: %v", address, err)
		}
	}
	if len(asked) > 0 {
		t.Fatalf("asked %q", asked)
	}
	to := platform.Address{Key: memory.Key{Channel: "C1"}, EphemeralTo: "U1", Interaction: "https://hooks.slack.com/commands/T/1/secret"}
	_, err := a.Post(t.Context(), to, platform.Outgoing{Kind: platform.KindCommand, Text: "private"})
	if err == nil || strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "evil") {
		t.Errorf("error %v", err)
	}
	if _, err = a.download(t.Context(), memory.File{PlatformID: "F1"}, "https://files.slack.com/f.pdf?t=secret"); err == nil || strings.Contains(err.Error(), "secret") {
		t.Errorf("error %v", err)
	}
	if slices.Contains(asked, "evil.example") || len(asked) == 0 {
		t.Errorf("asked %q", asked)
	}
}

func TestAnAnswerWithoutEndIsCutOff(t *testing.T) {
	read := 0
	a := New(Options{Log: slog.New(slog.DiscardHandler), HTTP: &http.Client{Transport: roundTrip(func(r *http.Request) (*http.Response, error) {
		return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(io.MultiReader(strings.NewReader(`{"ok":"`), endless{&read})), Request: r}, nil
	})}})
	if _, err := a.api.AuthTestContext(t.Context()); err == nil {
		t.Error("an answer without end was read")
	}
	if read > 2*maxAnswer {
		t.Errorf("%d bytes were read", read)
	}
}

// endless counts what is read of it.
type endless struct{ n *int }

func (e endless) Read(p []byte) (int, error) {
	*e.n += len(p)
	return copy(p, bytes.Repeat([]byte("x"), len(p))), nil
}
