package discord

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot/discord/fakediscord"
	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

func TestAnAnswerOpensTheThreadOfItsQuestion(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to := s.ask("<@" + s.Bot().ID + "> How **long** is the warranty? We bought it in May.")
	ref := s.post(to, reply("Three years."))
	s.same(to.Key.Thread, "Three years.")
	threads := s.Threads(s.general)
	if len(threads) != 1 || threads[0].Name != "How long is the warranty?" || threads[0].ThreadMetadata.AutoArchiveDuration != 1440 {
		t.Errorf("threads %+v", threads)
	}
	m := s.ours(to.Key.Thread)[0]
	if want := "https://discord.com/channels/" + s.guild + "/" + to.Key.Thread + "/" + m.ID; s.a.Link(ref) != want {
		t.Errorf("link %s, want %s", s.a.Link(ref), want)
	}
	if m.Flags&flagNoEmbeds == 0 || m.Notifies != 0 {
		t.Errorf("flags %d, notifies %d", m.Flags, m.Notifies)
	}
	s.post(to, platform.Outgoing{Nonce: "tk2", Kind: platform.KindReply, Text: "And a half."})
	if n := s.Calls("POST /channels/{channel}/messages/{message}/threads"); n != 1 {
		t.Errorf("the thread was opened %d times", n)
	}
}

// Discord's own filter and a server's refuse words in names.
func TestAThreadWhoseNameIsRefusedGetsAnother(t *testing.T) {
	for _, code := range []int{20031, 50035, 200001} {
		s := newStage(t, fakediscord.Options{})
		to := s.ask("What does this rude word mean?")
		s.Break(fakediscord.Fault{Route: "POST /channels/{channel}/messages/{message}/threads", Status: 400, Code: code})
		s.post(to, reply("It is rude."))
		s.same(to.Key.Thread, "It is rude.")
		if threads := s.Threads(s.general); len(threads) != 1 || threads[0].Name != "Conversation" {
			t.Errorf("%d: threads %+v", code, threads)
		}
	}
}

func TestAnExistingThreadIsUsed(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to := s.ask("What is this?")
	s.OpenThread(s.ada, s.general, to.Key.Thread, "mine", false)
	s.post(to, reply("A thread."))
	s.same(to.Key.Thread, "A thread.")
}

func TestWithoutThreadsTheChannelIsAnswered(t *testing.T) {
	for name, missing := range map[string]uint64{"none may be opened": fakediscord.CreatePublicThreads, "none may be written to": fakediscord.SendMessagesInThreads} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, fakediscord.Options{})
			s.SetOverwrites(s.general, fakediscord.Overwrite{ID: s.Bot().ID, Type: 1, Deny: itoa(missing)})
			to := s.ask("Anybody there?")
			m := reply("I am.")
			m.Buttons = []platform.Button{{Label: "Retry", Action: "retry"}}
			ref := s.post(to, m)
			s.same(s.general, "I am.")
			got := s.ours(s.general)[0]
			if got.MessageReference == nil || got.MessageReference.MessageID != to.ReplyTo || got.Notifies != 0 {
				t.Errorf("no silent reply: %+v", got.Message)
			}
			action, k := readCustomID(got.Components[0].Components[0].CustomID)
			if action != "retry" || k.thread != to.Key.Thread || k.nonce != m.Nonce {
				t.Errorf("button %q of %+v", action, k)
			}
			if threads := s.Threads(s.general); len(threads) != 0 {
				t.Errorf("threads %+v", threads)
			}
			if found, ok, err := s.adapter().Find(t.Context(), to, m.Nonce); err != nil || !ok || s.a.Link(found) != s.a.Link(ref) {
				t.Errorf("found %v %v %v, want %v", found, ok, err, ref)
			}
		})
	}
}

func TestWithTooManyThreadsTheChannelIsAnswered(t *testing.T) {
	for _, code := range []int{160006, 160007} { // of announcement channels
		s := newStage(t, fakediscord.Options{})
		s.Break(fakediscord.Fault{Route: "POST /channels/{channel}/messages/{message}/threads", Status: 400, Code: code, Times: -1})
		s.post(s.ask("Anybody there?"), reply("I am."))
		s.same(s.general, "I am.")
	}
}

