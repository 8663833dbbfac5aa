package bot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"threadkeeper/bot/platform"
	"threadkeeper/memory"
)

const (
	maxDeliveries = 62               // attempts before a post is given up: about ten minutes
	deliverPause  = 10 * time.Second // longest pause between two attempts, unless the platform asks for more: others wait behind it
)

// deliver brings a post into its final form and returns its Ref. resumed says
// that an earlier attempt may have posted it under its nonce.
func (b *Bot) deliver(ctx context.Context, p platform.Platform, o *memory.Outbox, c outboxPayload, resumed bool) (platform.Ref, error) {
	c.Out.Nonce, c.Out.Withdraw = cmp.Or(c.Out.Nonce, o.Nonce), b.withdraws(o.SessionID)
	if o.Ref == "" && resumed {
		ref, found, err := p.Find(ctx, c.To, o.Nonce)
		if err != nil {
			return "", fmt.Errorf("bot: look for post: %w", err)
		}
		if found {
			o.Ref = string(ref)
			b.saveRef(ctx, o.ID, ref)
		}
	}
	switch {
	case o.Ref == "" && o.Changes(): // there is nothing to change
		return "", nil
	case o.Ref != "" && c.Out.File != nil:
		return platform.Ref(o.Ref), nil
	case o.Ref != "":
		ref, err := p.Edit(ctx, platform.Ref(o.Ref), c.Out)
		if err != nil {
			return "", fmt.Errorf("bot: edit post: %w", err)
		}
		return ref, b.postChanged(ctx, p, o, ref)
	case c.Out.File != nil:
		f := *c.Out.File
		f.Nonce, f.Text, f.Language = o.Nonce, c.Out.Text, c.Out.Language
		ref, err := p.Upload(ctx, c.To, f)
		if err != nil {
			return "", fmt.Errorf("bot: upload: %w", err)
		}
		return ref, nil
	}
	ref, err := p.Post(ctx, c.To, c.Out)
	if err != nil {
		return "", fmt.Errorf("bot: post: %w", err)
	}
	return ref, nil
}

// postChanged records that a post has a new Ref after an edit, so that we recognise what people do with
// its messages.
func (b *Bot) postChanged(ctx context.Context, p platform.Platform, o *memory.Outbox, ref platform.Ref) error {
	if string(ref) == o.Ref {
		return nil
	}
	var messages []string
	if poster, ok := p.(platform.Poster); ok {
		messages = poster.Messages(ref)
	}
	return b.Store.Queue.OutboxChangeRef(ctx, o, string(ref), messages)
}

// withdraws tells the store when we delete a message of our own answer ourselves, so that its deletion is not
// taken for that of the answer.
func (b *Bot) withdraws(session int64) func(context.Context, string) error {
	return func(ctx context.Context, message string) error { return b.Store.WithdrawPost(ctx, session, message) }
}

// saveRef records the Ref of a post. A failure only costs a Find after a
// crash.
func (b *Bot) saveRef(ctx context.Context, outbox int64, ref platform.Ref) {
	if err := b.Store.Queue.OutboxSetRef(ctx, outbox, string(ref)); err != nil && ctx.Err() == nil {
		b.Log.Warn("could not record a post", "error", err)
	}
}

func deliveryPause(attempts int, err error) time.Duration {
	var later *platform.RetryError
	switch {
	case errors.Is(err, platform.ErrUndeliverable), attempts >= maxDeliveries:
		return 0
	case errors.As(err, &later) && later.After > 0:
		return later.After
	}
	return min(backoff(attempts), deliverPause)
}

// deliverTime limits one post of a command's answer.
const deliverTime = time.Minute

const (
	deliverers   = 16  // sessions in which posts are delivered at the same time
	changers     = 2   // sessions whose posts are only changed at the same time
	deliverAhead = 200 // posts looked at in advance
)

// deliveryLane is a sequence delivered in order: the posts of a session, or the changes of its older
// posts, which may be many and which nobody waits for.
type deliveryLane struct {
	session int64
	changes bool
}

