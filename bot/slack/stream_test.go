package slack

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/slack/fakeslack"
)

func (s *stage) stream(to platform.Address, texts ...string) *stream {
	s.t.Helper()
	live, err := s.a.Stream(s.t.Context(), to, reply("").Nonce)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, text := range texts {
		s.more(live.(*stream), text)
	}
	return live.(*stream)
}

// more appends as if the last text had been a while ago.
func (s *stage) more(live *stream, text string) {
	s.t.Helper()
	live.mu.Lock()
	live.last = time.Time{}
	live.mu.Unlock()
	if err := live.Append(s.t.Context(), text); err != nil {
		s.t.Fatal(err)
	}
}

func (s *stage) done(live platform.Stream, final platform.Outgoing) platform.Ref {
	s.t.Helper()
	ref, err := live.Close(s.t.Context(), final)
	if err != nil {
		s.t.Fatal(err)
	}
	return ref
}

func TestAnAnswerStreams(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	live := s.stream(s.to, "The warranty lasts ", "**three years** from <!channel> the ", "day of ")
	if got := s.Shown(s.channel, s.root, s.ada); len(got) != 1 || !got[0].Streaming || !strings.HasPrefix(got[0].Text, "The warranty lasts **three years** from") {
		t.Errorf("while it grows: %+v", got)
	}
	if live.Ref() == "" {
		t.Error("the stream has no name")
	}
	m := looks["answer"]
	m.Nonce, m.Text = reply("").Nonce, "The warranty lasts **three years** from <!channel> the day of delivery."
	ref := s.done(live, m)
	got := s.Shown(s.channel, s.root, s.ada)
	if len(got) != 1 || got[0].Streaming || got[0].Notifies != 0 || got[0].Text != m.Text || !got[0].Feedback || len(got[0].Context) != 1 {
		t.Errorf("at the end: %+v", got)
	}
	if ref != live.Ref() {
		t.Errorf("it is called %q, then %q", live.Ref(), ref)
	}
	if n := len(s.Requests("chat.update", "chat.postMessage")); n != 0 {
		t.Errorf("%d other requests", n)
	}
	start := s.Requests("chat.startStream")[0].Args
	if start["recipient_user_id"] != s.ada || start["recipient_team_id"] != fakeslack.TeamID || start["thread_ts"] != s.root {
		t.Errorf("started with %v", start)
	}
	if again, found, err := s.adapter().Find(t.Context(), s.to, m.Nonce); err != nil || !found || again != ref {
		t.Errorf("found %q %v %v", again, found, err)
	}
}

func TestAStreamWaitsForEnoughText(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	live := s.stream(s.to, "one ")
	live.last = time.Now().Add(time.Hour) // so that all of it comes at once, however long the machine takes
	for range 10 {
		if err := live.Append(t.Context(), "two "); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(s.Requests("chat.appendStream")); n != 0 {
		t.Errorf("%d appends for 40 characters at once", n)
	}
	if err := live.Append(t.Context(), strings.Repeat("word ", 60)); err != nil {
		t.Fatal(err)
	}
	if n := len(s.Requests("chat.appendStream")); n != 1 {
		t.Errorf("%d appends of 340 characters, want 1", n)
	}
	s.done(live, reply("one "+strings.Repeat("two ", 10)+strings.Repeat("word ", 60)+"end"))
	if got := words(s.shows()); len(got) != 72 {
		t.Errorf("%d words shown", len(got))
	}
}

// However a stream ends before its time, the final form is there, once.
func TestAStreamThatEndsEarlyIsMadeWhole(t *testing.T) {
	t.Parallel()
	refuse := func(word string, methods ...string) func(*stage) {
		return func(s *stage) {
			s.Break(fakeslack.Fault{Kind: fakeslack.Refuse, Code: word, Methods: methods})
		}
	}
	for name, spoil := range map[string]func(*stage){
		"expired":               func(s *stage) { s.ExpireStreams() },
		"stopped by the person": func(s *stage) { s.StopStreams(s.ada, s.channel, s.root) },
		"append refused":        refuse("message_not_in_streaming_state", "chat.appendStream"),
		"append broken":         refuse("internal_error", "chat.appendStream"),
		"stop refused":          refuse("internal_error", "chat.stopStream"),
		"blocks refused":        refuse("invalid_blocks", "chat.stopStream"),
		"stop limited": func(s *stage) {
			s.Break(fakeslack.Fault{Kind: fakeslack.Limit, After: time.Second, Methods: []string{"chat.stopStream"}})
		},
		"append limited": func(s *stage) {
			s.Break(fakeslack.Fault{Kind: fakeslack.Limit, After: time.Second, Methods: []string{"chat.appendStream"}})
		},
		"expired, update failed": func(s *stage) { s.ExpireStreams(); refuse("internal_error", "chat.update")(s) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, fakeslack.Options{})
			live := s.stream(s.to, "one two ")
			spoil(s)
			live.mu.Lock()
			live.last = time.Time{}
			live.mu.Unlock()
			err := live.Append(t.Context(), "three four ")
			if err != nil && name != "expired, update failed" {
				t.Error("append:", err)
			}
			m := reply("one two three four five")
			m.Feedback = true
			if err == nil {
				_, err = live.Close(t.Context(), m)
			}
			if err != nil { // as package bot does then
				_, err = s.a.Edit(t.Context(), live.Ref(), m)
			}
			if err != nil {
				t.Fatal(err)
			}
			got := s.Shown(s.channel, s.root, s.ada)
			if len(got) != 1 || got[0].Text != m.Text || !got[0].Feedback || got[0].Streaming {
				t.Errorf("shown %+v", got)
			}
		})
	}
}

