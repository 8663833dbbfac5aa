package bot

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

const (
	askTime     = 20 * time.Second // for a platform to say who may read some channels of a workspace; the next pass asks about the rest
	askChannel  = 10 * time.Second // of it for one channel
	askPause    = time.Minute      // before unchecked channels are looked for although nobody rang
	askOneByOne = 3                // up to this many unchecked channels of a workspace are asked for one by one
)

// audiences tracks who may read the channels of one platform: it asks the platform about
// channels that are unchecked in the store, until it has answered.
type audiences struct {
	wake    wake
	checked wake // rings when channels were
	moved   wake // rings when one was found under another id

	mu      sync.Mutex
	heard   map[string]bool          // workspaces whose events arrive; before that, an answer may be outdated
	due     map[string]chan struct{} // workspaces the next pass asks for
	begun   map[string]chan struct{} // those the present pass asks for; each is closed after one attempt
	refused map[int64]int64          // channels we may not see, and their epoch when the platform refused
	looked  map[string]bool          // new channels that were looked at; see noticeMove
}

func newAudiences() *audiences {
	return &audiences{wake: newWake(), checked: newWake(), moved: newWake(), heard: make(map[string]bool), due: make(map[string]chan struct{}), refused: make(map[int64]int64), looked: make(map[string]bool)}
}

// ask requests a look-up of the unchecked channels of a workspace, including channel (0 for
// none in particular) even if it refused before.
func (a *audiences) ask(workspace string, channel int64) {
	a.mu.Lock()
	defer a.mu.Unlock()
	delete(a.refused, channel)
	a.heard[workspace] = true
	if a.due[workspace] == nil {
		a.due[workspace] = make(chan struct{})
	}
	a.wake.ring()
}

// expect requests a look-up of a workspace once an event of it arrives.
func (a *audiences) expect(workspace string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.due[workspace] = make(chan struct{})
}

// first reports whether a new channel was not looked at before.
func (a *audiences) first(channel string) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	first := !a.looked[channel]
	a.looked[channel] = true
	return first
}

func (a *audiences) begin() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.begun = make(map[string]chan struct{})
	for w, done := range a.due {
		if a.heard[w] {
			a.begun[w] = done
			delete(a.due, w)
		}
	}
}

// end ends the attempt for a workspace, or the pass with "". With more to ask, who waits for it waits for the next pass.
func (a *audiences) end(workspace string, more bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for w, done := range a.begun {
		if w != workspace && workspace != "" {
			continue
		}
		delete(a.begun, w)
		if more && a.due[w] == nil {
			a.due[w] = done
		} else {
			close(done)
		}
	}
}

// wait waits, at most patience, until a workspace has been asked for.
func (a *audiences) wait(ctx context.Context, workspace string, patience time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		a.mu.Lock()
		done := a.begun[workspace]
		if later := a.due[workspace]; later != nil {
			done = later
		}
		a.mu.Unlock()
		if done == nil {
			return
		}
		select {
		case <-done:
		case <-ctx.Done():
			return
		}
	}
}

// toAsk returns the channels that can be asked for now, by workspace.
func (a *audiences) toAsk(unchecked []memory.Channel) map[string][]memory.Channel {
	a.mu.Lock()
	defer a.mu.Unlock()
	all := make(map[string][]memory.Channel)
	for _, c := range unchecked {
		if at, told := a.refused[c.ID]; a.heard[c.Workspace] && !(told && at == c.Epoch) {
			all[c.Workspace] = append(all[c.Workspace], c)
		}
	}
	return all
}

// refuse records that we may not see a channel: it stays unchecked until it is doubted again.
func (a *audiences) refuse(c memory.Channel) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.refused[c.ID] = c.Epoch
}

// uncheckAll makes all channels unchecked of platforms that can list them at once:
// any may have changed since the last Run.
func (b *Bot) uncheckAll(ctx context.Context) error {
	for _, p := range b.Platforms {
		if _, ok := p.(platform.ChannelLister); !ok {
			continue
		}
		workspaces, err := b.Store.UncheckChannels(ctx, p.Name(), "", false)
		if err != nil {
			return err
		}
		for _, w := range workspaces {
			b.audiences[p.Name()].expect(w)
		}
	}
	return nil
}

