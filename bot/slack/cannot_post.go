package slack

import (
	"slices"

	"threadkeeper/bot/platform"
)

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
