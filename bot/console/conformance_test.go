package console

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"threadkeeper/bot"
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

	mu    sync.Mutex
	posts []platformtest.Post
}

func newHarness(t *testing.T) platformtest.Harness {
	store, err := memory.Open(t.Context(), filepath.Join(t.TempDir(), "console.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { store.Close() })
	h := &harness{t: t, typed: make(chan string, 100)}
	h.chat = &Chat{Seat: Seat{Store: store, Author: bot.Author{ID: "me", Name: "Ada"}, Dir: t.TempDir()},
		Drain: func(ctx context.Context) error { <-ctx.Done(); return ctx.Err() },
		run:   runPrefix + "suite", interrupts: make(chan os.Signal, 2),
		screen: &screen{out: io.Discard, width: func() int { return 80 }}}
	h.chat.read = func() (string, error) {
		select {
		case text := <-h.typed:
			return text, nil
		case <-t.Context().Done():
			return "", io.EOF
		}
	}
	return h
}

func (h *harness) Platform() bot.Platform          { return watched{h.chat, h} }
func (h *harness) Features() platformtest.Features { return platformtest.Features{} }

func (h *harness) Say(s platformtest.Said) (string, platformtest.Place) {
	h.typed <- s.Text
	return "", s.At
}

// Command types a command; stop is Ctrl-C while a turn runs.
func (h *harness) Command(_ string, _ platformtest.Place, name, args string) {
	h.chat.mu.Lock()
	running := h.chat.done != nil
	h.chat.mu.Unlock()
	if name == "stop" && running {
		h.chat.interrupts <- os.Interrupt
		return
	}
	h.typed <- strings.TrimSpace("/" + name + " " + args)
}

func (h *harness) Posts(platformtest.Place, string) []platformtest.Post {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append([]platformtest.Post(nil), h.posts...)
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

func (h *harness) final(id string, m bot.Outgoing) {
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

func (w watched) Post(ctx context.Context, to bot.Address, m bot.Outgoing) (bot.Ref, error) {
	r, err := w.Chat.Post(ctx, to, m)
	if err == nil {
		w.h.final(string(r), m)
	}
	return r, err
}

func (w watched) Edit(ctx context.Context, r bot.Ref, m bot.Outgoing) error {
	err := w.Chat.Edit(ctx, r, m)
	if err == nil {
		w.h.final(string(r), m)
	}
	return err
}

func (w watched) Upload(ctx context.Context, to bot.Address, u bot.Upload) (bot.Ref, error) {
	r, err := w.Chat.Upload(ctx, to, u)
	if err == nil {
		w.h.show(string(r), func(p *platformtest.Post) { p.Text, p.File = u.Text, u.Name })
	}
	return r, err
}

func (w watched) Stream(ctx context.Context, to bot.Address, nonce string) (bot.Stream, error) {
	s, err := w.Chat.Stream(ctx, to, nonce)
	return watchedStream{s, w.h}, err
}

type watchedStream struct {
	bot.Stream
	h *harness
}

func (s watchedStream) Append(ctx context.Context, text string) error {
	err := s.Stream.Append(ctx, text)
	if err == nil {
		s.h.show(string(s.Ref()), func(p *platformtest.Post) { p.Text += text })
	}
	return err
}

func (s watchedStream) Close(ctx context.Context, m bot.Outgoing) (bot.Ref, error) {
	r, err := s.Stream.Close(ctx, m)
	if err == nil {
		s.h.final(string(s.Ref()), m)
	}
	return r, err
}