// No thread is left behind in which nothing stands, and the bot is told where nothing may be said.
func TestWithoutPermissionToWriteThereIsNoAnswer(t *testing.T) {
	for name, mute := range map[string]func(*stage){
		"no permissions": func(s *stage) {
			s.SetOverwrites(s.general, fakediscord.Overwrite{ID: s.Bot().ID, Type: 1, Deny: itoa(fakediscord.SendMessages | fakediscord.SendMessagesInThreads)})
		},
		"timed out": func(s *stage) { s.Timeout(s.guild, s.Bot().ID, time.Hour) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, fakediscord.Options{})
			mute(s)
			to := s.ask("Anybody there?")
			var muted *platform.CannotPostError
			if _, err := s.a.Post(t.Context(), to, reply("I am.")); !errors.Is(err, platform.ErrUndeliverable) || !errors.As(err, &muted) {
				t.Fatal(err)
			}
			if want := "https://discord.com/channels/" + s.guild + "/" + s.general + "/" + to.ReplyTo; muted.Asked != want {
				t.Errorf("asked at %q, want %q", muted.Asked, want)
			}
			// Who asked is told directly.
			s.post(platform.Address{Key: to.Key, EphemeralTo: s.ada, Asker: s.ada}, platform.Outgoing{Nonce: "tk2", Kind: platform.KindNotice, Text: "I may not write there."})
			if threads := s.Threads(s.general); len(threads) != 0 {
				t.Errorf("threads %+v", threads)
			}
			if dm := s.texts(s.DM(s.ada)); len(dm) != 1 || !strings.Contains(dm[0], "I may not write there.") {
				t.Errorf("told %q", dm)
			}
		})
	}
}

// A conversation that is held in the channel, for want of a thread, goes on there, also
// after a restart; what is answered then is the message that goes on with it.
func TestAConversationWithoutAThreadContinues(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	s.SetOverwrites(s.general, fakediscord.Overwrite{ID: s.Bot().ID, Type: 1, Deny: itoa(fakediscord.CreatePublicThreads)})
	to := s.ask("The code is 4711")
	m := reply("I keep it in mind.")
	m.Feedback = true
	s.post(to, m)
	shown := s.ours(s.general)[0]
	if b, err := json.Marshal(shown.Message); err != nil {
		t.Fatal(err)
	} else if ev, _ := readMessage(saidIn(t, "<@900> what was it?", map[string]any{"type": typeReply, "referenced_message": json.RawMessage(b)}),
		scene{me: identity{User: s.Bot().ID}, at: wireChannel{ID: s.general, GuildID: s.guild}, name: s.a.places.name}); ev.Opens != to.Key.Thread {
		t.Fatalf("a reply to it opens %q, want %q", ev.Opens, to.Key.Thread)
	}

	next := to
	next.ReplyTo = s.Say(fakediscord.Said{User: s.ada, Channel: s.general, Text: "What was it?", ReplyTo: shown.ID}).ID
	s.a = s.adapter() // a restart
	answer := reply("4711.")
	answer.Nonce = "tk2"
	ref := s.post(next, answer)
	if found, ok, err := s.adapter().Find(t.Context(), next, answer.Nonce); err != nil || !ok || s.a.Link(found) != s.a.Link(ref) {
		t.Errorf("found %v %v %v, want %v", found, ok, err, ref)
	}
	clicked := to
	clicked.ReplyTo = shown.ID
	s.a = s.adapter()
	answer.Nonce, answer.Text = "tk3", "As you chose."
	s.post(clicked, answer)
	s.same(s.general, "I keep it in mind.", "4711.", "As you chose.")
	for i, want := range []string{to.ReplyTo, next.ReplyTo, shown.ID} {
		if got := s.ours(s.general)[i].MessageReference; got == nil || got.MessageID != want {
			t.Errorf("message %d replies to %+v, want %s", i, got, want)
		}
	}

	// What was said in a thread is not answered in its channel when the thread is gone.
	gone := s.Say(fakediscord.Said{User: s.ada, Channel: s.general, Text: "Elsewhere"}).ID
	s.OpenThread(s.ada, s.general, gone, "Elsewhere", false)
	inside := platform.Address{Key: memory.Key{Platform: "discord", Workspace: s.guild, Channel: s.general, Thread: gone}}
	inside.ReplyTo = s.Say(fakediscord.Said{User: s.ada, Channel: gone, Text: "A secret?"}).ID
	s.DeleteChannel(gone)
	if _, err := s.a.Post(t.Context(), inside, answer); !errors.Is(err, platform.ErrUndeliverable) {
		t.Errorf("posted: %v", err)
	}
}

