package slack

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/slack/fakeslack"
)

func TestPostsHaveTheirButtonsAndMentionNobody(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	m := looks["answer"]
	m.Text = "Hello @channel, <!here>, <@" + s.bob + "> & friends [1]"
	s.post(s.to, m)
	s.post(s.to, looks["question"])
	shown := s.Shown(s.channel, s.root, s.ada)
	if got := shown[0]; got.Notifies != 0 || !got.Feedback || len(got.Buttons) != 3 || len(got.Context) != 1 || !strings.Contains(got.Text, "& friends") {
		t.Errorf("the answer is shown as %+v", got)
	}
	var labels, values []string
	for _, b := range shown[1].Buttons {
		labels, values = append(labels, b.Label), append(values, b.Value)
	}
	if want := []string{"The lease of the office in Lyon", "The service contract with Acme", "Something else", "Just answer"}; !slices.Equal(labels, want) {
		t.Errorf("options %q", labels)
	}
	if want := []string{"q:a:0", "q:a:1", "q:a:-3", "q:a:-2"}; !slices.Equal(values, want) {
		t.Errorf("actions %q", values)
	}
	for _, r := range s.Requests("chat.postMessage") {
		if r.Args["unfurl_links"] != "false" || r.Args["unfurl_media"] != "false" || r.Args["parse"] != "none" {
			t.Errorf("posted with %v", r.Args)
		}
	}
}

func TestEveryLookIsTaken(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	for name, out := range looks {
		before := len(s.Requests("chat.postMessage"))
		r, err := parseRef(s.post(s.to, out))
		if err != nil {
			t.Fatal(err)
		}
		if n := len(s.Requests("chat.postMessage")) - before; n != len(r.Messages) {
			t.Errorf("%s took %d requests for %d parts", name, n, len(r.Messages))
		}
	}
}

func TestRefusedBlocksFallBack(t *testing.T) {
	t.Parallel()
	isKind := func(kind string) func(fakeslack.Args) bool {
		return func(a fakeslack.Args) bool { return strings.Contains(fmt.Sprint(a["blocks"]), `"`+kind+`"`) }
	}
	m := looks["answer"]
	for _, c := range []struct {
		name   string
		refuse string
		method string
	}{
		{"feedback buttons", "context_actions", "chat.postMessage"},
		{"Markdown", "markdown", "chat.postMessage"},
		{"Markdown of an edit", "markdown", "chat.update"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newStage(t, fakeslack.Options{})
			var ref platform.Ref
			if c.method == "chat.update" {
				ref = s.post(s.to, reply("before"))
			}
			s.Break(fakeslack.Fault{Kind: fakeslack.Refuse, Code: "invalid_blocks", Methods: []string{c.method}, When: isKind(c.refuse), Times: 4})
			if c.method == "chat.update" {
				if _, err := s.a.Edit(t.Context(), ref, m); err != nil {
					t.Fatal(err)
				}
			} else {
				s.post(s.to, m)
			}
			shown := s.Shown(s.channel, s.root, s.ada)
			if len(shown) != 1 || !strings.Contains(shown[0].Text, "three years") || !strings.Contains(shown[0].Text+strings.Join(shown[0].Context, ""), "warranty.pdf") {
				t.Errorf("shown %+v", shown)
			}
			if n := len(s.Requests(c.method)); n != 2 {
				t.Errorf("%d requests, want 2", n)
			}
		})
	}
}

func TestPermanentSlackErrorsAreUndeliverable(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	ref := s.post(s.to, reply("here"))
	for _, word := range []string{"channel_not_found", "not_in_channel", "is_archived", "restricted_action"} {
		s.Break(fakeslack.Fault{Kind: fakeslack.Refuse, Code: word, Methods: []string{"chat.postMessage"}})
		var muted *platform.CannotPostError
		if _, err := s.a.Post(t.Context(), s.to, reply("x")); !errors.Is(err, platform.ErrUndeliverable) || !errors.As(err, &muted) {
			t.Errorf("%s: %v", word, err)
		} else if !strings.HasSuffix(muted.Asked, "/archives/"+s.channel+"/p"+strings.ReplaceAll(s.to.ReplyTo, ".", "")) {
			t.Errorf("%s: asked at %q", word, muted.Asked)
		}
	}
	r, _ := parseRef(ref)
	s.Delete(s.channel, r.Messages[0])
	if _, err := s.a.Edit(t.Context(), ref, reply("y")); !errors.Is(err, platform.ErrUndeliverable) {
		t.Errorf("edit of a deleted post: %v", err)
	}
	if _, err := s.a.Edit(t.Context(), "rubbish", reply("y")); !errors.Is(err, platform.ErrUndeliverable) {
		t.Errorf("edit of rubbish: %v", err)
	}
	closed := newStage(t, fakeslack.Options{})
	old := closed.post(closed.to, reply("here"))
	closed.Archive(closed.channel)
	if _, err := closed.a.Edit(t.Context(), old, reply("y")); !errors.Is(err, platform.ErrUndeliverable) {
		t.Errorf("edit in an archived channel: %v", err)
	}
	s.Break(fakeslack.Fault{Kind: fakeslack.Fail, Methods: []string{"chat.postMessage"}})
	var later *platform.RetryError
	if _, err := s.a.Post(t.Context(), s.to, reply("x")); err == nil || errors.Is(err, platform.ErrUndeliverable) || errors.As(err, &later) {
		t.Errorf("a server error: %v", err)
	}
	if n := len(s.Requests("chat.postMessage")); n != 6 {
		t.Errorf("%d posts tried, want 6: none twice", n)
	}
}

func TestARateLimitIsWaitedFor(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"chat.postMessage", "chat.update", "chat.delete", "conversations.replies", "chat.stopStream"} {
		t.Run(method, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, fakeslack.Options{})
			s.Break(fakeslack.Fault{Kind: fakeslack.Limit, After: time.Second, Methods: []string{method}})
			live, err := s.a.Stream(t.Context(), s.to, reply("").Nonce)
			if err == nil {
				err = live.Append(t.Context(), "one two ")
			}
			if err != nil {
				t.Fatal(err)
			}
			ref, err := live.Close(t.Context(), reply(long(2)))
			if err == nil {
				_, err = s.a.Edit(t.Context(), ref, reply("the end"))
			}
			if err != nil {
				t.Fatal(err)
			}
			s.want("the end")
		})
	}
}

func TestAnAnswerDuringShutdown(t *testing.T) {
	t.Parallel()
	s := newStage(t, fakeslack.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.a.Post(ctx, s.to, reply("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("with a context that is done: %v", err)
	}
	s.post(s.to, reply("x"))
}

// TestAShortAnswerIsOnePost: package bot posts whole what ends soon after its first text.
func TestAShortAnswerIsOnePost(t *testing.T) {
	t.Parallel()
	if s := newStage(t, fakeslack.Options{}); !s.a.Limits().Whole {
		t.Error("a short answer takes a stream")
	}
}
