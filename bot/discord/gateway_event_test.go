package discord

import (
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

func TestEditsAndDeletions(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.run()
	one, two, three := w.say("one"), w.say("two"), w.say("three")
	w.s.Pin(w.general, one.ID)
	w.s.Edit(w.general, one.ID, "first")
	w.s.Delete(w.general, one.ID)
	w.s.Delete(w.general, two.ID, three.ID)
	gone := w.until(platform.EventDelete, 3)
	edits := w.received(platform.EventEdit)
	if len(edits) != 1 || edits[0].Text != "first" || edits[0].Message != one.ID || edits[0].Opens != one.ID {
		t.Errorf("edits %+v", edits)
	}
	for i, m := range []fakediscord.Message{one, two, three} {
		if !slices.ContainsFunc(gone, func(ev platform.Event) bool {
			return ev.Message == m.ID && ev.Key.Channel == w.general && ev.Opens == m.ID
		}) {
			t.Errorf("deletion %d is not told: %+v", i, gone)
		}
	}
}

func TestAnEditBringsWhatAForgottenMentionNeeds(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.run()
	m := w.s.Say(fakediscord.Said{User: w.ada, Channel: w.general, Text: "what is in it?", Files: []fakediscord.File{{Name: "a.txt", Data: []byte("a")}}})
	w.until(platform.EventMessage, 1)
	w.s.Edit(w.general, m.ID, "<@"+w.s.Bot().ID+"> what is in it?")
	edit := w.until(platform.EventEdit, 1)[0]
	if !edit.Mention || edit.Opens != m.ID || len(edit.Files) != 1 || edit.Text != "what is in it?" {
		t.Errorf("%+v", edit)
	}
}

// An announcement that a channel follows goes with its original, which is told as a flag.
func TestAFollowedAnnouncementGoesWithItsOriginal(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.run()
	tell := func(event, text string, flags int) {
		w.s.Dispatch(w.guild, event, map[string]any{"id": "4711", "channel_id": w.general, "guild_id": w.guild, "type": 0, "flags": flags, "webhook_id": "4710", "content": text,
			"edited_timestamp": nil, "attachments": []any{}, "author": map[string]any{"id": "4710", "username": "News", "bot": true}})
	}
	tell("MESSAGE_CREATE", "The code is 4711.", 1<<1)
	tell("MESSAGE_UPDATE", "[Original Message Deleted]", 1<<1|flagUnsaid)
	if gone := w.until(platform.EventDelete, 1)[0]; gone.Message != "4711" || len(w.until(platform.EventMessage, 1)) != 1 {
		t.Errorf("told %+v", gone)
	}
}

// Another program's deferred answer is empty at first, and what it then says is no edit.
func TestADeferredAnswerOfAProgramIsHeard(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.run()
	tell := func(event, text string, flags int, edited any) {
		w.s.Dispatch(w.guild, event, map[string]any{"id": "4711", "channel_id": w.general, "guild_id": w.guild, "type": typeCommandAnswer, "flags": flags,
			"content": text, "edited_timestamp": edited, "attachments": []any{}, "author": map[string]any{"id": "4710", "username": "CI", "bot": true}})
	}
	tell("MESSAGE_CREATE", "", flagLoading, nil)
	tell("MESSAGE_UPDATE", "Build 7 failed.", 0, nil)
	tell("MESSAGE_UPDATE", "Build 7 failed.", 0, nil) // a link in it was resolved
	tell("MESSAGE_UPDATE", "Build 7 is mended.", 0, "2026-11-20T10:05:00+00:00")
	edit := w.until(platform.EventEdit, 1)[0]
	if said := w.until(platform.EventMessage, 1); len(said) != 1 || said[0].Text != "Build 7 failed." || said[0].Author.Kind != memory.Bot || edit.Text != "Build 7 is mended." {
		t.Errorf("said %+v, edited %+v", said, edit)
	}
}

func TestAFileRemovedFromAMessageIsReported(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.run()
	m := w.s.Say(fakediscord.Said{User: w.ada, Channel: w.general, Text: "two files", Files: []fakediscord.File{{Name: "a.txt", Data: []byte("a")}, {Name: "b.txt", Data: []byte("b")}}})
	files := w.until(platform.EventMessage, 1)[0].Files
	if len(files) != 2 {
		t.Fatalf("files %+v", files)
	}
	w.s.Dispatch(w.guild, "MESSAGE_UPDATE", map[string]any{"id": m.ID, "channel_id": w.general, "guild_id": w.guild, "type": 0, "content": "one file",
		"author": map[string]any{"id": w.ada, "username": "ada"}, "member": map[string]any{"roles": []string{}}, "edited_timestamp": "2026-11-20T10:05:00+00:00",
		"attachments": []any{map[string]any{"id": files[1].PlatformID, "filename": "b.txt"}}})
	got := w.until(platform.EventFile, 1)
	if len(got) != 1 || got[0].Message != files[0].PlatformID {
		t.Errorf("told %+v", got)
	}
}

// Whose message was asked about may take it back, with what was attached to it.
func TestAFileOfADeletedMessageIsReported(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.run()
	m := w.s.Say(fakediscord.Said{User: w.bob, Channel: w.general, Text: "The report", Files: []fakediscord.File{{Name: "a.pdf", Data: []byte("%PDF")}}})
	w.s.Say(fakediscord.Said{User: w.ada, Channel: w.general, Text: "<@" + w.s.Bot().ID + "> sum it up", ReplyTo: m.ID})
	if ev := w.until(platform.EventMessage, 2)[1]; len(ev.Files) != 1 || ev.Files[0].PlatformID != m.Attachments[0].ID {
		t.Fatalf("read as %+v", ev)
	}
	w.s.Delete(w.general, m.ID)
	if ev := w.until(platform.EventFile, 1)[0]; ev.Message != m.Attachments[0].ID || ev.Key.Channel != w.general {
		t.Errorf("told %+v", ev)
	}
}

func TestThreadsForumsAndPrivateThreads(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.run()
	forum := w.s.AddChannel(w.guild, fakediscord.Channel{Name: "ideas", Type: fakediscord.ForumChannel})
	root := w.say("root")
	w.s.OpenThread(w.ada, w.general, root.ID, "a thread", false)
	w.s.Say(fakediscord.Said{User: w.bob, Channel: root.ID, Text: "in it"})
	post := w.s.Post(w.ada, forum, "an idea", "what about this?")
	w.s.Say(fakediscord.Said{User: w.bob, Channel: post, Text: "good"})
	private := w.s.PrivateThread(w.ada, w.general, "secret", w.s.Bot().ID)
	w.s.Say(fakediscord.Said{User: w.ada, Channel: private, Text: "psst"})
	got := w.until(platform.EventMessage, 5)
	want := map[string]struct {
		key    memory.Key
		joined bool
		kind   memory.ChannelKind
	}{
		"root":             {memory.Key{Platform: "discord", Workspace: w.guild, Channel: w.general}, false, memory.Public},
		"in it":            {memory.Key{Platform: "discord", Workspace: w.guild, Channel: w.general, Thread: root.ID}, true, memory.Public},
		"what about this?": {memory.Key{Platform: "discord", Workspace: w.guild, Channel: forum, Thread: post}, false, memory.Public},
		"good":             {memory.Key{Platform: "discord", Workspace: w.guild, Channel: forum, Thread: post}, true, memory.Public},
		"psst":             {memory.Key{Platform: "discord", Workspace: w.guild, Channel: private, Thread: private}, true, memory.Private},
	}
	if len(got) != len(want) {
		t.Errorf("%d messages, want %d", len(got), len(want))
	}
	for _, ev := range got {
		if x := want[ev.Text]; ev.Key != x.key || ev.Joined != x.joined || ev.Channel.Kind != x.kind {
			t.Errorf("%q: key %+v, joined %v, %s; want %+v", ev.Text, ev.Key, ev.Joined, ev.Channel.Kind, x)
		}
	}
}

// Discord puts whoever is mentioned into a private thread, and tells them of it then.
func TestAMentionBringsUsIntoAPrivateThread(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.run()
	var private []string
	for _, mention := range []string{"<@" + w.s.Bot().ID + ">", "<@&" + w.s.BotRole(w.guild) + ">"} {
		id := w.s.PrivateThread(w.ada, w.general, "secret")
		private = append(private, id)
		w.s.Say(fakediscord.Said{User: w.ada, Channel: id, Text: "among ourselves"})
		w.s.Say(fakediscord.Said{User: w.ada, Channel: id, Text: mention + " what is this?"})
		w.s.Say(fakediscord.Said{User: w.ada, Channel: id, Text: "and that?"})
	}
	w.until(platform.EventMessage, 4)
	for n, id := range private {
		var texts []string
		for _, ev := range w.received(platform.EventMessage) {
			if ev.Key.Thread == id && ev.Mention == (ev.Text == "what is this?") {
				texts = append(texts, ev.Text)
			}
		}
		if !slices.Equal(texts, []string{"what is this?", "and that?"}) {
			t.Errorf("thread %d: received %q", n, texts)
		}
	}
}

func TestDeletedThreadsAndChannelsAreReported(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.run()
	root := w.say("root")
	w.s.OpenThread(w.ada, w.general, root.ID, "a thread", false)
	private := w.s.PrivateThread(w.ada, w.general, "secret", w.s.Bot().ID)
	w.s.DeleteChannel(root.ID)
	got := w.until(platform.EventDelete, 1)
	if k := got[0].Key; k.Thread != root.ID || k.Channel != w.general || got[0].Message != "" {
		t.Errorf("told %+v", got[0])
	}
	w.s.DeleteChannel(w.general)
	w.until(platform.EventDelete, 3)
	var keys []memory.Key
	for _, ev := range w.received(platform.EventDelete)[1:] {
		keys = append(keys, ev.Key)
	}
	for _, k := range []memory.Key{{Platform: "discord", Workspace: w.guild, Channel: w.general}, {Platform: "discord", Workspace: w.guild, Channel: private, Thread: private}} {
		if !slices.Contains(keys, k) {
			t.Errorf("%+v is not told: %+v", k, keys)
		}
	}
}

func TestBeingAddedToAGuild(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.run()
	w.say("settled")
	w.until(platform.EventMessage, 1)
	if got := w.received(platform.EventJoin); len(got) != 0 {
		t.Fatalf("told of a guild we were in: %+v", got)
	}
	at := time.Now().UTC().Format(time.RFC3339)
	create := map[string]any{"id": "4001", "owner_id": w.ada, "joined_at": at, "system_channel_id": "4002",
		"roles": []any{map[string]any{"id": "4001", "name": "@everyone", "permissions": "66560"}}, "channels": []any{map[string]any{"id": "4002", "type": 0, "name": "lobby"}}}
	w.s.Dispatch(w.guild, "GUILD_CREATE", create)
	w.s.Dispatch(w.guild, "GUILD_CREATE", create)
	got := w.until(platform.EventJoin, 1)
	if len(got) != 1 || got[0].Key != (memory.Key{Platform: "discord", Workspace: "4001", Channel: "4002"}) || got[0].Channel.Kind != memory.Public {
		t.Errorf("told %+v", got)
	}
}

func TestChannelKinds(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	secret := w.s.AddChannel(w.guild, fakediscord.Channel{Name: "secret", Type: fakediscord.TextChannel})
	kind := func(workspace, channel string) memory.ChannelKind {
		c, err := w.a.Channel(t.Context(), memory.Key{Platform: "discord", Workspace: workspace, Channel: channel})
		if err != nil {
			t.Fatal(err)
		}
		return c.Kind
	}
	if k := kind(w.guild, secret); k != memory.Public {
		t.Errorf("a channel everybody sees is %s", k)
	}
	w.run()
	w.say("connected")
	w.until(platform.EventMessage, 1)
	w.s.SetOverwrites(secret, fakediscord.Overwrite{ID: w.guild, Type: 0, Deny: "1024"}, fakediscord.Overwrite{ID: w.s.Bot().ID, Type: 1, Allow: "1024"})
	w.eventually(func() bool { return kind(w.guild, secret) == memory.Private }, "a channel that became private")
	if k := kind("@me", w.s.DM(w.ada)); k != memory.DM {
		t.Errorf("direct messages are %s", k)
	}
	if _, err := w.a.Channel(t.Context(), memory.Key{Platform: "discord", Workspace: w.guild, Channel: "1"}); !errors.Is(err, platform.ErrUndeliverable) {
		t.Errorf("a channel that is not there: %v", err)
	}
}

// TestTheChatOfAVoiceChannelIsForThoseWhoMayConnect looks at a voice and a stage channel
// that everybody sees, before and after they are closed to all but some.
func TestTheChatOfAVoiceChannelIsForThoseWhoMayConnect(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	role := w.s.AddRole(w.guild, "Crew", fakediscord.Connect, w.s.Bot().ID, w.ada)
	w.run()
	for name, kind := range map[string]int{"voice": fakediscord.VoiceChannel, "stage": fakediscord.StageChannel} {
		id := w.s.AddChannel(w.guild, fakediscord.Channel{Name: name, Type: kind})
		is := func(want memory.ChannelKind) {
			t.Helper()
			w.eventually(func() bool {
				c, err := w.a.Channel(t.Context(), memory.Key{Platform: "discord", Workspace: w.guild, Channel: id})
				return err == nil && c.Kind == want
			}, name+" "+string(want))
		}
		is(memory.Public)
		w.s.SetOverwrites(id, fakediscord.Overwrite{ID: w.guild, Deny: itoa(fakediscord.Connect)}, fakediscord.Overwrite{ID: role, Allow: itoa(fakediscord.Connect)})
		is(memory.Private)
		w.s.Say(fakediscord.Said{User: w.ada, Channel: id, Text: "<@" + w.s.Bot().ID + "> in " + name})
	}
	for _, ev := range w.until(platform.EventMessage, 2) {
		if ev.Channel.Kind != memory.Private {
			t.Errorf("%s is said in a %s channel", ev.Text, ev.Channel.Kind)
		}
	}
}

// spy counts downloads that carry the bot's token.
type spy struct{ tokens atomic.Int32 }

func (s *spy) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Header.Get("Authorization") != "" && !strings.HasPrefix(r.URL.Path, "/api/") {
		s.tokens.Add(1)
	}
	return http.DefaultTransport.RoundTrip(r)
}

