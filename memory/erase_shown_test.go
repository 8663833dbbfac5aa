package memory

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"
)

// showing stores the answer to a command, posted, and returns its nonce.
func showing(t *testing.T, s *Store, event string, shows Shown) string {
	t.Helper()
	in := about(event)
	in.Key.Thread, in.Command, in.Channel = "commands", true, Channel{Kind: Public}
	r, err := s.Queue.Receive(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	o := &Outbox{SessionID: r.Session.ID, Nonce: "n" + event, Payload: "shown", Shows: shows}
	if done, err := s.Queue.InboxCloseCommand(t.Context(), r.Inbox.ID, o); err != nil || !done {
		t.Fatal(done, err)
	}
	posted, err := s.Queue.OutboxByNonce(t.Context(), o.Nonce)
	if err == nil {
		err = s.Queue.OutboxFinish(t.Context(), posted, "ref", "")
	}
	if err != nil {
		t.Fatal(err)
	}
	return o.Nonce
}

// TestAPostGoesWithWhatItShows erases, edits and removes what answers to commands show.
func TestAPostGoesWithWhatItShows(t *testing.T) {
	s := openTest(t)
	one, two := said(t, s, "t", "1", "The zeppelin lands.", false), said(t, s, "t", "2", "The ferry leeves at noon.", false)
	other := said(t, s, "u", "3", "The balloon rises.", false)
	removed := document(t, s, one.Session)
	posts := map[string]string{
		"one":      showing(t, s, "one", Shown{Messages: []int64{one.Message.ID, other.Message.ID}}),
		"two":      showing(t, s, "two", Shown{Messages: []int64{two.Message.ID}}),
		"session":  showing(t, s, "session", Shown{Sessions: []int64{other.Session.ID}}),
		"document": showing(t, s, "document", Shown{Documents: []int64{removed}}),
		"nothing":  showing(t, s, "nothing", Shown{}),
	}
	erased := func(want ...string) {
		t.Helper()
		gone := map[string]bool{}
		for _, name := range want {
			gone[name] = true
		}
		for name, nonce := range posts {
			o, err := s.Queue.OutboxByNonce(t.Context(), nonce)
			if err != nil || (o.Kind == PostErased && o.State == OutboxReady && o.Ref == "ref") != gone[name] {
				t.Errorf("the post of %s: %+v, erased: %v (%v)", name, o, gone[name], err)
			}
		}
	}
	edit := func(event, id, text string) {
		t.Helper()
		if _, err := s.Queue.ReceiveEdit(t.Context(), about(event), id, text); err != nil {
			t.Fatal(err)
		}
	}
	edit("e1", "2", "The ferry leeves at noon, I think.")
	erased()
	edit("e2", "2", "The ferry leaves at noon, I think.")
	erased("two")
	if _, err := s.Queue.ReceiveErase(t.Context(), about("d1"), "1"); err != nil {
		t.Fatal(err)
	}
	erased("one", "two")
	if err := s.RemoveDocument(t.Context(), 0, removed); err != nil {
		t.Fatal(err)
	}
	erased("one", "two", "document")
	if _, err := s.Queue.ReceiveErase(t.Context(), about("d2"), "3"); err != nil {
		t.Fatal(err)
	}
	erased("one", "two", "document", "session")

	// What was erased before the answer was stored is not posted.
	in := about("late")
	in.Key.Thread, in.Command = "commands", true
	r, err := s.Queue.Receive(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Queue.InboxCloseCommand(t.Context(), r.Inbox.ID, &Outbox{SessionID: r.Session.ID, Nonce: "late", Shows: Shown{Messages: []int64{one.Message.ID}}}); err == nil {
		t.Error("the answer shows an erased message")
	}
	if _, err := s.Queue.InboxCommandOpen(t.Context(), r.Inbox.ID); err != nil {
		t.Errorf("the command is not tried again (%v)", err)
	}
}

// TestWaitingPeopleHearOfAWithdrawal: a command's answer that shows what is erased before it is posted, or
// was made where another channel got a smaller audience.
func TestWaitingPeopleHearOfAWithdrawal(t *testing.T) {
	for name, take := range map[string]func(t *testing.T, s *Store, m *Message){
		"erased": func(t *testing.T, s *Store, m *Message) {
			if _, err := s.Queue.ReceiveErase(t.Context(), about("gone"), m.PlatformID); err != nil {
				t.Fatal(err)
			}
		},
		"private": func(t *testing.T, s *Store, _ *Message) {
			if err := s.DoubtChannel(t.Context(), incoming("", "", "", false).Key, Channel{Kind: Private}); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := openTest(t)
			s.Queue.Withdrawn = func(payload string) string { return map[string]string{"shown": "taken back"}[payload] }
			m := said(t, s, "t", "1", "The zeppelin lands.", false).Message
			for _, payload := range []string{"shown", "a notice"} {
				in := about(payload)
				in.Key.Channel, in.Key.Thread, in.Command, in.Channel = "other", "", true, Channel{Kind: Public}
				r, err := s.Queue.Receive(t.Context(), in)
				if err != nil {
					t.Fatal(err)
				}
				if _, err := s.Queue.InboxCloseCommand(t.Context(), r.Inbox.ID, &Outbox{SessionID: r.Session.ID, Nonce: payload, Payload: payload, Shows: Shown{Messages: []int64{m.ID}}}); err != nil {
					t.Fatal(err)
				}
			}
			take(t, s, m)
			due, err := s.Queue.OutboxDue(t.Context(), 10)
			due = slices.DeleteFunc(due, (*Outbox).Changes)
			if err != nil || len(due) != 1 || due[0].Payload != "taken back" {
				t.Errorf("due: %+v %v", due, err)
			}
		})
	}
}

// TestAnswersThatNameAFileGoWithIt removes a document that answers name and one whose name another
// one has, too.
func TestAnswersThatNameAFileGoWithIt(t *testing.T) {
	s := openTest(t)
	brought := map[string]*Received{}
	for _, name := range []string{"salary-2026.txt", "notes.txt", "notes.txt again", "todo"} {
		r := said(t, s, name, name, "", false)
		brought[name] = r
		readable(t, s, r.Message, map[string]string{"notes.txt again": "Notes.TXT"}[name]+map[bool]string{true: name}[name != "notes.txt again"], "Nothing of note.")
	}
	answers := map[string]int64{}
	for _, text := range []string{"I searched salary-2026.txt and found no passage.", "New: Salary-2026.txt, 3 pages", "The salary of 2026 is not known.", "I searched notes.txt.", "Your todo is long."} {
		answers[text] = post(t, s, "elsewhere", text, Assistant, "", text).Message.ID
	}
	gone := func() map[string]bool {
		t.Helper()
		all := map[string]bool{}
		for text, id := range answers {
			m, err := s.Message(t.Context(), id)
			if err != nil {
				t.Fatal(err)
			}
			if m.ErasedAt > 0 {
				all[text] = true
			}
		}
		return all
	}
	for _, name := range []string{"notes.txt", "todo"} {
		if _, err := s.Queue.ReceiveErase(t.Context(), about("delete "+name), name); err != nil {
			t.Fatal(err)
		}
	}
	if got := gone(); len(got) != 0 {
		t.Errorf("erased: %v", got)
	}
	var ids []int64
	if err := s.reader.NewRaw("SELECT id FROM documents WHERE message_id = ?", brought["salary-2026.txt"].Message.ID).Scan(t.Context(), &ids); err != nil {
		t.Fatal(err)
	}
	if err := s.RemoveDocument(t.Context(), 0, ids...); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Queue.ReceiveErase(t.Context(), about("delete the other"), "notes.txt again"); err != nil {
		t.Fatal(err)
	}
	if got := gone(); len(got) != 3 || got["The salary of 2026 is not known."] || got["Your todo is long."] {
		t.Errorf("erased: %v", got)
	}
}

// TestAnswersThatNameAFileThatWasNotReadGoWithIt: by its name with and without the ending, and by its number, unless
// somebody says that.
func TestAnswersThatNameAFileThatWasNotReadGoWithIt(t *testing.T) {
	s := openTest(t)
	in := incoming("f", "s", "here is a file", false)
	in.Message.PlatformID = "f"
	in.Files = []File{{PlatformID: "F1", Name: "Offer 2026 final.pdf"}, {PlatformID: "F2", Name: "zq10035.txt"}, {PlatformID: "F3", Name: "K-4711-9.txt"}}
	if _, err := s.Queue.Receive(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	said(t, s, "s", "k", "What of K-4711-9?", false)
	answers := map[string]int64{}
	for _, text := range []string{"I do not read Offer 2026 final.pdf here.", "The offer 2026 final says so.", "The code is zq10035.", "K-4711-9 is a part.", "The offer of 2026 is final."} {
		answers[text] = post(t, s, "s", text, Assistant, "", text).Message.ID
	}
	stay := func(texts ...string) {
		t.Helper()
		for text, id := range answers {
			m, err := s.Message(t.Context(), id)
			if err != nil || (m.ErasedAt == 0) != slices.Contains(texts, text) {
				t.Errorf("%q stays: %v %v", text, m.ErasedAt == 0, err)
			}
		}
	}
	files, err := s.FilesByPlatformID(t.Context(), in.Key, "F2")
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if err := s.RemoveFile(t.Context(), files[0]); err != nil {
		t.Fatal(err)
	}
	stay("I do not read Offer 2026 final.pdf here.", "The offer 2026 final says so.", "K-4711-9 is a part.", "The offer of 2026 is final.")
	if _, err := s.Queue.ReceiveErase(t.Context(), about("gone"), "f"); err != nil {
		t.Fatal(err)
	}
	stay("K-4711-9 is a part.", "The offer of 2026 is final.")
}

// answer takes the turn that waits in a session: its prompts held what held says, its answer rests on rests.
func answer(t *testing.T, s *Store, text string, held Shown, rests *Shown) *Message {
	t.Helper()
	turn, err := claim(s, "w", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Queue.NoteShown(t.Context(), turn.Post.Nonce, held); err != nil {
		t.Fatal(err)
	}
	asked, err := s.Message(t.Context(), turn.Rows[0].MessageID)
	if err != nil {
		t.Fatal(err)
	}
	m, err := s.Queue.FinishTurn(t.Context(), &turn.Lease, Answer{Outbox: turn.Post.ID, Ref: "ref", Inbox: []int64{turn.Rows[0].ID}, Rests: rests,
		Message: Message{SessionID: turn.SessionID, ChannelID: asked.ChannelID, Text: text, ReplyTo: asked.ID, InteractionID: asked.InteractionID}})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestAnAnswerGoesWithWhatItRestsOn: documents and lines of other conversations, also by way of another answer.
// What was in the prompt alone it outlives.
func TestAnAnswerGoesWithWhatItRestsOn(t *testing.T) {
	s := openTest(t)
	line, other := said(t, s, "there", "line", "The move is put off until it is warm.", false), said(t, s, "there", "other", "Lunch is late.", false)
	d := document(t, s, line.Session)
	held := Shown{Messages: []int64{line.Message.ID, other.Message.ID}, Documents: []int64{d}}
	n := 0
	ask := func(thread string, rests *Shown) *Message {
		n++
		said(t, s, thread, fmt.Sprint("q", n), "What do we know?", true)
		return answer(t, s, "Answer "+thread, held, rests)
	}
	onLine, onDocument, onAll, onNothing := ask("a", &Shown{Messages: held.Messages[:1]}), ask("b", &Shown{Documents: held.Documents}), ask("c", nil), ask("d", &Shown{})
	byLine, byDocument := ask("e", &Shown{Messages: []int64{onLine.ID}}), ask("b", &Shown{Messages: []int64{onDocument.ID}})
	gone := func(want ...*Message) {
		t.Helper()
		for _, m := range []*Message{onLine, onDocument, onAll, onNothing, byLine, byDocument} {
			is, erased := false, false
			for _, w := range want {
				erased = erased || w.ID == m.ID
			}
			now, err := s.Message(t.Context(), m.ID)
			if is = err == nil && now.ErasedAt > 0; is != erased {
				t.Errorf("%q: erased %v (%v), want %v", m.Text, is, err, erased)
			}
		}
	}
	if _, err := s.Queue.ReceiveEdit(t.Context(), about("edit"), "line", "The move is put off until it is hot."); err != nil {
		t.Fatal(err)
	}
	gone() // none says a word that was lost
	if _, err := s.Queue.ReceiveErase(t.Context(), about("gone"), "line"); err != nil {
		t.Fatal(err)
	}
	gone(onLine, byLine, onAll)
	if err := s.RemoveDocument(t.Context(), 0, d); err != nil {
		t.Fatal(err)
	}
	gone(onLine, byLine, onAll, onDocument, byDocument)
}

// TestATurnBeginsAgainWhenWhatItReadIsErased, also if its answer is complete; with one of the two messages that
// it answers, the other is answered.
func TestATurnBeginsAgainWhenWhatItReadIsErased(t *testing.T) {
	for name, c := range map[string]struct {
		held  func(line, own *Received, document int64) Shown
		erase func(s *Store, line *Received, document int64) error
	}{
		"a document": {func(_, _ *Received, d int64) Shown { return Shown{Documents: []int64{d}} },
			func(s *Store, _ *Received, d int64) error { return s.RemoveDocument(t.Context(), 0, d) }},
		"a message of another conversation": {func(line, _ *Received, _ int64) Shown { return Shown{Messages: []int64{line.Message.ID}} },
			func(s *Store, line *Received, _ int64) error {
				_, err := s.Queue.ReceiveErase(t.Context(), about("gone"), "line")
				return err
			}},
		"the history": {func(_, own *Received, _ int64) Shown { return Shown{Sessions: []int64{own.Session.ID}} },
			func(s *Store, _ *Received, _ int64) error {
				_, err := s.Queue.ReceiveErase(t.Context(), about("gone"), "before")
				return err
			}},
	} {
		t.Run(name, func(t *testing.T) {
			ctx, s := t.Context(), openTest(t)
			line := said(t, s, "there", "line", "The move is put off until it is warm.", false)
			d := document(t, s, line.Session)
			said(t, s, "here", "before", "I like it warm.", false)
			own := said(t, s, "here", "q", "When do we move?", true)
			turn, err := claim(s, "w", time.Minute)
			if err != nil {
				t.Fatal(err)
			}
			held, rows := c.held(line, own, d), []int64{own.Inbox.ID}
			if err := s.Queue.NoteShown(ctx, turn.Post.Nonce, held); err != nil {
				t.Fatal(err)
			}
			turn.Post.Payload = "complete"
			if err := s.Queue.OutboxMakeReady(ctx, &turn.Lease, turn.Post, rows...); err != nil {
				t.Fatal(err)
			}
			if err := c.erase(s, line, d); err != nil {
				t.Fatal(err)
			}
			if why, err := s.Queue.Interruption(ctx, rows); err != nil || why != StopAudience {
				t.Errorf("the turn is to end because of %q (%v)", why, err)
			}
			_, err = s.Queue.FinishTurn(ctx, &turn.Lease, Answer{Outbox: turn.Post.ID, Ref: "ref", Inbox: rows, Message: Message{SessionID: own.Session.ID, ChannelID: own.Session.ChannelID, Text: "In summer."}})
			if !errors.Is(err, ErrInterrupted) {
				t.Errorf("the answer is recorded: %v", err)
			}
			if err := s.Queue.UnclaimTurn(ctx, &turn.Lease, rows); err != nil {
				t.Fatal(err)
			}
			again, err := claim(s, "w", time.Minute)
			if err != nil || again == nil || again.Post.Payload != "" {
				t.Fatalf("the turn is not taken again: %+v (%v)", again, err)
			}
			if err := s.Queue.NoteShown(ctx, again.Post.Nonce, Shown{Documents: held.Documents, Messages: held.Messages}); (len(held.Sessions) == 0) != errors.Is(err, ErrInterrupted) {
				t.Errorf("what is erased comes to a prompt: %v", err)
			}
		})
	}
}

// TestAReadingGoesWithWhatItTookFromOthers: "it" was read as what somebody else had said before, in the reading that /why shows or in
// the options of a question; the answers themselves do not say it.
func TestAReadingGoesWithWhatItTookFromOthers(t *testing.T) {
	for name, change := range map[string]func(s *Store) error{
		"erased": func(s *Store) error { _, err := s.Queue.ReceiveErase(t.Context(), about("gone"), "1"); return err },
		"edited": func(s *Store) error {
			_, err := s.Queue.ReceiveEdit(t.Context(), about("else"), "1", "never mind")
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := openTest(t)
			said(t, s, "t", "1", "The walrus tank is for sale.", false)
			asks := func(id, text string, u Understanding, q *Question) int64 {
				t.Helper()
				r := said(t, s, "t", id, text, true)
				turn, err := claim(s, "w", time.Minute)
				if err != nil || turn == nil {
					t.Fatal(turn, err)
				}
				if q != nil {
					q.InteractionID, q.MessageID, q.Token = r.Message.InteractionID, r.Message.ID, id
				}
				if _, err := s.Queue.FinishTurn(t.Context(), &turn.Lease, Answer{Outbox: turn.Post.ID, Ref: "ref" + id, Posts: []string{"p" + id}, Inbox: []int64{turn.Rows[0].ID},
					Interactions: []int64{r.Message.InteractionID}, State: InteractionClosed, Rests: new(Shown), Question: q,
					Message:       Message{SessionID: turn.SessionID, ChannelID: r.Session.ChannelID, Text: "Four hundred.", ReplyTo: r.Message.ID},
					Understanding: map[int64]Understanding{r.Message.ID: u}}); err != nil {
					t.Fatal(err)
				}
				return r.Message.ID
			}
			kept := asks("2", "what does the ladder cost?", Understanding{RewrittenQuery: "What does the ladder cost?"}, nil)
			taken := asks("3", "and what does it cost?", Understanding{RewrittenQuery: "What does the walrus tank cost?"}, nil)
			offered := asks("4", "which one?", Understanding{}, &Question{Options: []Option{{Label: "The walrus tank"}, {Label: "The ladder"}}})
			if err := change(s); err != nil {
				t.Fatal(err)
			}
			if _, err := s.understandingOf(t.Context(), kept); err != nil {
				t.Error(err)
			}
			if u, err := s.understandingOf(t.Context(), taken); err == nil {
				t.Errorf("kept: %+v", u)
			}
			q := new(Question)
			if err := s.Read().NewSelect().Model(q).Where("message_id = ?", offered).Scan(t.Context()); err != nil || len(q.Options) > 0 {
				t.Errorf("still offered: %+v %v", q.Options, err)
			}
		})
	}
}

// TestAQuestionElsewhereGoesWithTheWordItOffers edits a word away that a question of another conversation offers, and that
// another request was read with.
func TestAQuestionElsewhereGoesWithTheWordItOffers(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	m := said(t, s, "ada", "m", "The tools are Zephyr and Boreal.", false)
	rest := func(thread, text string, question *Question) *Message {
		t.Helper()
		r := said(t, s, thread, thread, "Tell me of the tool.", true)
		turn, err := claim(s, "w", time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if question != nil {
			question.InteractionID, question.MessageID, question.Token = r.Message.InteractionID, r.Message.ID, thread
		}
		a, err := s.Queue.FinishTurn(ctx, &turn.Lease, Answer{Outbox: turn.Post.ID, Ref: "ref", Posts: []string{"p" + thread}, Inbox: []int64{turn.Rows[0].ID},
			Message:       Message{SessionID: turn.SessionID, ChannelID: r.Session.ChannelID, Text: text, ReplyTo: r.Message.ID},
			Understanding: map[int64]Understanding{r.Message.ID: {RewrittenQuery: "Zephyr"}}, Question: question, Rests: &Shown{Messages: []int64{m.Message.ID}}})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	asks := rest("asks", "Which tool?", &Question{Text: "Which tool?", Options: []Option{{Label: "Zephyr", Query: "Tell me of Zephyr."}}})
	tells := rest("tells", "There are two.", nil)
	if _, err := s.Edit(ctx, m.Session.Key, "m", "The tools are secret and Boreal."); err != nil {
		t.Fatal(err)
	}
	if a, err := s.Message(ctx, asks.ID); err != nil || a.ErasedAt == 0 {
		t.Errorf("the question stays (%v)", err)
	}
	if a, err := s.Message(ctx, tells.ID); err != nil || a.ErasedAt > 0 {
		t.Errorf("an answer without the word was erased (%v)", err)
	}
	if q, err := s.Queue.QuestionByToken(ctx, "asks"); err != nil || q.State != QuestionCancelled || len(q.Options) > 0 {
		t.Errorf("the question is %+v (%v)", q, err)
	}
	var readings int
	if err := s.reader.NewSelect().Table("understandings").ColumnExpr("COUNT(*)").Where("json LIKE '%Zephyr%'").Scan(ctx, &readings); err != nil || readings > 0 {
		t.Errorf("%d readings hold the word (%v)", readings, err)
	}
}

// TestALongAnswerGoesWithAWordOfItsFile: its text is only the beginning of what was posted.
func TestALongAnswerGoesWithAWordOfItsFile(t *testing.T) {
	for _, where := range []string{"the same conversation", "another, that rests on it", "another"} {
		for _, how := range []string{"delete", "edit"} {
			t.Run(where+"/"+how, func(t *testing.T) {
				ctx, s := t.Context(), openTest(t)
				thread := map[string]string{"the same conversation": "t"}[where]
				m := said(t, s, "t", "m", "The vessel is Quentulus, size 44.", false)
				r := said(t, s, thread, "q", "Tell me everything.", true)
				turn, err := claim(s, "w", time.Minute)
				if err != nil {
					t.Fatal(err)
				}
				rests := &Shown{}
				if where == "another, that rests on it" {
					rests.Messages = []int64{m.Message.ID}
				}
				a, err := s.Queue.FinishTurn(ctx, &turn.Lease, Answer{Outbox: turn.Post.ID, Ref: "ref", Posts: []string{"p"}, Inbox: []int64{turn.Rows[0].ID},
					Message: Message{SessionID: turn.SessionID, ChannelID: r.Session.ChannelID, Text: "It begins.", ReplyTo: r.Message.ID},
					Whole:   "It begins. It ends with Quentulus.", Rests: rests})
				if err != nil {
					t.Fatal(err)
				}
				if how == "edit" {
					_, err = s.Edit(ctx, m.Session.Key, "m", "The vessel is secret.")
				} else {
					_, err = s.Erase(ctx, m.Session.Key, "m", 0)
				}
				if err != nil {
					t.Fatal(err)
				}
				if a, err := s.Message(ctx, a.ID); err != nil || a.ErasedAt == 0 {
					t.Errorf("the answer stays (%v)", err)
				}
				var left int
				if err := s.reader.NewSelect().Table("wholes").ColumnExpr("COUNT(*)").Scan(ctx, &left); err != nil || left > 0 {
					t.Errorf("%d files stay (%v)", left, err)
				}
			})
		}
	}
}
