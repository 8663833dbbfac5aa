package console

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"threadkeeper/bot/platform"
	"threadkeeper/bot/say"
)

// answered wakes send.
func (c *Chat) answered(event string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.done != nil && event == c.waiting {
		close(c.done)
		c.done = nil
	}
}

// Post shows an answer. An answer for a named run of Pipe is kept for that run.
func (c *Chat) Post(ctx context.Context, to platform.Address, m platform.Outgoing) (platform.Ref, error) {
	r := ref(to.Event, m.Nonce)
	if to.Event != "" && !strings.HasPrefix(to.Event, runPrefix) {
		return r, c.spool().deliver(ctx, to.Event, m)
	}
	if m.Kind == platform.KindNotice {
		return r, c.screen.line(c.screen.faint(plain(m.Text)))
	}
	if c.isStopping(to.Event) {
		return r, nil // the answer that ends says so
	}
	c.count(m.Ledger)
	grown := ""
	c.mu.Lock()
	if to.Event == c.waiting {
		grown = c.grown
	}
	c.mu.Unlock()
	if err := errors.Join(c.screen.finish(grown, m.Text), c.screen.below(m)); err != nil {
		return "", fmt.Errorf("console: print: %w", err)
	}
	c.mu.Lock()
	if to.Event == c.waiting {
		c.shown = m
	}
	c.mu.Unlock()
	c.answered(to.Event)
	return r, nil
}

func (c *Chat) isStopping(event string) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return event != "" && event == c.stopping
}

// Edit shows the new form of an answer below the old one: a terminal cannot take back
// or erase what it has shown.
func (c *Chat) Edit(ctx context.Context, r platform.Ref, m platform.Outgoing) (platform.Ref, error) {
	if m.Kind == platform.KindErased && strings.HasPrefix(eventOf(r), c.run+":") {
		return r, nil
	}
	_, err := c.Post(ctx, platform.Address{Event: eventOf(r)}, m)
	return r, err
}

// Status shows the current step of the answer that the person waits for.
func (c *Chat) Status(_ context.Context, to platform.Address, status string) error {
	if strings.HasPrefix(to.Event, c.run+":") && status != "" {
		c.screen.status(status)
	}
	return nil
}

// Upload saves a file and says where: that is the answer to its event.
func (c *Chat) Upload(_ context.Context, to platform.Address, u platform.Upload) (platform.Ref, error) {
	path, err := c.save(u)
	if err != nil {
		return "", err
	}
	if err := c.screen.markdown(u.Text + "\n\n" + fmt.Sprintf(say.In(u.Language).Saved, "`"+path+"`")); err != nil {
		return "", fmt.Errorf("console: print: %w", err)
	}
	c.answered(to.Event)
	return ref(to.Event, u.Nonce), nil
}

// Stream shows a reply as it grows.
func (c *Chat) Stream(_ context.Context, to platform.Address, nonce string) (platform.Stream, error) {
	return &growing{c: c, to: to, nonce: nonce}, nil
}

// growing is a reply that is shown block by block.
type growing struct {
	c     *Chat
	to    platform.Address
	nonce string
}

// Ref names the post from the start.
func (g *growing) Ref() platform.Ref { return ref(g.to.Event, g.nonce) }

// Append shows the blocks that text completes.
func (g *growing) Append(_ context.Context, text string) error {
	g.c.mu.Lock()
	waited := g.to.Event == g.c.waiting
	if waited {
		g.c.grown += text
	}
	g.c.mu.Unlock()
	if !waited {
		return nil // Close shows or keeps it whole
	}
	return g.c.screen.grow(text)
}

// Close shows the rest.
func (g *growing) Close(ctx context.Context, final platform.Outgoing) (platform.Ref, error) {
	final.Nonce = g.nonce
	return g.c.Post(ctx, g.to, final)
}
