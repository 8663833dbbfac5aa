package slack

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// shownFor is how far back Slack shows messages to workspaces that do not pay. What is older and not
// shown may be there all the same.
const shownFor = 90 * 24 * time.Hour

// compare checks everything stored from a channel: it reports what is missing and delivers edits.
func (in *intake) compare(ctx context.Context, channel memory.Key, stored []platform.Seen) error {
	if channel.Workspace != in.us.Team {
		return fmt.Errorf("slack: we are in workspace %s, not in %s", in.us.Team, channel.Workspace)
	}
	for _, c := range stored {
		if err := in.compareConversation(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

func (in *intake) compareConversation(ctx context.Context, c platform.Seen) error {
	onlyStamps(&c)
	ids := slices.Concat(c.Messages, c.Posts)
	if len(ids) == 0 {
		return nil // an answer that only one person saw, perhaps
	}
	now := time.Now()
	hidden := stamp(now.Add(-shownFor))
	g := &gap{at: spot{c.Key.Channel, c.Key.Thread}, known: c.Messages, posts: c.Posts, whole: true,
		readAfter: before(slices.Min(ids), time.Microsecond), newAfter: stamp(now), goneBefore: stamp(now)}
	s, err := in.a.readGap(ctx, g)
	switch {
	case errorCode(err) == "thread_not_found" && slices.Max(ids) < hidden:
		return nil
	case err != nil:
		return err
	case len(s.said) == 0 && !s.gone && slices.Max(ids) >= hidden:
		return errors.New("slack: nothing is shown of a conversation")
	case len(s.said) > 0 && s.said[0].TS > hidden:
		s.since = max(s.since, hidden)
	}
	return in.missed.deliverGap(ctx, g, s)
}