func TestARefusedStreamContinuesByEdits(t *testing.T) {
	t.Parallel()
	for _, word := range []string{"missing_scope", "missing_recipient_user_id", "unknown_method", "method_not_supported_for_channel_type"} {
		t.Run(word, func(t *testing.T) {
			s := newStage(t, fakeslack.Options{})
			s.Break(fakeslack.Fault{Kind: fakeslack.Refuse, Code: word, Methods: []string{"chat.startStream"}})
			live := s.stream(s.to, "one two ", "three ")
			if got := s.shows(); len(got) != 1 || !strings.HasPrefix(got[0], "one two") {
				t.Errorf("while it grows: %q", got)
			}
			s.done(live, reply("one two three four"))
			s.want("one two three four")
			s.stream(s.to, "again ")
			if n, asked := len(s.Requests("chat.startStream")), word == "missing_scope" || word == "unknown_method"; asked != (n == 1) {
				t.Errorf("%d streams were asked for", n)
			}
		})
	}
}

func TestWithoutStreamsTheMessageIsEdited(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	top := s.to
	top.Key.Thread = ""
	s.done(s.stream(top, "one two ", "three "), reply("one two three four"))
	unknown := s.to
	unknown.Asker = ""
	s.done(s.stream(unknown, "for nobody in particular "), reply("for nobody in particular"))
	if n := len(s.Requests("chat.startStream")); n != 0 {
		t.Errorf("%d streams", n)
	}
	if got := s.Shown(s.channel, "", s.ada); len(got) != 1 || got[0].Text != "one two three four" {
		t.Errorf("at the top: %+v", got)
	}
	s.want("for nobody in particular")
	dm := s.DM(s.ada)
	root := s.Say(fakeslack.Said{User: s.ada, Channel: dm, Text: "hello"})
	private := s.to
	private.Key.Channel, private.Key.Thread, private.ReplyTo, private.Asker = dm, root, root, ""
	s.done(s.stream(private, "Hello "), reply("Hello Ada"))
	if got := s.Shown(dm, root, s.ada); len(got) != 1 || got[0].Text != "Hello Ada" || len(s.Requests("chat.startStream")) != 1 {
		t.Errorf("in a direct message: %+v", got)
	}
}

func TestAStreamWithAnotherEnd(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	s.done(s.stream(s.to, "This is what was said "), reply("It was taken back."))
	s.want("It was taken back.")
	s.done(s.stream(s.to, "Then "), platform.Outgoing{Nonce: reply("").Nonce, Kind: platform.KindError, Text: "It failed."})
	s.want("It was taken back.", "⚠️ It failed.")
	s.done(s.stream(s.to), reply("Nothing was shown before."))
	s.want("It was taken back.", "⚠️ It failed.", "Nothing was shown before.")
}