// doubtAudience handles an EventAudience.
func (b *Bot) doubtAudience(ctx context.Context, ev platform.Event) error {
	var err error
	if ev.Author.ID != "" {
		err = b.comeOrGone(ctx, ev)
		b.narrowed()
		return err
	}
	if ev.Key.Channel == "" {
		_, err = b.Store.UncheckChannels(ctx, ev.Key.Platform, ev.Key.Workspace, ev.Channel.Unheard)
	} else {
		err = b.Store.DoubtChannel(ctx, ev.Key, ev.Channel)
	}
	if err != nil {
		return err
	}
	b.narrowed()
	b.audiences[ev.Key.Platform].ask(ev.Key.Workspace, 0)
	return nil
}

// comeOrGone handles that a person came to a channel or left it. A guest who comes reads what is answered there.
func (b *Bot) comeOrGone(ctx context.Context, ev platform.Event) error {
	if !ev.Joined {
		return errors.Join(b.Store.DoubtHome(ctx, ev.Key, ev.Author.ID), b.Store.SetGuest(ctx, ev.Key, ev.Author.ID, false))
	}
	p, ok := b.byName(ev.Key.Platform).(platform.Introducer)
	if !ok {
		return nil
	}
	limit, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	who, err := p.Person(limit, ev.Key, ev.Author.ID)
	if err != nil || who.Kind != memory.Guest {
		return wrap("look up who joined", err)
	}
	if err := b.Store.SetGuest(ctx, ev.Key, ev.Author.ID, true); err != nil {
		return err
	}
	c, err := b.Store.ChannelByKey(ctx, ev.Key)
	if err == nil && c.Unchecked { // we are asking, and may be told who was there before
		err = b.Store.DoubtChannel(ctx, ev.Key, memory.Channel{})
		b.audiences[ev.Key.Platform].ask(ev.Key.Workspace, 0)
	}
	if gone(err) {
		return nil
	}
	return wrap("look up who joined", err)
}

// noteGuests notes the guests in a channel: those who were there before us, or came or left while we were away, may have said
// nothing.
func (b *Bot) noteGuests(ctx, limit context.Context, p platform.Platform, channel memory.Key) error {
	lister, ok := p.(platform.GuestLister)
	if !ok {
		return nil
	}
	known, err := b.Store.Guests(ctx, channel)
	if err != nil {
		return err
	}
	guests, err := lister.Guests(limit, channel, known)
	if err != nil {
		return wrap("look for guests", err)
	}
	for _, id := range slices.Concat(known, guests) {
		if in := slices.Contains(guests, id); in != slices.Contains(known, id) {
			err = errors.Join(err, b.Store.SetGuest(ctx, channel, id, in))
		}
	}
	return err
}

// locate is Store.Locate for a place that may be new, whose channel is asked about then: there may be guests who say nothing.
func (b *Bot) locate(ctx context.Context, key memory.Key, channel memory.Channel, who memory.Person) (*memory.Session, error) {
	channel = b.ifNew(ctx, key, channel)
	session, _, err := b.Store.Locate(ctx, key, channel, who)
	if err == nil && channel.Unchecked {
		b.audiences[key.Platform].ask(key.Workspace, session.ChannelID)
	}
	return session, wrap("find session", err)
}

// ifNew returns the channel of a message, unchecked if it is a new one and may have guests who say nothing.
func (b *Bot) ifNew(ctx context.Context, key memory.Key, channel memory.Channel) memory.Channel {
	if _, lists := b.byName(key.Platform).(platform.GuestLister); lists && channel.Kind != memory.DM && !channel.Unchecked {
		_, err := b.Store.ChannelByKey(ctx, key)
		channel.Unchecked = err != nil
	}
	return channel
}

// followAudiences asks a platform about unchecked channels until ctx is done.
func (b *Bot) followAudiences(ctx context.Context, p platform.Platform) {
	a := b.audiences[p.Name()]
	for failures, pause := 0, askPause; a.wake.wait(ctx, pause); {
		some := false
		err := guard(func() (err error) {
			some, err = b.askAudiences(ctx, p, a)
			return err
		})
		if ctx.Err() != nil {
			return
		}
		failures, pause = failures+1, backoff(failures+1)
		var later *platform.RetryError
		switch {
		case err == nil:
			failures, pause = 0, askPause
		case some: // and the next pass gets further
			failures, pause = 0, 0
		}
		if errors.As(err, &later) {
			pause = max(pause, later.After)
		}
		if err != nil {
			b.Log.Warn("could not find out who may read the channels; they stay closed until then", "platform", p.Name(), "error", err)
		}
	}
}

