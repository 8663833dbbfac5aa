package discord

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

func TestEventsComeInTheOrderOfTheGateway(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.run()
	var want []string
	for n := range 300 {
		want = append(want, fmt.Sprint("message ", n))
		w.say(want[n])
	}
	w.until(platform.EventMessage, len(want))
	if got := w.texts(); !slices.Equal(got, want) {
		t.Errorf("received %q", got)
	}
}

// Each fault is followed by a message, which is to come all the same.
func TestAClosedConnectionIsReopened(t *testing.T) {
	t.Parallel()
	faults := map[string]func(*town){
		"dropped":                     func(w *town) { w.s.Cut() },
		"op 7":                        func(w *town) { w.s.Reconnect() },
		"op 7 as the first packet":    func(w *town) { w.s.ReconnectFirst(); w.s.Cut() },
		"op 9, resumable":             func(w *town) { w.s.Invalidate(true) },
		"op 9, not resumable":         func(w *town) { w.s.Invalidate(false) },
		"resume refused":              func(w *town) { w.s.RefuseResume(); w.s.Cut() },
		"identify refused":            func(w *town) { w.s.RefuseResume(); w.s.RefuseIdentify(); w.s.Cut() },
		"dropped at hello":            func(w *town) { w.s.CutAt(10); w.s.Cut() },
		"dropped at resume":           func(w *town) { w.s.CutAt(6); w.s.Cut() },
		"dropped at identify":         func(w *town) { w.s.CutAt(2); w.s.RefuseResume(); w.s.Cut() },
		"dropped before READY":        func(w *town) { w.s.CutOn("READY", false); w.s.RefuseResume(); w.s.Cut() },
		"dropped after READY":         func(w *town) { w.s.CutOn("READY", true); w.s.RefuseResume(); w.s.Cut() },
		"dropped before RESUMED":      func(w *town) { w.s.CutOn("RESUMED", false); w.s.Cut() },
		"dropped before a guild":      func(w *town) { w.s.CutOn("GUILD_CREATE", false); w.s.RefuseResume(); w.s.Cut() },
		"dropped before a message":    func(w *town) { w.s.CutOn("MESSAGE_CREATE", false) },
		"dropped after a message":     func(w *town) { w.s.CutOn("MESSAGE_CREATE", true) },
		"silent":                      func(w *town) { w.s.SilenceNext(1); w.s.Cut() },
		"refused":                     func(w *town) { w.s.DenyNext(2); w.s.Cut() },
		"refused for long":            func(w *town) { w.s.DenyNext(resumeTries + 2); w.s.Cut() },
		"closed: unknown error":       func(w *town) { w.s.CloseWith(4000) },
		"closed: unknown opcode":      func(w *town) { w.s.CloseWith(4001) },
		"closed: decode error":        func(w *town) { w.s.CloseWith(4002) },
		"closed: not authenticated":   func(w *town) { w.s.CloseWith(4003) },
		"closed: identified already":  func(w *town) { w.s.CloseWith(4005) },
		"closed: a code of tomorrow":  func(w *town) { w.s.CloseWith(4999) },
		"closed: normally":            func(w *town) { w.s.CloseWith(1000) },
		"closed: going away":          func(w *town) { w.s.CloseWith(1001) },
		"every resume dropped":        func(w *town) { w.s.DropResumes(); w.s.Cut() },
		"closed: invalid sequence":    func(w *town) { w.s.CloseWith(4007) },
		"closed: rate limited":        func(w *town) { w.s.CloseWith(4008) },
		"closed: session timed out":   func(w *town) { w.s.CloseWith(4009) },
		"a heartbeat asked for":       func(w *town) { w.s.AskHeartbeat() },
		"a heartbeat, then a close":   func(w *town) { w.s.AskHeartbeat(); w.s.AskHeartbeat(); w.s.CloseWith(4000) },
		"a heartbeat, then dropped":   func(w *town) { w.s.AskHeartbeat(); w.s.Cut() },
		"a heartbeat, then reconnect": func(w *town) { w.s.AskHeartbeat(); w.s.Reconnect(); w.s.AskHeartbeat() },
	}
	for name, fault := range faults {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newTown(t, fakediscord.Options{})
			if name == "silent" {
				w.a.timing.open = time.Second
			}
			w.run()
			w.say("before")
			w.until(platform.EventMessage, 1)
			fault(w)
			w.say("meanwhile")
			w.until(platform.EventMessage, 2)
			w.ready()
			w.say("after")
			w.until(platform.EventMessage, 3)
			if got := w.texts(); !slices.Equal(got, []string{"before", "meanwhile", "after"}) {
				t.Errorf("received %q", got)
			}
			for _, v := range w.s.Violations() {
				t.Error(v)
			}
		})
	}
}

