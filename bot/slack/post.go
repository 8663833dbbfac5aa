package slack

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	slackapi "github.com/slack-go/slack"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
)

// Limits returns what Slack offers us.
func (a *Adapter) Limits() platform.Limits {
	return platform.Limits{EditInterval: 1200 * time.Millisecond, Streams: true, Whole: true, Ephemeral: true, Clicks: true, Asks: true,
		Slash: append(slices.Sorted(maps.Keys(families)), say.AskName, say.CheckName)}
}

type spot struct{ channel, thread string }

func spotOf(to platform.Address) spot { return spot{to.Key.Channel, to.Key.Thread} }

// private reports whether it is a direct message: with us, unless Slack says that we
// are not there. People can give commands where they write to each other, too.
func (s spot) private() bool { return strings.HasPrefix(s.channel, "D") }

// Post posts a message, in parts if it is long. A message for one person only is
// ephemeral, except in their direct message with us.
func (a *Adapter) Post(ctx context.Context, to platform.Address, m platform.Outgoing) (platform.Ref, error) {
	r, at := render(m), spotOf(to)
	if to.EphemeralTo != "" && !at.private() {
		return a.postEphemeral(ctx, to, r)
	}
	parts, err := a.syncMessages(ctx, at, nil, r)
	if to.EphemeralTo != "" && errors.Is(err, platform.ErrUndeliverable) {
		return a.postEphemeral(ctx, to, r)
	}
	if err != nil {
		return "", a.cannotPost(to, err)
	}
	if endsTurn(m) {
		a.stopProcessing(ctx, at, m)
	}
	return ref{Workspace: to.Key.Workspace, Channel: at.channel, Thread: at.thread, Messages: parts}.String(), nil
}

// syncMessages makes the messages of one post say what r says: it edits the messages there are,
// deletes what is too much and posts what is missing. It returns their time stamps.
func (a *Adapter) syncMessages(ctx context.Context, at spot, have []string, r rendering) ([]string, error) {
	for len(have) > len(r.parts) { // first, while the others still show how many there are
		last := len(have) - 1
		if err := a.deletePart(ctx, at, have[last], r); err != nil {
			return nil, err
		}
		have = have[:last]
	}
	var parts []string
	var gone error
	for _, ts := range have {
		now, err := a.editPart(ctx, at, ts, r, len(parts))
		if errorCode(err) == "message_not_found" { // somebody deleted it
			gone = err
			continue
		}
		if err != nil {
			return nil, err
		}
		parts = append(parts, now)
	}
	if gone != nil && len(parts) == 0 {
		return nil, gone
	}
	return a.postMissing(ctx, at, parts, r)
}

func (a *Adapter) postMissing(ctx context.Context, at spot, parts []string, r rendering) ([]string, error) {
	for len(parts) < len(r.parts) {
		ts, err := a.postPart(ctx, at, r, len(parts))
		if err != nil {
			return nil, err
		}
		parts = append(parts, ts)
	}
	return parts, nil
}

func (a *Adapter) postPart(ctx context.Context, at spot, r rendering, part int) (ts string, err error) {
	err = r.inSomeForm(func(f form) error {
		return a.call(ctx, "chat.postMessage", at.channel, func(ctx context.Context) (err error) {
			options := append(r.options(part, f, maxPlain), slackapi.MsgOptionMetadata(r.metadata(part)),
				slackapi.MsgOptionDisableLinkUnfurl(), slackapi.MsgOptionDisableMediaUnfurl())
			if at.thread != "" {
				options = append(options, slackapi.MsgOptionTS(at.thread))
			}
			_, ts, err = a.api.PostMessageContext(ctx, at.channel, options...)
			return err
		})
	})
	return ts, err
}

