package memory

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uptrace/bun"
)

// holds fails if a file of the database holds one of the texts.
func holds(t *testing.T, path string, texts ...string) {
	t.Helper()
	for _, file := range []string{path, path + "-wal"} {
		data, err := os.ReadFile(file)
		if os.IsNotExist(err) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range texts {
			if bytes.Contains(data, []byte(text)) {
				t.Errorf("%s holds %q", filepath.Base(file), text)
			}
		}
	}
}

var changes atomic.Int64 // events that change a message have an id each

// Erase erases a message as a deletion on its platform does, and returns its id, 0 for one that is not known.
func (s *Store) Erase(ctx context.Context, key Key, platformID string, _ int64) (int64, error) {
	r, err := s.Queue.ReceiveErase(ctx, Incoming{Platform: key.Platform, EventID: fmt.Sprint("erase ", changes.Add(1)), Key: key}, platformID)
	if err == nil {
		err = s.SecureErase(ctx)
	}
	if err != nil || r.Message == nil {
		return 0, err
	}
	return r.Message.ID, nil
}

// Edit gives a message a new text as an edit on its platform does, and reports whether that changed anything.
func (s *Store) Edit(ctx context.Context, key Key, platformID, text string) (bool, error) {
	r, err := s.Queue.ReceiveEdit(ctx, Incoming{Platform: key.Platform, EventID: fmt.Sprint("edit ", changes.Add(1)), Key: key}, platformID, text)
	if err == nil {
		err = s.SecureErase(ctx)
	}
	return err == nil && r.New, err
}

// forget has a person forget all they wrote in a session, and returns how many messages that were.
func forget(t *testing.T, s *Store, a Audience, session, person int64) int {
	t.Helper()
	f, since := ForgetScope{Audience: a, Session: session, Person: person}, s.Now()
	for more := true; more; {
		var err error
		if more, err = s.Forget(t.Context(), f); err != nil {
			t.Fatal(err)
		}
	}
	n, err := s.CountForgotten(t.Context(), f, since)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestErasedTextLeavesTheFile(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "test.db")
	s, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	s.Policy = DefaultPolicy(1200)
	in := incoming("e", "secret", "The badge code of the vault is QZX-8W731 and Quentulus guards it.", true)
	in.Payload = `{"text":"QZX-8W731 payload"}`
	r, err := s.Queue.Receive(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	turn, err := claim(s, "w", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	turn.Post.Payload = `{"text":"noted QZX-8W731"}`
	if err := s.Queue.OutboxMakeReady(ctx, &turn.Lease, turn.Post); err != nil {
		t.Fatal(err)
	}
	_, err = s.Queue.FinishTurn(ctx, &turn.Lease, Answer{Outbox: turn.Post.ID, Inbox: []int64{r.Inbox.ID}, Interactions: []int64{r.Message.InteractionID}, State: InteractionClosed,
		Message:       Message{SessionID: r.Session.ID, ChannelID: r.Session.ChannelID, Text: "Noted: QZX-8W731 it is, says Quentulus."},
		Understanding: map[int64]Understanding{r.Message.ID: {RewrittenQuery: "QZX-8W731"}},
		Question:      &Question{InteractionID: r.Message.InteractionID, MessageID: r.Message.ID, Token: "tok", Text: "Which Quentulus?", Options: []Option{{Label: "QZX-8W731"}}}})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 40 {
		post(t, s, "t", fmt.Sprint("f", i), User, "Ada", fmt.Sprintf("Ordinary remark number %d about the weather in spring.", i))
	}
	fold(t, s, r.Session.ID)
	repeat := post(t, s, "elsewhere", "r", Assistant, "", "As you said, the code is qzx-8w731.")
	span := post(t, s, "elsewhere", "r2", Assistant, "", "You know that badge code of the vault is a matter of Quentulus.")
	innocent := post(t, s, "elsewhere", "r3", Assistant, "", "The weather was fine in spring.")
	if v := checkMemory(t, s, r.Session.ID); !strings.Contains(v.Snapshot.Rendered, "QZX-8W731") || v.Segment(r.Message.ID) == 0 {
		t.Fatalf("the code was not remembered: %s", v.Snapshot.Rendered)
	}
	must(t, s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		return s.enlist(ctx, tx, Compaction{SessionID: r.Session.ID, Kind: Fold, Reason: ByHand, Instructions: "keep QZX-8W731"})
	}))
	if _, err := s.Edit(ctx, in.Key, "secret", "The badge code of the vault is QZX-8W731, Quentulus guards it."); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Erase(ctx, in.Key, "secret", 0); err != nil {
		t.Fatal(err)
	}
	// No hash, which is random here, holds a W by chance.
	texts := []string{"QZX-8W731", "qzx-8w731", "8W731", "8w731", "Quentulus", "quentulu"}
	holds(t, path, texts...)
	v := checkMemory(t, s, r.Session.ID)
	if m := v.Messages[0]; m.ErasedAt == 0 || m.Author != "Ada" || m.At == 0 {
		t.Errorf("erased message: %+v", m)
	}
	for id, want := range map[int64]bool{repeat.Message.ID: true, span.Message.ID: true, innocent.Message.ID: false} {
		if m, err := s.Message(ctx, id); err != nil || (m.ErasedAt > 0) != want {
			t.Errorf("message %d erased: %v, want %v (%v)", id, m.ErasedAt > 0, want, err)
		}
	}
	if q, err := s.Queue.QuestionByToken(ctx, "tok"); err != nil || q.Text != "" || len(q.Options) != 0 || q.State != QuestionCancelled {
		t.Errorf("question %+v %v", q, err)
	}
	if _, err := s.understandingOf(ctx, r.Message.ID); err != ErrNotFound {
		t.Errorf("understanding kept: %v", err)
	}
	compact(t, s) // makes the segment again
	checkMemory(t, s, r.Session.ID)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	holds(t, path, texts...)
}

