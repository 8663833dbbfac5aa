package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"threadkeeper/bot/access"
	"threadkeeper/bot/hearing"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

// Judge says whether a message is for us, hearing.Yes, No or Maybe, and by what rule. It stores nothing.
func (b *Bot) Judge(ctx context.Context, ev platform.Event) (answer, rule string, err error) {
	p, err := b.placeOf(ctx, ev)
	v := hearing.Decide(ev, p)
	return v.Answer, v.Reason, err
}

// What programs say is context, and not answered, unless an administrator chose the program for the channel. Even then
// we answer only so many of their messages, of all in the channel, for two programs that answer each other never end.
const (
	programsFor     = time.Hour
	programsInARow  = 3  // in that time, since a person spoke in the channel
	programsAtLarge = 12 // in that time
)

// heeds reports whether a program is to be answered now. What cannot be read is no leave.
func (b *Bot) heeds(ctx context.Context, ev platform.Event) (bool, error) {
	value, err := b.Store.Setting(ctx, memory.ChannelScope(ev.Key), BotsSetting)
	if err != nil || value == "" {
		return false, wrap("read setting", err)
	}
	list, err := access.ParseList(value)
	if err != nil || !list.Names(ev.Author.ID) {
		return false, nil
	}
	all, row, err := b.Store.Queue.AskedByPrograms(ctx, ev.Key, b.Store.Now()-programsFor.Milliseconds())
	return err == nil && all < programsAtLarge && row < programsInARow, wrap("count what programs asked", err)
}

const linesBefore = 20

func (b *Bot) placeOf(ctx context.Context, ev platform.Event) (p hearing.Place, err error) {
	follow, err := b.setting(ctx, ev.Key, FollowSetting, string(b.Follow))
	if err != nil {
		return p, err
	}
	p.Follow = hearing.Follow(follow)
	if ev.Author.Kind == memory.Bot {
		if p.Heeds, err = b.heeds(ctx, ev); err != nil {
			return p, err
		}
	}
	s, err := b.Store.SessionByKey(ctx, ev.Key)
	known := err == nil
	if err != nil && !errors.Is(err, memory.ErrNotFound) {
		return p, fmt.Errorf("bot: find session: %w", err)
	}
	if p.Joined = known && s.Joined; !p.Joined && ev.Key.Thread != "" && ev.Opens == "" {
		if p.Joined, err = b.isOnOurs(ctx, ev.Key); err != nil {
			return p, wrap("look at a thread", err)
		}
	}
	if !known {
		p.Alone = true
		return p, nil
	}
	own, err := b.Store.Setting(ctx, sessionScope(s.ID), FollowSetting)
	if err != nil {
		return p, wrap("read setting", err)
	}
	if own != "" {
		p.Follow = hearing.Follow(own)
	}
	if p.Joined && ev.Key.Thread != "" && !ev.Mention {
		if p.Alone, err = b.Store.IsOnlySpeaker(ctx, s.ID, ev.Author.ID); err != nil {
			return p, wrap("look who has spoken", err)
		}
		if p.Lines, err = b.Store.LastLines(ctx, s.ID, ev.Message, linesBefore); err != nil {
			return p, wrap("look who has spoken", err)
		}
		if named, ok := b.byName(ev.Key.Platform).(platform.Named); ok {
			p.Names = named.OwnNames(ctx, ev.Key)
		}
	}
	if ev.Kind == platform.EventEdit { // our question may have come after it
		return p, nil
	}
	q, err := b.Store.Queue.OpenQuestion(ctx, s.ID)
	if errors.Is(err, memory.ErrNotFound) {
		return p, nil
	}
	if err != nil {
		return p, fmt.Errorf("bot: look for a question: %w", err)
	}
	asker, err := b.Store.Person(ctx, q.PersonID)
	if err == nil {
		p.Asked, p.Waited = asker.PlatformID == ev.Author.ID, time.Duration(b.Store.Now()-q.CreatedAt)*time.Millisecond
	} else if !errors.Is(err, memory.ErrNotFound) {
		return p, fmt.Errorf("bot: find person: %w", err)
	}
	return p, nil
}

// isOnOurs reports whether a thread began on a post of ours, so that we count as joined: on an answer, or on what told the
// channel of us and of what is stored.
func (b *Bot) isOnOurs(ctx context.Context, thread memory.Key) (bool, error) {
	ours, err := b.Store.IsOurPost(ctx, thread, thread.Thread)
	poster, ok := b.byName(thread.Platform).(platform.Poster)
	if ours || err != nil || !ok {
		return ours, err
	}
	told, err := b.Store.Queue.OutboxByNonce(ctx, announcement(thread))
	if gone(err) {
		return false, nil
	}
	return err == nil && slices.Contains(poster.Messages(platform.Ref(told.Ref)), thread.Thread), err
}

// meantWithin is how long before a bare mention a message may be for the mention
// to refer to it. A thread's first message is always meant.
const meantWithin = time.Hour

func (t *turn) isBareMention(ctx context.Context) (bool, error) {
	ids := make([]int64, len(t.messages))
	for i, m := range t.messages {
		if strings.TrimSpace(m.Text) != "" {
			return false, nil
		}
		ids[i] = m.ID
	}
	files, err := t.bot.Store.FilesOf(ctx, ids)
	return len(files) == 0, wrap("look for files", err)
}

// resolveBareMention makes a bare mention stand for the same person's latest messages here, if nobody
// answered them.
func (t *turn) resolveBareMention(ctx context.Context) error {
	bare, err := t.isBareMention(ctx)
	if err != nil || !bare {
		return err
	}
	mention := t.messages[0]
	said, err := t.bot.Store.UnansweredBefore(ctx, mention, burst.Rows)
	if err != nil {
		return err
	}
	said = slices.DeleteFunc(said, func(m *memory.Message) bool {
		return mention.At-m.At > meantWithin.Milliseconds() && m.PlatformID != t.session.Thread
	})
	if len(said) > 0 {
		t.mentions, t.messages = t.messages, said
	}
	return nil
}

const maxNamed = 5

func (t *turn) greeting(ctx context.Context) (string, error) {
	st, err := t.bot.Store.Views.Status(ctx, t.session.ID)
	if err != nil {
		return "", wrap("load status", err)
	}
	names, err := t.known(ctx)
	if err != nil {
		return "", err
	}
	text := t.say.Greeting
	if n := st.Verbatim + st.Compacted - len(t.messages); n > 0 || len(names) > 0 {
		text += "\n\n" + t.say.Count(t.say.Known, n)
	}
	if len(names) > 0 {
		text += " " + fmt.Sprintf(t.say.KnownDocuments, strings.Join(names, ", "))
	}
	return text, nil
}

func (t *turn) known(ctx context.Context) ([]string, error) {
	a, err := t.bot.audience(ctx, t.session.ID, t.person.ID)
	if err != nil {
		return nil, err
	}
	all, err := t.bot.Index.List(ctx, a)
	if err != nil {
		return nil, wrap("list documents", err)
	}
	var names []string
	for _, d := range slices.Backward(all) {
		if d.State != memory.DocumentReady || d.Picture {
			continue
		}
		if len(names) == maxNamed {
			return append(names, "…"), nil
		}
		names = append(names, say.Plain(d.Name))
	}
	return names, nil
}
