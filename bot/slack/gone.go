package slack

import (
	"context"
	"errors"
	"net/url"
	"slices"

	"threadkeeper/bot/platform"
)

// errShort reports a contradictory response, whose gaps prove nothing.
var errShort = errors.New("slack: the answer lacks messages that it says there are")

// Gone asks about a single thing. Nothing here proves that a channel was deleted: an archived one still exists, and
// "channel_not_found" is also Slack's response for a private channel that we were removed
// from. Threads are deleted message by message.
func (a *Adapter) Gone(ctx context.Context, l platform.Look) (bool, error) {
	switch {
	case l.Key.Channel == "":
		return a.workspaceGone(ctx, l)
	case l.Message == "":
		return false, nil
	case l.Key.Thread == "" || l.Key.Thread == l.Message:
		return a.topGone(ctx, l.Key.Channel, l.Message)
	}
	return a.replyGone(ctx, spot{l.Key.Channel, l.Key.Thread}, l.Message)
}

// topGone looks at a message at the top of a channel, which is a thread of its own: for one that is not there
// Slack has an error, and no empty answer.
func (a *Adapter) topGone(ctx context.Context, channel, ts string) (bool, error) {
	var answer page
	form := url.Values{"channel": {channel}, "ts": {ts}, "oldest": {ts}, "latest": {ts}, "inclusive": {"true"}, "limit": {"1"}}
	err := a.readOptional(ctx, "conversations.replies", form, &answer)
	if errorCode(err) == "thread_not_found" {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	for _, m := range answer.Messages {
		if m.TS == ts {
			return m.Subtype == "tombstone", nil
		}
	}
	return false, errShort
}

// Moved looks for messages of a channel that Slack says does not exist: they keep their ts
// (https://docs.slack.dev/reference/events/channel_id_changed).
func (a *Adapter) Moved(ctx context.Context, from string, said []platform.Seen, channels []string) (string, error) {
	if _, err := a.fetchPlace(ctx, from); errorCode(err) != "channel_not_found" {
		return "", err
	}
	for _, channel := range channels {
		for _, s := range said {
			s.Key.Channel = channel
			for _, ts := range s.Messages {
				if !isStamp.MatchString(ts) { // what came by a click
					continue
				}
				if gone, err := a.Gone(ctx, platform.Look{Key: s.Key, Message: ts}); err != nil || !gone {
					return channel, err
				}
			}
		}
	}
	return "", nil
}

// replyGone looks at a reply: with the message that its thread began on, which always comes, Slack is asked
// for the first reply from there on. Without one, the thread must have no later reply either.
func (a *Adapter) replyGone(ctx context.Context, at spot, ts string) (bool, error) {
	var answer page
	form := url.Values{"channel": {at.channel}, "ts": {at.thread}, "oldest": {ts}, "inclusive": {"true"}, "limit": {"2"}}
	err := a.readOptional(ctx, "conversations.replies", form, &answer)
	if errorCode(err) == "thread_not_found" {
		return true, nil
	}
	if err != nil {
		return false, err
	}
	later, root := false, message{}
	for _, m := range answer.Messages {
		switch {
		case m.TS == "":
			return false, errShort // something unreadable, which may be it
		case m.TS == ts:
			return m.Subtype == "tombstone", nil
		case m.TS == at.thread:
			root = m
		case m.TS > ts:
			later = true
		}
	}
	if !later && (root.TS == "" || root.Latest >= ts) {
		return false, errShort
	}
	return true, nil
}

// workspaceGone looks at our installation. A token that is refused proves the removal only after Slack
// told of it: it may have been typed wrong, or be another workspace's.
func (a *Adapter) workspaceGone(ctx context.Context, l platform.Look) (bool, error) {
	var who struct {
		Team string `json:"team_id"`
	}
	err := a.read(ctx, "auth.test", url.Values{}, &who)
	switch {
	case l.Told && slices.Contains([]string{"account_inactive", "token_revoked", "invalid_auth"}, errorCode(err)):
		return true, nil
	case err != nil:
		return false, err
	case who.Team != l.Key.Workspace:
		return false, errors.New("slack: the token is for another workspace")
	}
	return false, nil
}
