package main

import (
	"context"
	"errors"
	"fmt"

	"threadkeeper/bot/console"
	"threadkeeper/config"
	"threadkeeper/memory"
)

// exportCmd writes a conversation and its memory.
type exportCmd struct {
	Thread string `default:"main" placeholder:"NAME" help:"Thread to write (${default})."`
}

// Run reads the database beside another process that may be writing it.
func (c *exportCmd) Run(ctx context.Context, sys system, cfg *config.Config) (err error) {
	store, err := memory.OpenReadOnly(ctx, databaseFile(sys, cfg), memory.ByVersion(version))
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	session, err := findThread(ctx, store, c.Thread)
	if err != nil {
		return err
	}
	a, err := store.Audience(ctx, session.ID, 0)
	if err != nil {
		return err
	}
	return store.Views.Export(ctx, a, session.ID, sys.Out)
}

// findThread is the session of a thread of the terminal.
func findThread(ctx context.Context, store *memory.Store, thread string) (*memory.Session, error) {
	session, err := store.SessionByKey(ctx, console.Key(thread))
	if errors.Is(err, memory.ErrNotFound) {
		return nil, fmt.Errorf("there is no thread %q in this database", thread)
	}
	return session, err
}
