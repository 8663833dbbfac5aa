package main

import (
	"context"
	"errors"
	"fmt"

	"threadkeeper/bot/say"
	"threadkeeper/config"
	"threadkeeper/memory"
)

// rebuildCmd makes summaries again.
type rebuildCmd struct {
	Thread string `default:"main" placeholder:"NAME" help:"Thread whose summaries are rebuilt (${default})."`
}

// Run makes every segment of the thread again from its messages, with the model
// in the present settings.
func (c *rebuildCmd) Run(ctx context.Context, sys system, cfg *config.Config) (err error) {
	p, err := open(ctx, sys, cfg, memory.For("rebuild"))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	session, err := findThread(ctx, p.store, c.Thread)
	if err != nil {
		return err
	}
	if err := errors.Join(p.store.Queue.ResetLeases(ctx), p.store.MarkSegmentsStale(ctx, session.ID)); err != nil {
		return err
	}
	i := &importer{store: p.store, compactor: p.compactor}
	if err := i.compact(ctx); err != nil {
		return err
	}
	segments, err := p.store.Segments(ctx, session.ID)
	if err != nil {
		return err
	}
	made, stale := 0, 0
	for _, s := range segments {
		if s.Stale {
			stale++
		} else {
			made++
		}
	}
	fmt.Fprintf(sys.Out, "%s rebuilt\n", say.Counted(made, "segment"))
	if stale > 0 {
		return fmt.Errorf("%d segments could not be rebuilt yet; their old text stays", stale)
	}
	return nil
}