// Somebody who types a command looks for the answer where they typed it.
func TestATypedCommandIsAnsweredWhereItWasTyped(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to := inChannel(s.ask("help"))
	to.Event, to.EphemeralTo = "message:"+to.ReplyTo, s.ada
	ref := s.post(to, reply("I can do this."))
	s.same(s.general, "I can do this.")
	s.same(s.DM(s.ada))
	if got := s.ours(s.general)[0]; got.MessageReference == nil || got.MessageReference.MessageID != to.ReplyTo {
		t.Errorf("no reply: %+v", got.Message)
	}
	if found, ok, err := s.adapter().Find(t.Context(), to, reply("").Nonce); err != nil || !ok || s.a.Link(found) != s.a.Link(ref) {
		t.Errorf("found %v %v %v, want %v", found, ok, err, ref)
	}

	// A file is for them alone, as far as Discord lets us write to them.
	file := platform.Upload{Nonce: "tkfile", Name: "all.jsonl", Data: []byte("{}"), Text: "All of it", Language: "de"}
	ref, err := s.a.Upload(t.Context(), to, file)
	if err != nil {
		t.Fatal(err)
	}
	s.same(s.DM(s.ada), "All of it")
	s.same(s.general, "I can do this.", "all.jsonl ist in deinen Direktnachrichten mit mir.")
	if found, ok, err := s.adapter().Find(t.Context(), to, file.Nonce); err != nil || !ok {
		t.Errorf("found %v %v %v, want %v", found, ok, err, ref)
	}
	s.CloseDMs(s.ada)
	file.Nonce = "tkfile2"
	if _, err := s.a.Upload(t.Context(), to, file); err != nil {
		t.Fatal(err)
	}
	if got := s.ours(s.general); len(got) != 3 || len(got[2].Attachments) != 1 || got[2].OnlyTo != "" {
		t.Errorf("in the channel: %q", s.texts(s.general))
	}

	// Neither does why they get no answer reach them directly; what is said beside one is private.
	why := platform.Outgoing{Nonce: "tkwhy", Kind: platform.KindNotice, Text: "Not for you."}
	if ref, err = s.a.Post(t.Context(), to, why); err != nil {
		t.Fatal(err)
	}
	if got := s.ours(s.general); len(got) != 4 || !strings.Contains(got[3].Content, why.Text) || got[3].MessageReference == nil || got[3].MessageReference.MessageID != to.ReplyTo {
		t.Errorf("in the channel: %q", s.texts(s.general))
	}
	if found, ok, err := s.adapter().Find(t.Context(), to, why.Nonce); err != nil || !ok || s.a.Link(found) != s.a.Link(ref) {
		t.Errorf("found %v %v %v, want %v", found, ok, err, ref)
	}
	beside := to
	beside.ReplyTo = ""
	if _, err := s.a.Post(t.Context(), beside, why); !errors.Is(err, platform.ErrUndeliverable) {
		t.Errorf("posted: %v", err)
	}

	// What a slash command answers is for one person, also once it is too late to answer it.
	to.Event = "interaction:1"
	if _, err := s.a.Post(t.Context(), to, platform.Outgoing{Nonce: "tk5", Text: "Late."}); !errors.Is(err, platform.ErrUndeliverable) {
		t.Errorf("posted: %v", err)
	}
}

