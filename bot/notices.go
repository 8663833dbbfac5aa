package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"threadkeeper/agent/spend"
	"threadkeeper/bot/access"
	"threadkeeper/bot/hearing"
	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
	"threadkeeper/memory"
)

func (b *Bot) announce(ctx context.Context, session *memory.Session, ev platform.Event) error {
	if !b.Announce {
		return nil
	}
	w := say.For(ev.Author.Locale, ev.Text)
	text := w.Notice
	if quiet, err := b.quiet(ctx, ev.Key); err != nil || quiet {
		return err
	}
	switch {
	case ev.Kind == platform.EventJoin:
		text = w.Welcome + "\n\n" + w.Notice
	case ev.Channel.Kind == memory.DM:
		text = w.NoticeDM
	}
	return b.postNotice(ctx, session, ev.Reply, platform.Outgoing{Nonce: announcement(ev.Key), Text: text, Language: w.Code})
}

// quiet reports whether nothing is to be posted in a channel that nobody asked for.
func (b *Bot) quiet(ctx context.Context, k memory.Key) (bool, error) {
	follow, err := b.setting(ctx, k, FollowSetting, string(b.Follow))
	return hearing.Follow(follow) == hearing.FollowQuiet, err
}

func announcement(k memory.Key) string {
	return nonce("announced/%q/%q/%q", k.Platform, k.Workspace, k.Channel)
}

// postNotice posts a notice that nobody asked for, once by its nonce.
func (b *Bot) postNotice(ctx context.Context, session *memory.Session, to platform.Address, out platform.Outgoing) error {
	to.Interaction = "" // that of the answer
	out.Kind = platform.KindNotice
	return b.postOnce(ctx, session, to, out, memory.Shown{})
}

// postOnce posts something that shows others' words or none, once by its nonce.
func (b *Bot) postOnce(ctx context.Context, session *memory.Session, to platform.Address, out platform.Outgoing, shows memory.Shown) error {
	return b.postPayload(ctx, outboxPayload{To: to, Out: out}, memory.Outbox{SessionID: session.ID, Shows: shows})
}

func (b *Bot) postPayload(ctx context.Context, p outboxPayload, o memory.Outbox) (err error) {
	if o.Payload, err = p.encode(); err != nil {
		return err
	}
	o.Nonce = p.Out.Nonce
	fresh, err := b.Store.Queue.OutboxAdd(ctx, o)
	if err != nil {
		return wrap("post a notice", err)
	}
	if fresh {
		b.posts.ring()
	}
	return nil
}

// admit reports whether a question may be shown to everybody. If not, its author is told why, as a command is answered.
func (b *Bot) admit(ctx context.Context, p platform.Platform, ev platform.Event) (bool, error) {
	ev.Key.Platform = p.Name()
	hearing.Tidy(&ev, b.Store.Now())
	complete(ctx, p, &ev, true)
	setReplyAddress(&ev)
	rules, err := b.access(ctx, ev.Key)
	if err != nil {
		return false, err
	}
	if rules.Of(ev.Key, ev.Channel.Kind, ev.Author) != access.Open {
		ev.Kind = platform.EventCommand
		return false, b.turnAway(ctx, p, ev, rules)
	}
	busy, err := b.tooBusy(ctx, ev, hearing.Verdict{Answer: hearing.Yes})
	if err != nil || busy == "" {
		return err == nil, err
	}
	session, err := b.locate(ctx, ev.Key, ev.Channel, memory.Person{})
	if err != nil {
		return false, err
	}
	out := platform.Outgoing{Kind: platform.KindNotice, Text: busy, Language: say.For(ev.Author.Locale, ev.Text).Code, Nonce: nonce("busy/%q/%q", ev.Key.Platform, ev.ID)}
	return false, b.postOnce(ctx, session, b.toAuthor(ev), out, memory.Shown{})
}

