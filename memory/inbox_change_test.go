package memory

import (
	"context"
	"testing"
)

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
