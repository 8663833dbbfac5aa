package console

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platformtest"
	"threadkeeper/memory"
)

func TestConformance(t *testing.T) { platformtest.Run(t, newHarness) }

// harness is somebody at a terminal: what they type, and what they see.
type harness struct {
	platformtest.Harness // what a terminal has not; the suite does not call it
	t                    *testing.T
	chat                 *Chat
	typed                chan string
	threads              int    // begun so far
	thread               string // where the person is

	mu    sync.Mutex
	posts []platformtest.Post
	where map[string]string // thread by post
}

func newHarness(t *testing.T) platformtest.Harness {
	store, err := memory.Open(t.Context(), filepath.Join(t.TempDir(), "console.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	h := &harness{t: t, typed: make(chan string, 100), where: map[string]string{}}
	h.chat = &Chat{Seat: Seat{Store: store, Author: platform.Author{ID: "me", Name: "Ada"}, Dir: t.TempDir()},
		Drain: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
		Model: func(context.Context) string { return "" },
		run:   runPrefix + "suite", interrupts: make(chan os.Signal, 2),
		screen: &screen{out: io.Discard, width: func() int { return 80 }}}
	h.chat.read = func(bool) (string, error) {
		select {
		case text := <-h.typed:
			return text, nil
		case <-t.Context().Done():
			return "", io.EOF
		}
	}
	return h
}

func (h *harness) Platform() platform.Platform     { return watched{h.chat, h} }
func (h *harness) Features() platformtest.Features { return platformtest.Features{Threads: true} }

// Say types a message. One that is said at the top begins a thread.
func (h *harness) Say(s platformtest.Said) (string, platformtest.Place) {
	if s.At.Thread == "" {
		h.threads++
		s.At.Thread = fmt.Sprint("thread-", h.threads)
		h.thread = s.At.Thread
		h.typed <- "/thread new " + s.At.Thread
	}
	h.enter(s.At)
	h.typed <- s.Text
	return "", s.At
}

// enter goes to the thread of a place.
func (h *harness) enter(at platformtest.Place) {
	if at.Thread != "" && at.Thread != h.thread {
		h.thread = at.Thread
		h.typed <- "/thread switch " + at.Thread
	}
}

// Command types a command; stop is Ctrl-C while a turn runs.
func (h *harness) Command(_ string, at platformtest.Place, name, args string) {
	h.chat.mu.Lock()
	running := h.chat.done != nil
	h.chat.mu.Unlock()
	if name == "stop" && running {
		h.chat.interrupts <- os.Interrupt
		return
	}
	h.enter(at)
	h.typed <- strings.TrimSpace("/" + name + " " + args)
}

func (h *harness) Posts(at platformtest.Place, _ string) []platformtest.Post {
	h.mu.Lock()
	defer h.mu.Unlock()
	var posts []platformtest.Post
	for _, p := range h.posts {
		if h.where[p.ID] == at.Thread {
			posts = append(posts, p)
		}
	}
	return posts
}

// placed records the thread of a post.
func (h *harness) placed(id string, to platform.Address) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.where[id] = to.Key.Thread
}

// show records what a post says now.
func (h *harness) show(id string, change func(*platformtest.Post)) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for i := range h.posts {
		if h.posts[i].ID == id {
			change(&h.posts[i])
			return
		}
	}
	h.posts = append(h.posts, platformtest.Post{ID: id})
	change(&h.posts[len(h.posts)-1])
}

func (h *harness) final(id string, m platform.Outgoing) {
	h.show(id, func(p *platformtest.Post) {
		p.Text, p.Options = m.Text, nil
		if m.Question != nil {
			for _, o := range m.Question.Options {
				p.Options = append(p.Options, o.Label)
			}
		}
		for _, b := range m.Buttons {
			p.Buttons = append(p.Buttons, b.Label)
		}
	})
}

// watched is the chat with somebody who looks at its screen.
type watched struct {
	*Chat
	h *harness
}

func (w watched) Post(ctx context.Context, to platform.Address, m platform.Outgoing) (platform.Ref, error) {
	r, err := w.Chat.Post(ctx, to, m)
	if err == nil {
		w.h.placed(string(r), to)
		w.h.final(string(r), m)
	}
	return r, err
}

func (w watched) Edit(ctx context.Context, r platform.Ref, m platform.Outgoing) (platform.Ref, error) {
	r, err := w.Chat.Edit(ctx, r, m)
	if err == nil {
		w.h.final(string(r), m)
	}
	return r, err
}

func (w watched) Upload(ctx context.Context, to platform.Address, u platform.Upload) (platform.Ref, error) {
	r, err := w.Chat.Upload(ctx, to, u)
	if err == nil {
		w.h.placed(string(r), to)
		w.h.show(string(r), func(p *platformtest.Post) { p.Text, p.File = u.Text, u.Name })
	}
	return r, err
}

func (w watched) Stream(ctx context.Context, to platform.Address, nonce string) (platform.Stream, error) {
	s, err := w.Chat.Stream(ctx, to, nonce)
	if err == nil {
		w.h.placed(string(s.Ref()), to)
	}
	return watchedStream{s, w.h}, err
}

type watchedStream struct {
	platform.Stream
	h *harness
}

func (s watchedStream) Append(ctx context.Context, text string) error {
	err := s.Stream.Append(ctx, text)
	if err == nil {
		s.h.show(string(s.Ref()), func(p *platformtest.Post) { p.Text += text })
	}
	return err
}

func (s watchedStream) Close(ctx context.Context, m platform.Outgoing) (platform.Ref, error) {
	r, err := s.Stream.Close(ctx, m)
	if err == nil {
		s.h.final(string(s.Ref()), m)
	}
	return r, err
}