// editPart makes a message say one part. It returns the message's time stamp: another
// one, if the old one can no longer be edited.
func (a *Adapter) editPart(ctx context.Context, at spot, ts string, r rendering, part int) (string, error) {
	err := a.updatePart(ctx, at, ts, r, part)
	if errorCode(err) == "streaming_state_conflict" {
		if err = a.haltStream(ctx, at, ts); err == nil {
			err = a.updatePart(ctx, at, ts, r, part)
		}
	}
	switch errorCode(err) {
	case "edit_window_closed", "cant_update_message":
		instead, err := a.postPart(ctx, at, r, part)
		if err != nil {
			return "", err
		}
		if err := a.deletePart(ctx, at, ts, r); err != nil {
			a.Log.Warn("could not change an outdated post", "error", err)
		}
		return instead, nil
	}
	return ts, err
}

func (a *Adapter) updatePart(ctx context.Context, at spot, ts string, r rendering, part int) error {
	return r.inSomeForm(func(f form) error {
		return a.call(ctx, "chat.update", at.channel+"/"+ts, func(ctx context.Context) error {
			options := append(r.options(part, f, maxText), slackapi.MsgOptionMetadata(r.metadata(part)))
			_, _, _, err := a.api.UpdateMessageContext(ctx, at.channel, ts, options...)
			return err
		})
	})
}

func (a *Adapter) deletePart(ctx context.Context, at spot, ts string, r rendering) error {
	if r.out.Withdraw != nil {
		if err := r.out.Withdraw(ctx, ts); err != nil { // Slack will tell that it is gone, perhaps after a restart
			return err
		}
	}
	return a.deleteMessage(ctx, at, ts)
}

// deleteMessage deletes a message of ours. One that is gone already is fine.
func (a *Adapter) deleteMessage(ctx context.Context, at spot, ts string) error {
	del := func() error {
		return a.call(ctx, "chat.delete", "", func(ctx context.Context) error {
			_, _, err := a.api.DeleteMessageContext(ctx, at.channel, ts)
			return err
		})
	}
	err := del()
	if errorCode(err) == "cant_delete_message" && a.haltStream(ctx, at, ts) == nil { // it may still be a stream
		err = del()
	}
	if errorCode(err) == "message_not_found" {
		return nil
	}
	return err
}

// maxPlain is how long a message without blocks may be; Slack cuts off above 40,000.
const maxPlain = 30_000

// options are what a part says in a form. Names are not linked and, where no
// new blocks are to be shown, old ones are removed.
func (r rendering) options(part int, f form, limit int) []slackapi.MsgOption {
	if f != formText {
		limit = maxText
	}
	return []slackapi.MsgOption{slackapi.MsgOptionText(r.text(part, f, limit), false),
		slackapi.MsgOptionBlocks(r.blocks(part, f)...), slackapi.MsgOptionParse(false)}
}

var contentErrors = []string{"invalid_blocks", "invalid_blocks_format", "msg_blocks_too_long", "msg_too_long", "block_mismatch", "unsupported_block_type"}

func contentRefused(err error) bool { return slices.Contains(contentErrors, errorCode(err)) }

// inSomeForm sends without blocks what Slack does not take with them.
func (r rendering) inSomeForm(send func(form) error) error {
	err := send(formFull)
	if contentRefused(err) {
		err = send(formText)
	}
	if contentRefused(err) {
		return fmt.Errorf("%w: %w", platform.ErrUndeliverable, err)
	}
	return err
}

// noPermission are Slack's codes for a message that we may not post where it belongs
// (https://docs.slack.dev/reference/methods/chat.postMessage).
var noPermission = []string{"channel_not_found", "not_in_channel", "is_archived", "channel_is_limited_access", "posting_to_channel_denied",
	"restricted_action", "restricted_action_read_only_channel", "restricted_action_thread_only_channel",
	"restricted_action_non_threadable_channel", "restricted_action_thread_locked"}

// cannotPost is the error of a post that failed with err: a *platform.CannotPostError where Slack does not let us write.
func (a *Adapter) cannotPost(to platform.Address, err error) error {
	at := spotOf(to)
	if !slices.Contains(noPermission, errorCode(err)) || at.private() {
		return err
	}
	m := &platform.CannotPostError{Err: err}
	if isStamp.MatchString(to.ReplyTo) {
		m.Asked = string(a.Link(ref{Workspace: to.Key.Workspace, Channel: at.channel, Thread: at.thread, Messages: []string{to.ReplyTo}}.String()))
	}
	return m
}