func TestErasingAWaitingRequestCancelsIt(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	in := incoming("e", "m", "Please do the thing.", true)
	if _, err := s.Queue.Receive(ctx, in); err != nil {
		t.Fatal(err)
	}
	id, err := s.Erase(ctx, in.Key, "m", 0)
	if err != nil {
		t.Fatal(err)
	}
	m, _ := s.Message(ctx, id)
	i := new(Interaction)
	if err := s.reader.NewSelect().Model(i).Where("id = ?", m.InteractionID).Scan(ctx); err != nil {
		t.Fatal(err)
	}
	if n := pending(t, s); n != 0 || i.State != InteractionCancelled {
		t.Errorf("%d waiting, interaction %s", n, i.State)
	}
}

func TestErasedCorrectionBringsTheEarlierStatementBack(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	at := time.Date(2026, 3, 4, 12, 0, 0, 0, time.UTC).UnixMilli()
	s.Now = func() int64 { at += 60_000; return at }
	r := post(t, s, "s", "old", User, "Ada", "The door code is 7Q-114.")
	post(t, s, "s", "new", User, "Ada", "The door code is 9X-220 now.")
	for i := range 12 {
		post(t, s, "s", fmt.Sprint(i), User, "Ada", "And the weather was fine.")
	}
	fold(t, s, r.Session.ID)
	rendered := checkMemory(t, s, r.Session.ID).Snapshot.Rendered
	if !strings.Contains(rendered, "9X-220 now. (4 Mar, latest; before: Ada: The door code is 7Q-114, 4 Mar)") {
		t.Fatalf("both statements, dated, the latest marked: %s", rendered)
	}
	if _, err := s.Erase(ctx, r.Session.Key, "new", 0); err != nil {
		t.Fatal(err)
	}
	rendered = checkMemory(t, s, r.Session.ID).Snapshot.Rendered
	if strings.Contains(rendered, "9X-220") || !strings.Contains(rendered, "- Ada: The door code is 7Q-114.") {
		t.Fatalf("after erasing the correction: %s", rendered)
	}
}