func TestAnArchivedThreadWakesAndALockedOneDoesNot(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to := s.ask("Old?")
	ref := s.post(to, reply("No."))
	s.SetThread(to.Key.Thread, true, false)
	if _, err := s.a.Edit(t.Context(), ref, reply("Yes.")); err != nil {
		t.Fatal(err)
	}
	s.SetThread(to.Key.Thread, true, false)
	s.post(to, platform.Outgoing{Nonce: "tk2", Text: "Very."})
	s.same(to.Key.Thread, "Yes.", "Very.")
	s.SetPermissions(s.guild, fakediscord.ViewChannel|fakediscord.SendMessages|fakediscord.SendMessagesInThreads|fakediscord.ReadMessageHistory)
	s.SetThread(to.Key.Thread, true, true)
	if _, err := s.a.Post(t.Context(), to, platform.Outgoing{Nonce: "tk3", Text: "Still?"}); !errors.Is(err, platform.ErrUndeliverable) {
		t.Errorf("a locked thread: %v", err)
	}
}

// In a locked thread nothing of ours may be changed; while it is not archived we may delete.
func TestAnErasureInALockedThread(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to := s.ask("Secret?")
	long := reply(strings.Repeat("All of it is here. ", 320))
	ref := s.post(to, long)
	erased := platform.Outgoing{Nonce: long.Nonce, Kind: platform.KindErased, Text: "[erased]"}
	s.SetThread(to.Key.Thread, true, true)
	for range 2 {
		if _, err := s.a.Edit(t.Context(), ref, erased); !errors.Is(err, platform.ErrLocked) {
			t.Errorf("locked and archived: %v", err)
		}
	}
	s.SetThread(to.Key.Thread, false, true)
	if _, err := s.a.Edit(t.Context(), ref, reply("Changed.")); !errors.Is(err, platform.ErrUndeliverable) {
		t.Errorf("changed: %v", err)
	}
	if _, err := s.a.Edit(t.Context(), ref, erased); err != nil {
		t.Fatal(err)
	}
	s.same(to.Key.Thread)
}

func TestALockedThreadIsNotAnsweredElsewhere(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to := s.ask("Old?")
	s.OpenThread(s.ada, s.general, to.Key.Thread, "Ada's", false)
	to.ReplyTo = "" // as the answer to a click
	s.post(to, reply("No."))
	s.SetThread(to.Key.Thread, true, true)
	if _, err := s.a.Post(t.Context(), to, platform.Outgoing{Nonce: "tk3", Text: "Still?"}); !errors.Is(err, platform.ErrUndeliverable) {
		t.Errorf("a locked thread: %v", err)
	}
	if strayed := s.ours(s.general); len(strayed) != 0 {
		t.Errorf("said in the channel instead: %+v", strayed)
	}
	s.SetThread(to.Key.Thread, false, false)
	s.post(to, platform.Outgoing{Nonce: "tk4", Text: "Open again."})
	s.same(to.Key.Thread, "No.", "Open again.")
}

func TestALongAnswerIsOnePostOfSeveralMessages(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to := s.ask("Tell me everything")
	m := reply(strings.Repeat("All of it is here. ", 320))
	m.Feedback = true
	ref := s.post(to, m)
	got := s.ours(to.Key.Thread)
	if len(got) != 4 {
		t.Fatalf("%d messages", len(got))
	}
	for i, g := range got {
		if has := len(g.Components) > 0; has != (i == len(got)-1) {
			t.Errorf("message %d has buttons: %v", i, has)
		}
	}
	m.Text = strings.Repeat("Most of it is here. ", 150)
	if _, err := s.a.Edit(t.Context(), ref, m); err != nil {
		t.Fatal(err)
	}
	if got := s.ours(to.Key.Thread); len(got) != 2 || len(got[1].Components) != 1 {
		t.Errorf("after a shorter edit %d messages", len(got))
	}
}

