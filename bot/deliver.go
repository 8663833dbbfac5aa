package bot

import (
	"context"
	"errors"
	"fmt"
	"time"

	"threadkeeper/memory"
)

// maxDeliveries is how often a post is tried before it is given up: with
// backoff, about ten minutes.
const maxDeliveries = 15

// deliver brings a post into its final form and returns its name. resumed says
// that an earlier attempt may have posted it under its nonce.
func (b *Bot) deliver(ctx context.Context, p Platform, o *memory.Outbox, c parcel, resumed bool) (Ref, error) {
	c.Out.Nonce = o.Nonce
	if o.Ref == "" && resumed {
		ref, found, err := p.Find(ctx, c.To, o.Nonce)
		if err != nil {
			return "", fmt.Errorf("bot: look for post: %w", err)
		}
		if found {
			o.Ref = string(ref)
			b.named(ctx, o.ID, ref)
		}
	}
	switch {
	case o.Ref != "" && c.Out.File != nil:
		return Ref(o.Ref), nil
	case o.Ref != "":
		if err := p.Edit(ctx, Ref(o.Ref), c.Out); err != nil {
			return "", fmt.Errorf("bot: edit post: %w", err)
		}
		return Ref(o.Ref), nil
	case c.Out.File != nil:
		f := *c.Out.File
		f.Nonce, f.Text = o.Nonce, c.Out.Text
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

// named records what the platform calls a post. A failure costs a Find after a
// crash, no more.
func (b *Bot) named(ctx context.Context, outbox int64, ref Ref) {
	if err := b.Store.Posted(ctx, outbox, string(ref)); err != nil && ctx.Err() == nil {
		b.Log.Warn("record post", "error", err)
	}
}

// putOff is how long to wait after a failed delivery, 0 to give up.
func putOff(attempts int, err error) time.Duration {
	var later *RetryError
	switch {
	case errors.Is(err, ErrUndeliverable), attempts >= maxDeliveries:
		return 0
	case errors.As(err, &later) && later.After > 0:
		return later.After
	}
	return backoff(attempts)
}

// deliveries posts the answers of commands until ctx is done, and what is left
// of them before it returns.
func (b *Bot) deliveries(ctx context.Context) {
	for {
		n, err := b.deliverAll(context.WithoutCancel(ctx))
		if err != nil {
			b.Log.Error("deliver", "error", err)
		}
		if n > 0 && ctx.Err() == nil {
			continue
		}
		if ctx.Err() != nil || !b.posts.wait(ctx, poll) {
			if n, err = b.deliverAll(context.WithoutCancel(ctx)); err != nil || n == 0 {
				return
			}
		}
	}
}

// deliverTime bounds one post of a command's answer.
const deliverTime = time.Minute

// deliverAll tries every post that is due and returns how many there were.
func (b *Bot) deliverAll(ctx context.Context) (int, error) {
	posts, err := b.Store.Undelivered(ctx, 20)
	if err != nil {
		return 0, err
	}
	for _, o := range posts {
		err := guard(func() error { return b.deliverOne(ctx, o) })
		if err != nil {
			b.Log.Warn("post not delivered", "session", o.SessionID, "attempt", o.Attempts+1, "error", err)
		}
	}
	return len(posts), nil
}

func (b *Bot) deliverOne(ctx context.Context, o *memory.Outbox) error {
	ctx, cancel := context.WithTimeout(ctx, deliverTime)
	defer cancel()
	c, err := decodeParcel(o)
	if err != nil {
		return errors.Join(err, b.Store.Delivered(ctx, o.ID, "", err.Error()))
	}
	if c.Out.Kind == KindErased {
		session, err := b.Store.Session(ctx, o.SessionID)
		if err != nil {
			return err
		}
		c.To.Key = session.Key
	}
	p := b.byName(c.To.Key.Platform)
	if p == nil {
		return b.Store.Defer(ctx, o.ID, b.Store.Now()+time.Minute.Milliseconds(), "platform does not run")
	}
	resumed := o.Attempts > 0
	// From here on a crash may leave a post behind: the next attempt looks for it.
	if err := b.Store.Defer(ctx, o.ID, b.Store.Now()+deliverTime.Milliseconds(), "interrupted"); err != nil {
		return err
	}
	ref, err := b.deliver(ctx, p, o, c, resumed)
	if err == nil {
		return b.Store.Delivered(ctx, o.ID, string(ref), "")
	}
	settle, done := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer done()
	pause := putOff(o.Attempts+1, err)
	if pause == 0 {
		return errors.Join(err, b.Store.Delivered(settle, o.ID, "", err.Error()))
	}
	return errors.Join(err, b.Store.Postpone(settle, o.ID, b.Store.Now()+pause.Milliseconds(), err.Error()))
}
