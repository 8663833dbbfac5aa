package memory

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"
)

// said stores a message in a thread of the channel.
func said(t *testing.T, s *Store, thread, id, text string, answer bool) *Received {
	t.Helper()
	in := incoming(thread+"/"+id, id, text, answer)
	in.Key.Thread = thread
	r, err := s.Queue.Receive(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// about is an event about a message of the channel, whose thread it does not say.
func about(id string) Incoming {
	return Incoming{Platform: "test", EventID: id, Kind: "change", Key: Key{Platform: "test", Workspace: "w", Channel: "c"}}
}

func TestAMessageIsChangedWhereverItIsHeld(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	one, two := said(t, s, "", "m", "the code is 1", false), said(t, s, "m", "m", "the code is 1", false)
	r, err := s.Queue.ReceiveEdit(ctx, about("edit"), "m", "the code is 2")
	if err != nil || !r.New || len(r.Changed) != 2 {
		t.Fatalf("%+v %v", r, err)
	}
	for _, id := range []int64{one.Message.ID, two.Message.ID} {
		if m, _ := s.Message(ctx, id); m.Text != "the code is 2" {
			t.Errorf("message %d says %q", id, m.Text)
		}
	}
	if r, err = s.Queue.ReceiveErase(ctx, about("delete"), "m"); err != nil || len(r.Changed) != 2 {
		t.Fatalf("%+v %v", r, err)
	}
	for _, id := range []int64{one.Message.ID, two.Message.ID} {
		if m, _ := s.Message(ctx, id); m.Text != "" || m.ErasedAt == 0 {
			t.Errorf("message %d says %q after its deletion", id, m.Text)
		}
	}
}

func TestChangesOfAnUnknownMessageMakeNoSession(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	if r, err := s.Queue.ReceiveEdit(ctx, about("edit"), "m", "new"); err != nil || r.New {
		t.Fatalf("%+v %v", r, err)
	}
	for range 2 { // delivered again
		if r, err := s.Queue.ReceiveErase(ctx, about("delete"), "m"); err != nil || r.New {
			t.Fatalf("%+v %v", r, err)
		}
	}
	if n, err := s.reader.NewSelect().Table("sessions").Count(ctx); n != 0 || err != nil {
		t.Errorf("%d sessions %v", n, err)
	}
	// Its file is not kept either when the message comes at last.
	in := incoming("late", "m", "secret", true)
	in.Files = []File{{PlatformID: "f", Name: "secret.pdf"}}
	r, err := s.Queue.Receive(ctx, in)
	if err != nil || r.Inbox.State != InboxDone || r.Message.Text != "" || r.Session.Joined {
		t.Errorf("%+v %+v %v", r.Inbox, r.Message, err)
	}
	if files, err := s.WaitingFiles(ctx, r.Session.ID); len(files) != 0 || err != nil {
		t.Errorf("files %+v %v", files, err)
	}
	if r := said(t, s, "m", "other", "hello", true); r.Inbox.State != InboxNew {
		t.Errorf("another message: %+v", r.Inbox)
	}
}

// answered takes the turn over what waits and posts its answer as these messages.
func answered(t *testing.T, s *Store, text string, posts ...string) (*Message, *Outbox) {
	t.Helper()
	turn, err := claim(s, "w", time.Minute)
	if err != nil || turn == nil {
		t.Fatal(turn, err)
	}
	m, err := s.Queue.FinishTurn(context.Background(), &turn.Lease, Answer{Outbox: turn.Post.ID, Ref: "ref", Posts: posts,
		Inbox: []int64{turn.Rows[0].ID}, Message: Message{SessionID: turn.SessionID, ChannelID: 1, Text: text}})
	if err != nil {
		t.Fatal(err)
	}
	return m, turn.Post
}

func TestADeletedPostOfOursIsForgotten(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	for _, c := range []struct {
		posts []string
		edits bool // the other posts have to be put right
	}{{[]string{"p1"}, false}, {[]string{"p2", "p3"}, true}} {
		said(t, s, "t", "m"+c.posts[0], "Tell me.", true)
		m, post := answered(t, s, "The launch code is walrus.", c.posts...)
		last := c.posts[len(c.posts)-1]
		r, err := s.Queue.ReceiveErase(ctx, about("delete "+last), last)
		if err != nil || len(r.Changed) != 1 {
			t.Fatalf("%+v %v", r, err)
		}
		if m, _ = s.Message(ctx, m.ID); m.Text != "" || m.ErasedAt == 0 {
			t.Errorf("%v: still known: %q", c.posts, m.Text)
		}
		due, err := s.Queue.OutboxDue(ctx, 10)
		if err != nil || (len(due) == 1) != c.edits {
			t.Errorf("%v: due %+v %v", c.posts, due, err)
		}
		if post, err = s.Queue.OutboxByNonce(ctx, post.Nonce); err == nil {
			err = s.Queue.OutboxFinish(ctx, post, "ref", "")
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if ours, err := s.IsOurPost(ctx, about("").Key, "p1"); !ours || err != nil {
		t.Errorf("not ours: %v", err)
	}
}

// TestAWithdrawnPostIsNoDeletion: that we deleted a message of ours, before the answer
// was recorded or after, does not make us forget the answer, whenever we hear of it.
func TestAWithdrawnPostIsNoDeletion(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	r := said(t, s, "t", "m", "Tell me.", true)
	if err := s.WithdrawPost(ctx, r.Session.ID, "p1"); err != nil {
		t.Fatal(err)
	}
	m, _ := answered(t, s, "The launch code is walrus.", "p1", "p2", "p3")
	if err := s.WithdrawPost(ctx, r.Session.ID, "p3"); err != nil {
		t.Fatal(err)
	}
	for _, gone := range []string{"p1", "p3"} {
		if r, err := s.Queue.ReceiveErase(ctx, about("delete "+gone), gone); err != nil || r.New {
			t.Errorf("%s: %+v %v", gone, r, err)
		}
	}
	if kept, err := s.Message(ctx, m.ID); err != nil || kept.Text == "" {
		t.Errorf("forgotten: %+v %v", kept, err)
	}
	if r, err := s.Queue.ReceiveErase(ctx, about("delete p2"), "p2"); err != nil || !r.New {
		t.Errorf("somebody deleted what is left: %+v %v", r, err)
	}
}

func TestOurPostsAreKnownAgainInHistory(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	r := said(t, s, "t", "m", "Tell me.", true)
	answered(t, s, "First half. Second half.", "p1", "p2")
	past := []Incoming{}
	for _, id := range []string{"p1", "p2"} {
		past = append(past, Incoming{Key: r.Session.Key, Message: &Message{PlatformID: id, Role: Assistant, Text: "half"}})
	}
	if n, err := s.Backfill(ctx, r.Session, past); n != 0 || err != nil {
		t.Errorf("%d messages were new: %v", n, err)
	}
}

func TestExternalChannelsAndGuestsSeeTheirOwn(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	place := func(channel string, c Channel, p Person) (*Session, *Person) {
		session, person, err := s.Locate(ctx, Key{Platform: "test", Workspace: "w", Channel: channel, Thread: "t"}, c, p)
		if err != nil {
			t.Fatal(err)
		}
		return session, person
	}
	member, guest := Person{PlatformID: "m", Name: "Mia"}, Person{PlatformID: "g", Name: "Gus", Kind: Guest}
	public, mia := place("public", Channel{Kind: Public}, member)
	external, _ := place("external", Channel{Kind: Public, External: true}, member)
	other, gus := place("other", Channel{Kind: Public}, guest)
	for _, c := range []struct {
		name      string
		session   *Session
		person    *Person
		public    bool
		documents bool
	}{
		{"a member", other, mia, true, true},
		{"a guest", other, gus, false, false},
		{"a member in an external channel", external, mia, false, false},
		{"a guest where it was said", public, gus, true, false},
	} {
		a, err := s.Audience(ctx, c.session.ID, c.person.ID)
		if err != nil || a.NoDocuments == c.documents {
			t.Errorf("%s: %+v %v", c.name, a, err)
		}
		seen, err := s.Views.Sessions(ctx, a, 10)
		if err != nil {
			t.Fatal(err)
		}
		found := false
		for _, x := range seen {
			found = found || x.ID == public.ID
			if x.ID == external.ID && c.session != external {
				t.Errorf("%s sees the external channel", c.name)
			}
		}
		if found != c.public {
			t.Errorf("%s sees the public channel: %v", c.name, found)
		}
	}
}

func TestADeletedFileTakesWhatWasReadOfIt(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	in := incoming("e", "m", "Read this.", false)
	in.Files = []File{{PlatformID: "f", Name: "a.txt", Link: "https://files.example/a"}}
	r, err := s.Queue.Receive(ctx, in)
	if err != nil {
		t.Fatal(err)
	}
	d := Document{SessionID: r.Session.ID, ChannelID: r.Session.ChannelID, Name: "a.txt", State: DocumentReady}
	if _, err := s.writer.NewInsert().Model(&d).ExcludeColumn("id").Returning("id").Exec(ctx); err != nil {
		t.Fatal(err)
	}
	// Without the channel, as not every platform tells it.
	files, err := s.FilesByPlatformID(ctx, Key{Platform: "test", Workspace: "w"}, "f")
	if err != nil || len(files) != 1 {
		t.Fatalf("%+v %v", files, err)
	}
	if err := s.SetFileResult(ctx, files[0].ID, 0, FileFailed, "deleted"); err != nil {
		t.Fatal(err)
	}
	if err := s.SetFileResult(ctx, files[0].ID, d.ID, FileRead, ""); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Document(ctx, d.ID); err != nil || got.RemovedAt == 0 {
		t.Errorf("%+v %v", got, err)
	}
}

func TestPurgeKeepsWhatIsStillNeeded(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	now := int64(1_000_000)
	s.Now = func() int64 { return now }
	r := said(t, s, "t", "m", "Tell me.", true)
	answered(t, s, "Here you are.", "p1")
	for i := range purgeBatch + 3 {
		said(t, s, "t", fmt.Sprint("beside", i), "And so on.", false)
	}
	command := Incoming{Platform: "test", EventID: "c", Kind: "command", Key: r.Session.Key, Quick: true}
	c, err := s.Queue.Receive(ctx, command)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.Queue.InboxCloseCommand(ctx, c.Inbox.ID, &Outbox{SessionID: r.Session.ID, Nonce: "c"}); err != nil {
		t.Fatal(err)
	}
	o, err := s.Queue.OutboxByNonce(ctx, "c")
	if err == nil {
		err = s.Queue.OutboxFinish(ctx, o, "r", "")
	}
	if err != nil {
		t.Fatal(err)
	}
	if fresh, err := s.Queue.OutboxAdd(ctx, Outbox{SessionID: r.Session.ID, Nonce: "announced"}); !fresh || err != nil {
		t.Fatal(fresh, err)
	}
	open := said(t, s, "t", "open", "Still open.", true)
	if n, err := s.Queue.Purge(ctx, now); n != 0 || err != nil {
		t.Fatalf("%d rows of today: %v", n, err)
	}
	n, err := s.Queue.Purge(ctx, now+1)
	if want := purgeBatch + 3 + 1 + 1 + 1; n != want || err != nil {
		t.Errorf("%d rows, want %d: %v", n, want, err)
	}
	if rows, err := s.Queue.InboxPending(ctx, r.Session.ID); err != nil || len(rows) != 1 || rows[0].ID != open.Inbox.ID {
		t.Errorf("what waits: %+v %v", rows, err)
	}
	if _, err := s.Queue.OutboxByNonce(ctx, "c"); !errors.Is(err, ErrNotFound) {
		t.Errorf("the answer of a command: %v", err)
	}
	for _, nonce := range []string{"announced", "nt/m"} {
		if _, err := s.Queue.OutboxByNonce(ctx, nonce); err != nil {
			t.Errorf("%s: %v", nonce, err)
		}
	}
	if session, err := s.Session(ctx, r.Session.ID); err != nil || !session.Joined {
		t.Errorf("not joined any more: %v", err)
	}
}

func TestOtherPlatformsWait(t *testing.T) {
	ctx, s := context.Background(), openTest(t)
	said(t, s, "t", "m", "Tell me.", true)
	if turn, err := s.Queue.ClaimTurn(ctx, "w", time.Minute, Burst{Rows: 1}, func(*Inbox) string { return "n" }, "another"); turn != nil || err != nil {
		t.Errorf("%+v %v", turn, err)
	}
	if _, ok, err := s.Queue.NextTurnAt(ctx, "another"); ok || err != nil {
		t.Errorf("ready: %v", err)
	}
	if n, err := s.Queue.CountOpen(ctx, "another"); n != 0 || err != nil {
		t.Errorf("busy with %d: %v", n, err)
	}
	if n, err := s.Queue.CountOpen(ctx, "another", "test"); n != 1 || err != nil {
		t.Errorf("busy with %d: %v", n, err)
	}
	if turn, err := s.Queue.ClaimTurn(ctx, "w", time.Minute, Burst{Rows: 1}, func(*Inbox) string { return "n" }, "test"); turn == nil || err != nil {
		t.Errorf("%+v %v", turn, err)
	}
}