func TestAnErasedPostKeepsNothing(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to := inChannel(s.ask("secret"))
	m := reply("You said: secret" + strings.Repeat(" and more", 400))
	m.Feedback = true
	ref := s.post(to, m)
	if _, err := s.a.Edit(t.Context(), ref, platform.Outgoing{Nonce: m.Nonce, Kind: platform.KindErased, Text: "[erased]", Citations: nil}); err != nil {
		t.Fatal(err)
	}
	s.same(s.general, "-# [erased]")
	if n := len(s.ours(s.general)[0].Components); n != 0 {
		t.Errorf("%d rows of buttons are left", n)
	}
	file, err := s.a.Upload(t.Context(), to, platform.Upload{Nonce: "tkfile", Name: "a/b:c.txt", Data: []byte("secret")})
	if err != nil {
		t.Fatal(err)
	}
	if a := s.ours(s.general)[1].Attachments; len(a) != 1 || a[0].Filename != "a_b_c.txt" {
		t.Fatalf("files %+v", a)
	}
	if _, err := s.a.Edit(t.Context(), file, platform.Outgoing{Kind: platform.KindErased, Text: "[erased]"}); err != nil {
		t.Fatal(err)
	}
	if a := s.ours(s.general)[1].Attachments; len(a) != 0 {
		t.Errorf("files %+v are left", a)
	}
}

func TestACreateThatIsRepeatedPostsOnce(t *testing.T) {
	for name, f := range map[string]fakediscord.Fault{
		"answer lost":    {Route: "POST /channels/{channel}/messages", After: true},
		"500 after it":   {Route: "POST /channels/{channel}/messages", After: true, Status: 500},
		"502 after it":   {Route: "POST /channels/{channel}/messages", After: true, Status: 502, Times: 2},
		"503 before it":  {Route: "POST /channels/{channel}/messages", Status: 503},
		"thread, lost":   {Route: "POST /channels/{channel}/messages/{message}/threads", After: true},
		"thread, 500":    {Route: "POST /channels/{channel}/messages/{message}/threads", After: true, Status: 500},
		"429":            {Route: "POST /channels/{channel}/messages", Status: 429, RetryAfter: 20 * time.Millisecond},
		"429, HTML":      {Route: "POST /channels/{channel}/messages", Status: 429, HTML: true, RetryAfter: time.Second},
		"429, shared":    {Route: "POST /channels/{channel}/messages", Status: 429, Scope: "shared", RetryAfter: 20 * time.Millisecond},
		"429, the whole": {Route: "POST /channels/{channel}/messages", Status: 429, Scope: "global", RetryAfter: 20 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, fakediscord.Options{})
			s.Break(f)
			to := s.ask("Once?")
			s.post(to, reply("Once."))
			s.same(to.Key.Thread, "Once.")
			if n := s.Unmet(); n > 0 {
				t.Errorf("%d faults never happened", n)
			}
		})
	}
}

func TestAPostThatNeverAnsweredIsFoundLater(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to := s.ask("Still there?")
	m := reply(strings.Repeat("Yes, I am. ", 400))
	m.Feedback = true
	s.Break(fakediscord.Fault{Route: "POST /channels/{channel}/messages", After: true, Times: -1})
	if _, err := s.a.Post(t.Context(), to, m); err == nil {
		t.Fatal("the answer was lost, but no error")
	}
	s.Mend()
	again := s.adapter()
	ref, ok, err := again.Find(t.Context(), to, m.Nonce)
	if err != nil || !ok {
		t.Fatal("not found:", err)
	}
	if _, err := again.Edit(t.Context(), ref, m); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(s.texts(to.Key.Thread), " "); strings.Count(got, "Yes, I am.") != 400 {
		t.Errorf("%d of 400 sentences", strings.Count(got, "Yes, I am."))
	}
}

