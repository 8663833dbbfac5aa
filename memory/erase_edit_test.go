package memory

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"threadkeeper/memory/rank"
)

// readable stores a document with one page that came with a message.
func readable(t *testing.T, s *Store, m *Message, name, text string) {
	t.Helper()
	err := s.Write(t.Context(), func(ctx context.Context, tx bun.Tx) error {
		id := m.ID
		if _, err := tx.NewRaw(`INSERT INTO contents (id, sha256, media, size, state, created_at) VALUES (?, ?, 'text/plain', 3, 'ready', 0)`, id, name).Exec(ctx); err != nil {
			return err
		}
		if _, err := tx.NewRaw(`INSERT INTO pages (content_id, number, text) VALUES (?, 1, ?)`, id, text).Exec(ctx); err != nil {
			return err
		}
		if _, err := tx.NewRaw(`INSERT INTO passages (content_id, page, start_at, end_at, terms) VALUES (?, 1, 0, ?, ?)`, id, len(text), strings.Join(rank.Stored(text), " ")).Exec(ctx); err != nil {
			return err
		}
		d := &Document{ContentID: id, SessionID: m.SessionID, ChannelID: m.ChannelID, MessageID: m.ID, Name: name, NameTerms: strings.Join(rank.Terms(name), " "), State: DocumentReady}
		_, err := tx.NewInsert().Model(d).ExcludeColumn("id").Returning("id").Exec(ctx)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestAnEditErasesWhatItRemoves edits a message that was answered, after another answer spoke of it.
func TestAnEditErasesWhatItRemoves(t *testing.T) {
	const file = "The warranty lasts three years from the day of delivery."
	for _, c := range []struct {
		name, old, text string
		own, other      string // the answer to it, and one of another thread
		others          string // said by somebody else
		again, erased   bool   // own and other are
	}{
		{name: "a spelling mistake", old: "When is teh gala dinner and who brings the wine", text: "When is the gala dinner and who brings the wine",
			own: "The gala dinner is on Friday.", other: "For the gala dinner Bob brings the wine."},
		{name: "a mistyped word that is one", old: "Take it form the shelf", text: "Take it from the shelf",
			own: "It is on the shelf.", other: "Fill in the form first."},
		{name: "a longer mistake", old: "We recieved it tommorow in the orangery", text: "We received it tomorrow in the orangery",
			own: "Noted.", other: "The orangery is open."},
		{name: "punctuation and capitals", old: "whats the deadline", text: "What's the deadline?", own: "The deadline is May.", other: "A deadline is a date."},
		{name: "plural", old: "Send the invoice to Marta", text: "Send the invoices to Marta", own: "I sent the invoice.", other: "Marta has the invoice."},
		{name: "another order of words", old: "On Friday at the orangery we meet for the gala dinner", text: "For the gala dinner we meet at the orangery on Friday",
			own: "You meet on Friday.", other: "On Friday at the orangery we meet for the gala dinner."},
		{name: "something added", old: "When is the gala dinner?", text: "When is the gala dinner, and where?", own: "The gala dinner is on Friday.", other: "The gala dinner is big."},
		{name: "a password of letters", old: "The wifi password is swordfish, please keep it", text: "The wifi password is in the safe, please keep it",
			own: "I keep it.", other: "Type swordfish for the wifi.", again: true, erased: true},
		{name: "a password like code", old: "The wifi password is hunter22", text: "The wifi password is in the safe",
			own: "Noted.", other: "It is Hunter22 for the wifi.", again: true, erased: true},
		{name: "a name", old: "Agnieszka has resigned and leaves in June", text: "Somebody has resigned and leaves in June",
			own: "That is sad.", other: "The team is smaller without Agnieszka.", again: true, erased: true},
		{name: "a name for one that is near", old: "Ask Anna for the keys", text: "Ask Anne for the keys",
			own: "Anna has the keys.", other: "Anna is at her desk.", again: true, erased: true},
		{name: "a number", old: "The budget is 35000 euros", text: "The budget is 36000 euros",
			own: "That is enough.", other: "We have 35,000 euros.", again: true, erased: true},
		{name: "a small number", old: "What is 15 percent of 200?", text: "What is 15 percent of 300?", own: "30.", other: "There are 200 seats.", again: true},
		{name: "a sentence", old: "Who is on call? The key of the shed is under the third stone.", text: "Who is on call?",
			own: "Bob is on call.", other: "You said the key of the shed is under the third stone.", others: "the key, the shed, a third stone", again: true, erased: true},
		{name: "a word that somebody else says too", old: "The zeppelin lands on Friday", text: "It lands on Friday",
			own: "On Friday.", other: "The zeppelin is late.", others: "I saw the zeppelin.", again: true},
		{name: "a code that somebody else says too", old: "Why does E4042 come up at night?", text: "Why does it come up at night?",
			own: "The disk is full.", other: "E4042 means a full disk.", others: "E4042 again", again: true},
		{name: "a quotation of a document that stays", old: "Is it true? “" + file + "”", text: "Is it true?",
			own: "Yes.", other: "The warranty lasts three years from the day of delivery [1].", again: true},
		{name: "how it was asked", old: "Please tell me the month of the gala dinner", text: "The month of the gala dinner?",
			own: "It is in May.", other: "Please tell me more."},
	} {
		t.Run(c.name, func(t *testing.T) {
			ctx, s := t.Context(), openTest(t)
			brought := said(t, s, "files", "file", "Here is the contract.", false)
			readable(t, s, brought.Message, "contract.txt", file)
			if c.others != "" {
				in := incoming("others", "others", c.others, false)
				in.Person.PlatformID = "u2"
				if _, err := s.Queue.Receive(ctx, in); err != nil {
					t.Fatal(err)
				}
			}
			r := said(t, s, "t", "m", c.old, true)
			own, _ := answered(t, s, c.own, "own post")
			other := post(t, s, "elsewhere", "other", Assistant, "", c.other)
			edited, err := s.Queue.ReceiveEdit(ctx, about("edit"), "m", c.text)
			if err != nil || !edited.New {
				t.Fatal(edited, err)
			}
			if m, err := s.Message(ctx, r.Message.ID); err != nil || m.Text != c.text {
				t.Errorf("it says %q (%v)", m.Text, err)
			}
			for what, x := range map[string]struct {
				id   int64
				gone bool
			}{"own answer": {own.ID, c.again}, "other answer": {other.Message.ID, c.erased}} {
				if m, err := s.Message(ctx, x.id); err != nil || (m.ErasedAt > 0) != x.gone {
					t.Errorf("%s %q erased: %v, want %v (%v)", what, m.Text, m.ErasedAt > 0, x.gone, err)
				}
			}
			waiting, err := inboxPending(t, s, r.Session.ID)
			if err != nil || (len(waiting) == 1 && waiting[0].MessageID == r.Message.ID) != c.again || len(waiting) > 1 {
				t.Errorf("asked again: %+v, want %v (%v)", waiting, c.again, err)
			}
		})
	}
}

// TestEditedTextLeavesTheFile follows a password through everything that is made of a message, and
// then edits it out.
func TestEditedTextLeavesTheFile(t *testing.T) {
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "test.db")
	s, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	s.Policy = DefaultPolicy(1200)
	t.Cleanup(func() { s.Close() })
	r := said(t, s, "t", "m", "The badge code of the vault is QZX-8W731 and Quentulus guards it.", true)
	turn, err := claim(s, "w", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Queue.FinishTurn(ctx, &turn.Lease, Answer{Outbox: turn.Post.ID, Ref: "ref", Posts: []string{"p"}, Inbox: []int64{turn.Rows[0].ID},
		Interactions: []int64{r.Message.InteractionID}, State: InteractionClosed,
		Message:       Message{SessionID: turn.SessionID, ChannelID: r.Session.ChannelID, Text: "Noted: QZX-8W731 it is, says Quentulus.", ReplyTo: r.Message.ID},
		Understanding: map[int64]Understanding{r.Message.ID: {RewrittenQuery: "QZX-8W731"}},
		Question:      &Question{InteractionID: r.Message.InteractionID, MessageID: r.Message.ID, Token: "tok", Text: "Which Quentulus?", Options: []Option{{Label: "QZX-8W731"}}}}); err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		post(t, s, "t", fmt.Sprint("f", i), User, "Ada", fmt.Sprintf("Ordinary remark number %d about the weather in spring.", i))
	}
	fold(t, s, r.Session.ID)
	post(t, s, "elsewhere", "r", Assistant, "", "Ask Quentulus for it.")
	v := checkMemory(t, s, r.Session.ID)
	if v.Segment(r.Message.ID) == 0 || !strings.Contains(v.Snapshot.Rendered, "QZX-8W731") {
		t.Fatalf("the code was not remembered: %s", v.Snapshot.Rendered)
	}
	if changed, err := s.Edit(ctx, r.Session.Key, "m", "The badge code of the vault is in the safe."); err != nil || !changed {
		t.Fatal(changed, err)
	}
	texts := []string{"QZX-8W731", "qzx", "8W731", "8w731", "Quentulus", "quentulu"}
	holds(t, path, texts...)
	var export bytes.Buffer
	a, err := s.Audience(ctx, r.Session.ID, r.Person.ID)
	if err == nil {
		err = s.Views.Export(ctx, a, r.Session.ID, &export)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range texts {
		if bytes.Contains(export.Bytes(), []byte(text)) {
			t.Errorf("the export holds %q", text)
		}
	}
	var kept Revision
	if err := s.reader.NewSelect().Model(&kept).Where("message_id = ?", r.Message.ID).Scan(ctx); err != nil || kept.Rev != 1 || len(kept.Hash) != 64 || kept.Text != "" {
		t.Errorf("of the old text is kept %+v (%v)", kept, err)
	}
	if found, err := s.Search(ctx, a, "Quentulus", 5); err != nil || len(found) != 0 {
		t.Errorf("found %+v (%v)", found, err)
	}
	compact(t, s)
	checkMemory(t, s, r.Session.ID)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	holds(t, path, texts...)
}

// TestARewordedRequestIsAskedAgainAsItWas edits the first of two messages that were answered
// together, and one that we asked back about.
func TestARewordedRequestIsAskedAgainAsItWas(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	s.Now = func() int64 { return march4 }
	one, two := said(t, s, "t", "1", "Compare the zeppelin", true), said(t, s, "t", "2", "with the balloon", true)
	turn, err := claim(s, "w", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	first := []int64{one.Message.InteractionID, two.Message.InteractionID}
	if _, err := s.Queue.FinishTurn(ctx, &turn.Lease, Answer{Outbox: turn.Post.ID, Ref: "ref", Inbox: []int64{turn.Rows[0].ID, turn.Rows[1].ID},
		Interactions: first, State: InteractionClosed,
		Message: Message{SessionID: turn.SessionID, ChannelID: one.Session.ChannelID, InteractionID: first[1], Text: "One is rigid.", ReplyTo: two.Message.ID}}); err != nil {
		t.Fatal(err)
	}
	in := about("edit 1")
	in.Payload = `{"again":1}`
	if _, err := s.Queue.ReceiveEdit(ctx, in, "1", "Compare the airship"); err != nil {
		t.Fatal(err)
	}
	rows, err := inboxPending(t, s, one.Session.ID)
	if err != nil || len(rows) != 2 || rows[0].MessageID != one.Message.ID || rows[1].MessageID != two.Message.ID || rows[0].Payload != in.Payload {
		t.Fatalf("asked again: %+v (%v)", rows, err)
	}
	if turn, err = claim(s, "w", time.Minute); err != nil || len(turn.Rows) != 2 {
		t.Fatalf("the turn is over %+v (%v)", turn, err)
	}
	// The same edit again, and what is edited while it waits, changes nothing more.
	if r, err := s.Queue.ReceiveEdit(ctx, in, "1", "Compare the airship"); err != nil || r.New {
		t.Errorf("%+v %v", r, err)
	}
	if _, err := s.Queue.ReceiveEdit(ctx, about("edit 2"), "1", "Compare the rocket"); err != nil {
		t.Fatal(err)
	}
	if n := pending(t, s); n != 2 {
		t.Errorf("%d wait", n)
	}
}

// TestAnEditWithdrawsACompleteAnswer edits a message, or one before it, whose answer is about to be
// recorded.
func TestAnEditWithdrawsACompleteAnswer(t *testing.T) {
	for _, request := range []string{"m", "later"} {
		t.Run(request, func(t *testing.T) { editWhileAnswered(t, request) })
	}
}

func editWhileAnswered(t *testing.T, request string) {
	ctx, s := t.Context(), openTest(t)
	r := said(t, s, "t", "m", "The password is swordfish.", request == "m")
	if request != "m" {
		r = said(t, s, "t", request, "What is it?", true)
	}
	turn, err := claim(s, "w", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	turn.Post.Payload = "swordfish it is"
	if err := s.Queue.OutboxMakeReady(ctx, &turn.Lease, turn.Post, turn.Rows[0].ID); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Queue.ReceiveEdit(ctx, about("edit"), "m", "The password is in the safe."); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Queue.FinishTurn(ctx, &turn.Lease, Answer{Outbox: turn.Post.ID, Ref: "ref", Inbox: []int64{turn.Rows[0].ID},
		Message: Message{SessionID: turn.SessionID, ChannelID: r.Session.ChannelID, Text: "swordfish it is"}}); !errors.Is(err, ErrInterrupted) {
		t.Fatalf("the answer to the old text was recorded: %v", err)
	}
	if err := s.Queue.UnclaimTurn(ctx, &turn.Lease, []int64{turn.Rows[0].ID}); err != nil {
		t.Fatal(err)
	}
	if turn, err = claim(s, "w", time.Minute); err != nil || turn.Post.State != OutboxNew || turn.Post.Payload != "" || !turn.Resumed {
		t.Errorf("the next turn: %+v %v", turn, err)
	}
}

// TestAnEarlierPostOfOursIsNotAnAnswer edits what was said before we were there, and before a post of ours.
func TestAnEarlierPostOfOursIsNotAnAnswer(t *testing.T) {
	ctx, s := t.Context(), openTest(t)
	r := said(t, s, "t", "m", "The zeppelin lands at noon.", false)
	past := post(t, s, "t", "past", Assistant, "", "Noted.")
	if past.Message.InteractionID != r.Message.InteractionID {
		t.Fatal("the post belongs to nothing")
	}
	if _, err := s.Queue.ReceiveEdit(ctx, about("edit"), "m", "The ferry lands at noon."); err != nil {
		t.Fatal(err)
	}
	if m, err := s.Message(ctx, past.Message.ID); err != nil || m.ErasedAt > 0 || pending(t, s) != 0 {
		t.Errorf("erased: %v, %d asked again (%v)", m.ErasedAt > 0, pending(t, s), err)
	}
}

// TestALongMessageIsEditedInTime: a paste of half a megabyte, of which every word changes.
func TestALongMessageIsEditedInTime(t *testing.T) {
	word := func(prefix string, n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, "%s%c%c%c%c ", prefix, 'a'+i%26, 'a'+i/26%26, 'a'+i/676%26, 'a'+i/17576%26)
		}
		return b.String()
	}
	lost := wordsLost(word("alpha", 50_000), word("alphb", 50_000))
	if len(lost.words) != 50_000 || !lost.reworded() {
		t.Errorf("%d words lost", len(lost.words))
	}
	if n := len(traitsLost(word("alpha", 50_000), "").words); n < 49_000 { // some have the same stem
		t.Errorf("%d words to look for", n)
	}
}
