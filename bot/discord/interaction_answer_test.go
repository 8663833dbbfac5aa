package discord

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// command is Ada giving one, which is deferred.
func (s *stage) command(d deferral) (platform.Address, *fakediscord.Interaction) {
	s.t.Helper()
	if err := s.a.call(s.t.Context(), "PUT", "/applications/"+s.Application()+"/commands",
		[]map[string]any{{"name": "help", "description": "Help"}}, nil); err != nil {
		s.t.Fatal(err)
	}
	i, err := s.Command(fakediscord.Use{User: s.ada, Channel: s.general, Command: "help"})
	if err != nil {
		s.t.Fatal(err)
	}
	flags := 0
	if d == deferredPrivate {
		flags = flagEphemeral
	}
	s.respond(i, map[string]any{"type": fakediscord.DeferredChannelMessage, "data": map[string]any{"flags": flags}})
	return s.address(i, d), i
}

// click is Ada pressing the first button of a message, which is deferred.
func (s *stage) click(m fakediscord.Shown) (platform.Address, *fakediscord.Interaction) {
	s.t.Helper()
	i, err := s.Click(s.ada, m.ChannelID, m.Message, m.Components[0].Components[0].CustomID)
	if err != nil {
		s.t.Fatal(err)
	}
	s.respond(i, map[string]any{"type": fakediscord.DeferredUpdate})
	return s.address(i, deferredClick), i
}

func (s *stage) respond(i *fakediscord.Interaction, body any) {
	s.t.Helper()
	if err := s.a.call(s.t.Context(), "POST", "/interactions/"+i.ID()+"/"+i.Token()+"/callback", body, nil); err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) address(i *fakediscord.Interaction, d deferral) platform.Address {
	return platform.Address{Key: memory.Key{Platform: "discord", Workspace: s.guild, Channel: s.general},
		Event: "i" + i.ID(), Interaction: interaction{s.Application(), i.ID(), i.Token(), d}.String()}
}

func TestACommandIsAnsweredToItsAsker(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to, i := s.command(deferredPrivate)
	to.EphemeralTo = s.ada
	m := platform.Outgoing{Nonce: "tkcommand", Kind: platform.KindCommand, Text: strings.Repeat("- a line of help\n", 200)}
	if _, ok, err := s.a.Find(t.Context(), to, m.Nonce); ok || err != nil {
		t.Fatal("thinking is no answer", err)
	}
	ref := s.post(to, m)
	got := s.ours(s.general)
	if len(got) != 2 || got[0].OnlyTo != s.ada || got[1].OnlyTo != s.ada || s.a.Link(ref) != "" {
		t.Fatalf("messages %+v", got)
	}
	if o, ok := i.Original(); !ok || o.Flags&flagLoading != 0 {
		t.Errorf("still thinking: %+v", o)
	}
	if found, ok, err := s.a.Find(t.Context(), to, m.Nonce); err != nil || !ok || found != ref {
		t.Errorf("found %v %v %v", found, ok, err)
	}
	if _, ok, err := s.adapter().Find(t.Context(), to, m.Nonce); err != nil || !ok {
		t.Errorf("after a restart: %v %v", ok, err)
	}
	m.Text = "Help."
	if _, err := s.a.Edit(t.Context(), ref, m); err != nil {
		t.Fatal(err)
	}
	s.same(s.general, "Help.")
}

