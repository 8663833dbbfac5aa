package memory

import (
	"context"
	"slices"

	"github.com/uptrace/bun"
)

// openness orders kinds by how many people can read a channel.
var openness = map[ChannelKind]int{DM: 1, Private: 2, Public: 3}

// narrowedBy returns the channel after a report that it is like said. The report may narrow who can
// read it and what may be shown in it, but never widen them. An empty kind changes nothing.
func (c Channel) narrowedBy(said Channel) Channel {
	if said.Kind != "" && openness[said.Kind] < openness[c.Kind] {
		c.Kind = said.Kind
	}
	c.External = c.External || said.External
	return c
}

// sameAudience reports whether two channels have the same kind, and external.
func (c Channel) sameAudience(d Channel) bool { return c.Kind == d.Kind && c.External == d.External }

// contradicts reports whether the channel is to be doubted because it is said to be
// another: an unchecked one, if that takes something from it.
func (c Channel) contradicts(said Channel) bool {
	if c.Unchecked {
		return !c.sameAudience(c.narrowedBy(said))
	}
	return said.Kind != "" && !c.sameAudience(said) || said.External && !c.External
}

// UncheckChannels makes every channel of a workspace ("" for all of the platform)
// unchecked, as at the start and after a gap: any of them may have changed. With unheard we were
// also out of them, see Stale. It returns the workspaces that have such channels. Turns that
// run there begin again; a complete answer stays as it is unless a channel turns out to have
// changed.
func (s *Store) UncheckChannels(ctx context.Context, platform, workspace string, unheard bool) (workspaces []string, err error) {
	err = s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		workspaces = nil
		err := tx.NewRaw(`UPDATE channels SET unchecked = TRUE, unheard = unheard OR ?, epoch = epoch + 1
			WHERE platform = ? AND (? = '' OR workspace = ?) AND kind <> ? RETURNING workspace`, unheard, platform, workspace, workspace, DM).Scan(ctx, &workspaces)
		if err != nil {
			return err
		}
		slices.Sort(workspaces)
		workspaces = slices.Compact(workspaces)
		for _, w := range workspaces {
			if err := s.Queue.interruptReaders(ctx, tx, platform, w, false); err != nil {
				return err
			}
		}
		return nil
	})
	return workspaces, wrap("uncheck channels", err)
}

// DoubtChannel makes one channel unchecked because a platform says that it changed, and
// narrows its audience at once as far as said does (see Locate); said.Unheard counts too. A channel
// that is unknown, or is a direct message, stays as it is.
func (s *Store) DoubtChannel(ctx context.Context, key Key, said Channel) error {
	err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		c, err := first[Channel](ctx, tx, "platform = ? AND workspace = ? AND channel = ? AND kind <> ?", key.Platform, key.Workspace, key.Channel, DM)
		if err != nil {
			return orNone(err)
		}
		return s.doubt(ctx, tx, *c, said)
	})
	return wrap("doubt a channel", err)
}

func (s *Store) doubt(ctx context.Context, db bun.IDB, c, said Channel) error {
	now := c.narrowedBy(said)
	_, err := db.NewRaw(`UPDATE channels SET kind = ?, external = ?, unchecked = ?, unheard = unheard OR ?, epoch = epoch + 1, updated_at = ? WHERE id = ?`,
		now.Kind, now.External, now.Kind != DM, said.Unheard, s.Now(), c.ID).Exec(ctx)
	if err != nil || c.Unchecked && c.sameAudience(now) {
		return err
	}
	return s.Queue.interruptReaders(ctx, db, c.Platform, c.Workspace, !c.sameAudience(now))
}

// UncheckedChannels returns the channels of a platform whose readers are not known at
// present. They see and are seen by themselves only.
func (s *Store) UncheckedChannels(ctx context.Context, platform string) (all []Channel, err error) {
	err = s.reader.NewSelect().Model(&all).Where("platform = ? AND unchecked", platform).Order("id").Scan(ctx)
	return all, wrap("look up unchecked channels", err)
}

// CheckChannels stores who may read channels, as the platform said when asked after
// UncheckedChannels had returned them; Kind, External and Name are its answer. A channel
// that was doubted again since (its Epoch has changed) stays unchecked. If an audience
// got smaller, turns of the workspace begin again, including those whose answer is not
// delivered yet.
func (s *Store) CheckChannels(ctx context.Context, checked []Channel) error {
	err := s.Write(ctx, func(ctx context.Context, tx bun.Tx) error {
		for _, c := range checked {
			was, err := first[Channel](ctx, tx, "id = ? AND epoch = ?", c.ID, c.Epoch)
			if err == ErrNotFound {
				continue
			}
			if err != nil {
				return err
			}
			_, err = tx.NewRaw(`UPDATE channels SET kind = ?0, external = ?1, unchecked = FALSE, was_public = was_public OR ?0 = 'public', updated_at = ?2,
				epoch = epoch + (CASE WHEN kind = ?0 AND external = ?1 THEN 0 ELSE 1 END), name = (CASE WHEN ?3 <> '' THEN ?3 ELSE name END) WHERE id = ?4`,
				c.Kind, c.External, s.Now(), c.Name, c.ID).Exec(ctx)
			if err != nil {
				return err
			}
			if was.sameAudience(was.narrowedBy(c)) {
				continue
			}
			if err := s.Queue.interruptReaders(ctx, tx, was.Platform, was.Workspace, true); err != nil {
				return err
			}
		}
		return nil
	})
	return wrap("check channels", err)
}