func TestALongStreamContinuesInFurtherMessages(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	text := long(3)
	live := s.stream(s.to)
	for piece := range slices.Chunk([]byte(text), 4000) {
		s.more(live, string(piece))
	}
	ref := s.done(live, reply(text))
	if r, _ := parseRef(ref); len(r.Messages) < 3 || !slices.Equal(words(s.shows()), words([]string{text})) {
		t.Errorf("%d parts, %d words of %d", len(r.Messages), len(words(s.shows())), len(words([]string{text})))
	}
}

// A crash at any step of a stream leaves one post, which is found and made whole.
func TestACrashMidStreamIsAdopted(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		method string
		nth    int
	}{
		"start": {"chat.startStream", 1}, "append": {"chat.appendStream", 1}, "stop": {"chat.stopStream", 1},
	} {
		for _, kind := range []fakeslack.FaultKind{fakeslack.Lose, fakeslack.LoseBad} {
			t.Run(name+" "+string(kind), func(t *testing.T) {
				s := newStage(t, fakeslack.Options{})
				old := reply("an older answer")
				old.Nonce = "tkolder"
				s.post(s.to, old)
				s.Break(fakeslack.Fault{Kind: kind, Methods: []string{c.method}})
				live, err := s.a.Stream(t.Context(), s.to, reply("").Nonce)
				for _, text := range []string{"one two ", "three "} {
					if err == nil {
						live.(*stream).last = time.Time{}
						err = live.Append(t.Context(), text)
					}
				}
				if err == nil {
					_, err = live.Close(t.Context(), reply("one two three four"))
				}
				if err == nil {
					t.Fatal("nothing failed")
				}
				s.Say(fakeslack.Said{User: s.bob, Channel: s.channel, Thread: s.root, Text: "meanwhile"})
				again := s.adapter()
				ref, found, err := again.Find(t.Context(), s.to, reply("").Nonce)
				if err != nil || !found {
					t.Fatalf("found %v %v", found, err)
				}
				if _, err := again.Edit(t.Context(), ref, reply("one two three four")); err != nil {
					t.Fatal(err)
				}
				s.want("an older answer", "one two three four")
			})
		}
	}
}

func TestAnUnfinishedStreamOfBeforeIsNotAdopted(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	s.stream(s.to, "cut off by a crash ")
	later := s.to
	later.ReplyTo = s.Say(fakeslack.Said{User: s.ada, Channel: s.channel, Thread: s.root, Text: "and now?"})
	if ref, found, err := s.adapter().Find(t.Context(), later, "tkother"); found || err != nil {
		t.Errorf("found %q %v", ref, err)
	}
}

func TestAStreamIntoNothing(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*stage){
		"channel": func(s *stage) { s.Archive(s.channel) },
		"thread":  func(s *stage) { s.Delete(s.channel, s.root) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, fakeslack.Options{})
			end(s)
			live, err := s.a.Stream(t.Context(), s.to, "tk1")
			if err != nil {
				t.Fatal(err)
			}
			if err := live.Append(t.Context(), "into the void "); !errors.Is(err, platform.ErrUndeliverable) {
				t.Errorf("append: %v", err)
			}
			if _, err := live.Close(t.Context(), reply("into the void")); !errors.Is(err, platform.ErrUndeliverable) {
				t.Errorf("close: %v", err)
			}
			if ref, found, err := s.a.Find(t.Context(), s.to, reply("").Nonce); found || err != nil {
				t.Errorf("found %q, %v", ref, err)
			}
		})
	}
}

func TestAStreamForAnotherOrganisation(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	s.to.Asker = s.AddUser(fakeslack.User{Name: "sam", Team: "T0000GUEST", Stranger: true}).ID
	live := s.stream(s.to, "The warranty lasts ", "three years ")
	s.done(live, reply("The warranty lasts three years."))
	s.want("The warranty lasts three years.")
	if got := s.Requests("chat.startStream"); len(got) != 1 || got[0].Args["recipient_team_id"] != "T0000GUEST" {
		t.Errorf("started %+v", got)
	}
}

func TestAStreamThatAPersonStops(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	live := s.stream(s.to, "The warranty lasts ")
	s.StopStreams(s.ada, s.channel, s.root)
	s.more(live, "three years from ")
	s.more(live, "the day of ")
	s.want("The warranty lasts ") // nothing grows after stop
	s.done(live, reply("The warranty lasts\n\nStopped."))
	s.want("The warranty lasts\n\nStopped.")
}
