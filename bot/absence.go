package bot

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

// A message that a platform no longer shows is not erased at once: a response may be incomplete, a replica
// late, a place out of our sight. Its absence is a suspicion, which is stored, and the platform is asked about
// each thing by itself. A message is erased after two looks, lookAgain apart; many of a conversation at
// once, a conversation or a workspace after three looks over GoneGrace. One look that finds
// it ends the suspicion.
const (
	lookAgain  = 5 * time.Minute // between two looks at a message
	fewLooks   = 2
	manyLooks  = 3
	manyAbsent = 3                // messages that may be missing at once; more are many if they are
	manyShare  = 3                // more than this part of the conversation
	lookTime   = 30 * time.Second // for one look
	lookPoll   = time.Second      // pause before the store is asked for looks that are due
	lookBatch  = 100
	heldLooks  = 3 // messages that distinguish a conversation whose thread was never opened from one that is gone

	rollEvery = 24 * time.Hour // how often every conversation is looked at
	rollPause = time.Second    // between two of them
	rollPart  = "roll call"    // the cursor with the time of the last one

	comparePart  = "comparison" // the cursor with the time when the last pass over everything stored began
	comparedPart = "compared"   // that with the number of the last message which this pass has compared, 0 between passes
)

func (b *Bot) suspect(ctx context.Context, p platform.Platform, a platform.Absence) error {
	a.Key.Platform = p.Name()
	if a.Key.Workspace == "" {
		all, err := b.Store.Workspaces(ctx, p.Name())
		if err != nil {
			return wrap("look for workspaces", err)
		}
		if len(all) != 1 {
			if len(all) > 1 {
				b.Log.Warn("we were removed from a workspace, but do not know which: threadkeeper erase erases one", "platform", p.Name(), "workspaces", all)
			}
			return nil
		}
		a.Key.Workspace = all[0]
	}
	now, grace := b.Store.Now(), b.GoneGrace.Milliseconds()
	ids := a.Messages
	if len(ids) > 0 {
		held, err := b.Store.SuspicionsOf(ctx, a.Key)
		if err != nil {
			return wrap("look for suspicions", err)
		}
		for _, x := range held {
			if !slices.Contains(ids, x.PlatformID) {
				ids = append(ids[:len(ids):len(ids)], x.PlatformID)
			}
		}
	}
	x := memory.Suspicion{Key: a.Key, Told: a.Told, Needs: fewLooks, Until: now + lookAgain.Milliseconds(), NextAt: now, CreatedAt: now}
	if a.Told {
		x.NextAt += lookAgain.Milliseconds() // it may be reported before the platform has applied it everywhere
	}
	many := len(ids) == 0 || len(ids) > manyAbsent && manyShare*len(ids) > a.Of
	if many {
		x.Needs, x.Until = manyLooks, now+grace
	}
	var all []memory.Suspicion
	for _, x.PlatformID = range ids {
		all = append(all, x)
	}
	if len(ids) == 0 {
		all = append(all, x)
	}
	fresh, err := b.Store.Suspect(ctx, all)
	if err != nil {
		return wrap("keep a suspicion", err)
	}
	b.absences.ring()
	if fresh > 0 {
		b.narrowed()
	}
	log := absenceLog(b.Log, x).With("erased_after", time.UnixMilli(x.Until).UTC().Format(time.RFC3339))
	switch {
	case fresh == 0:
	case x.Channel == "":
		log.Warn("we were removed from a workspace: everything stored from it will be erased then, unless we are added back; threadkeeper erase does so at once")
	case len(ids) == 0:
		log.Warn("a conversation was not found: it will be erased then, unless it is found before")
	case many:
		log.Warn("many messages of a conversation are missing at once: none will be erased before then", "missing", len(ids), "of", a.Of)
	default:
		log.Warn("messages were not found: each will be erased then, unless it is found before", "missing", len(ids))
	}
	return nil
}

func absenceLog(log *slog.Logger, x memory.Suspicion) *slog.Logger {
	log = log.With("platform", x.Platform, "workspace", x.Workspace)
	if x.Channel != "" {
		log = log.With("channel", x.Channel, "thread", x.Thread)
	}
	return log
}

// watchAbsence checks the suspicions until ctx is done. It does so at least once, under
// work: a platform that refuses us for good ends the program at once.
func (b *Bot) watchAbsence(ctx, work context.Context) {
	b.lookAtDue(work)
	for b.absences.wait(ctx, lookPoll) {
		b.lookAtDue(ctx)
	}
}