// askAudiences asks once about everything that is unchecked, and reports whether some of it was answered.
func (b *Bot) askAudiences(ctx context.Context, p platform.Platform, a *audiences) (some bool, failed error) {
	a.begin()
	defer a.end("", false)
	unchecked, err := b.Store.UncheckedChannels(ctx, p.Name())
	if err != nil {
		return false, err
	}
	lost := make(map[string][]memory.Channel) // by workspace
	for workspace, channels := range a.toAsk(unchecked) {
		checked, hidden, err := b.askWorkspace(ctx, p, workspace, channels)
		lost[workspace] = hidden
		some, failed = some || checked, errors.Join(failed, err)
		a.end(workspace, checked && err != nil)
	}
	b.narrowed()   // one may have a smaller audience now
	b.posts.ring() // some waited for this
	limit, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	for workspace, hidden := range lost {
		failed = errors.Join(failed, b.findMoved(ctx, limit, p, workspace, "", hidden))
	}
	return some, failed
}

// askWorkspace asks about channels of a workspace, about all at once if they are many, and reports whether it has checked some, and
// which we may not see.
func (b *Bot) askWorkspace(ctx context.Context, p platform.Platform, workspace string, channels []memory.Channel) (some bool, lost []memory.Channel, err error) {
	limit, cancel := context.WithTimeout(ctx, askTime)
	defer cancel()
	told := make(map[string]memory.Channel)
	lister, lists := p.(platform.ChannelLister)
	if lists && len(channels) > askOneByOne {
		all, err := lister.Channels(limit, workspace)
		if err != nil {
			return false, nil, fmt.Errorf("bot: ask for channels: %w", err)
		}
		for _, c := range all {
			told[c.Channel] = c
		}
	}
	var checked []memory.Channel
	var failed error
	rand.Shuffle(len(channels), func(i, k int) { channels[i], channels[k] = channels[k], channels[i] }) // slow ones keep no others waiting for ever
	for _, c := range channels {
		if limit.Err() != nil {
			failed = errors.Join(failed, fmt.Errorf("bot: ask for channels: %w", limit.Err()))
			break
		}
		key := memory.Key{Platform: c.Platform, Workspace: c.Workspace, Channel: c.Channel}
		one, cancel := context.WithTimeout(limit, askChannel)
		is, ok := told[c.Channel]
		var err error
		if !ok && (!lists || len(channels) <= askOneByOne) {
			is, err = p.Channel(one, key)
			ok = err == nil
		}
		if ok {
			err = b.noteGuests(ctx, one, p, key)
		}
		cancel()
		if err != nil && !errors.Is(err, platform.ErrUndeliverable) {
			failed = errors.Join(failed, fmt.Errorf("bot: ask for a channel: %w", err))
			if later := new(platform.RetryError); ok && errors.As(err, &later) {
				break
			}
			continue
		}
		if !ok || err != nil {
			b.audiences[p.Name()].refuse(c)
			failed = errors.Join(failed, b.Store.Queue.OutboxWithdrawShowing(ctx, c.ID))
			lost = append(lost, c)
			continue
		}
		c.Kind, c.External, c.Name = is.Kind, is.External, is.Name
		checked = append(checked, c)
	}
	if len(checked) == 0 {
		return false, lost, failed
	}
	defer b.audiences[p.Name()].checked.ring()
	err = b.Store.CheckChannels(ctx, checked)
	return err == nil, lost, errors.Join(failed, err)
}

// awaitAudience waits for a limited time while a platform is being asked who may
// read the channels of a conversation's workspace. Until it answers they are closed.
func (b *Bot) awaitAudience(ctx context.Context, key memory.Key) {
	if a := b.audiences[key.Platform]; a != nil {
		a.wait(ctx, key.Workspace, b.Patience)
	}
}