// Discord keeps a nonce for a few minutes only.
func TestAPostIsFoundWithoutItsNonce(t *testing.T) {
	for name, at := range map[string]func(*stage) platform.Address{
		"in a thread":  func(s *stage) platform.Address { return s.ask("Found?") },
		"in a channel": func(s *stage) platform.Address { return inChannel(s.ask("Found?")) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, fakediscord.Options{})
			to := at(s)
			s.post(to, platform.Outgoing{Nonce: "tkother", Kind: platform.KindNotice, Text: "What is said here is kept."})
			m := reply(strings.Repeat("Found it. ", 400))
			m.Feedback = true
			want := s.post(to, m)
			later := forgetful(s)
			ref, ok, err := later.Find(t.Context(), to, m.Nonce)
			if err != nil || !ok || ref != want {
				t.Errorf("found %v %v %v, want %v", ref, ok, err, want)
			}
			if _, ok, err := later.Find(t.Context(), to, "tkffffffffffffffffffff"); ok || err != nil {
				t.Errorf("found what is not there: %v %v", ok, err)
			}
		})
	}
}

func TestAReplyIsFoundByWhatItRepliesTo(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to := inChannel(s.ask("Found?"))
	s.post(to, platform.Outgoing{Nonce: "tknotice", Kind: platform.KindNotice, Text: "What is said here is kept."})
	want := s.post(to, reply("Stopped."))
	if ref, ok, err := forgetful(s).Find(t.Context(), to, reply("").Nonce); err != nil || !ok || ref != want {
		t.Errorf("found %v %v %v, want %v", ref, ok, err, want)
	}
}

// forgetful is an adapter whose Discord tells no nonces.
func forgetful(s *stage) *Adapter {
	a := s.adapter()
	a.client().Transport = withoutNonces{a.client().Transport}
	return a
}

func TestUndeliverableAnswers(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to := inChannel(s.ask("Hello"))
	ref := s.post(to, reply("Hello."))
	r, err := parseRef(ref)
	if err != nil {
		t.Fatal(err)
	}
	s.Delete(s.general, r.Messages[0])
	if _, err := s.a.Edit(t.Context(), ref, reply("Hi.")); !errors.Is(err, platform.ErrUndeliverable) {
		t.Errorf("a deleted post: %v", err)
	}
	for _, bad := range []platform.Ref{"", "{}", `{"channel":"../../users/@me","messages":["1"]}`, `{"channel":"1","messages":[]}`, `{"channel":"1","messages":["1/x"]}`} {
		if _, err := s.a.Edit(t.Context(), bad, reply("Hi.")); !errors.Is(err, platform.ErrUndeliverable) || s.a.Link(bad) != "" {
			t.Errorf("%s: %v, link %q", bad, err, s.a.Link(bad))
		}
	}
	s.SetOverwrites(s.general, fakediscord.Overwrite{ID: s.Bot().ID, Type: 1, Deny: itoa(fakediscord.SendMessages)})
	if _, err := s.a.Post(t.Context(), to, reply("Hi.")); !errors.Is(err, platform.ErrUndeliverable) {
		t.Errorf("a forbidden channel: %v", err)
	}
	s.DeleteChannel(s.general)
	if _, err := s.a.Post(t.Context(), to, reply("Hi.")); !errors.Is(err, platform.ErrUndeliverable) {
		t.Errorf("a deleted channel: %v", err)
	}
	for _, f := range []fakediscord.Fault{{Status: 500}, {Status: 503}, {Status: 403, HTML: true}} { // the last is Cloudflare's
		f.Times = -1
		s.Break(f)
		if _, err := s.a.Post(t.Context(), to, reply("Hi.")); err == nil || errors.Is(err, platform.ErrUndeliverable) {
			t.Errorf("%d: %v", f.Status, err)
		}
		s.Mend()
	}
	s.Break(fakediscord.Fault{Status: http.StatusNotFound})
	if _, err := s.a.Post(t.Context(), to, reply("Hi.")); !errors.Is(err, platform.ErrUndeliverable) {
		t.Errorf("404 without a code: %v", err)
	}
	s.Break(fakediscord.Fault{Status: http.StatusTooManyRequests, RetryAfter: time.Minute})
	var later *platform.RetryError
	if _, err := s.a.Post(t.Context(), to, reply("Hi.")); !errors.As(err, &later) || later.After < 50*time.Second {
		t.Errorf("429: %v", err)
	}
}

