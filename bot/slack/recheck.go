package slack

import (
	"context"
	"fmt"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// compare checks everything stored from a channel: it reports what is missing and delivers edits.
func (in *intake) compare(ctx context.Context, channel memory.Key, stored []platform.Seen) error {
	if channel.Workspace != in.us.Team {
		return fmt.Errorf("slack: we are in workspace %s, not in %s", in.us.Team, channel.Workspace)
	}
	for _, c := range stored {
		if err := guard(func() error { return in.missed.past.Compare(ctx, c) }); err != nil {
			return err
		}
	}
	return nil
}

// comparePart compares a part of what is stored of a conversation.
func (in *intake) comparePart(ctx context.Context, part platform.Seen) error {
	if part.Key.Workspace != in.us.Team {
		return fmt.Errorf("slack: we are in workspace %s, not in %s: %w", in.us.Team, part.Key.Workspace, platform.ErrUndeliverable)
	}
	return guard(func() error { return in.missed.past.ComparePart(ctx, part) })
}