// turnAway says, once a day, that somebody may not use us: in a place that is closed to its people, else to
// them. A command is answered each time. Nothing else of what they did is kept.
func (b *Bot) turnAway(ctx context.Context, p platform.Platform, ev platform.Event, rules access.Rules) error {
	asks := ev.Kind == platform.EventCommand || ev.Kind == platform.EventJoin || ev.Kind == platform.EventMessage && (ev.Mention || ev.Channel.Kind == memory.DM)
	b.Log.DebugContext(ctx, "not allowed", "platform", p.Name(), "event", ev.ID, "asks", asks)
	if !asks || ev.Kind == platform.EventMessage && hearing.Unusable(ev) != "" {
		return nil
	}
	place := ev.Key
	place.Thread = ""
	session, err := b.locate(ctx, place, ev.Channel, memory.Person{})
	if err != nil {
		return err
	}
	w, to, once, who := say.For(ev.Author.Locale, ev.Text), ev.Reply, fmt.Sprint(memory.Day(b.Store.Now())), ""
	if ev.Kind == platform.EventCommand {
		once = ev.ID
	}
	if p.Limits().Ephemeral && ev.Kind != platform.EventJoin && rules.Of(ev.Key, ev.Channel.Kind, platform.Author{}) != access.Closed {
		who, to.EphemeralTo = ev.Author.ID, ev.Author.ID
	}
	if ev.Kind == platform.EventCommand && p.Limits().Ephemeral {
		to.EphemeralTo = ev.Author.ID
	}
	return b.postOnce(ctx, session, to, platform.Outgoing{Kind: platform.KindNotice, Text: w.NotAllowed, Language: w.Code,
		Nonce: nonce("closed/%q/%q/%q/%q/%q", place.Platform, place.Workspace, place.Channel, who, once)}, memory.Shown{})
}

func (b *Bot) toAuthor(ev platform.Event) platform.Address {
	to := ev.Reply
	if b.byName(ev.Key.Platform).Limits().Ephemeral {
		to.EphemeralTo = ev.Author.ID
	}
	return to
}

func (b *Bot) noteTooBusy(ctx context.Context, session *memory.Session, ev platform.Event, why string) error {
	if !ev.Mention && ev.Channel.Kind != memory.DM {
		return nil
	}
	k, minute := ev.Key, b.Store.Now()/time.Minute.Milliseconds()
	return b.postNotice(ctx, session, b.toAuthor(ev), platform.Outgoing{Text: why, Language: say.For(ev.Author.Locale, ev.Text).Code,
		Nonce: nonce("busy/%q/%q/%q/%d", k.Platform, k.Workspace, ev.Author.ID, minute)})
}

// noteNoContent says in a thread, once, that we cannot read messages there that do not mention us, when
// somebody writes one that would be answered otherwise.
func (b *Bot) noteNoContent(ctx context.Context, ev platform.Event, v hearing.Verdict) error {
	b.Log.Debug("message hidden", "platform", ev.Key.Platform, "event", ev.ID, "answer", v.Answer)
	if v.Answer != hearing.Yes || ev.Opens != "" {
		return nil
	}
	session, err := b.locate(ctx, ev.Key, ev.Channel, person(ev.Author))
	if err != nil {
		return err
	}
	w := b.wordsIn(ctx, session.ID, 0, ev.Author.Locale)
	k := ev.Key
	return b.postNotice(ctx, session, ev.Reply, platform.Outgoing{Nonce: nonce("deaf/%q/%q/%q/%q", k.Platform, k.Workspace, k.Channel, k.Thread), Text: w.NoContent, Language: w.Code})
}

// noteCannotPost tells the person who is answered by a post of a session, directly and once for a channel,
// that we have no permission to post there; nobody, if err has another cause or the
// post was not asked for.
func (b *Bot) noteCannotPost(ctx context.Context, session int64, c outboxPayload, err error) {
	var cannotPost *platform.CannotPostError
	if !errors.As(err, &cannotPost) || cannotPost.Asked == "" || c.To.Asker == "" || c.Out.Kind == platform.KindNotice {
		return
	}
	w, k := say.In(c.Out.Language), c.To.Key
	text, ok := w.CannotPost[k.Platform]
	if !ok {
		return
	}
	s, err := b.Store.Session(ctx, session)
	if err == nil {
		err = b.postNotice(ctx, s, platform.Address{Key: k, EphemeralTo: c.To.Asker, Asker: c.To.Asker},
			platform.Outgoing{Nonce: nonce("muted/%q/%q/%q/%q", k.Platform, k.Workspace, k.Channel, c.To.Asker), Text: fmt.Sprintf(text, cannotPost.Asked), Language: w.Code})
	}
	if err != nil {
		b.Log.Error("could not report that there is no answer", "error", err)
	}
}