func (b *Bot) lookAtDue(ctx context.Context) {
	var names []string
	for _, p := range b.Platforms {
		if _, ok := p.(platform.Looker); ok {
			names = append(names, p.Name())
		}
	}
	if len(names) == 0 {
		return
	}
	due, err := b.Store.SuspicionsDue(ctx, names, lookBatch)
	for _, x := range due {
		if err = b.look(ctx, x); err != nil {
			break
		}
	}
	if err != nil && ctx.Err() == nil {
		b.Log.Error("could not look for missing messages", "error", err)
	}
}

func (b *Bot) look(ctx context.Context, x *memory.Suspicion) error {
	log := absenceLog(b.Log, *x)
	if x.PlatformID != "" {
		log = log.With("message", x.PlatformID)
	}
	gone, err := b.gone(ctx, platform.Look{Key: x.Key, Message: x.PlatformID, Told: x.Told})
	now := b.Store.Now()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil:
		log.Info("could not tell whether something is gone", "error", err)
		x.NextAt = now + min(max(now-x.CreatedAt, lookAgain.Milliseconds()), rollEvery.Milliseconds())
		return b.Store.RecordLook(ctx, x)
	case !gone:
		log.Warn("found again: nothing is erased")
		return b.Store.DropSuspicion(ctx, x.ID)
	}
	x.Looks++
	if x.Looks < x.Needs || now < x.Until {
		x.NextAt = now + max(x.Until-now, 0)/int64(max(x.Needs-x.Looks, 1))
		return b.Store.RecordLook(ctx, x)
	}
	if err := b.eraseGone(ctx, x); err != nil {
		return err
	}
	log.Warn("erased what is gone from its platform", "looks", x.Looks, "missing_since", time.UnixMilli(x.CreatedAt).UTC().Format(time.RFC3339))
	return b.Store.DropSuspicion(ctx, x.ID)
}

// applicationSetting says in the scope of a workspace which application of the platform we were there last.
const applicationSetting = "application"

// in notes which application we are in a workspace.
func (b *Bot) in(ctx context.Context, p platform.Platform, workspace, application string) error {
	scope := memory.WorkspaceScope(memory.Key{Platform: p.Name(), Workspace: workspace})
	known, err := b.Store.Setting(ctx, scope, applicationSetting)
	if err == nil && known != application {
		err = b.Store.SetSetting(ctx, scope, applicationSetting, application)
	}
	return wrap("note who we are in a workspace", err)
}

func (b *Bot) gone(ctx context.Context, l platform.Look) (gone bool, err error) {
	if l.Message == "" && l.Key.Channel != "" {
		if l.Held, err = b.Store.HeldMessages(ctx, l.Key, heldLooks); err != nil {
			return false, err
		}
	}
	if l.Key.Channel == "" {
		if l.As, err = b.Store.Setting(ctx, memory.WorkspaceScope(l.Key), applicationSetting); err != nil {
			return false, err
		}
	}
	ctx, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	err = guard(func() (err error) {
		gone, err = b.byName(l.Key.Platform).(platform.Looker).Gone(ctx, l)
		return err
	})
	return gone, err
}

func (b *Bot) eraseGone(ctx context.Context, x *memory.Suspicion) error {
	switch {
	case x.PlatformID != "":
		if err := b.readSinceBackup(ctx, b.byName(x.Platform), x.Key, x.PlatformID); err != nil {
			return err
		}
		id := "gone:" + x.Workspace + ":" + x.Channel + ":" + x.PlatformID
		r, err := b.Store.Queue.ReceiveErase(ctx, memory.Incoming{Platform: x.Platform, EventID: id, Kind: string(platform.EventDelete), Key: x.Key}, x.PlatformID)
		b.erasures.ring()
		return b.changed(r, err)
	case x.Channel != "":
		return b.eraseConversation(ctx, x.Key)
	}
	_, err := b.Store.ErasePlace(ctx, x.Key)
	err = errors.Join(err, b.Store.DropHomes(ctx, x.Key, "")) // nobody there sees a page about us any more
	b.erasures.ring()
	b.narrowed()
	return wrap("erase a workspace", err)
}

