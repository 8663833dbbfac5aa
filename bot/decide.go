package bot

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"threadkeeper/memory"
)

// Follow is the policy of a channel: which messages are answered that do not
// mention us.
type Follow string

const (
	FollowThread  Follow = "thread"  // in threads we have joined; the default
	FollowMention Follow = "mention" // none
	FollowAlways  Follow = "always"  // all
)

// FollowSetting is the name of the setting that holds a channel's policy, in the
// scope ChannelScope; scope "" holds the default of all channels.
const FollowSetting = "follow"

// ChannelScope is the scope of a channel's settings.
func ChannelScope(k memory.Key) string {
	return "channel:" + strings.Join([]string{k.Platform, k.Workspace, k.Channel}, "/")
}

// verdict is what becomes of a message.
type verdict struct {
	Store, Answer bool
	Reason        string
}

// place is what is known of the conversation a message was said in.
type place struct {
	Joined bool // we were asked for an answer here before
	Follow Follow
	Asked  bool // our open question waits for this author
}

// decide says whether a message is answered, kept or ignored, and why.
func decide(ev Event, p place) verdict {
	thread := ev.Key.Thread != ""
	switch {
	case ev.Ours || ev.Author.Kind == memory.Bot:
		return verdict{Reason: "said by a program"}
	case strings.TrimSpace(ev.Text) == "" && len(ev.Files) == 0 && !ev.Mention:
		return verdict{Reason: "nothing in it"}
	case ev.Channel.Kind == memory.DM:
		return verdict{true, true, "direct message"}
	case ev.Mention:
		return verdict{true, true, "mention"}
	case ev.ToOther:
		return verdict{p.Joined, false, "said to somebody else"}
	case p.Asked:
		return verdict{true, true, "answers our question"}
	case p.Follow == FollowAlways:
		return verdict{true, true, "every message of this channel is answered"}
	case p.Joined && thread && p.Follow != FollowMention:
		return verdict{true, true, "follow-up in a thread we joined"}
	case p.Joined:
		return verdict{true, false, "said beside us"}
	}
	return verdict{Reason: "not for us"}
}

// placeOf looks up what decide needs. The session is nil where there is none.
func (b *Bot) placeOf(ctx context.Context, ev Event) (p place, s *memory.Session, err error) {
	if p.Follow, err = b.follow(ctx, ev.Key); err != nil {
		return p, nil, err
	}
	s, err = b.Store.SessionByKey(ctx, ev.Key)
	if errors.Is(err, memory.ErrNotFound) {
		return p, nil, nil
	}
	if err != nil {
		return p, nil, fmt.Errorf("bot: find session: %w", err)
	}
	if p.Joined, err = b.Store.Joined(ctx, s.ID); err != nil {
		return p, nil, fmt.Errorf("bot: look at session %d: %w", s.ID, err)
	}
	q, err := b.Store.OpenQuestion(ctx, s.ID)
	if errors.Is(err, memory.ErrNotFound) {
		return p, s, nil
	}
	if err != nil {
		return p, nil, fmt.Errorf("bot: look for a question: %w", err)
	}
	asker, err := b.Store.Person(ctx, q.PersonID)
	if err == nil {
		p.Asked = asker.PlatformID == ev.Author.ID
	} else if !errors.Is(err, memory.ErrNotFound) {
		return p, nil, fmt.Errorf("bot: find person: %w", err)
	}
	return p, s, nil
}

func (b *Bot) follow(ctx context.Context, key memory.Key) (Follow, error) {
	for _, scope := range []string{ChannelScope(key), ""} {
		value, err := b.Store.Setting(ctx, scope, FollowSetting)
		if err != nil {
			return "", fmt.Errorf("bot: read setting: %w", err)
		}
		if value != "" {
			return Follow(value), nil
		}
	}
	return FollowThread, nil
}
