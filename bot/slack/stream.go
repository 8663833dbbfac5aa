package slack

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	slackapi "github.com/slack-go/slack"

	"threadkeeper/bot/platform"
)

// Text is sent once there is this much of it or this long after the last.
const (
	streamChars = 256
	streamTime  = time.Second
)

// show is how a stream shows what it has.
type show int

const (
	byStream show = iota // Slack's own streaming
	byEdits              // one message that is edited
	atEnd                // not before Close
)

// stream is a reply that grows. Slack streams only in threads, for one person; where it
// does not, or no more, the message is edited as it grows.
type stream struct {
	a     *Adapter
	to    platform.Address
	at    spot
	nonce string

	mu    sync.Mutex
	how   show
	ts    string    // of the message, "" until there is one
	raw   string    // all that was appended
	shown string    // of it, as Markdown that mentions nobody
	last  time.Time // when text was sent
	owes  string    // the method that is promised to end it, "" for none
}

// Stream begins a reply that grows. What only one person may see does not.
func (a *Adapter) Stream(_ context.Context, to platform.Address, nonce string) (platform.Stream, error) {
	s := &stream{a: a, to: to, at: spotOf(to), nonce: nonce}
	switch {
	case to.EphemeralTo != "" && !s.at.private():
		s.how = atEnd
	case s.at.thread == "" || to.Asker == "" && !s.at.private() || a.streamless.Load():
		s.how = byEdits
	}
	return s, nil
}

// Ref names the message, "" until there is one.
func (s *stream) Ref() platform.Ref {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ts == "" {
		return ""
	}
	return s.ref(s.ts)
}

func (s *stream) ref(parts ...string) platform.Ref {
	return ref{Team: s.to.Key.Workspace, Channel: s.at.channel, Thread: s.at.thread, Parts: parts}.String()
}

// Append shows more, as soon as our limits allow: until then it is kept. Text beyond
// what one message holds waits for Close.
func (s *stream) Append(ctx context.Context, text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.raw = strings.TrimLeft(s.raw+text, "\n")
	now := neutral(s.raw[:stable(s.raw)])
	more, ok := strings.CutPrefix(now, s.shown)
	switch {
	case s.how == atEnd, !ok, strings.TrimSpace(more) == "", length(now) > maxMarkdown*9/10,
		length(more) < streamChars && time.Since(s.last) < streamTime:
		return nil
	}
	if s.how == byStream {
		if done, err := s.grow(ctx, more); done || err != nil || s.how == byStream && s.ts != "" {
			return err
		}
	}
	return s.edit(ctx, now)
}

// begin promises the call that ends a reply, if none is. It is false where our limits
// leave none: the reply begins later or is posted whole, so that none comes late because
// it was to be seen growing.
func (s *stream) begin(end string) bool {
	if s.owes == "" && s.a.limits.promise(end) {
		s.owes = end
	}
	return s.owes != ""
}

// settle takes the promise back.
func (s *stream) settle() {
	if s.owes != "" {
		s.a.limits.keep(s.owes)
		s.owes = ""
	}
}

// grow sends more to the stream, which it starts if there is none. It is not done if
// our limits do not allow it now, or if Slack refused; then the reply goes on by edits.
func (s *stream) grow(ctx context.Context, more string) (bool, error) {
	method, send := "chat.appendStream", func(ctx context.Context) error {
		_, _, err := s.a.api.AppendStreamContext(ctx, s.at.channel, s.ts, slackapi.MsgOptionMarkdownText(more))
		return err
	}
	if s.ts == "" {
		if !s.begin("chat.stopStream") {
			return false, nil
		}
		method, send = "chat.startStream", func(ctx context.Context) (err error) {
			options := []slackapi.MsgOption{slackapi.MsgOptionTS(s.at.thread), slackapi.MsgOptionMarkdownText(more)}
			if s.to.Asker != "" {
				team := s.a.teamOf(ctx, s.to.Asker, s.to.Key.Workspace)
				options = append(options, slackapi.MsgOptionRecipientTeamID(team), slackapi.MsgOptionRecipientUserID(s.to.Asker))
			}
			_, s.ts, err = s.a.api.StartStreamContext(ctx, s.at.channel, options...)
			return err
		}
	}
	made, err := s.a.callIfSpare(ctx, method, "", send)
	if s.ts == "" {
		s.settle()
	}
	switch {
	case !made:
		return false, nil
	case err == nil:
		s.shown, s.last = s.shown+more, time.Now()
		if method == "chat.startStream" {
			s.a.processing.begin(s.at)
		}
		return true, nil
	case wordOf(err) == "":
		return false, err
	case wordOf(err) == "stopped_by_user": // agent_session_stopped ends the turn
		s.how = atEnd
		return true, nil
	}
	if slices.Contains([]string{"missing_scope", "unknown_method", "not_allowed_token_type", "feature_not_enabled"}, wordOf(err)) {
		s.a.streamless.Store(true)
	}
	s.a.Log.Debug("stream goes on by edits", "error", err)
	s.how = byEdits
	s.settle()
	if s.ts != "" {
		return false, s.a.halt(ctx, s.at, s.ts)
	}
	return false, nil
}