// TestTheNameOfAnAnswerHoldsNoToken edits an answer by its name, which is kept for good:
// where it was posted, by a process that has found it, and by one that knows the name only.
func TestTheNameOfAnAnswerHoldsNoToken(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to, i := s.command(deferredPrivate)
	to.EphemeralTo = s.ada
	m := platform.Outgoing{Nonce: "tkcommand", Kind: platform.KindCommand, Text: "Help."}
	ref := s.post(to, m)
	if strings.Contains(string(ref), i.Token()) {
		t.Errorf("%s holds the token", ref)
	}
	edit := func(a *Adapter, ref platform.Ref, text string) {
		t.Helper()
		m.Text = text
		if _, err := a.Edit(t.Context(), ref, m); err != nil {
			t.Fatal(err)
		}
	}
	edit(s.a, ref, "Here.")
	s.same(s.general, "Here.")
	second := s.adapter()
	found, ok, err := second.Find(t.Context(), to, m.Nonce)
	if err != nil || !ok {
		t.Fatal(found, ok, err)
	}
	edit(second, found, "Found.")
	s.same(s.general, "Found.")
	edit(s.adapter(), ref, "Directly.")
	s.same(s.general, "Found.")
	s.same(s.DM(s.ada), "Directly.")
}

func TestAStreamToOnePersonEditsItsAnswer(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	clock := s.paced()
	to, _ := s.command(deferredPrivate)
	to.EphemeralTo = s.ada
	st, _ := s.a.Stream(t.Context(), to, "tkask")
	for range 3 {
		if err := st.Append(t.Context(), "More. "); err != nil {
			t.Fatal(err)
		}
		clock.pass(2 * editInterval)
	}
	if _, err := st.Close(t.Context(), platform.Outgoing{Nonce: "tkask", Text: "More. More. More. Done."}); err != nil {
		t.Fatal(err)
	}
	s.same(s.general, "More. More. More. Done.")
	if got := s.ours(s.general)[0]; got.OnlyTo != s.ada {
		t.Errorf("seen by %q", got.OnlyTo)
	}
}

func TestACommandThatAsksATurnStopsThinking(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to, _ := s.command(deferredPrivate)
	s.post(to, reply("Asked again."))
	s.same(s.general, "Asked again.")
	if got := s.ours(s.general)[0]; got.OnlyTo != "" {
		t.Errorf("only seen by %q", got.OnlyTo)
	}
}

func TestAnAsideAfterAClickIsForTheClicker(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	m := reply("Colour?")
	m.Question = &platform.Question{Text: "Colour?", Options: []platform.Button{{Label: "Red", Action: "q:t:0"}, {Label: "Something else", Action: "q:t:-3"}}}
	s.post(inChannel(s.ask("ask me")), m)
	to, _ := s.click(s.ours(s.general)[0])
	aside := to
	aside.EphemeralTo = s.ada
	s.post(aside, platform.Outgoing{Nonce: "tkaside", Kind: platform.KindNotice, Text: "Please type."})
	got := s.ours(s.general)
	if len(got) != 2 || got[0].Content != "Colour?" || len(got[0].Components) == 0 || got[1].OnlyTo != s.ada || got[1].Content != "-# Please type." {
		t.Fatalf("messages %+v", got)
	}
	s.post(to, platform.Outgoing{Nonce: "tkanswer", Kind: platform.KindReply, Text: "Red it is."})
	got = s.ours(s.general)
	if len(got) != 3 || len(got[0].Components) != 0 || got[0].Content != "Colour?" {
		t.Errorf("the question keeps its buttons: %+v", got[0])
	}
}