func TestASilentGatewayIsGivenUp(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{Heartbeat: 50 * time.Millisecond})
	w.run()
	w.s.Mute()
	w.say("while nothing was told")
	w.until(platform.EventMessage, 1)
}

func TestAGatewayThatConfirmsNoHeartbeatIsGivenUp(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{Heartbeat: 40 * time.Millisecond})
	w.run()
	w.s.Zombie(true)
	w.eventually(func() bool { // traffic goes on
		w.say("hello")
		return w.log.has(errZombie.Error())
	}, "the end")
	w.s.Zombie(false)
}

func TestAResumeBeginsNoSession(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.run()
	ends := []func(){w.s.Cut, w.s.Cut, func() { w.s.CloseWith(1001) }, func() { w.s.CloseWith(4000) }, w.s.Reconnect}
	for n, end := range ends {
		end()
		w.say(fmt.Sprint("message ", n))
		w.until(platform.EventMessage, n+1)
		w.ready()
	}
	if n := w.s.Identified(); n != 1 {
		t.Errorf("%d sessions, want 1", n)
	}
}

func TestFatalCloseCodesEndRunWithARemedy(t *testing.T) {
	t.Parallel()
	for code, word := range map[int]string{4004: "DISCORD_TOKEN", 4010: "shard", 4011: "shards", 4012: "update", 4013: "update"} {
		t.Run(fmt.Sprint(code), func(t *testing.T) {
			t.Parallel()
			w := newTown(t, fakediscord.Options{})
			done := make(chan error, 1)
			go func() { done <- w.a.Run(t.Context(), platformtest.Handler(platform.Handler{Receive: w.receive}), nil) }()
			w.ready()
			w.s.CloseWith(code)
			select {
			case err := <-done:
				var closed *websocket.CloseError
				if !errors.As(err, &closed) || closed.Code != code || !strings.Contains(err.Error(), word) {
					t.Errorf("Run: %v", err)
				}
			case <-time.After(patiently):
				t.Fatal("Run goes on")
			}
			if n := w.s.Identified(); n != 1 {
				t.Errorf("%d sessions, want 1", n)
			}
		})
	}
}

func TestARefusedTokenEndsRun(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.a.Token = "wrong"
	if err := w.a.Run(t.Context(), platformtest.Handler(platform.Handler{Receive: w.receive}), nil); !errors.Is(err, errRefused) {
		t.Errorf("Run: %v", err)
	}
}

// TestATokenThatIsRefusedMidRunEndsIt, although the gateway's connection stays.
func TestATokenThatIsRefusedMidRunEndsIt(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	done := make(chan error, 1)
	go func() { done <- w.a.Run(t.Context(), platformtest.Handler(platform.Handler{Receive: w.receive}), nil) }()
	w.ready()
	w.s.Break(fakediscord.Fault{Route: "POST /channels/{channel}/messages", Status: http.StatusUnauthorized})
	if _, err := w.a.Post(t.Context(), platform.Address{Key: memory.Key{Workspace: w.guild, Channel: w.general}}, platform.Outgoing{Text: "hello"}); err == nil {
		t.Error("posted")
	}
	select {
	case err := <-done:
		if !errors.Is(err, errRefused) {
			t.Errorf("Run: %v", err)
		}
	case <-time.After(patiently):
		t.Fatal("Run goes on")
	}
}

func TestWithoutMessageContentMentionsAndDirectMessagesAreReceived(t *testing.T) {
	t.Parallel()
	none := 0
	w := newTown(t, fakediscord.Options{Privileged: &none})
	w.run()
	if !w.log.has("Message Content Intent") {
		t.Error("nothing is said of the intent")
	}
	w.say("<@" + w.s.Bot().ID + "> can you hear me?")
	w.until(platform.EventMessage, 1)
	w.s.Say(fakediscord.Said{User: w.ada, Channel: w.s.DM(w.ada), Text: "and here?"})
	if got := w.until(platform.EventMessage, 2); got[0].Text != "can you hear me?" || got[1].Text != "and here?" || got[0].Hidden || got[1].Hidden {
		t.Errorf("received %+v", got)
	}
	w.say("and without?")
	w.say("<@" + w.bob + "> what do you say?")
	if got := w.until(platform.EventMessage, 4); !got[2].Hidden || got[2].ToOther || !got[3].Hidden || !got[3].ToOther {
		t.Errorf("received %+v", got[2:])
	}
	if n := w.s.Identified(); n != 2 {
		t.Errorf("%d sessions, want 2", n)
	}
}

func TestARevokedIntentDoesNotLoop(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.run()
	w.s.Grant(0)
	w.s.CloseWith(4014)
	w.eventually(func() bool { return w.s.Identified() == 2 }, "a session without the intent")
	w.ready()
	w.say("<@" + w.s.Bot().ID + "> still there?")
	w.until(platform.EventMessage, 1)
	if n := w.s.Identified(); n != 2 {
		t.Errorf("%d sessions, want 2", n)
	}
}