// rollCall looks at every conversation once in rollEvery, until ctx is done: a platform reports deletions
// and removals only to those who are connected.
func (b *Bot) rollCall(ctx context.Context) {
	for ctx.Err() == nil {
		for _, p := range b.Platforms {
			if _, ok := p.(platform.Looker); !ok {
				continue
			}
			last, err := b.Store.Cursor(ctx, p.Name(), rollPart)
			if err == nil && b.Store.Now()-last >= rollEvery.Milliseconds() {
				if err = b.callRoll(ctx, p); err == nil {
					err = b.Store.SetCursor(ctx, p.Name(), rollPart, b.Store.Now())
				}
			}
			if err != nil && ctx.Err() == nil {
				b.Log.Error("could not look at all conversations", "platform", p.Name(), "error", err)
			}
		}
		if !sleep(ctx, jitter(time.Minute)) {
			return
		}
	}
}

func (b *Bot) callRoll(ctx context.Context, p platform.Platform) error {
	workspaces, err := b.Store.Workspaces(ctx, p.Name())
	if err != nil {
		return err
	}
	for _, w := range workspaces {
		key := memory.Key{Platform: p.Name(), Workspace: w}
		there, err := b.answers(ctx, p, key)
		for before := int64(0); there && err == nil; {
			var next []*memory.Session
			if next, err = b.Store.LiveConversations(ctx, p.Name(), w, before, lookBatch); len(next) == 0 {
				break
			}
			for _, s := range next {
				before = s.ID
				if !sleep(ctx, rollPause) {
					return ctx.Err()
				}
				if _, err = b.answers(ctx, p, s.Key); err != nil {
					break
				}
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// answers looks at a conversation or workspace, and reports whether it still exists. If not, it is
// suspected to be gone. The error is the store's.
func (b *Bot) answers(ctx context.Context, p platform.Platform, key memory.Key) (bool, error) {
	gone, err := b.gone(ctx, platform.Look{Key: key})
	if err != nil {
		b.Log.Debug("could not tell whether a conversation is gone", "platform", p.Name(), "channel", key.Channel, "thread", key.Thread, "error", err)
		return false, ctx.Err()
	}
	if gone {
		err = b.suspect(ctx, p, platform.Absence{Key: key})
	}
	return !gone, err
}

// nextPart waits until the next part of what is stored is to be compared with its platform, one in CompareEvery, and returns it.
// Passes over everything begin at least rollEvery apart.
func (b *Bot) nextPart(ctx context.Context, p platform.Platform, limit int) (platform.Part, error) {
	for sleep(ctx, jitter(b.CompareEvery)) {
		after, err := b.Store.Cursor(ctx, p.Name(), comparedPart)
		if err != nil {
			return platform.Part{}, err
		}
		if after == 0 {
			began, err := b.Store.Cursor(ctx, p.Name(), comparePart)
			if err != nil {
				return platform.Part{}, err
			}
			if b.Store.Now()-began < rollEvery.Milliseconds() {
				continue
			}
		}
		said, last, err := b.Store.ConversationPart(ctx, p.Name(), after, limit)
		if err == nil && after == 0 {
			err = b.Store.SetCursor(ctx, p.Name(), comparePart, b.Store.Now())
		}
		if err == nil && last == 0 {
			err = b.Store.SetCursor(ctx, p.Name(), comparedPart, 0)
		}
		if err != nil || last > 0 {
			return platform.Part{Seen: said, Last: last}, err
		}
	}
	return platform.Part{}, ctx.Err()
}

const (
	seenFor      = 24 * time.Hour
	seenSessions = 200
)

// setFresh opens a channel restored from a backup: its waiting work is done.
func (b *Bot) setFresh(ctx context.Context, p platform.Platform, channel memory.StaleChannel) error {
	if err := b.readSinceBackup(ctx, p, channel.Key, ""); err != nil {
		return err
	}
	if err := b.Store.SetFresh(ctx, channel); err != nil {
		return wrap("note a checked channel", err)
	}
	b.turns.ring()
	b.commands.ring()
	b.compactions.ring()
	return nil
}

// missedSince returns since when events may have been missed, and not read yet, in a part of a
// platform.
func (b *Bot) missedSince(ctx context.Context, p platform.Platform, part string) (time.Time, error) {
	at, err := b.Store.Cursor(ctx, p.Name(), part)
	if err != nil || at == 0 {
		return time.Time{}, wrap("look up what was missed", err)
	}
	return time.UnixMilli(at), nil
}

func (b *Bot) setMissedSince(ctx context.Context, p platform.Platform, part string, since time.Time) error {
	at := int64(0)
	if !since.IsZero() {
		at = since.UnixMilli()
	}
	return wrap("keep what was missed", b.Store.SetCursor(ctx, p.Name(), part, at))
}

// A platform may give a channel another id. If it does not tell us, or tells us late, the channel is a new one to us, and what is
// stored of it belongs to one that does not exist: nobody would see it, and what people delete would stay.

const (
	movedLooks = 20              // channels that are compared with one
	noticeTime = 5 * time.Second // that an event of a new channel waits for that
)

// noticeMove looks whether a channel that is new to us is one that we know by another id. It does so once for each. Public
// channels keep theirs.
func (b *Bot) noticeMove(ctx context.Context, p platform.Platform, ev platform.Event) {
	if ev.Key.Channel == "" || ev.Channel.Kind == memory.DM || ev.Channel.Kind == memory.Public || ev.Kind == platform.EventMove {
		return
	}
	if _, err := b.Store.ChannelByKey(ctx, ev.Key); !gone(err) || !b.audiences[p.Name()].first(ev.Key.Channel) {
		return
	}
	limit, cancel := context.WithTimeout(ctx, noticeTime)
	defer cancel()
	if err := b.findMoved(ctx, limit, p, ev.Key.Workspace, ev.Key.Channel, nil); err != nil {
		b.Log.Warn("could not find out whether a new channel is one that had another id", "channel", ev.Key.Channel, "error", err)
	}
}

// findMoved looks for what private channels of a workspace are now that are hidden from us: among the new ones that its platform
// shows, or which of all that it does not show any more is a new one. The platform is asked within limit.
func (b *Bot) findMoved(ctx, limit context.Context, p platform.Platform, workspace, new string, hidden []memory.Channel) error {
	hidden = slices.DeleteFunc(hidden, func(c memory.Channel) bool { return c.Kind != memory.Private })
	mover, moves := p.(platform.Mover)
	if !moves || new == "" && len(hidden) == 0 {
		return nil
	}
	known, err := b.Store.PrivateChannels(limit, p.Name(), workspace)
	if err != nil || len(known) == 0 {
		return err
	}
	shown, err := mover.Channels(limit, workspace)
	if err != nil {
		return err
	}
	now := []string{new}
	if new != "" {
		hidden = slices.DeleteFunc(slices.Clone(known), func(c memory.Channel) bool { return among(shown, c) })
	} else {
		now = nil
		for _, o := range shown {
			if o.Kind == memory.Private && (o.External || !among(known, o)) && len(now) < movedLooks {
				now = append(now, o.Channel)
			}
		}
	}
	for i := 0; i < min(len(hidden), movedLooks) && len(now) > 0; i++ {
		if moved, err := b.moved(ctx, limit, mover, hidden[i], now); err != nil || moved && new != "" {
			return err
		}
	}
	return nil
}

func among(all []memory.Channel, c memory.Channel) bool {
	return slices.ContainsFunc(all, func(o memory.Channel) bool { return o.Channel == c.Channel })
}

// moved gives a stored channel another id if it is one of some channels now. The platform is asked within limit.
func (b *Bot) moved(ctx, limit context.Context, p platform.Mover, c memory.Channel, now []string) (bool, error) {
	from := memory.Key{Platform: c.Platform, Workspace: c.Workspace, Channel: c.Channel}
	stored, err := b.Store.Conversations(limit, from)
	if err != nil {
		return false, err
	}
	stored = stored[:min(len(stored), heldLooks)]
	for i, s := range stored {
		stored[i].Messages = s.Messages[:min(len(s.Messages), heldLooks)]
	}
	to := from
	to.Channel, err = p.Moved(limit, from.Channel, stored, now)
	if err != nil || to.Channel == "" {
		return false, err
	}
	return true, b.move(ctx, memory.ChannelMove{From: from, To: to, Missed: true})
}

// move gives a channel another id.
func (b *Bot) move(ctx context.Context, m memory.ChannelMove) error {
	moved, err := b.Store.MoveChannel(ctx, m)
	if err != nil {
		return err
	}
	b.Log.Info("a channel has a new id", "platform", m.To.Platform, "channel", m.To.Channel, "before", m.From.Channel, "moved", moved, "told", !m.Missed)
	b.erasures.ring()
	b.narrowed()
	b.audiences[m.To.Platform].ask(m.To.Workspace, 0)
	if m.Missed {
		b.audiences[m.To.Platform].moved.ring()
	}
	return nil
}