// warnOfBudgets warns the person who was answered, once a day, about each budget that is nearly used up: about their own
// to them alone, where the platform can, and in a quiet channel about no other.
func (b *Bot) warnOfBudgets(ctx context.Context, t *turn) {
	if b.Meter == nil || t.person == nil {
		return
	}
	quiet, err := b.quiet(ctx, t.session.Key)
	low, failed := b.Meter.Warnings(ctx, spend.Account{Person: t.person.ID, Channel: t.session.ChannelID})
	err = errors.Join(err, failed)
	for _, w := range low {
		if quiet && w.Budget != spend.OfPerson {
			continue // the next answer elsewhere warns of it
		}
		to, of := t.aside(w.Budget == spend.OfPerson), int64(0)
		switch w.Budget {
		case spend.OfPerson:
			of = t.person.ID
		case spend.OfChannel:
			of = t.session.ChannelID
		}
		b.Log.WarnContext(ctx, "a budget is nearly spent", "budget", w.Budget, "of", of, "percent", w.Percent)
		err = errors.Join(err, b.postNotice(ctx, t.session, to, platform.Outgoing{Nonce: nonce("budget/%s/%d/%d", w.Budget, of, w.Day),
			Text: fmt.Sprintf(t.say.BudgetLow[string(w.Budget)], t.say.Number(w.Percent), w.Opens.UTC().Format("15:04")), Language: t.say.Code}))
	}
	if err != nil {
		b.Log.ErrorContext(ctx, "could not warn about a budget", "error", err)
	}
}

// aside returns the address of a notice beside an answer; alone sends it to the asker only, where the platform can.
func (t *turn) aside(alone bool) platform.Address {
	to := t.request.Reply
	to.Interaction = "" // that of the answer
	if alone && t.platform.Limits().Ephemeral {
		to.EphemeralTo, to.ReplyTo = t.person.PlatformID, "" // the thread has our answer by now
	}
	return to
}

// mostTold is how many lines from other conversations are named at their first use.
const mostTold = 3

// tellCarried tells the person who was answered which lines from other conversations the model got: once which of their own,
// and once in each channel which are kept for it; once to all of it where a post cannot be for one person.
func (b *Bot) tellCarried(ctx context.Context, t *turn) {
	if len(t.carried) == 0 || t.person == nil {
		return
	}
	if quiet, err := b.quiet(ctx, t.session.Key); err != nil || quiet {
		return // the next answer elsewhere tells them
	}
	var own, kept []memory.Carried
	for _, k := range t.carried {
		if k.ChannelID == t.session.ChannelID && (k.Kind == memory.Decision || k.ForChannel) {
			kept = append(kept, k)
		} else {
			own = append(own, k)
		}
	}
	to := t.aside(true)
	who := int64(0)
	if to.EphemeralTo != "" {
		who = t.person.ID
	}
	err := errors.Join(b.tellLines(ctx, t, own, to, nonce("profile/%d", t.person.ID), t.say.ProfileUsed, "memory profile"),
		b.tellLines(ctx, t, kept, to, nonce("kept/%d/%d", t.session.ChannelID, who), t.say.KeptUsed, "settings carryover off"))
	if err != nil {
		b.Log.ErrorContext(ctx, "could not say what comes from other conversations", "error", err)
	}
}

// tellLines posts the first of some lines, once by a nonce, unless there is none: text takes them and a command.
func (b *Bot) tellLines(ctx context.Context, t *turn, from []memory.Carried, to platform.Address, nonce, text, command string) error {
	if len(from) == 0 {
		return nil
	}
	var lines string
	var shows memory.Shown
	for _, k := range from[:min(len(from), mostTold)] {
		lines += "\n> "
		if k.PersonID != t.person.ID {
			lines += say.Plain(k.Speaker) + ": "
		}
		lines += say.Plain(k.Quote)
		if k.Place != "" {
			lines += " (#" + say.Plain(strings.TrimPrefix(k.Place, "#")) + ")"
		}
		if !slices.Contains(shows.Messages, k.MessageID) {
			shows.Messages = append(shows.Messages, k.MessageID)
		}
	}
	out := platform.Outgoing{Kind: platform.KindNotice, Nonce: nonce, Text: fmt.Sprintf(text, lines+"\n\n", command), Language: t.say.Code}
	err := b.postPayload(ctx, outboxPayload{To: to, Out: out}, memory.Outbox{SessionID: t.session.ID, Shows: shows, Seen: true})
	if gone(err) {
		return nil
	}
	return err
}