func TestAnEventIsHandedOnUntilItIsReceived(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	failures := 3
	w.refuse = func(platform.Event) error {
		if failures--; failures >= 0 {
			return errors.New("the store is away")
		}
		return nil
	}
	w.run()
	w.say("one")
	w.say("two")
	w.until(platform.EventMessage, 2)
	if got := w.texts(); !slices.Equal(got, []string{"one", "two"}) {
		t.Errorf("received %q", got)
	}
}

func TestAPanickingHandlerCostsOneEvent(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.refuse = func(ev platform.Event) error {
		if ev.Text == "boom" {
			panic("scripted")
		}
		return nil
	}
	w.run()
	w.say("boom")
	w.say("fine")
	w.until(platform.EventMessage, 1)
	if got := w.texts(); !slices.Equal(got, []string{"fine"}) {
		t.Errorf("received %q", got)
	}
}

func TestTooManyWaitingEventsAreReadAgain(t *testing.T) {
	t.Parallel()
	in := &intake{a: New(Options{}), wake: make(chan struct{}, 1)}
	for n := range maxUnfinished {
		if !in.enqueue(t.Context(), packet{Type: "TYPING_START"}, func() {}) {
			t.Fatal("no room for event", n)
		}
	}
	if in.enqueue(t.Context(), packet{Type: "TYPING_START"}, func() {}) {
		t.Error("taken without room")
	}
}

func TestStrangeEventsAreSurvived(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.run()
	author := map[string]any{"id": w.ada, "username": "ada"}
	for name, data := range map[string]any{
		"MESSAGE_CREATE":      map[string]any{},
		"MESSAGE_UPDATE":      map[string]any{"id": "5"},
		"MESSAGE_DELETE":      nil,
		"MESSAGE_DELETE_BULK": []int{1},
		"GUILD_CREATE":        nil,
		"GUILD_UPDATE":        map[string]any{"channels": []any{nil}, "members": []any{nil}, "voice_states": []any{nil}},
		"INTERACTION_CREATE":  map[string]any{"type": 2, "data": 7},
		"CHANNEL_DELETE":      "x",
		"NO_SUCH_EVENT":       map[string]any{"a": 1},
		"VOICE_STATE_UPDATE":  map[string]any{"channel_id": "1", "guild_id": "2"},
		"VOICE_SERVER_UPDATE": nil,
		"THREAD_LIST_SYNC":    map[string]any{"threads": nil},
	} {
		w.s.Dispatch(w.guild, name, data)
	}
	w.s.Dispatch(w.guild, "MESSAGE_CREATE", map[string]any{"id": "7", "channel_id": w.general, "content": "by nobody", "author": nil})
	w.s.Dispatch(w.guild, "MESSAGE_CREATE", map[string]any{"id": "123456789012345678", "channel_id": w.general, "guild_id": w.guild, "type": 0,
		"content": "with a component of tomorrow", "author": author, "member": map[string]any{"roles": []string{}},
		"components": []any{map[string]any{"type": 99, "accessory": map[string]any{"type": 98}}}, "poll": 5})
	got := w.until(platform.EventMessage, 1)
	if len(got) != 1 || got[0].Text != "with a component of tomorrow" {
		t.Errorf("received %+v", got)
	}
}

func TestRunEndsWhileTheGatewayIsSilent(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.a.timing.open = time.Hour
	w.s.SilenceNext(1)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- w.a.Run(ctx, platformtest.Handler(platform.Handler{Receive: w.receive}), nil) }()
	w.eventually(func() bool { return w.s.Connections() == 1 }, "a connection")
	cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Error("Run:", err)
		}
	case <-time.After(patiently):
		t.Fatal("Run goes on")
	}
}

func TestAConnectionThatNeverGetsReadyIsGivenUp(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.a.timing.open = time.Second
	w.s.SilenceNext(1)
	w.run()
	w.say("hello")
	w.until(platform.EventMessage, 1)
}

func TestNoSessionIsBegunBeyondTheLimit(t *testing.T) {
	t.Parallel()
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"url":"wss://gateway","shards":1,"session_start_limit":{"total":1000,"remaining":0,"reset_after":14400000,"max_concurrency":1}}`)
	}))
	t.Cleanup(api.Close)
	g := &gateway{a: New(Options{APIURL: api.URL, HTTP: api.Client()}), session: &session{}}
	_, err := g.address(t.Context(), true)
	if wait := g.retryWait(err, 0); err == nil || wait != 4*time.Hour {
		t.Errorf("waits %v after %v", wait, err)
	}
	if url, err := g.address(t.Context(), false); err != nil || url != "wss://gateway" {
		t.Errorf("to resume: %s, %v", url, err)
	}
}