func TestAFileThatIsTooLargeIsSaidSo(t *testing.T) {
	s := newStage(t, fakediscord.Options{UploadLimit: 1 << 20})
	to := inChannel(s.ask("export"))
	for _, size := range []int{maxUpload + 1, 2 << 20} {
		if _, err := s.a.Upload(t.Context(), to, platform.Upload{Nonce: "tk" + itoa(uint64(size)), Name: "all.jsonl", Data: make([]byte, size), Text: "JSONL"}); err != nil {
			t.Fatal(err)
		}
	}
	for _, text := range s.texts(s.general) {
		if !strings.Contains(text, "all.jsonl is too large") {
			t.Errorf("said %q", text)
		}
	}
}

func TestAPostThatGrowsAgainIsWhole(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to := s.ask("Tell me everything")
	long := reply(strings.Repeat("All of it is here. ", 250))
	w, err := s.a.writerFor(t.Context(), to, long.Kind, long.Nonce)
	if err != nil {
		t.Fatal(err)
	}
	short := reply("Some of it.")
	for _, step := range []struct {
		m    platform.Outgoing
		want int
	}{{long, 3}, {short, 1}, {long, 3}} {
		if _, err := w.finish(t.Context(), step.m); err != nil {
			t.Fatal(err)
		}
		if got := s.ours(to.Key.Thread); len(got) != step.want {
			t.Errorf("%d messages, want %d", len(got), step.want)
		}
	}
}

func TestWithoutHistoryTheAnswerIsNotAReply(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	s.SetOverwrites(s.general, fakediscord.Overwrite{ID: s.Bot().ID, Type: 1, Deny: itoa(fakediscord.ReadMessageHistory)})
	s.post(inChannel(s.ask("Anybody?")), reply("Me."))
	s.same(s.general, "Me.")
	s.Break(fakediscord.Fault{Route: "POST /channels/{channel}/messages", Status: 403, Code: 160002}) // what it said before 2026
	s.post(inChannel(s.ask("Who?")), platform.Outgoing{Nonce: "tk2", Text: "I."})
	s.same(s.general, "Me.", "I.")
}

// That a file is refused says nothing of the thread: what follows goes there as before.
func TestARefusedFileLeavesTheThreadOpen(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	s.SetOverwrites(s.general, fakediscord.Overwrite{ID: s.Bot().ID, Type: 1, Deny: itoa(fakediscord.AttachFiles)})
	to := s.ask("Show me the page")
	s.post(to, reply("Page 3 says so."))
	s.a = s.adapter()
	page := platform.Address{Key: to.Key} // as "Show page" asks for it
	if _, err := s.a.Upload(t.Context(), page, platform.Upload{Nonce: "tk1", Name: "page-3.png", Media: "image/png", Data: []byte("PNG")}); err != nil {
		t.Fatal(err)
	}
	later := reply("And page 4.")
	later.Nonce = "tk2"
	s.post(to, later)
	s.same(s.general)
	if got := s.texts(to.Key.Thread); len(got) != 3 || !strings.Contains(got[1], "Attach Files") || got[2] != "And page 4." {
		t.Errorf("in the thread: %q", got)
	}
}

func TestAFileWithoutPermissionToPostIsReported(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	s.SetPermissions(s.guild, fakediscord.ViewChannel|fakediscord.SendMessages|fakediscord.ReadMessageHistory)
	s.SetOverwrites(s.general, fakediscord.Overwrite{ID: s.Bot().ID, Type: 1, Allow: "0", Deny: itoa(fakediscord.AttachFiles)})
	if _, err := s.a.Upload(t.Context(), inChannel(s.ask("page 3")), platform.Upload{Nonce: "tkfile", Name: "page 3.png", Data: []byte("PNG"), Text: "Page 3"}); err != nil {
		t.Fatal(err)
	}
	if said := s.texts(s.general); len(said) != 1 || !strings.Contains(said[0], "“Attach Files”") || !strings.Contains(said[0], "page 3.png") {
		t.Errorf("said %q", said)
	}
}