func TestAnExpiredTokenIsNotTheEnd(t *testing.T) {
	var mu sync.Mutex
	ahead := time.Duration(0)
	now := func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		return time.Now().Add(ahead)
	}
	pass := func(d time.Duration) { mu.Lock(); ahead += d; mu.Unlock() }
	for name, ours := range map[string]bool{"we know": true, "Discord says so": false} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, fakediscord.Options{Now: now})
			if ours {
				s.a.limits.clock = now
			}
			to, _ := s.command(deferredPrivate)
			to.EphemeralTo = s.ada
			early := s.post(to, platform.Outgoing{Nonce: "tkearly", Text: "Early."})
			later, _ := s.command(deferredPrivate)
			later.EphemeralTo = s.ada
			pass(16 * time.Minute)
			s.post(later, platform.Outgoing{Nonce: "tklate", Text: "Late."})
			dm := s.DM(s.ada)
			s.same(dm, "Late.")
			if _, ok, err := s.a.Find(t.Context(), later, "tklate"); err != nil || !ok {
				t.Errorf("not found: %v", err)
			}
			if _, err := s.a.Edit(t.Context(), early, platform.Outgoing{Nonce: "tkearly", Text: "Early, changed."}); err != nil {
				t.Fatal(err)
			}
			s.same(dm, "Late.", "Early, changed.")
			for _, to := range []platform.Address{to, later} {
				to.EphemeralTo = ""
				s.post(to, platform.Outgoing{Nonce: "tk" + to.Event[1:], Text: "For all."})
			}
			if texts := strings.Join(s.texts(s.general), "|"); strings.Count(texts, "For all.") != 2 {
				t.Errorf("the channel says %q", texts)
			}
			s.CloseDMs(s.ada)
			later.Event, later.Interaction = "other", ""
			if _, err := s.a.Post(t.Context(), later, platform.Outgoing{Nonce: "tkno", Text: "No."}); !errors.Is(err, platform.ErrUndeliverable) {
				t.Errorf("closed direct messages: %v", err)
			}
		})
	}
}

// TestAnUnacknowledgedInteractionIsTriedOnce answers a command whose first answer
// came too late, as over a slow network, by direct message.
func TestAnUnacknowledgedInteractionIsTriedOnce(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	s.command(deferredPrivate) // which Discord has now
	i, err := s.Command(fakediscord.Use{User: s.ada, Channel: s.general, Command: "help"})
	if err != nil {
		t.Fatal(err)
	}
	to := s.address(i, deferredPrivate)
	to.EphemeralTo = s.ada
	for n, text := range []string{"One.", "Two."} {
		m := platform.Outgoing{Nonce: "tkcommand" + text[:1], Kind: platform.KindCommand, Text: text}
		s.post(to, m)
		if _, ok, err := s.a.Find(t.Context(), to, m.Nonce); err != nil || !ok {
			t.Errorf("post %d not found: %v", n, err)
		}
	}
	s.same(s.DM(s.ada), "One.", "Two.")
	for route, want := range map[string]int{"PATCH /webhooks/*": 1, "GET /webhooks/*": 0, "POST /users/@me/channels": 1} {
		if got := s.Calls(route); got != want {
			t.Errorf("%s %d times, want %d", route, got, want)
		}
	}
}

func TestAFileForOnePersonIsTheirs(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to, _ := s.command(deferredPrivate)
	to.EphemeralTo = s.ada
	f := platform.Upload{Nonce: "tkfile", Name: "all.jsonl", Data: []byte("{}"), Text: "JSONL"}
	if _, err := s.a.Upload(t.Context(), to, f); err != nil {
		t.Fatal(err)
	}
	got := s.ours(s.general)
	if len(got) != 1 || got[0].OnlyTo != s.ada || len(got[0].Attachments) != 1 {
		t.Errorf("messages %+v", got)
	}
	to.Interaction = ""
	if _, err := s.a.Upload(t.Context(), to, f); err != nil {
		t.Fatal(err)
	}
	if got := s.ours(s.DM(s.ada)); len(got) != 1 || len(got[0].Attachments) != 1 {
		t.Errorf("direct messages %+v", got)
	}
}

func TestInteractionsAreReadAsTheyWereWritten(t *testing.T) {
	for _, i := range []interaction{{"1", "2", "t_o-k.en", deferredClick}, {"1", "2", "t", deferredUnknown}} {
		if got, ok := readInteraction(i.String()); !ok || got != i {
			t.Errorf("%+v was read as %+v", i, got)
		}
	}
	for _, bad := range []string{"", "1/2", "a/2/t", "1/2/", "1/2/../x/y"} {
		if i, ok := readInteraction(bad); ok {
			t.Errorf("%q was read as %+v", bad, i)
		}
	}
}
