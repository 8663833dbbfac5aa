package slack

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	slackapi "github.com/slack-go/slack"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/platform/kit"
)

// Text is sent once there is this much of it or this long after the last.
const (
	streamChars = 256
	streamTime  = time.Second
)

type streamMode int

const (
	byStream streamMode = iota // Slack's own streaming
	byEdits                    // one message that is edited
	atEnd                      // not before Close
)

// stream is a reply that grows. Slack streams only in threads, for one person; where it
// does not, or no longer does, the message is edited as it grows.
type stream struct {
	a     *Adapter
	to    platform.Address
	at    spot
	nonce string

	mu       sync.Mutex
	mode     streamMode
	ts       string    // of the message, "" until there is one
	raw      string    // all that was appended
	shown    string    // of raw, as Markdown that mentions nobody
	last     time.Time // when text was last sent
	reserved string    // the method reserved to end it, "" for none
}

// Stream begins a reply that grows. A reply for one person only does not grow.
func (a *Adapter) Stream(_ context.Context, to platform.Address, nonce string) (platform.Stream, error) {
	s := &stream{a: a, to: to, at: spotOf(to), nonce: nonce}
	switch {
	case to.EphemeralTo != "" && !s.at.private():
		s.mode = atEnd
	case s.at.thread == "" || !isUser(to.Asker) && !s.at.private() || a.streamless.Load(): // a stream in a channel names a person
		s.mode = byEdits
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
	return ref{Workspace: s.to.Key.Workspace, Channel: s.at.channel, Thread: s.at.thread, Messages: parts}.String()
}

// Append shows more text as soon as our limits allow. Text beyond
// one message waits for Close.
func (s *stream) Append(ctx context.Context, text string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.raw = strings.TrimLeft(s.raw+text, "\n")
	now := neutral(s.raw[:stable(s.raw)])
	more, ok := strings.CutPrefix(now, s.shown)
	switch {
	case s.mode == atEnd, !ok, strings.TrimSpace(more) == "", kit.Length(now) > maxMarkdown*9/10,
		kit.Length(more) < streamChars && time.Since(s.last) < streamTime:
		return nil
	}
	if s.mode == byStream {
		if done, err := s.appendToStream(ctx, more); done || err != nil || s.mode == byStream && s.ts != "" {
			return err
		}
	}
	return s.edit(ctx, now)
}

// reserveEnd reserves the call that ends a reply, unless it is reserved already. It returns false if our limits
// leave none: the reply then begins later or is posted whole, so that growing never
// makes it late.
func (s *stream) reserveEnd(end string) bool {
	if s.reserved == "" && s.a.limits.reserve(end) {
		s.reserved = end
	}
	return s.reserved != ""
}

func (s *stream) releaseEnd() {
	if s.reserved != "" {
		s.a.limits.release(s.reserved)
		s.reserved = ""
	}
}

// appendToStream sends more to the stream, which it starts if there is none. It does nothing if
// our limits do not allow it now; if Slack refuses, the reply continues by edits.
func (s *stream) appendToStream(ctx context.Context, more string) (bool, error) {
	method, send := "chat.appendStream", func(ctx context.Context) error {
		_, _, err := s.a.api.AppendStreamContext(ctx, s.at.channel, s.ts, slackapi.MsgOptionMarkdownText(more))
		return err
	}
	if s.ts == "" {
		if !s.reserveEnd("chat.stopStream") {
			return false, nil
		}
		method, send = "chat.startStream", func(ctx context.Context) (err error) {
			options := []slackapi.MsgOption{slackapi.MsgOptionTS(s.at.thread), slackapi.MsgOptionMarkdownText(more)}
			if isUser(s.to.Asker) {
				team := s.a.teamOf(ctx, s.to.Asker, s.to.Key.Workspace)
				options = append(options, slackapi.MsgOptionRecipientTeamID(team), slackapi.MsgOptionRecipientUserID(s.to.Asker))
			}
			_, s.ts, err = s.a.api.StartStreamContext(ctx, s.at.channel, options...)
			return err
		}
	}
	made, err := s.a.callOptional(ctx, method, "", send)
	if s.ts == "" {
		s.releaseEnd()
	}
	switch {
	case !made:
		return false, nil
	case err == nil:
		s.shown, s.last = s.shown+more, time.Now()
		if method == "chat.startStream" {
			s.a.processing.add(s.at, false)
		}
		return true, nil
	case errorCode(err) == "":
		return false, err
	case errorCode(err) == "stopped_by_user": // agent_session_stopped ends the turn
		s.mode = atEnd
		return true, nil
	}
	if slices.Contains([]string{"missing_scope", "unknown_method", "not_allowed_token_type", "feature_not_enabled"}, errorCode(err)) {
		s.a.streamless.Store(true)
	}
	s.a.Log.Debug("stream continues as edits", "error", err)
	s.mode = byEdits
	s.releaseEnd()
	if s.ts != "" {
		return false, s.a.haltStream(ctx, s.at, s.ts)
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
		if !s.reserveEnd("chat.update") {
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
	made, err := s.a.callOptional(ctx, method, place, send)
	if s.ts == "" {
		s.releaseEnd()
	}
	if contentRefused(err) { // the final form has others
		s.mode = atEnd
		return nil
	}
	if err == nil && made {
		s.mode, s.shown, s.last = byEdits, now, time.Now()
	}
	return err
}

// Close brings the reply into its final form, whatever happened to the stream.
func (s *stream) Close(ctx context.Context, final platform.Outgoing) (platform.Ref, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	r, err := s.finish(ctx, final)
	if err == nil {
		s.a.stopProcessing(ctx, s.at, final)
	}
	return r, err
}

// finish is Close without telling Slack that the work is done. The lock is held.
func (s *stream) finish(ctx context.Context, final platform.Outgoing) (platform.Ref, error) {
	s.releaseEnd()
	if s.ts == "" {
		return s.a.Post(ctx, s.to, final)
	}
	r := render(final)
	whole := false
	if s.mode == byStream {
		var err error
		if whole, err = s.stop(ctx, r); err != nil {
			return "", err
		}
	}
	var parts []string
	var err error
	if whole {
		parts, err = s.a.postMissing(ctx, s.at, []string{s.ts}, r)
	} else {
		parts, err = s.a.syncMessages(ctx, s.at, []string{s.ts}, r)
	}
	if err != nil {
		return "", err
	}
	return s.ref(parts...), nil
}

// stop ends Slack's stream. It returns true if the message then has its complete text: the shown
// text is its beginning, and Slack took the rest. After any other response of Slack
// the message must be edited.
func (s *stream) stop(ctx context.Context, r rendering) (bool, error) {
	rest, whole := strings.CutPrefix(r.parts[0], s.shown)
	whole = whole && !r.isSmallPrint()
	options := []slackapi.MsgOption{slackapi.MsgOptionMetadata(r.metadata(0))}
	if whole && rest != "" {
		options = append(options, slackapi.MsgOptionMarkdownText(rest))
	}
	if blocks := r.extras(); whole && len(r.parts) == 1 && len(blocks) > 0 {
		options = append(options, slackapi.MsgOptionBlocks(blocks...))
	}
	err := s.a.stopStream(ctx, s.at, s.ts, options...)
	if word := errorCode(err); word != "" && word != "message_not_found" {
		if word != "message_not_in_streaming_state" {
			s.a.Log.Debug("a stream ended without its last part", "error", err)
		}
		return false, nil // edited, which ends a stream that is still running
	}
	if err == nil && r.out.Question == nil { // the end of the stream has made the session active
		s.a.clearProcessing(s.at)
	}
	return whole, err
}

func (a *Adapter) stopStream(ctx context.Context, at spot, ts string, options ...slackapi.MsgOption) error {
	return a.call(ctx, "chat.stopStream", "", func(ctx context.Context) error {
		_, _, err := a.api.StopStreamContext(ctx, at.channel, ts, options...)
		return err
	})
}

// haltStream ends a stream as it is. It is fine if the stream has ended already.
func (a *Adapter) haltStream(ctx context.Context, at spot, ts string) error {
	err := a.stopStream(ctx, at, ts)
	if errorCode(err) == "message_not_in_streaming_state" {
		return nil
	}
	return err
}
