package discord

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"sync"
	"time"

	"github.com/bwmarrin/discordgo"

	"threadkeeper/bot/platform"
)

const typingEvery = 8 * time.Second // Discord shows it for ten

// statuses are the turns that show their current step.
type statuses struct {
	mu    sync.Mutex
	byKey map[string]*status
}

// status is what one turn shows until its first text: typing, and a message in small
// print once it takes longer, which becomes the answer.
type status struct {
	a    *Adapter
	to   platform.Address
	wake chan struct{} // there is something to show
	over chan struct{} // closed when the answer takes over

	mu   sync.Mutex
	text string
	post *writer // nil before there is a message
}

// Status shows that an answer is being prepared, and the current step; "" for none in
// particular. It lasts until the answer begins or ctx is done, and leaves nothing
// behind.
func (a *Adapter) Status(ctx context.Context, to platform.Address, text string) error {
	if to.EphemeralTo != "" {
		if i, ok := readInteraction(to.Interaction); !ok || i.Deferral != deferredPrivate || !a.open(i) {
			return nil // there is nowhere to show it
		}
	}
	s, fresh := a.statuses.add(a, to)
	s.mu.Lock()
	s.text = text
	s.mu.Unlock()
	select {
	case s.wake <- struct{}{}:
	default:
	}
	if !fresh {
		return nil
	}
	if !a.tasks.start(ctx, s.run) {
		a.statuses.remove(s)
		return a.sendTyping(ctx, to)
	}
	return nil
}

func statusKey(to platform.Address) string {
	k := to.Key
	return fmt.Sprintf("%s/%s/%s/%s/%s", k.Workspace, k.Channel, k.Thread, to.ReplyTo, to.Event)
}

// statusNonce marks the message that shows the status of the answer to an event.
func statusNonce(to platform.Address) string {
	sum := sha256.Sum256([]byte(statusKey(to)))
	return "st" + hex.EncodeToString(sum[:10])
}

func (l *statuses) add(a *Adapter, to platform.Address) (s *status, fresh bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := statusKey(to)
	if s, ok := l.byKey[key]; ok {
		return s, false
	}
	s = &status{a: a, to: to, wake: make(chan struct{}, 1), over: make(chan struct{})}
	if l.byKey == nil {
		l.byKey = make(map[string]*status)
	}
	l.byKey[key] = s
	return s, true
}

func (l *statuses) remove(s *status) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	key := statusKey(s.to)
	if l.byKey[key] != s {
		return false
	}
	delete(l.byKey, key)
	return true
}

// take ends the status of a turn whose answer begins, and returns the post that
// shows it, nil if there is none.
func (l *statuses) take(to platform.Address) *writer {
	l.mu.Lock()
	s := l.byKey[statusKey(to)]
	l.mu.Unlock()
	if s == nil || !l.remove(s) {
		return nil
	}
	close(s.over)
	s.mu.Lock() // until the running request has ended
	defer s.mu.Unlock()
	return s.post
}

func (s *status) run(ctx context.Context) {
	defer s.a.caught("status")
	again := time.NewTicker(typingEvery)
	defer again.Stop()
	late := time.NewTimer(s.a.timing.status)
	defer late.Stop()
	worth := false
	if i, ok := readInteraction(s.to.Interaction); ok && i.Deferral == deferredClick && s.to.EphemeralTo == "" {
		s.a.clearButtons(ctx, i)
	}
	s.keepTyping(ctx)
	for {
		select {
		case <-s.over:
			return
		case <-ctx.Done():
			s.takeBack(ctx)
			return
		case <-again.C:
			s.keepTyping(ctx)
			continue
		case <-late.C:
			worth = true
		case <-s.wake:
		}
		if !worth {
			continue
		}
		if wait := s.showMessage(ctx); wait > 0 {
			late.Reset(wait)
			worth = false
		}
	}
}

func (s *status) keepTyping(ctx context.Context) {
	if s.to.EphemeralTo != "" {
		return // "thinking…" is shown
	}
	if err := s.a.sendTyping(ctx, s.to); err != nil && ctx.Err() == nil {
		s.a.Log.Debug("could not show typing", "error", err)
	}
}

// showMessage brings the message up to date, or says how long to wait for that.
func (s *status) showMessage(ctx context.Context) time.Duration {
	s.mu.Lock()
	defer s.mu.Unlock()
	select {
	case <-s.over:
		return 0
	default:
	}
	if s.text == "" || ctx.Err() != nil {
		return 0
	}
	w, fresh := s.post, s.post == nil
	if fresh {
		w = &writer{a: s.a, to: s.to, kind: platform.KindReply, nonce: statusNonce(s.to)}
		var err error
		if w.at, err = s.a.spotFor(ctx, s.to, platform.KindReply, true); err != nil {
			s.a.Log.Debug("could not show a status", "error", err)
			return 0
		}
	}
	now := s.a.limits.clock()
	if wait := s.a.pace.left(w.at.channel, now); wait > 0 && !fresh {
		return wait
	}
	s.a.pace.edited(w.at.channel, now)
	// We must know the post, to reuse or remove it.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTime)
	defer cancel()
	shown := func(k mark) []message {
		m := newMessage("-# " + literal(s.text, 200))
		m.Nonce, m.EnforceNonce, m.Components = w.nonce, true, growing(k, s.to.Language)
		return []message{m}
	}
	err := w.write(ctx, shown)
	if fresh && len(w.parts) == 0 && hasCode(err, discordgo.ErrCodeUnknownMessage) {
		// The turn is taken again: the message with this nonce was taken back.
		err = w.write(ctx, func(k mark) []message {
			all := shown(k)
			all[0].Nonce, all[0].EnforceNonce = "", false
			return all
		})
	}
	if err != nil {
		s.a.Log.Debug("could not show a status", "error", err)
	}
	if len(w.parts) > 0 {
		w.adopted = true
		s.post = w
	}
	return 0
}

func (s *status) takeBack(ctx context.Context) {
	if !s.a.statuses.remove(s) {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.post == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), finishTime)
	defer cancel()
	if err := s.a.deleteMessage(ctx, s.post.at, s.post.parts[0].id); err != nil {
		s.a.Log.Debug("could not remove a status", "error", err)
	}
}

// sendTyping shows that we write, for ten seconds: in the thread if it is there, else
// in its channel.
func (a *Adapter) sendTyping(ctx context.Context, to platform.Address) error {
	at := spotIn(to.Key)
	if !isID(at) || !isID(to.Key.Channel) {
		return fmt.Errorf("discord: %w: no such channel", platform.ErrUndeliverable)
	}
	if known, ok := a.threads.Get(to.Key.Thread); ok {
		at = known
	} else if to.ReplyTo == to.Key.Thread {
		at = to.Key.Channel // it opens with the first post
	}
	return a.call(ctx, http.MethodPost, "/channels/"+at+"/typing", nil, nil)
}
