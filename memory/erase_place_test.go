package memory_test

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"threadkeeper/docs"
	"threadkeeper/memory"
)

// crowd fills a channel with one of everything that is kept, each with a mark in it, and a
// document of the same bytes.
func crowd(t *testing.T, s *memory.Store, at memory.Key, mark, bytes string) {
	t.Helper()
	ctx := t.Context()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	say := func(id, text string, answer bool) *memory.Received {
		in := memory.Incoming{Platform: at.Platform, EventID: mark + id, Kind: "message", Key: at, Channel: memory.Channel{Kind: memory.Public, Name: mark + " room"},
			Person:  memory.Person{PlatformID: "U" + mark, Name: mark + "son"},
			Message: &memory.Message{PlatformID: mark + id, Role: memory.User, Author: mark + "son", Text: text}, Answer: answer, Payload: `{"id":"` + mark + `"}`}
		in.Files = []memory.File{{PlatformID: mark + id, Name: mark + ".txt", Locator: mark, Link: "https://example.org/" + mark}}
		r, err := s.Queue.Receive(ctx, in)
		must(err)
		return r
	}
	must(s.SetGuest(ctx, at, "G"+mark, true))
	for i, text := range []string{"I prefer %s for all exports.", "We decided to use %s for the queue.", "The badge code is %s-114.", "I need to call %s tomorrow."} {
		say(fmt.Sprint("early", i), fmt.Sprintf(text, mark), false)
	}
	for i := range 30 {
		say(fmt.Sprint("filler", i), fmt.Sprintf("Item %d of the inventory of %s was counted twice and found in its place on shelf %d.", i, mark, i*7), false)
	}
	compact(t, s)
	asked := say("asked", "What about "+mark+"?", true)
	must(s.Spend(ctx, memory.Spending{PersonID: asked.Person.ID, ChannelID: asked.Session.ChannelID, Model: mark, Purpose: "answer", Calls: 1}))
	x := &docs.Index{Store: s}
	d, err := x.Add(ctx, docs.Upload{Session: asked.Session, MessageID: asked.Message.ID, PersonID: asked.Person.ID, Name: mark + ".txt", Data: strings.NewReader(bytes)}, nil)
	must(err)
	turn := claim(t, s)
	m, err := s.Queue.FinishTurn(ctx, &turn.Lease, memory.Answer{Outbox: turn.Post.ID, Ref: "ref " + mark, Posts: []string{mark + "p"}, Inbox: []int64{turn.Rows[0].ID},
		State: memory.InteractionClosed,
		Message: memory.Message{SessionID: turn.SessionID, ChannelID: asked.Session.ChannelID, InteractionID: asked.Message.InteractionID,
			Text: "It is " + mark + " [1].", ReplyTo: asked.Message.ID},
		Whole:         "It is " + mark + ", in full.",
		Understanding: map[int64]memory.Understanding{asked.Message.ID: {RewrittenQuery: mark, Method: "rule"}},
		Ledger:        memory.Ledger{ModelCalls: 1, Route: mark},
		Citations:     []memory.Citation{{N: 1, DocumentID: d.ID, Page: 1, Quote: mark}},
		Question: &memory.Question{InteractionID: asked.Message.InteractionID, MessageID: asked.Message.ID, PersonID: asked.Person.ID, Token: mark,
			Text: mark + "?", Options: []memory.Option{{Label: mark, Query: mark}}}})
	must(err)
	must(s.SetFeedback(ctx, memory.Feedback{Channel: m.ChannelID, Nonce: turn.Post.Nonce, Person: asked.Person.ID, Value: "helpful", At: 1}))
	_, err = s.Queue.OutboxAdd(ctx, memory.Outbox{SessionID: asked.Session.ID, Nonce: mark, Payload: mark})
	must(err)
	given, err := s.Queue.Receive(ctx, memory.Incoming{Platform: at.Platform, EventID: mark + "look", Kind: "command", Key: at, Command: true,
		Channel: memory.Channel{Kind: memory.Public, Name: mark + " room"}, Person: memory.Person{PlatformID: "U" + mark, Name: mark + "son"}, Payload: "{}"})
	must(err)
	_, err = s.Queue.InboxCloseCommand(ctx, given.Inbox.ID, &memory.Outbox{SessionID: asked.Session.ID, Nonce: mark + "look", Payload: mark,
		Shows: memory.Shown{Messages: []int64{asked.Message.ID}}})
	must(err)
	must(s.SetCursor(ctx, at.Platform, at.Workspace, 1))
	must(s.SetSetting(ctx, memory.ChannelScope(at), "follow", mark))
	must(s.SetSetting(ctx, memory.PersonScope(asked.Person.ID), "model", mark))
	must(s.SetSetting(ctx, fmt.Sprintf("session:%d", asked.Session.ID), "document", mark))
	_, err = s.Edit(ctx, at, mark+"filler29", "Item 29 of "+mark+" was counted once.")
	must(err)
	_, err = s.Erase(ctx, at, mark+"never came", 0)
	must(err)
	_, err = s.Suspect(ctx, []memory.Suspicion{{Key: at, PlatformID: mark + "early1"}})
	must(err)
	must(s.KeepFindings(ctx, &memory.Findings{ContentID: d.ContentID, SessionID: asked.Session.ID, Hash: mark, Page: 1}, []memory.Finding{{Page: 1, Claim: mark, Quote: mark}}))
	say("waits", "And what of "+mark+"?", true)
}