func TestFiles(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	spy := &spy{}
	w.a.HTTP = &http.Client{Transport: spy}
	w.run()
	m := w.s.Say(fakediscord.Said{User: w.ada, Channel: w.general, Text: "read this", Files: []fakediscord.File{{Name: "a.txt", Data: []byte("the text")}}})
	f := w.until(platform.EventMessage, 1)[0].Files[0]
	open := func(f memory.File) (string, error) {
		r, err := w.a.Open(t.Context(), f)
		if err != nil {
			return "", err
		}
		defer r.Close()
		b, err := io.ReadAll(r)
		return string(b), err
	}
	if text, err := open(f); err != nil || text != "the text" {
		t.Fatalf("read %q, %v", text, err)
	}
	l, err := readLocator(f.Locator)
	if err != nil {
		t.Fatal(err)
	}
	stale := f
	stale.Locator = locator{l.Channel, l.Message, l.Attachment, w.s.URL() + "/attachments/1/2/a.txt?ex=1&is=1&hm=1"}.String()
	if text, err := open(stale); err != nil || text != "the text" {
		t.Errorf("with an expired address: %q, %v", text, err)
	}
	stale.Locator = locator{l.Channel, l.Message, l.Attachment, w.s.URL() + "/attachments/1/2/a.txt?ex=ffffffffff"}.String()
	if text, err := open(stale); err != nil || text != "the text" {
		t.Errorf("with an address that is refused: %q, %v", text, err)
	}
	for name, address := range map[string]string{"a foreign host": "https://example.com/a.txt", "no TLS": "http://cdn.discordapp.com/a.txt",
		"a user": "https://me@cdn.discordapp.com/a.txt", "a lookalike": "https://cdn.discordapp.com.example.com/a.txt", "nothing": "", "a file": "file:///etc/passwd"} {
		other := f
		other.Locator = locator{l.Channel, l.Message, l.Attachment, address}.String()
		if text, err := open(other); !errors.Is(err, platform.ErrFileGone) {
			t.Errorf("from %s: %q, %v", name, text, err)
		}
	}
	w.s.RefuseFile(http.StatusForbidden)
	if text, err := open(f); err != nil || text != "the text" {
		t.Errorf("with a new address after it was refused: %q, %v", text, err)
	}
	var later *platform.RetryError
	w.s.RefuseFile(http.StatusServiceUnavailable, http.StatusTooManyRequests)
	if _, err := open(f); err == nil || errors.Is(err, platform.ErrFileGone) {
		t.Errorf("while the host of files is away: %v", err)
	}
	if _, err := open(f); !errors.As(err, &later) || later.After != time.Second || errors.Is(err, platform.ErrFileGone) {
		t.Errorf("beyond a limit: %v", err)
	}
	if spy.tokens.Load() > 0 {
		t.Error("the token was sent with a download")
	}
	w.s.Delete(w.general, m.ID)
	if _, err := open(f); !errors.Is(err, platform.ErrFileGone) {
		t.Errorf("of a deleted message: %v", err)
	}
	if _, err := open(memory.File{Locator: "x"}); !errors.Is(err, platform.ErrFileGone) {
		t.Errorf("without a locator: %v", err)
	}
}

func TestAThreadIsNamedAfterTheEditedMessage(t *testing.T) {
	t.Parallel()
	w := newTown(t, fakediscord.Options{})
	w.run()
	m := w.say("<@" + w.s.Bot().ID + "> the launch code is walrus")
	ev := w.until(platform.EventMessage, 1)[0]
	w.s.Edit(w.general, m.ID, "<@"+w.s.Bot().ID+"> never mind")
	w.until(platform.EventEdit, 1)
	key := ev.Key
	key.Thread = m.ID
	if _, err := w.a.Post(t.Context(), platform.Address{Key: key, ReplyTo: m.ID}, platform.Outgoing{Text: "All right."}); err != nil {
		t.Fatal(err)
	}
	for _, r := range w.s.Requests() {
		if strings.Contains(r.Body, "walrus") {
			t.Errorf("%s %s tells what was taken back: %s", r.Method, r.Path, r.Body)
		}
	}
	if thread, _ := w.s.Channel(m.ID); thread.Name != "never mind" {
		t.Errorf("the thread is called %q", thread.Name)
	}
}
