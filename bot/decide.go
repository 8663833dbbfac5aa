package bot

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

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
func decide(ev platform.Event, p place) verdict {
	if why := unusable(ev); why != "" {
		return verdict{Reason: why}
	}
	thread := ev.Key.Thread != ""
	switch {
	case ev.Channel.Kind == memory.DM:
		return verdict{true, true, "direct message"}
	case ev.Mention:
		return verdict{true, true, "mention"}
	case ev.ToOther:
		return verdict{p.Joined, false, "said to somebody else"}
	case p.Joined && thread && ev.Message == ev.Key.Thread:
		return verdict{true, false, "said before we joined the thread on it"}
	case p.Asked:
		return verdict{true, true, "answers our question"}
	case onlyEmoji(ev.Text) && len(ev.Files) == 0:
		return verdict{p.Joined, false, "nothing but a sign of consent or mood"}
	case p.Follow == FollowAlways:
		return verdict{true, true, "every message of this channel is answered"}
	case p.Joined && thread && p.Follow != FollowMention:
		return verdict{true, true, "follow-up in a thread we joined"}
	case p.Joined:
		return verdict{true, false, "said beside us"}
	}
	return verdict{Reason: "not for us"}
}

// unusable says why a message is ignored in every place, "" if it is not.
func unusable(ev platform.Event) string {
	switch {
	case ev.Ours || ev.Author.Kind == memory.Bot:
		return "said by a program"
	case strings.TrimSpace(ev.Text) == "" && len(ev.Files) == 0 && !ev.Mention && !ev.Hidden:
		return "nothing in it"
	}
	return ""
}

// emojis are one or several, in Unicode or by their names between colons.
var emojis = regexp.MustCompile(`^(?:\s|:[\pL\pN_+'-]+:|\p{So}|\p{Sk}|[\x{200d}\x{fe0f}\x{20e3}])*$`)

// onlyEmoji reports whether a text says something, but nothing in words.
func onlyEmoji(text string) bool { return strings.TrimSpace(text) != "" && emojis.MatchString(text) }

// placeOf looks up what decide needs.
func (b *Bot) placeOf(ctx context.Context, ev platform.Event) (p place, err error) {
	follow, err := b.setting(ctx, ev.Key, FollowSetting, string(b.Follow))
	if err != nil {
		return p, err
	}
	p.Follow = Follow(follow)
	s, err := b.Store.SessionByKey(ctx, ev.Key)
	if errors.Is(err, memory.ErrNotFound) {
		if ev.Key.Thread == "" || ev.Opens != "" {
			return p, nil
		}
		// A thread on an answer of ours is one we are in.
		p.Joined, err = b.Store.IsOurPost(ctx, ev.Key, ev.Key.Thread)
		return p, wrap("look at a thread", err)
	}
	if err != nil {
		return p, fmt.Errorf("bot: find session: %w", err)
	}
	p.Joined = s.Joined
	q, err := b.Store.Queue.OpenQuestion(ctx, s.ID)
	if errors.Is(err, memory.ErrNotFound) {
		return p, nil
	}
	if err != nil {
		return p, fmt.Errorf("bot: look for a question: %w", err)
	}
	asker, err := b.Store.Person(ctx, q.PersonID)
	if err == nil {
		p.Asked = asker.PlatformID == ev.Author.ID
	} else if !errors.Is(err, memory.ErrNotFound) {
		return p, fmt.Errorf("bot: find person: %w", err)
	}
	return p, nil
}
