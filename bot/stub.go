package bot

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"threadkeeper/agent"
	"threadkeeper/docs"
	"threadkeeper/memory"
)

// Bot runs the platforms, the workers and the deliveries.
type Bot struct {
	Store       *memory.Store
	Index       *docs.Index
	Chain       *agent.Chain
	Compactor   *agent.Compactor
	Platforms   []Platform
	Log         *slog.Logger
	Workers     int           // turns at the same time; default 8
	TurnTimeout time.Duration // default 5 min
	Lease       time.Duration // default 30 s
	Idle        time.Duration // after which a quiet session is idle; default 30 min, 0 at once (scripts)
}

// Run works until ctx is done or every platform's Run has returned, then
// joins everything it started.
func (b *Bot) Run(ctx context.Context) error { return errors.New("stub") }

// Drain waits until nothing is pending: no message to answer, no delivery, no due compaction (also of idle sessions).
func (b *Bot) Drain(ctx context.Context) error { return errors.New("stub") }

// Commands are the registry, in the order help shows them.
func (b *Bot) Commands() []Command { return nil }