// lockedPause is how long an erasure waits if the platform does not allow it yet.
const lockedPause = time.Hour

// noteLocked tells the person who had an answer erased, once, that its post still shows it.
func (b *Bot) noteLocked(ctx context.Context, o *memory.Outbox) error {
	if o.MessageID == 0 { // the answer to a command
		return nil
	}
	m, err := b.Store.Message(ctx, o.MessageID)
	if err != nil || m.ErasedBy == 0 { // deleted on the platform, where it is seen to stay
		return wrap("find an erased answer", err)
	}
	who, err := b.Store.Person(ctx, m.ErasedBy)
	if err != nil {
		return wrap("find who had an answer erased", err)
	}
	session, err := b.Store.Session(ctx, o.SessionID)
	if err != nil {
		return wrap("find session", err)
	}
	w := b.wordsIn(ctx, session.ID, who.ID, "")
	k := session.Key
	return b.postNotice(ctx, session, platform.Address{Key: k, EphemeralTo: who.PlatformID, Asker: who.PlatformID},
		platform.Outgoing{Nonce: nonce("locked/%q/%q/%q/%q/%q", k.Platform, k.Workspace, k.Channel, k.Thread, who.PlatformID), Text: fmt.Sprintf(w.Locked, b.link(k.Platform, o.Ref)), Language: w.Code})
}

// Report is the weekly direct message to the owner.
type Report struct {
	Platform, Person string // the owner, who has written to us directly before
	// Write returns its text in the owner's language and the stored content that it quotes.
	Write func(ctx context.Context, w *say.Words) (text string, shows memory.Shown, err error)
}

const (
	reportEvery = time.Hour // between two looks whether it is due
	reportDay   = 4*24 + 8  // hours from the beginning of 1970, a Thursday, to a Monday at eight
	week        = 7 * 24 * time.Hour
)

// reportWeekly sends the report when a week begins, on Monday at eight (UTC), or as soon as we run in it.
func (b *Bot) reportWeekly(ctx context.Context) {
	if b.Report == nil {
		return
	}
	for {
		err := guard(func() error { return b.report(ctx, *b.Report) })
		switch {
		case gone(err):
			b.Log.Warn("the weekly report has to wait until its reader has written to me in a direct message", "platform", b.Report.Platform)
		case err != nil && ctx.Err() == nil:
			b.Log.Error("send the weekly report", "error", err)
		}
		if !sleep(ctx, jitter(reportEvery)) {
			return
		}
	}
}

func (b *Bot) report(ctx context.Context, r Report) error {
	if b.byName(r.Platform) == nil {
		return nil
	}
	key, err := b.Store.Views.DirectChannel(ctx, r.Platform, r.Person)
	if err != nil {
		return wrap("find whom to report to", err)
	}
	n := (b.Store.Now() - (reportDay * time.Hour).Milliseconds()) / week.Milliseconds()
	out := platform.Outgoing{Kind: platform.KindNotice, Nonce: nonce("report/%q/%q/%d", r.Platform, r.Person, n)}
	if _, err := b.Store.Queue.OutboxByNonce(ctx, out.Nonce); !gone(err) {
		return wrap("look for the report of this week", err)
	}
	session, _, err := b.Store.Locate(ctx, key, memory.Channel{Kind: memory.DM}, memory.Person{})
	if err != nil {
		return wrap("find session", err)
	}
	w := b.wordsIn(ctx, session.ID, 0, "")
	text, shows, err := r.Write(ctx, w)
	if err != nil {
		return wrap("write the report", err)
	}
	out.Language = w.Code
	out.Text = "**" + w.Report.Week + "**\n```\n" + strings.ReplaceAll(text, "`", "'") + "```"
	return b.postOnce(ctx, session, platform.Address{Key: key, Asker: r.Person}, out, shows)
}