// deliveries posts the answers of commands until ctx is done, and the due ones
// before it returns: those of one lane in order, those of different lanes at
// the same time. Remaining changes wait for the next start.
func (b *Bot) deliveries(ctx context.Context) {
	var all sync.WaitGroup
	defer all.Wait()
	busy := &busyLanes{held: make(map[deliveryLane]bool)}
	for {
		ending := ctx.Err() != nil
		if ending {
			all.Wait()
		}
		n, err := b.deliverDue(ctx, busy, &all)
		if err != nil {
			b.Log.Error("could not deliver posts", "error", err)
		}
		if ending && (err != nil || n == 0) {
			return
		}
		b.posts.wait(ctx, poll)
	}
}

// deliverDue starts delivering what is due in free lanes, and returns the number of
// these lanes.
func (b *Bot) deliverDue(ctx context.Context, busy *busyLanes, all *sync.WaitGroup) (int, error) {
	work := context.WithoutCancel(ctx)
	posts, err := b.Store.Queue.OutboxDue(work, deliverAhead, b.names()...)
	if err != nil {
		return 0, err
	}
	var order []deliveryLane
	due := make(map[deliveryLane][]*memory.Outbox)
	for _, o := range posts {
		l := deliveryLane{o.SessionID, o.Changes()}
		if due[l] == nil {
			order = append(order, l)
		}
		due[l] = append(due[l], o)
	}
	n := 0
	for _, l := range order {
		if l.changes && ctx.Err() != nil || !busy.enter(l) {
			continue
		}
		n++
		all.Go(func() {
			// If it fails at the end it waits for the next start: nobody enters its lane again.
			if b.deliverAll(ctx, work, l, due[l]) || sleep(ctx, poll) {
				busy.leave(l)
			}
			b.posts.ring()
			b.finished.ring()
		})
	}
	return n, nil
}

// deliverAll delivers posts of one lane in order. One that must be retried holds
// back those behind it, as OutboxDue does; it then returns false.
func (b *Bot) deliverAll(run, ctx context.Context, l deliveryLane, posts []*memory.Outbox) bool {
	for _, o := range posts {
		if l.changes && run.Err() != nil {
			return true
		}
		if err := guard(func() error { return b.deliverOne(ctx, o) }); err != nil {
			b.Log.Warn("could not deliver a post", "session", o.SessionID, "attempt", o.Attempts, "error", err)
			return false
		}
	}
	return true
}

type busyLanes struct {
	mu      sync.Mutex
	held    map[deliveryLane]bool
	changes int // of them, lanes of posts that only change older ones
}

// enter takes a lane, unless it is in use or too many of its kind are.
func (s *busyLanes) enter(l deliveryLane) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.held[l], l.changes && s.changes >= changers, !l.changes && len(s.held)-s.changes >= deliverers:
		return false
	case l.changes:
		s.changes++
	}
	s.held[l] = true
	return true
}

func (s *busyLanes) leave(l deliveryLane) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.held, l)
	if l.changes {
		s.changes--
	}
}