func TestEditedFactIsQuarantinedAndMadeAgain(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	r := post(t, s, "s", "fact", User, "Ada", "The door code is 7Q-114.")
	for i := range 12 {
		post(t, s, "s", fmt.Sprint(i), User, "Ada", "And the weather was fine.")
	}
	fold(t, s, r.Session.ID)
	if _, err := s.Edit(ctx, r.Session.Key, "fact", "The door code is 7Q-115."); err != nil {
		t.Fatal(err)
	}
	if got := checkMemory(t, s, r.Session.ID).Snapshot.Rendered; strings.Contains(got, "7Q-114") {
		t.Fatalf("old text still rendered: %s", got)
	}
	compact(t, s)
	if got := checkMemory(t, s, r.Session.ID).Snapshot.Rendered; !strings.Contains(got, "- Ada: The door code is 7Q-115.") {
		t.Fatalf("new text not rendered: %s", got)
	}
}

func TestDocumentGoesWithItsMessage(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	in := incoming("e", "m", "Here is the plan.", false)
	in.Files = []File{{PlatformID: "f", Name: "plan.pdf"}}
	r, err := s.Queue.Receive(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	other := post(t, s, "other", "x", User, "Bob", "Same file.")
	err = s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		for _, q := range []string{
			`INSERT INTO contents (id, sha256, media, size, state, created_at) VALUES (7, 'abc', 'application/pdf', 3, 'ready', 0)`,
			`INSERT INTO blobs (sha256, data) VALUES ('abc', 'pdf')`,
			`INSERT INTO pages (content_id, number, text) VALUES (7, 1, 'page text')`} {
			if _, err := tx.ExecContext(ctx, q); err != nil {
				return err
			}
		}
		for _, m := range []*Message{r.Message, other.Message} {
			d := &Document{ContentID: 7, SessionID: m.SessionID, ChannelID: m.ChannelID, MessageID: m.ID, Name: "plan.pdf", State: DocumentReady}
			if _, err := tx.NewInsert().Model(d).ExcludeColumn("id").Returning("id").Exec(ctx); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	count := func(table string) (n int64) {
		n, err := s.reader.NewSelect().Table(table).Count(ctx)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if _, err := s.Erase(ctx, in.Key, "m", 0); err != nil {
		t.Fatal(err)
	}
	if count("files") != 0 || count("blobs") != 1 || count("pages") != 1 {
		t.Fatal("the bytes went although another document has them")
	}
	if _, err := s.Erase(ctx, in.Key, "x", 0); err != nil {
		t.Fatal(err)
	}
	if count("blobs") != 0 || count("pages") != 0 || count("contents") != 0 {
		t.Fatal("the bytes stayed after the last reference")
	}
}

func TestForgetErasesOnesOwn(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	var r *Received
	for i := range 120 {
		r = post(t, s, "s", fmt.Sprint("a", i), User, "Ada", fmt.Sprintf("Ada says %d.", i))
	}
	bob := post(t, s, "s", "b", User, "Bob", "Bob says so.")
	a, err := s.Audience(ctx, r.Session.ID, bob.Person.ID)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Forget(ctx, ForgetScope{Audience: a, Session: r.Session.ID, Person: r.Person.ID}); err != ErrNotFound {
		t.Fatalf("somebody else's messages: %v", err)
	}
	if _, err := s.writer.Exec("UPDATE people SET admin = TRUE WHERE id = ?", bob.Person.ID); err != nil {
		t.Fatal(err)
	}
	if n := forget(t, s, a, r.Session.ID, r.Person.ID); n != 120 {
		t.Fatalf("an administrator: %d", n)
	}
	h, err := s.History(ctx, r.Session.ID, 0)
	if err != nil || len(h.Messages) != 1 || h.Messages[0].Text != "Bob says so." {
		t.Fatalf("%+v %v", h.Messages, err)
	}
}

// TestForgetReportsASegmentOnce forgets what is folded: the summary is made again once for all
// that one transaction erases, for others cannot write meanwhile.
func TestForgetReportsASegmentOnce(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	s.Policy = DefaultPolicy(1000)
	var r *Received
	for i := range 40 {
		r = post(t, s, "s", fmt.Sprint(i), User, "Ada", fmt.Sprintf("We decided to use carrier K%d-77 for the delivery to hall %d.", i, i))
	}
	compact(t, s)
	made := func() (n int) {
		t.Helper()
		if err := s.reader.NewRaw("SELECT MAX(version) FROM snapshots WHERE session_id = ?", r.Session.ID).Scan(ctx, &n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	before := made()
	a, err := s.Audience(ctx, r.Session.ID, r.Person.ID)
	if err != nil {
		t.Fatal(err)
	}
	if n := forget(t, s, a, r.Session.ID, r.Person.ID); n != 40 {
		t.Fatal(n)
	}
	if n := made() - before; n != 1 {
		t.Errorf("the summary was made %d times, want once", n)
	}
	snapshot, err := s.Snapshot(ctx, r.Session.ID)
	if err != nil || strings.Contains(snapshot.Rendered, "carrier") {
		t.Errorf("the summary afterwards: %+v %v", snapshot, err)
	}
}

// TestForgetContinuesWhereItStopped: what takes long is done in several calls, and counted as one.
func TestForgetContinuesWhereItStopped(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	now := int64(1000)
	s.Now = func() int64 { return now }
	r := post(t, s, "s", "early", User, "Ada", "Ada said this first.")
	a, err := s.Audience(ctx, r.Session.ID, r.Person.ID)
	if err != nil {
		t.Fatal(err)
	}
	if n := forget(t, s, a, r.Session.ID, r.Person.ID); n != 1 {
		t.Fatal(n)
	}
	postAll(t, s, "s", 0, forgetMost, func(int) (Role, string, string) { return User, "Ada", "Ada says it." })
	now++
	f := ForgetScope{Audience: a, Session: r.Session.ID, Person: r.Person.ID}
	for _, want := range []bool{true, false} {
		if more, err := s.Forget(ctx, f); err != nil || more != want {
			t.Fatalf("more: %v %v, want %v", more, err, want)
		}
		if n, err := s.CountForgotten(ctx, f, now); err != nil || n != forgetMost {
			t.Errorf("forgotten: %d %v", n, err)
		}
	}
	if n, err := s.CountForgotten(ctx, f, now+1); err != nil || n != 0 {
		t.Errorf("forgotten since: %d %v", n, err)
	}
}

func TestForgetErasesInOneChannel(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	r := post(t, s, "s", "a1", User, "Ada", "Ada says it.")
	post(t, s, "u", "a2", User, "Ada", "Ada says it again.")
	elsewhere, err := s.Queue.Receive(ctx, Incoming{Platform: "test", EventID: "e", Kind: "message", Key: Key{Platform: "test", Workspace: "w", Channel: "d"},
		Channel: Channel{Kind: Public}, Person: Person{PlatformID: "Ada"}, Message: &Message{PlatformID: "a3", Role: User, Author: "Ada", Text: "Ada says it elsewhere."}})
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.Audience(ctx, r.Session.ID, r.Person.ID)
	if err != nil {
		t.Fatal(err)
	}
	if n := forget(t, s, a, 0, r.Person.ID); n != 2 {
		t.Fatalf("forgot %d, want both of this channel", n)
	}
	if h, err := s.History(ctx, elsewhere.Session.ID, 0); err != nil || len(h.Messages) != 1 {
		t.Fatalf("elsewhere %+v %v", h.Messages, err)
	}
}

// TestAClosedChannelsTextIsRemovedElsewhere: an answer in another channel repeats what
// was said while everybody could read it.
func TestAClosedChannelsTextIsRemovedElsewhere(t *testing.T) {
	for _, now := range []Channel{{Kind: Private}, {Kind: Public, External: true}} {
		ctx, s := t.Context(), openTest(t)
		said(t, s, "t", "m", "The badge code of the vault is QZX-8W731.", false)
		in := incoming("elsewhere", "q", "What is the badge code?", true)
		in.Key.Channel, in.Key.Thread = "d", "u"
		asked, err := s.Queue.Receive(ctx, in)
		if err != nil {
			t.Fatal(err)
		}
		turn, err := claim(s, "w", time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		told, err := s.Queue.FinishTurn(ctx, &turn.Lease, Answer{Outbox: turn.Post.ID, Ref: "ref", Inbox: []int64{turn.Rows[0].ID},
			Message: Message{SessionID: asked.Session.ID, ChannelID: asked.Session.ChannelID, Text: "It is qzx-8w731, as was said."}})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.DoubtChannel(ctx, about("").Key, now); err != nil {
			t.Fatal(err)
		}
		if _, err := s.Erase(ctx, about("").Key, "m", 0); err != nil {
			t.Fatal(err)
		}
		left := new(Message)
		if err := s.reader.NewSelect().Model(left).Where("id = ?", told.ID).Scan(ctx); err != nil || left.Text != "" {
			t.Errorf("now %+v: %q is left, %v", now, left.Text, err)
		}
	}
}

// Answers that repeat a message are looked for before the writer is taken: that takes the
// longer the more is kept. What was answered, or edited, after that is looked at as well.
func TestRepetitionsAreLookedForBesideTheWriter(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	r := post(t, s, "t", "m", User, "Ada", "The badge code of the vault is QZX-8W731.")
	early := post(t, s, "elsewhere", "early", Assistant, "", "As you said, the code is qzx-8w731.")
	var before map[int64]search
	var err error
	if held := s.Write(ctx, func(ctx context.Context, _ bun.Tx) error {
		before, err = s.searches(ctx, []*Message{r.Message}, "", leavingOf([]*Message{r.Message}))
		return err
	}); held != nil {
		t.Fatal(held)
	}
	if found := before[r.Message.ID].found; !slices.Equal(found, []int64{early.Message.ID}) {
		t.Errorf("found %v", found)
	}
	late := post(t, s, "elsewhere", "late", Assistant, "", "The vault opens with qzx-8w731.")
	other := post(t, s, "elsewhere", "other", Assistant, "", "It opens at nine.")
	edited := post(t, s, "elsewhere", "edited", Assistant, "", "It says QR-5512 now.")
	erased := func(m *Message) []int64 {
		var ids []int64
		err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
			repeats, err := s.repeats(ctx, tx, m, before, leavingOf([]*Message{m}))
			for _, r := range repeats {
				ids = append(ids, r.ID)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return ids
	}
	if got := erased(r.Message); !slices.Equal(got, []int64{early.Message.ID, late.Message.ID}) {
		t.Errorf("repeated by %v, not by %d", got, other.Message.ID)
	}
	if _, err := s.Edit(ctx, r.Session.Key, "m", "The badge code of the vault is QR-5512."); err != nil {
		t.Fatal(err)
	}
	m, err := s.Message(ctx, r.Message.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got := erased(m); !slices.Equal(got, []int64{edited.Message.ID}) {
		t.Errorf("once edited it is repeated by %v", got)
	}
}

func TestEraseConversationOfAThreadAndOfAChannel(t *testing.T) {
	s := openTest(t)
	say := func(event, channel, thread string) *Received {
		in := incoming(event, thread+event, "said in "+channel+thread, false)
		in.Key.Channel, in.Key.Thread = channel, thread
		r, err := s.Queue.Receive(t.Context(), in)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	one, two := say("1", "c", "one"), say("2", "c", "two")
	other := say("3", "d", "one")
	erased := func() (all []int64) {
		for _, r := range []*Received{one, two, other} {
			m, err := s.Message(t.Context(), r.Message.ID)
			if err != nil {
				t.Fatal(err)
			}
			if m.ErasedAt > 0 && m.Text == "" {
				all = append(all, m.ID)
			}
		}
		return all
	}
	key := one.Session.Key
	if got, err := s.EraseConversation(t.Context(), key); err != nil || !slices.Equal(got, []int64{one.Session.ID}) {
		t.Fatalf("sessions %v, %v", got, err)
	}
	if got := erased(); !slices.Equal(got, []int64{one.Message.ID}) {
		t.Errorf("with a thread, erased %v", got)
	}
	key.Thread = ""
	for _, channel := range []string{"c", "d"} {
		at := Key{Platform: key.Platform, Workspace: key.Workspace, Channel: channel}
		must(t, s.SetSetting(t.Context(), ChannelScope(at), "instructions", "the code of "+channel+" is QZX-88731"))
	}
	if _, err := s.EraseConversation(t.Context(), key); err != nil {
		t.Fatal(err)
	}
	for channel, want := range map[string]bool{"c": false, "d": true} {
		at := Key{Platform: key.Platform, Workspace: key.Workspace, Channel: channel}
		if kept, err := s.Setting(t.Context(), ChannelScope(at), "instructions"); err != nil || (kept != "") != want {
			t.Errorf("the instructions of %s are %q, %v", channel, kept, err)
		}
	}
	if got := erased(); !slices.Equal(got, []int64{one.Message.ID, two.Message.ID}) {
		t.Errorf("with a channel, erased %v", got)
	}
}

// TestAnswersToARepetitionAreErasedWithIt erases a message that a later question of ours, and the
// reading of another person's request, repeat.
func TestAnswersToARepetitionAreErasedWithIt(t *testing.T) {
	ctx, path := t.Context(), filepath.Join(t.TempDir(), "test.db")
	s, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	said(t, s, "t", "secret", "The code is QZX-8W731.", false)
	in := incoming("later", "later", "Which one is it?", true)
	in.Person.PlatformID = "u2"
	r, err := s.Queue.Receive(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	turn, err := claim(s, "w", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	m, err := s.Queue.FinishTurn(ctx, &turn.Lease, Answer{Outbox: turn.Post.ID, Ref: "ref", Inbox: []int64{r.Inbox.ID},
		Message:       Message{SessionID: r.Session.ID, ChannelID: r.Session.ChannelID, InteractionID: r.Message.InteractionID, Text: "Is it QZX-8W731?", ReplyTo: r.Message.ID},
		Understanding: map[int64]Understanding{r.Message.ID: {RewrittenQuery: "Is it QZX-8W731?"}},
		Question:      &Question{InteractionID: r.Message.InteractionID, MessageID: r.Message.ID, Token: "tok", Text: "Is it QZX-8W731?", Options: []Option{{Label: "QZX-8W731"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Erase(ctx, in.Key, "secret", 0); err != nil {
		t.Fatal(err)
	}
	if m, err = s.Message(ctx, m.ID); err != nil || m.ErasedAt == 0 {
		t.Fatalf("the question stays: %+v %v", m, err)
	}
	holds(t, path, "QZX-8W731", "qzx", "8W731", "8w731")
	if q, err := s.Queue.QuestionByToken(ctx, "tok"); err != nil || q.State != QuestionCancelled {
		t.Errorf("%+v %v", q, err)
	}
	if open, err := s.reader.NewSelect().Model((*Interaction)(nil)).Where("state = ?", InteractionOpen).Count(ctx); err != nil || open != 0 {
		t.Errorf("%d requests are open (%v)", open, err)
	}
}