// TestNothingIsLeftOfAPlaceThatIsErased: not a row and not a byte of the file, while another workspace
// keeps all it has, also what both have.
func TestNothingIsLeftOfAPlaceThatIsErased(t *testing.T) {
	for _, whole := range []bool{true, false} {
		ctx, path := t.Context(), filepath.Join(t.TempDir(), "test.db")
		s, err := memory.Open(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		s.Policy = memory.Policy{Threshold: 800, Window: 4, WindowShare: 45, SummaryShare: 50}
		gone := memory.Key{Platform: "slack", Workspace: "T1", Channel: "C1", Thread: "1"}
		beside := memory.Key{Platform: "slack", Workspace: "T1", Channel: "C2", Thread: "1"}
		kept := memory.Key{Platform: "slack", Workspace: "T2", Channel: "C1", Thread: "1"}
		crowd(t, s, kept, "Okapi", "Okapi and the bytes that all of them have.")
		before := rows(t, path)
		crowd(t, s, gone, "Quagga", "Quagga, in one file only.")
		crowd(t, s, beside, "Wombat", "Okapi and the bytes that all of them have.")
		for table, found := range rows(t, path) {
			if len(found) == 0 && table != "compactions" {
				t.Errorf("%s has no rows", table)
			}
		}
		p := memory.Key{Platform: "slack", Workspace: "T1"}
		marks, conversations := []string{"Quagga", "Wombat"}, 2
		if whole {
			if err := s.SetHome(ctx, memory.ShownHome{Key: p, Person: "UQuagga", Print: "Quagga"}); err != nil {
				t.Fatal(err)
			}
			if err := s.SetSetting(ctx, memory.WorkspaceScope(p), memory.DenySetting, " person:Quagga "); err != nil {
				t.Fatal(err)
			}
		} else {
			p.Channel, marks, conversations = "C1", marks[:1], 1
		}
		if n, err := s.CountPlace(ctx, p); err != nil || n.Channels != conversations || n.Conversations != conversations || n.Documents != conversations || n.Messages != conversations*37 {
			t.Errorf("counted %+v, %v", n, err)
		}
		if sessions, err := s.ErasePlace(ctx, p); err != nil || len(sessions) != conversations {
			t.Fatalf("erased %v, %v", sessions, err)
		}
		if n, err := s.CountPlace(ctx, p); err != nil || n != (memory.PlaceCounts{}) {
			t.Errorf("left %+v, %v", n, err)
		}
		after := rows(t, path)
		for table, found := range after {
			for _, row := range found {
				for _, mark := range marks {
					if text := fmt.Sprint(row); strings.Contains(strings.ToLower(text), strings.ToLower(mark)) {
						t.Errorf("%s holds %s", table, text)
					}
				}
			}
		}
		checkRows(t, before, after)
		checkWhole(t, path)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, mark := range marks {
			if n := bytes.Count(bytes.ToLower(file), bytes.ToLower([]byte(mark))); n > 0 {
				t.Errorf("the file holds %s %d times", mark, n)
			}
		}
		if !bytes.Contains(file, []byte("Okapi and the bytes")) {
			t.Error("the file lost what stands elsewhere too")
		}
	}
}

// TestAnErasureThatWasCutShortIsEndedByTheNext: what the first left is found by what is still there.
func TestAnErasureThatWasCutShortIsEndedByTheNext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	s, err := memory.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, channel := range []string{"C1", "C2"} {
		crowd(t, s, memory.Key{Platform: "slack", Workspace: "T1", Channel: channel, Thread: "1"}, "Quagga"+channel, "Quagga in "+channel)
	}
	p := memory.Key{Platform: "slack", Workspace: "T1"}
	clock := s.Now
	for cut := range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		s.Now = func() int64 {
			if n++; n > 2*cut {
				cancel()
			}
			return clock()
		}
		if _, err := s.ErasePlace(ctx, p); err == nil {
			t.Fatalf("cut %d: nothing was cut short", cut)
		}
		cancel()
	}
	s.Now = clock
	if _, err := s.ErasePlace(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	if left, err := s.CountPlace(t.Context(), p); err != nil || left != (memory.PlaceCounts{}) {
		t.Errorf("left %+v, %v", left, err)
	}
	for _, file := range []string{path, path + "-wal"} {
		if data, err := os.ReadFile(file); err == nil && bytes.Contains(bytes.ToLower(data), []byte("quagga")) {
			t.Errorf("%s holds what was erased", filepath.Base(file))
		}
	}
}

