package memory

import (
	"testing"
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
	if open, err := s.Queue.InboxCommandOpen(t.Context(), r.Inbox.ID); err != nil || !open {
		t.Errorf("the command is not tried again (%v)", err)
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
