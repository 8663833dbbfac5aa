package discord

import (
	"context"
	"errors"
	"strings"
	"sync"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
)

// Stream begins a reply that grows by edits. Nothing is posted before its first text.
func (a *Adapter) Stream(_ context.Context, to platform.Address, nonce string) (platform.Stream, error) {
	return &stream{a: a, to: to, nonce: nonce}, nil
}

// stream is a reply that grows. Its edits keep the pace of their channel: text that
// comes in between is shown with the next one, at the latest with Close.
type stream struct {
	a     *Adapter
	to    platform.Address
	nonce string

	mu   sync.Mutex
	text strings.Builder
	post *writer // nil before the first text
	last time.Time
}

// Ref returns "" before the first text was posted.
func (s *stream) Ref() platform.Ref {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.post == nil {
		return ""
	}
	return s.post.ref()
}

// Append shows more text. It waits for other growing replies in the same channel.
func (s *stream) Append(ctx context.Context, text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.WriteString(text)
	if strings.TrimSpace(settled(s.text.String())) == "" {
		return nil
	}
	if s.post == nil {
		var err error
		if s.post, err = s.a.writerFor(ctx, s.to, platform.KindReply, s.nonce); err != nil {
			return err
		}
	}
	now, channel := s.a.limits.clock(), s.post.at.channel
	if wait := s.a.pace.left(channel, now); !s.last.IsZero() && wait > 0 {
		if now.Sub(s.last) < editInterval {
			return nil // sooner than its turn
		}
		if err := s.a.limits.wait(ctx, wait); err != nil {
			return err
		}
		now = s.a.limits.clock()
	}
	s.a.pace.edited(channel, now)
	s.last = now
	err := s.post.write(ctx, func(k mark) []message { return renderGrowing(s.text.String(), k, s.to.Language) })
	var later *platform.RetryError
	if errors.As(err, &later) && len(s.post.parts) > 0 {
		return nil // shown with the next text
	}
	return err
}

// Close brings the reply into its final form, at once.
func (s *stream) Close(ctx context.Context, final platform.Outgoing) (platform.Ref, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.post == nil {
		var err error
		if s.post, err = s.a.writerFor(ctx, s.to, final.Kind, final.Nonce); err != nil {
			return "", err
		}
	}
	s.a.pace.edited(s.post.at.channel, s.a.limits.clock())
	return s.post.finish(ctx, final)
}

// editInterval is the time between two edits of growing text in one channel, where
// Discord allows about five in five seconds.
const editInterval = 1300 * time.Millisecond

type editPace struct{ next kit.Recent[time.Time] }

func (p *editPace) left(channel string, now time.Time) time.Duration {
	at, _ := p.next.Get(channel)
	return max(0, at.Sub(now))
}

func (p *editPace) edited(channel string, now time.Time) { p.next.Set(channel, now.Add(editInterval)) }