// edit shows the text so far by changing the message, which it posts if there is
// none.
func (s *stream) edit(ctx context.Context, now string) error {
	r := rendering{out: platform.Outgoing{Nonce: s.nonce, Kind: platform.KindReply}, parts: []string{now}}
	options := append(r.options(0, formFull, maxText), slackapi.MsgOptionMetadata(r.metadata(0)))
	method, place := "chat.update", s.at.channel+"/"+s.ts
	send := func(ctx context.Context) error {
		_, _, _, err := s.a.api.UpdateMessageContext(ctx, s.at.channel, s.ts, options...)
		return err
	}
	if s.ts == "" {
		if !s.begin("chat.update") {
			return nil
		}
		method, place = "chat.postMessage", s.at.channel
		if s.at.thread != "" {
			options = append(options, slackapi.MsgOptionTS(s.at.thread))
		}
		options = append(options, slackapi.MsgOptionDisableLinkUnfurl(), slackapi.MsgOptionDisableMediaUnfurl())
		send = func(ctx context.Context) (err error) {
			_, s.ts, err = s.a.api.PostMessageContext(ctx, s.at.channel, options...)
			return err
		}
	}
	made, err := s.a.callIfSpare(ctx, method, place, send)
	if s.ts == "" {
		s.settle()
	}
	if unfit(err) { // the final form has others
		s.how = atEnd
		return nil
	}
	if err == nil && made {
		s.how, s.shown, s.last = byEdits, now, time.Now()
	}
	return err
}

// Close brings the reply into its final form, whatever became of the stream.
func (s *stream) Close(ctx context.Context, final platform.Outgoing) (platform.Ref, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.end(ctx, final)
	if err == nil {
		s.a.rest(ctx, s.at)
	}
	return r, err
}

// end is Close without a word to Slack that the work is done. The lock is held.
func (s *stream) end(ctx context.Context, final platform.Outgoing) (platform.Ref, error) {
	s.settle()
	if s.ts == "" {
		return s.a.Post(ctx, s.to, final)
	}
	r := render(final)
	whole := false
	if s.how == byStream {
		var err error
		if whole, err = s.stop(ctx, r); err != nil {
			return "", err
		}
	}
	parts := []string{s.ts}
	if !whole {
		var err error
		parts, err = s.a.bring(ctx, s.at, parts, r)
		if err != nil {
			return "", err
		}
		return s.ref(parts...), nil
	}
	for len(parts) < len(r.parts) {
		ts, err := s.a.add(ctx, s.at, r, len(parts))
		if err != nil {
			return "", err
		}
		parts = append(parts, ts)
	}
	return s.ref(parts...), nil
}

// stop ends Slack's stream. It is true if the message then says all of its part: what
// was shown is how the part begins, and Slack took the rest. What else Slack answers
// leaves a message to be edited.
func (s *stream) stop(ctx context.Context, r rendering) (bool, error) {
	rest, whole := strings.CutPrefix(r.parts[0], s.shown)
	whole = whole && !r.aside()
	options := []slackapi.MsgOption{slackapi.MsgOptionMetadata(r.metadata(0))}
	if whole && rest != "" {
		options = append(options, slackapi.MsgOptionMarkdownText(rest))
	}
	if blocks := r.extras(formFull); whole && len(r.parts) == 1 && len(blocks) > 0 {
		options = append(options, slackapi.MsgOptionBlocks(blocks...))
	}
	err := s.a.stopStream(ctx, s.at, s.ts, options...)
	if word := wordOf(err); word != "" && word != "message_not_found" {
		if word != "message_not_in_streaming_state" {
			s.a.Log.Debug("a stream ends without its last part", "error", err)
		}
		return false, nil // edited, which ends a stream that still runs
	}
	if err == nil {
		s.a.worked(s.at)
	}
	return whole, err
}

func (a *Adapter) stopStream(ctx context.Context, at spot, ts string, options ...slackapi.MsgOption) error {
	return a.call(ctx, "chat.stopStream", "", func(ctx context.Context) error {
		_, _, err := a.api.StopStreamContext(ctx, at.channel, ts, options...)
		return err
	})
}

// halt ends a stream as it is. One that does not run any more is fine.
func (a *Adapter) halt(ctx context.Context, at spot, ts string) error {
	err := a.stopStream(ctx, at, ts)
	if wordOf(err) == "message_not_in_streaming_state" {
		return nil
	}
	return err
}
