package slack

import (
	"errors"
	"strings"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/slack/fakeslack"
)

func TestFiles(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	f := platform.Upload{Nonce: "tk00000000000000000001", Name: "page <!here> 6.png", Media: "image/png", Data: []byte("picture"), Text: "Page 6 of **warranty.pdf** for @channel"}
	ref, err := s.a.Upload(t.Context(), s.to, f)
	if err != nil {
		t.Fatal(err)
	}
	shown := s.Shown(s.channel, s.root, s.ada)
	if len(shown) != 1 || shown[0].Notifies != 0 || !strings.HasSuffix(shown[0].File, ".png") || !strings.Contains(shown[0].Text, "*warranty.pdf*") {
		t.Errorf("shown %+v", shown)
	}
	if link := s.a.Link(ref); !strings.Contains(link, "/files/"+fakeslack.BotUser+"/F") {
		t.Errorf("link %q", link)
	}
	got, found, err := s.adapter().Find(t.Context(), s.to, f.Nonce)
	if r, _ := parseRef(got); err != nil || !found || r.File == "" {
		t.Errorf("found %q %v %v", got, found, err)
	}
	if _, err := s.a.Edit(t.Context(), ref, platform.Outgoing{Kind: platform.KindErased, Text: "[erased]"}); err != nil {
		t.Fatal(err)
	}
	if shown := s.Shown(s.channel, s.root, s.ada); len(shown) > 0 {
		t.Errorf("the erased file, or what was said with it, is still there: %+v", shown)
	}
	if _, err := s.a.Edit(t.Context(), ref, platform.Outgoing{Kind: platform.KindErased, Text: "[erased]"}); err != nil {
		t.Errorf("a second time: %v", err)
	}
	if _, err := s.a.Upload(t.Context(), s.to, platform.Upload{Name: "empty.txt"}); !errors.Is(err, platform.ErrUndeliverable) {
		t.Errorf("an empty file: %v", err)
	}
}

func TestAFileForOnePerson(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	to := s.to
	to.EphemeralTo = s.ada
	f := platform.Upload{Nonce: "tk00000000000000000002", Name: "conversation-1.jsonl", Data: []byte("{}"), Text: "This conversation as JSONL."}
	s.Break(fakeslack.Fault{Kind: fakeslack.Lose, Methods: []string{"files.completeUploadExternal"}})
	if _, err := s.a.Upload(t.Context(), to, f); err == nil {
		t.Fatal("no error")
	}
	if _, found, err := s.adapter().Find(t.Context(), to, f.Nonce); !found || err != nil {
		t.Errorf("found %v %v", found, err)
	}
	f.Nonce = "tk00000000000000000003"
	if _, err := s.a.Upload(t.Context(), to, f); err != nil {
		t.Fatal(err)
	}
	if got := s.Shown(s.DM(s.ada), "", s.ada); len(got) != 2 || got[1].File == "" || got[1].Text != "" {
		t.Errorf("Ada's direct message shows %+v", got)
	}
	if got := s.Shown(s.channel, "", s.ada); len(got) != 1 || got[0].OnlyTo != s.ada || !strings.Contains(got[0].Text, f.Text) || !strings.Contains(got[0].Text, "conversation-1.jsonl") {
		t.Errorf("beside the message she sees %+v", got)
	}
}

func TestStatus(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	if err := s.a.Status(t.Context(), s.to, "Reading a very long name of a report about nothing at all.pdf, page 34 of 150"); err != nil {
		t.Fatal(err)
	}
	if err := s.a.Status(t.Context(), s.to, "Reading costs, in 1,000 euros.pdf"); err != nil {
		t.Fatal(err)
	}
	got := s.Statuses()
	if len(got) != 2 || len(got[1].Loading) != 1 || len([]rune(got[0].Text)) > maxStatus || !strings.HasSuffix(got[0].Text, "page 34 of 150") || len(got[0].Loading) != 1 {
		t.Errorf("statuses %+v", got)
	}
	s.post(s.to, reply("done"))
	for _, word := range []string{"missing_scope", "channel_not_found", "internal_error"} {
		s.Break(fakeslack.Fault{Kind: fakeslack.Refuse, Code: word, Methods: []string{"assistant.threads.setStatus"}})
		if err := s.a.Status(t.Context(), s.to, "x"); err != nil {
			t.Errorf("%s: %v", word, err)
		}
	}
	top := s.to
	top.Key.Thread = ""
	if err := s.a.Status(t.Context(), top, "x"); err != nil || len(s.Requests("assistant.threads.setStatus")) != 5 {
		t.Errorf("at the top of a channel: %v", err)
	}
}

func TestLinks(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	ref := s.post(s.to, reply("x"))
	r, err := parseRef(ref)
	if err != nil {
		t.Fatal(err)
	}
	link := s.a.Link(ref)
	want := "/archives/" + s.channel + "/p" + strings.ReplaceAll(r.Messages[0], ".", "") + "?cid=" + s.channel + "&thread_ts=" + s.root
	if !strings.HasPrefix(link, "https://") || !strings.HasSuffix(link, want) {
		t.Errorf("link %q, want …%q", link, want)
	}
	if s.a.Link("rubbish") != "" {
		t.Error("rubbish has a link")
	}
}
