package slack_test

import (
	"strings"
	"testing"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/slack"
	"threadkeeper/bot/slack/fakeslack"
)

// TestAskAndCheckAreMessages on which a thread begins: everybody sees the question.
func TestAskAndCheckAreMessages(t *testing.T) {
	s, e, _ := socketed(t, fakeslack.Options{})
	user, channel := people(s)
	for _, c := range []struct{ command, text, want string }{
		{"/ask", "how long is the warranty?", "how long is the warranty?"}, {"/check", "", "Check this"}, {"/check", "It is two years.", "Check this:\nIt is two years."},
	} {
		s.Slash(user, channel, c.command, c.text)
		ev := said(t, e, c.want)
		posts := s.Messages(channel)
		shown := posts[len(posts)-1]
		if ev.Kind != platform.EventMessage || !ev.Mention || ev.Author.ID != user || ev.Opens != shown.TS || ev.Message != shown.TS || ev.Key.Thread != "" || ev.Reply.Interaction != "" || ev.At == 0 {
			t.Errorf("%+v, shown as %s", ev, shown.TS)
		}
		if text := shown.Text; !strings.Contains(text, "Ada") || !strings.Contains(text, c.text) {
			t.Errorf("shown %q", text)
		}
	}
	s.Slash(user, channel, "/ask", " ")
	await(t, "a command that says what is missing", func() bool {
		all := e.all()
		return all[len(all)-1].Command == "ask"
	})
}

// TestAQuestionDeliveredAgainIsShownOnce: the first time it could not be stored, or the program ended before it was.
func TestAQuestionDeliveredAgainIsShownOnce(t *testing.T) {
	for _, ends := range []bool{false, true} {
		s, e, end := socketed(t, fakeslack.Options{AckWait: 100 * time.Millisecond})
		user, channel := people(s)
		fail := func(n int) {
			e.mu.Lock()
			defer e.mu.Unlock()
			e.fail = n
		}
		if fail(1); ends {
			fail(1000)
		}
		s.Slash(user, channel, "/ask", "how long?")
		if ends {
			await(t, "the question", func() bool { return len(s.Messages(channel)) > 0 })
			_ = end()
			fail(0)
			listen(t, adapter(t, s, slack.Options{AppToken: s.Options().AppToken}), e)
		}
		ev := said(t, e, "how long?")
		if posts := s.Messages(channel); len(posts) != 1 || posts[0].TS != ev.Message || ev.Opens != ev.Message {
			t.Errorf("ended: %v, %d posts, the question is %+v", ends, len(posts), ev)
		}
	}
}

// TestAskWhereWeAreNot tells its person, and hands nothing on.
func TestAskWhereWeAreNot(t *testing.T) {
	s, e, _ := socketed(t, fakeslack.Options{})
	user, channel := people(s)
	elsewhere := s.AddChannel(fakeslack.Channel{Name: "elsewhere", Members: []string{user}}).ID
	s.Slash(user, elsewhere, "/ask", "how long?")
	await(t, "a word to the asker", func() bool {
		told := s.Shown(elsewhere, "", user)
		return len(told) == 1 && strings.Contains(told[0].Text, "invite me")
	})
	s.Slash(user, channel, "/ask", "how long here?")
	said(t, e, "how long here?")
	for _, ev := range e.all() {
		if ev.Text == "how long?" {
			t.Errorf("handed on: %+v", ev)
		}
	}
}

// TestOneCanAskAboutAMessage in a form, as it reads then; the answer stands where the message is.
func TestOneCanAskAboutAMessage(t *testing.T) {
	s, e, _ := socketed(t, fakeslack.Options{})
	user, channel := people(s)
	root := s.Say(fakeslack.Said{User: user, Channel: channel, Text: "How long?", Silent: true})
	for _, c := range []struct{ text, question string }{{"It is *two* years.\nAsk <@" + user + ">.", "From when on?"}, {strings.Repeat("so \"said\" ", 1200), "And of this?"}} {
		post := s.Say(fakeslack.Said{User: user, Channel: channel, Thread: root, Text: c.text, Silent: true})
		s.Shortcut(user, channel, post, "ask_message")
		await(t, "a form", func() bool { return len(s.Modals(user)) == 1 })
		form := s.Modals(user)[0]
		if form.Title != "Ask about this message" {
			t.Errorf("the form is called %q", form.Title)
		}
		s.Edit(channel, post, "Now: "+c.text) // while the form is open
		s.Submit(form.ID, map[string]map[string]any{"text": {"text": map[string]any{"type": "plain_text_input", "value": c.question}}})
		await(t, c.question, func() bool {
			for _, ev := range e.all() {
				if strings.HasSuffix(ev.Text, "\n\n"+c.question) {
					shown := s.Shown(channel, root, user)
					if last := shown[len(shown)-1].Text; !strings.Contains(last, "Ada") || !strings.HasSuffix(last, c.question) || !strings.Contains(last, "/p"+strings.ReplaceAll(post, ".", "")) {
						t.Errorf("everybody sees %q", last)
					}
					return ev.Kind == platform.EventMessage && ev.Mention && ev.Joined && ev.Key.Thread == root && ev.Author.ID == user && ev.Reply.Interaction == "" && strings.HasPrefix(ev.Text, "> Now: "+c.text[:9])
				}
			}
			return false
		})
	}
}

// TestAQuestionAboutAMessageWaitsForItsWords if Slack does not say them at first; one about a message that is gone has none.
func TestAQuestionAboutAMessageWaitsForItsWords(t *testing.T) {
	s, e, _ := socketed(t, fakeslack.Options{AckWait: 100 * time.Millisecond})
	user, channel := people(s)
	root := s.Say(fakeslack.Said{User: user, Channel: channel, Text: "How long?", Silent: true})
	for _, gone := range []bool{false, true} {
		post := s.Say(fakeslack.Said{User: user, Channel: channel, Thread: root, Text: "It is two years.", Silent: true})
		s.Shortcut(user, channel, post, "ask_message")
		await(t, "a form", func() bool { return len(s.Modals(user)) == 1 })
		question, want := "From when on?", "> It is two years.\n\nFrom when on?"
		if gone {
			s.Delete(channel, post)
			question, want = "And of this?", "And of this?"
		} else {
			s.Break(fakeslack.Fault{Kind: fakeslack.Refuse, Code: "internal_error", Methods: []string{"conversations.replies"}})
		}
		s.Submit(s.Modals(user)[0].ID, map[string]map[string]any{"text": {"text": map[string]any{"type": "plain_text_input", "value": question}}})
		await(t, question, func() bool {
			for _, ev := range e.all() {
				if strings.HasSuffix(ev.Text, question) {
					if ev.Text != want {
						t.Errorf("%q, want %q", ev.Text, want)
					}
					return true
				}
			}
			return false
		})
	}
}