func (b *Bot) deliverOne(ctx context.Context, o *memory.Outbox) error {
	ctx, cancel := context.WithTimeout(ctx, deliverTime)
	defer cancel()
	c, err := b.payloadFor(ctx, o)
	if err != nil {
		return err
	}
	if c == nil {
		return b.Store.Queue.OutboxFinish(ctx, o, o.Ref, "")
	}
	p := b.byName(c.To.Key.Platform)
	if !o.Changes() {
		if may, err := b.mayStillShow(ctx, o, c.To.Key); err != nil {
			return err
		} else if !may {
			return b.Store.Queue.OutboxWithdraw(ctx, o)
		}
	}
	resumed := o.Attempts > 0
	// From here on a crash may leave a post behind: the next attempt looks for it.
	if same, err := b.Store.Queue.OutboxBeginAttempt(ctx, o, b.Store.Now()+deliverTime.Milliseconds()); err != nil || !same {
		return err
	}
	var ref platform.Ref
	if o.Kind == memory.PostTitle {
		err = b.retitle(ctx, p, o.SessionID, c.To.Key)
	} else {
		ref, err = b.deliver(ctx, p, o, *c, resumed)
	}
	if err == nil && c.Fork != nil {
		err = b.openFork(ctx, p, o, c, ref)
	}
	settle, done := context.WithTimeout(context.WithoutCancel(ctx), recordTime)
	defer done()
	if err == nil {
		return b.Store.Queue.OutboxFinish(settle, o, string(ref), "")
	}
	pause := deliveryPause(o.Attempts, err)
	if o.Kind == memory.PostErased && errors.Is(err, platform.ErrLocked) {
		pause = lockedPause
		err = errors.Join(err, b.noteLocked(settle, o))
	}
	if pause == 0 {
		b.noteCannotPost(settle, o.SessionID, *c, err)
		return errors.Join(err, b.Store.Queue.OutboxFinish(settle, o, "", err.Error()))
	}
	return errors.Join(err, b.Store.Queue.OutboxDefer(settle, o, b.Store.Now()+pause.Milliseconds(), err.Error()))
}

// mayStillShow reports whether the document that a post shows may be seen in the post's channel. A
// known change of the channel's audience has removed the post already.
func (b *Bot) mayStillShow(ctx context.Context, o *memory.Outbox, at memory.Key) (bool, error) {
	b.awaitAudience(ctx, at)
	if o.DocumentID == 0 {
		return true, nil
	}
	a, err := b.audience(ctx, o.SessionID, 0)
	if err != nil {
		return false, err
	}
	_, err = b.Index.Visible(ctx, a, o.DocumentID)
	if gone(err) {
		return false, nil
	}
	return err == nil, err
}

func (b *Bot) payloadFor(ctx context.Context, o *memory.Outbox) (*outboxPayload, error) {
	if !o.Changes() {
		p, err := decodePayload(o)
		if err != nil {
			err = errors.Join(err, b.Store.Queue.OutboxFinish(ctx, o, "", err.Error()))
		}
		return &p, err
	}
	session, err := b.Store.Session(ctx, o.SessionID)
	if err != nil {
		return nil, err
	}
	to := platform.Address{Key: session.Key}
	switch o.Kind {
	case memory.PostErased:
		w := b.wordsIn(ctx, session.ID, 0, "")
		return &outboxPayload{To: to, Out: platform.Outgoing{Kind: platform.KindErased, Text: w.ErasedPost, Language: w.Code}}, nil
	case memory.PostTitle:
		return &outboxPayload{To: to}, nil
	}
	if !b.byName(session.Platform).Limits().Clicks {
		return nil, nil
	}
	form := b.closedQuestion
	if o.Kind == memory.PostRetried {
		form = b.retriedPost
	}
	out, err := form(ctx, o)
	if out == nil || err != nil {
		return nil, err
	}
	return &outboxPayload{To: to, Out: *out}, nil
}

// titledSetting says that somebody named a session's conversation: the name is theirs.
const titledSetting = "titled"

// retitle renames a conversation on its platform after its present beginning, unless somebody has named it.
func (b *Bot) retitle(ctx context.Context, p platform.Platform, session int64, key memory.Key) error {
	t, ok := p.(platform.Titler)
	if !ok {
		return nil
	}
	theirs, err := b.Store.Setting(ctx, sessionScope(session), titledSetting)
	if err != nil || theirs != "" {
		return wrap("read setting", err)
	}
	text, err := b.Store.Queue.OutboxTitleText(ctx, session)
	if err != nil {
		return err
	}
	if err := t.Retitle(ctx, key, text, b.wordsIn(ctx, session, 0, "").Untitled); err != nil {
		return fmt.Errorf("bot: name a thread: %w", err)
	}
	return nil
}