func TestAFileIsPostedWithItsText(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to := s.ask("export")
	s.Break(fakediscord.Fault{Route: "POST /channels/{channel}/messages", After: true, Status: 500})
	if _, err := s.a.Upload(t.Context(), to, platform.Upload{Nonce: "tkfile", Name: "page 3.png", Media: "image/png", Data: []byte("PNG"), Text: "Page 3"}); err != nil {
		t.Fatal(err)
	}
	s.same(to.Key.Thread, "Page 3")
	a := s.ours(to.Key.Thread)[0].Attachments
	if len(a) != 1 || a[0].Filename != "page_3.png" || string(s.FileData(a[0].ID)) != "PNG" {
		t.Errorf("files %+v", a)
	}
}

// Nothing of a post is deleted that the core does not know of: a deletion would be taken for that of the answer.
func TestWithdrawalsAreAnnouncedFirst(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to := inChannel(s.ask("All of it"))
	ref := s.post(to, reply(strings.Repeat("Line by line it goes on and on.\n\n", 120)))
	var told []string
	m := reply("In short.")
	m.Withdraw = func(_ context.Context, id string) error {
		if s.Calls("DELETE /channels/{channel}/messages/{message}") != len(told) {
			t.Errorf("%s was deleted already", id)
		}
		told = append(told, id)
		return nil
	}
	before := s.a.Messages(ref)
	if _, err := s.a.Edit(t.Context(), ref, m); err != nil {
		t.Fatal(err)
	}
	s.same(s.general, "In short.")
	if slices.Reverse(told); len(told) == 0 || !slices.Equal(told, before[1:]) {
		t.Errorf("told of %q, deleted %q", told, before[1:])
	}
}

func TestAPostInAForumIsAnsweredThere(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	forum := s.AddChannel(s.guild, fakediscord.Channel{Type: fakediscord.ForumChannel, Name: "help"})
	id := s.Server.Post(s.ada, forum, "The warranty", "How long is it?")
	to := platform.Address{Key: memory.Key{Platform: "discord", Workspace: s.guild, Channel: forum, Thread: id}, ReplyTo: id}
	s.post(to, reply("Three years."))
	s.same(id, "Three years.")

	// While it is not known that it is one, nothing is tried there either.
	s.a = s.adapter()
	s.Break(fakediscord.Fault{Route: "GET /channels/{channel}", Status: 503, Times: -1})
	to.Key.Thread = s.Server.Post(s.ada, forum, "The colour", "Which is it?")
	to.ReplyTo = to.Key.Thread
	if _, err := s.a.Post(t.Context(), to, reply("Red.")); err == nil || errors.Is(err, platform.ErrUndeliverable) {
		t.Fatal(err)
	}
	s.Mend()
	s.post(to, reply("Red."))
	s.same(to.Key.Thread, "Red.")

	// Where it may not be, nothing is tried in the forum itself, and who asked is told.
	s.SetOverwrites(forum, fakediscord.Overwrite{ID: s.Bot().ID, Type: 1, Deny: itoa(fakediscord.SendMessagesInThreads)})
	s.a = s.adapter()
	to.Key.Thread = s.Server.Post(s.ada, forum, "The price", "What is it?")
	to.ReplyTo = to.Key.Thread
	var muted *platform.CannotPostError
	if _, err := s.a.Post(t.Context(), to, reply("Nothing.")); !errors.As(err, &muted) {
		t.Fatal(err)
	}
	if want := "https://discord.com/channels/" + s.guild + "/" + to.Key.Thread + "/" + to.ReplyTo; muted.Asked != want || s.Calls("POST /channels/{channel}/messages") != 3 {
		t.Errorf("asked at %q, want %q; %d posts tried", muted.Asked, want, s.Calls("POST /channels/{channel}/messages"))
	}
}

func TestTheAnswerToADeletedQuestionIsNotPosted(t *testing.T) {
	s := newStage(t, fakediscord.Options{})
	to := s.ask("secret")
	s.Delete(s.general, to.ReplyTo)
	if _, err := s.a.Post(t.Context(), to, reply("Your secret.")); !errors.Is(err, platform.ErrUndeliverable) {
		t.Errorf("posted: %v", err)
	}
	s.same(s.general)
}