// TestAnswersElsewhereThatRepeatAnErasedChannel go with it, and so do people who are known from nowhere else.
func TestAnswersElsewhereThatRepeatAnErasedChannel(t *testing.T) {
	ctx := t.Context()
	s, err := memory.Open(ctx, filepath.Join(t.TempDir(), "test.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	say := func(channel, id, who, text string) *memory.Received {
		t.Helper()
		r, err := s.Queue.Receive(ctx, memory.Incoming{Platform: "slack", EventID: id, Kind: "message", Key: memory.Key{Platform: "slack", Workspace: "T1", Channel: channel},
			Channel: memory.Channel{Kind: memory.Public}, Person: memory.Person{PlatformID: who, Name: who}, Answer: channel == "C2",
			Message: &memory.Message{PlatformID: id, Role: memory.User, Author: who, Text: text}})
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	say("C1", "1", "Ada", "the door opens with QX-7731")
	say("C1", "2", "Bob", "thank you")
	asked := say("C2", "3", "Ada", "what opens the door?")
	turn := claim(t, s)
	answer, err := s.Queue.FinishTurn(ctx, &turn.Lease, memory.Answer{Outbox: turn.Post.ID, Ref: "ref", Inbox: []int64{turn.Rows[0].ID}, State: memory.InteractionClosed,
		Message: memory.Message{SessionID: turn.SessionID, ChannelID: asked.Session.ChannelID, InteractionID: asked.Message.InteractionID, Text: "It is QX-7731.", ReplyTo: asked.Message.ID}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := s.ErasePlace(ctx, memory.Key{Platform: "slack", Workspace: "T1", Channel: "C1"}); err != nil {
		t.Fatal(err)
	}
	if m, err := s.Message(ctx, answer.ID); err != nil || m.Text != "" || m.ErasedAt == 0 {
		t.Errorf("the answer elsewhere is %+v, %v", m, err)
	}
	if m, err := s.Message(ctx, asked.Message.ID); err != nil || m.Text == "" {
		t.Errorf("the question elsewhere is %+v, %v", m, err)
	}
	for who, want := range map[string]bool{"Ada": true, "Bob": false} {
		if _, err := s.PersonByPlatformID(ctx, asked.Session.Key, who); (err == nil) != want {
			t.Errorf("%s is known: %v", who, err)
		}
	}
}
